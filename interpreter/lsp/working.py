"""Tells an editor that something takes long: a check of a large game, many scenarios. What is quick is not told."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from threading import Lock, Timer
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

#: Seconds after which work is told of.
SLOW = 1.0

R = TypeVar("R")


class Working:
    """Tells of the work of one server, where its editor can show that."""

    def __init__(self, server: LanguageServer, slow: float = SLOW) -> None:
        self._server, self._slow = server, slow
        self._numbers = count(1)  # each is given once, whichever threads ask

    def during(self, title: str, work: Callable[[], R]) -> R:
        """Does work, and tells of it under a title when it takes long. Any thread may do it."""
        window = self._server.client_capabilities.window
        if window is None or not window.work_done_progress:
            return work()
        told = _Told(self._server, f"rulespec {next(self._numbers)}", title)
        timer = Timer(self._slow, told.begin)
        timer.daemon = True
        timer.start()
        try:
            return work()
        finally:
            timer.cancel()
            told.end()


class _Told:
    """One piece of work: it is begun when the editor has agreed to its token, unless it is over by then."""

    def __init__(self, server: LanguageServer, token: str, title: str) -> None:
        self._server, self._token, self._title = server, token, title
        self._lock = Lock()
        self._is_over = self._is_begun = False

    def begin(self) -> None:
        with self._lock:
            if not self._is_over:
                self._server.work_done_progress.create(self._token, self._agreed)

    def _agreed(self, *answer: object) -> None:
        with self._lock:
            if not self._is_over:
                self._is_begun = True
                begin = lsp.WorkDoneProgressBegin(self._title, cancellable=False)
                self._server.work_done_progress.begin(self._token, begin)

    def end(self) -> None:
        with self._lock:
            self._is_over = True
            if self._is_begun:
                self._server.work_done_progress.end(self._token, lsp.WorkDoneProgressEnd())
