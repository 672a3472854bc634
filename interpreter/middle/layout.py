"""Where everything lies in a state: the cells of a game, in order, with what each can hold.

A state is a list of integers (and, in the slots of blocks, tuples of them). In bytes it is as long for
every state of a game: each cell has a fixed width, and a tuple a fixed room.
"""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec.lower.declared import Declared
from rulespec.lower.ir import Program
from rulespec.model.types import Boolean, Integer, ListType, Member, Record, SetType, Type, strip
from rulespec.program.memory import memory_cells, needs_wide_cells, place_cells

PC = 0
#: the cell that holds the cells of all zones, as one array
PIECES = 1


@dataclass(slots=True)
class Layout:
    """Offsets of regions, zones, streams and slots; `size` cells in all.

    The first `lasting` cells are the state. Behind them are slots that only outlive a function of an executor: at a
    decision nobody asks what they hold.
    """

    size: int = 2
    lasting: int = 2
    piece_cells: int = 0
    wide: bool = False
    regions: dict[str, int] = field(default_factory=dict)
    zones: dict[str, int] = field(default_factory=dict)
    strides: dict[str, int] = field(default_factory=dict)
    #: behind the cells of all zones: where what players know of each zone begins, and how many cells each place has
    known: dict[str, int] = field(default_factory=dict)
    known_strides: dict[str, int] = field(default_factory=dict)
    streams: dict[str, int] = field(default_factory=dict)
    slots: dict[int, int] = field(default_factory=dict)
    horizon: int = 0


def lay_out(declared: Declared, program: Program, outlive: frozenset[int]) -> Layout:
    """The layout of a game: the slots of its state, then those others that `outlive` a function."""
    layout = Layout()
    for region in program.regions:
        layout.regions[region.key] = layout.size
        layout.size += region.places
    layout.horizon = layout.size
    layout.size += 1
    for zone in declared.zones.values():
        stride = place_cells(declared, zone)
        layout.zones[zone.key], layout.strides[zone.key] = layout.piece_cells, stride
        layout.piece_cells += stride * zone.places
    layout.known_strides = memory_cells(declared, program)
    for key, cells in layout.known_strides.items():
        layout.known[key] = layout.piece_cells
        layout.piece_cells += cells * declared.zones[key].places
    layout.wide = needs_wide_cells(declared, program)
    for stream in program.streams:
        layout.streams[stream] = layout.size
        layout.size += 1
    for slot in (*program.state_slots, *sorted(outlive - set(program.state_slots))):
        layout.slots[slot] = layout.size
        layout.size += 1
    layout.lasting = layout.size - len(layout.slots) + len(program.state_slots)
    return layout


def no_pieces(layout: Layout) -> bytearray | array[int]:
    """The cells of all zones, empty: one byte each, or two where a count or code needs them."""
    return array("H", bytes(2 * layout.piece_cells)) if layout.wide else bytearray(layout.piece_cells)


def fresh_cells(declared: Declared, program: Program, layout: Layout) -> list[Any]:
    """The cells before set-up: regions and zones at their start, no generator seeded."""
    cells: list[Any] = [0] * layout.size
    cells[PIECES] = pieces = no_pieces(layout)
    for region in program.regions:
        base = layout.regions[region.key]
        cells[base : base + region.places] = region.start
    for slot, cell in layout.slots.items():
        if isinstance(program.slots[slot].type, ListType):
            cells[cell] = ()
    for zone in declared.zones.values():
        for i, codes in enumerate(program.starts.get(zone.key, [])):
            base = layout.zones[zone.key] + i * layout.strides[zone.key]
            for code in codes:
                if zone.shape == "pool":
                    pieces[base + code] += 1
                elif zone.shape == "slot":
                    pieces[base] = code + 1
                else:
                    pieces[base] += 1
                    pieces[base + pieces[base]] = code + 1
    return cells


@dataclass(frozen=True, slots=True)
class Room:
    """How a cell is written as bytes: `width` bytes, signed or not; a tuple has room for `most` entries of `width`.

    `pieces` is how many cells of zones lie here, of `width` bytes each. What does not last is no part of the state: it
    comes last, and is not written.
    """

    width: int
    signed: bool = False
    most: int | None = None
    parts: int = 1
    records: bool = False
    pieces: int | None = None
    lasts: bool = True

    @property
    def size(self) -> int:
        if self.pieces is not None:
            return self.pieces * self.width
        return self.width if self.most is None else 2 + self.most * self.parts * self.width


def width_for(low: int, high: int) -> Room:
    """The fewest bytes that hold every integer from `low` to `high`."""
    for width in (1, 2, 4, 8):
        if low >= 0 and high < 1 << (8 * width):
            return Room(width)
        if low < 0 and -(1 << (8 * width - 1)) <= low and high < 1 << (8 * width - 1):
            return Room(width, signed=True)
    return Room(8, signed=True)


def rooms(declared: Declared, program: Program, layout: Layout) -> tuple[Room, ...]:
    """The room of every cell, in order."""
    found = [width_for(0, len(program.instrs)), Room(2 if layout.wide else 1, pieces=layout.piece_cells)]
    for region in program.regions:
        found += [width_for(region.lowest, region.high)] * region.places
    found.append(Room(1))
    found += [Room(8)] * len(program.streams)
    back = {proc.back: width_for(0, len(program.instrs)) for proc in program.procs}
    state = frozenset(program.state_slots)
    for slot in layout.slots:
        room = back.get(slot) or slot_room(declared, program.slots[slot].type)
        found.append(room if slot in state else replace(room, lasts=False))
    return tuple(found)


def _element_width(declared: Declared, t: Type) -> int:
    """The bytes that a kept value takes, none included."""
    inner = strip(t)
    if isinstance(inner, Boolean):
        return 1
    if isinstance(inner, Member):
        return width_for(-1, declared.domains[inner.domain].size - 1).width
    if isinstance(inner, Integer) and inner.low is not None and inner.high is not None and inner == t:
        return width_for(min(inner.low, -1), inner.high).width
    return 4


def slot_room(declared: Declared, t: Type) -> Room:
    """The room of a block's slot, by its type."""
    inner = strip(t)
    if isinstance(inner, ListType):
        fields = [t for _, t in inner.of.fields] if isinstance(inner.of, Record) else [inner.of]
        width = max((_element_width(declared, t) for t in fields), default=1)
        parts, records = len(fields), isinstance(inner.of, Record)
        return Room(width, signed=True, most=inner.most, parts=parts, records=records)
    if isinstance(inner, SetType):
        return Room((declared.domains[inner.of.domain].size + 7) // 8 or 1)
    if isinstance(inner, Integer) and inner.low is not None and inner.high is not None and inner == t:
        return width_for(min(inner.low, 0), max(inner.high, 0))
    return Room(_element_width(declared, t), signed=True)


class _Codec:
    """Cells to bytes and back: integers all at once, everything else one by one."""

    def __init__(self, rooms_: tuple[Room, ...]):
        self.rooms = rooms_
        lasting = [room for room in rooms_ if room.lasts]
        self._lasting = len(lasting)
        self._empty: list[object] = [0 if room.most is None else () for room in rooms_[len(lasting) :]]
        self._odd = [(n, room) for n, room in enumerate(lasting) if not _is_plain(room)]
        codes = (_CODES[room.signed, room.width] if _is_plain(room) else f"{room.size}s" for room in lasting)
        self._form = struct.Struct("<" + "".join(codes))
        self.size = self._form.size

    def pack(self, cells: list[Any]) -> bytes:
        """OverflowError for an integer that has no room."""
        values = cells[: self._lasting]
        for n, room in self._odd:
            values[n] = _odd_bytes(cells[n], room)
        try:
            return self._form.pack(*values)
        except struct.error as fault:
            raise OverflowError(str(fault)) from None

    def unpack(self, data: bytes) -> list[object]:
        """The cells of as many bytes as there must be."""
        values: list[object] = list(self._form.unpack(data))
        for n, room in self._odd:
            values[n] = _odd_value(values[n], room)  # type: ignore[arg-type]
        return values + self._empty


_CODES = {(s, w): code.lower() if s else code for w, code in ((1, "B"), (2, "H"), (4, "I"), (8, "Q")) for s in (0, 1)}
_CODECS: dict[int, _Codec] = {}
MOST_CODECS = 64


def _is_plain(room: Room) -> bool:
    return room.pieces is None and room.most is None and (room.signed, room.width) in _CODES


def _codec(rooms_: tuple[Room, ...]) -> _Codec:
    """The codec of one game, made once. It holds the rooms, so that their number stays theirs."""
    found = _CODECS.get(id(rooms_))
    if found is None:
        if len(_CODECS) >= MOST_CODECS:
            _CODECS.clear()
        found = _CODECS[id(rooms_)] = _Codec(rooms_)
    return found


def to_bytes(cells: list[Any], rooms_: tuple[Room, ...]) -> bytes:
    """A state's cells as bytes, always as many."""
    return _codec(rooms_).pack(cells)


def _odd_bytes(value: Any, room: Room) -> bytes:
    if room.pieces is not None:
        return _piece_bytes(value, room)
    if room.most is None:
        return int(value).to_bytes(room.width, "little", signed=room.signed)
    return _tuple_bytes(value if isinstance(value, tuple) else (), room)


def _odd_value(chunk: bytes, room: Room) -> object:
    if room.pieces is not None:
        return _pieces_of(chunk, room)
    if room.most is None:
        return int.from_bytes(chunk, "little", signed=room.signed)
    return _tuple_of(chunk, room)


def _piece_bytes(value: object, room: Room) -> bytes:
    if room.width == 1:
        return bytes(value)  # type: ignore[call-overload,no-any-return]
    return b"".join(x.to_bytes(2, "little") for x in value)  # type: ignore[attr-defined]


def _pieces_of(chunk: bytes, room: Room) -> object:
    if room.width == 1:
        return bytearray(chunk)
    return array("H", [int.from_bytes(chunk[i : i + 2], "little") for i in range(0, len(chunk), 2)])


def _tuple_bytes(items: tuple[object, ...], room: Room) -> bytes:
    flat = [part for item in items for part in (item if isinstance(item, tuple) else (item,))]
    body = b"".join(int(x).to_bytes(room.width, "little", signed=True) for x in flat)
    return (len(items).to_bytes(2, "little") + body).ljust(room.size, b"\0")


def from_bytes(data: bytes, rooms_: tuple[Room, ...]) -> list[object]:
    """The cells that bytes stand for; ValueError where they are not a state of this game."""
    codec = _codec(rooms_)
    if len(data) != codec.size:
        raise ValueError(f"a state of this game has {codec.size} bytes, not {len(data)}")
    return codec.unpack(data)


def _tuple_of(chunk: bytes, room: Room) -> object:
    count = int.from_bytes(chunk[:2], "little")
    width = room.width
    body = chunk[2 : 2 + count * room.parts * width]
    flat = [int.from_bytes(body[i : i + width], "little", signed=True) for i in range(0, len(body), width)]
    if not room.records:
        return tuple(flat)
    return tuple(tuple(flat[i : i + room.parts]) for i in range(0, len(flat), room.parts))
