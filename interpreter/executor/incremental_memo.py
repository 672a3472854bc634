"""Keeps the values of functions that follow a way through the zones, each until one of the cells that it read changes.

A line over a board is long, and a move changes a few cells: most lines are as they were. Which cells a value was made
of is noted when it is found; when a function is asked again, what differs from the cells that were seen last tells
which values hold no more. That says nothing of which state is asked, so that one memory serves all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.middle.layout import PIECES

Cells = list[Any]


class Noting:
    """The cells of the zones, read by somebody who notes which."""

    __slots__ = ("cells", "read")

    def __init__(self, cells: bytearray):
        self.cells = cells
        self.read: set[int] = set()

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            self.read.update(range(*at.indices(len(self.cells))))
        else:
            self.read.add(at)
        return self.cells[at]


class Kept:
    """The values of one function by the number of its arguments; `plain` finds one, from the cells `base` to `end`."""

    __slots__ = ("_readers", "base", "now", "plain", "values")

    def __init__(self, plain: Callable[..., Any], base: int, end: int, size: int):
        self.plain = plain
        self.base = base
        self.now: bytearray = bytearray(end - base)
        self.values: list[Any] = [None] * size
        #: for each cell: the values that it was read for, one bit for each
        self._readers = [0] * (end - base)

    def refresh(self, now: bytearray) -> None:
        """Forgets the values that were made of cells that are no longer as they were."""
        differs = int.from_bytes(now, "little") ^ int.from_bytes(self.now, "little")
        stale = 0
        while differs:
            at = ((differs & -differs).bit_length() - 1) >> 3
            stale |= self._readers[at]
            self._readers[at] = 0
            differs = differs >> 8 * (at + 1) << 8 * (at + 1)
        while stale:
            bit = stale & -stale
            self.values[bit.bit_length() - 1] = None
            stale ^= bit
        self.now = now

    def find(self, c: Cells, number: int, *args: int) -> Any:
        """Makes the value for the arguments, and keeps it."""
        noting = Noting(c[PIECES])
        seen = c.copy()
        seen[PIECES] = noting
        value = self.values[number] = self.plain(seen, *args)
        bit = 1 << number
        for cell in noting.read:
            self._readers[cell - self.base] |= bit
        return value
