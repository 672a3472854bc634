"""Readings of zones: how many pieces, whether any, which one."""

from __future__ import annotations

from interpreter.native.code import Code, NotCompiled
from interpreter.native.incremental_memo import note
from interpreter.native.wasm import E, choose, const, load, select
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Kind, Zone
from rulespec.lower.ir import Ir
from rulespec.model.types import strip

UNROLLED = 8


def parts(s: Code, zone: Ir) -> tuple[Zone, Ir]:
    """The declaration of a zone and the place that is meant."""
    if not isinstance(zone, I.ZoneIr):
        raise NotCompiled("zones kept in names")
    return s.declared.zones[zone.zone], zone.place


def kind_of(s: Code, decl: Zone) -> Kind:
    """The kind of pieces that a zone holds."""
    return s.declared.pieces[decl.holds]


def where_at(s: Code, decl: Zone, place: E) -> tuple[E, int]:
    """Where the first cell of a place lies: an address and how far behind it."""
    width = s.cells.piece
    first = s.cells.pieces + s.layout.zones[decl.key] * width
    step = s.layout.strides[decl.key] * width
    if s.noting:
        place = _noted(s, decl, place)
    if place.value is not None:
        return s.c, first + step * place.value
    return s.c + place * step, first


def _noted(s: Code, decl: Zone, place: E) -> E:
    """A place of which it is noted that it is read."""

    def made() -> E:
        here = s.fn.keep(place)
        note(s, here * s.layout.strides[decl.key] + s.layout.zones[decl.key])
        return here

    return s.inline(made)


def where(s: Code, zone: Ir) -> tuple[E, int]:
    """As `where_at`, of a zone of an expression."""
    decl, place = parts(s, zone)
    return where_at(s, decl, s.scalar(place))


def empty(s: Code, zone: Ir) -> E:
    """Whether a place holds nothing."""
    decl, _ = parts(s, zone)
    address, at = where(s, zone)
    if decl.shape == "pool":
        if shadowed(s, decl.key):
            return _sum_of_shadowed(s, zone, decl).eq(0)
        return s.named(address, lambda a: sum_of(s, a, at, kind_of(s, decl).count, joined=True).eq(0))
    return _cell(s, zone, decl, address, at).eq(0)


def shadowed(s: Code, key: str) -> bool:
    """Whether steps would have written to a zone (see `dry`)."""
    return s.shadow is not None and (key in s.shadow.slots or key in s.shadow.pools)


def _cell(s: Code, zone: Ir, decl: Zone, address: E, at: int) -> E:
    """The first cell of a place, as it would be."""
    found = load(address, s.cells.piece, at=at)
    if s.shadow is None or decl.key not in s.shadow.slots:
        return found
    written = s.shadow.slots[decl.key]

    def made(here: E) -> E:
        value = found
        for place, held in written:
            value = select(place.eq(here), held, value)
        return value

    return s.named(s.scalar(parts(s, zone)[1]), made)


def _pool_cells(s: Code, zone: Ir, decl: Zone, here: E) -> list[E]:
    """The cells of a pool, as they would be."""
    address, at = where_at(s, decl, here)
    width = s.cells.piece
    assert s.shadow is not None
    found: list[E] = []
    for code in range(kind_of(s, decl).count):
        value = load(address, width, at=at + code * width)
        for place, which, change in s.shadow.pools[decl.key]:
            value = value + (place.eq(here) & which.eq(code)) * change
        found.append(value)
    return found


def _sum_of_shadowed(s: Code, zone: Ir, decl: Zone) -> E:
    def made(here: E) -> E:
        cells = _pool_cells(s, zone, decl, here)
        total = cells[0]
        for cell in cells[1:]:
            total = total + cell
        return total

    return s.named(s.scalar(parts(s, zone)[1]), made)


def sum_of(s: Code, address: E, at: int, count: int, *, joined: bool = False) -> E:
    """The sum of some cells side by side; joined, something that is zero where all of them are."""
    width = s.cells.piece
    if count <= UNROLLED:
        total = load(address, width, at=at)
        for i in range(1, count):
            cell = load(address, width, at=at + i * width)
            total = total | cell if joined else total + cell
        return total

    def made() -> E:
        fn = s.fn
        found, here = fn.keep(0), fn.keep(address)
        with fn.count(count):
            cell = load(here, width, at=at)
            fn.set(found, found | cell if joined else found + cell)
            fn.set(here, here + width)
        return found

    return s.inline(made)


def amount(s: Code, zone: Ir) -> E:
    """How many pieces lie at a place."""
    decl, _ = parts(s, zone)
    address, at = where(s, zone)
    if decl.shape == "pool":
        if shadowed(s, decl.key):
            return _sum_of_shadowed(s, zone, decl)
        return s.named(address, lambda a: sum_of(s, a, at, kind_of(s, decl).count))
    cell = _cell(s, zone, decl, address, at)
    return cell if decl.shape == "stack" else cell.ne(0)


def capacity(s: Code, zone: Ir) -> E:
    """How many pieces a place holds."""
    decl, place = parts(s, zone)
    if len(set(decl.capacity)) == 1:
        return const(decl.capacity[0])
    return s.entry([*decl.capacity, 0], s.scalar(place))


def read_code(s: Code, n: I.ZoneRead) -> E:
    """The code of the piece that is read, or -1."""
    decl, _ = parts(s, n.zone)
    address, at = where(s, n.zone)
    width = s.cells.piece
    if decl.shape == "slot":
        return _cell(s, n.zone, decl, address, at) - 1
    if decl.shape == "pool" and shadowed(s, decl.key):
        return s.named(s.scalar(parts(s, n.zone)[1]), lambda here: _first_of(_pool_cells(s, n.zone, decl, here)))
    if decl.shape == "stack":
        if n.what != "top":
            return load(address, width, at=at + width) - 1
        return s.named(address, lambda a: _top(s, a, at))
    return s.named(address, lambda a: _first_in_pool(s, a, at, kind_of(s, decl).count))


def read_cell(s: Code, n: I.ZoneRead) -> E:
    """The code of the piece that is read, plus one: 0 for none, as the cell of a slot holds it."""
    decl, _ = parts(s, n.zone)
    if decl.shape == "slot":
        return _cell(s, n.zone, decl, *where(s, n.zone))
    return read_code(s, n) + 1


def _top(s: Code, address: E, at: int) -> E:
    width = s.cells.piece

    def found(held: E) -> E:
        return choose(held, load(address + held * width, width, at=at) - 1, const(-1))

    return s.named(load(address, width, at=at), found)


def _first_of(cells: list[E]) -> E:
    found = const(-1)
    for i in range(len(cells) - 1, -1, -1):
        found = select(cells[i], const(i), found)
    return found


def _first_in_pool(s: Code, address: E, at: int, count: int) -> E:
    width = s.cells.piece
    if count <= 4:
        return _first_of([load(address, width, at=at + i * width) for i in range(count)])

    def made() -> E:
        fn = s.fn
        code, here = fn.keep(-1), fn.keep(address)
        with fn.block() as out, fn.count(count) as i, fn.when(load(here + i * width, width, at=at)):
            fn.set(code, i)
            fn.br(out)
        return code

    return s.inline(made)


def code_of(s: Code, piece: Ir) -> E:
    """The code of a piece; none stays none."""
    if isinstance(piece, I.Var) and piece.name in s.codes_of:
        return s.codes_of[piece.name]
    if isinstance(piece, I.ZoneRead):
        return read_code(s, piece)
    value = s.scalar(piece)
    if strip(piece.type) == piece.type:
        return value.op("rem_u", s.declared.codes)
    return s.named(value, lambda p: choose(p.ge(0), p.op("rem_u", s.declared.codes), const(-1)))


def read(s: Code, n: I.ZoneRead) -> E:
    """A reading of a place: how many, whether empty or full, or which piece."""
    from interpreter.native.lists import as_list

    if n.what == "all":
        return as_list(s, n)
    if n.what == "count":
        return amount(s, n.zone)
    if n.what == "empty":
        return empty(s, n.zone)
    if n.what == "full":
        return amount(s, n.zone).ge(capacity(s, n.zone))
    decl, place = parts(s, n.zone)
    start = (s.scalar(place) + decl.first) * s.depth_codes
    if decl.shape == "stack" and n.what == "top":
        start = start + (amount(s, n.zone) - 1) * s.declared.codes
    return s.named(read_code(s, n), lambda k: choose(k.ge(0), start + k, const(-1)))


def take(s: Code, n: I.TakeIr) -> E:
    """A list of the first pieces of a place, of a stack from the top; none where there are fewer."""
    from interpreter.native.lists import as_list

    decl, _ = parts(s, n.zone)
    whole = I.ZoneRead(type=n.type, what="all", zone=n.zone)

    def made() -> E:
        fn = s.fn
        items, wanted = fn.keep(as_list(s, whole)), fn.keep(s.scalar(n.amount))
        found, held = fn.keep(0), fn.keep(load(items))
        with fn.when(held.ge(wanted)):
            fn.set(wanted, select(wanted.lt(0), const(0), wanted))
            if decl.shape == "stack":
                fn.set(found, s.allocate((wanted << 2) + 4))
                with fn.count(wanted) as i:
                    fn.store(found + (i << 2), load(items + ((held - 1 - i) << 2), at=4), at=4)
            else:
                fn.set(found, items)
            fn.store(found, wanted)
        return found

    return s.inline(made)
