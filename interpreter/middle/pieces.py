"""Pieces in the cells of a state: what lies at a place, taking it and laying it down, by the number of the place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

    def __init__(
        self,
        places: list[tuple[str, int, int, int, int]],
        codes: int,
        depth: int,
        never_full: frozenset[int] = frozenset(),
    ):
        self._never_full = never_full
        #: for each place of each zone: shape, first cell, cells, capacity, number of codes of its kind
        self.places = places
        self.codes = codes
        self.depth = depth

    def take(self, c: Cells, ref: int) -> int:
        """Removes a piece and gives its code, or -1 where there is none such."""
        if ref < 0:
            return -1
        z = c[PIECES]
        rest, code = divmod(ref, self.codes)
        place, position = divmod(rest, self.depth)
        shape, base, _, _, count = self.places[place]
        if code >= count:
            return -1
        if shape == "slot":
            if z[base] != code + 1:
                return -1
            z[base] = 0
            return code
        if shape == "pool":
            if not z[base + code]:
                return -1
            z[base + code] -= 1
            return code
        return take_from_stack(z, base, position, code)

    def room(self, c: Cells, place: int) -> bool:
        """Whether a place has room for one more piece."""
        if place in self._never_full:
            return True
        z = c[PIECES]
        shape, base, cells, capacity, _ = self.places[place]
        if shape == "slot":
            return not z[base]
        held = sum(z[base : base + cells]) if shape == "pool" else z[base]
        return bool(held < capacity)

    def put(self, c: Cells, place: int, code: int, bottom: bool = False) -> None:
        """Lays a piece down where there is room."""
        z = c[PIECES]
        shape, base, _, _, _ = self.places[place]
        if shape == "slot":
            z[base] = code + 1
        elif shape == "pool":
            z[base + code] += 1
        else:
            put_on_stack(z, base, code, bottom)

    def is_empty(self, c: Cells, place: int) -> bool:
        """Whether nothing lies at a place."""
        z = c[PIECES]
        shape, base, cells, _, _ = self.places[place]
        return not any(z[base : base + cells]) if shape == "pool" else not z[base]

    def take_top(self, c: Cells, place: int) -> int:
        """Removes the top piece of a stack, or the piece of a slot, and gives its code."""
        z = c[PIECES]
        shape, base, _, _, _ = self.places[place]
        at = base if shape == "slot" else base + z[base]
        code: int = z[at] - 1
        z[at] = 0
        if shape != "slot":
            z[base] -= 1
        return code

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

    def held(self, c: Cells, ref: int) -> int:
        """How many pieces like this one lie where it lies; none where it is known by its back."""
        rest, code = divmod(ref, self.codes)
        place = rest // self.depth
        shape, base, _, _, count = self.places[place]
        if code >= count:
            return 0
        return c[PIECES][base + code] if shape == "pool" else self.content(c, place).count(code)

    def alike(self, c: Cells, ref: int, unseen: Sequence[int]) -> int:
        """How many pieces like this one lie where it lies: of its back where that is all that is known of it."""
        rest, code = divmod(ref, self.codes)
        place = rest // self.depth
        if code < self.places[place][4]:
            return self.held(c, ref)
        return sum(unseen[other] == code for other in self.content(c, place))

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

    def move_list(self, c: Cells, refs: Sequence[int], place: int, face: Callable[[int], int], bottom: bool) -> int:
        """Moves pieces one after another: how many. Where one is not there or does not fit none moves, and it is -1."""
        before = c[PIECES][:]
        moved = self._move_each(c, refs, place, face, bottom)
        if moved < 0:
            c[PIECES][:] = before
        return moved

    def _move_each(self, c: Cells, refs: Sequence[int], place: int, face: Callable[[int], int], bottom: bool) -> int:
        gone: list[tuple[int, int]] = []
        for ref in refs:
            here, position = divmod(ref // self.codes, self.depth)
            lower = sum(1 for p, at in gone if p == here and at < position)
            if not self.room(c, place):
                return -1
            code = self.take(c, ref - lower * self.codes)
            if code < 0:
                return -1
            self.put(c, place, face(code), bottom)
            gone.append((here, position))
        return len(gone)


def take_from_stack(z: Any, base: int, position: int, code: int) -> int:
    """Removes the piece at a position, or the nearest one like it; -1 where there is none."""
    count = z[base]
    if not (position < count and z[base + 1 + position] == code + 1):
        alike = [i for i in range(count) if z[base + 1 + i] == code + 1]
        if not alike:
            return -1
        position = min(alike, key=lambda i: abs(i - position))
    for i in range(base + 1 + position, base + count):
        z[i] = z[i + 1]
    z[base + count] = 0
    z[base] = count - 1
    return code


def put_on_stack(z: Any, base: int, code: int, bottom: bool = False) -> None:
    """Lays a piece on top of a stack, or under it."""
    count = z[base]
    at = base + 1 + count
    if bottom:
        while at > base + 1:
            z[at] = z[at - 1]
            at -= 1
    z[at] = code + 1
    z[base] = count + 1


def pieces_of(declared: Declared, layout: Layout) -> Pieces:
    """The pieces of a game, at all places of all zones."""
    places = []
    for zone in declared.zones.values():
        count = declared.pieces[zone.holds].count
        for i in range(zone.places):
            base = layout.zones[zone.key] + i * layout.strides[zone.key]
            places.append((zone.shape, base, layout.strides[zone.key], zone.capacity[i], count))
    return Pieces(places, declared.codes, declared.depth, _never_full(declared))


def _never_full(declared: Declared) -> frozenset[int]:
    """The places, but for slots, of zones that have room for all pieces of their kind."""
    return frozenset(
        zone.first + i
        for zone in declared.zones.values()
        if zone.shape != "slot" and min(zone.capacity, default=0) >= sum(declared.pieces[zone.holds].supply)
        for i in range(zone.places)
    )
