"""A picture of characters on which lines are put at any place, also lines of wide letters.

>>> from interpreter.draw.ink import plain, render
>>> canvas = Canvas(6, 1)
>>> canvas.put(0, 0, plain("abcdef"))
>>> canvas.put(2, 0, plain("日"))
>>> render(canvas.lines()[0])
'ab日ef'
"""

from __future__ import annotations

from itertools import groupby

from interpreter.draw.ink import Line, Run, cluster_width
from rulespec.source.characters import clusters

#: The second cell of a wide letter.
_TAIL = ("", "")
_BLANK = (" ", "")


class Canvas:
    """A rectangle of cells, each with a character and its style; what is put outside is lost."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self._cells: list[list[Run]] = [[_BLANK] * width for _ in range(height)]

    def put(self, x: int, y: int, line: Line, *, through: bool = False) -> None:
        """Puts a line over what is there; `through` leaves what is below its blanks."""
        for text, style in line:
            for letter in clusters(text):
                wide = cluster_width(letter)
                if wide and not (through and letter == " "):
                    self._set(x, y, (letter, style), wide)
                x += wide

    def put_under(self, x: int, y: int, line: Line) -> None:
        """Puts a line where nothing is yet."""
        if 0 <= y < self.height and 0 <= x < self.width and self._cells[y][x] == _BLANK:
            self.put(x, y, line)

    def is_blank(self) -> bool:
        """Whether nothing is drawn."""
        return all(cell == _BLANK for row in self._cells for cell in row)

    def _set(self, x: int, y: int, cell: Run, wide: int) -> None:
        if not (0 <= y < self.height and x >= 0 and x + wide <= self.width):
            return
        row = self._cells[y]
        if row[x] == _TAIL:
            row[x - 1] = _BLANK
        if x + wide < self.width and row[x + wide] == _TAIL:
            row[x + wide] = _BLANK
        row[x : x + wide] = [cell, *[_TAIL] * (wide - 1)]

    def lines(self) -> list[Line]:
        """The picture, with letters of one style in one run."""
        return [self._line(row) for row in self._cells]

    def _line(self, row: list[Run]) -> Line:
        letters = [cell for cell in row if cell != _TAIL]
        return tuple(
            ("".join(text for text, _ in run), style) for style, run in groupby(letters, key=lambda cell: cell[1])
        )
