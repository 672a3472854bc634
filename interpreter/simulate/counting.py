"""Counting games of which nothing else is kept: many of one record at a time, in the order of their tasks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from interpreter.simulate.plan import Plan
from interpreter.simulate.records import Count, from_line
from interpreter.simulate.tally import Tally

#: Records that wait to be counted together, at most.
MOST_WAITING: Final = 4_096


class Counting:
    """The counts of a plan with one arm."""

    def __init__(self, plan: Plan):
        self._tally = Tally(plan.players)
        self._waiting: dict[str, tuple[int, int]] = {}

    def line(self, line: str) -> None:
        """The record of one game."""
        self._count()  # reasons stand in the order in which they came up
        record = from_line(line)
        if record is not None:
            self._tally.add(record)

    def counts(self, counts: Sequence[Count]) -> None:
        """What came of many games, those of lower numbers first."""
        waiting = self._waiting
        for first, games, told in counts:
            before = waiting.get(told)
            waiting[told] = (first, games) if before is None else (before[0], before[1] + games)
        if len(waiting) > MOST_WAITING:
            self._count()

    def whole(self) -> Tally:
        """All that was counted."""
        self._count()
        return self._tally

    def _count(self) -> None:
        for told, (first, games) in self._waiting.items():
            self._tally.add_often({"game": first, **json.loads(told)}, games)
        self._waiting.clear()
