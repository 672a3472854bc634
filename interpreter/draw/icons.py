"""The icons of pictures: shapes in a square of 24, drawn for this project and under its licence."""

from __future__ import annotations

from typing import Final

from interpreter.draw.xml import element

SIDE: Final = 24

_BODY: Final = "M4 22c0-6 3-9 8-9s8 3 8 9z"
_FACE: Final = "M8 7.5h8a4 4.5 0 0 1-8 0z"

#: By name. Where parts overlap, they are holes.
PATHS: Final = {
    "apartments": "M2 4h20v3H2zM4 8h16v14h-6v-4h-4v4H4zM7 10.500v3h3v-3zM14 10.500v3h3v-3z",
    "carriage": "M6 3h12a3 3 0 0 1 3 3v11a2 2 0 0 1-2 2l2 3h-3l-2-3H8l-2 3H3l2-3a2 2 0 0 1-2-2V6a3 3 0 0 1 3-3z"
    "M6 6v6h5V6zM13 6v6h5V6zM6 14v2h3v-2zM15 14v2h3v-2z",
    "church": "M2 22V12l2-6 2 6v2l2-9 1-4 1 4 1 6 1-8 1-2 1 2 1 8 1-6 1-4 1 4 2 9v-2l2-6 2 6v10h-7v-4a3 3 0 0 0-6 0v4z",
    "circle": "M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20z",
    "cloth": "M5 3h14a2 2 0 0 1 0 5H5a2 2 0 0 1 0-5zM5 9.500h14a2 2 0 0 1 0 5H5a2 2 0 0 1 0-5zM5 16h14a2 2 0 0 1 0 5H5"
    "a2 2 0 0 1 0-5z",
    "coin": "M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20zM12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM10.500 8h3v8h-3z",
    "corner_house": "M2 22V11l7-8h13v19h-7v-5h-4v5zM6 12v3h3v-3zM15 7v3h3V7zM10 7v3h3V7zM15 12v3h3v-3z",
    "crossroads": "M8 1h8v7h7v8h-7v7H8v-7H1V8h7z",
    "diamond": "M12 1l11 11l-11 11L1 12z",
    "disc": "M12 4a8 8 0 1 1 0 16a8 8 0 1 1 0-16z",
    "flag": "M5 2h2v20H5zM8 3h13l-4 5l4 5H8z",
    "house": "M1 12L12 2l11 10h-3v10h-6v-6h-4v6H4V12z",
    "palace": "M1 22V10h3V6h3V4l5-3l5 3v2h3v4h3v12h-8v-4a3 3 0 0 0-6 0v4zM4 12v4h3v-4zM17 12v4h3v-4zM10.500 7v4h3V7z",
    "pawn": "M12 2a5 5 0 0 1 3 9l3 8h1v3H5v-3h1l3-8a5 5 0 0 1 3-9z",
    "person": "M12 2a5 5 0 1 1 0 10a5 5 0 1 1 0-10z" + _BODY,
    "person_in_bowler": "M5 5h2.500c0-3 1.500-4.500 4.500-4.500S16.500 2 16.500 5H19v1.500H5z" + _FACE + _BODY,
    "person_in_cap": "M7 6.500c0-3 2-5 5-5c2.500 0 4 1.500 4.500 3.500H21v1.500z" + _FACE + _BODY,
    "person_in_top_hat": "M8 0h8v5h3v1.500H5V5h3z" + _FACE + _BODY,
    "road": "M8 1h8l5 22H3zM11.300 4v4h1.400V4zM11.300 10.500v4h1.400v-4zM11.300 17v4h1.400v-4z",
    "square": "M3 3h18v18H3z",
    "stairs": "M1 22v-5h6v-5h6V7h6V2h4v20z",
    "star": "M12 1l3.200 7l7.800 .9l-5.800 5.200l1.600 7.700L12 18l-6.800 3.800l1.600-7.700L1 8.900L8.800 8z",
    "stone_tile": "M7 2h10l6 10l-6 10H7L1 12zM12 7l-4 2.500v5l4 2.500l4-2.500v-5z",
    "streetcar": "M11 0h2v3h-2zM6 4h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2l2 4h-3l-2-4H9l-2 4H4l2-4a2 2 0 0 1-2-2V6"
    "a2 2 0 0 1 2-2zM7 7v5h4V7zM13 7v5h4V7z",
    "tree": "M12 1l7 8h-3l5 7h-7v7h-4v-7H3l5-7H5z",
}


def icon(name: str, x: float, y: float, size: float, fill: str, edge: str = "none") -> str:
    """An icon with its middle at a place."""
    left, top, times = x - size / 2, y - size / 2, size / SIDE
    looks = {"d": PATHS[name], "fill": fill, "fill-rule": "evenodd"}
    rim = {} if edge == "none" else {"stroke": edge, "stroke-width": f"{1 / times:.3g}"}
    return element("path", {**looks, **rim, "transform": f"translate({left:.4g} {top:.4g}) scale({times:.3g})"})
