"""Moving and turning pieces one after another, all or none: functions of the module itself."""

from __future__ import annotations

from interpreter.middle.layout import PIECES
from interpreter.native import memory, pieces
from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.wasm import E, Fn, Local, both, call, const, load


def moved_one(s: Code, ref: E, goal: E, face: E, faces: E | int, bottom: E | int) -> E:
    """Moves a piece to where there is room, with what players know of it; whether it was there. `face` may be -1."""
    return call(runtime(s, "moved_one", 6, _moved_one), s.c, ref, goal, face, faces, bottom)


def _moved_one(s: Code, fn: Fn) -> None:
    _, ref, goal, face, faces, bottom = fn.params
    knowing = fn.keep(memory.carried(s, ref, goal, bottom)) if s.layout.known else None
    code = fn.keep(pieces.take(s, ref))
    with fn.when(code.lt(0)):
        fn.give(0)
    with fn.when(face.ge(0)):
        fn.set(code, code - code.op("rem_u", faces) + face)
    pieces.put(s, goal, code, bottom)
    if knowing is not None:
        memory.arrived(s, goal, code, knowing, bottom)
    fn.give(1)
    fn.trap()


def move_list(s: Code, refs: E, goal: E, face: E, faces: int, bottom: int) -> E:
    """Moves pieces one after another: how many. Where one is not there or does not fit none moves, and it is -1.

    `face` may be -1.
    """
    s.allocations += 1
    fn = runtime(s, "move_list", 6, _move_list)
    return call(fn, s.c, refs, goal, face, faces, bottom)


def _move_list(s: Code, fn: Fn) -> None:
    """Pieces of one stack that lay lower and are gone already make the others lie lower."""
    c, refs, goal, face, faces, bottom = fn.params
    size = fn.keep(load(refs))
    before = _kept(s, c, size)
    memory.all_go(s, refs, goal, face, faces)
    with fn.count(size) as i:
        ref = fn.keep(load(refs + (i << 2), at=4))
        spot = fn.keep(ref.op("div_u", s.declared.codes))
        here = fn.keep(spot.op("div_u", s.declared.depth))
        lower = fn.keep(0)
        with fn.when(ref.ge(0)), fn.count(i) as k:
            other = fn.keep(load(refs + (k << 2), at=4).op("div_u", s.declared.codes))
            with fn.when(both(other.op("div_u", s.declared.depth).eq(here), other.lt(spot))):
                fn.set(lower, lower + 1)
        with fn.when(pieces.has_room(s, goal).no()):
            _put_back(s, c, before, size)
            fn.give(-1)
        with fn.when(moved_one(s, ref - lower * s.declared.codes, goal, face, faces, bottom).no()):
            _put_back(s, c, before, size)
            fn.give(-1)
    fn.give(size)
    fn.trap()


def _kept(s: Code, c: E, size: E) -> Local:
    """Where all pieces lie, kept while several are handled: one alone is handled or not."""
    fn, found = s.fn, s.fn.keep(0)
    with fn.when(size.gt(1)):
        fn.set(found, s.allocate(s.cells.rooms[PIECES].size))
        fn.copy(found, c + s.cells.pieces, const(s.cells.rooms[PIECES].size))
    return found


def _put_back(s: Code, c: E, before: Local, size: E) -> None:
    """What fails in the middle has not begun."""
    with s.fn.when(size.gt(1)):
        s.fn.copy(c + s.cells.pieces, before, const(s.cells.rooms[PIECES].size))


def flip_list(s: Code, refs: E, face: E, faces: int) -> E:
    """Turns pieces where they lie; whether all of them were there. Else none is turned."""
    s.allocations += 1
    return call(runtime(s, "flip_list", 4, _flip_list), s.c, refs, face, faces)


def _flip_list(s: Code, fn: Fn) -> None:
    c, refs, face, faces = fn.params
    size = fn.keep(load(refs))
    before = _kept(s, c, size)
    with fn.count(size) as i:
        ref = fn.keep(load(refs + (i << 2), at=4))
        with fn.when(ref.lt(0)):
            _put_back(s, c, before, size)
            fn.give(0)
        number, position, code = pieces.split(s, ref)
        codes = fn.keep(pieces.content(s, number))
        at = fn.keep(position)
        there = both(position.lt(load(codes)), load(codes + (position << 2), at=4).eq(code))
        with fn.when(there.no()):
            fn.set(at, pieces.position_of(s, codes, code))
            with fn.when(at.lt(0)):
                _put_back(s, c, before, size)
                fn.give(0)
        turned = fn.keep(code - code.op("rem_u", faces) + face)
        memory.turned(s, number, at, code, turned)
        fn.store(codes + (at << 2), turned, at=4)
        pieces.set_content(s, number, codes)
    fn.give(1)
    fn.trap()
