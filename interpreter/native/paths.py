"""Expressions that follow a way: walks, what is within reach, unbroken runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.middle.analysis.cost import counts_itself, of_pass
from interpreter.native import lists, loops, passes, plans, sets
from interpreter.native.code import Code, NotCompiled
from interpreter.native.pieces import position_of
from interpreter.native.wasm import I64, E, Local, both, const, const64, load
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import Ir
from rulespec.model.types import ListType, Member, Piece, SetType, Zone, strip

MOST_PLACES = 1 << 14


def walk(s: Code, n: I.WalkIr) -> E:
    """Follows a step until there is none or a member comes again."""

    def made() -> E:
        out, amount = s.allocate(4 + 4 * (n.size + 1)), s.fn.keep(0)
        with walking(s, n) as at:
            s.fn.store(out + (amount << 2), at, at=4)
            s.fn.set(amount, amount + 1)
        s.fn.store(out, amount)
        return out

    return s.inline(made)


@contextmanager
def walking(s: Code, n: I.WalkIr) -> Iterator[Local]:
    """A loop over the members of a walk, as they are found; those that were met are noted, one bit for each."""
    t = strip(n.start.type)
    if not isinstance(t, Member):
        raise NotCompiled("walks over what is no site")
    fn, size = s.fn, (s.declared.domains[t.domain].size + 63) // 64 * 8
    seen = s.allocate(size)
    fn.fill(seen, size)
    here, counted = fn.keep(s.scalar(n.start)), counts_itself(s.costs, n)
    with fn.forever() as (done, _), s.passing():
        if counted:
            s.count(of_pass(s.costs, n.step))
        byte = seen + (here >> 3)
        fn.br_if(done, here.lt(0))
        fn.br_if(done, (load(byte, 1) >> (here & 7)) & 1)
        fn.store(byte, load(byte, 1) | (const(1) << (here & 7)), 1)
        at = fn.keep(here)
        yield at
        s.vars[n.name] = at
        fn.set(here, s.scalar(n.step))


def reach(s: Code, n: I.ReachIr) -> E:
    """The members whose cheapest path costs at most so much, without the start."""
    t = strip(n.type)
    assert isinstance(t, SetType)
    size = s.members_of(t)

    def made() -> E:
        fn = s.fn
        found: Local = fn.keep(const64(0)) if s.kind(t) == I64 else sets.fresh(s, size)
        start, within = fn.keep(s.scalar(n.start)), fn.keep(s.scalar(n.within))
        with fn.when(start.ge(0)), s.passing():
            _search(s, n, found, start, within)
        return found

    return s.inline(made)


def _search(s: Code, n: I.ReachIr, found: Local, start: Local, within: Local) -> None:
    """Every member that was reached more cheaply than before is left again."""
    fn, size = s.fn, n.size
    around = of_pass(s.costs, n.via) + s.costs.length(n.via) * of_pass(s.costs, n.cost)
    best, todo, waits = s.allocate(4 * size), s.allocate(4 * size), s.allocate(size)
    fn.fill(waits, size)
    fn.fill(best, 4 * size)  # what a path costs, plus one; 0 where there is none
    fn.store(best + (start << 2), 1)
    fn.store(todo, start)
    left, at, spent = fn.keep(1), fn.local(), fn.local()
    with fn.block() as done, fn.loop() as again:
        fn.br_if(done, left.eq(0))
        s.count(around)
        fn.set(left, left - 1)
        fn.set(at, load(todo + (left << 2)))
        fn.store(waits + at, 0, 1)
        fn.set(spent, load(best + (at << 2)))
        s.vars[n.name] = at
        with passes.each(s, n.via) as item, s.passing():
            to = fn.keep(item.value)
            s.vars[n.name] = to
            price = fn.keep(spent + s.scalar(n.cost))
            s.vars[n.name] = at
            known = fn.keep(load(best + (to << 2)))
            cheaper = known.eq(0) | price.lt(known)
            with fn.when((price - 1).le(within) & cheaper):
                fn.store(best + (to << 2), price)
                with fn.when(load(waits + to, 1).eq(0) & to.ne(start)):
                    sets.add(s, found, to)
                    fn.store(waits + to, 1, 1)
                    fn.store(todo + (left << 2), to)
                    fn.set(left, left + 1)
        fn.br(again)


def stretches(s: Code, n: I.Comprehend) -> E:
    """The members of the longest run, or of the one around a member; the first of equal ones."""
    fn = s.fn
    most = lists.room_for(s, n.source)
    items = s.allocate(4 + 4 * most)
    around = None if n.around is None or n.op == "longest" else fn.keep(s.scalar(n.around))
    size, start, best, length, holds = (fn.keep(0) for _ in range(5))

    def ended() -> None:
        better = (size - start).gt(length) if around is None else both(holds, length.eq(0))
        with fn.when(better):
            fn.set(best, start)
            fn.set(length, size - start)
        fn.set(holds, 0)

    counted = counts_itself(s.costs, n)
    with passes.each(s, n.source) as item, s.passing():
        if counted:
            s.count(of_pass(s.costs, n.where))
        loops.bind(s, n, item)
        value = fn.keep(s.vars[n.name])
        kept = const(1) if n.where is None else s.ex(n.where)
        with fn.when(kept):
            fn.store(items + (size << 2), value, at=4)
            fn.set(size, size + 1)
            if around is not None:
                fn.set(holds, holds | value.eq(around))
        with fn.otherwise():
            ended()
            fn.set(start, size)
    ended()
    out = s.allocate((length << 2) + 4)
    fn.store(out, length)
    fn.copy(out + 4, items + 4 + (best << 2), length << 2)
    return out


def count_of_stretch(s: Code, n: I.ItemAt) -> E | None:
    """How long an unbroken run around a member is: tested outwards from it, no further than it goes."""
    run = n.items
    if not isinstance(run, I.Comprehend) or run.op != "stretch" or run.where is None or run.around is None:
        return None
    if isinstance(loops.element(s, run.source), Piece) or isinstance(strip(run.source.type), Zone):
        return None
    if s.has_records(run.source):
        return None
    where, around = run.where, run.around

    def made() -> E:
        fn = s.fn
        items = fn.keep(lists.as_list(s, _listed(s, run.source)))
        total, size = fn.keep(0), fn.keep(load(items))
        at = fn.keep(_place_in(s, run.source, around, items, size))
        with fn.when(at.ge(0)):
            _outwards(s, run, where, (items, at, size, total), 1)
            with fn.when(total):
                _outwards(s, run, where, (items, at - 1, size, total), -1)
        return total

    return s.inline(made)


def _place_in(s: Code, source: Ir, around: Ir, items: Local, size: Local) -> E:
    """Where the member around which a run is looked for lies in its list; -1 where it does not."""
    first = isinstance(around, I.ItemAt) and around.what == "first" and around.items == source
    if first and isinstance(strip(source.type), ListType):
        return const(0) - size.eq(0)
    known = _known_place(s, source, around)
    return position_of(s, items, s.scalar(around)) if known is None else known


def _known_place(s: Code, source: Ir, around: Ir) -> E | None:
    """Where a member lies in a list that is known before play, looked up by both."""
    found = plans.member_lists(s, source)
    if found is None or not isinstance(source, I.Table) or len(found[0]) * found[1] > MOST_PLACES:
        return None
    if any(strip(part.type) != part.type for part in (source.index, around)):
        return None
    lists, members = found
    places = [row.index(at) if at in row else -1 for row in lists for at in range(members)]
    return s.entry([*places, -1], s.scalar(source.index) * members + s.scalar(around))


def _listed(s: Code, source: Ir) -> Ir:
    """A source as it lies in order."""
    if isinstance(source, I.Table) and source.table.endswith(".bits"):
        t = strip(source.type)
        assert isinstance(t, SetType)
        items = source.table.removesuffix("bits") + "items"
        return I.Table(type=ListType(t.of, s.members_of(t)), table=items, index=source.index)
    return source


def _outwards(s: Code, run: I.Comprehend, where: Ir, state: tuple[Local, E, Local, Local], step: int) -> None:
    fn = s.fn
    items, first, size, total = state
    at = fn.keep(first)
    with fn.forever() as (done, _), s.passing():
        fn.br_if(done, at.op("ge_u", size))
        s.vars[run.name] = fn.keep(load(items + (at << 2), at=4))
        fn.br_if(done, s.ex(where).no())
        fn.set(total, total + 1)
        fn.set(at, at + step)
