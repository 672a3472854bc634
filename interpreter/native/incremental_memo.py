"""Values of functions that follow a way through zones, kept in the module's memory until a cell that they read changes.

`interpreter.middle.analysis.memoised` says for which functions that is worth while. Which cells
a value was made of is noted while it is found, by a version of the function that notes what it reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from interpreter.middle.analysis import memoised as worth
from interpreter.middle.analysis.cost import NOTABLE
from interpreter.native.code import Code
from interpreter.native.wasm import I32, I64, E, Fn, Local, call, const, const64, load
from rulespec.lower.declared import Declared

UNKNOWN = -(1 << 31) + 1
MOST_NOTES = 1 << 14


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the values of one function lie, the cells that they were made of, and who read which of them.

    Where a value may be much `work` (else 0), looking at what is kept counts as much as finding it did.
    """

    values: int
    work: int
    size: int
    now: int
    readers: int
    words: int
    first: int
    cells: int


def kept_functions(s: Code) -> dict[str, tuple[str, ...]]:
    """The functions whose values are kept, each with the zones that it reads: slots alone."""
    if s.cells.piece != 1:
        return {}
    return {
        name: zones
        for name, zones in worth.worth_keeping(s.declared).items()
        if all(s.declared.zones[z].shape == "slot" for z in zones) and _is_number(s, s.declared, name)
    }


def _is_number(s: Code, declared: Declared, name: str) -> bool:
    returns = declared.functions[name].returns
    return returns is not None and s.is_scalar(returns)


def _made(s: Code, name: str, zones: tuple[str, ...]) -> Kept:
    declared = [s.declared.zones[zone] for zone in zones]
    first = min(s.layout.zones[z.key] for z in declared)
    end = max(s.layout.zones[z.key] + z.places for z in declared)
    cells = (end - first + 7) // 8 * 8
    size = prod(worth.sizes_of(s.declared, name))
    words = (size + 63) // 64
    room = s.module.room
    # all cells begin as no cell ever is, so that the first question finds nothing known
    work = room(4 * size, 8) if s.costs.function(name) >= NOTABLE else 0
    return Kept(room(4 * size, 8), work, size, room(cells, 8), room(8 * words * cells, 8), words, first, end - first)


def write_kept(s: Code, name: str, zones: tuple[str, ...]) -> None:
    """The function that looks at what is kept first."""
    k = _made(s, name, zones)
    fn = s.functions[name]
    begun = s.module.global_()
    with s.writing(fn):
        with fn.when(begun.eq(0)):
            fn.set(begun, 1)
            with fn.count(k.size) as i:
                fn.store((i << 2) + k.values, UNKNOWN)
        cells = fn.keep(s.c + (s.cells.pieces + k.first))
        with fn.when(_differ(cells, k)):
            fn.run(_refresh(s, name, k), cells)
        number: E = fn.params[1]
        for param, size in zip(fn.params[2:], worth.sizes_of(s.declared, name)[1:], strict=True):
            number = number * size + param
        at = fn.keep(number)
        value = fn.keep(load((at << 2) + k.values))
        with fn.when(value.eq(UNKNOWN)):
            _find(s, name, k, at, value)
        if k.work:
            with fn.otherwise():
                s.count(load((at << 2) + k.work))
        fn.give(value)
        fn.trap()


def _differ(cells: Local, k: Kept) -> E:
    """Whether the cells are others than those that were seen last."""
    found: E = const64(0)
    at = 0
    for width in (8, 4, 2, 1):
        while k.cells - at >= width:
            one, other = load(cells, width, at=at, kind=I64), load(const(k.now), width, at=at, kind=I64)
            found = (one ^ other) if not at else found | (one ^ other)
            at += width
    return found.ne(0)


def _refresh(s: Code, name: str, k: Kept) -> Fn:
    """Forgets the values that were made of cells that are no longer as they were."""
    fn = s.module.function((I32,), None, f"refresh {name}")
    with s.writing(fn):
        (cells,) = fn.params
        at = fn.keep(0)
        with fn.forever() as (done, again):
            fn.br_if(done, at.ge(k.cells))
            with fn.when((at + 8).le(k.cells)):
                same = load(cells + at, 8, kind=I64).eq(load(at + k.now, 8, kind=I64))
                with fn.when(same):
                    fn.set(at, at + 8)
                    fn.br(again)
            with fn.when(load(cells + at, 1).ne(load(at + k.now, 1))):
                fn.store(at + k.now, load(cells + at, 1), 1)
                _forget(fn, k, at)
            fn.set(at, at + 1)
    return fn


def _forget(fn: Fn, k: Kept, cell: E) -> None:
    rest = fn.local(I64)
    with fn.count(k.words) as w:
        at = fn.keep((cell * k.words + w << 3) + k.readers)
        fn.set(rest, load(at, 8, kind=I64))
        fn.store(at, 0, 8)
        with fn.block() as out, fn.loop() as again:
            fn.br_if(out, rest.eq(0))
            number = rest.unary("ctz").narrow() + (w << 6)
            fn.store((number << 2) + k.values, UNKNOWN)
            fn.set(rest, rest & (rest - 1))
            fn.br(again)


def _find(s: Code, name: str, k: Kept, number: E, value: Local) -> None:
    """Finds a value, and notes for each cell that was read that it was read for this value."""
    fn = s.fn
    fn.set(s.globals.notes, notes_room(s))
    before = fn.keep(s.globals.work)
    fn.set(value, call(s.function(name, noting=True), *fn.params))
    if k.work:
        fn.store((number << 2) + k.work, s.globals.work - before)
    at = fn.keep(notes_room(s))
    bit = fn.keep(const64(1) << (number & 63).wide())
    with fn.forever() as (done, _):
        fn.br_if(done, at.op("ge_u", s.globals.notes))
        reader = fn.keep(((load(at) - k.first) * k.words + (number >> 6) << 3) + k.readers)
        fn.store(reader, load(reader, 8, kind=I64) | bit, 8)
        fn.set(at, at + 4)
    fn.store((number << 2) + k.values, value)


def notes_room(s: Code) -> int:
    """Where it is noted which cells are read."""
    if not s.notes:
        s.notes = s.module.room(4 * MOST_NOTES)
    return s.notes


def note(s: Code, cell: E) -> None:
    """Notes that a cell is read."""
    fn = s.fn
    s.bail_if(s.globals.notes.op("ge_u", notes_room(s) + 4 * MOST_NOTES), "memory")
    fn.store(s.globals.notes, cell)
    fn.set(s.globals.notes, s.globals.notes + 4)
