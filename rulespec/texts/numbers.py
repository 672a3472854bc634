"""The numbers of a text: in digits of any width, in words, in Roman and in kanji numerals; with what bounds them.

numbers("fewer than 4 players or twenty-two coins", language_of("en"))  ->  3 (at most), 22
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from rulespec.texts.folding import level
from rulespec.texts.language import Language, language_of
from rulespec.texts.numerals import Numeral, figures, kanji, roman
from rulespec.texts.spellout import spelled_of

_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_TOKEN: Final = re.compile(r"[^\W_]+|,")
#: What may stand between the words of one number: a blank, a hyphen, a comma with a blank behind it.
_GAP: Final = re.compile(r"[ -]?")
_LONGEST_NUMBER: Final = 14  #: words
_PAGE_BEFORE: Final = re.compile(r"(?:\bpages?|\bp\.|\bpp\.) ?$")
_PAGE_AFTER: Final = re.compile(r"^ ?(?:ページ|頁)")
_FACTOR_BEFORE: Final = re.compile(r"(?:^|[^\w])x ?$")
_FACTOR_AFTER: Final = re.compile(r"^x(?!\w)")
_MARGIN: Final = 24
_NEAR: Final = 8


@dataclass(frozen=True, slots=True)
class Number:
    """A number that stands in a text.

    `kind`: `plain`, `ordinal`, `factor` (x3) or `page`. `bound`: at_least, at_most or "". `slight`: the word may be
    an article, or stand for something else. Only a number with a fraction is no integer.
    """

    start: int
    end: int
    value: float
    kind: str = "plain"
    bound: str = ""
    slight: bool = False


def numbers(text: str, language: Language) -> list[Number]:
    """The numbers in a text, in order; of several that begin at one place the longest."""
    flat = level(text)
    found = [*_digits(text, flat, language), *_words(flat, language), *_romans(text)]
    kept: list[Number] = []
    for number in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or number.start >= kept[-1].end:
            kept.append(_bounded(flat, number, language))
    return kept


def reads_words(code: str) -> bool:
    """Whether numbers in words can be read in a language; else those in digits alone."""
    return spelled_of(code) is not None or bool(language_of(code).numbers)


def _digits(text: str, flat: str, language: Language) -> Iterator[Number]:
    for numeral in figures(text, flat, language.code):
        before = flat[max(0, numeral.start - _NEAR) : numeral.start]
        after = flat[numeral.end : numeral.end + _NEAR]
        if _PAGE_BEFORE.search(before) or _PAGE_AFTER.match(after):
            kind = "page"
        elif _FACTOR_BEFORE.search(before) or _FACTOR_AFTER.match(after):
            kind = "factor"
        else:
            kind = "ordinal" if after.startswith(language.ordinal_endings) else "plain"
        yield _number(numeral, kind)


def _number(numeral: Numeral, kind: str) -> Number:
    return Number(numeral.start, numeral.end, numeral.value, kind, slight=numeral.value == 1)


def _romans(text: str) -> Iterator[Number]:
    for numeral in roman(text):
        yield _number(numeral, "ordinal" if numeral.is_ordinal else "plain")


# ---- words ------------------------------------------------------------------------------------------


def _words(flat: str, language: Language) -> Iterator[Number]:
    for special in language.ordinals:  # such as `xix^e`, which is no word
        if "^" in special:
            yield from (
                Number(m.start(), m.end(), language.ordinals[special], "ordinal")
                for m in re.finditer(re.escape(special), flat)
            )
    if not language.spaces:
        yield from _characters(flat, language)
        return
    yield from _spelled(flat, language)
    for match in _WORD.finditer(flat):
        if (number := _word(match[0], match.start(), language, _before(flat, match.start()))) is not None:
            yield number
        elif "-" in match[0]:  # two-step, middle-class
            at = match.start()
            for part in match[0].split("-"):
                if (number := _word(part, at, language)) is not None:
                    yield number
                at += len(part) + 1


def _before(flat: str, at: int) -> str:
    return flat[max(0, at - _NEAR) : at]


def _word(word: str, start: int, language: Language, before: str = "") -> Number | None:
    """A word of the language's own list: twice, both, a dozen."""
    if word in language.numbers:
        value = language.numbers[word]
        kind = "page" if _PAGE_BEFORE.search(before) else "plain"
        return Number(start, start + len(word), value, kind, slight=value == 1 or word in language.slight)
    if word in language.ordinals:
        return Number(start, start + len(word), language.ordinals[word], "ordinal")
    return None


def _spelled(flat: str, language: Language) -> Iterator[Number]:
    """Numbers of one word or several, by the rules of the language."""
    spelled = spelled_of(language.code, language.articles)
    if spelled is None:
        return
    words = list(_TOKEN.finditer(flat))
    at = 0
    while at < len(words):
        found = spelled.read(_run(flat, words, at)) if spelled.may_begin(words[at][0]) else None
        if found is None or (found[1].is_ordinal and found[1].value == 1):  # `first` says where, and not how many
            at += 1
            continue
        length, word = found
        start, end = words[at].start(), words[at + length - 1].end()
        kind = "page" if _PAGE_BEFORE.search(_before(flat, start)) else "ordinal" if word.is_ordinal else "plain"
        yield Number(start, end, word.value, kind, slight=word.value == 1 or flat[start:end] in language.slight)
        at += length


def _run(flat: str, words: list[re.Match[str]], at: int) -> list[str]:
    """The words from a place on that nothing but blanks, hyphens and commas part."""
    run = [words[at][0]]
    for before, word in pairwise(words[at : at + _LONGEST_NUMBER + 1]):
        if not _GAP.fullmatch(flat, before.end(), word.start()):
            break
        run.append(word[0])
    return run


# ---- characters -------------------------------------------------------------------------------------


def _characters(flat: str, language: Language) -> Iterator[Number]:
    for word in (*language.ordinals, *language.numbers):
        is_ordinal = word in language.ordinals
        value = language.ordinals[word] if is_ordinal else language.numbers[word]
        for match in re.finditer(re.escape(word), flat):
            is_slight = word in language.slight  # 両方 counts by itself
            if is_ordinal or is_slight or flat.startswith(language.counters, match.end()):
                kind = "ordinal" if is_ordinal else "plain"
                yield Number(match.start(), match.end(), value, kind, slight=value == 1 or is_slight)
    for numeral in kanji(flat, language.code, language.counters):
        is_place = numeral.is_ordinal or flat.startswith(language.ordinal_endings, numeral.end)
        yield _number(numeral, "ordinal" if is_place else "plain")


def _bounded(flat: str, number: Number, language: Language) -> Number:
    """A number with what stands before or behind it: `fewer than 4` is at most 3."""
    before, after = flat[max(0, number.start - _MARGIN) : number.start], flat[number.end : number.end + _MARGIN]
    for form, bound, add in language.bounds:
        if form.search(before) if form.pattern.endswith("$") else form.search(after):
            value = number.value + add
            return replace(number, bound=bound, value=value)
    return number
