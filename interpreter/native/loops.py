"""Loops of expressions: over kinds, sets, lists, ranges and zones, and what is made of their members."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from interpreter.middle.analysis.cost import SHARE, counts_itself, of_pass
from interpreter.middle.analysis.loops import MOST_UNROLLED, MOST_WRITTEN, highest, needs_ref, written_out
from interpreter.native import lists, masks, sets, zones
from interpreter.native.code import Code, NotCompiled, none_of
from interpreter.native.lookups import counted
from interpreter.native.passes import Item, filtered
from interpreter.native.wasm import I64, E, Local, both, const, const64, either, load, select
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import Ir, walk_ir
from rulespec.model.types import ListType, Piece, Record, SetType, Zone, strip

# ---- what loops make ------------------------------------------------------------------------------------------------


@contextmanager
def _loop(s: Code, n: I.Comprehend) -> Iterator[Item]:
    """The loop of an expression with its filter."""
    counted = counts_itself(s.costs, n)
    if counted and isinstance(n.source, I.Whole):  # of which less may be gone through than it has
        s.count(n.source.size // SHARE)
    outside = dict(s.masks)
    masks.found_before(s, n)
    with filtered(s, n.source, n.name, n.where) as (item, where), s.passing():
        if counted:
            work = of_pass(s.costs, n.where, n.value)
            s.count(work if item.amount is None else item.amount * work)
        bind(s, n, item)
        with ExitStack() as stack:
            if where is not None:
                stack.enter_context(s.fn.when(s.ex(where)))
            yield item
    s.masks = outside


def bind(s: Code, n: I.Comprehend, item: Item) -> None:
    """Gives the variable of a loop its member."""
    t = element(s, n.source)
    if isinstance(t, Piece) and item.code is not None:
        s.codes_of[n.name] = item.code
        uses = n.op in _KEEPS or needs_ref(n.where, n.name) or needs_ref(n.value, n.name)
        s.vars[n.name] = item.value if isinstance(item.value, Local) or not uses else s.fn.keep(item.value)
    else:
        s.vars[n.name] = item.value


_KEEPS = ("first", "most", "least", "sort", "longest", "stretch")


def element(s: Code, source: Ir) -> object:
    """The type of a source's members."""
    t = strip(source.type)
    if isinstance(t, Zone):
        return Piece(s.declared.zones[t.key].holds, t.key)
    return t.of if isinstance(t, (ListType, SetType)) else None


def comprehend(s: Code, n: I.Comprehend) -> E:
    """What a loop makes of its members."""
    from interpreter.native import paths

    if n.op in ("longest", "stretch"):
        return s.inline(lambda: paths.stretches(s, n))
    quick = _count_by_table(s, n) if n.op == "count" else masks.by_mask(s, n)
    quick = quick or _unrolled(s, n)
    if quick is not None:
        return counted(s, n, quick)
    return s.inline(lambda: _FOLDS[n.op](s, n))


def _value(s: Code, n: I.Comprehend) -> E:
    assert n.value is not None
    return s.scalar(n.value)


def _count(s: Code, n: I.Comprehend) -> E:
    total = s.fn.keep(0)
    with _loop(s, n) as item:
        s.fn.set(total, total + (1 if item.amount is None else item.amount))
    return total


def _any(s: Code, n: I.Comprehend) -> E:
    found = s.fn.keep(0)
    with s.fn.block() as out, _loop(s, n):
        s.fn.set(found, 1)
        _leave(s, out)
    return found


def _leave(s: Code, out: int) -> None:
    """Leaves a loop; memory that its pass asked for is given back with that of what is around it."""
    s.fn.br(out)


def _all(s: Code, n: I.Comprehend) -> E:
    found = s.fn.keep(1)
    with s.fn.block() as out, _loop(s, n), s.fn.when(_value(s, n).no()):
        s.fn.set(found, 0)
        _leave(s, out)
    return found


def _first(s: Code, n: I.Comprehend) -> E:
    record = isinstance(strip(n.type), Record)
    found = s.fn.keep(0 if record else none_of(n.type))
    with s.fn.block() as out, _loop(s, n):
        s.fn.set(found, s.vars[n.name])
        _leave(s, out)
    return found


def _sum(s: Code, n: I.Comprehend) -> E:
    from interpreter.native.expressions import checked, fits

    narrow = fits(n.type)
    total = s.fn.keep(const(0) if narrow else const64(0))
    with _loop(s, n) as item:
        value = _value(s, n)
        if item.amount is not None:
            value = value * item.amount if narrow else value.wide() * item.amount.wide()
        s.fn.set(total, total + (value if narrow else value.wide()))
    return total if narrow else checked(s, total)


def _list(s: Code, n: I.Comprehend) -> E:
    assert n.value is not None
    parts, records = s.parts(n.type), s.has_records(n)
    out = s.allocate(4 + 4 * parts * lists.room_for(s, n.source))
    at = s.fn.keep(out)
    size = s.fn.keep(0)
    with _loop(s, n) as item:
        value = s.fn.keep(s.ex(n.value))
        with item.times(s):
            for i in range(parts):
                s.fn.store(at, load(value, at=4 * i) if records else value, at=4 + 4 * i)
            s.fn.set(at, at + 4 * parts)
            s.fn.set(size, size + 1)
    s.fn.store(out, size)
    return out


def _set(s: Code, n: I.Comprehend) -> E:
    t = strip(n.type)
    assert isinstance(t, SetType)
    items = s.fn.keep(const64(0)) if s.kind(t) == I64 else sets.fresh(s, s.members_of(t))
    with _loop(s, n):
        sets.add(s, items, _value(s, n))
    return items


def _extreme(s: Code, n: I.Comprehend) -> E:
    none = none_of(n.type)
    best = s.fn.keep(none)
    test = E.lt if n.op == "min" else E.gt
    with _loop(s, n):
        value = s.fn.keep(_value(s, n))
        with s.fn.when(best.eq(const(none)) | test(value, best)):
            s.fn.set(best, value)
    return best


def _best(s: Code, n: I.Comprehend) -> E:
    """All members that share first (or last) place."""
    _no_records(s, n)
    out = s.allocate(4 + 4 * lists.room_for(s, n.source))
    fn = s.fn
    size, best = fn.keep(0), fn.keep(0)
    test = E.gt if n.op == "most" else E.lt
    with _loop(s, n) as item:
        value, member = fn.keep(_value(s, n)), fn.keep(s.vars[n.name])
        with fn.when(either(size.eq(0), test(value, best))):
            fn.set(best, value)
            fn.set(size, 0)
        with fn.when(value.eq(best)), item.times(s):
            fn.store(out + (size << 2), member, at=4)
            fn.set(size, size + 1)
    fn.store(out, size)
    return out


def without_list(s: Code, n: I.ItemAt) -> E | None:
    """A reading of the members that a filter leaves, without making a list of them."""
    made = n.items
    if not isinstance(made, I.Comprehend) or made.op != "list" or n.what not in ("first", "last", "count", "empty"):
        return None
    plain = isinstance(made.value, I.Var) and made.value.name == made.name
    if not plain or s.has_records(made) or isinstance(strip(made.source.type), Zone):
        return None
    if n.what in ("count", "empty"):
        op = "count" if n.what == "count" else "any"
        found = s.ex(replace(made, op=op, value=None, type=n.type))
        return found if op == "count" else found.no()
    if n.what == "first":
        return s.ex(replace(made, op="first", value=None, type=n.type))
    return s.inline(lambda: _last(s, replace(made, type=n.type)))


def _last(s: Code, n: I.Comprehend) -> E:
    found = s.fn.keep(none_of(n.type))
    with _loop(s, n):
        s.fn.set(found, s.vars[n.name])
    return found


def _no_records(s: Code, n: I.Comprehend) -> None:
    if s.has_records(n):
        raise NotCompiled("lists of records in order")


def count_of_best(s: Code, n: I.ItemAt) -> E | None:
    """How many share first place, without listing them."""
    best = n.items
    if not isinstance(best, I.Comprehend) or best.op not in ("most", "least"):
        return None
    test = E.gt if best.op == "most" else E.lt
    if best.value is not None and _few(s, best, best.value) and (best.where is None or _few(s, best, best.where)):
        return s.inline(lambda: _level(s, best, test))

    def made() -> E:
        fn = s.fn
        top, total = fn.keep(0), fn.keep(0)
        with _loop(s, best) as item:
            value = fn.keep(_value(s, best))
            with fn.when(either(total.eq(0), test(value, top))):
                fn.set(top, value)
                fn.set(total, 0)
            with fn.when(value.eq(top)):
                fn.set(total, total + (1 if item.amount is None else item.amount))
        return total

    return s.inline(made)


def _level(s: Code, best: I.Comprehend, test: Callable[[E, E], E]) -> E:
    """How many of few members share first place."""
    assert best.value is not None
    values = _kept(s, _for_each(s, best, best.value))
    there = [] if best.where is None else _kept(s, _for_each(s, best, best.where))
    if there:
        last = const(-(1 << 31)) if test is E.gt else const((1 << 31) - 1)
        values = _kept(s, [select(holds, value, last) for holds, value in zip(there, values, strict=True)])
    top: E = values[0]
    for value in values[1:]:
        top = s.fn.keep(select(test(value, top), value, top))
    level = [value.eq(top) for value in values]
    if there:
        level = [same & holds.ne(0) for same, holds in zip(level, there, strict=True)]
    total = level[0]
    for same in level[1:]:
        total = total + same
    return total


def _kept(s: Code, values: list[E]) -> list[Local]:
    return [s.fn.keep(value) for value in values]


def _sorted(s: Code, n: I.Comprehend) -> E:
    """The members by a value; equal ones stay in order: each is put behind those that are not greater."""
    _no_records(s, n)
    fn = s.fn
    most = lists.room_for(s, n.source)
    out, keys = s.allocate(4 + 4 * most), s.allocate(4 * most)
    size = fn.keep(0)
    with _loop(s, n) as item:
        value, member = fn.keep(_value(s, n)), fn.keep(s.vars[n.name])
        with item.times(s):
            at = fn.keep(size)
            with fn.block() as done, fn.loop() as again:
                fn.br_if(done, at.eq(0))
                fn.br_if(done, load(keys + (at << 2) - 4).le(value))
                fn.store(keys + (at << 2), load(keys + (at << 2) - 4))
                fn.store(out + (at << 2), load(out + (at << 2)), at=4)
                fn.set(at, at - 1)
                fn.br(again)
            fn.store(keys + (at << 2), value)
            fn.store(out + (at << 2), member, at=4)
            fn.set(size, size + 1)
    fn.store(out, size)
    return out


_FOLDS: dict[str, Callable[[Code, I.Comprehend], E]] = {
    "count": _count,
    "any": _any,
    "all": _all,
    "first": _first,
    "sum": _sum,
    "list": _list,
    "set": _set,
    "min": _extreme,
    "max": _extreme,
    "most": _best,
    "least": _best,
    "sort": _sorted,
}


def _count_by_table(s: Code, n: I.Comprehend) -> E | None:
    """`count(w in pool)`, `count(w in pool where w.attribute == x)`: which cells are to be added is known."""
    t = strip(n.source.type)
    if not isinstance(t, Zone) or s.declared.zones[t.key].shape != "pool":
        return None
    source = n.source.zone if isinstance(n.source, I.ZoneRead) else n.source
    if n.where is None:
        return zones.amount(s, source)
    w = n.where
    if not (isinstance(w, I.Compare) and w.op == "==" and isinstance(w.left, I.Table)):
        return None
    inner = w.left.index
    if not (isinstance(inner, I.CodeOf) and isinstance(inner.piece, I.Var) and inner.piece.name == n.name):
        return None
    if any(isinstance(x, I.Var) and x.name == n.name for x in walk_ir(w.right)):
        return None
    return _sum_of_codes(s, source, w.left.table, w.right)


def _sum_of_codes(s: Code, zone: Ir, table: str, wanted: Ir) -> E | None:
    """The sum of the cells with the wanted attribute, where those of each value lie side by side and are as many."""
    decl, _ = zones.parts(s, zone)
    most = highest(s.declared, wanted)
    if most is None:
        return None
    values = s.declared.table(table)[: zones.kind_of(s, decl).count]
    groups = [[i for i, v in enumerate(values) if v == k] for k in range(most + 1)]
    size = len(groups[0])
    if not 1 <= size <= 4 or any(not g or g != list(range(g[0], g[0] + size)) for g in groups):
        return None
    starts, width = [g[0] for g in groups], s.cells.piece
    address, at = zones.where(s, zone)
    which = s.scalar(wanted)
    if which.value is not None:
        at += starts[which.value] * width
    else:
        even = all(start == i * size for i, start in enumerate(starts))
        address = address + (which * (size * width) if even else s.entry([*starts, 0], which) * width)
    return s.named(address, lambda a: zones.sum_of(s, a, at, size))


# ---- loops over few members, written out ----------------------------------------------------------------------------


def _few(s: Code, n: I.Comprehend, body: Ir | None) -> bool:
    """Whether a loop is over few members, and what is done for each of them is little."""
    if not isinstance(n.source, I.Whole) or not 1 <= n.source.size <= MOST_UNROLLED or body is None:
        return False
    return written_out(body) * n.source.size <= MOST_WRITTEN


def _for_each(s: Code, n: I.Comprehend, body: Ir) -> list[E]:
    """The body's value for each member of a kind."""
    assert isinstance(n.source, I.Whole)
    found = []
    for i in range(n.source.size):
        s.vars[n.name] = const(i)
        found.append(s.scalar(body))
    return found


def _unrolled(s: Code, n: I.Comprehend) -> E | None:
    body = n.value if n.op == "all" else n.where
    if n.op not in ("count", "any", "all") or (n.op == "all" and n.where is not None) or not _few(s, n, body):
        return None
    assert body is not None
    tests = _for_each(s, n, body)
    found = tests[-1].ne(0) if n.op == "count" else tests[-1]
    for test in reversed(tests[:-1]):
        found = {"any": either, "all": both}[n.op](test, found) if n.op != "count" else test.ne(0) + found
    return found
