"""The phrases of sentences that a finding speaks of: each sign with the words that make it readable.

A number is quoted with its bound and with what it counts (*up to three cards*), a bound with its number, a mood or a
denial with what it governs (*must discard*, *do not place*), a relation with what it joins (*before you move*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rulespec.texts.differences import Said
from rulespec.texts.folding import level
from rulespec.texts.language import Language, language_of
from rulespec.texts.numbers import Number
from rulespec.texts.signature import Signature

_BEHIND: Final = {"number": 1, "mood": 1, "denial": 1, "relation": 2}
_BEFORE: Final = {"denial": 1}
_MARGIN: Final = 24  #: characters before and behind a number where its bound may stand
_TOGETHER: Final = 28  #: characters between two signs that are quoted as one phrase, at most
_MOST: Final = 3  #: phrases of one sentence that are quoted
_NEXT: Final = re.compile(r"[ \u00a0]+[^\W\d_](?:[\w'’-]*\w)?")
_LAST: Final = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?[ \u00a0]+$")
#: In languages that do not part their words: what a verb goes back to, and what a counter is.
_STEM: Final = re.compile(r"[^\s、。（）「」をがはにでともへ]{1,8}$")
_COUNTER: Final = re.compile(r"(?:番目|つ目|回目|枚目|[つ人枚個本回歩点面組色列行度階名匹])")


@dataclass(frozen=True, slots=True, order=True)
class Sign:
    """A stretch of one clause of a sentence that means something: which clause, from, to, and of which sort."""

    clause: int
    start: int
    end: int
    sort: str


def phrases(said: Said, signs: Iterable[Sign]) -> list[str]:
    """The phrases of a sentence around some signs, in their order; those that are near each other as one."""
    found: list[tuple[int, int, int]] = []
    for sign in sorted(signs):
        start, end = _widened(said.parts[sign.clause], sign)
        before = found[-1] if found and found[-1][0] == sign.clause else None
        if before is not None and start - before[2] <= (_TOGETHER if len(found) >= _MOST else 0):
            found[-1] = sign.clause, before[1], max(end, before[2])
        else:
            found.append((sign.clause, start, end))
    texts = [said.parts[n].text[start:end].strip() for n, start, end in found]
    return list(dict.fromkeys(text for text in texts if text))[:_MOST]


def _widened(part: Signature, sign: Sign) -> tuple[int, int]:
    """A sign's stretch with the words that belong to it."""
    language, text = language_of(part.language), part.text
    start, end = sign.start, sign.end
    if sign.sort == "number":
        number = next((one for one in part.numbers if one.start == start), None)
        if number is not None:
            start, end = _with_bound(level(text), number, language)
        end = _with_counted(part, end, spaces=language.spaces)
        return start, end
    counted = next((one for one in part.numbers if 0 <= one.start - end <= 1), None)
    if sign.sort == "concept" or (sign.sort == "relation" and counted is not None and not counted.slight):
        return start, end if counted is None else _with_counted(part, counted.end, spaces=language.spaces)
    if language.spaces:
        return _words_before(text, start, _BEFORE.get(sign.sort, 0)), _words_behind(
            text, end, _BEHIND.get(sign.sort, 0)
        )
    if sign.sort in _BEHIND and (stem := _STEM.search(text[:start])):
        start = stem.start()
    return start, end


def _with_bound(flat: str, number: Number, language: Language) -> tuple[int, int]:
    """A number with what bounds it, and with what makes it a place."""
    start, end = number.start, number.end
    if not number.bound:
        return start, end
    offset = max(0, start - _MARGIN)
    for form, bound, _ in language.bounds:
        if bound != number.bound:
            continue
        if form.pattern.endswith("$"):
            match = form.search(flat[offset:start])
            if match is not None:
                return offset + match.start(), end
        elif (match := form.search(flat[end : end + _MARGIN])) is not None:
            return start, end + match.end()
    return start, end


def _with_counted(part: Signature, end: int, *, spaces: bool) -> int:
    """Where a number ends with what it counts: the next thing that is named, or the next word."""
    named = [hit for hit in part.hits if 0 <= hit.start - end <= (3 if spaces else 0)]
    if named:
        return named[0].end
    if not spaces:
        counter = _COUNTER.match(part.text, end)
        return end if counter is None else counter.end()
    return _words_behind(part.text, end, 1)


def _words_behind(text: str, end: int, number: int) -> int:
    for _ in range(number):
        match = _NEXT.match(text, end)
        end = end if match is None else match.end()
    return end


def _words_before(text: str, start: int, number: int) -> int:
    for _ in range(number):
        match = _LAST.search(text[:start])
        start = start if match is None else match.start()
    return start
