"""Relations by differences of coordinates: found from the offsets that fulfil them, without asking every pair.

`abs(a.x - b.x) + abs(a.y - b.y) == 1` says the same of all pairs that lie alike: it is asked once for each offset from
a to b. Parts that ask for more than the offset (`a.row % 2 == 0`) are left out first, so that the offsets that are left
hold every pair of the relation; the whole condition is then asked of the pairs at these offsets alone.

A number is *carried* by a shift of both members if it changes by a fixed amount for each coordinate: its *drift*.
`a.x` has the drift (1, 0), `a.x - b.x` none. What has none depends on the offset alone, and is computed as if every
coordinate of a were 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, product
from typing import Any

from rulespec.lower import make
from rulespec.lower.context import Context
from rulespec.lower.cost import MOST_AT_LOAD
from rulespec.lower.evaluate import NotConstant, TooMuchWork
from rulespec.lower.ir import (
    PARTS_OF,
    Arith,
    CallIr,
    Compare,
    Comprehend,
    Const,
    Contains,
    If,
    Ir,
    Let,
    Logic,
    NotIr,
    PickIr,
    RangeIr,
    ReachIr,
    Table,
    Var,
    WalkIr,
    Within,
    children,
)
from rulespec.lower.known import Values
from rulespec.model.types import BOOLEAN, INTEGER, Boolean, Integer, Member
from rulespec.model.world import Domain

MOST_NODES = 2_000
MOST_OFFSETS = 250_000
MOST_PAIRS = 250_000  #: that are asked one by one, or that a relation holds

Drift = tuple[int, ...]


class _Unknown(Exception):
    """An expression is not one of offsets, or is too large for being asked."""


@dataclass(frozen=True, slots=True)
class _Site:
    """What a name stands for: one of the two members."""

    of: Domain
    at_end: bool


@dataclass(frozen=True, slots=True)
class _Carried:
    """What a name or an expression is: its value where a lies at 0, and its drift."""

    ir: Ir
    drift: Drift


_Names = dict[str, "_Site | _Carried | None"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which coordinates of two kinds belong together: by their names, then by their order."""

    of: Domain
    to: Domain
    dims: tuple[tuple[int, int], ...]

    @property
    def none(self) -> Drift:
        """The drift of what depends on the offset alone."""
        return (0,) * len(self.dims)

    def ranges(self) -> list[range]:
        """For each pair of coordinates, from the lowest to the highest difference."""
        found = []
        for i, j in self.dims:
            a, b = self.of.dims[i], self.to.dims[j]
            found.append(range(b.low - a.low - a.size + 1, b.low - a.low + b.size))
        return found


def pairing(of: Domain, to: Domain) -> Pairing:
    """The coordinates of two kinds that belong together."""
    second = [d.name for d in to.dims]
    same = [(i, second.index(d.name)) for i, d in enumerate(of.dims) if d.name in second]
    left = [i for i in range(len(of.dims)) if i not in [s[0] for s in same]]
    right = [j for j in range(len(to.dims)) if j not in [s[1] for s in same]]
    return Pairing(of, to, tuple(sorted([*same, *zip(left, right, strict=False)])))


@dataclass(slots=True)
class _Reading:
    """Reads one condition: what of it depends on the offset alone."""

    cx: Context
    pairs: Pairing
    offset: tuple[str, ...]
    left: int = MOST_NODES
    drifts: dict[tuple[str, bool], tuple[int, Drift]] = field(default_factory=dict)

    # ---- numbers and conditions that a shift carries ----

    def carried(self, node: Ir, names: _Names) -> _Carried:
        """An expression where a lies at 0. Raises _Unknown."""
        self.left -= 1
        if self.left < 0:
            raise _Unknown
        read = getattr(self, "_" + type(node).__name__.lower(), None)
        return self._same(node, names) if read is None else read(node, names)

    def alike(self, node: Ir, names: _Names) -> Ir:
        """An expression of the offset alone. Raises _Unknown."""
        found = self.carried(node, names)
        if any(found.drift):
            raise _Unknown
        return found.ir

    def _same(self, node: Ir, names: _Names) -> _Carried:
        """Any other expression: of the offset alone if all its parts are."""
        if isinstance(node, (WalkIr, ReachIr)):
            raise _Unknown
        changed: dict[str, Any] = {}
        for part in PARTS_OF[type(node)]:
            value = getattr(node, part)
            if isinstance(value, tuple):
                changed[part] = tuple(self.alike(v, names) for v in value)
            elif value is not None:
                changed[part] = self.alike(value, names)
        return _Carried(replace(node, **changed) if changed else node, self.pairs.none)

    def _var(self, node: Var, names: _Names) -> _Carried:
        known = names.get(node.name)
        if not isinstance(known, _Carried):
            raise _Unknown
        return known

    def _table(self, node: Table, names: _Names) -> _Carried:
        site = names.get(node.index.name) if isinstance(node.index, Var) else None
        if not isinstance(site, _Site):
            return self._same(node, names)
        if not isinstance(node.type, (Integer, Member, Boolean)):
            raise _Unknown
        base, drift = self._line(node.table, site)
        ir: Ir = Const(type=Integer(base, base), value=base)
        for name, by in zip(self.offset, drift, strict=True) if site.at_end else ():
            if by:
                term = Arith(
                    type=INTEGER, op="*", left=Const(type=INTEGER, value=by), right=Var(type=INTEGER, name=name)
                )
                ir = Arith(type=INTEGER, op="+", left=ir, right=term)
        return _Carried(ir, drift)

    def _line(self, table: str, site: _Site) -> tuple[int, Drift]:
        """What a table holds at 0, and by how much it grows with each coordinate. Raises _Unknown."""
        key = table, site.at_end
        if key not in self.drifts:
            dims = tuple(pair[site.at_end] for pair in self.pairs.dims)
            found = _fitted(self.cx.world.table(table), site.of, dims)
            if found is None:
                raise _Unknown
            self.drifts[key] = found
        return self.drifts[key]

    def _arith(self, node: Arith, names: _Names) -> _Carried:
        left, right = self.carried(node.left, names), self.carried(node.right, names)
        ir = replace(node, type=INTEGER, left=left.ir, right=right.ir)
        if node.op in ("+", "-"):
            sign = 1 if node.op == "+" else -1
            return _Carried(ir, tuple(a + sign * b for a, b in zip(left.drift, right.drift, strict=True)))
        if not any(left.drift) and not any(right.drift):
            return _Carried(ir, left.drift)
        for factor, other in ((node.left, right), (node.right, left)):
            if node.op == "*" and isinstance(factor, Const) and isinstance(factor.value, int):
                return _Carried(ir, tuple(factor.value * d for d in other.drift))
        raise _Unknown

    def _together(self, nodes: tuple[Ir, ...], names: _Names) -> tuple[list[Ir], Drift]:
        """Expressions that drift alike. Raises _Unknown where they do not."""
        found = [self.carried(node, names) for node in nodes]
        if len({part.drift for part in found}) > 1:
            raise _Unknown
        return [part.ir for part in found], found[0].drift if found else self.pairs.none

    def _compare(self, node: Compare, names: _Names) -> _Carried:
        if self._sites(node.left, node.right, names):
            zero = [
                Compare(type=BOOLEAN, op="==", left=Var(type=INTEGER, name=n), right=_number(0)) for n in self.offset
            ]
            same = Logic(type=BOOLEAN, op="and", items=tuple(zero))
            return _Carried(same if node.op == "==" else NotIr(type=BOOLEAN, of=same), self.pairs.none)
        (left, right), _ = self._together((node.left, node.right), names)
        return _Carried(replace(node, left=left, right=right), self.pairs.none)

    def _sites(self, left: Ir, right: Ir, names: _Names) -> bool:
        """Whether two expressions are the two members, of one kind whose coordinates tell its members apart."""
        if not isinstance(left, Var) or not isinstance(right, Var):
            return False
        one, two = names.get(left.name), names.get(right.name)
        if not isinstance(one, _Site) or not isinstance(two, _Site) or one.at_end == two.at_end:
            return False
        of = self.pairs.of
        return of is self.pairs.to and len(of.lookup) == of.size and len(self.pairs.dims) == len(of.dims)

    def _pickir(self, node: PickIr, names: _Names) -> _Carried:
        items, drift = self._together(node.items, names)
        return _Carried(replace(node, type=INTEGER, items=tuple(items)), drift)

    def _if(self, node: If, names: _Names) -> _Carried:
        condition = self.alike(node.condition, names)
        (then, otherwise), drift = self._together((node.then, node.otherwise), names)
        return _Carried(replace(node, condition=condition, then=then, otherwise=otherwise), drift)

    def _contains(self, node: Contains, names: _Names) -> _Carried:
        if not isinstance(node.items, RangeIr):
            return self._same(node, names)
        (item, low, high), _ = self._together((node.item, node.items.low, node.items.high), names)
        return _Carried(replace(node, item=item, items=replace(node.items, low=low, high=high)), self.pairs.none)

    def _let(self, node: Let, names: _Names) -> _Carried:
        return self.carried(node.body, {**names, node.name: self._named(node.value, names)})

    def _named(self, node: Ir, names: _Names) -> _Site | _Carried | None:
        """What a name for an expression stands for; None: nothing that can be asked here.

        Raises _Unknown where it may be out of its range: that is told of every pair, also where nothing asks for it.
        """
        if isinstance(node, Var):
            return names.get(node.name)
        if _may_fault(self.cx, node, set()):
            raise _Unknown
        try:
            return self.carried(node, names)
        except _Unknown:
            return None

    def _callir(self, node: CallIr, names: _Names) -> _Carried:
        return self.carried(*self._entered(node, names))

    def _entered(self, node: CallIr, names: _Names) -> tuple[Ir, _Names]:
        """The body of a function, and what its parameters stand for."""
        params, body = self.cx.evaluator.function(node.function)
        given = [self._named(arg, names) for arg in node.args]
        return body, dict(zip(params, given, strict=True))

    def _comprehend(self, node: Comprehend, names: _Names) -> _Carried:
        inside = self._over(node, names)
        parts: dict[str, Any] = {}
        for part in ("where", "value"):
            if getattr(node, part) is not None:
                parts[part] = self.alike(getattr(node, part), inside)
        if node.around is not None:
            parts["around"] = self.alike(node.around, names)
        return _Carried(replace(node, source=self.alike(node.source, names), **parts), self.pairs.none)

    def _over(self, node: Comprehend, names: _Names) -> _Names:
        """The names inside a loop."""
        t = getattr(node.source.type, "of", INTEGER)
        return {**names, node.name: _Carried(Var(type=t, name=node.name), self.pairs.none)}

    # ---- what must hold whatever else is asked ----

    def outline(self, node: Ir, names: _Names, upper: bool = True) -> tuple[Ir, bool]:
        """A condition of the offset that holds wherever `node` does (with `upper`; else only there).

        Also whether it is the whole of `node`.
        """
        try:
            return self.alike(node, names), True
        except _Unknown:
            return self._outlined(node, names, upper), False

    def _outlined(self, node: Ir, names: _Names, upper: bool) -> Ir:
        if isinstance(node, Logic):
            return _joined(node.op, [self.outline(item, names, upper)[0] for item in node.items])
        if isinstance(node, NotIr):
            return _denied(self.outline(node.of, names, not upper)[0])
        if isinstance(node, If):
            return self._outlined_if(node, names, upper)
        with suppress(_Unknown):
            if isinstance(node, Let):
                return self.outline(node.body, {**names, node.name: self._named(node.value, names)}, upper)[0]
            if isinstance(node, CallIr):
                body, given = self._entered(node, names)
                return self.outline(body, given, upper)[0]
        return _number(int(upper))

    def _outlined_if(self, node: If, names: _Names, upper: bool) -> Ir:
        then, otherwise = (self.outline(part, names, upper)[0] for part in (node.then, node.otherwise))
        try:
            return If(type=BOOLEAN, condition=self.alike(node.condition, names), then=then, otherwise=otherwise)
        except _Unknown:
            return _joined("or" if upper else "and", [then, otherwise])


def _number(value: int) -> Ir:
    return Const(type=BOOLEAN, value=value)


def _integer(value: int) -> Ir:
    return Const(type=INTEGER, value=value)


def _arith(op: str, left: Ir, right: Ir) -> Ir:
    return Arith(type=INTEGER, op=op, left=left, right=right)


def _joined(op: str, items: list[Ir]) -> Ir:
    """`and` or `or` of conditions, those that are known left out."""
    ending = int(op == "or")
    left = [item for item in items if not (isinstance(item, Const) and item.value == 1 - ending)]
    if any(isinstance(item, Const) and item.value == ending for item in left):
        return _number(ending)
    return Logic(type=BOOLEAN, op=op, items=tuple(left)) if left else _number(1 - ending)


def _denied(of: Ir) -> Ir:
    return _number(1 - int(of.value == 1)) if isinstance(of, Const) else NotIr(type=BOOLEAN, of=of)


def _fitted(values: object, of: Domain, dims: tuple[int, ...]) -> tuple[int, Drift] | None:
    """What a table of the members of a kind holds at 0, and its growth by some coordinates; None if it bends."""
    if not isinstance(values, tuple) or len(values) < of.size or not of.size:
        return None
    drift = tuple(_growth(values, of, at) for at in dims)
    bases = {
        values[i] - sum(d * c[at] for d, at in zip(drift, dims, strict=True)) if isinstance(values[i], int) else None
        for i, c in enumerate(of.coords)
    }
    base = bases.pop()
    return None if bases or base is None else (base, drift)


def _growth(values: tuple[object, ...], of: Domain, at: int) -> int:
    """By how much a table grows from the first member that has a neighbour along a coordinate to that one."""
    for i, c in enumerate(of.coords):
        j = of.lookup.get((*c[:at], c[at] + 1, *c[at + 1 :]))
        one, two = values[i], values[j] if j is not None else None
        if isinstance(one, int) and isinstance(two, int):
            return two - one
    return 0


# ---- from offsets to pairs ------------------------------------------------------------------------------------------


def by_offsets(cx: Context, pairs: Pairing, names: tuple[str, str], test: Ir) -> list[list[int]] | None:
    """The members that each member is related to, upward; None where the condition must be asked of every pair.

    Raises Circular and RecursionError where a table needs the relation, or hangs on too much.
    """
    if not pairs.dims:
        return None
    before = cx.evaluator.steps
    try:
        found = _found(cx, pairs, names, test)
    except (_Unknown, NotConstant, TooMuchWork, KeyError):
        found = None
    if found is None:
        cx.evaluator.steps = before
    return found


def _found(cx: Context, pairs: Pairing, names: tuple[str, str], test: Ir) -> list[list[int]] | None:
    offset = tuple(make.fresh("offset") for _ in pairs.dims)
    reading = _Reading(cx, pairs, offset)
    given: _Names = {names[0]: _Site(pairs.of, False), names[1]: _Site(pairs.to, True)}
    outline, is_whole = reading.outline(test, given)
    if isinstance(outline, Const) or (not is_whole and _may_fault(cx, test, set())):
        return None
    most = MOST_AT_LOAD // (1 if is_whole else cx.costs.of(test))
    rows = _rows(cx, pairs, _offsets(cx, pairs, offset, outline), most)
    if sum(map(len, rows)) > MOST_PAIRS:
        return None
    return rows if is_whole else _asked(cx, names, test, rows)


def _may_fault(cx: Context, node: Ir, seen: set[str]) -> bool:
    """Whether a value outside its range may be met, so that every pair must be asked."""
    if isinstance(node, Within):
        return True
    if isinstance(node, CallIr) and node.function not in seen:
        seen.add(node.function)
        if _may_fault(cx, cx.evaluator.function(node.function)[1], seen):
            return True
    return any(_may_fault(cx, part, seen) for part in children(node))


def _offsets(cx: Context, pairs: Pairing, names: tuple[str, ...], outline: Ir) -> Iterator[Drift]:
    """The offsets that fulfil a condition. Raises _Unknown where there are too many to ask."""
    ranges = pairs.ranges()
    size = 1
    for r in ranges:
        size *= len(r)
    if size > MOST_OFFSETS or size * cx.costs.of(outline) > MOST_AT_LOAD:
        raise _Unknown
    number = make.fresh("number")
    asked, step = outline, 1
    for name, r in reversed(list(zip(names, ranges, strict=True))):
        at: Ir = Arith(
            type=INTEGER, op="//", left=Var(type=INTEGER, name=number), right=Const(type=INTEGER, value=step)
        )
        at = Arith(type=INTEGER, op="%", left=at, right=Const(type=INTEGER, value=len(r)))
        at = Arith(type=INTEGER, op="+", left=at, right=Const(type=INTEGER, value=r.start))
        asked, step = Let(type=BOOLEAN, name=name, value=at, body=asked), step * len(r)
    values = Values(cx, asked, (number,), size, lambda n: cx.evaluator.value(asked, {number: n}))
    return (offset for n, offset in enumerate(product(*ranges)) if values(n))


def _rows(cx: Context, pairs: Pairing, offsets: Iterator[Drift], most: int) -> list[list[int]]:
    """All pairs at some offsets. Raises _Unknown where there are more than `most`.

    Places are numbers in mixed radix, wide enough that an offset from one place to another is one number too.
    """
    radix = [1]
    for r in reversed(pairs.ranges()[1:]):
        radix.insert(0, radix[0] * 2 * len(r))
    targets: dict[int, list[int]] = {}
    for j, c in enumerate(pairs.to.coords):
        targets.setdefault(sum(c[at] * by for (_, at), by in zip(pairs.dims, radix, strict=True)), []).append(j)
    starts = [sum(c[at] * by for (at, _), by in zip(pairs.dims, radix, strict=True)) for c in pairs.of.coords]
    rows: list[list[int]] = [[] for _ in starts]
    for offset in offsets:
        by_number = sum(d * by for d, by in zip(offset, radix, strict=True))
        most -= len(starts)
        if most < 0:
            raise _Unknown
        cx.evaluator.spend(len(starts))
        for row, start in zip(rows, starts, strict=True):
            row.extend(targets.get(start + by_number, ()))
    return [sorted(row) for row in rows]


def _asked(cx: Context, names: tuple[str, str], test: Ir, rows: list[list[int]]) -> list[list[int]]:
    """Of some pairs those that fulfil the whole condition."""
    flat = [(i, j) for i, row in enumerate(rows) for j in row]

    def find(n: int) -> object:
        return cx.evaluator.value(test, dict(zip(names, flat[n], strict=True)))

    values = Values(cx, test, names, len(flat), find, beside=array("H", chain.from_iterable(flat)).tobytes())
    found: list[list[int]] = [[] for _ in rows]
    for n, (i, j) in enumerate(flat):
        if values(n):
            found[i].append(j)
    return found
