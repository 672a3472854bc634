"""Taking pieces and laying them down where the text does not show the zone: functions of the module itself."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

from interpreter.native.code import Code
from interpreter.native.wasm import I32, E, Fn, Local, both, call, const, load, select

SLOT, POOL, STACK = 0, 1, 2
SHAPES = {"slot": SLOT, "pool": POOL, "stack": STACK}
DESCRIPTION = 24
NEVER_FULL = 2**31 - 1  #: the capacity of a place that has room for all pieces of its kind


def describe(s: Code) -> int:
    """The address of what is known of each place: shape, where its cells lie, how many, its capacity, its codes.

    Last where the list of what each code looks like from behind lies.
    """
    parts: list[bytes] = []
    for zone in s.declared.zones.values():
        for i in range(zone.places):
            base = s.layout.zones[zone.key] + i * s.layout.strides[zone.key]
            at = s.cells.pieces + base * s.cells.piece
            kind = s.declared.pieces[zone.holds]
            holds = zone.capacity[i] if min(zone.capacity) < sum(kind.supply) else NEVER_FULL
            about = SHAPES[zone.shape], at, s.layout.strides[zone.key], holds, kind.count, s.list_data(kind.unseen)
            parts.append(struct.pack("<6i", *about))
    return s.module.data(b"".join(parts) or bytes(DESCRIPTION), 4)


@dataclass(slots=True)
class Place:
    """A place at hand: its shape, the address of its first cell, how many cells, its capacity, its codes."""

    shape: E
    cells: E
    count: E
    capacity: E
    codes: E


def place_at(s: Code, c: E, number: E) -> Place:
    """A place by its number, in a state."""
    about = s.fn.keep(number * DESCRIPTION + describe(s))
    address = s.fn.keep(c + load(about, at=4))
    return Place(load(about), address, load(about, at=8), load(about, at=12), load(about, at=16))


def runtime(
    s: Code,
    name: str,
    params: int,
    make: Callable[[Code, Fn], None],
    *,
    result: int | None = I32,
    kinds: tuple[int, ...] = (),
) -> Fn:
    """A function of the module, written when it is first needed; the first parameter is a state."""
    if name not in s.runtime:
        fn = s.module.function(kinds or [I32] * params, result, name)
        s.runtime[name] = fn
        with s.writing(fn):
            make(s, fn)
    return s.runtime[name]


def read(s: Code, address: E, index: E | int = 0) -> E:
    """A cell of a zone."""
    width = s.cells.piece
    if isinstance(index, int):
        return load(address, width, at=index * width)
    return load(address + index * width, width)


def write(s: Code, address: E, index: E | int, value: E | int) -> None:
    """Fills a cell of a zone."""
    width = s.cells.piece
    if isinstance(index, int):
        s.fn.store(address, value, width, at=index * width)
    else:
        s.fn.store(address + index * width, value, width)


# ---- stacks ---------------------------------------------------------------------------------------------------------


def take_from_stack(s: Code, cells: E, position: E, code: E) -> E:
    """Removes the piece at a position, or the nearest one like it: its code, or -1 where there is none."""
    return call(runtime(s, "take_from_stack", 3, _take_from_stack), cells, position, code)


def _take_from_stack(s: Code, fn: Fn) -> None:
    cells, position, code = fn.params
    count = fn.keep(read(s, cells))
    fn.set(position, find_in_stack(s, cells, position, code))
    with fn.when(position.lt(0)):
        fn.give(-1)
    width = s.cells.piece
    at = fn.keep(cells + (position + 1) * width)
    fn.copy(at, at + width, (count - position - 1) * width)
    write(s, cells, count, 0)
    write(s, cells, 0, count - 1)
    fn.give(code)
    fn.trap()


def find_in_stack(s: Code, cells: E, position: E, code: E) -> E:
    """The position of a piece, or that of the nearest one like it; -1 where there is none."""
    return call(runtime(s, "find_in_stack", 3, _find_in_stack), cells, position, code)


def _find_in_stack(s: Code, fn: Fn) -> None:
    cells, position, code = fn.params
    count, wanted = fn.keep(read(s, cells)), fn.keep(code + 1)
    there = both(position.lt(count), read(s, cells, position + 1).eq(wanted))
    with fn.when(there):
        fn.give(position)
    nearest, apart = fn.keep(-1), fn.keep(1 << 30)
    with fn.count(count) as i:
        far = fn.keep(select(i.ge(position), i - position, position - i))
        with fn.when(both(read(s, cells, i + 1).eq(wanted), far.lt(apart))):
            fn.set(nearest, i)
            fn.set(apart, far)
    fn.give(nearest)
    fn.trap()


def put_on_stack(s: Code, cells: E, code: E, *, bottom: bool) -> None:
    """Lays a piece on top of a stack, or under it."""
    fn, width = s.fn, s.cells.piece
    count = fn.keep(read(s, cells))
    if bottom:
        fn.copy(cells + 2 * width, cells + width, count * width)
        write(s, cells, 1, code + 1)
    else:
        write(s, cells, count + 1, code + 1)
    write(s, cells, 0, count + 1)


# ---- any place ------------------------------------------------------------------------------------------------------


def take(s: Code, ref: E) -> E:
    """Removes a piece and gives its code, or -1 where there is none such."""
    return call(runtime(s, "take", 2, _take), s.c, ref)


def split(s: Code, ref: E) -> tuple[Local, Local, Local]:
    """The place, the position and the code of a piece."""
    rest = s.fn.keep(ref.op("div_u", s.declared.codes))
    code = s.fn.keep(ref.op("rem_u", s.declared.codes))
    return s.fn.keep(rest.op("div_u", s.declared.depth)), s.fn.keep(rest.op("rem_u", s.declared.depth)), code


def _take(s: Code, fn: Fn) -> None:
    c, ref = fn.params
    with fn.when(ref.lt(0)):
        fn.give(-1)
    number, position, code = split(s, ref)
    place = place_at(s, c, number)
    with fn.when(code.ge(place.codes)):
        fn.give(-1)
    with fn.when(place.shape.eq(STACK)):
        fn.give(take_from_stack(s, place.cells, position, code))
    at = fn.keep(select(place.shape.eq(POOL), code, const(0)))
    held = fn.keep(read(s, place.cells, at))
    with fn.when(place.shape.eq(POOL)):
        with fn.when(held.eq(0)):
            fn.give(-1)
        write(s, place.cells, at, held - 1)
    with fn.otherwise():
        with fn.when(held.ne(code + 1)):
            fn.give(-1)
        write(s, place.cells, 0, 0)
    fn.give(code)
    fn.trap()


def amount(s: Code, number: E) -> E:
    """How many pieces lie at a place."""
    return call(runtime(s, "amount", 2, _amount), s.c, number)


def _amount(s: Code, fn: Fn) -> None:
    c, number = fn.params
    place = place_at(s, c, number)
    with fn.when(place.shape.ne(POOL)):
        first = read(s, place.cells)
        fn.give(select(place.shape.eq(SLOT), first.ne(0), first))
    total = fn.keep(0)
    with fn.count(place.count) as i:
        fn.set(total, total + read(s, place.cells, i))
    fn.give(total)
    fn.trap()


def has_room(s: Code, number: E, more: E | int = 1) -> E:
    """Whether a place has room for one more piece, or for so many."""
    return s.named(number, lambda n: (amount(s, n) + more).le(load(n * DESCRIPTION + (describe(s) + 12))))


def put(s: Code, number: E, code: E, bottom: E | int = 0) -> None:
    """Lays a piece down where there is room."""
    s.fn.run(runtime(s, "put", 4, _put, result=None), s.c, number, code, bottom)


def _put(s: Code, fn: Fn) -> None:
    c, number, code, bottom = fn.params
    place = place_at(s, c, number)
    with fn.when(place.shape.eq(STACK)):
        with fn.when(bottom):
            put_on_stack(s, place.cells, code, bottom=True)
        with fn.otherwise():
            put_on_stack(s, place.cells, code, bottom=False)
        fn.give()
    with fn.when(place.shape.eq(POOL)):
        write(s, place.cells, code, read(s, place.cells, code) + 1)
    with fn.otherwise():
        write(s, place.cells, 0, code + 1)


def held(s: Code, ref: E) -> E:
    """How many pieces like this one lie where it lies; none where it is known by its back."""
    return call(runtime(s, "held", 2, _held), s.c, ref)


def _held(s: Code, fn: Fn) -> None:
    c, ref = fn.params
    number, _, code = split(s, ref)
    place = place_at(s, c, number)
    with fn.when(code.ge(place.codes)):
        fn.give(0)
    with fn.when(place.shape.eq(POOL)):
        fn.give(read(s, place.cells, code))
    with fn.when(place.shape.eq(SLOT)):
        fn.give(read(s, place.cells).eq(code + 1))
    total = fn.keep(0)
    with fn.count(read(s, place.cells)) as i:
        fn.set(total, total + read(s, place.cells, i + 1).eq(code + 1))
    fn.give(total)
    fn.trap()


def in_pool(s: Code, ref: E) -> E:
    """Whether a piece lies in a pool, where equal pieces have one number."""
    return load(ref.op("div_u", s.depth_codes) * DESCRIPTION + describe(s)).eq(POOL)


def alike(s: Code, ref: E) -> E:
    """How many pieces like this one lie where it lies: of its back where that is all that is known of it."""
    return call(runtime(s, "alike", 2, _alike), s.c, ref)


def _alike(s: Code, fn: Fn) -> None:
    _, ref = fn.params
    number, _, code = split(s, ref)
    about = fn.keep(number * DESCRIPTION + describe(s))
    with fn.when(code.lt(load(about, at=16))):
        fn.give(held(s, ref))
    backs, top = fn.keep(load(about, at=20)), fn.keep(s.globals.temps)
    codes, total = fn.keep(content(s, number)), fn.keep(0)
    with fn.count(load(codes)) as i:
        fn.set(total, total + load(backs + (load(codes + (i << 2), at=4) << 2), at=4).eq(code))
    fn.set(s.globals.temps, top)
    fn.give(total)
    fn.trap()


# ---- what lies at a place, as a whole -------------------------------------------------------------------------------


def content(s: Code, number: E) -> E:
    """The codes that lie at a place, from the bottom, as a list."""
    s.allocations += 1
    return call(runtime(s, "content", 2, _content), s.c, number)


def _content(s: Code, fn: Fn) -> None:
    c, number = fn.params
    place = place_at(s, c, number)
    size = fn.keep(amount(s, number))
    out = s.allocate((size << 2) + 4)
    fn.store(out, size)
    with fn.when(place.shape.eq(POOL)):
        at = fn.keep(out)
        with fn.count(place.count) as code, fn.count(read(s, place.cells, code)):
            fn.store(at, code, at=4)
            fn.set(at, at + 4)
        fn.give(out)
    first = fn.keep(place.shape.eq(STACK))
    with fn.count(size) as i:
        fn.store(out + (i << 2), read(s, place.cells, i + first) - 1, at=4)
    fn.give(out)
    fn.trap()


def set_content(s: Code, number: E, codes: E) -> None:
    """Replaces what lies at a place."""
    s.fn.run(runtime(s, "set_content", 3, _set_content, result=None), s.c, number, codes)


def _set_content(s: Code, fn: Fn) -> None:
    c, number, codes = fn.params
    place = place_at(s, c, number)
    fn.fill(place.cells, place.count * s.cells.piece)
    with fn.count(load(codes)) as i:
        put(s, number, load(codes + (i << 2), at=4))


def position_of(s: Code, items: E, item: E) -> E:
    """Where an item comes first in a list; -1 where it does not."""

    def made() -> E:
        fn, found = s.fn, s.fn.keep(-1)
        with fn.block() as out, fn.count(load(items)) as i, fn.when(load(items + (i << 2), at=4).eq(item)):
            fn.set(found, i)
            fn.br(out)
        return found

    return s.inline(made)
