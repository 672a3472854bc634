"""Passes over the members of a source: a kind, a set, a list, a range, a walk, a zone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from interpreter.native import masks, plans, sets, zones
from interpreter.native.code import Code, NotCompiled
from interpreter.native.wasm import E, Local, const, load
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import Ir
from rulespec.model.types import ListType, SetType, Zone, strip


@dataclass(slots=True)
class Item:
    """A member that a loop is at: its value, of a piece its code, and how often it counts (None: once)."""

    value: E
    code: E | None = None
    amount: E | None = None

    @contextmanager
    def times(self, s: Code) -> Iterator[None]:
        """What is done as often as the member counts."""
        if self.amount is None:
            yield
        else:
            with s.fn.count(self.amount):
                yield


@contextmanager
def each(s: Code, source: Ir, groups: tuple[tuple[tuple[int, ...], ...], Ir | None] | None = None) -> Iterator[Item]:
    """A loop over a source; `groups` are its members where a filter has narrowed them."""
    if isinstance(source, I.ZoneRead) and source.what == "all":
        source = source.zone
    if groups is not None:
        with _over_list(s, _group(s, *groups)) as item:
            yield item
    elif isinstance(source, I.Whole):
        with s.fn.count(source.size) as at:
            yield Item(at)
    elif isinstance(source, I.RangeIr):
        with s.fn.count(s.scalar(source.high) + 1, s.scalar(source.low)) as at:
            yield Item(at)
    elif isinstance(source, I.WalkIr):
        from interpreter.native.paths import walking

        with walking(s, source) as at:
            yield Item(at)
    elif isinstance(strip(source.type), Zone):
        with _over_zone(s, source) as item:
            yield item
    elif isinstance(t := strip(source.type), SetType):
        with _over_set(s, source, t) as item:
            yield item
    elif isinstance(t, ListType):
        with _over_list(s, s.ex(source), s.parts_of(source) if s.has_records(source) else 0) as item:
            yield item
    else:
        raise NotCompiled(f"loops over {t}")


def _group(s: Code, groups: tuple[tuple[int, ...], ...], by: Ir | None) -> E:
    pointers = [s.list_data(g) for g in groups]
    return const(pointers[0]) if by is None else s.entry(pointers, s.scalar(by))


@contextmanager
def filtered(
    s: Code, source: Ir, name: str, where: Ir | None, preferred: plans.Plan | None = None
) -> Iterator[tuple[Item, Ir | None]]:
    """A loop over the members of a source for which as much of a filter holds as is found at once; and what is left.

    Members that are `preferred` are gone through alone where there are any; then nothing of the filter may be left.
    """
    plan = plans.Planner(s).narrowed(source, name, where)
    if plan is not None:
        assert isinstance(source, I.Whole)
        with masks.members(s, plan[0], source.size, preferred) as at:
            yield Item(at), plan[1]
        return
    found = s.grouping.try_narrowed(source, name, where)
    groups, rest = (None, where) if found is None else ((found[0], found[1]), found[2])
    with each(s, source, groups) as item:
        yield item, rest


@contextmanager
def _over_set(s: Code, source: Ir, t: SetType) -> Iterator[Item]:
    if isinstance(source, I.Table) and source.table.endswith(".bits"):
        items = s.declared.table(source.table.removesuffix("bits") + "items")
        pointers = [s.list_data(v if isinstance(v, tuple) else ()) for v in (*items, ())]
        with _over_list(s, s.entry(pointers, s.scalar(source.index))) as item:
            yield item
        return
    with sets.members(s, s.ex(source), s.members_of(t)) as at:
        yield Item(at)


@contextmanager
def _over_list(s: Code, source: E, fields: int = 0) -> Iterator[Item]:
    """The members of a list; of records with so many fields the address of each."""
    fn = s.fn
    items = fn.keep(source)
    at = fn.keep(items + 4)
    size = 4 * (fields or 1)
    end = fn.keep(at + load(items) * size)
    with fn.block() as out, fn.loop() as again:
        fn.br_if(out, at.op("ge_u", end))
        value = fn.keep(at) if fields else fn.keep(load(at))
        yield Item(value, code=None if fields else value.op("rem_s", s.declared.codes))
        fn.set(at, at + size)
        fn.br(again)


@contextmanager
def _over_zone(s: Code, zone: Ir) -> Iterator[Item]:
    decl, place = zones.parts(s, zone)
    fn = s.fn
    where = s.scalar(place)
    here = where if where.value is not None else fn.keep(where)
    start = (here + decl.first) * s.depth_codes
    address, at = zones.where_at(s, decl, here)
    base = address if isinstance(address, Local) else fn.keep(address)
    width = s.cells.piece
    if decl.shape == "slot":
        code = fn.keep(load(base, width, at=at) - 1)
        with fn.when(code.ge(0)):
            yield Item(start + code, code)
    elif decl.shape == "pool":
        with fn.count(s.declared.pieces[decl.holds].count) as code:
            amount = fn.keep(load(base + code * width, width, at=at))
            with fn.when(amount):
                yield Item(start + code, code, amount)
    else:
        with fn.count(load(base, width, at=at)) as i:
            code = fn.keep(load(base + i * width, width, at=at + width) - 1)
            yield Item(start + i * s.declared.codes + code, code)
