"""What players know of pieces, kept while they are handled, as functions of the module (`reference/memory.py`)."""

from __future__ import annotations

import struct

from interpreter.native import pieces
from interpreter.native.code import Code
from interpreter.native.pieces import POOL, SLOT, STACK, read, runtime, write
from interpreter.native.wasm import E, Fn, Local, both, call, const, load, select
from rulespec.program.memory import rowless, seers

#: Where each part of the description of a place lies: where in a state what is known begins (0: nothing is kept), the
#: players who always see fronts and backs, whether everybody sees the last piece of a stack, how many cells, the player
#: without a row in a pool.
KNOWN, FRONT, BACK, OPEN_TOP, CELLS, ROWLESS = range(0, 24, 4)
DESCRIPTION = 24


def describe(s: Code) -> int:
    """The address of the descriptions of all places."""
    parts: list[bytes] = []
    for zone in s.declared.zones.values():
        cells = s.layout.known_strides.get(zone.key, 0)
        for place in range(zone.places):
            first = s.layout.known[zone.key] + place * cells if cells else 0
            known = s.cells.pieces + first * s.cells.piece if cells else 0
            sides = (seers(zone, place, who, _everybody(s)) for who in (zone.front, zone.back))
            shows_top = zone.front == "top"
            without = rowless(zone, place, s.declared.players)
            parts.append(struct.pack("<6i", known, *sides, shows_top, cells, without))
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


def _row(about: E, seat: E) -> E:
    """The number of the row of a player that does not always see a pool."""
    return seat - seat.gt(load(about, at=ROWLESS))


def _row_size(s: Code, about: E, seat: E, codes: E) -> E:
    """How many bytes a player's row has: none where the player has no row."""
    return select(seat.eq(load(about, at=ROWLESS)), const(0), codes * s.cells.piece)


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
        fn.set(row, row + _row_size(s, about, seat, codes))
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
            cell = fn.keep(_row(about, seat) * codes + code)
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


# ---- all pieces of a pool go elsewhere ------------------------------------------------------------------------------


def all_go(s: Code, refs: E, goal: E, face: E, faces: E) -> None:
    """Before pieces of a list go: several that are all of one pool go as a whole. `face` may be -1."""
    if s.layout.known:
        s.fn.run(runtime(s, "all_go", 5, _all_go, result=None), s.c, refs, goal, face, faces)


def _all_go(s: Code, fn: Fn) -> None:
    _, refs, goal, face, faces = fn.params
    size = fn.keep(load(refs))
    with fn.when(size.le(1)):
        fn.give()
    number = fn.keep(load(refs, at=4).op("div_u", s.depth_codes))
    with fn.count(size) as i:
        ref = fn.keep(load(refs + (i << 2), at=4))
        with fn.when(ref.lt(0) | ref.op("div_u", s.depth_codes).ne(number)):
            fn.give()
    with fn.when(pieces.amount(s, number).eq(size)):
        emptied(s, number, goal, face, faces)


def emptied(s: Code, number: E, goal: E, face: E | int = -1, faces: E | int = 1) -> None:
    """All pieces of a pool are about to go to another pool: what each player knows of them goes along as a whole."""
    if s.layout.known:
        s.fn.run(runtime(s, "pool_emptied", 5, _emptied, result=None), s.c, number, goal, face, faces)


def _emptied(s: Code, fn: Fn) -> None:
    c, number, goal, face, faces = fn.params
    about, there, width = _about(s, number), _about(s, goal), s.cells.piece
    here = pieces.place_at(s, c, number)
    other = load(goal * pieces.DESCRIPTION + pieces.describe(s))
    with fn.when(load(about).eq(0) | number.eq(goal) | here.shape.ne(POOL) | other.ne(POOL)):
        fn.give()
    with fn.when(load(there)):
        codes, row, to = fn.keep(here.codes), fn.keep(c + load(about)), fn.keep(c + load(there))
        sees = fn.keep(load(about, at=FRONT) | load(there, at=FRONT))
        with fn.count(const(s.declared.players)) as seat:
            with fn.when(((sees >> seat) & 1).eq(0)), fn.count(codes) as i:
                code = fn.keep(i)
                with fn.when(face.ge(0)):
                    fn.set(code, i - i.op("rem_u", faces) + face)
                write(s, to, code, read(s, to, code) + read(s, row, i))
            fn.set(row, row + _row_size(s, about, seat, codes))
            fn.set(to, to + _row_size(s, there, seat, codes))
    fn.fill(c + load(about), load(about, at=CELLS) * width)


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


def looked_at(s: Code, refs: E, seers: E) -> None:
    """Shows each piece of a list that is there to some players; the list then has those, as they lie."""
    s.fn.run(runtime(s, "looked_at", 3, _looked_at, result=None), s.c, refs, seers)


def _looked_at(s: Code, fn: Fn) -> None:
    _, refs, seers = fn.params
    there = fn.keep(0)
    with fn.count(load(refs)) as i:
        ref = fn.keep(load(refs + (i << 2), at=4))
        with fn.when(ref.ge(0)), s.passing():
            found = fn.keep(call(runtime(s, "where_it_lies", 2, _where_it_lies), s.c, ref))
            with fn.when(found.ge(0)):
                fn.store(refs + (there << 2), found, at=4)
                fn.set(there, there + 1)
                if s.layout.known:
                    fn.run(runtime(s, "shown", 4, _shown, result=None), s.c, refs, there, seers)
    fn.store(refs, there)


def _where_it_lies(s: Code, fn: Fn) -> None:
    """A piece as it lies, or the nearest one like it; -1 where there is none."""
    c, ref = fn.params
    number, at, code = pieces.split(s, ref)
    here = pieces.place_at(s, c, number)
    shape, first = fn.keep(here.shape), fn.keep(number * s.depth_codes + code)
    with fn.when(code.ge(here.codes)):
        fn.give(-1)
    with fn.when(shape.eq(POOL)):
        fn.give(select(read(s, here.cells, code), first, const(-1)))
    with fn.when(shape.eq(SLOT)):
        fn.give(select(read(s, here.cells).eq(code + 1), first, const(-1)))
    fn.set(at, pieces.find_in_stack(s, here.cells, at, code))
    fn.give(select(at.lt(0), const(-1), first + at * s.declared.codes))
    fn.trap()


def _shown(s: Code, fn: Fn) -> None:
    """The last of so many pieces of a list is shown to some players."""
    c, refs, many, seers = fn.params
    ref = fn.keep(load(refs + (many << 2)))
    number, at, code = pieces.split(s, ref)
    here, about = pieces.place_at(s, c, number), _about(s, number)
    with fn.when(load(about).eq(0)):
        fn.give()
    known, shape = fn.keep(c + load(about)), fn.keep(here.shape)
    on_top = fn.keep(shape.ne(STACK) | at.eq(read(s, here.cells) - 1))
    knowing = fn.keep(seers & (_seers(s, about, on_top) ^ -1))
    with fn.when(shape.ne(POOL)):
        write(s, known, at, read(s, known, at) | knowing)
        fn.give()
    shown, codes = fn.keep(0), fn.keep(here.codes)
    with fn.count(many) as i:
        fn.set(shown, shown + load(refs + (i << 2), at=4).eq(ref))
    held = fn.keep(read(s, here.cells, code))
    fn.set(shown, select(held.lt(shown), held, shown))
    with fn.count(const(s.declared.players)) as seat, fn.when((knowing >> seat) & 1):
        cell = fn.keep(_row(about, seat) * codes + code)
        with fn.when(read(s, known, cell).lt(shown)):
            write(s, known, cell, shown)


def shuffled(s: Code, number: E) -> None:
    """A stack was shuffled: only who knows all that lies there, and that all are alike, still knows it."""
    if s.layout.known:
        s.fn.run(runtime(s, "stack_shuffled", 2, _shuffled, result=None), s.c, number)


def _shuffled(s: Code, fn: Fn) -> None:
    c, number = fn.params
    about, here = _about(s, number), pieces.place_at(s, c, number)
    with fn.when(load(about).eq(0)):
        fn.give()
    known, count, knowing = fn.keep(c + load(about)), fn.keep(read(s, here.cells)), fn.keep(const(_everybody(s)))
    with fn.when(count.eq(0)):
        fn.give()
    covered = fn.keep(count - load(about, at=OPEN_TOP))  # everybody sees the others
    with fn.count(count) as i, fn.when(read(s, here.cells, i + 1).ne(read(s, here.cells, 1))):
        fn.set(knowing, 0)
    with fn.count(covered) as i:
        fn.set(knowing, knowing & read(s, known, i))
    with fn.count(covered) as i:
        write(s, known, i, knowing)


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
        with fn.when(seat.eq(load(about, at=ROWLESS))):
            fn.give(0)
        fn.give(before.lt(read(s, known, _row(about, seat) * here.codes + code)))
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
    row = fn.keep(select(seat.eq(load(about, at=ROWLESS)), const(-1), _row(about, seat)))
    with fn.count(load(about, at=CELLS)) as i:
        held = read(s, known, i)
        own = select(i.op("div_u", codes).eq(row), held, const(0))
        write(s, known, i, select(shape.eq(POOL), own, held & (const(1) << seat)))
