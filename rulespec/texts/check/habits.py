"""What must not be taken literally in one language when its text is compared with another one's.

The readers of texts (`rulespec.texts.signature`) find may, must and denials by their words. Translators say the same in
other ways: *without* for *if there is no*, *the others leave* for *are not used*. `habits/` holds, for each language,

- `ignore`: stretches that look like such a word and are none,
- `weak`: what readers find and another language may well say without such a word,
- `more`: ways to say it that readers do not count,
- `places`: numbers in digits that say which one in a row, as ordinal words do,

`weak` and `more` for each of `may`, `must`, `cannot`, `need_not` and `denied`; a `number` can be weak too. What is
weak, or one of `more`, may stand in another language or not: no difference is told for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

from rulespec.texts.folding import level
from rulespec.texts.glossary import Glossary
from rulespec.texts.language import language_of
from rulespec.texts.numbers import Number
from rulespec.texts.own_files import read_data
from rulespec.texts.regions import bases
from rulespec.texts.signature import MOODS, Count, Mark, Reader, Signature, is_turn
from rulespec.texts.stretches import Stretches

_FOLDER: Final = "habits"
_NOTHING: Final = re.compile(r"(?!)")
_DENIED: Final = "denied"
_NUMBER: Final = "number"
#: What stands in the place of what is ignored.
_BLOT: Final = "·"


@dataclass(frozen=True)
class Habits:
    """The habits of one language."""

    ignore: re.Pattern[str] = _NOTHING
    weak: dict[str, re.Pattern[str]] = field(default_factory=dict)
    more: dict[str, re.Pattern[str]] = field(default_factory=dict)
    places: re.Pattern[str] = _NOTHING


@cache
def habits_of(language: str) -> Habits:
    """The habits of a language, or of what it is a kind of; none where there is no file."""
    paths = [files("rulespec.texts.check").joinpath(_FOLDER, f"{base}.yaml") for base in bases(language)]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        return Habits()
    data: dict[str, Any] = read_data(path) or {}
    weak, more = _by_kind(data.get("weak", {})), _by_kind(data.get("more", {}))
    return Habits(_any(data.get("ignore", [])), weak, more, _any(data.get("places", [])))


def _by_kind(forms: dict[str, list[str]]) -> dict[str, re.Pattern[str]]:
    return {kind: _any(forms.get(kind, [])) for kind in (*MOODS, _DENIED, _NUMBER)}


def _any(forms: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{form})" for form in forms), re.IGNORECASE) if forms else _NOTHING


@dataclass(frozen=True)
class Saying:
    """What one text says, as far as languages are compared by it. Counts are the least and the most."""

    said: Signature
    moods: dict[str, Count]
    denials: Count
    at: dict[str, tuple[int, int]]
    weak_numbers: Stretches

    def is_weak(self, number: Number) -> bool:
        """Whether a number may stand in another language or not."""
        return self.weak_numbers.meet(number.start, number.end)


class Listener:
    """Reads texts of one language for comparison."""

    def __init__(self, language: str, glossary: Glossary):
        self._reader = Reader(language, glossary)
        self._habits = habits_of(language)
        self._language = language_of(language)

    def read(self, text: str) -> Saying:
        """What a text says."""
        plain = self._habits.ignore.sub(lambda match: _BLOT * len(match[0]), text)
        said = self._reader.read(plain)
        moods = {kind: self._mood(said, kind, text) for kind in MOODS}
        denied = self._denied(said)
        weak = self._habits.weak.get(_NUMBER, _NOTHING)
        places = Stretches(match.span() for match in weak.finditer(text))
        return Saying(said, moods, self._denials(denied, text), _places(said, denied), places)

    def _mood(self, said: Signature, kind: str, text: str) -> Count:
        least, most = said.moods[kind]
        found = [mark for mark in said.marks if mark.kind == kind]
        return least - self._weak(kind, found, text), most + self._more(kind, found, text)

    def _denials(self, denied: Sequence[Mark], text: str) -> Count:
        weak = self._weak(_DENIED, denied, text)
        return len(denied) - weak, len(denied) + self._more(_DENIED, denied, text)

    def _denied(self, said: Signature) -> tuple[Mark, ...]:
        """Every denial, also one inside of a word of the game: rules are short, and deny in few ways."""
        if self._language.denials is None:
            return ()
        marks = [mark for mark in said.marks if mark.kind in MOODS or is_turn(mark)]
        taken = Stretches((mark.start, mark.end) for mark in marks)
        found = [mark for mark in marks if mark.kind in ("cannot", "need_not")]
        for match in self._language.denials.finditer(level(said.text)):
            start, end = match.span()
            if match.lastgroup == "denied" and not taken.meet(start, end):
                found.append(Mark(start, end, _DENIED))
        return tuple(sorted(found, key=lambda mark: mark.start))

    def _weak(self, kind: str, marks: Sequence[Mark], text: str) -> int:
        """How many of these stand where a weak form does."""
        forms = self._habits.weak.get(kind, _NOTHING)
        places = Stretches(match.span() for match in forms.finditer(text))
        return sum(places.meet(mark.start, mark.end) for mark in marks)

    def _more(self, kind: str, marks: Sequence[Mark], text: str) -> int:
        """How many ways to say it stand outside of these, which are counted already."""
        counted = Stretches((mark.start, mark.end) for mark in marks)
        return sum(not counted.meet(*match.span()) for match in self._habits.more.get(kind, _NOTHING).finditer(text))


def _places(said: Signature, denied: Sequence[Mark]) -> dict[str, tuple[int, int]]:
    """Where each mood and denial stands first, to be pointed at."""
    found: dict[str, tuple[int, int]] = {}
    for mark in said.marks:
        found.setdefault(mark.kind.removeprefix("maybe_"), (mark.start, mark.end))
    for mark in denied:
        found.setdefault(_DENIED, (mark.start, mark.end))
    return found
