"""What players know of pieces, kept while they are handled, as functions of the module (`reference/memory.py`)."""

from __future__ import annotations

import struct

from interpreter.native import pieces
from interpreter.native.code import Code
from interpreter.native.pieces import POOL, SLOT, STACK, read, runtime, write
from interpreter.native.wasm import E, Fn, Local, both, call, const, load, select
from rulespec.program.memory import seers

#: Where each part of the description of a place lies: where in a state what is known begins (0: nothing is kept), the
#: players who always see fronts and backs, whether everybody sees the last piece of a stack, how many cells.
KNOWN, FRONT, BACK, OPEN_TOP, CELLS = range(0, 20, 4)
DESCRIPTION = 20


def describe(s: Code) -> int:
    """The address of the descriptions of all places."""
    parts: list[bytes] = []
    for zone in s.declared.zones.values():
        cells = s.layout.known_strides.get(zone.key, 0)
        for place in range(zone.places):
            first = s.layout.known[zone.key] + place * cells if cells else 0
            known = s.cells.pieces + first * s.cells.piece if cells else 0
            sides = (seers(zone, place, who, _everybody(s)) for who in (zone.front, zone.back))
            shows_top = zone.front == "top" and zone.shape == "stack"
            parts.append(struct.pack("<5i", known, *sides, shows_top, cells))
    return s.module.data(b"".join(parts) or bytes(DESCRIPTION), 4)


def _everybody(s: Code) -> int:
    return (1 << s.declared.players) - 1


def of_kind(s: Code, kind: str) -> bool:
    """Whether something is kept of pieces of a kind."""
    return any(s.declared.zones[key].holds == kind for key in s.layout.known)


def _about(s: Code, number: E) -> Local:
    return s.fn.keep(number * DESCRIPTION + describe(s))


def _seers(s: Code, about: E, on_top: E) -> E:
    """The players who see the front of a piece."""
    return load(about, at=FRONT) | select(both(load(about, at=OPEN_TOP), on_top), const(_everybody(s)), const(0))


# ---- a piece goes elsewhere -----------------------------------------------------------------------------------------


def carried(s: Code, ref: E, goal: E, bottom: E | int) -> E:
    """Before a piece goes: the players that know it then, as bits; -1 where it is not there."""
    return call(runtime(s, "carried", 4, _carried), s.c, ref, goal, bottom)


def _carried(s: Code, fn: Fn) -> None:
    c, ref, goal, bottom = fn.params
    with fn.when(ref.lt(0)):
        fn.give(-1)
    number, at, code = pieces.split(s, ref)
    here, about = pieces.place_at(s, c, number), _about(s, number)
    shape, on_top = fn.keep(here.shape), fn.keep(0)
    with fn.when(code.ge(here.codes)):
        fn.give(-1)
    with fn.when(shape.eq(STACK)):
        fn.set(at, pieces.find_in_stack(s, here.cells, at, code))
        with fn.when(at.lt(0)):
            fn.give(-1)
        fn.set(on_top, at.eq(read(s, here.cells) - 1))
    with fn.when(shape.eq(POOL)), fn.when(read(s, here.cells, code).eq(0)):
        fn.give(-1)
    with fn.when(shape.eq(SLOT)):
        with fn.when(read(s, here.cells).ne(code + 1)):
            fn.give(-1)
        fn.set(at, 0)
    seen_here = fn.keep(_seers(s, about, on_top))
    lands_on_top = bottom.eq(0) | pieces.amount(s, goal).eq(goal.eq(number))
    seen_there = fn.keep(_seers(s, _about(s, goal), fn.keep(lands_on_top)))
    seen = fn.keep(seen_here | seen_there)
    with fn.when(load(about).eq(0)):
        fn.give(seen)
    known = fn.keep(c + load(about))
    with fn.when(shape.eq(POOL)):
        out = runtime(s, "out_of_pool", 6, _out_of_pool)
        fn.give(seen | call(out, c, number, code, goal, seen_here, seen_there))
    found, width = fn.keep(seen | read(s, known, at)), s.cells.piece
    with fn.when(shape.eq(SLOT)):
        write(s, known, 0, 0)
        fn.give(found)
    count, gap = fn.keep(read(s, here.cells)), fn.keep(known + at * width)
    fn.copy(gap, gap + width, (count - at - 1) * width)
    write(s, known, count - 1, 0)
    with fn.when(both(load(about, at=OPEN_TOP), on_top & at.gt(0))):
        write(s, known, at - 1, 0)
    fn.give(found)
    fn.trap()


def _out_of_pool(s: Code, fn: Fn) -> None:
    """The players that see no piece go and know which one it is; others may know less now."""
    c, number, code, goal, seen_here, seen_there = fn.params
    here, about, there = pieces.place_at(s, c, number), _about(s, number), _about(s, goal)
    backs = fn.keep(load(number * pieces.DESCRIPTION + pieces.describe(s), at=20))
    look, codes = fn.keep(load(backs + (code << 2), at=4)), fn.keep(here.codes)
    like, every, knowing = fn.keep(0), fn.keep(0), fn.keep(0)
    with fn.count(codes) as i:
        held = fn.keep(read(s, here.cells, i))
        fn.set(every, every + held)
        with fn.when(load(backs + (i << 2), at=4).eq(look)):
            fn.set(like, like + held)
    row = fn.keep(c + load(about))
    with fn.count(const(s.declared.players)) as seat:
        bit = fn.keep(const(1) << seat)
        with fn.when((seen_here & bit).eq(0)):
            mine = fn.keep(read(s, row, code))
            back_seen = fn.keep(load(about, at=BACK) & bit)
            with fn.when(seen_there & bit):
                _one_less(s, row, code)
            with fn.otherwise():
                with fn.when(mine.eq(select(back_seen, like, every))):
                    fn.set(knowing, knowing | bit)
                    _one_less(s, row, code)
                with fn.otherwise():
                    limited = fn.keep(back_seen | (load(there, at=BACK) & bit))
                    with fn.count(codes) as i, fn.when(limited.eq(0) | load(backs + (i << 2), at=4).eq(look)):
                        _one_less(s, row, i)
        fn.set(row, row + codes * s.cells.piece)
    fn.give(knowing)
    fn.trap()


def _one_less(s: Code, row: E, code: E) -> None:
    held = s.fn.keep(read(s, row, code))
    with s.fn.when(held):
        write(s, row, code, held - 1)


def arrived(s: Code, goal: E, code: E, knowing: E | int, bottom: E | int) -> None:
    """A piece has been put somewhere just now, and these players know it."""
    s.fn.run(runtime(s, "arrived", 5, _arrived, result=None), s.c, goal, code, knowing, bottom)


def _arrived(s: Code, fn: Fn) -> None:
    c, goal, code, knowing, bottom = fn.params
    about = _about(s, goal)
    with fn.when(load(about).eq(0)):
        fn.give()
    there, known = pieces.place_at(s, c, goal), fn.keep(c + load(about))
    shape, width = fn.keep(there.shape), s.cells.piece
    fn.set(knowing, knowing & (load(about, at=FRONT) ^ -1))
    with fn.when(shape.eq(POOL)):
        codes = fn.keep(there.codes)
        with fn.count(const(s.declared.players)) as seat, fn.when((knowing >> seat) & 1):
            cell = fn.keep(seat * codes + code)
            write(s, known, cell, read(s, known, cell) + 1)
        fn.give()
    with fn.when(shape.eq(SLOT)):
        write(s, known, 0, knowing)
        fn.give()
    last = fn.keep(read(s, there.cells) - 1)
    at = fn.keep(select(bottom, const(0), last))
    with fn.when(load(about, at=OPEN_TOP)):
        with fn.when(both(bottom.eq(0), last.gt(0))):
            write(s, known, last - 1, _everybody(s))  # it is covered now, and everybody has seen it
        with fn.when(at.eq(last)):
            fn.set(knowing, 0)
    with fn.when(bottom):
        fn.copy(known + width, known, last * width)
    write(s, known, at, knowing)


# ---- pieces stay where they are -------------------------------------------------------------------------------------


def turned(s: Code, number: E, at: E, code: E, now: E, *, by_chance: bool = False) -> None:
    """A piece is about to show another face where it lies."""
    if s.layout.known:
        fn = runtime(s, "turned", 6, _turned, result=None)
        s.fn.run(fn, s.c, number, at, code, now, int(by_chance))


def _turned(s: Code, fn: Fn) -> None:
    c, number, at, code, now, by_chance = fn.params
    about = _about(s, number)
    with fn.when(load(about).eq(0)):
        fn.give()
    shape = load(number * pieces.DESCRIPTION + pieces.describe(s))
    with fn.when(shape.ne(POOL)):
        with fn.when(by_chance):
            write(s, fn.keep(c + load(about)), at, 0)
        fn.give()
    knowing = fn.keep(carried(s, number * s.depth_codes + code, number, 0))
    with fn.when(by_chance.eq(0)):
        arrived(s, number, now, knowing, 0)


def all_turned(s: Code, number: E, faces: int, face: E) -> None:
    """All pieces of a place are about to be turned to a face."""
    if s.layout.known:
        s.fn.run(runtime(s, "all_turned", 4, _all_turned, result=None), s.c, number, faces, face)


def _all_turned(s: Code, fn: Fn) -> None:
    """In a pool the counts of all faces of a piece are added up at the new one."""
    c, number, faces, face = fn.params
    about = _about(s, number)
    shape = load(number * pieces.DESCRIPTION + pieces.describe(s))
    with fn.when(load(about).eq(0) | shape.ne(POOL)):
        fn.give()
    known = fn.keep(c + load(about))
    with fn.count(load(about, at=CELLS).op("div_u", faces)):
        total = fn.keep(0)
        with fn.count(faces) as i:
            fn.set(total, total + read(s, known, i))
            write(s, known, i, 0)
        write(s, known, face, total)
        fn.set(known, known + faces * s.cells.piece)


def forgotten(s: Code, number: E) -> None:
    """Nobody knows any more what lies where at a place."""
    if s.layout.known:
        s.fn.run(runtime(s, "forgotten", 2, _forgotten, result=None), s.c, number)


def _forgotten(s: Code, fn: Fn) -> None:
    c, number = fn.params
    about = _about(s, number)
    with fn.when(load(about)):
        fn.fill(c + load(about), load(about, at=CELLS) * s.cells.piece)


# ---- what one player knows ------------------------------------------------------------------------------------------


def is_known(s: Code, number: E, at: E, code: E, before: E, seat: E) -> E:
    """Whether a seat knows the piece at a position; in a pool so many like it stand before it."""
    if not s.layout.known:
        return const(0)
    return call(runtime(s, "is_known", 6, _is_known), s.c, number, at, code, before, seat)


def _is_known(s: Code, fn: Fn) -> None:
    c, number, at, code, before, seat = fn.params
    about = _about(s, number)
    with fn.when(load(about).eq(0)):
        fn.give(0)
    known, here = fn.keep(c + load(about)), pieces.place_at(s, c, number)
    with fn.when(here.shape.eq(POOL)):
        fn.give(before.lt(read(s, known, seat * here.codes + code)))
    fn.give((read(s, known, at) >> seat) & 1)
    fn.trap()


def keep_known(s: Code, number: E, seat: E) -> None:
    """Of what players know of a place only what one of them knows is left."""
    if s.layout.known:
        s.fn.run(runtime(s, "keep_known", 3, _keep_known, result=None), s.c, number, seat)


def _keep_known(s: Code, fn: Fn) -> None:
    c, number, seat = fn.params
    about = _about(s, number)
    with fn.when(load(about).eq(0)):
        fn.give()
    known, here = fn.keep(c + load(about)), pieces.place_at(s, c, number)
    codes, shape = fn.keep(here.codes), fn.keep(here.shape)
    with fn.count(load(about, at=CELLS)) as i:
        held = read(s, known, i)
        own = select(i.op("div_u", codes).eq(seat), held, const(0))
        write(s, known, i, select(shape.eq(POOL), own, held & (const(1) << seat)))
