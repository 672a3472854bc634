"""What generated code calls: the few operations that are too long to write out in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

LOOKED = -1
HALTED = -2
FAILED = -3

Cells = list[Any]


def bits(value: int) -> list[int]:
    """The members of a bit set, in order."""
    found = []
    while value > 0:
        low = value & -value
        found.append(low.bit_length() - 1)
        value ^= low
    return found


def divide(a: int, b: int) -> int:
    """Division that rounds down; by zero it gives 0."""
    return a // b if b else 0


def remainder(a: int, b: int) -> int:
    return a % b if b else 0


def longest(items: Sequence[int], kept: Sequence[bool]) -> tuple[int, ...]:
    """The longest unbroken stretch of kept items, the first of equals."""
    best: tuple[int, int] = (0, 0)
    start = 0
    for i, keep in enumerate([*kept, False]):
        if not keep:
            if i - start > best[1] - best[0]:
                best = (start, i)
            start = i + 1
    return tuple(items[best[0] : best[1]])


def stretch(items: Sequence[int], kept: Sequence[bool], around: int) -> tuple[int, ...]:
    """The unbroken stretch of kept items that holds `around`; nothing where it is not kept."""
    for at, item in enumerate(items):
        if item == around and kept[at]:
            low = high = at
            while low > 0 and kept[low - 1]:
                low -= 1
            while high + 1 < len(items) and kept[high + 1]:
                high += 1
            return tuple(items[low : high + 1])
    return ()


def reach(start: int, within: int, via: Callable[[int], Iterable[int]], cost: Callable[[int], int]) -> int:
    """The bit set of members whose cheapest path from `start` costs at most `within`, the start left out."""
    if start < 0:
        return 0
    best = {start: 0}
    todo = [start]
    while todo:
        at = todo.pop()
        spent = best[at]
        for to in via(at):
            price = spent + cost(to)
            if price <= within and price < best.get(to, within + 1):
                best[to] = price
                todo.append(to)
    found = 0
    for member in best:
        if member != start:
            found |= 1 << member
    return found


def drop(items: tuple[int, ...], item: int) -> tuple[int, ...]:
    """A list without one item, once."""
    if item not in items:
        return items
    at = items.index(item)
    return items[:at] + items[at + 1 :]


def drop_piece(items: tuple[int, ...], item: int, codes: int) -> tuple[int, ...]:
    """A list of pieces without one: the same one, else one just like it."""
    if item in items:
        return drop(items, item)
    for at, other in enumerate(items):
        if other % codes == item % codes:
            return items[:at] + items[at + 1 :]
    return items


class Handling:
    """Taking and putting pieces where the text does not show the zone: by the number of the place."""

    def __init__(self, places: list[tuple[str, int, int, int, int]], codes: int, depth: int):
        #: for each place of each zone: shape, first cell, cells, capacity, number of codes of its kind
        self.places = places
        self.codes = codes
        self.depth = depth

    def take(self, c: Cells, ref: int) -> int:
        """Removes a piece and gives its code, or -1 where there is none such."""
        if ref < 0:
            return -1
        rest, code = divmod(ref, self.codes)
        place, position = divmod(rest, self.depth)
        shape, base, _, _, count = self.places[place]
        if code >= count:
            return -1
        if shape == "slot":
            if c[base] != code + 1:
                return -1
            c[base] = 0
            return code
        if shape == "pool":
            if not c[base + code]:
                return -1
            c[base + code] -= 1
            return code
        return take_from_stack(c, base, position, code)

    def room(self, c: Cells, place: int) -> bool:
        """Whether a place has room for one more piece."""
        shape, base, cells, capacity, _ = self.places[place]
        if shape == "slot":
            return not c[base]
        held = sum(c[base : base + cells]) if shape == "pool" else c[base]
        return bool(held < capacity)

    def put(self, c: Cells, place: int, code: int, bottom: bool = False) -> None:
        """Lays a piece down where there is room."""
        shape, base, _, _, _ = self.places[place]
        if shape == "slot":
            c[base] = code + 1
        elif shape == "pool":
            c[base + code] += 1
        else:
            put_on_stack(c, base, code, bottom)

    def content(self, c: Cells, place: int) -> list[int]:
        """The codes that lie at a place, from the bottom."""
        shape, base, cells, _, _ = self.places[place]
        if shape == "slot":
            return [c[base] - 1] if c[base] else []
        if shape == "stack":
            return [x - 1 for x in c[base + 1 : base + 1 + c[base]]]
        return [code for code in range(cells) for _ in range(c[base + code])]

    def refs(self, c: Cells, place: int) -> list[int]:
        """The pieces that lie at a place, from the bottom."""
        shape = self.places[place][0]
        start = place * self.depth * self.codes
        step = self.codes if shape == "stack" else 0
        return [start + i * step + code for i, code in enumerate(self.content(c, place))]

    def set_content(self, c: Cells, place: int, codes: Sequence[int]) -> None:
        """Replaces what lies at a place."""
        _, base, cells, _, _ = self.places[place]
        c[base : base + cells] = [0] * cells
        for code in codes:
            self.put(c, place, code)

    def move_list(self, c: Cells, refs: Sequence[int], place: int, face: Callable[[int], int], bottom: bool) -> int:
        """Moves pieces one after another; -1 where one is not there or does not fit. Returns how many moved."""
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


def take_from_stack(c: Cells, base: int, position: int, code: int) -> int:
    """Removes the piece at a position, or the nearest one like it; -1 where there is none."""
    count = c[base]
    cells = c[base + 1 : base + 1 + count]
    if not (position < count and cells[position] == code + 1):
        alike = [i for i, x in enumerate(cells) if x == code + 1]
        if not alike:
            return -1
        position = min(alike, key=lambda i: abs(i - position))
    del cells[position]
    c[base : base + 1 + count] = [count - 1, *cells, 0]
    return code


def put_on_stack(c: Cells, base: int, code: int, bottom: bool = False) -> None:
    """Lays a piece on top of a stack, or under it."""
    count = c[base]
    if bottom:
        c[base + 1 : base + 2 + count] = [code + 1, *c[base + 1 : base + 1 + count]]
    else:
        c[base + 1 + count] = code + 1
    c[base] = count + 1
