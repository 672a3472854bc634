"""Where a person reads and types: a terminal, a pipe, or two texts in a test."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from interpreter.draw.ink import Line, plain, render, wrap

WIDEST = 120
PIPE_WIDTH = 100
NARROWEST = 24


class Terminal:
    """Lines go out, lines come in. `width` is in cells; colours are left out where the output has none.

    `height` is how many lines are seen at once; without one, all that goes out can be read (a file, a pipe).
    """

    def __init__(
        self,
        source: TextIO,
        target: TextIO,
        *,
        width: int | None = None,
        height: int | None = None,
        colour: bool | None = None,
    ) -> None:
        self._source, self._target = source, target
        self.is_screen = _is_terminal(target)
        self._width, self._height = width, height
        self.colour = has_colour(target) if colour is None else colour

    @property
    def width(self) -> int:
        """How many cells a line has now."""
        if self._width is not None:
            return self._width
        if not self.is_screen:
            return PIPE_WIDTH
        return max(min(shutil.get_terminal_size().columns, WIDEST), NARROWEST)

    @property
    def height(self) -> int | None:
        """How many lines are seen at once now; None where nothing scrolls away."""
        if self._height is not None or not self.is_screen:
            return self._height
        return shutil.get_terminal_size().lines

    @property
    def takes_any_width(self) -> bool:
        """Whether a long line is nobody's trouble: a file or a pipe takes it."""
        return self._width is None and not self.is_screen

    def lines(self, lines: Iterable[Line]) -> None:
        """Writes lines that fit already."""
        for line in lines:
            print(render(line, colour=self.colour), file=self._target)

    def text(self, text: str, style: str = "", indent: int = 0) -> None:
        """Writes a text, in several lines where it is too long for one."""
        for part in text.splitlines() or [""]:
            blanks = plain(" " * indent)
            self.lines(wrap([(*blanks, *plain(part, style))], self.width, indent=indent))

    def raw(self, line: str) -> None:
        """Writes a line as it is: one whose columns must stay where they are."""
        print(line, file=self._target)

    def read(self, prompt: str) -> str:
        """The line that is typed next. Raises EOFError when nothing more comes."""
        if self._source is sys.stdin and self.is_screen and _is_terminal(self._source):
            return _edited(prompt)
        print(prompt, end="", file=self._target, flush=True)
        line = self._source.readline()
        if not line:
            raise EOFError
        return line.rstrip("\r\n")

    def clear(self) -> None:
        """Takes from the screen what another person must not read, also what has scrolled away."""
        if self.is_screen:
            print("\x1b[H\x1b[2J\x1b[3J", end="", file=self._target, flush=True)


def _is_terminal(stream: TextIO) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())


def has_colour(stream: TextIO) -> bool:
    """Whether colours may be used: a terminal that has them, and nobody who asked for none (NO_COLOR)."""
    return _is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _edited(prompt: str) -> str:
    """A line with the editing and the history that the system offers."""
    with suppress(ImportError):
        import readline  # noqa: F401 - that it is there is enough for `input`
    return input(prompt)
