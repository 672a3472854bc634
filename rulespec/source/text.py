"""A file's text and places in it. Places are offsets; lines and columns are made at the edge."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file's text. `name` is what people are shown: a path relative to the content root or the user's folder."""

    name: str
    text: str = field(repr=False)
    line_starts: tuple[int, ...] = field(repr=False, compare=False)

    @classmethod
    def of(cls, name: str, text: str) -> SourceFile:
        """A source file with its line index made."""
        starts = [0]
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        return cls(name, text, tuple(starts))

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column from 1, columns in characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of line `line` (from 1) without its line break."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of one file's text, in offsets."""

    file: SourceFile = field(repr=False)
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.file.text[self.start : self.end]

    @property
    def line(self) -> int:
        return self.file.line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        return self.file.line_and_column(self.start)[1]


def readable(name: str) -> str:
    """A file's name as text: bytes that are no UTF-8, which the system gives as halves of characters, have a mark."""
    if name.isascii():
        return name
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # halves that stand for no byte, as JSON can write them
        return name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
