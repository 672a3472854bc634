"""Pictures of characters as SVG: each letter in its own cell, whatever fonts there are, and lines drawn as lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape

from interpreter.draw.ink import Line, cluster_width, width
from rulespec.source.characters import clusters

CELL, HIGH = 8, 17  #: a cell, in pixels
_BASE = 13  #: where letters stand in a cell
_GAP = 1.5  #: half the distance of double lines

#: Styles of the terminal as classes of the book's style sheet.
_CLASSES = {"1": "b", "2": "d"}
_LINES = re.compile(r"BOX DRAWINGS (LIGHT|DOUBLE|HEAVY)( ARC)? ([A-Z ]+)")
_ENDS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
_BOTH = {"HORIZONTAL": ("LEFT", "RIGHT"), "VERTICAL": ("UP", "DOWN")}
_DIAGONALS = {"╱": ((1, -1), (-1, 1)), "╲": ((-1, -1), (1, 1))}


def svg(lines: Sequence[Line], label: str) -> str:
    """A picture of lines; `label` says to those who cannot see it what it is."""
    wide = max((width(line) for line in lines), default=1) * CELL
    high = max(len(lines), 1) * HIGH
    inside = "".join(part for row, line in enumerate(lines) for part in _line(line, row))
    return (
        f'<svg viewBox="0 0 {wide} {high}" width="{wide}" role="img" aria-label="{escape(label)}"'
        f' xmlns="http://www.w3.org/2000/svg">{inside}</svg>'
    )


def _line(line: Line, row: int) -> Iterator[str]:
    """A line's strokes as one path, its letters as texts."""
    column = 0
    path: list[str] = []
    for text, style in line:
        letters: list[tuple[int, str]] = []
        for letter in clusters(text):
            strokes = _strokes(letter)
            if strokes:
                path += [_stroke(column, row, *stroke) for stroke in strokes]
            elif letter != " ":
                letters += [(column, mark) for mark in letter]
            column += cluster_width(letter)
        if letters:
            yield _text(letters, row, style)
    if path:
        yield f'<path d="{"".join(path)}"/>'


def _text(letters: list[tuple[int, str]], row: int, style: str) -> str:
    places = " ".join(str(column * CELL) for column, _ in letters)
    found = [_CLASSES.get(part, f"s{part}") for part in style.split(";") if part.isdecimal()]
    marks = f' class="{" ".join(found)}"' if found else ""
    words = escape("".join(letter for _, letter in letters))
    return f'<text x="{places}" y="{row * HIGH + _BASE}"{marks}>{words}</text>'


def _stroke(column: int, row: int, start: tuple[float, float], end: tuple[float, float]) -> str:
    """From one place of a cell to another; places go from -1 to 1 around its middle."""
    (x1, y1), (x2, y2) = ((_at(column, x, CELL), _at(row, y, HIGH)) for x, y in (start, end))
    return f"M{x1:g} {y1:g}L{x2:g} {y2:g}"


def _at(cell: int, place: float, size: int) -> float:
    return cell * size + (place + 1) * size / 2


@cache
def _strokes(letter: str) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    """The strokes of a sign for drawing lines, by its name in Unicode; none of any other letter."""
    if letter in _DIAGONALS:
        return (_DIAGONALS[letter],)
    name = _LINES.fullmatch(unicodedata.name(letter[0], ""))
    if name is None:
        return ()
    kind, _, where = name.groups()
    parts = [part for word in where.replace(" AND ", " ").split() for part in _BOTH.get(word, (word,))]
    if not all(part in _ENDS for part in parts):
        return ()
    offsets = (-1, 1) if kind == "DOUBLE" else (0,)
    return tuple(_beside(_ENDS[part], offset) for part in parts for offset in offsets)


def _beside(end: tuple[int, int], offset: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """A stroke from the middle of a cell to one of its sides, moved a little to one side of itself."""
    x, y = end
    aside = (offset * abs(y) * 2 * _GAP / CELL, offset * abs(x) * 2 * _GAP / HIGH)
    return aside, (x + aside[0], y + aside[1])
