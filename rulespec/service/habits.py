"""How likely each of the things is that may stand at a place, by how the words of the game are written.

    habits = Habits(asked, items)
    habits.cost(item)     # the less, the more likely

Nothing is known of any game but its own files, without what is typed: what stands before the place and in which order
elsewhere, what is written near, what the declaration around it is about. What each of these counts for is in
`weights.py`, by the kind of place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from rulespec.service.items import Item
from rulespec.service.topics import Topics, about, name_of
from rulespec.service.usage import (
    ALL_ARGUMENT,
    ARGUMENT,
    IN_ARGUMENT,
    KEY,
    KEY_LEVEL,
    LAST,
    LAST2,
    LAST3,
    LAST4,
    LEVEL,
    UNDER,
    UNDER_LEVEL,
    Entry,
    Usage,
    before,
    together,
)
from rulespec.service.weights import MEASURES, WEIGHTS

#: How far what stands near is looked at: characters before a place, and lines around it.
BEFORE, LINES = 1_500, 25
#: How much more a word in the same file counts than one elsewhere; how much what is less certain counts.
_HERE, _LESS = 2, 2.0
_FEW, _FAR_BEFORE = 8, 100.0  #: where one of so few members is wanted, those come before all else
_UNSEEN = 0.005  #: how likely what is not near is to be so
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
#: What comes before a word, from what tells least to what tells most.
_CHAINS = (
    (LAST, LAST2, LAST3, LAST4),
    (KEY, KEY_LEVEL, UNDER_LEVEL),
    (ARGUMENT, IN_ARGUMENT, ALL_ARGUMENT),
    (LEVEL,),
    (KEY, UNDER),
)
_ALIKE = (ARGUMENT, LEVEL, IN_ARGUMENT, ALL_ARGUMENT)
_KINDS = (
    frozenset({"local"}),
    frozenset({"word"}),
    frozenset({"function", "effect", "event"}),
    frozenset({"member"}),
    frozenset({"kind", "enum", "piece"}),
    frozenset({"field"}),
    frozenset({"action", "choice"}),
)
_RANKS = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Around:
    """Where something is typed: the file's text without it, its entries, the one it belongs to, the place in the text.

    `here` is how words are used in the file, `elsewhere` in the others of the game. `group` is the kind of place.
    """

    text: str
    entries: Sequence[Entry]
    offset: int
    group: str
    here: Sequence[Usage]
    elsewhere: Sequence[Usage]
    topics: Sequence[Topics] = ()

    @property
    def entry(self) -> Entry:
        """The declaration around the place."""
        return self.entries[bisect_right(self.entries, self.offset, key=lambda entry: entry.start) - 1]


class Habits:
    """What is likely of some items at a place."""

    def __init__(self, around: Around, items: Sequence[Item]) -> None:
        self._around = around
        entry = around.entry
        found = together(around.here, around.elsewhere, before(entry, around.offset - entry.start), _HERE)
        self._found = found
        self._totals = [sum(each.values()) for each in found]
        self._all = sum(_HERE * sum(each.anywhere.values()) for each in around.here) + sum(
            sum(each.anywhere.values()) for each in around.elsewhere
        )
        self._best: dict[str, Item] = {}
        for item in items:
            known = self._best.get(item.label)
            if known is None or item.rank < known.rank:
                self._best[item.label] = item
        self._weights = dict(zip(MEASURES, WEIGHTS[around.group], strict=True))
        self._fitting = max(1, sum(item.rank == 0 for item in self._best.values()))
        is_one = any(item.rank > 8 for item in self._best.values())
        self._is_one_of_few = is_one and self._fitting <= _FEW
        self._near = _near(around.text, around.offset)
        self._all_near = sum(self._near.values()) + 5
        self._follows = _follows(around.text[max(0, around.offset - BEFORE) : around.offset], [*self._best])
        line = around.text[around.text.rfind("\n", 0, around.offset) + 1 : around.offset]
        self._used = frozenset(_NAME.findall(line))
        self._sizes = Counter(map(_like, self._best.values()))
        self._alike = [self._of_kinds(found[way]) for way in _ALIKE]
        self._heads = Counter[str]()
        for label, count in found[KEY].items():
            self._heads[label.partition(".")[0] if "." in label else ""] += count
        self._topics = about(around.topics, around.entries, entry, around.text[: around.offset], self._best.values())
        self._beside = _beside(around, entry)
        self._costs: dict[tuple[str, int], float] = {}

    @property
    def labels(self) -> list[str]:
        """All that may stand there, each once."""
        return [*self._best]

    @property
    def group(self) -> str:
        """The kind of place."""
        return self._around.group

    def cost(self, item: Item) -> float:
        """What it costs to believe that an item is meant."""
        key = item.label, item.rank
        if key not in self._costs:
            best = self._best[item.label]
            values = self.measures(item.label)
            worse = (item.rank - best.rank) * 0.1 - (_FAR_BEFORE if self._is_first(item) else 0.0)
            self._costs[key] = worse - sum(w * v for w, v in zip(self._weights.values(), values, strict=True))
        return self._costs[key]

    def measures(self, label: str) -> tuple[float, ...]:
        """What is known of a label, each as `MEASURES` names it."""
        item = self._best[label]
        short = label.rpartition(".")[2]
        anywhere = self._anywhere(label)
        return (
            *(log(self._chain(label, chain, anywhere)) for chain in _CHAINS),
            log(self._near.get(short, 0.0) / self._all_near + _UNSEEN),
            log(anywhere),
            *self._kinds(item),
            *(float(item.rank == rank) for rank in _RANKS),
            float(3 < item.rank < 6),
            float(5 < item.rank < 9),
            float(item.rank > 8),
            log(1 / self._fitting) if item.rank == 0 else 0.0,
            self._follows.get(label, 0.0),
            float(short in self._used or label in self._used),
            *(float(item.kind in kinds) for kinds in _KINDS),
            *self._topics.get(label, (0.0, 0.0, 0.0, 0.0)),
            self._section(item),
            *(_shared(label, each) for each in self._beside),
        )

    def _is_first(self, item: Item) -> bool:
        """Whether it comes before all that fits worse: one of few, and a message that the game lacks."""
        return item.rank == 0 and (self._is_one_of_few or item.kind == "message")

    def _anywhere(self, label: str) -> float:
        around = self._around
        count = _HERE * sum(each.anywhere[label] for each in around.here)
        count += sum(each.anywhere[label] for each in around.elsewhere)
        return (count + 0.05) / (self._all + 10)

    def _section(self, item: Item) -> float:
        """How likely the section of a path is; a section may stand there by itself."""
        if item.kind != "path":
            return 0.0
        section, dot, _ = item.label.partition(".")
        count = self._heads[section] if dot else max(0, self._found[KEY][section] - self._heads[section])
        return log((count + 0.1) / (self._totals[KEY] + 1))

    def _chain(self, label: str, ways: tuple[int, ...], least: float) -> float:
        """How likely a word is behind what comes before, as far as that is known."""
        share = least
        for way in ways:
            share = (self._found[way][label] + _LESS * share) / (self._totals[way] + _LESS)
        return share

    def _of_kinds(self, found: Counter[str]) -> tuple[Counter[tuple[str, str]], int]:
        """How often there was something of the same kind and type as an item, whichever it was."""
        kinds: Counter[tuple[str, str]] = Counter()
        for word, count in found.items():
            if word in self._best:
                kinds[_like(self._best[word])] += count
        return kinds, sum(kinds.values())

    def _kinds(self, item: Item) -> tuple[float, ...]:
        like = _like(item)
        size, count = self._sizes[like], len(self._best)
        return tuple(log((kinds[like] + 0.5 * size / count) / (total + 0.5) / size) for kinds, total in self._alike)


def _like(item: Item) -> tuple[str, str]:
    return item.kind, item.detail


def _near(text: str, offset: int) -> dict[str, float]:
    """The words of the lines around, those of the nearest most; what stands before counts more."""
    first = offset
    for _ in range(LINES + 1):
        first = text.rfind("\n", 0, max(first, 0))
    lines = text[first + 1 : offset].split("\n")
    found: dict[str, float] = {}
    after = text[offset:].split("\n", LINES + 1)[: LINES + 1]
    own, after[0] = lines[-1] + after[0], ""
    lines[-1] = own
    for number, line in enumerate(reversed(lines)):
        _count(found, line, 1.0 / (1 + number / 4))
    for number, line in enumerate(after):
        _count(found, line, 0.6 / (1 + number / 4))
    return found


def _count(found: dict[str, float], line: str, weight: float) -> None:
    for word in _WORD.findall(line):
        found[word] = found.get(word, 0.0) + weight


def _follows(text: str, labels: list[str]) -> dict[str, float]:
    """The labels that come after the last one that stands before, in their own order: the next one 1, then less."""
    places = {label: number for number, label in enumerate(labels)}
    last = next((word for word in reversed(_NAME.findall(text)) if word in places), None)
    if last is None:
        return {}
    after = places[last] + 1
    return {label: 0.5**number for number, label in enumerate(labels[after : after + 5])}


def _beside(around: Around, entry: Entry) -> tuple[str, str]:
    """The names of the declarations before and behind a place."""
    at = around.entries.index(entry)
    names = [name_of(each) for each in around.entries[max(0, at - 1) : at + 2]]
    return (names[0] if at else ""), (names[-1] if at + 1 < len(around.entries) else "")


def _shared(label: str, other: str) -> float:
    """How much of the beginning of a dotted name another one has too."""
    if "." not in label:
        return 0.0
    own, theirs = label.split("."), other.split(".")
    same = next((number for number, (a, b) in enumerate(zip(own, theirs, strict=False)) if a != b), len(own))
    return same / len(own)
