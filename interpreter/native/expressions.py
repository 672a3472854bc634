"""From lowered expressions to code: what is one number, and what chooses between values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.native import lists, loops, paths, zones
from interpreter.native.code import Code, NotCompiled, none_of
from interpreter.native.wasm import E, both, call, choose, const, either, select
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import Ir, walk_ir
from rulespec.lower.make import bounds
from rulespec.lower.substitute import substitute
from rulespec.model.types import Integer, SetType, Type, strip

LARGEST = 2**31 - 1
MOST_ASKED_FIRST = 40  #: nodes of a condition that is asked before a function is called


def _const(s: Code, n: I.Const) -> E:
    return lists.constant(s, n.value, n.type)


def _var(s: Code, n: I.Var) -> E:
    return s.vars[n.name]


def _local(s: Code, n: I.Local) -> E:
    return lists.slot(s, n.slot)


def _load(s: Code, n: I.Load) -> E:
    if isinstance(n.index, I.Local) and n.index.slot == -1:
        return s.read_region(n.region)
    return s.read_region(n.region, s.scalar(n.index))


def _table(s: Code, n: I.Table | I.EffectValue) -> E:
    return s.table(n.table, n.type, s.scalar(n.index))


def fits(t: Type) -> bool:
    """Whether the numbers of a type are known to fit into 32 bits."""
    return (
        isinstance(t, Integer) and t.low is not None and t.high is not None and t.low >= -LARGEST and t.high <= LARGEST
    )


_PLAIN = {"+": "add", "-": "sub", "*": "mul"}


def _arith(s: Code, n: I.Arith) -> E:
    a, b = s.scalar(n.left), s.scalar(n.right)
    if n.op in ("//", "%"):
        return _divide(s, n.op, a, b)
    if fits(n.type) or (a.value is not None and b.value is not None):
        return {"+": a + b, "-": a - b, "*": a * b}[n.op]
    return checked(s, a.wide().op(_PLAIN[n.op], b.wide()))


def checked(s: Code, value: E) -> E:
    """A value of 64 bits as one of 32, where it fits; else everything ends."""

    def test(whole: E) -> E:
        def made() -> E:
            s.bail_if(whole.narrow().wide().ne(whole), "number")
            return whole.narrow()

        return s.inline(made)

    return s.named(value, test)


def _divide(s: Code, op: str, a: E, b: E) -> E:
    """Division and remainder that round down; of nothing by nothing."""
    power = b.value if b.value is not None and b.value > 0 and not b.value & (b.value - 1) else 0
    if power and op == "%":
        return a & (power - 1)
    if power:
        return a.op("shr_s", power.bit_length() - 1)
    if b.value is not None and b.value > 0:
        return s.named(a, lambda x: _positive(s, op, x, b))
    return s.named(a, lambda x: s.named(b, lambda y: choose(y.eq(0), const(0), _any_divisor(s, op, x, y))))


def _positive(s: Code, op: str, a: E, b: E) -> E:
    rest = a.op("rem_s", b)
    if op == "%":
        return s.named(rest, lambda r: select(r.lt(0), r + b, r))
    return s.named(rest, lambda r: a.op("div_s", b) - r.lt(0))


def _any_divisor(s: Code, op: str, a: E, b: E) -> E:
    wide_a, wide_b = a.wide(), b.wide()
    rest = wide_a.op("rem_s", wide_b).narrow()

    def rounded(r: E) -> E:
        off = both(r.ne(0), (r ^ b).lt(0))
        if op == "%":
            return select(off, r + b, r)
        return checked(s, wide_a.op("div_s", wide_b) - off.wide())

    return s.named(rest, rounded)


_COMPARE: dict[str, Callable[[E, E], E]] = {
    "==": E.eq,
    "!=": E.ne,
    "<": E.lt,
    "<=": E.le,
    ">": E.gt,
    ">=": E.ge,
}


def _compare(s: Code, n: I.Compare) -> E:
    piece = _presence(s, n)
    if piece is not None:
        return piece
    if not s.is_scalar(n.left.type) or not s.is_scalar(n.right.type):
        return lists.compare(s, n)
    a, b = s.ex(n.left), s.ex(n.right)
    if b.value == 0 and n.op == "==":
        return a.eq(0)
    return _COMPARE[n.op](a, b)


def _presence(s: Code, n: I.Compare) -> E | None:
    """Whether a piece is there, without finding out which."""
    left = n.left.piece if isinstance(n.left, I.CodeOf) else n.left
    none = isinstance(n.right, I.Const) and n.right.value == -1 and n.op in ("==", "!=")
    if not none or not isinstance(left, I.ZoneRead) or left.what in ("count", "empty", "full", "all"):
        return None
    empty = zones.empty(s, left.zone)
    return empty if n.op == "==" else empty.no()


def _logic(s: Code, n: I.Logic) -> E:
    found = s.ex(n.items[-1])
    for item in reversed(n.items[:-1]):
        found = both(s.ex(item), found) if n.op == "and" else either(s.ex(item), found)
    return found


def _not(s: Code, n: I.NotIr) -> E:
    return s.ex(n.of).no()


def _if(s: Code, n: I.If) -> E:
    condition = s.ex(n.condition)
    a, b = lists.as_type(s, n.then, n.type), lists.as_type(s, n.otherwise, n.type)
    if a.type != b.type:
        raise NotCompiled("a choice between values of two kinds")
    if _short(a) and _short(b):
        return select(condition, a, b)
    return choose(condition, a, b)


def _short(value: E) -> bool:
    return value.value is not None or len(value.code) <= 3


def _let(s: Code, n: I.Let) -> E:
    value = s.ex(n.value)

    def made() -> E:
        s.vars[n.name] = s.fn.keep(value)
        return s.ex(n.body)

    return s.inline(made)


def _call(s: Code, n: I.CallIr) -> E:
    if s.found and n in s.found:
        return s.found[n]
    found = _calling(s, n.function, n.args)
    first = _asked_first(s, n)
    return found if first is None else both(first, found)


def _asked_first(s: Code, n: I.CallIr) -> E | None:
    """What a condition asks first, where that is little: often it says no, and the call is saved."""
    body = s.body_of(n.function)
    plain = all(isinstance(arg, (I.Const, I.Var, I.Local, I.Load)) for arg in n.args)
    if not isinstance(body, I.Logic) or body.op != "and" or not plain:
        return None
    first = body.items[0]
    calls = any(isinstance(part, (I.CallIr, I.CallRow, I.Comprehend, I.WalkIr, I.ReachIr)) for part in walk_ir(first))
    if calls or sum(1 for _ in walk_ir(first)) > MOST_ASKED_FIRST:
        return None
    params = s.declared.functions[n.function].params
    given = {f"{n.function}.{param}": arg for (param, _), arg in zip(params, n.args, strict=True)}
    return s.ex(substitute(first, given))


def _calling(s: Code, name: str, args: tuple[Ir, ...]) -> E:
    fn = s.function(name)
    params = s.declared.functions[name].params
    given = [lists.as_type(s, arg, t) for arg, (_, t) in zip(args, params, strict=True)]
    returns = s.declared.functions[name].returns
    if returns is None or not s.is_scalar(returns):
        s.allocations += 1
    return call(fn, s.c, *given)


def _call_row(s: Code, n: I.CallRow) -> E:
    """The function of a row: the rows that share one share its call."""
    rows: dict[str, list[int]] = {}
    for at, name in enumerate(n.functions):
        rows.setdefault(name, []).append(at)
    if not s.is_scalar(n.type):
        raise NotCompiled("lists found by the formula of a row")
    names = list(rows)
    which = s.entry([*(names.index(name) for name in n.functions), 0], s.scalar(n.row))

    def made(at: E) -> E:
        found = _calling(s, names[-1], n.args)
        for number in range(len(names) - 2, -1, -1):
            found = choose(at.eq(number), _calling(s, names[number], n.args), found)
        return found

    return s.named(which, made)


def _contains(s: Code, n: I.Contains) -> E:
    return lists.contains(s, n)


def _pick(s: Code, n: I.PickIr) -> E:
    found = s.scalar(n.items[0])
    for item in n.items[1:]:
        found = _lesser(s, n.op, found, s.scalar(item))
    return found


def _lesser(s: Code, op: str, a: E, b: E) -> E:
    test = E.le if op == "min" else E.ge
    return s.named(a, lambda x: s.named(b, lambda y: select(test(x, y), x, y)))


def _within(s: Code, n: I.Within) -> E:
    """A number that must lie in the range of its type."""
    low, high = bounds(n.type)

    def test(x: E) -> E:
        def made() -> E:
            if low is not None:
                s.bail_if(x.lt(low), "range")
            if high is not None:
                s.bail_if(x.gt(high), "range")
            return x

        return s.inline(made)

    return s.named(s.scalar(n.value), test)


def _code(s: Code, n: I.CodeOf) -> E:
    return zones.code_of(s, n.piece)


def _place_of(s: Code, n: I.PlaceOf) -> E:
    whole = _divide(s, "//", s.scalar(n.piece), const(s.depth_codes))
    return whole - n.first


def _item_at(s: Code, n: I.ItemAt) -> E:
    if isinstance(strip(n.items.type), SetType):
        return lists.of_set(s, n)
    quick = None
    if n.what == "count":
        quick = loops.count_of_best(s, n) or paths.count_of_stretch(s, n)
    quick = quick or loops.without_list(s, n)
    if quick is not None:
        return quick
    if n.what == "field":
        return lists.field(s, n)
    return lists.item(s, n, none_of(n.type))


FORMS: dict[type, Callable[[Code, Any], E]] = {
    I.Const: _const,
    I.Var: _var,
    I.Local: _local,
    I.Load: _load,
    I.Table: _table,
    I.EffectValue: _table,
    I.Arith: _arith,
    I.Compare: _compare,
    I.Logic: _logic,
    I.NotIr: _not,
    I.If: _if,
    I.Let: _let,
    I.CallIr: _call,
    I.CallRow: _call_row,
    I.Contains: _contains,
    I.RangeIr: lists.range_list,
    I.ListIr: lists.list_of,
    I.Whole: lists.whole,
    I.Join: lists.join,
    I.Drop: lists.drop,
    I.ItemAt: _item_at,
    I.ZoneIr: lambda s, n: s.scalar(n.place),
    I.ZoneRead: zones.read,
    I.CodeOf: _code,
    I.PlaceOf: _place_of,
    I.Comprehend: loops.comprehend,
    I.PickIr: _pick,
    I.Within: _within,
    I.WalkIr: paths.walk,
    I.ReachIr: paths.reach,
    I.TakeIr: zones.take,
    I.Clockwise: lists.clockwise,
}
