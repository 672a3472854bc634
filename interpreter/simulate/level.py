"""In which arms all seats are level: each wins as often as its part says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.simulate.numbers import CONFIDENCE

if TYPE_CHECKING:
    from interpreter.simulate.run import Results


@dataclass(frozen=True, slots=True)
class Levelness:
    """One arm: how far the seat that is farthest away is from its part, at the least and at the most, and as seen.

    All arms and seats together are as sure as one figure would be (Bonferroni). `may_be` says that no seat is certain
    to be away from its part.
    """

    arm: int
    seen: float
    least: float
    most: float

    @property
    def may_be(self) -> bool:
        return self.least <= 0


def level_seats(results: Results) -> list[Levelness]:
    """Of every arm in which games were over. Nothing where one plays alone, or all are one team."""
    found = []
    for arm, tally in enumerate(results.tallies):
        seats = results.plan.in_arm(arm).players
        even = tally.part
        if not tally.games or even is None:
            continue
        sure = 1 - (1 - CONFIDENCE) / (seats * len(results.tallies))
        rates = [side.win_rate(sure) for _, side in sorted(tally.by_seat.items())]
        found.append(
            Levelness(
                arm,
                max(abs(rate.value - even) for rate in rates),
                max(0.0, *(max(rate.low - even, even - rate.high) for rate in rates)),
                max(max(rate.high - even, even - rate.low) for rate in rates),
            )
        )
    return found
