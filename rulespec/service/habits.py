"""How the words of a game are written, so that of all that may stand at a place what is likely comes first.

    habits = Habits(usage_of(text_without_the_value), usage_of_all_other_files, text, offset)
    habits.share("hand")     # 0.0 to 1.0: the larger, the more likely

Nothing is known of any game but its own files: which word came after the last one and the last two, which words stand
under this key, which ones near the place, and how often each is written at all.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[^\s\w]")
_DOTTED = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")

#: How far what stands near is looked at: characters before a place, and lines around it.
BEFORE, LINES = 1_500, 25
#: How much the words before, the key, what is near, and everything else weigh.
_TWO, _ONE, _KEY, _NEAR, _ANYWHERE = 3.0, 1.0, 1.0, 0.6, 0.3
_LEAST = 1e-4  #: what is likely of a word that was never written
_HERE = 2  #: how much more a word in the same file counts than one elsewhere


@dataclass(frozen=True, slots=True)
class Usage:
    """How often words stand in some text: after two others, after one, under a key of YAML, anywhere.

    `totals` are the same of all words together. Marks count as words of one character, numbers as `0`.
    """

    two: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    one: Counter[tuple[str, str]] = field(default_factory=Counter)
    key: Counter[tuple[str, str]] = field(default_factory=Counter)
    anywhere: Counter[str] = field(default_factory=Counter)
    totals: Counter[tuple[str, ...]] = field(default_factory=Counter)


def usage_of(text: str) -> Usage:
    """How the words of a text are used."""
    found = Usage()
    before, last, key = "", "", ""
    for each in _tokens(text):
        if _is_word(each):
            found.two[before, last, each] += 1
            found.one[last, each] += 1
            found.key[key, each] += 1
            found.anywhere[each] += 1
            found.totals["two", before, last] += 1
            found.totals["one", last] += 1
            found.totals["key", key] += 1
            found.totals["anywhere",] += 1
        elif each == ":" and _is_word(last):
            key = last
        before, last = last, each
    found.anywhere.update(_DOTTED.findall(text))
    return found


def together(usages: Iterable[Usage]) -> Usage:
    """The usage in several texts."""
    found = Usage()
    for each in usages:
        found.two.update(each.two)
        found.one.update(each.one)
        found.key.update(each.key)
        found.anywhere.update(each.anywhere)
        found.totals.update(each.totals)
    return found


def _tokens(text: str) -> list[str]:
    return ["0" if token.isdigit() else token for token in _TOKEN.findall(text)]


def _is_word(token: str) -> bool:
    return token[:1].isalpha() or token[:1] == "_"


class Habits:
    """What is likely at an offset of a text, in which the value that is typed is left out."""

    def __init__(self, here: Usage, elsewhere: Usage, text: str, offset: int) -> None:
        self._here, self._elsewhere, self._text, self._offset = here, elsewhere, text, offset
        before = _tokens(text[max(0, offset - BEFORE) : offset])
        self._words = ["", "", *before]
        self._last = self._words[-2], self._words[-1]
        pairs = reversed([*pairwise(before)])
        self._key = next((word for word, mark in pairs if mark == ":" and _is_word(word)), "")

    def share(self, label: str) -> float:
        """How likely a word is here."""
        two, one = self._last
        return (
            _LEAST
            + _TWO * self._count("two", (two, one, label)) / (self._total("two", two, one) + 2)
            + _ONE * self._count("one", (one, label)) / (self._total("one", one) + 3)
            + _KEY * self._count("key", (self._key, label)) / (self._total("key", self._key) + 5)
            + _NEAR * self.near(label)
            + _ANYWHERE * self.anywhere(label)
        )

    def anywhere(self, label: str) -> float:
        """How likely a word is, wherever."""
        return self._count("anywhere", label) / (self._total("anywhere") + 10)

    def near(self, label: str) -> float:
        """How much of what stands near is a word, or the last part of a path."""
        return self._near.get(label.rpartition(".")[2], 0.0) / self._all_near

    def follows(self, labels: Sequence[str]) -> dict[str, float]:
        """The labels that come after the last one that stands before, in their own order: the next one 1, then less."""
        places = {label: number for number, label in reversed([*enumerate(labels)])}
        last = next((word for word in reversed(self._words) if word in places), None)
        if last is None:
            return {}
        after = places[last] + 1
        return {label: 0.5**number for number, label in enumerate(labels[after : after + 5])}

    def _count(self, table: str, key: str | tuple[str, ...]) -> int:
        found: int = _HERE * getattr(self._here, table)[key] + getattr(self._elsewhere, table)[key]
        return found

    def _total(self, *key: str) -> int:
        return _HERE * self._here.totals[key] + self._elsewhere.totals[key]

    @cached_property
    def _all_near(self) -> float:
        return sum(self._near.values()) + 5

    @cached_property
    def _near(self) -> dict[str, float]:
        """The words of the lines around, those of the nearest most; what stands before counts more."""
        starts = [0, *(found.end() for found in re.finditer("\n", self._text)), len(self._text) + 1]
        own = bisect_right(starts, self._offset) - 1
        found: dict[str, float] = {}
        for number in range(max(0, own - LINES), min(len(starts) - 1, own + LINES + 1)):
            weight = (1.0 if number <= own else 0.6) / (1 + abs(number - own) / 4)
            for token in _tokens(self._text[starts[number] : starts[number + 1] - 1]):
                if _is_word(token):
                    found[token] = found.get(token, 0.0) + weight
        return found
