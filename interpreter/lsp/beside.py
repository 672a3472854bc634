"""What takes as long as a check of a game, and is answered beside the editor: one thing at a time of each game.

beside = Beside()
found = await beside.ask(snapshot, lambda space: places_of(space, name, offset))
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from rulespec.diagnostics.model import Problem
from rulespec.service.problems import Snapshot
from rulespec.service.stopping import Stopped, stopping
from rulespec.service.workspace import Readings, Workspace

T = TypeVar("T")


class Beside:
    """Answers by the texts of a moment. What was found out of a game is kept until its texts are others.

    `readings` is what the editor's own workspace knows of texts.
    """

    def __init__(self, readings: Readings | None = None) -> None:
        self._readings = readings
        self._workers: dict[str, _Worker] = {}
        self.is_over = False

    async def ask(self, snapshot: Snapshot, ask: Callable[[Workspace], T]) -> T:
        """What is answered of a game. Where whoever asked takes that back, it is stopped.

        Raises Stopped at the end, and where the game is `changed` meanwhile.
        """
        if self.is_over:
            raise Stopped
        worker = self._workers.get(snapshot.home)
        if worker is None:
            worker = self._workers[snapshot.home] = _Worker(snapshot, self._readings)
        return await worker.ask(snapshot, ask)

    def changed(self, snapshot: Snapshot) -> None:
        """A game has these texts now: what is being found out by others is stopped."""
        worker = self._workers.get(snapshot.home)
        if worker is not None:
            worker.changed(snapshot)

    def end(self) -> None:
        """Answers nothing more, and stops what is being found out."""
        self.is_over = True
        for worker in self._workers.values():
            worker.end()


class _Worker:
    """One thread for one game, with a workspace that only this thread reads and changes."""

    def __init__(self, snapshot: Snapshot, readings: Readings | None) -> None:
        self._thread = ThreadPoolExecutor(1, "rulespec names")
        self._asked: list[tuple[Snapshot, Event]] = []
        self._space = Workspace(snapshot.engine, readings)
        self._space.hold(snapshot.home)

    async def ask(self, snapshot: Snapshot, ask: Callable[[Workspace], T]) -> T:
        asked = snapshot, Event()

        def work() -> T:
            with stopping(asked[1].is_set):
                _become(self._space, snapshot)
                return ask(self._space)

        self._asked.append(asked)
        try:  # one that is taken back before its turn comes is not begun
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except asyncio.CancelledError:
            asked[1].set()
            raise
        finally:
            self._asked.remove(asked)

    def changed(self, now: Snapshot) -> None:
        for snapshot, is_over in self._asked:
            if snapshot != now:
                is_over.set()

    def end(self) -> None:
        for _, is_over in self._asked:
            is_over.set()
        self._thread.shutdown(wait=False, cancel_futures=True)


def _become(space: Workspace, snapshot: Snapshot) -> None:
    """Gives a workspace the texts of a moment. Those that are the same are not touched: what is known of them stays."""
    texts = dict(snapshot.texts)
    lost: dict[str, list[Problem]] = {}
    for problem in snapshot.lost:
        lost.setdefault(problem.span.file.name, []).append(problem)
    before = {problem.span.file.name for problem in space.lost_of(snapshot.home)}
    for name in (*space.names, *sorted(before)):
        if name not in texts:
            space.drop(name)
    for name, text in texts.items():
        space.put(name, text)
    for name, problems in lost.items():
        space.lose(name, tuple(problems))
