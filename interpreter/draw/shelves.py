"""Pictures side by side: the highest first, each as far to the left and as high as it has room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from interpreter.draw.ink import BLANK, Line, join, pad, plain, width

GAP = 3
#: By so many lines a column may be higher than the first one.
MORE = 1


def picture_width(picture: Sequence[Line]) -> int:
    """How many cells a picture is wide."""
    return max((width(line) for line in picture), default=0)


@dataclass(slots=True)
class _Shelf:
    """Columns of pictures; the first picture alone makes the first column."""

    columns: list[list[Line]] = field(default_factory=list)

    @property
    def width(self) -> int:
        return sum(picture_width(column) + GAP for column in self.columns) - GAP

    def take(self, picture: Sequence[Line], most: int) -> bool:
        """Puts a picture under the last column, or beside it; False where neither has room."""
        if not self.columns:
            self.columns.append(list(picture))
            return True
        if len(self.columns) > 1 and self._take_below(picture, most):
            return True
        if self.width + GAP + picture_width(picture) > most:
            return False
        self.columns.append(list(picture))
        return True

    def _take_below(self, picture: Sequence[Line], most: int) -> bool:
        """Puts a picture under the last column, with a blank line between where that has room."""
        above, room = self.columns[-1], len(self.columns[0]) + MORE - len(self.columns[-1]) - len(picture)
        wider = max(0, picture_width(picture) - picture_width(above))
        if room < 0 or self.width + wider > most:
            return False
        self.columns[-1] = [*above, *([BLANK] if room else []), *picture]
        return True

    def lines(self) -> list[Line]:
        """The columns side by side."""
        wide = [picture_width(column) for column in self.columns]
        high = max(len(column) for column in self.columns)
        padded = [[*column, *[BLANK] * (high - len(column))] for column in self.columns]
        rows = zip(*padded, strict=True)
        return [join([pad(line, w) for line, w in zip(row, wide, strict=True)], plain(" " * GAP)) for row in rows]


def shelved(pictures: Sequence[Sequence[Line]], most: int) -> list[list[Line]]:
    """All pictures on shelves of at most `most` cells, the lines of each with a blank one at its end."""
    shelves: list[_Shelf] = []
    for picture in sorted(pictures, key=len, reverse=True):
        if not shelves or not shelves[-1].take(picture, most):
            shelves.append(_Shelf())
            shelves[-1].take(picture, most)
    return [[*shelf.lines(), BLANK] for shelf in shelves]
