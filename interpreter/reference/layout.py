"""A position as bytes and back, in the order and with the widths of docs/instruction_form.md ("The state")."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from interpreter.reference.definition import Definition
from interpreter.reference.position import Position, start_of
from rulespec.model.types import Boolean, Integer, ListType, Member, Record, SetType, Type, strip


class Width:
    """How one integer is written: so many bytes, little endian, signed where its range is."""

    __slots__ = ("signed", "size")

    def __init__(self, size: int, *, signed: bool = False):
        self.size, self.signed = size, signed

    @property
    def code(self) -> str:
        """What `struct` calls it, of 1, 2, 4 or 8 bytes."""
        letter = {1: "b", 2: "h", 4: "i", 8: "q"}[self.size]
        return letter if self.signed else letter.upper()

    def write(self, value: int) -> bytes:
        """The bytes of a value. OverflowError where it has no room."""
        return int(value).to_bytes(self.size, "little", signed=self.signed)

    def read(self, data: bytes) -> int:
        """The value of some bytes."""
        return int.from_bytes(data, "little", signed=self.signed)


class Room:
    """How a list is written: how many entries, in two bytes, then these, then zeros for as many as it can hold."""

    __slots__ = ("entry", "most", "parts", "size")

    def __init__(self, entry: Width, most: int, parts: int | None):
        #: `parts` is how many fields a record has, None where the entries are no records
        self.entry, self.most, self.parts = entry, most, parts
        self.size = 2 + most * (parts or 1) * entry.size

    def write(self, items: Any) -> bytes:
        """The bytes of a list."""
        parts = [part for item in items for part in (item if self.parts is not None else (item,))]
        content = b"".join(map(self.entry.write, parts))
        return (len(items).to_bytes(2, "little") + content).ljust(self.size, b"\0")

    def read(self, data: bytes) -> tuple[Any, ...]:
        """The list of some bytes."""
        count, size, each = int.from_bytes(data[:2], "little"), self.entry.size, self.parts or 1
        parts = [self.entry.read(data[i : i + size]) for i in range(2, 2 + count * each * size, size)]
        if self.parts is None:
            return tuple(parts)
        return tuple(tuple(parts[i : i + each]) for i in range(0, len(parts), each))


def fewest(low: int, high: int) -> Width:
    """The fewest bytes, 1, 2, 4 or 8, that hold every integer from `low` to `high`."""
    for size in (1, 2, 4):
        if low >= 0 and high < 1 << (8 * size):
            return Width(size)
        if low < 0 and low >= -(1 << (8 * size - 1)) and high < 1 << (8 * size - 1):
            return Width(size, signed=True)
    return Width(8, signed=low < 0)


class Layout:
    """How the states of one game are written."""

    def __init__(self, game: Definition):
        self.game = game
        self.instruction = fewest(0, len(game.instrs))
        self.piece = Width(2 if game.has_wide_cells else 1)
        backs = {proc.back for proc in game.procs.values()}
        self.slots = [
            self.instruction if slot in backs else _of_slot(game, game.program.slots[slot].type)
            for slot in game.state_slots
        ]
        cells = [fewest(r.lowest, r.high) for r in game.program.regions for _ in range(r.places)]
        #: how many cells the zones have, with what is known of them, and how many the regions
        known = sum(place.memory for place in game.places)
        self.sizes = sum(self._cells_of(number, room) for number, room in self._places()) + known, len(cells)
        streams = [Width(8) for _ in start_of(game).streams]
        widths = [self.instruction, *[self.piece] * self.sizes[0], *cells, Width(1), *streams]
        #: all that comes before the names of blocks: numbers of a fixed width
        self.numbers = struct.Struct("<" + "".join(width.code for width in widths))

    def to_bytes(self, p: Position) -> bytes:
        """The state as bytes: as many for every state of a game. OverflowError where a value has no room."""
        try:
            pieces = (*self._piece_cells(p), *chain.from_iterable(p.known))
            numbers = self.numbers.pack(p.at, *pieces, *p.cells, p.random, *p.streams.values())
        except struct.error as fault:
            raise OverflowError(str(fault)) from None
        slots = [width.write(p.slots[slot]) for slot, width in zip(self.game.state_slots, self.slots, strict=True)]
        return b"".join((numbers, *slots))

    def from_bytes(self, data: bytes) -> Position:
        """The position that bytes stand for, which `to_bytes` made."""
        p, at = start_of(self.game), self.numbers.size
        p.at, *numbers = self.numbers.unpack_from(data)
        pieces, cells = self.sizes
        self._lay_out(p, numbers[:pieces])
        p.cells = numbers[pieces : pieces + cells]
        p.random, *streams = numbers[pieces + cells :]
        p.streams = dict(zip(p.streams, streams, strict=True))
        for slot, width in zip(self.game.state_slots, self.slots, strict=True):
            p.slots[slot] = width.read(data[at : at + width.size])
            at += width.size
        return p

    # ---- pieces ----

    def _cells_of(self, number: int, room: int) -> int:
        """How many cells a place has, in a zone whose largest place has room for so many pieces."""
        place = self.game.places[number]
        return {"slot": 1, "pool": place.kind.count, "stack": 1 + room}[place.shape]

    def _places(self) -> Iterator[tuple[int, int]]:
        """Each place in order, with how many pieces the largest place of its zone has room for."""
        for first, places, room in self.game.zones:
            yield from ((number, room) for number in range(first, first + places))

    def _lay_out(self, p: Position, cells: list[int]) -> None:
        """Lays at every place what its cells say."""
        at = 0
        for number, room in self._places():
            size = self._cells_of(number, room)
            p.zones[number] = self._content(number, cells[at : at + size])
            at += size
        for place in self.game.places:
            p.known[place.number] = tuple(cells[at : at + place.memory])
            at += place.memory

    def _piece_cells(self, p: Position) -> Iterator[int]:
        for number, room in self._places():
            place, codes = self.game.places[number], p.zones[number]
            if place.shape == "slot":
                yield codes[0] + 1 if codes else 0
            elif place.shape == "pool":
                there = Counter(codes)
                yield from (there[code] for code in range(place.kind.count))
            else:
                yield from (len(codes), *(code + 1 for code in codes), *([0] * (room - len(codes))))

    def _content(self, number: int, cells: list[int]) -> tuple[int, ...]:
        shape = self.game.places[number].shape
        if shape == "slot":
            return (cells[0] - 1,) if cells[0] else ()
        if shape == "pool":
            return tuple(code for code, count in enumerate(cells) for _ in range(count))
        return tuple(cell - 1 for cell in cells[1 : 1 + cells[0]])


# ---- slots -----------------------------------------------------------------------------------------------------------


def _of_slot(game: Definition, t: Type) -> Width | Room:
    """How what a name holds is written, by its type."""
    inner = strip(t)
    if isinstance(inner, ListType):
        fields = [of for _, of in inner.of.fields] if isinstance(inner.of, Record) else [inner.of]
        size = max((_of_entry(game, of) for of in fields), default=1)
        return Room(Width(size, signed=True), inner.most, len(fields) if isinstance(inner.of, Record) else None)
    if isinstance(inner, SetType):
        return Width((game.members(inner) + 7) // 8 or 1)
    if isinstance(inner, Integer) and inner.low is not None and inner.high is not None and inner == t:
        return fewest(min(inner.low, 0), max(inner.high, 0))
    return Width(_of_entry(game, t), signed=True)


def _of_entry(game: Definition, t: Type) -> int:
    """How many bytes a value takes, none included."""
    inner = strip(t)
    if isinstance(inner, Boolean):
        return 1
    if isinstance(inner, Member):
        return fewest(-1, game.members(inner) - 1).size
    if isinstance(inner, Integer) and inner.low is not None and inner.high is not None and inner == t:
        return fewest(min(inner.low, -1), inner.high).size
    return 4
