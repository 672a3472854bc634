"""A plain evaluator of the instruction form's expressions: for tables made at load, and as a test oracle.

It walks the tree and is slow on purpose: its only virtue is to be obviously right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from rulespec.lower import ir as I  # noqa: N812 - one letter keeps the long match readable
from rulespec.lower.ir import Ir
from rulespec.model.types import Integer, SetType, Zone, strip
from rulespec.model.world import Declarations
from rulespec.source.text import Span

MOST_STEPS = 5_000_000


class NotConstant(Exception):
    """A constant was asked for and the expression reads the state of the game."""


class OutsideRange(NotConstant):
    """A function gives, or is given, a value outside its declared range."""

    def __init__(self, value: int, declared: Integer, span: Span | None):
        super().__init__(value)
        self.value, self.declared, self.span = value, declared, span


class TooMuchWork(Exception):
    """The tables of the game need more steps than are allowed."""


class StateReader(Protocol):
    """What an evaluator needs of a running game."""

    def load(self, region: str, index: int) -> int:
        """The value of one cell of a region."""
        ...

    def pieces(self, zone: str, place: int) -> list[int]:
        """The codes of the pieces at a place, from the bottom up."""
        ...

    def local(self, slot: int) -> Any:
        """What a name of an open block holds."""
        ...


class Evaluator:
    """Evaluates lowered expressions; `state` may be None for constants."""

    def __init__(
        self,
        world: Declarations,
        body_of: Callable[[str], tuple[tuple[str, ...], Ir]],
        state: StateReader | None = None,
    ):
        self.world = world
        self.body_of = body_of
        self.state = state
        self.steps = 0

    def spend(self, steps: int) -> None:
        """Counts work that is done beside expressions. Raises TooMuchWork."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise TooMuchWork

    def value(self, node: Ir, env: dict[str, Any] | None = None) -> Any:
        """The value of an expression with its variables in `env`."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooMuchWork
        return _EVALUATE[type(node)](self, node, env or {})

    def items(self, node: Ir, env: dict[str, Any]) -> list[Any]:
        """The members of a source in order."""
        t = strip(node.type)
        if isinstance(node, I.Whole):
            return list(range(node.size))
        if isinstance(t, Zone):
            return self._pieces(node, env)
        value = self.value(node, env)
        return bits(value) if isinstance(t, SetType) else list(value)

    def _pieces(self, node: Ir, env: dict[str, Any]) -> list[int]:
        zone, place = self.value(node, env)
        if self.state is None:
            raise NotConstant
        return self.state.pieces(zone, place)


def bits(value: int) -> list[int]:
    """The members of a bit set in order."""
    found = []
    at = 0
    while value:
        if value & 1:
            found.append(at)
        value >>= 1
        at += 1
    return found


def _const(ev: Evaluator, n: I.Const, env: dict[str, Any]) -> Any:
    return n.value


def _var(ev: Evaluator, n: I.Var, env: dict[str, Any]) -> Any:
    return env[n.name]


def _local(ev: Evaluator, n: I.Local, env: dict[str, Any]) -> Any:
    if ev.state is None:
        raise NotConstant
    return ev.state.local(n.slot)


def _load(ev: Evaluator, n: I.Load, env: dict[str, Any]) -> Any:
    if ev.state is None:
        raise NotConstant
    return ev.state.load(n.region, ev.value(n.index, env))


def _table(ev: Evaluator, n: I.Table, env: dict[str, Any]) -> Any:
    index = ev.value(n.index, env)
    if index < 0:
        return I.NO_INTEGER if isinstance(strip(n.type), Integer) else -1
    return ev.world.table(n.table)[index]


def _arith(ev: Evaluator, n: I.Arith, env: dict[str, Any]) -> int:
    a: int = ev.value(n.left, env)
    b: int = ev.value(n.right, env)
    if n.op in ("//", "%") and b == 0:
        return 0
    return {"+": a + b, "-": a - b, "*": a * b}[n.op] if n.op in "+-*" else (a // b if n.op == "//" else a % b)


def _compare(ev: Evaluator, n: I.Compare, env: dict[str, Any]) -> int:
    a, b = ev.value(n.left, env), ev.value(n.right, env)
    tests: dict[str, Callable[[], bool]] = {
        "==": lambda: a == b,
        "!=": lambda: a != b,
        "<": lambda: a < b,
        "<=": lambda: a <= b,
        ">": lambda: a > b,
        ">=": lambda: a >= b,
    }
    return int(tests[n.op]())


def _logic(ev: Evaluator, n: I.Logic, env: dict[str, Any]) -> int:
    if n.op == "and":
        return int(all(ev.value(i, env) for i in n.items))
    return int(any(ev.value(i, env) for i in n.items))


def _not(ev: Evaluator, n: I.NotIr, env: dict[str, Any]) -> int:
    return int(not ev.value(n.of, env))


def _if(ev: Evaluator, n: I.If, env: dict[str, Any]) -> Any:
    return ev.value(n.then if ev.value(n.condition, env) else n.otherwise, env)


def _let(ev: Evaluator, n: I.Let, env: dict[str, Any]) -> Any:
    return ev.value(n.body, {**env, n.name: ev.value(n.value, env)})


def _call(ev: Evaluator, n: I.CallIr, env: dict[str, Any]) -> Any:
    return _run_function(ev, n.function, [ev.value(a, env) for a in n.args])


def _call_row(ev: Evaluator, n: I.CallRow, env: dict[str, Any]) -> Any:
    row = ev.value(n.row, env)
    return _run_function(ev, n.functions[row], [ev.value(a, env) for a in n.args])


def _run_function(ev: Evaluator, name: str, args: list[Any]) -> Any:
    params, body = ev.body_of(name)
    return ev.value(body, dict(zip(params, args, strict=True)))


def _contains(ev: Evaluator, n: I.Contains, env: dict[str, Any]) -> int:
    item = ev.value(n.item, env)
    found = ev.items(n.items, env)
    if isinstance(strip(n.items.type), Zone):
        found = [i % ev.world.codes for i in found]
    return int(item in found)


def _range(ev: Evaluator, n: I.RangeIr, env: dict[str, Any]) -> tuple[int, ...]:
    return tuple(range(ev.value(n.low, env), ev.value(n.high, env) + 1))


def _list(ev: Evaluator, n: I.ListIr, env: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(ev.value(i, env) for i in n.items)


def _whole(ev: Evaluator, n: I.Whole, env: dict[str, Any]) -> int:
    return (1 << n.size) - 1


def _join(ev: Evaluator, n: I.Join, env: dict[str, Any]) -> Any:
    a, b = ev.value(n.left, env), ev.value(n.right, env)
    return a | b if isinstance(strip(n.type), SetType) else a + b


def _drop(ev: Evaluator, n: I.Drop, env: dict[str, Any]) -> Any:
    items, item = ev.value(n.items, env), ev.value(n.item, env)
    if isinstance(strip(n.type), SetType):
        return items & ~_as_set((item,))
    kept = list(items)
    if item in kept:
        kept.remove(item)
    return tuple(kept)


def _item_at(ev: Evaluator, n: I.ItemAt, env: dict[str, Any]) -> Any:
    if n.what == "field":
        return ev.value(n.items, env)[n.at]
    items = ev.items(n.items, env)
    none = I.NO_INTEGER if isinstance(strip(n.type), Integer) else -1
    if n.what == "count":
        return len(items)
    if n.what == "empty":
        return int(not items)
    at = {"first": 0, "last": len(items) - 1}.get(n.what)
    if at is None:
        at = ev.value(n.index, env) if n.index is not None else 0
    return items[at] if 0 <= at < len(items) else none


def _zone(ev: Evaluator, n: I.ZoneIr, env: dict[str, Any]) -> tuple[str, int]:
    return n.zone, ev.value(n.place, env)


def _zone_read(ev: Evaluator, n: I.ZoneRead, env: dict[str, Any]) -> Any:
    zone, place = ev.value(n.zone, env)
    if ev.state is None:
        raise NotConstant
    pieces = ev.state.pieces(zone, place)
    if n.what == "full":
        return int(len(pieces) >= ev.world.zones[zone].capacity[place])
    simple: dict[str, Any] = {"count": len(pieces), "empty": int(not pieces), "all": tuple(pieces)}
    if n.what in simple:
        return simple[n.what]
    return (pieces[-1] if n.what == "top" else pieces[0]) if pieces else -1


def _code(ev: Evaluator, n: I.CodeOf, env: dict[str, Any]) -> int:
    piece: int = ev.value(n.piece, env)
    return piece if piece < 0 else piece % ev.world.codes


def _place(ev: Evaluator, n: I.PlaceOf, env: dict[str, Any]) -> int:
    return ev.value(n.piece, env) // (ev.world.codes * ev.world.depth) - n.first  # type: ignore[no-any-return]


def _comprehend(ev: Evaluator, n: I.Comprehend, env: dict[str, Any]) -> Any:
    items = ev.items(n.source, env)
    if n.op in ("longest", "stretch"):
        return _stretches(ev, n, env, items)
    kept = [i for i in items if n.where is None or ev.value(n.where, {**env, n.name: i})]
    if n.op in ("count", "any", "first"):
        return {"count": len(kept), "any": int(bool(kept)), "first": kept[0] if kept else _none_of(n)}[n.op]
    assert n.value is not None
    values = [ev.value(n.value, {**env, n.name: i}) for i in kept]
    return _FOLD[n.op](n, kept, values)


def _none_of(n: Ir) -> int:
    return I.NO_INTEGER if isinstance(strip(n.type), Integer) else -1


def _as_set(values: Iterable[int]) -> int:
    made = 0
    for v in values:
        if v >= 0:  # below it is what has no value, since that is wrong, which is reported
            made |= 1 << v
    return made


_FOLD: dict[str, Callable[[I.Comprehend, list[Any], list[Any]], Any]] = {
    "sum": lambda n, kept, values: sum(values),
    "all": lambda n, kept, values: int(all(values)),
    "list": lambda n, kept, values: tuple(values),
    "set": lambda n, kept, values: _as_set(values),
    "min": lambda n, kept, values: min(values) if values else _none_of(n),
    "max": lambda n, kept, values: max(values) if values else _none_of(n),
    "most": lambda n, kept, values: tuple(k for k, v in zip(kept, values, strict=True) if v == max(values)),
    "least": lambda n, kept, values: tuple(k for k, v in zip(kept, values, strict=True) if v == min(values)),
    "sort": lambda n, kept, values: tuple(k for _, _, k in sorted(zip(values, range(len(kept)), kept, strict=True))),
}


def _stretches(ev: Evaluator, n: I.Comprehend, env: dict[str, Any], items: list[Any]) -> tuple[Any, ...]:
    """The longest run of members that satisfy `where` (the first of equals), or the run around one member."""
    runs: list[list[Any]] = [[]]
    for i in items:
        if n.where is None or ev.value(n.where, {**env, n.name: i}):
            runs[-1].append(i)
        else:
            runs.append([])
    if n.op == "longest":
        longest: list[Any] = max(runs, key=len)
        return tuple(longest)
    around = ev.value(n.around, env) if n.around is not None else -1
    return next((tuple(r) for r in runs if around in r), ())


def _pick(ev: Evaluator, n: I.PickIr, env: dict[str, Any]) -> int:
    values: list[int] = [ev.value(i, env) for i in n.items]
    return min(values) if n.op == "min" else max(values)


def _within(ev: Evaluator, n: I.Within, env: dict[str, Any]) -> int:
    value: int = ev.value(n.value, env)
    declared = strip(n.type)
    assert isinstance(declared, Integer)
    if not declared.holds(value):
        raise OutsideRange(value, declared, n.span)
    return value


def _walk(ev: Evaluator, n: I.WalkIr, env: dict[str, Any]) -> tuple[int, ...]:
    at = ev.value(n.start, env)
    path: list[int] = []
    while at >= 0 and at not in path:
        path.append(at)
        at = ev.value(n.step, {**env, n.name: at})
    return tuple(path)


def _reach(ev: Evaluator, n: I.ReachIr, env: dict[str, Any]) -> int:
    """Cheapest costs by relaxation until nothing changes (Bellman and Ford)."""
    start, budget = ev.value(n.start, env), ev.value(n.within, env)
    best = {start: 0} if start >= 0 else {}
    changed = True
    while changed:
        changed = False
        for at, spent in list(best.items()):
            for to in ev.items(n.via, {**env, n.name: at}):
                price = spent + ev.value(n.cost, {**env, n.name: to})
                if price <= budget and price < best.get(to, budget + 1):
                    best[to] = price
                    changed = True
    return _as_set(i for i in best if i != start)


def _take(ev: Evaluator, n: I.TakeIr, env: dict[str, Any]) -> Any:
    zone, place = ev.value(n.zone, env)
    amount = ev.value(n.amount, env)
    if ev.state is None:
        raise NotConstant
    pieces = ev.state.pieces(zone, place)
    if len(pieces) < amount:
        return -1
    if ev.world.zones[zone].shape == "stack":
        pieces = pieces[::-1]
    return tuple(pieces[: max(amount, 0)])


def _clockwise(ev: Evaluator, n: I.Clockwise, env: dict[str, Any]) -> tuple[int, ...]:
    start = ev.value(n.start, env)
    return tuple((start + i) % n.size for i in range(n.size))


def _effect(ev: Evaluator, n: I.EffectValue, env: dict[str, Any]) -> Any:
    return ev.world.table(n.table)[ev.value(n.index, env)]


_EVALUATE: dict[type, Callable[[Evaluator, Any, dict[str, Any]], Any]] = {
    I.Const: _const,
    I.Var: _var,
    I.Local: _local,
    I.Load: _load,
    I.Table: _table,
    I.Arith: _arith,
    I.Compare: _compare,
    I.Logic: _logic,
    I.NotIr: _not,
    I.If: _if,
    I.Let: _let,
    I.CallIr: _call,
    I.CallRow: _call_row,
    I.Contains: _contains,
    I.RangeIr: _range,
    I.ListIr: _list,
    I.Whole: _whole,
    I.Join: _join,
    I.Drop: _drop,
    I.ItemAt: _item_at,
    I.ZoneIr: _zone,
    I.ZoneRead: _zone_read,
    I.CodeOf: _code,
    I.PlaceOf: _place,
    I.Comprehend: _comprehend,
    I.PickIr: _pick,
    I.Within: _within,
    I.WalkIr: _walk,
    I.ReachIr: _reach,
    I.TakeIr: _take,
    I.Clockwise: _clockwise,
    I.EffectValue: _effect,
}
