"""Chance: the generator (see `interpreter.rng`), draws, shuffles, and which of several hidden pieces was meant."""

from __future__ import annotations

from interpreter import rng
from interpreter.native import memory, pieces
from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.wasm import I32, I64, E, Fn, Local, both, call, const, const64, load, select


def stream(s: Code, name: str) -> tuple[int, int]:
    """Where a stream's state lies within a state, and its increment."""
    return s.cells.offsets[s.layout.streams[name]], rng.increment(name)


def below(s: Code, address: E, increment: E, bound: E) -> E:
    """An even draw from 0..bound-1 out of a stream that lies in memory."""
    fn = runtime(s, "below", 3, _below, kinds=(I32, I64, I32))
    return call(fn, address, increment, bound)


def next_state(state: E, increment: E) -> E:
    """The state of a stream after a draw."""
    return state * const64(rng.MULTIPLIER) + increment


def _below(s: Code, fn: Fn) -> None:
    address, increment, bound = fn.params
    state, word = fn.keep(load(address, 8, kind=I64)), fn.local()
    thrown_away = fn.keep((const(0) - bound).op("rem_u", bound))
    with fn.loop() as again:
        mixed = (((state >> 18) ^ state) >> 27).narrow()
        fn.set(word, mixed.op("rotr", (state >> 59).narrow()))
        fn.set(state, next_state(state, increment))
        fn.br_if(again, word.below(thrown_away))
    fn.store(address, state, 8)
    fn.give(word.op("rem_u", bound))
    fn.trap()


def draw_from(s: Code, name: str, bound: E) -> E:
    """An even draw from 0..bound-1 out of a stream of the state at hand."""
    at, increment = stream(s, name)
    return below(s, s.c + at, const64(increment), bound)


def shuffle_list(s: Code, items: E, at: E, increment: E) -> None:
    """Puts a list into random order with a stream."""
    fn = runtime(s, "shuffle_list", 3, _shuffle_list, result=None, kinds=(I32, I32, I64))
    s.fn.run(fn, items, at, increment)


def _shuffle_list(s: Code, fn: Fn) -> None:
    items, at, increment = fn.params
    last = fn.keep(load(items) - 1)
    with fn.forever() as (out, _):
        fn.br_if(out, last.le(0))
        chosen = fn.keep(items + (below(s, at, increment, last + 1) << 2))
        kept = fn.keep(load(chosen, at=4))
        fn.store(chosen, load(items + (last << 2), at=4), at=4)
        fn.store(items + (last << 2), kept, at=4)
        fn.set(last, last - 1)


def shuffle_stack(s: Code, number: E, name: str) -> None:
    """Puts the pieces of a stack into random order."""
    at, increment = stream(s, name)
    place, codes = s.fn.keep(number), s.fn.local()
    s.fn.set(codes, pieces.content(s, place))
    shuffle_list(s, codes, s.c + at, const64(increment))
    pieces.set_content(s, place, codes)
    memory.shuffled(s, place)


def draw(s: Code, amount: E, places: tuple[E, E, E], name: str, out: E) -> None:
    """Moves up to `amount` pieces from a source to a goal; the third place renews a source that is empty, if not -1.

    Their codes are added to the list at `out`, if not 0.
    """
    at, increment = stream(s, name)
    fn = runtime(s, "draw", 8, _draw, result=None, kinds=(I32, I32, I32, I32, I32, I32, I64, I32))
    s.fn.run(fn, s.c, amount, *places, s.c + at, const64(increment), out)


def _draw(s: Code, fn: Fn) -> None:
    _, amount, source, goal, renew, at, increment, out_at = fn.params
    if s.layout.known:
        ready = fn.keep(pieces.amount(s, source))
        with fn.when(both(ready.gt(1), amount.ge(ready)) & pieces.has_room(s, goal, ready)):
            memory.emptied(s, source, goal)
    with fn.forever() as (out, _), s.passing():
        fn.br_if(out, amount.le(0))
        fn.set(amount, amount - 1)
        held = fn.keep(pieces.amount(s, source))
        with fn.when(both(renew.ge(0), held.eq(0))):
            codes = fn.keep(pieces.content(s, renew))
            pieces.set_content(s, renew, const(s.list_data(())))
            shuffle_list(s, codes, at, increment)
            pieces.set_content(s, source, codes)
            memory.forgotten(s, renew)
            memory.forgotten(s, source)
            fn.set(held, load(codes))
        fn.br_if(out, held.eq(0))
        fn.br_if(out, pieces.has_room(s, goal).no())
        piece = fn.keep(_drawn(s, source, held, at, increment))
        knowing = fn.keep(memory.carried(s, piece, goal, 0)) if s.layout.known else None
        code = fn.keep(pieces.take(s, piece))
        pieces.put(s, goal, code)
        if knowing is not None:
            memory.arrived(s, goal, code, knowing, 0)
        with fn.when(out_at):
            fn.store(out_at, load(out_at) + 1)
            fn.store(out_at + (load(out_at) << 2), code)


def _drawn(s: Code, source: E, held: E, at: E, increment: E) -> E:
    """The piece that is drawn."""
    fn = runtime(s, "drawn", 5, _find_drawn, kinds=(I32, I32, I32, I32, I64))
    return call(fn, s.c, source, held, at, increment)


def _find_drawn(s: Code, fn: Fn) -> None:
    c, source, held, at, increment = fn.params
    about = fn.keep(source * pieces.DESCRIPTION + pieces.describe(s))
    cell, code, first = fn.keep(c + load(about, at=4)), fn.keep(0), fn.keep(source * s.depth_codes)
    with fn.when(load(about).eq(pieces.STACK)):
        fn.give(first + (held - 1) * s.declared.codes + pieces.read(s, cell, held) - 1)
    with fn.when(load(about).eq(pieces.SLOT)):
        fn.give(first + pieces.read(s, cell) - 1)
    left = fn.keep(below(s, at, increment, held))
    with fn.forever() as (done, _):
        there = fn.keep(pieces.read(s, cell))
        fn.br_if(done, left.lt(there))
        fn.set(left, left - there)
        fn.set(cell, cell + s.cells.piece)
        fn.set(code, code + 1)
    fn.give(first + code)
    fn.trap()


def roll(s: Code, refs: E, faces: int, name: str, out: E) -> None:
    """Turns each piece of a list that is there to a face; the list then has them as they are now.

    The pieces as they were, each with its code now and whether it lies on top, are added at `out`.
    """
    at, increment = stream(s, name)
    fn = runtime(s, "roll", 6, _roll, result=None, kinds=(I32, I32, I32, I32, I64, I32))
    s.fn.run(fn, s.c, refs, faces, s.c + at, const64(increment), out)


def _roll(s: Code, fn: Fn) -> None:
    _, refs, faces, at, increment, out = fn.params
    with fn.when(refs), fn.count(load(refs)) as i:
        kept = fn.keep(refs + (i << 2))
        with fn.when(load(kept, at=4).ge(0)), s.passing():
            _roll_one(s, kept, faces, at, increment, out)


def _roll_one(s: Code, kept: Local, faces: E, at: E, increment: E, out: E) -> None:
    fn = s.fn
    ref = fn.keep(load(kept, at=4))
    number, position, code = pieces.split(s, ref)
    codes, where = fn.keep(pieces.content(s, number)), fn.keep(position)
    there = both(where.lt(load(codes)), load(codes + (where << 2), at=4).eq(code))
    with fn.when(there.no()):
        fn.set(where, pieces.position_of(s, codes, code))
    with fn.when(where.ge(0)):
        turned = fn.keep(code - code.op("rem_u", faces) + below(s, at, increment, faces))
        memory.turned(s, number, where, code, turned, by_chance=True)
        fn.store(codes + (where << 2), turned, at=4)
        pieces.set_content(s, number, codes)
        shape = load(number * pieces.DESCRIPTION + pieces.describe(s))
        level = select(shape.eq(pieces.STACK), where, const(0))  # only a stack has positions
        fn.store(kept, (number * s.declared.depth + level) * s.declared.codes + turned, at=4)
        with fn.when(out):
            held = fn.keep(load(out))
            fn.store(out + (held << 3), ref, at=4)
            fn.store(out + (held << 3), (turned << 1) + where.eq(load(codes) - 1), at=8)
            fn.store(out, held + 1)


def pick_unseen(s: Code, ref: E, unseen: tuple[int, ...], name: str) -> E:
    """One of the pieces at a place that look alike from behind, evenly; -1 where none does."""
    backs = s.list_data(unseen)
    at, increment = stream(s, name)
    return picked_unseen(s, ref, const(backs), s.c + at, const64(increment))


def picked_unseen(s: Code, ref: E, backs: E, at: E, increment: E) -> E:
    """The same with any list of what each code looks like, out of any stream."""
    fn = runtime(s, "pick_unseen", 5, _pick_unseen, kinds=(I32, I32, I32, I32, I64))
    return call(fn, s.c, ref, backs, at, increment)


def pick_each_unseen(s: Code, members: E, unseen: tuple[int, ...], name: str, parts: int, field: int) -> None:
    """Of each member of a list that is known by its back one piece, none twice; a member has `parts` numbers."""
    at, increment = stream(s, name)
    fn = runtime(s, "pick_each_unseen", 7, _pick_each_unseen, result=None, kinds=(*[I32] * 6, I64))
    backs = const(s.list_data(unseen))
    s.fn.run(fn, s.c, members, backs, s.c + at, 4 * parts, 4 * field, const64(increment))


def _pick_each_unseen(s: Code, fn: Fn) -> None:
    _, members, backs, at, size, offset, increment = fn.params
    top = fn.keep(s.globals.temps)
    first = fn.keep(members + offset + 4)
    with fn.count(load(members)) as i:
        piece = fn.keep(first + i * size)
        number, _, back = pieces.split(s, load(piece))
        with fn.when(load(piece).ge(0) & back.ge(load(backs))):
            there = fn.keep(_looking_like(s, fn, number, backs, back))
            with fn.count(load(members)) as j:
                other = fn.keep(load(first + j * size))
                with fn.when(other.ge(0) & other.op("rem_u", s.declared.codes).lt(load(backs))):
                    _drop_first(fn, there, other)
            chosen = fn.keep(-1)
            with fn.when(load(there).gt(0)):
                fn.set(chosen, load(there + (below(s, at, increment, load(there)) << 2), at=4))
            fn.store(piece, chosen)
    fn.set(s.globals.temps, top)


def _looking_like(s: Code, fn: Fn, number: E, backs: E, back: E) -> E:
    """The pieces at a place with a back, as a list, each as often as it lies there."""
    codes = fn.keep(pieces.content(s, number))
    about = number * pieces.DESCRIPTION + pieces.describe(s)
    step = fn.keep(select(load(about).eq(pieces.STACK), const(s.declared.codes), const(0)))
    out = fn.keep(s.allocate((load(codes) << 2) + 4))
    fn.store(out, 0)
    with fn.count(load(codes)) as i:
        code = fn.keep(load(codes + (i << 2), at=4))
        with fn.when(load(backs + (code << 2), at=4).eq(back)):
            fn.store(out, load(out) + 1)
            fn.store(out + (load(out) << 2), number * s.depth_codes + i * step + code)
    return out


def _drop_first(fn: Fn, items: E, item: E) -> None:
    """Takes the first item like this out of a list, where there is one."""
    gone = fn.keep(0)
    with fn.count(load(items)) as i:
        at = fn.keep(items + (i << 2))
        with fn.when(gone):
            fn.store(at, load(at, at=4))
        with fn.when(gone.eq(0) & load(at, at=4).eq(item)):
            fn.set(gone, 1)
    fn.store(items, load(items) - gone)


def _pick_unseen(s: Code, fn: Fn) -> None:
    """Goes through the pieces twice: how many look so, then the one that was drawn."""
    _, ref, backs, at, increment = fn.params
    number, _, back = pieces.split(s, ref)
    codes = fn.keep(pieces.content(s, number))
    about = number * pieces.DESCRIPTION + pieces.describe(s)
    step = fn.keep(select(load(about).eq(pieces.STACK), const(s.declared.codes), const(0)))
    found, chosen = fn.keep(0), fn.keep(1 << 30)
    for last in (False, True):
        with fn.count(load(codes)) as i:
            code = fn.keep(load(codes + (i << 2), at=4))
            with fn.when(load(backs + (code << 2), at=4).eq(back)):
                with fn.when(found.eq(chosen)):
                    fn.give(number * s.depth_codes + i * step + code)
                fn.set(found, found + 1)
        if not last:
            with fn.when(found.eq(0)):
                fn.give(-1)
            fn.set(chosen, below(s, at, increment, found))
            fn.set(found, 0)
    fn.give(-1)
    fn.trap()
