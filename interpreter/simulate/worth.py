"""Counting what trials say: what each value was worth to those who could choose it, and what never matters.

See `interpreter.simulate.trials` for what a trial is.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter.simulate.numbers import Figure, Moments

THIRDS: Final = 3

#: A decision, a name of what is chosen there, and a value.
Value = tuple[str, str, str]


@dataclass(slots=True)
class Worth:
    """Trials of one value: points and parts of the victory that it brought, and how often the seat had taken it.

    `high` and `low` are the trials in which it brought most and cost most points: these, the game, and after how many
    decisions; of equals the first game.
    """

    points: Moments = field(default_factory=Moments)
    won: Moments = field(default_factory=Moments)
    taken: int = 0
    high: tuple[int, int, int] | None = None
    low: tuple[int, int, int] | None = None

    def add(self, game: int, n: int, points: int, won: float, taken: int) -> None:
        """One trial."""
        self.points.add(points)
        self.won.add(won)
        self.taken += taken
        self._show((points, game, n), (points, game, n))

    def merge(self, other: Worth) -> None:
        """As if the other's trials had been added here too."""
        self.points.merge(other.points)
        self.won.merge(other.won)
        self.taken += other.taken
        if other.high is not None and other.low is not None:
            self._show(other.high, other.low)

    def _show(self, high: tuple[int, int, int], low: tuple[int, int, int]) -> None:
        self.high = high if self.high is None else min(self.high, high, key=lambda each: (-each[0], each[1:]))
        self.low = low if self.low is None else min(self.low, low)

    @property
    def shown(self) -> tuple[int, int] | None:
        """A game, and after how many decisions, that shows most of what it is worth."""
        end = self.high if self.points.mean > 0 else self.low
        return None if end is None else end[1:]

    def unseen(self, widest: int) -> int:
        """By how much a trial of the game was greater, in points, than any of these against what these say."""
        against = self.low if self.points.mean > 0 else self.high
        seen = 0 if against is None else max(0, -against[0] if self.points.mean > 0 else against[0])
        return max(0, widest - seen)

    @property
    def widest(self) -> int:
        """The greatest difference in points of a trial."""
        return max((abs(end[0]) for end in (self.high, self.low) if end is not None), default=0)


@dataclass(slots=True)
class Alike:
    """Trials at one decision: how many there were, and in how many both ends were alike."""

    trials: int = 0
    alike: int = 0


class Worths:
    """All trials of one arm."""

    def __init__(self) -> None:
        self.by_value: defaultdict[Value, list[Worth]] = defaultdict(lambda: [Worth() for _ in range(THIRDS)])
        self.by_decision: defaultdict[str, Alike] = defaultdict(Alike)
        self.own, self.others = Moments(), Moments()  # by how many points a choice moved the seat, and the others
        self.left = 0  # trials that came to nothing
        self._points_won = self._points_squared = 0.0

    def add(self, game: int, decisions: int, rows: Sequence[Sequence[Any]]) -> None:
        """The trials of one game that had so many decisions."""
        for _, n, decision, name, value, points, won, touched, same, taken in rows:
            third = min(THIRDS - 1, THIRDS * n // max(decisions, 1))
            self.by_value[decision, name, value][third].add(game, n, points, won, taken)
            alike = self.by_decision[decision]
            alike.trials += 1
            alike.alike += same
            self._points_won += points * won
            self._points_squared += points * points
            self.own.add(abs(points))
            self.others.add(touched)

    def merge(self, other: Worths) -> None:
        """As if the other's trials had been added here too."""
        for value, thirds in other.by_value.items():
            for own, more in zip(self.by_value[value], thirds, strict=True):
                own.merge(more)
        for decision, alike in other.by_decision.items():
            self.by_decision[decision].trials += alike.trials
            self.by_decision[decision].alike += alike.alike
        self._points_won += other._points_won
        self._points_squared += other._points_squared
        self.left += other.left
        self.own.merge(other.own)
        self.others.merge(other.others)

    @property
    def widest(self) -> int:
        """The greatest difference in points of any trial."""
        return max((third.widest for thirds in self.by_value.values() for third in thirds), default=0)

    @property
    def won_by_point(self) -> float:
        """The part of a victory that a point is worth: the line through nought that fits all trials best."""
        return self._points_won / self._points_squared if self._points_squared else 0.0

    def whole(self, value: Value) -> Worth:
        """The trials of a value at any time of the game."""
        found = Worth()
        for third in self.by_value[value]:
            found.merge(third)
        return found

    def windows(self, least: int) -> Iterator[tuple[Value, int | None, Worth]]:
        """Each value with its trials of the whole game (None), then of each third, where there are so many."""
        for value in sorted(self.by_value):
            windows = [(None, self.whole(value)), *enumerate(self.by_value[value])]
            yield from ((value, third, worth) for third, worth in windows if worth.points.count >= least)


def figures(worth: Worth, confidence: float) -> tuple[Figure, Figure]:
    """Points and part of the victory that a value brought, with their intervals."""
    return worth.points.figure(confidence), worth.won.figure(confidence)


def stands_out(moments: Moments, confidence: float, unseen: float = 0.0) -> bool:
    """Whether a mean is certain not to be 0, where single numbers may be so much greater than any that was seen.

    Student's t trusts that what was not seen does not matter. What happens in one trial of fifty, and then counts
    twenty times as much, often was not: so the interval is wider by what may have been missed, as in the inequality of
    A. Maurer and M. Pontil, "Empirical Bernstein bounds and sample variance penalization" (2009).
    """
    if moments.count < 2:
        return False
    figure = moments.figure(confidence)
    missed = unseen * math.log(2 / (1 - confidence)) / moments.count
    return figure.low - missed > 0 or figure.high + missed < 0
