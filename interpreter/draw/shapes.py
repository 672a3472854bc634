"""Outlines of sites in pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Final

from interpreter.draw.xml import element

Point = tuple[float, float]
#: How much of a corner is cut: of a chamfered shape, and of a half from the diagonal.
CHAMFER: Final = 0.16
OFF_DIAGONAL: Final = 0.26


@dataclass(frozen=True, slots=True)
class Box:
    """Where something stands, in pixels."""

    x: float
    y: float
    wide: float
    high: float

    @property
    def middle(self) -> Point:
        return self.x + self.wide / 2, self.y + self.high / 2


def outline(shape: str, box: Box, look: Mapping[str, str]) -> str:
    """The edge of a site."""
    if shape == "circle":
        (x, y), radius = box.middle, min(box.wide, box.high) / 2
        return element("circle", {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{radius:g}", **look})
    if shape in _CORNERS:
        points = " ".join(f"{x:.4g},{y:.4g}" for x, y in _CORNERS[shape](box))
        return element("polygon", {"points": points, **look})
    return element("rect", {**rect(box), **look})


def rect(box: Box) -> dict[str, str]:
    """The attributes of a rectangle."""
    return {"x": f"{box.x:g}", "y": f"{box.y:g}", "width": f"{box.wide:g}", "height": f"{box.high:g}"}


def room_in(shape: str, box: Box) -> Box:
    """Where there is room for what a site shows."""
    if shape not in _HALVES:
        return box
    left, upper = shape.endswith("left"), shape.startswith("upper")
    wide, high = box.wide * 0.55, box.high * 0.55
    x = box.x + box.wide * 0.06 if left else box.x + box.wide * 0.94 - wide
    y = box.y + box.high * 0.06 if upper else box.y + box.high * 0.94 - high
    return Box(x, y, wide, high)


def room_for(shape: str, box: Box, columns: int, rows: int) -> Box:
    """Where so many columns and rows of icons have room: in a round shape several of them keep off its corners."""
    if shape not in _ROUND or max(columns, rows) <= 1:
        return box
    across = hypot(columns, rows)
    side = min(box.wide, box.high) if shape == "circle" else None
    wide, high = (side or box.wide) * columns / across, (side or box.high) * rows / across
    x, y = box.middle
    return Box(x - wide / 2, y - high / 2, wide, high)


def _hexagon(box: Box) -> list[Point]:
    """Six corners, one at the top."""
    (x, y), rx, ry = box.middle, box.wide / 2, box.high / 2
    return [(x + rx * sin(n * pi / 3) / sin(pi / 3), y - ry * cos(n * pi / 3)) for n in range(6)]


def _cut(box: Box, part: float) -> list[Point]:
    """A rectangle with corners cut by a part of its shorter side."""
    off = min(box.wide, box.high) * part
    right, bottom = box.x + box.wide, box.y + box.high
    return [
        (box.x + off, box.y), (right - off, box.y), (right, box.y + off), (right, bottom - off),
        (right - off, bottom), (box.x + off, bottom), (box.x, bottom - off), (box.x, box.y + off),
    ]  # fmt: skip


def _upper_left(box: Box) -> list[Point]:
    off, along_x, along_y = _half(box)
    right, bottom = box.x + box.wide, box.y + box.high
    return [
        (box.x + off, box.y), (right - along_x, box.y), (box.x, bottom - along_y), (box.x, box.y + off)
    ]  # fmt: skip


def _half(box: Box) -> tuple[float, float, float]:
    """What is cut off at the right angle, and at the ends of the diagonal."""
    return min(box.wide, box.high) * CHAMFER, box.wide * OFF_DIAGONAL, box.high * OFF_DIAGONAL


def _mirrored(*, across: bool, down: bool) -> Callable[[Box], list[Point]]:
    def points(box: Box) -> list[Point]:
        x2, y2 = 2 * box.x + box.wide, 2 * box.y + box.high
        return [(x2 - x if across else x, y2 - y if down else y) for x, y in _upper_left(box)]

    return points


#: Shapes that several icons side by side would reach out of.
_ROUND: Final = frozenset({"circle", "octagon"})
_HALVES: Final[dict[str, Callable[[Box], list[Point]]]] = {
    "upper_left": _upper_left,
    "upper_right": _mirrored(across=True, down=False),
    "lower_left": _mirrored(across=False, down=True),
    "lower_right": _mirrored(across=True, down=True),
}
_CORNERS: Final[dict[str, Callable[[Box], list[Point]]]] = {
    "hexagon": _hexagon,
    "octagon": lambda box: _cut(box, 1 - 1 / 2**0.5),
    "chamfered": lambda box: _cut(box, CHAMFER),
    **_HALVES,
}
