"""The numbers of a text: digits of any width, number words, kanji before a counter; with what bounds them.

numbers("fewer than 4 players or two coins", language_of("en"))  ->  3 (at most), 2
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from rulespec.texts.folding import level
from rulespec.texts.language import Language

_DIGITS: Final = re.compile(r"(?<![\d.])\d{1,4}(?!\d)(?:[.,]\d{3}(?!\d))*")
_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_PAGE_BEFORE: Final = re.compile(r"(?:\bpages?|\bp\.|\bpp\.) ?$")
_PAGE_AFTER: Final = re.compile(r"^ ?(?:ページ|頁)")
_FACTOR_BEFORE: Final = re.compile(r"(?:^|[^\w])x ?$")
_FACTOR_AFTER: Final = re.compile(r"^x(?!\w)")
_MARGIN: Final = 24
_LONGEST: Final = 18  #: digits of a number; what is longer counts nothing in a game


@dataclass(frozen=True, slots=True)
class Number:
    """A number that stands in a text.

    `kind`: `plain`, `ordinal`, `factor` (x3) or `page`. `bound`: at_least, at_most or "". `slight`: the word may be
    an article, or stand for something else.
    """

    start: int
    end: int
    value: int
    kind: str = "plain"
    bound: str = ""
    slight: bool = False


def numbers(text: str, language: Language) -> list[Number]:
    """The numbers in a text, in order."""
    flat = level(text)
    found = {number.start: number for number in _words(flat, language)}
    for number in _digits(flat, language):
        found.setdefault(number.start, number)
    kept: list[Number] = []
    for number in sorted(found.values(), key=lambda one: (one.start, -one.end)):
        if not kept or number.start >= kept[-1].end:
            kept.append(_bounded(flat, number, language))
    return kept


def _digits(flat: str, language: Language) -> Iterator[Number]:
    for match in _DIGITS.finditer(flat):
        figures = re.sub(r"[.,]", "", match[0])
        if len(figures) > _LONGEST:
            continue
        value = int(figures)
        before, after = flat[max(0, match.start() - 8) : match.start()], flat[match.end() : match.end() + 4]
        if _PAGE_BEFORE.search(before) or _PAGE_AFTER.match(after):
            kind = "page"
        elif _FACTOR_BEFORE.search(before) or _FACTOR_AFTER.match(after):
            kind = "factor"
        else:
            kind = "ordinal" if after.startswith(language.ordinal_endings) else "plain"
        yield Number(match.start(), match.end(), value, kind, slight=value == 1)


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
    for match in _WORD.finditer(flat):
        if (
            number := _word(match[0], match.start(), language, flat[max(0, match.start() - 8) : match.start()])
        ) is not None:
            yield number
        elif "-" in match[0]:  # two-step, middle-class
            at = match.start()
            for part in match[0].split("-"):
                if (number := _word(part, at, language)) is not None:
                    yield number
                at += len(part) + 1


def _word(word: str, start: int, language: Language, before: str = "") -> Number | None:
    if word in language.numbers:
        value = language.numbers[word]
        kind = "page" if _PAGE_BEFORE.search(before) else "plain"
        return Number(start, start + len(word), value, kind, slight=value == 1 or word in language.slight)
    if word in language.ordinals:
        return Number(start, start + len(word), language.ordinals[word], "ordinal")
    return None


def _characters(flat: str, language: Language) -> Iterator[Number]:
    for match in _counted(language).finditer(flat):
        word = match[0]
        if word in language.ordinals:
            yield Number(match.start(), match.end(), language.ordinals[word], "ordinal")
        else:
            value = language.numbers[word]
            yield Number(match.start(), match.end(), value, slight=value == 1)


@cache
def _pattern(words: tuple[str, ...], counters: tuple[str, ...], ordinals: tuple[str, ...]) -> re.Pattern[str]:
    either = [*map(re.escape, ordinals)]
    if words:
        behind = "|".join(map(re.escape, counters))
        either.append(f"(?:{'|'.join(map(re.escape, words))})(?={behind})")
    return re.compile("|".join(either) or r"(?!)")


def _counted(language: Language) -> re.Pattern[str]:
    return _pattern(tuple(language.numbers), language.counters, tuple(language.ordinals))


def _bounded(flat: str, number: Number, language: Language) -> Number:
    """A number with what stands before or behind it: `fewer than 4` is at most 3."""
    before, after = flat[max(0, number.start - _MARGIN) : number.start], flat[number.end : number.end + _MARGIN]
    for form, bound, add in language.bounds:
        if form.search(before) if form.pattern.endswith("$") else form.search(after):
            value = number.value + add
            return replace(number, bound=bound, value=value)
    return number
