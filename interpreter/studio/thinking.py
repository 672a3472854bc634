"""How long people think: the time in which a question is before the seat that decides, and somebody sits there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from interpreter.table.table import Table

#: Seconds are kept to this many places: what is smaller is the network's time and not a person's.
PLACES: Final = 1


def _now() -> float:
    return monotonic()


@dataclass(slots=True)
class Thinking:
    """The clock of one table. It stands while nobody sits at the seat, and begins anew with each thing that is done."""

    now: Callable[[], float] = _now
    _revision: int = -1
    _spent: float = 0.0
    _since: float | None = None

    def look(self, table: Table) -> None:
        """Takes note of how the table is now: after all that was done, and when somebody has come or gone."""
        now = self.now()
        if table.revision != self._revision:
            self._revision, self._spent, self._since = table.revision, 0.0, None
        seat = table.decider
        is_there = seat is not None and seat in table.seats.humans and seat not in table.away
        if is_there and self._since is None:
            self._since = now
        elif not is_there and self._since is not None:
            self._spent, self._since = self._spent + now - self._since, None

    @property
    def seconds(self) -> float:
        """So long the open question has been there."""
        running = 0.0 if self._since is None else self.now() - self._since
        return round(self._spent + running, PLACES)
