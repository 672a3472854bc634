"""Pieces as icons in pictures, and how much room icons and texts of one site have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from interpreter.draw.icons import icon
from interpreter.draw.ink import Line
from interpreter.draw.lettering import GROUND, INK, Letters, over
from interpreter.draw.shapes import Box
from interpreter.draw.xml import element, words

#: The least and the largest size of a piece's icon, and the height of a line.
LEAST, LARGEST, HIGH = 12.0, 38.0, 18.0
#: Icons in whose middle there is room for letters; in others it is further down.
_ROUND: Final = frozenset({"circle", "coin", "crossroads", "diamond", "disc", "square"})


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece as an icon of a colour, with letters on it. `says` is its sign."""

    icon: str
    fill: str
    label: str
    says: str


Mark = Line | Figure


def figure(of: Figure, x: float, y: float, size: float) -> str:
    """A piece with its middle at a place."""
    parts = [icon(of.icon, x, y, size, of.fill, INK)]
    if of.label and size >= LEAST:
        down = 0.03 if of.icon in _ROUND else 0.24
        place = {"x": f"{x:g}", "y": f"{y + size * down:.4g}", "font-size": f"{max(size * 0.4, 8):.3g}"}
        looks = {"text-anchor": "middle", "dominant-baseline": "central", "font-weight": "bold", "fill": over(of.fill)}
        parts.append(element("text", place | looks, words(of.label)))
    return element("g", {"data-says": of.says}, "".join(parts))


def fitted(rows: Sequence[Sequence[Mark]], box: Box, letters: Letters, ground: str = GROUND) -> list[str]:
    """Rows of icons and texts in the middle of a box, the icons as large as there is room."""
    size = _size(rows, box, letters)
    heights = [size + 2 if _has_figure(row) else HIGH for row in rows]
    x, middle = box.middle
    y = middle - sum(heights) / 2
    parts: list[str] = []
    for row, high in zip(rows, heights, strict=True):
        parts += _row(row, x, y + high / 2, size, letters, ground)
        y += high
    return parts


def _row(row: Sequence[Mark], x: float, y: float, size: float, letters: Letters, ground: str) -> list[str]:
    wide = [size + 2 if isinstance(mark, Figure) else letters.width(mark) + 4 for mark in row]
    left = x - sum(wide) / 2
    parts = []
    for mark, own in zip(row, wide, strict=True):
        at = left + own / 2
        if isinstance(mark, Figure):
            parts.append(figure(mark, at, y, size))
        else:
            parts.append(letters.centred(mark, at, y, ground=ground))
        left += own
        parts.append(" ")  # what is written stands apart also for whoever hears it
    return parts


def _size(rows: Sequence[Sequence[Mark]], box: Box, letters: Letters) -> float:
    """The size of icons with which all rows have room."""
    with_figures = [row for row in rows if _has_figure(row)]
    texts = HIGH * (len(rows) - len(with_figures))
    high = (box.high - texts) / max(len(with_figures), 1) - 4
    wide = LARGEST
    for row in with_figures:
        taken = sum(letters.width(mark) + 4 for mark in row if not isinstance(mark, Figure))
        count = sum(isinstance(mark, Figure) for mark in row)
        wide = min(wide, (box.wide - 4 - taken) / count - 2)
    return max(LEAST, min(LARGEST, high, wide))


def _has_figure(row: Sequence[Mark]) -> bool:
    return any(isinstance(mark, Figure) for mark in row)
