"""Numbers that are not written in words: digits with group marks and fractions, Roman numerals, kanji.

figures("1\u202f200,5 points", "1 200,5 points", "fr")  ->  1200.5
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from rulespec.messages.plurals import locale_of
from rulespec.texts.spellout import spelled_of

_LONGEST: Final = 18  #: digits of a number; what is longer counts nothing in a game
#: Blanks that part groups of digits in every language: no line ends at them.
_NO_BREAK: Final = "\u00a0\u202f\u2007\u2009"
_FIGURES: Final = re.compile(
    r"""
    (?<!\d)(?<!\d\.)
    (?:
        (?P<head>[1-9]\d{0,2})(?P<mark>[.,'_ ])(?P<groups>\d{3}(?:(?P=mark)\d{3})*)(?!\d)
      | (?P<plain>\d+)
    )
    (?P<decimal>[.,])?(?P<fraction>(?<=[.,])\d+(?![.,]?\d))?
    """,
    re.VERBOSE,
)
_VULGAR: Final = re.compile(r"(?:(?<!\d)(?P<whole>\d{1,4}))? ?(?P<part>[\u00bc-\u00be\u2150-\u215e])")
#: Up to 39, of two letters or more: I, V and X alone are words, names and signs too.
_ROMAN: Final = re.compile(
    r"(?<![\w'’.\-])(?=[IVX]{2})(X{0,3}(?:IX|IV|V?I{0,3}))(e|er|ème|º|ª)?(?![\w'’\-])|([\u2160-\u216b])"
)
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10}
_KANJI: Final = re.compile(
    r"(?P<place>第)?(?:(?P<run>[〇零一二三四五六七八九十百千万]+)|(?P<digits>\d{1,4})(?P<times>[百千万])(?P<rest>\d{1,4})?)"
)
_KANJI_DIGITS: Final = "〇一二三四五六七八九"
_POWERS: Final = {"百": 100, "千": 1_000, "万": 10_000}
_SURE: Final = 11  #: from here on kanji count, also without a counter


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number that is written in signs. `is_ordinal`: its own signs say that it counts places."""

    start: int
    end: int
    value: float
    is_ordinal: bool = False


# ---- digits -----------------------------------------------------------------------------------------


def figures(text: str, flat: str, language: str) -> Iterator[Numeral]:
    """The numbers in digits of a text; `flat` is the text with digits and blanks of usual width.

    Three digits behind a mark are a group, whatever language: `1,000` and `1.000` are a thousand. A comma before other
    digits parts a fraction where the language writes it so, a point everywhere.
    """
    at = 0
    for match in _VULGAR.finditer(flat):
        value = int(match["whole"] or 0) + unicodedata.numeric(match["part"])
        yield Numeral(match.start(), match.end(), value)
    while (found := _FIGURES.search(flat, at)) is not None:
        at = found.end()
        if sum(map(str.isdigit, found[0])) <= _LONGEST:
            numeral = _figure(text, found, language)
            at = numeral.end
            yield numeral


def _figure(text: str, found: re.Match[str], language: str) -> Numeral:
    mark = found["mark"]
    if mark is not None and not _parts_groups(text, found, language):
        return Numeral(found.start(), found.end("head"), int(found["head"]))
    whole = found["plain"] or found["head"] + re.sub(r"\D", "", found["groups"])
    end = found.end("plain") if found["plain"] else found.end("groups")
    if found["fraction"] and found["decimal"] != mark and _parts_fraction(found, language):
        value = float(f"{whole}.{found['fraction']}")
        return Numeral(found.start(), found.end(), int(value) if value.is_integer() else value)
    return Numeral(found.start(), end, int(whole))


def _parts_fraction(found: re.Match[str], language: str) -> bool:
    """Whether a point or comma parts a fraction, and not the numbers of a list such as `3,4,5`."""
    is_listed = re.search(r"\d,$", found.string[max(0, found.start() - 2) : found.start()]) is not None
    return found["decimal"] == "." or (_decimal_mark(language) == "," and not is_listed)


def _parts_groups(text: str, found: re.Match[str], language: str) -> bool:
    """Whether a mark parts groups: a plain blank does where the language is written so, or a group begins with 0."""
    marks = {text[at] for at in range(*found.span()) if not text[at].isalnum()} - {found["decimal"]}
    if found["mark"] != " ":
        return True
    is_sure = _group_mark(language).isspace() or " 0" in found["groups"].rjust(len(found["groups"]) + 1)
    return marks <= set(_NO_BREAK) or (marks <= {" ", *_NO_BREAK} and is_sure)


@cache
def _decimal_mark(language: str) -> str:
    return _symbol(language, "decimal", ".")


@cache
def _group_mark(language: str) -> str:
    return _symbol(language, "group", ",")


def _symbol(language: str, name: str, otherwise: str) -> str:
    locale = locale_of(language)
    symbols = {} if locale is None else locale.number_symbols.get("latn", {})
    return str(symbols.get(name, otherwise))


# ---- Roman ------------------------------------------------------------------------------------------


def roman(text: str) -> Iterator[Numeral]:
    """Roman numerals in capitals, up to 39."""
    for match in _ROMAN.finditer(text):
        if match[3] is not None:
            yield Numeral(match.start(), match.end(), int(unicodedata.numeric(match[3])))
        elif match[1]:
            yield Numeral(match.start(), match.end(), _roman_value(match[1]), match[2] is not None)


def _roman_value(letters: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in letters]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


# ---- kanji ------------------------------------------------------------------------------------------


def kanji(flat: str, language: str, counters: tuple[str, ...]) -> Iterator[Numeral]:
    """Kanji numerals: before a counter, behind 第, or from eleven on."""
    for match in _KANJI.finditer(flat):
        value = _mixed(match) if match["run"] is None else _kanji_value(match["run"], language)
        is_sign = match["place"] is not None or flat.startswith(counters, match.end())
        if value is not None and (is_sign or (value >= _SURE and len(match[0]) > 1)):
            yield Numeral(match.start(), match.end(), value, match["place"] is not None)


def _mixed(match: re.Match[str]) -> int:
    """`2千`, `1万2000`."""
    return int(match["digits"]) * _POWERS[match["times"]] + int(match["rest"] or 0)


def _kanji_value(run: str, language: str) -> int | None:
    """The number that kanji say: by the rules of the language, or digit by digit as `二〇`."""
    spelled = spelled_of(language)
    tokens = list(run.removeprefix("一") if run.startswith("一千") else run)
    found = None if spelled is None else spelled.read(tokens)
    if found is not None and found[0] == len(tokens):
        return found[1].value
    if "〇" in run and set(run) <= set(_KANJI_DIGITS) and len(run) > 1:
        return int("".join(str(_KANJI_DIGITS.index(digit)) for digit in run))
    return 0 if run == "零" else None
