"""An arm beside the first one: differences in games of the same seeds, and which of them stand out.

Games of one number have the same seed and the same players on the same seats in both arms. What is compared is the
difference in each such pair, so that what the seed alone brings falls out; the many differences are corrected for being
many (see `numbers`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.simulate.numbers import Figure, Moments, stand_out
from interpreter.simulate.records import Record
from interpreter.simulate.tally import shares_of, sides_of

Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure in both arms: what it is about, both means, and the second less the first."""

    group: str
    name: str
    before: float
    after: float
    change: Figure
    chance: float
    stands_out: bool


class Pairs:
    """Takes records of two arms, the first one and `arm`, in any order, and keeps what their pairs differ by."""

    def __init__(self, arm: int = 1) -> None:
        self.arm = arm
        self._single: dict[int, Record] = {}
        self._changes: dict[Name, Moments] = defaultdict(Moments)
        self._before: dict[Name, float] = defaultdict(float)
        self._after: dict[Name, float] = defaultdict(float)
        self.games = 0

    def add(self, record: Record) -> None:
        """One record; it counts when the other one of its pair is there too, and both are finished.

        Records of other arms are none of its concern.
        """
        if record["arm"] not in (0, self.arm):
            return
        other = self._single.pop(record["game"], None)
        if other is None:
            self._single[record["game"]] = record
            return
        pair = sorted((record, other), key=lambda each: each["arm"])
        if not any("unfinished" in each for each in pair):
            self._pair(*(dict(figures_of(each)) for each in pair))

    def _pair(self, first: dict[Name, float], second: dict[Name, float]) -> None:
        for name in first.keys() | second.keys():
            before, after = first.get(name, 0.0), second.get(name, 0.0)
            moments = self._changes[name]
            catch_up(moments, self.games)
            moments.add(after - before)
            self._before[name] += before
            self._after[name] += after
        self.games += 1

    def differences(self, confidence: float = 0.95, comparisons: int = 1) -> list[Difference]:
        """All figures, those that stand out marked; what does so allows for as many `comparisons` as are made."""
        for moments in self._changes.values():
            catch_up(moments, self.games)
        names = sorted(self._changes)
        chances = [self._changes[name].chance() for name in names]
        marked = stand_out(chances, 1 - (1 - confidence) / comparisons)
        games = max(self.games, 1)
        return [
            Difference(
                *name,
                self._before[name] / games,
                self._after[name] / games,
                self._changes[name].figure(confidence),
                chance,
                mark,
            )
            for name, chance, mark in zip(names, chances, marked, strict=True)
        ]


def catch_up(moments: Moments, games: int) -> None:
    """Counts the games in which a figure did not come up: in these it is, or differs by, 0."""
    missing = games - moments.count
    if missing > 0:
        moments.squares += moments.mean**2 * moments.count * missing / games
        moments.mean *= moments.count / games
        moments.count = games


def figures_of(record: Record) -> Iterator[tuple[Name, float]]:
    """What is compared of a game."""
    scores, won = record["scores"], shares_of(record)
    seats = len(scores)
    yield ("game", "decisions"), record["decisions"]
    yield ("game", "turns"), record["turns"]
    yield ("game", "winner's points"), max(scores)
    yield ("game", "points of a seat"), sum(scores) / seats
    yield ("game", "from first to last"), max(scores) - min(scores)
    yield ("game", "shared victory"), float(sides_of(record) > 1)
    for seat in range(seats):
        yield ("seat wins", f"seat {seat + 1}"), won[seat]
        yield ("seat points", f"seat {seat + 1}"), scores[seat]
    for reason, amounts in record["points"].items():
        yield ("points", reason), sum(amounts) / seats
    for action, times in record["actions"].items():
        yield ("actions", action), sum(times)


def differences_json(differences: list[Difference], games: int) -> dict[str, Any]:
    """The comparison as data."""
    return {
        "pairs": games,
        "differences": [
            {
                "group": each.group,
                "name": each.name,
                "before": round(each.before, 6),
                "after": round(each.after, 6),
                "change": round(each.change.value, 6),
                "ci95": [round(each.change.low, 6), round(each.change.high, 6)],
                "p": float(f"{each.chance:.3g}"),
                "stands_out": each.stands_out,
            }
            for each in differences
        ],
    }
