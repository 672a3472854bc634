"""A line on the terminal while something long goes on: only where the standard error is one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: Seconds before the first line, and between two of them.
PAUSE: Final = 0.5


class Progress:
    """The line, written over and over again. Nothing is written of what is over within `PAUSE`."""

    def __init__(self) -> None:
        self._shown = time.perf_counter()
        self._is_terminal = bool(getattr(sys.stderr, "isatty", lambda: False)())
        self._is_written = False

    def show(self, words: str) -> None:
        """How far it is."""
        if not self._is_terminal or time.perf_counter() - self._shown < PAUSE:
            return
        self._shown, self._is_written = time.perf_counter(), True
        print(f"\r{words}\x1b[K", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Takes the line away."""
        if self._is_written:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._is_written = False


@contextmanager
def progress() -> Iterator[Progress]:
    """A line that is gone in the end, whatever happens."""
    line = Progress()
    try:
        yield line
    finally:
        line.end()
