"""Pieces in the cells of a state: what lies at a place, and laying it there, by the number of the place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.middle.layout import PIECES, Layout
from rulespec.lower.declared import Declared
from rulespec.program.memory import rowless

Cells = list[Any]


def copy_cells(c: Cells) -> Cells:
    """A state's cells of its own."""
    d = c.copy()
    d[PIECES] = d[PIECES][:]
    return d


class Pieces:
    """The pieces of one game, in whatever state."""

    def __init__(
        self, places: list[tuple[str, int, int, int, int]], memory: list[tuple[int, int, int]], codes: int, depth: int
    ):
        #: for each place of each zone: shape, first cell, cells, capacity, number of codes of its kind
        self.places = places
        #: for each place: the first cell of what players know of it, how many there are (0 for none), and `rowless`
        self.memory = memory
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

    # ---- what players know ----

    def known(self, c: Cells, place: int) -> tuple[int, ...]:
        """What players know of a place, as it is kept: see `rulespec.program.memory`."""
        first, count, _ = self.memory[place]
        return tuple(c[PIECES][first : first + count])

    def set_known(self, c: Cells, place: int, known: Sequence[int]) -> None:
        """Replaces what players know of a place, which has as many cells."""
        for at, value in enumerate(known, self.memory[place][0]):
            c[PIECES][at] = value

    def forget(self, c: Cells, place: int) -> None:
        """Nobody knows any more what lies at a place."""
        self.set_known(c, place, [0] * self.memory[place][1])

    def keep_known(self, c: Cells, place: int, seat: int) -> None:
        """Of what players know of a place only what one of them knows is left."""
        first, count, _ = self.memory[place]
        shape, _, _, _, codes = self.places[place]
        z, row = c[PIECES], self._row(place, seat)
        for at in range(count):
            if shape != "pool":
                z[first + at] &= 1 << seat
            elif at // codes != row:
                z[first + at] = 0

    def _row(self, place: int, seat: int) -> int:
        """The row of a seat in what players know of a pool; -1 where it has none, since it sees all there."""
        without = self.memory[place][2]
        return -1 if seat == without else seat - (seat > without)

    def known_to(self, c: Cells, place: int, seat: int) -> list[int]:
        """The positions at a place whose pieces a seat knows and does not see, of all that lies there (`content`).

        Of equal pieces of a pool they are the first. Whoever only watches sits on no seat (a number below 0), for which
        nothing is kept.
        """
        known = self.known(c, place)
        if seat < 0 or not any(known):
            return []
        content = self.content(c, place)
        shape, _, _, _, codes = self.places[place]
        if shape != "pool":
            return [at for at in range(len(content)) if known[at] >> seat & 1]
        number = self._row(place, seat)
        if number < 0:
            return []
        row = known[number * codes : (number + 1) * codes]
        return [at for at, code in enumerate(content) if at - content.index(code) < row[code]]


def pieces_of(declared: Declared, layout: Layout) -> Pieces:
    """The pieces of a game, at all places of all zones."""
    places, memory = [], []
    for zone in declared.zones.values():
        count = declared.pieces[zone.holds].count
        for i in range(zone.places):
            base = layout.zones[zone.key] + i * layout.strides[zone.key]
            places.append((zone.shape, base, layout.strides[zone.key], zone.capacity[i], count))
            known = layout.known_strides.get(zone.key, 0)
            first = layout.known[zone.key] + i * known if known else 0
            memory.append((first, known, rowless(zone, i, declared.players)))
    return Pieces(places, memory, declared.codes, declared.depth)
