"""What happens on the way to the next decision, as tuples: what logs, traces and explanations are made of."""

from __future__ import annotations

from typing import Any

from interpreter.middle.faults import Overwork
from interpreter.middle.pieces import Cells, copy_cells

#: How many events of one decision keep the cells of their own moment.
MOST_MOMENTS = 2_000
#: How many events of one decision are kept.
MOST_EVENTS = 100_000


class Events(list[Any]):
    """What happens on the way to the next decision, as tuples, where it is kept; no more than `MOST_EVENTS`."""

    __slots__ = ("kept", "last")

    def __init__(self) -> None:
        super().__init__()
        self.kept = 0
        self.last: Cells = []

    def append(self, event: Any) -> None:
        """One more. Raises Overwork where there are too many to be kept: that is no game that people watch."""
        if len(self) >= MOST_EVENTS:
            raise Overwork(event[1])
        super().append(event)

    def moment(self, c: Cells) -> Cells:
        """The cells at an event. Past some thousands of them in one decision those of the last one serve on: no game
        that people play has as many, and the memory stays bounded.
        """
        if self.kept < MOST_MOMENTS:
            self.kept += 1
            self.last = copy_cells(c)
        return self.last
