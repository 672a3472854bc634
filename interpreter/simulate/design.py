"""Which levels of several factors are played together: all with all, or a Latin square of them.

A factor is something that a sweep varies: a declared figure, an option or the number of players, with its levels.
Latin squares: R. A. Fisher, "The Design of Experiments" (1935); several that are orthogonal, for a prime number of
levels: R. C. Bose, Sankhya 3 (1938).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import isqrt
from typing import Final

from interpreter.simulate.plan import SEATS, Arm, Level, Plan

GRID: Final = "grid"
LATIN: Final = "latin"
DESIGNS: Final = (GRID, LATIN)
#: What the variants of an arm are called where they are a factor beside others.
VARIANTS: Final = "variants"

Cell = tuple[tuple[str, Level], ...]


class NoDesign(Exception):
    """The levels cannot be put together so."""


@dataclass(frozen=True, slots=True)
class Factor:
    """What is varied, and the levels that it has, in the order in which they were named."""

    name: str
    levels: tuple[Level, ...]

    @property
    def is_numeric(self) -> bool:
        """Whether its levels have a distance from each other; those of a boolean are 0 and 1."""
        return all(isinstance(level, int) for level in self.levels)


def cells(factors: Sequence[Factor], design: str = GRID) -> list[Cell]:
    """The levels that are played together. Raises NoDesign where there is no such Latin square.

    >>> cells([Factor("a", (1, 2)), Factor("b", (5,))])
    [(('a', 1), ('b', 5)), (('a', 2), ('b', 5))]
    """
    chosen = list(product(*(range(len(f.levels)) for f in factors))) if design == GRID else _latin(factors)
    return [tuple((f.name, f.levels[at]) for f, at in zip(factors, each, strict=True)) for each in chosen]


def _latin(factors: Sequence[Factor]) -> list[tuple[int, ...]]:
    """Every level of a factor once with every level of each other one: n² cells."""
    sizes = {len(factor.levels) for factor in factors}
    size = max(sizes)
    if len(sizes) > 1:
        told = ", ".join(f"{factor.name} has {len(factor.levels)}" for factor in factors)
        raise NoDesign(f"a Latin square needs as many levels of each factor: {told}")
    if len(factors) < 3:
        raise NoDesign("a Latin square spares cells where three factors or more are swept; with fewer, leave it out")
    if len(factors) > 3 and not (_is_prime(size) and len(factors) <= size + 1):
        most = f"{size + 1} factors" if _is_prime(size) else "three factors"
        raise NoDesign(
            f"with {size} levels each a Latin square takes at most {most}; a prime number of levels takes one factor "
            "more than there are levels"
        )
    return [
        (row, column, *((row * times + column) % size for times in range(1, len(factors) - 1)))
        for row in range(size)
        for column in range(size)
    ]


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % part for part in range(2, isqrt(number) + 1))


def swept(arms: Sequence[Arm], factors: Sequence[Factor], design: str = GRID) -> tuple[Arm, ...]:
    """Every arm with the levels of every cell. An arm's own level of a factor gives way."""
    return tuple(
        Arm(arm.variants, levels=(*(own for own in arm.levels if own[0] not in dict(cell)), *cell))
        for arm in arms
        for cell in cells(factors, design)
    )


# ---- what a plan varies ----------------------------------------------------------------------------------------------


def levels_of(arm: Arm) -> dict[str, Level]:
    """All levels of an arm by name, its variants among them."""
    return {VARIANTS: ", ".join(arm.variants) or "none", **dict(arm.levels)}


def factors_of(plan: Plan) -> list[Factor]:
    """What a plan's sweep varies, and the variants where its arms have others; only factors with several levels."""
    found = []
    for name in (VARIANTS, *plan.swept):
        levels = tuple(dict.fromkeys(levels_of(arm).get(name, "") for arm in plan.arms))
        if len(levels) > 1:
            found.append(Factor(name, levels))
    return found


@dataclass(frozen=True, slots=True)
class Contrast:
    """A question to the arms: the sum of a figure over them by these weights, which themselves sum to 0.

    Of a factor with numbers it is the slope of the straight line that fits best: how much the figure grows for one
    step. Of another one it is the mean with `level` less the mean with the first level. With `seats` it is asked of the
    arms alone in which these play.
    """

    factor: Factor
    level: Level | None
    weights: tuple[float, ...]
    seats: str | None = None


def contrasts(plan: Plan) -> list[Contrast]:
    """What is asked of each factor of a plan; where who plays is swept too, of all others also for each of these."""
    factors = factors_of(plan)
    found = [each for factor in factors for each in _asked(plan, factor, range(len(plan.arms)), None)]
    seated = next((factor for factor in factors if factor.name == SEATS), None)
    for seats in seated.levels if seated is not None else ():
        arms = [at for at, arm in enumerate(plan.arms) if levels_of(arm).get(SEATS) == seats]
        for factor in factors:
            if factor is not seated:
                found += _asked(plan, factor, arms, str(seats))
    return found


def _asked(plan: Plan, factor: Factor, arms: Sequence[int], seats: str | None) -> list[Contrast]:
    """The contrasts of one factor over some arms."""
    played = {arm: levels_of(plan.arms[arm]).get(factor.name, "") for arm in arms}
    every = range(len(plan.arms))
    if factor.is_numeric:
        middle = sum(map(int, played.values())) / len(played)
        spread = sum((int(level) - middle) ** 2 for level in played.values())
        slope = tuple((int(played[arm]) - middle) / spread if arm in played else 0.0 for arm in every)
        return [Contrast(factor, None, slope, seats)]
    share = Counter(played.values())
    first = factor.levels[0]
    found = []
    for level in factor.levels[1:]:
        signs = {first: -1 / share[first], level: 1 / share[level]}
        weights = tuple(signs.get(played[arm], 0.0) if arm in played else 0.0 for arm in every)
        found.append(Contrast(factor, level, weights, seats))
    return found
