"""Pieces in the cells of a state: what lies at a place, and laying it there, by the number of the place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.middle.layout import PIECES, Layout
from rulespec.lower.declared import Declared

Cells = list[Any]


def copy_cells(c: Cells) -> Cells:
    """A state's cells of its own."""
    d = c.copy()
    d[PIECES] = d[PIECES][:]
    return d


class Pieces:
    """The pieces of one game, in whatever state."""

    def __init__(self, places: list[tuple[str, int, int, int, int]], codes: int, depth: int):
        #: for each place of each zone: shape, first cell, cells, capacity, number of codes of its kind
        self.places = places
        self.codes = codes
        self.depth = depth

    def put(self, c: Cells, place: int, code: int) -> None:
        """Lays a piece down where there is room; on top of a stack."""
        z = c[PIECES]
        shape, base, _, _, _ = self.places[place]
        if shape == "slot":
            z[base] = code + 1
        elif shape == "pool":
            z[base + code] += 1
        else:
            z[base] += 1
            z[base + z[base]] = code + 1

    def content(self, c: Cells, place: int) -> list[int]:
        """The codes that lie at a place, from the bottom."""
        z = c[PIECES]
        shape, base, cells, _, _ = self.places[place]
        if shape == "slot":
            return [z[base] - 1] if z[base] else []
        if shape == "stack":
            return [x - 1 for x in z[base + 1 : base + 1 + z[base]]]
        return [code for code, n in enumerate(z[base : base + cells]) if n for _ in range(n)]

    def refs(self, c: Cells, place: int) -> list[int]:
        """The pieces that lie at a place, from the bottom."""
        shape = self.places[place][0]
        start = place * self.depth * self.codes
        step = self.codes if shape == "stack" else 0
        return [start + i * step + code for i, code in enumerate(self.content(c, place))]

    def set_content(self, c: Cells, place: int, codes: Sequence[int]) -> None:
        """Replaces what lies at a place."""
        z = c[PIECES]
        shape, base, cells, _, _ = self.places[place]
        for i in range(base, base + cells):
            z[i] = 0
        if shape == "stack":
            for at, code in enumerate(codes, base + 1):
                z[at] = code + 1
            z[base] = len(codes)
            return
        for code in codes:
            self.put(c, place, code)


def pieces_of(declared: Declared, layout: Layout) -> Pieces:
    """The pieces of a game, at all places of all zones."""
    places = []
    for zone in declared.zones.values():
        count = declared.pieces[zone.holds].count
        for i in range(zone.places):
            base = layout.zones[zone.key] + i * layout.strides[zone.key]
            places.append((zone.shape, base, layout.strides[zone.key], zone.capacity[i], count))
    return Pieces(places, declared.codes, declared.depth)
