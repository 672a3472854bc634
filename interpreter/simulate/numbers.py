"""Figures with their uncertainty: intervals of shares, means and correlations, and what stands out among many.

Shares: E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927). Student's t:
Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.7.5 and 26.7.8. Correlations: R. A. Fisher's z.
Many comparisons: S. Holm, "A simple sequentially rejective multiple test procedure" (1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its interval and the number of games or other trials behind it."""

    value: float
    low: float
    high: float
    trials: int

    @property
    def interval(self) -> list[float]:
        return [self.low, self.high]


#: No more decimals are shown: what is smaller tells nobody anything.
MOST_DECIMALS = 6


def decimals(figure: Figure, scale: float = 1) -> int:
    """How many decimals tell: half of the interval is three of the last one; without an interval two digits count.

    >>> decimals(Figure(0.0093, 0.0062, 0.0124, 500)), decimals(Figure(40, 20, 60, 9)), decimals(Figure(0, 0, 0, 9))
    (3, 0, 0)
    """
    size = scale * ((figure.high - figure.low) / 2 or abs(figure.value) / 10)
    if not math.isfinite(size) or size <= 0:
        return 0
    return min(MOST_DECIMALS, max(0, math.ceil(math.log10(3 / size))))


@dataclass(slots=True)
class Moments:
    """Mean and variance of numbers that are seen one after the other (B. P. Welford, 1962)."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """One more number."""
        self.count += 1
        away = value - self.mean
        self.mean += away / self.count
        self.squares += away * (value - self.mean)

    def merge(self, other: Moments) -> None:
        """As if the other's numbers had been added here too (T. F. Chan, G. H. Golub, R. J. LeVeque, 1979)."""
        both = self.count + other.count
        if not both:
            return
        away = other.mean - self.mean
        self.squares += other.squares + away * away * self.count * other.count / both
        self.mean += away * other.count / both
        self.count = both

    @property
    def variance(self) -> float:
        return self.squares / (self.count - 1) if self.count > 1 else 0.0

    @property
    def error(self) -> float:
        return math.sqrt(self.variance / self.count) if self.count else 0.0

    def figure(self, confidence: float = CONFIDENCE) -> Figure:
        """The mean with its interval; without any width where it cannot be known."""
        away = self.error * t_quantile((1 + confidence) / 2, self.count - 1) if self.count > 1 else 0.0
        return Figure(self.mean, self.mean - away, self.mean + away, self.count)

    def chance(self) -> float:
        """How probable a mean as far from 0 is, if the true one were 0 (both sides)."""
        if self.count < 2 or not self.mean:
            return 1.0
        if not self.error:  # all alike: as improbable as that so many have one sign, which needs no variance
            return 2.0 ** (1 - self.count)
        t, free = abs(self.mean) / self.error, self.count - 1
        z = t * (1 - 1 / (4 * free)) / math.sqrt(1 + t * t / (2 * free))
        return 2 * _NORMAL.cdf(-z)


def normal_quantile(confidence: float) -> float:
    """How many standard deviations on both sides hold this part of a normal distribution.

    >>> round(normal_quantile(0.95), 2)
    1.96
    """
    return _NORMAL.inv_cdf((1 + confidence) / 2)


def t_quantile(part: float, free: int) -> float:
    """Student's t, below which this part lies, with so many degrees of freedom.

    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    if free <= 1:
        return math.tan(math.pi * (part - 0.5))
    if free == 2:
        both = 2 * part - 1
        return both * math.sqrt(2 / (1 - both * both))
    z = _NORMAL.inv_cdf(part)
    return (
        z
        + (z**3 + z) / (4 * free)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * free**4)
    )


def share(hits: float, trials: int, confidence: float = CONFIDENCE) -> Figure:
    """A part of trials, with Wilson's interval. Shared victories are parts of hits, which makes it a little too wide.

    >>> share(0, 10).low, round(share(0, 10).high, 3)
    (0.0, 0.278)
    """
    if not trials:
        return Figure(0.0, 0.0, 1.0, 0)
    z = normal_quantile(confidence)
    part, wide = hits / trials, z * z / trials
    middle = (part + wide / 2) / (1 + wide)
    away = z / (1 + wide) * math.sqrt(max(part * (1 - part), 0.0) / trials + wide / (4 * trials))
    low, high = max(0.0, middle - away), min(1.0, middle + away)
    return Figure(part, 0.0 if hits <= 0 else low, 1.0 if hits >= trials else high, trials)


def correlation(
    moments: Sequence[float], trials: int, confidence: float = CONFIDENCE, independent: int | None = None
) -> Figure | None:
    """Pearson's r out of the sums of x, y, xx, yy and xy; None where x or y never changes.

    `independent` is how many of the trials hang on no other, for which the interval is made: by default all of them.
    """
    independent = trials if independent is None else independent
    x, y, xx, yy, xy = moments
    if min(trials, independent) < 4:
        return None
    spread = (xx - x * x / trials) * (yy - y * y / trials)
    if spread <= 1e-12:
        return None
    r = max(-1.0, min(1.0, (xy - x * y / trials) / math.sqrt(spread)))
    if abs(r) > 1 - 1e-12:
        return Figure(r, r, r, trials)
    away = normal_quantile(confidence) / math.sqrt(independent - 3)
    return Figure(r, math.tanh(math.atanh(r) - away), math.tanh(math.atanh(r) + away), trials)


def stand_out(chances: Sequence[float], confidence: float = CONFIDENCE) -> list[bool]:
    """Which of many findings are none of chance's: with this confidence not even one of those marked is.

    >>> stand_out([0.001, 0.04, 0.03])
    [True, False, False]
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    found = [False] * len(chances)
    for rank, at in enumerate(order):
        if chances[at] > (1 - confidence) / (len(chances) - rank):
            break
        found[at] = True
    return found


def quantiles(histogram: dict[int, int], parts: Sequence[float]) -> list[int]:
    """The values below which these parts of what was counted lie.

    >>> quantiles({1: 1, 2: 2, 9: 1}, [0.25, 0.5, 1])
    [1, 2, 9]
    """
    total, found, ordered = sum(histogram.values()), [], sorted(histogram)
    for part in parts:
        seen = 0
        for value in ordered:
            seen += histogram[value]
            if seen >= part * total:
                found.append(value)
                break
    return found
