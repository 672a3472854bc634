"""Lines between ports in pictures: curves that go on smoothly from tile to tile, and roads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.draw.declared import Strokes
from interpreter.draw.lettering import GROUND, INK
from interpreter.draw.pieces import Look
from interpreter.draw.shapes import Box, Point
from interpreter.draw.xml import element
from rulespec.lower.drawings import CORNERS, SIDES

#: Roads: as broad as this, or where they are double; their colour, and that of the line in the middle of a broad one.
NARROW, WIDE = 16, 34
ROAD, MARKING = "#c3c7ce", "#ffffff"
#: How far a curve runs straight in from its port: a part of the way to the other one, of the tile where it goes back.
INWARD, BACK = 0.55, 0.2

#: The colour of the line from a port, where it has one.
Ink = Callable[[int], str | None]


def no_ink(_: int) -> str | None:
    """Lines without a colour of their own."""
    return None


def lines_through(
    strokes: Strokes | None, box: Box, look: Look, at: int, ink: Ink = no_ink, *, is_road: bool = False
) -> Iterator[str]:
    """The lines through a site or piece; those with a colour lie above the others."""
    if strokes is None or (strokes.secret and look.viewer is not None):
        return
    is_double = strokes.is_double(look.cells, at)
    found = [(ink(start) or ink(end), start, end) for start, end in strokes.pairs(look.cells, at)]
    for colour, start, end in sorted(found, key=lambda line: line[0] is not None):
        path = {"d": _curve(box, strokes.ports, start, end), "fill": "none"}
        if is_road:
            yield from _road(path, is_double=is_double)
        elif colour is not None:
            yield element("path", {**path, "stroke": "#ffffff", "stroke-width": "9"})
            yield element("path", {**path, "stroke": colour, "stroke-width": "6", "stroke-linecap": "round"})
        else:
            yield from _line(path | {"stroke-linecap": "round"}, is_double=is_double)


def _line(path: dict[str, str], *, is_double: bool) -> Iterator[str]:
    yield element("path", {**path, "stroke": INK, "stroke-width": "6" if is_double else "3"})
    if is_double:
        yield element("path", {**path, "stroke": GROUND, "stroke-width": "2"})


def _road(path: dict[str, str], *, is_double: bool) -> Iterator[str]:
    """A road reaches a little further than its site: what stands at its ends lies over it."""
    look = {"stroke": ROAD, "stroke-width": str(WIDE if is_double else NARROW), "stroke-linecap": "square"}
    yield element("path", path | look)
    if is_double:
        yield element("path", {**path, "stroke": MARKING, "stroke-width": "2"})


def _curve(box: Box, ports: int, start: int, end: int) -> str:
    """A line from port to port that runs straight in from each side, so that those of neighbours go on smoothly."""
    first, last = port_at(box, ports, start), port_at(box, ports, end)
    (x2, y2), (x3, y3) = _bend(box, ports, start, last), _bend(box, ports, end, first)
    return f"M{first[0]:g} {first[1]:g}C{x2:.5g} {y2:.5g} {x3:.5g} {y3:.5g} {last[0]:g} {last[1]:g}"


def _bend(box: Box, ports: int, port: int, other: Point) -> Point:
    """Where a curve bends that begins at a port: straight in from its side, from a corner to the middle."""
    x, y = port_at(box, ports, port)
    if port >= SIDES * ports:
        return x + (box.middle[0] - x) * INWARD, y + (box.middle[1] - y) * INWARD
    right, down = ((0, 1), (-1, 0), (0, -1), (1, 0))[port // ports]
    wide, high = (abs(other[0] - x) * INWARD or box.wide * BACK, abs(other[1] - y) * INWARD or box.high * BACK)
    return x + right * wide, y + down * high


def port_at(box: Box, ports: int, number: int) -> Point:
    """Where a port lies: clockwise from the left end of the top, then the corners from the upper left."""
    right, bottom = box.x + box.wide, box.y + box.high
    corners = ((box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom))
    if number >= SIDES * ports:
        return corners[(number - SIDES * ports) % CORNERS]
    side, along = divmod(number, ports)
    part = (along + 0.5) / ports
    (x1, y1), (x2, y2) = corners[side], corners[(side + 1) % CORNERS]
    return x1 + (x2 - x1) * part, y1 + (y2 - y1) * part
