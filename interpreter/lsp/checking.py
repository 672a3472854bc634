"""Checks games beside the editor: a moment after the last edit, in a thread of its own, and only what is still so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from rulespec.diagnostics.model import Problem
from rulespec.kept.memo import Memo
from rulespec.service.problems import Snapshot, Trees, problems_of

#: Seconds without an edit before a game is checked.
QUIET = 0.15

#: Given a snapshot and its problems.
Tell = Callable[[Snapshot, tuple[Problem, ...]], None]


class Checker:
    """A thread that checks the newest snapshot of each game that was asked for."""

    def __init__(self, tell: Tell, fault: Callable[[Exception], None]) -> None:
        self._tell, self._fault = tell, fault
        self._waiting: dict[str, tuple[Snapshot, float]] = {}
        self._kept: dict[str, tuple[Memo, Trees]] = {}
        self._woken = threading.Condition()
        self._is_over = False
        self._thread: threading.Thread | None = None

    def ask(self, snapshot: Snapshot) -> None:
        """Has a game checked soon, and not what was asked of it before."""
        with self._woken:
            self._waiting[snapshot.home] = snapshot, time.monotonic() + QUIET
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="rulespec check", daemon=True)
                self._thread.start()
            self._woken.notify()

    def end(self) -> None:
        """Checks nothing more."""
        with self._woken:
            self._is_over = True
            self._woken.notify()

    def _work(self) -> None:
        while (snapshot := self._next()) is not None:
            memo, trees = self._kept.setdefault(snapshot.home, (Memo(), Trees()))
            try:
                found = problems_of(snapshot, memo, trees)
            except Exception as fault:
                self._fault(fault)
                continue
            with self._woken:
                is_old = snapshot.home in self._waiting
            if not is_old:
                self._tell(snapshot, found)

    def _next(self) -> Snapshot | None:
        """The next snapshot whose time has come; None at the end."""
        with self._woken:
            while not self._is_over:
                due = min(self._waiting.values(), key=lambda pair: pair[1], default=None)
                if due is None:
                    self._woken.wait()
                elif (left := due[1] - time.monotonic()) > 0:
                    self._woken.wait(left)
                else:
                    return self._waiting.pop(due[0].home)[0]
        return None
