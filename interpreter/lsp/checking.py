"""Checks beside the editor: a moment after the last edit, in a thread, and told only where it is still so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from rulespec.diagnostics.model import Problem
from rulespec.kept.stages import stages_of
from rulespec.service.problems import Snapshot, Trees, problems_of
from rulespec.service.stopping import StoppableMemo, Stopped
from rulespec.source import store
from rulespec.source.kept_trees import KeptTrees

#: Seconds without an edit before a game is checked.
QUIET = 0.15

T = TypeVar("T")


class Checker(Generic[T]):
    """A thread that looks at the newest of what was asked for under each key, `quiet` seconds after it was asked.

    `check` finds what is wrong, `tell` is given both, and `fault` what either of them raised.
    """

    def __init__(
        self,
        check: Callable[[T], tuple[Problem, ...]],
        tell: Callable[[T, tuple[Problem, ...]], None],
        fault: Callable[[Exception], None],
        quiet: float = QUIET,
    ) -> None:
        self._check, self._tell, self._fault, self._quiet = check, tell, fault, quiet
        self._waiting: dict[str, tuple[T, float]] = {}
        self._woken = threading.Condition()
        self._is_over = False
        self._thread: threading.Thread | None = None

    def ask(self, key: str, asked: T) -> None:
        """Has something checked soon, and not what was asked under this key before."""
        with self._woken:
            self._waiting[key] = asked, time.monotonic() + self._quiet
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="rulespec check", daemon=True)
                self._thread.start()
            self._woken.notify()

    def waits_for(self, key: str) -> bool:
        """Whether something newer is asked for under a key, or the end."""
        return self._is_over or key in self._waiting

    def end(self) -> None:
        """Checks nothing more."""
        with self._woken:
            self._is_over = True
            self._woken.notify()

    def _work(self) -> None:
        while (due := self._next()) is not None:
            key, asked = due
            try:  # whatever happens to one check, or while it is told: the next one is made
                found = self._check(asked)
                with self._woken:
                    is_old = self._is_over or key in self._waiting
                if not is_old:
                    self._tell(asked, found)
            except Stopped:
                continue
            except Exception as fault:
                self._fault(fault)

    def _next(self) -> tuple[str, T] | None:
        """The next one whose time has come, with its key; None at the end."""
        with self._woken:
            while not self._is_over:
                key = min(self._waiting, key=lambda each: self._waiting[each][1], default=None)
                if key is None:
                    self._woken.wait()
                elif (left := self._waiting[key][1] - time.monotonic()) > 0:
                    self._woken.wait(left)
                else:
                    return key, self._waiting.pop(key)[0]
        return None


class Games:
    """Finds the problems of games; what was found of one is kept for its next check, and on disk for the next process.

    `is_old` says of a game's folder whether a newer check of it waits: then the one that runs is stopped.
    """

    def __init__(self, is_old: Callable[[str], bool] = lambda home: False) -> None:
        self._kept: dict[str, tuple[StoppableMemo, Trees]] = {}
        self._first: dict[str, KeptTrees] = {}
        self.is_old = is_old

    def problems(self, snapshot: Snapshot) -> tuple[Problem, ...]:
        """All problems of a game. Raises Stopped."""
        home = snapshot.home
        if home not in self._kept:
            self._kept[home] = self._begun(Path(home))
        memo, trees = self._kept[home]
        memo.is_over = lambda: self.is_old(home)
        found = problems_of(snapshot, memo, trees)
        memo.write(stages_of(Path(home)))
        if home in self._first:
            self._first.pop(home).write()
        return found

    def _begun(self, folder: Path) -> tuple[StoppableMemo, Trees]:
        """What an earlier process has kept of a game: this one, or the command `check`."""
        known = store.read(stages_of(folder))
        self._first[folder.as_posix()] = kept = KeptTrees(folder.resolve())
        return StoppableMemo(known if isinstance(known, dict) else None), Trees(kept)
