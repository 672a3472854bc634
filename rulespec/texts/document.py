"""A rulebook in one language: blocks of running text, each character with its line and column."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["text", "heading", "item", "step", "entry"]


@dataclass(frozen=True, slots=True)
class Row:
    """A line as it stands in the file (or on the page): its number and text from a column on.

    `kind` is what the file says of it, where it says it: a heading, an entry of a list. `begins` is True where the
    file says that a new block begins.
    """

    number: int
    column: int
    text: str
    kind: Kind = "text"
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """Where a stretch of a block stands: from this offset on, at this line and column."""

    offset: int
    line: int
    column: int


@dataclass(frozen=True)
class Block:
    """A paragraph, a heading or an entry of a list, as one line of text. `number` is that of a numbered step."""

    kind: Kind
    text: str
    pieces: tuple[Piece, ...]
    number: int | None = None

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of a character, from 1."""
        piece = self.pieces[max(0, bisect_right([piece.offset for piece in self.pieces], offset) - 1)]
        return piece.line, piece.column + offset - piece.offset


@dataclass(frozen=True)
class Document:
    """A rulebook. `file` is its name for people."""

    file: str
    language: str
    blocks: tuple[Block, ...] = field(repr=False)
