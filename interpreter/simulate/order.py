"""Handing out tasks, and putting the lines that come back in order: by numbers, whoever played and whenever it came.

Only a window of tasks is open at a time, so that what waits for a slow game stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from interpreter.simulate.plan import Plan
from interpreter.simulate.records import Count, head, to_line

#: Tasks between the first one that is not done and the last one that is handed out.
WINDOW: Final = 4_096
COUNTED_WINDOW: Final = 1 << 20  #: where nothing but counts waits
#: How often a game may break the process that plays it.
TRIES: Final = 3

Bounds = tuple[int, int]
Counts = Sequence[Count]


class Order:
    """The tasks of a plan that are not done yet."""

    def __init__(
        self,
        plan: Plan,
        done: Iterable[int],
        keep: Callable[[str], None],
        counts: Callable[[Counts], None] | None = None,
    ):
        """`counts` takes what came of many games together; None where each is kept."""
        self._plan = plan
        self.counts = counts
        self._window = WINDOW if counts is None else COUNTED_WINDOW
        self.tasks = plan.tasks
        self._keep = keep
        self._done = bytearray(plan.tasks)
        for task in done:
            self._done[task] = 1
        self._kept = bytearray(self._done)
        self.finished = sum(self._done)
        self._next = 0  # the first task that is not handed out
        self._first = 0  # the first task that is not kept
        self._on()
        self._waiting: dict[int, str | tuple[int, Counts]] = {}
        self._again: list[Bounds] = []
        self._tries: dict[int, int] = {}

    @property
    def is_done(self) -> bool:
        return self._first >= self.tasks

    def stop(self, tasks: int) -> None:
        """No more than the first tasks are wanted; these have come. What comes of the others is left."""
        self.tasks = min(self.tasks, tasks)

    def hand_out(self, most: int) -> Bounds | None:
        """Tasks that stand side by side, at most so many; None where there are none just now."""
        if self._again:
            first, behind = self._again.pop()
            if self._tries.get(first, 0) == TRIES - 1:  # it may be one of those that were played together with it
                most = 1
            if behind - first > most:
                self._again.append((first + most, behind))
            return first, min(behind, first + most)
        first = self._skip(self._next)
        limit = min(self.tasks, self._first + self._window)
        behind = first
        while behind < min(limit, first + most) and not self._done[behind]:
            behind += 1
        if behind == first:
            return None
        self._next = behind
        return first, behind

    def come(self, task: int, line: str) -> None:
        """Keeps the line of a task, in its turn. One that has come already is left."""
        if self._done[task] or task >= self.tasks:
            return
        self._done[task] = 1
        self.finished += 1
        self._waiting[task] = line
        self._go_on()

    def come_counted(self, first: int, behind: int, counts: Counts) -> None:
        """Counts what came of tasks side by side, in their turn. Those that have come already are left."""
        if self._done.find(1, first, behind) >= 0:
            return
        self._done[first:behind] = b"\1" * (behind - first)
        self.finished += behind - first
        self._waiting[first] = behind, counts
        self._go_on()

    def _go_on(self) -> None:
        """Keeps what has come, as far as nothing before it is missing."""
        while self._first < self.tasks and (found := self._waiting.pop(self._first, None)) is not None:
            behind = self._first + 1 if isinstance(found, str) else found[0]
            self._kept[self._first : behind] = b"\1" * (behind - self._first)
            self._on()
            self._take(found)

    def _take(self, found: str | tuple[int, Counts]) -> None:
        if isinstance(found, str):
            self._keep(found)
        elif self.counts is not None:
            self.counts(found[1])

    def lost(self, first: int, behind: int) -> None:
        """A process is gone that was playing these tasks, the first one not done when it went."""
        at = self._skip(first)
        if at >= behind:
            return
        self._tries[at] = self._tries.get(at, 0) + 1
        if self._tries[at] >= TRIES:
            self.give_up(at)
            at += 1
        if at < behind:
            self._again.append((at, behind))

    def give_up(self, task: int) -> None:
        """Keeps a record of a game that breaks whoever plays it."""
        arm, game = self._plan.task(task)
        found = head(task, arm, game, self._plan.seed_of(game))
        self.come(task, to_line({**found, "unfinished": "the process that played it broke each time"}))

    def flush(self) -> None:
        """Keeps what waits for games that will not be played now."""
        for task in sorted(self._waiting):
            if task < self.tasks:
                self._take(self._waiting.pop(task))

    def _on(self) -> None:
        """Goes on to the first task that is not kept."""
        found = self._kept.find(0, self._first)
        self._first = found if found >= 0 else self._plan.tasks

    def _skip(self, task: int) -> int:
        """The first task from this one on that is not done."""
        found = self._done.find(0, task)
        return found if found >= 0 else self._plan.tasks
