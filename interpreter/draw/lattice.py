"""A board of small sites side by side, with thin lines between them: also one with holes or a ragged edge."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.draw.ink import DIM, Line, join, plain

#: The sign where lines meet, by where there are lines: above, below, left, right.
_MEETING = {
    (0, 0, 0, 0): " ",
    (0, 0, 1, 1): "─",
    (1, 1, 0, 0): "│",
    (0, 1, 0, 1): "┌",
    (0, 1, 1, 0): "┐",
    (1, 0, 0, 1): "└",
    (1, 0, 1, 0): "┘",
    (1, 1, 0, 1): "├",
    (1, 1, 1, 0): "┤",
    (0, 1, 1, 1): "┬",
    (1, 0, 1, 1): "┴",
    (1, 1, 1, 1): "┼",
}


def framed(sites: Mapping[tuple[int, int], Line], wide: int) -> list[Line]:
    """The board; each site is a line of `wide` cells, by column and row.

    >>> from interpreter.draw.ink import render
    >>> for line in framed({(0, 0): plain("a"), (1, 0): plain("b"), (0, 1): plain("c")}, 1):
    ...     print(render(line))
    ┌─┬─┐
    │a│b│
    ├─┼─┘
    │c│
    └─┘
    """
    columns = range(min(x for x, _ in sites), max(x for x, _ in sites) + 1)
    rows = range(min(y for _, y in sites), max(y for _, y in sites) + 1)
    found = []
    for y in rows:
        found.append(_edge(sites, columns, y, wide))
        found.append(_row(sites, columns, y, wide))
    return [*found, _edge(sites, columns, rows.stop, wide)]


def _row(sites: Mapping[tuple[int, int], Line], columns: range, y: int, wide: int) -> Line:
    parts: list[Line] = []
    for x in columns:
        parts.append(_upright(sites, x, y))
        parts.append(sites.get((x, y), plain(" " * wide)))
    return join([*parts, _upright(sites, columns.stop, y)])


def _upright(sites: Mapping[tuple[int, int], Line], x: int, y: int) -> Line:
    return plain("│" if (x, y) in sites or (x - 1, y) in sites else " ", DIM)


def _edge(sites: Mapping[tuple[int, int], Line], columns: range, y: int, wide: int) -> Line:
    """The line above a row."""
    text = ""
    for x in columns:
        text += _meeting(sites, x, y) + ("─" if _has_edge(sites, x, y) else " ") * wide
    return plain(text + _meeting(sites, columns.stop, y), DIM)


def _has_edge(sites: Mapping[tuple[int, int], Line], x: int, y: int) -> bool:
    return (x, y) in sites or (x, y - 1) in sites


def _meeting(sites: Mapping[tuple[int, int], Line], x: int, y: int) -> str:
    above = (x, y - 1) in sites or (x - 1, y - 1) in sites
    below = (x, y) in sites or (x - 1, y) in sites
    return _MEETING[int(above), int(below), int(_has_edge(sites, x - 1, y)), int(_has_edge(sites, x, y))]
