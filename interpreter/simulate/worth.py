"""Counting what trials say: what each value was worth to those who could choose it, and what never matters.

See `interpreter.simulate.trials` for what a trial is.
"""

from __future__ import annotations

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

    `shown` is the game, and after how many decisions, in which it made the greatest difference; of equals the first.
    """

    points: Moments = field(default_factory=Moments)
    won: Moments = field(default_factory=Moments)
    taken: int = 0
    greatest: int = -1
    shown: tuple[int, int] = (0, 0)

    def add(self, game: int, n: int, points: int, won: float, taken: int) -> None:
        """One trial."""
        self.points.add(points)
        self.won.add(won)
        self.taken += taken
        self._show(abs(points), (game, n))

    def merge(self, other: Worth) -> None:
        """As if the other's trials had been added here too."""
        self.points.merge(other.points)
        self.won.merge(other.won)
        self.taken += other.taken
        self._show(other.greatest, other.shown)

    def _show(self, amount: int, shown: tuple[int, int]) -> None:
        if (amount, *(-each for each in shown)) > (self.greatest, *(-each for each in self.shown)):
            self.greatest, self.shown = amount, shown


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
        self.own.merge(other.own)
        self.others.merge(other.others)

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
