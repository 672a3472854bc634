"""Lists, records and what both lists and sets can do.

A list is the address of a number (how many) and its members, each of as many numbers as a record has fields; 0 is none.
A record is the address of its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.middle.layout import Room
from interpreter.native import sets
from interpreter.native.code import WORD, Code, NotCompiled
from interpreter.native.pieces import position_of
from interpreter.native.wasm import I64, E, Local, both, choose, const, const64, load, select
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import Ir
from rulespec.model.types import ListType, Piece, Record, SetType, Type, Zone, strip

MOST_LISTED = 100_000
MOST_ZEROS = 256  #: bytes that are emptied piece by piece


def constant(s: Code, value: Any, t: Type) -> E:
    """A constant of a type."""
    inner = strip(t)
    if isinstance(inner, SetType):
        members = s.members_of(inner)
        return const64(int(value)) if members <= WORD else const(s.set_data(max(int(value), 0), members))
    if isinstance(value, tuple):
        return const(s.list_data(value))
    if isinstance(inner, ListType):
        return const(s.list_data(()) if value == 0 else 0)
    return const(int(value))


def as_type(s: Code, node: Ir, t: Type) -> E:
    """An expression as a value of a type: none and the empty list have no type of their own."""
    if isinstance(node, I.Const):
        return constant(s, node.value, t if not isinstance(node.value, tuple) else node.type)
    inner, own = strip(t), strip(node.type)
    if isinstance(inner, ListType) and isinstance(own, (SetType, Zone)):
        return as_list(s, node)
    if s.kind(t) != s.kind(node.type) or isinstance(inner, SetType) != isinstance(own, SetType):
        raise NotCompiled(f"a {node.type} as a {t}")
    return s.ex(node)


# ---- names of blocks ------------------------------------------------------------------------------------------------


def slot(s: Code, number: int) -> E:
    """What a name of the running block holds."""
    if number in s.temps:
        return bound(s, number)
    cell = s.layout.slots[number]
    t = strip(s.slot_types[number])
    if isinstance(t, ListType):
        return read_list(s, cell)
    if isinstance(t, SetType):
        at, width = s.cells.offsets[cell], s.cells.rooms[cell].width
        return s.wide(s.c, at, width) if s.kind(t) == I64 else sets.read(s, at, width)
    return s.cell(cell)


def bound(s: Code, number: int) -> Local:
    """The variable of a name that lives within one function."""
    if number not in s.bound:
        s.bound[number] = s.fn.local(s.kind(s.slot_types[number]))
    return s.bound[number]


def read_list(s: Code, cell: int) -> E:
    """A list of the state, written out."""
    room, at = s.cells.rooms[cell], s.cells.offsets[cell]
    assert room.most is not None

    def made() -> E:
        found = s.allocate(4 + 4 * room.most * room.parts)  # type: ignore[operator]
        amount = s.fn.keep(load(s.c, 2, at=at))
        s.fn.store(found, amount)
        with s.fn.count(amount * room.parts) as i:
            value = load(s.c + i * room.width, room.width, at=at + 2, signed=True)
            s.fn.store(found + i * 4, value, at=4)
        return found

    return s.inline(made)


def write_list(s: Code, cell: int, value: E) -> None:
    """Fills a list of the state; what is not used is zero."""
    room, at, fn = s.cells.rooms[cell], s.cells.offsets[cell], s.fn
    assert room.most is not None
    if value.value is not None and value.value == s.list_data(()):
        zero(s, at, room.size)
        return
    source = fn.keep(value)
    amount = fn.keep(load(source))
    s.bail_if(amount.gt(room.most), "cells")
    before = fn.keep(load(s.c, 2, at=at))
    fn.store(s.c, amount, 2, at=at)
    with fn.count(amount * room.parts) as i:
        fn.store(s.c + i * room.width, load(source + i * 4, at=4), room.width, at=at + 2)
    zero_behind(s, at, amount, before, room)


def zero_behind(s: Code, at: int, amount: E, before: E, room: Room) -> None:
    """Empties what a list of the state has had more before: all else behind it is zero already."""
    size = room.parts * room.width
    with s.fn.when(before.gt(amount)):
        s.fn.fill(s.c + at + 2 + amount * size, (before - amount) * size)


def store_slot(s: Code, number: int, value: E) -> None:
    """Fills a name of the running block."""
    if number in s.temps:
        s.fn.set(bound(s, number), value)
        return
    cell = s.layout.slots[number]
    t = strip(s.slot_types[number])
    if isinstance(t, ListType):
        write_list(s, cell, value)
    elif isinstance(t, SetType) and s.kind(t) != I64:
        sets.write(s, s.cells.offsets[cell], s.cells.rooms[cell].width, value)
    else:
        s.set_cell(cell, value)


def empty_slot(s: Code, number: int) -> None:
    """Empties a name of the running block, if the state has it."""
    if number in s.layout.slots:
        empty_cells(s, [s.layout.slots[number]])


def empty_cells(s: Code, cells: list[int]) -> None:
    """Empties cells: at once where they lie side by side."""
    at = 0
    cells = sorted(cells)
    while at < len(cells):
        end = at + 1
        while end < len(cells) and cells[end] == cells[end - 1] + 1:
            end += 1
        start = s.cells.offsets[cells[at]]
        size = s.cells.offsets[cells[end - 1]] + s.cells.rooms[cells[end - 1]].size - start
        zero(s, start, size)
        at = end


def zero(s: Code, start: int, size: int) -> None:
    """Writes zeros over bytes of the state."""
    if size > MOST_ZEROS:
        s.fn.fill(s.c + start, size)
        return
    for width in (8, 4, 2, 1):
        while size >= width:
            s.fn.store(s.c, 0, width, at=start)
            start, size = start + width, size - width


# ---- making lists ---------------------------------------------------------------------------------------------------


def room_for(s: Code, source: Ir) -> int:
    """How many members a list made of a source may have."""
    most = s.costs.length(source) if not isinstance(source, I.Whole) else source.size
    if isinstance(source, I.ZoneRead):
        most = s.costs.length(source.zone)
    if most > MOST_LISTED:
        raise NotCompiled("very long lists")
    return most


def as_list(s: Code, source: Ir) -> E:
    """The members of a source as a list."""
    from interpreter.native.passes import each

    t = strip(source.type)
    if isinstance(t, ListType) and not isinstance(source, I.ZoneRead):
        return s.ex(source)

    def made() -> E:
        out = s.allocate(4 + 4 * room_for(s, source))
        at = s.fn.keep(out)
        with each(s, source) as item, item.times(s):
            s.fn.store(at, item.value, at=4)
            s.fn.set(at, at + 4)
        s.fn.store(out, (at - out) >> 2)
        return out

    return s.inline(made)


def range_list(s: Code, n: I.RangeIr) -> E:
    """The integers from one to another."""
    most = room_for(s, n)

    def made() -> E:
        low, high = s.fn.keep(s.scalar(n.low)), s.fn.keep(s.scalar(n.high))
        size = s.fn.keep(select(high.ge(low), high - low + 1, const(0)))
        s.bail_if(size.gt(most), "cells")
        out = s.allocate(4 + 4 * most)
        s.fn.store(out, size)
        with s.fn.count(size) as i:
            s.fn.store(out + i * 4, low + i, at=4)
        return out

    return s.inline(made)


def list_of(s: Code, n: I.ListIr) -> E:
    """A list of some items, or a record of them."""
    head = 0 if isinstance(strip(n.type), Record) else 4
    if all(isinstance(i, I.Const) and isinstance(i.value, int) for i in n.items) and head:
        return const(s.list_data(tuple(i.value for i in n.items)))  # type: ignore[attr-defined]

    parts = s.parts(n.type) if head else 1

    def made() -> E:
        out = s.allocate(head + 4 * len(n.items) * parts)
        if head:
            s.fn.store(out, len(n.items))
        for i, item in enumerate(n.items):
            at = head + 4 * i * parts
            if not head or not s.has_records(n):
                s.fn.store(out, s.scalar(item), at=at)
            else:
                s.fn.copy(out + at, s.ex(item), 4 * parts)
        return out

    return s.inline(made)


def whole(s: Code, n: I.Whole) -> E:
    """All members of a kind: a set, or a list where a list is wanted."""
    if isinstance(strip(n.type), ListType):
        return const(s.list_data(tuple(range(n.size))))
    return const64((1 << n.size) - 1) if n.size <= WORD else const(s.set_data((1 << n.size) - 1, n.size))


def join(s: Code, n: I.Join) -> E:
    """One list behind another; or all members of two sets."""
    t = strip(n.type)
    if isinstance(t, SetType):
        a, b = as_type(s, n.left, t), as_type(s, n.right, t)
        return a | b if s.kind(t) == I64 else sets.union(s, a, b, s.members_of(t))
    parts = s.parts_of(n)

    def made() -> E:
        lists = [s.fn.keep(as_list(s, part)) for part in (n.left, n.right)]
        first, second = (s.fn.keep(load(each) * (4 * parts)) for each in lists)
        out = s.allocate(first + second + 4)
        s.fn.store(out, load(lists[0]) + load(lists[1]))
        s.fn.copy(out + 4, lists[0] + 4, first)
        s.fn.copy(out + 4 + first, lists[1] + 4, second)
        return out

    return s.inline(made)


def drop(s: Code, n: I.Drop) -> E:
    """A list without the first item like this one, or a set without a member."""
    t = strip(n.type)
    if isinstance(t, SetType):
        item = s.scalar(n.item)
        if s.kind(t) == I64:
            return s.ex(n.items) & ((const64(1) << item.wide()) ^ -1)
        return sets.without(s, s.ex(n.items), item, s.members_of(t))
    assert isinstance(t, ListType)
    if s.has_records(n):
        raise NotCompiled("a list of records without one of them")
    return s.inline(lambda: dropped(s, as_list(s, n.items), s.scalar(n.item), isinstance(t.of, Piece)))


def dropped(s: Code, items: E, item: E, pieces: bool) -> E:
    """The list without an item: of pieces the same one, else the first one just like it."""
    fn = s.fn
    source, wanted = fn.keep(items), fn.keep(item)
    size = fn.keep(load(source))
    at = fn.keep(position_of(s, source, wanted))
    if pieces:
        with fn.when(at.lt(0)), fn.block() as out, fn.count(size) as i:
            same = (load(source + i * 4, at=4).op("rem_u", s.declared.codes)).eq(wanted.op("rem_u", s.declared.codes))
            with fn.when(same):
                fn.set(at, i)
                fn.br(out)
    copy = s.allocate(size * 4 + 4)
    fn.copy(copy, source, size * 4 + 4)
    with fn.when(at.ge(0)):
        fn.store(copy, size - 1)
        fn.copy(copy + at * 4 + 4, source + at * 4 + 8, (size - at - 1) * 4)
    return copy


def clockwise(s: Code, n: I.Clockwise) -> E:
    """All players in order, from one of them."""
    every = [s.list_data(tuple((i + k) % n.size for k in range(n.size))) for i in range(n.size)]
    return s.entry([*every, 0], s.scalar(n.start))


# ---- reading lists and sets -----------------------------------------------------------------------------------------


def contains(s: Code, n: I.Contains) -> E:
    """Whether an item is in a list, a set, a range or a zone."""
    from interpreter.native.passes import each

    t = strip(n.items.type)
    if isinstance(n.items, I.Table) and n.items.table.endswith(".items"):
        bits = n.items.table.removesuffix("items") + "bits"
        return sets.in_table(s, s.declared.table(bits), s.scalar(n.items.index), s.scalar(n.item))
    if isinstance(t, SetType):
        return sets.has(s, s.ex(n.items), s.scalar(n.item))
    if isinstance(n.items, I.ListIr):
        return _among(s, s.scalar(n.item), [s.scalar(i) for i in n.items.items])
    if isinstance(n.items, I.RangeIr):
        low, high = s.scalar(n.items.low), s.scalar(n.items.high)
        return s.named(s.scalar(n.item), lambda x: x.ge(low) & x.le(high))

    def made() -> E:
        wanted, found = s.fn.keep(s.scalar(n.item)), s.fn.keep(0)
        with s.fn.block() as out, each(s, n.items) as item, s.fn.when(_like(s, n, item).eq(wanted)):
            s.fn.set(found, 1)
            s.fn.br(out)
        return found

    return s.inline(made)


def _like(s: Code, n: I.Contains, item: Any) -> E:
    """What is compared: of pieces their codes, in a zone without the face."""
    t = strip(n.items.type)
    code: E = item.code
    value: E = item.value
    if isinstance(t, Zone):
        faces = len(s.declared.pieces[s.declared.zones[t.key].holds].faces)
        return s.named(code, lambda k: k - k.op("rem_u", faces)) if faces > 1 else code
    if isinstance(t, ListType) and isinstance(t.of, Piece):
        return value.op("rem_s", s.declared.codes)
    return value


def _among(s: Code, item: E, others: list[E]) -> E:
    if not others:
        return const(0)

    def test(x: E) -> E:
        found = x.eq(others[-1])
        for other in reversed(others[:-1]):
            found = x.eq(other) | found if other.value is not None else choose(x.eq(other), const(1), found)
        return found

    return s.named(item, test)


def of_set(s: Code, n: I.ItemAt) -> E:
    """A reading of a set."""
    t = strip(n.items.type)
    assert isinstance(t, SetType)
    return sets.read_of(s, n.what, s.ex(n.items), s.members_of(t))


def field(s: Code, n: I.ItemAt) -> E:
    """A field of a record."""
    return load(s.ex(n.items), at=4 * n.at)


def item(s: Code, n: I.ItemAt, none: int) -> E:
    """A reading of a list."""
    direct = _in_state(s, n.items)
    if direct is not None:
        at, room = direct
        amount = load(s.c, 2, at=at)
        width = room.width
        return _item_of(s, n, none, amount, lambda i: load(s.c + i * width, width, at=at + 2, signed=True))
    source = as_list(s, n.items)
    parts = s.parts_of(n.items)
    if s.has_records(n.items) and n.what not in ("count", "empty"):
        return _record_of(s, n, source, parts)
    if n.what == "count":
        return load(source)
    if n.what == "empty":
        return load(source).eq(0)
    return s.named(source, lambda x: _item_of(s, n, none, load(x), lambda i: load(x + i * 4, at=4)))


def _in_state(s: Code, node: Ir) -> tuple[int, Room] | None:
    """Where a list lies in the state, if it is one that lies there."""
    if not isinstance(node, I.Local) or node.slot not in s.layout.slots or node.slot in s.temps:
        return None
    cell = s.layout.slots[node.slot]
    room = s.cells.rooms[cell]
    return (s.cells.offsets[cell], room) if room.most is not None and not room.records else None


def _item_of(s: Code, n: I.ItemAt, none: int, amount: E, member: Callable[[E], E]) -> E:
    if n.what in ("count", "empty"):
        return amount if n.what == "count" else amount.eq(0)
    if n.what == "at" and n.index is not None:
        index = s.scalar(n.index)
        if strip(n.type) == n.type:  # an index that is known to be inside; Python counts one below 0 from the end
            return s.named(index, member)
        return s.named(index, lambda i: choose(i.below(amount), member(i), const(none)))
    if n.what == "last":
        return s.named(amount, lambda k: choose(k, member(k - 1), const(none)))
    return choose(amount, member(const(0)), const(none))


def _record_of(s: Code, n: I.ItemAt, source: E, parts: int) -> E:
    """A record in a list: its address; 0 is none."""

    def found(x: E) -> E:
        if n.what == "at" and n.index is not None:
            return s.named(s.scalar(n.index), lambda i: select(i.below(load(x)), x + 4 + i * (4 * parts), const(0)))
        last = x + 4 + (load(x) - 1) * (4 * parts)
        return select(load(x), x + 4 if n.what == "first" else last, const(0))

    return s.named(source, found)


# ---- comparing ------------------------------------------------------------------------------------------------------


def compare(s: Code, n: I.Compare) -> E:
    """Whether two lists or two sets are equal, or one is none."""
    if n.op not in ("==", "!="):
        raise NotCompiled("lists in order")
    t = n.left.type if not isinstance(n.left, I.Const) else n.right.type
    a, b = as_type(s, n.left, t), as_type(s, n.right, t)
    inner = strip(t)
    if isinstance(inner, SetType):
        same = a.eq(b) if s.kind(t) == I64 else sets.equal(s, a, b, s.members_of(inner))
    elif isinstance(inner, ListType):
        same = _equal(s, a, b, s.parts(inner))
    else:
        raise NotCompiled("records compared")
    return same if n.op == "==" else same.no()


def _equal(s: Code, a: E, b: E, parts: int) -> E:
    def made() -> E:
        fn = s.fn
        one, other = fn.keep(a), fn.keep(b)
        same = fn.keep(one.eq(other))
        with fn.when(both(same.no(), both(one, both(other, load(one).eq(load(other)))))):
            fn.set(same, 1)
            with fn.block() as out, fn.count(load(one) * parts) as i:
                fn.set(same, load(one + i * 4, at=4).eq(load(other + i * 4, at=4)))
                fn.br_if(out, same.no())
        return same

    return s.inline(made)
