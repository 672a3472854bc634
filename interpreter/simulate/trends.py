"""What a sweep changes: for each of its contrasts, how far the figures of a game follow it.

Games of one number have the same seed in all arms. A contrast is worked out in each such row of games, so that what the
seed alone brings falls out, and its mean over the rows is what is told (the paired comparison of `compare`, for more
than two arms).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.simulate.compare import Name, catch_up, figures_of
from interpreter.simulate.design import Contrast, contrasts
from interpreter.simulate.numbers import CONFIDENCE, Figure, Moments, stand_out
from interpreter.simulate.plan import PLAYERS, Plan
from interpreter.simulate.records import Record

#: What says nothing where other numbers play, as each seat has another part then, and where some arms lack the seat.
_BY_SEAT = ("seat wins", "seat points")


#: A sum that is so much smaller than its parts is what rounding leaves of none.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Trend:
    """How a figure follows a factor: the change for one step, or of one level beside the first one."""

    contrast: Contrast
    group: str
    name: str
    change: Figure
    chance: float
    stands_out: bool


class Trends:
    """Takes the records of all arms of a plan, in any order."""

    def __init__(self, plan: Plan):
        self._contrasts = contrasts(plan)
        self._arms = len(plan.arms)
        self._open: dict[int, dict[int, Record]] = defaultdict(dict)
        self._kept: list[dict[Name, Moments]] = [defaultdict(Moments) for _ in self._contrasts]
        self.games = 0

    def add(self, record: Record) -> None:
        """One record; it counts when those of all arms are there, and all of these games are over."""
        if not self._contrasts:
            return
        row = self._open[record["game"]]
        row[record["arm"]] = record
        if len(row) == self._arms:
            del self._open[record["game"]]
            if not any("unfinished" in each for each in row.values()):
                self._row(row)

    def _row(self, row: dict[int, Record]) -> None:
        figures = {arm: dict(figures_of(record)) for arm, record in row.items()}
        first, often = figures[0], Counter(name for found in figures.values() for name in found)
        for contrast, kept in zip(self._contrasts, self._kept, strict=True):
            for name, arms in often.items():
                if name[0] in _BY_SEAT and (contrast.factor.name == PLAYERS or arms < self._arms):
                    continue
                moments = kept[name]
                catch_up(moments, self.games)
                base = first.get(name, 0.0)  # weights sum to 0, so that this changes nothing but rounding
                parts = [w * (figures[arm].get(name, 0.0) - base) for arm, w in enumerate(contrast.weights) if w]
                value = sum(parts)
                moments.add(value if abs(value) > _ROUNDING * sum(map(abs, parts)) else 0.0)
        self.games += 1

    def found(self, confidence: float = CONFIDENCE) -> list[Trend]:
        """All trends, those marked that stand out after correction for how many are looked at (Holm)."""
        listed = [
            (contrast, name, moments)
            for contrast, kept in zip(self._contrasts, self._kept, strict=True)
            for name, moments in sorted(kept.items())
        ]
        for _, _, moments in listed:
            catch_up(moments, self.games)
        chances = [moments.chance() for _, _, moments in listed]
        marks = stand_out(chances, confidence)
        return [
            Trend(contrast, *name, moments.figure(confidence), chance, mark)
            for (contrast, name, moments), chance, mark in zip(listed, chances, marks, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Finding:
    """A trend that stands out, and what it is for each kind of seats that was played.

    `verdict` is `holds` where it stands out for all, with one sign; `vanishes` where it does not for the last ones,
    `appears` where it does not for the first ones; `turns` where it stands out with both signs; else `varies`.
    """

    trend: Trend
    by_seats: tuple[Trend, ...]
    verdict: str


def findings_by_seats(found: Sequence[Trend]) -> list[Finding]:
    """The findings of a sweep in which who plays was swept too, strongest first, out of all of its trends."""
    seated: dict[tuple[object, ...], list[Trend]] = defaultdict(list)
    for trend in found:
        if trend.contrast.seats is not None:
            seated[_about(trend)].append(trend)
    whole = [trend for trend in found if trend.contrast.seats is None and seated.get(_about(trend))]
    return [
        Finding(trend, tuple(parts), _verdict(parts))
        for trend in sorted(whole, key=lambda each: each.chance)
        for parts in (seated[_about(trend)],)
        if trend.stands_out or any(part.stands_out for part in parts)
    ]


def alike(found: Sequence[Trend]) -> list[tuple[Trend, tuple[str, ...]]]:
    """Trends without those that say the same of another name, such as decisions and turns, with these names."""
    kept: dict[tuple[object, ...], tuple[Trend, list[str]]] = {}
    for trend in found:
        key = (trend.contrast, round(trend.change.value, 9), round(trend.change.low, 9), trend.chance)
        first, names = kept.setdefault(key, (trend, []))
        if first is not trend:
            names.append(f"{trend.group}: {trend.name}")
    return [(trend, tuple(names)) for trend, names in kept.values()]


def _about(trend: Trend) -> tuple[object, ...]:
    return trend.contrast.factor, trend.contrast.level, trend.group, trend.name


def _verdict(parts: Sequence[Trend]) -> str:
    signs = [(each.change.value > 0) - (each.change.value < 0) if each.stands_out else 0 for each in parts]
    if {1, -1} <= set(signs):
        return "turns"
    if all(signs):
        return "holds"
    there = [at for at, sign in enumerate(signs) if sign]
    if not there or there != list(range(there[0], there[-1] + 1)):
        return "varies"
    return "vanishes" if there[0] == 0 else "appears" if there[-1] == len(signs) - 1 else "varies"
