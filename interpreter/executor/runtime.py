"""What generated code calls: the few operations that are too long to write out in place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from interpreter.executor.faults import OutOfRange, Overwork
from interpreter.middle.layout import PIECES
from rulespec.source.text import Span

LOOKED = -1
HALTED = -2
FAILED = -3

Cells = list[Any]
Items = tuple[Any, ...]

#: How many events of one decision keep the cells of their own moment.
MOST_MOMENTS = 2_000
#: How many events of one decision are kept.
MOST_EVENTS = 100_000


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


def within(value: int, low: int | None, high: int | None, span: Span | None) -> int:
    """The value. Raises OutOfRange where it is outside a range, an end of which may be open."""
    if (low is not None and value < low) or (high is not None and value > high):
        raise OutOfRange(-1, value, low, high, span)
    return value


def remainder(a: int, b: int) -> int:
    """What is left over by a division; 0 where there is nothing to divide by."""
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


def with_pick(picked: Items, order: Items, pick: tuple[int, Any]) -> tuple[Items, Items]:
    """The picks of a set with one more, and their numbers: by number, so that the same set is the same state."""
    number, value = pick
    at = bisect_right(order, number)
    return (*picked[:at], value, *picked[at:]), (*order[:at], number, *order[at:])


class Events(list[Any]):
    """What happens on the way to the next decision, as tuples, where it is kept; no more than `MOST_EVENTS`."""

    __slots__ = ("kept", "last")

    def __init__(self) -> None:
        super().__init__()
        self.kept = 0
        self.last: Cells = []

    def append(self, event: Any) -> None:
        """One more. Raises Overwork where there are too many to be kept: that is no game that people watch."""
        if len(self) >= MOST_EVENTS:
            raise Overwork(event[1])
        super().append(event)

    def moment(self, c: Cells) -> Cells:
        """The cells at an event. Past some thousands of them in one decision those of the last one serve on: no game
        that people play has as many, and the memory stays bounded.
        """
        if self.kept < MOST_MOMENTS:
            self.kept += 1
            self.last = copy_cells(c)
        return self.last


def copy_cells(c: Cells) -> Cells:
    """A state's cells of its own."""
    d = c.copy()
    d[PIECES] = d[PIECES][:]
    return d


class Handling:
    """Taking and putting pieces where the text does not show the zone: by the number of the place."""

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
