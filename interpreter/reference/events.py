"""What happens on the way to the next decision, as tuples: what logs and explanations are made of."""

from __future__ import annotations

from typing import Any, Protocol

from interpreter.reference.faults import Fault
from interpreter.reference.position import Position

#: how many events of one decision keep the position of their own moment
MOST_MOMENTS = 2_000
#: how many events of one decision are kept
MOST_EVENTS = 100_000
#: how many pieces, and other parts, the events of one decision speak of together: some 30 MB
MOST_PARTS = 500_000


class Watch(Protocol):
    """Whoever looks on while instructions are run in play."""

    def comes_to(self, p: Position, at: int, told: int, /) -> None:
        """Before an instruction; so many events were told until then."""

    def taken_back(self, told: int, /) -> None:
        """Steps that failed are taken back, to so many events."""


class Events(list[tuple[Any, ...]]):
    """Each event: a word, its instruction, who acts, and what it speaks of.

    | word | speaks of |
    | --- | --- |
    | `action`, `effect`, `late` | the name, arguments with their names, the moment |
    | `event` | the name, arguments, the moment |
    | `gain`, `pay` | the region, how much |
    | `score` | (acts: who scores) points, the reason |
    | `set` | the region, the cell, its value before and after |
    | `move` | pieces, where they go (a place), the moment before |
    | `flip` | pieces, the face, the moment before |
    | `draw` | how many, the zone, codes, where they go, whether it is the set-up |
    | `look` | pieces, the players who see them as bits, the moment before |
    | `shuffle` | nothing |
    | `condition` | with `conditions`, of one that holds: the values that decide it; of a payment means and price |
    | `horizon` | with `conditions`: nothing, not even who acts |

    A moment is the position as it was then. Past some thousands in one decision the last one serves on.
    """

    def __init__(self, *, conditions: bool = False, watch: Watch | None = None) -> None:
        super().__init__()
        self.conditions, self.watch = conditions, watch
        self._moments = 0
        self._last: Position | None = None
        self._parts = 0

    def append(self, event: tuple[Any, ...]) -> None:
        """One more. Raises Fault where there are too many to be kept (RS803): that is no game that people watch."""
        self._parts += sum(len(part) for part in event if type(part) is tuple)
        if len(self) >= MOST_EVENTS or self._parts > MOST_PARTS:
            raise Fault("RS803")
        super().append(event)

    def moment(self, p: Position) -> Position:
        """The position at an event."""
        if self._last is None or self._moments < MOST_MOMENTS:
            self._moments += 1
            self._last = p.copy()
        return self._last
