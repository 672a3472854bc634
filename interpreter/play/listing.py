"""Numbered options: one below the other, or in columns where there are many."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.draw.ink import BOLD, Line, cut, join, pad, plain, width

#: So many options stand below each other before they are put in columns.
ONE_COLUMN = 8
MOST_ROWS = 24


def numbered(options: Sequence[tuple[int, str]], most: int) -> tuple[list[Line], int]:
    """The lines of options, each with its number, and how many were left out because there are too many."""
    digits = max((len(str(number)) for number, _ in options), default=1)
    cells = [_entry(number, text, digits) for number, text in options]
    widest = min(max((width(cell) for cell in cells), default=0), most)
    columns = max(1, min((most + 2) // (widest + 2), -(-len(cells) // ONE_COLUMN)))
    rows = min(-(-len(cells) // columns), MOST_ROWS)
    shown = cells[: rows * columns]
    return [_row(shown[row::rows], widest, most) for row in range(rows)], len(cells) - len(shown)


def _entry(number: int, text: str, digits: int) -> Line:
    return join([plain(f"  {number:>{digits}}  ", BOLD), plain(text)])


def _row(cells: Sequence[Line], widest: int, most: int) -> Line:
    *before, last = cells
    return cut(join([*(pad(cell, widest + 2) for cell in before), last]), most)
