"""Stretches of a text, of which it is asked often whether one of them meets another stretch.

taken = Stretches([(3, 7), (20, 25)])
taken.meet(6, 10), taken.meet(7, 20), taken.hold(21, 22)   # True, False, True
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate


class Stretches:
    """Pairs of a beginning and an end, in any order; they may overlap. A question takes the same time for many."""

    def __init__(self, pairs: Iterable[tuple[int, int]]) -> None:
        found = sorted(pairs)
        self._starts = [start for start, _ in found]
        self._furthest = list(accumulate((end for _, end in found), max))  #: where the first so many have ended

    def meet(self, start: int, end: int) -> bool:
        """Whether one of them begins before a stretch ends, and ends behind its beginning."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._furthest[before - 1] > start

    def hold(self, start: int, end: int) -> bool:
        """Whether one of them has all of a stretch in it."""
        before = bisect_right(self._starts, start)
        return before > 0 and self._furthest[before - 1] >= end
