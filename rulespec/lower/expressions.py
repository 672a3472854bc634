"""Typing and lowering of expressions, in one pass: `lower` gives the instruction form or reports why not.

Every function returns an `Ir`; after a report it has type `UNKNOWN`, which agrees with everything, so that
one fault gives one message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.advice import divisor_fixes, divisor_hint, none_fixes, none_hint, number_hint, without_otherwise
from rulespec.lower.ir import Compare, Const, Contains, Drop, Ir, Join, PickIr, RangeIr
from rulespec.lower.make import BAD
from rulespec.lower.plain import plain_code, plain_codes
from rulespec.lower.scope import Scope, denials_of, facts_of, not_zero
from rulespec.lower.watch import WATCHER
from rulespec.model.types import (
    BOOLEAN,
    EFFECT,
    UNKNOWN,
    AnyZone,
    EffectType,
    Integer,
    ListType,
    Member,
    NoneType,
    Optional,
    Piece,
    SetType,
    Type,
    Unknown,
    Zone,
    comparable,
    fits,
    join,
    may_be_none,
    strip,
)
from rulespec.model.world import World
from rulespec.source.text import Span

Handler = Callable[[Scope, Any, Type | None], Ir]


def lower(scope: Scope, expr: ast.Expr, want: Type | None = None) -> Ir:
    """The lowered form of an expression; `want` is what the place expects, and resolves bare member names."""
    made = _handlers()[type(expr)](scope, expr, want)
    known = may_be_none(made.type) and expr in scope.narrowed  # the guard against none falls away
    made = make.retype(made, strip(made.type)) if known else made
    watcher = WATCHER.get()
    if watcher is not None:
        watcher(scope, expr, want, made)
    return made


def look_on(scope: Scope, exprs: Sequence[ast.Expr], wanted: Sequence[Type]) -> None:
    """Lowers the parts of what is wrong as a whole, for whoever watches: editors ask of calls that lack arguments."""
    if WATCHER.get() is None:
        return
    kept, scope.world.problems = scope.world.problems, Problems()
    try:
        for e, want in zip(exprs, wanted, strict=False):
            lower(scope, e, want)
    finally:
        scope.world.problems = kept


@cache
def _handlers() -> dict[type, Handler]:
    """Which function lowers which form of expression."""
    from rulespec.lower import calls, indexes, names, operators

    return {**_HANDLERS, **names.HANDLERS, **calls.HANDLERS, **indexes.HANDLERS, **operators.HANDLERS}


def lower_as(scope: Scope, expr: ast.Expr, want: Type) -> Ir:
    """The lowered form, coerced to `want`, or a report."""
    return coerce(scope, lower_known(scope, expr, want), want, expr.span)


def lower_known(scope: Scope, expr: ast.Expr, want: Type) -> Ir:
    """The lowered form; where a piece is asked for, a slot that is known not to be empty is its piece."""
    made = lower(scope, expr, want)
    return value_of(scope, expr, made) if isinstance(strip(want), Piece) else made


def value_of(scope: Scope, expr: ast.Expr, made: Ir) -> Ir:
    """What was lowered as a value: a slot is its piece, or none where it is not known that one lies there."""
    value = make.as_value(scope.world, made)
    return make.retype(value, strip(value.type)) if expr in scope.narrowed else value


def coerce(scope: Scope, ir: Ir, want: Type, span: Span) -> Ir:
    """`ir` as a value of type `want`: the closed list of coercions, else a report."""
    w = scope.world
    if isinstance(strip(want), Piece) or not isinstance(want, (Optional, ListType)):
        ir = make.as_value(w, ir) if not _wants_zone(want) else ir
    if isinstance(want, EffectType) and isinstance(ir.type, ListType) and fits(ir.type.of, EFFECT):
        return _effects_in_order(scope, ir, span)
    made = _member_by_number(scope, ir, want, span) if isinstance(ir, Const) else None
    if made is not None:
        return made
    if fits(ir.type, want):
        return _check_range(scope, make.as_collection(w, ir, want), want, span)
    if may_be_none(ir.type) and not may_be_none(want) and fits(strip(ir.type), want):
        fixes = none_fixes(span, ir.type)
        w.problems.add("RS305", span, type=str(strip(ir.type)), hint=none_hint(span), fixes=fixes)
        return BAD
    w.problems.add("RS303", span, expected=str(want), found=str(ir.type), hint=number_hint(span, want, ir.type))
    return BAD


def _wants_zone(want: Type) -> bool:
    return isinstance(strip(want), (Zone, AnyZone))


def _member_by_number(scope: Scope, ir: Ir, want: Type, span: Span) -> Ir | None:
    """In data, an integer is the site with that one coordinate."""
    t = strip(want)
    if not (scope.constant and isinstance(t, Member) and isinstance(ir.type, Integer) and isinstance(ir, Const)):
        return None
    domain = scope.world.domains[t.domain]
    index = domain.lookup.get((ir.value,)) if len(domain.dims) == 1 else None  # type: ignore[arg-type]
    if index is None:
        scope.world.problems.add("RS303", span, expected=str(want), found=f"{ir.value}, which is no {t.domain}")
        return BAD
    return make.const(index, t)


def _check_range(scope: Scope, ir: Ir, want: Type, span: Span) -> Ir:
    """A constant outside the asked range is a report; a computed value is checked when it is stored."""
    t = strip(want)
    value = ir.value if isinstance(ir, Const) and isinstance(ir.type, Integer) else None
    if isinstance(t, Integer) and isinstance(value, int) and not t.holds(value):
        scope.world.problems.add("RS314", span, value=value, low=t.low, high=t.high)
        return BAD
    return make.none_as(ir, want)


def _effects_in_order(scope: Scope, ir: Ir, span: Span) -> Ir:
    if not isinstance(ir, Const) or not isinstance(ir.value, tuple):
        scope.world.problems.add("RS315", span, what="a list of effects")
        return BAD
    if not all(isinstance(part, int) and scope.world.effect_at(part) is not None for part in ir.value):
        return BAD  # a part is wrong, which is reported
    return make.const(scope.world.intern("*", ir.value), EFFECT)


# ---- literals, logic, arithmetic --------------------------------------------------------------------


def _number(scope: Scope, e: ast.Number, want: Type | None) -> Ir:
    return make.integer(e.value)


def _truth(scope: Scope, e: ast.Truth, want: Type | None) -> Ir:
    return make.boolean(e.value)


def _none(scope: Scope, e: ast.Nothing, want: Type | None) -> Ir:
    return make.NOTHING


def condition(scope: Scope, expr: ast.Expr) -> Ir:
    """A boolean that is never none."""
    return lower_as(scope, expr, BOOLEAN)


def number(scope: Scope, expr: ast.Expr) -> Ir:
    """An integer that is never none."""
    return lower_as(scope, expr, Integer())


def _not(scope: Scope, e: ast.Not, want: Type | None) -> Ir:
    return make.negate(condition(scope, e.of))


def _logic(scope: Scope, e: ast.Logic, want: Type | None) -> Ir:
    items: list[Ir] = []
    nothing = next((item for item in e.items if isinstance(item, ast.Nothing)), None)
    if nothing is not None:
        hint = "`or none` belongs to types. Ask `exists x`, or say what stands for none: `x otherwise y`."
        scope.world.problems.add("RS303", nothing.span, expected="boolean", found="none", hint=hint)
        return BAD
    for item in e.items:
        items.append(condition(scope, item))
        scope = scope.knowing(*(facts_of(item) if e.op == "and" else denials_of(item)))
    return make.logic(e.op, items)


def _if_else(scope: Scope, e: ast.IfElse, want: Type | None) -> Ir:
    test = condition(scope, e.condition)
    yes, no = scope.knowing(*facts_of(e.condition)), scope.knowing(*denials_of(e.condition))
    then, other = _branch(yes, e.then, want), _branch(no, e.otherwise, want)
    if then.type != other.type:
        then, other = value_of(yes, e.then, then), value_of(no, e.otherwise, other)
    joined = join(then.type, other.type)
    if joined is None:
        scope.world.problems.add("RS303", e.otherwise.span, expected=str(then.type), found=str(other.type))
        return BAD
    return BAD if isinstance(joined, Unknown) else make.if_else(test, then, other, joined)


def _branch(scope: Scope, e: ast.Expr, want: Type | None) -> Ir:
    """One of the two values of an `if`; `if n == 0 then 1 else n` is never 0."""
    made = lower(scope, e, want)
    return _above_zero(made) if scope.world.divides and not_zero(e) in scope.narrowed else made


def _exists(scope: Scope, e: ast.Exists, want: Type | None) -> Ir:
    of = make.as_value(scope.world, lower(scope, e.of))
    return BAD if isinstance(of.type, Unknown) else make.exists_value(of)


def _negative(scope: Scope, e: ast.Negative, want: Type | None) -> Ir:
    return make.arith("-", make.integer(0), number(scope, e.of))


def _binary(scope: Scope, e: ast.Binary, want: Type | None) -> Ir:
    return _BINARY[e.op](scope, e, want)


def _plus(scope: Scope, e: ast.Binary, want: Type | None) -> Ir:
    left = lower(scope, e.left, want)
    if isinstance(strip(left.type), (Integer, Unknown)):
        return _arith(scope, e, coerce(scope, left, Integer(), e.left.span))
    return _join_or_drop(scope, e, left, want)


def _arith(scope: Scope, e: ast.Binary, left: Ir | None = None) -> Ir:
    a = number(scope, e.left) if left is None else left
    b = number(scope, e.right)
    if isinstance(a.type, Unknown) or isinstance(b.type, Unknown):
        return BAD
    if e.op in ("//", "%") and isinstance(b, Const) and b.value == 0:
        scope.world.problems.add("RS314", e.right.span, value=0, low=1, high="…")
        return BAD
    if e.op in ("//", "%") and (b := _divisor(scope, e, b)) is BAD:
        return BAD
    return make.arith(e.op, a, b)


def _divisor(scope: Scope, e: ast.Binary, b: Ir) -> Ir:
    """What is divided by, which is never 0: by its type, or by a condition around it; else a report."""
    low, high = make.bounds(b.type)
    if (low is not None and low > 0) or (high is not None and high < 0) or make.has_no_zero(scope.world, b):
        return b
    if not_zero(e.right) not in scope.narrowed:
        span = e.right.span
        fixes = divisor_fixes(span)
        scope.world.problems.add("RS321", span, text=span.text, hint=divisor_hint(span), fixes=fixes)
        return BAD
    return _above_zero(b)


def _above_zero(number: Ir) -> Ir:
    """A number from 0 on that is known not to be 0, as one from 1 on."""
    low, high = make.bounds(number.type)
    return make.retype(number, Integer(1, high)) if low == 0 and not isinstance(number, Const) else number


def _join_or_drop(scope: Scope, e: ast.Binary, left: Ir, want: Type | None) -> Ir:
    """`list + list`, `list - member` (a zone counts as the list of its pieces)."""
    w = scope.world
    left = _as_list(scope, left)
    of = make.element_type(w, left)
    if of is None:
        w.problems.add("RS303", e.left.span, expected="integer, list or set", found=str(left.type))
        return BAD
    if _is_missing(scope, left, e.left.span):
        return BAD
    if e.op == "-":
        item = coerce(scope, value_of(scope, e.right, lower(scope, e.right, of)), of, e.right.span)
        return BAD if isinstance(item.type, Unknown) else Drop(type=left.type, items=left, item=item)
    right = _as_list(scope, lower(scope, e.right, left.type))
    if isinstance(right.type, Unknown) or _is_missing(scope, right, e.right.span):
        return BAD
    joined = join(left.type, right.type)
    if joined is None:
        w.problems.add("RS303", e.right.span, expected=str(left.type), found=str(right.type))
        return BAD
    if isinstance(joined, ListType):
        joined = ListType(joined.of, make.most_of(w, left) + make.most_of(w, right))
    return Join(type=joined, left=left, right=right)


def _as_list(scope: Scope, ir: Ir) -> Ir:
    return make.read_zone(scope.world, ir, "all") if make.zone_key(ir) is not None else ir


def _range(scope: Scope, e: ast.Binary, want: Type | None) -> Ir:
    low, high = number(scope, e.left), number(scope, e.right)
    if isinstance(low.type, Unknown) or isinstance(high.type, Unknown):
        return BAD
    (a, _), (_, b) = make.bounds(low.type), make.bounds(high.type)
    if isinstance(e.left, ast.Number) and isinstance(e.right, ast.Number) and e.left.value > e.right.value:
        scope.world.problems.add("RS303", e.span, expected="a range from low to high", found=e.span.text)
        return BAD
    if a is None or b is None:
        ends = [end for end, type_ in ((e.left, low.type), (e.right, high.type)) if None in make.bounds(type_)]
        is_call = any(isinstance(end, ast.Call) for end in ends)
        hint = "A function's end has the range of its type: `0..9` rather than `integer`." if is_call else None
        scope.world.problems.add("RS316", e.span, text=e.span.text, hint=hint)
        return BAD
    return RangeIr(type=ListType(Integer(a, b), max(b - a + 1, 0)), low=low, high=high)


def _otherwise(scope: Scope, e: ast.Binary, want: Type | None) -> Ir:
    w = scope.world
    left = make.as_value(w, lower(scope, e.left, want))
    right = make.as_value(w, lower(scope, e.right, want or strip(left.type)))
    if not may_be_none(left.type) and not isinstance(left.type, Unknown):
        fixes = without_otherwise(e.left.span, e.span)
        w.problems.add("RS317", e.left.span, text=e.left.span.text, fixes=fixes)
        return left
    joined = join(strip(left.type), right.type)
    if joined is None:
        w.problems.add("RS303", e.right.span, expected=str(strip(left.type)), found=str(right.type))
        return BAD
    if isinstance(left.type, NoneType):
        return right
    return make.let_in(left, lambda v: make.if_else(make.exists_value(v), make.retype(v, strip(v.type)), right, joined))


def _compare(scope: Scope, e: ast.Binary, want: Type | None) -> Ir:
    if e.op in ("==", "!="):
        return _equal(scope, e)
    left, right = _two_numbers(scope, e)
    if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
        return BAD
    return make.compare(e.op, left, right)


def _two_numbers(scope: Scope, e: ast.Binary) -> tuple[Ir, Ir]:
    left = number(scope, e.left)
    if isinstance(left.type, Unknown):  # most likely not numbers but names are compared: one report says so
        return left, lower(scope, e.right)
    return left, number(scope, e.right)


def _equal(scope: Scope, e: ast.Binary) -> Ir:
    w = scope.world
    left, right = _both_sides(scope, e)
    if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
        return BAD
    left, right = _both_sets(w, left, right)
    if not comparable(left.type, right.type) or _is_set(left) != _is_set(right):
        w.problems.add("RS310", e.span, left=str(left.type), right=str(right.type))
        return BAD
    if isinstance(left.type, NoneType) or isinstance(right.type, NoneType):
        there = make.exists_value(right if isinstance(left.type, NoneType) else left)
        return there if e.op == "!=" else make.negate(there)
    if isinstance(strip(left.type), Piece):
        return make.compare(e.op, plain_code(scope, left), plain_code(scope, right))
    return _compare_plain(e.op, plain_codes(scope, left), plain_codes(scope, right))


def _both_sets(w: World, left: Ir, right: Ir) -> tuple[Ir, Ir]:
    """A set and a list of members are equal as sets."""
    if _is_set(right):
        left = make.as_collection(w, left, right.type)
    elif _is_set(left):
        right = make.as_collection(w, right, left.type)
    return left, right


def _is_set(ir: Ir) -> bool:
    return isinstance(strip(ir.type), SetType)


def _compare_plain(op: str, left: Ir, right: Ir) -> Ir:
    return make.compare(op, left, right) if not isinstance(left.type, (ListType, SetType)) else _same(op, left, right)


def _same(op: str, left: Ir, right: Ir) -> Ir:
    return Compare(type=BOOLEAN, op=op, left=left, right=right)


def _both_sides(scope: Scope, e: ast.Binary) -> tuple[Ir, Ir]:
    """Either side may be a bare member name that the other side's type explains."""
    w = scope.world
    if _is_bare_member(scope, e.left):
        right = make.as_value(w, lower(scope, e.right))
        return make.as_value(w, lower(scope, e.left, strip(right.type))), right
    left = make.as_value(w, lower(scope, e.left))
    return left, make.as_value(w, lower(scope, e.right, strip(left.type)))


def _is_bare_member(scope: Scope, e: ast.Expr) -> bool:
    return isinstance(e, ast.Name) and e.name not in scope.names and e.name in scope.world.members


def _contains(scope: Scope, e: ast.Binary, want: Type | None) -> Ir:
    from rulespec.lower.operators import lower_source

    items = lower_source(scope, e.right)
    of = make.element_type(scope.world, items)
    if of is None:
        if not isinstance(items.type, Unknown):
            scope.world.problems.add("RS303", e.right.span, expected="list, set or zone", found=str(items.type))
        return BAD
    if _is_missing(scope, items, e.right.span):
        return BAD
    item = make.as_value(scope.world, lower(scope, e.left, of))
    if isinstance(item.type, Unknown):
        return BAD
    if not comparable(item.type, of):
        scope.world.problems.add("RS310", e.span, left=str(item.type), right=str(of))
        return BAD
    found = _member(scope, make.none_as(item, of), items, of)
    return make.negate(found) if e.op == "not_in" else found


def _is_missing(scope: Scope, many: Ir, span: Span) -> bool:
    """Whether there may be no list, set or zone at all, which is reported."""
    if may_be_none(many.type):
        scope.world.problems.add("RS305", span, type=str(strip(many.type)), hint=none_hint(span))
    return may_be_none(many.type)


def _member(scope: Scope, item: Ir, items: Ir, of: Type) -> Ir:
    """Whether something is one of several; pieces by what `==` compares of them."""
    if isinstance(strip(of), Piece):
        return Contains(type=BOOLEAN, item=plain_code(scope, item), items=plain_codes(scope, items))
    if isinstance(items, RangeIr):
        return _within(item, items)
    if isinstance(items.type, SetType) and may_be_none(item.type):  # none is in no set

        def there(v: Ir) -> Ir:
            found = Contains(type=BOOLEAN, item=make.retype(v, strip(v.type)), items=items)
            return make.logic("and", [make.exists_value(v), found])

        return make.let_in(item, there, BOOLEAN)
    return Contains(type=BOOLEAN, item=item, items=items)


def _within(item: Ir, span: RangeIr) -> Ir:
    def both(v: Ir) -> Ir:
        return make.logic("and", [make.compare("<=", span.low, v), make.compare("<=", v, span.high)])

    return make.let_in(item, both, BOOLEAN)


def _pick_of(scope: Scope, e: ast.PickOf, want: Type | None) -> Ir:
    items = [number(scope, i) for i in e.items]
    values = [i.value for i in items if isinstance(i, Const) and isinstance(i.value, int)]
    if len(values) == len(items):
        return make.integer(min(values) if e.op == "min" else max(values))
    lows, highs = [make.bounds(i.type)[0] for i in items], [make.bounds(i.type)[1] for i in items]
    if e.op == "min":
        known = [h for h in highs if h is not None]
        low = None if None in lows else min(x for x in lows if x is not None)
        return PickIr(type=Integer(low, min(known) if known else None), op="min", items=tuple(items))
    known = [x for x in lows if x is not None]
    high = None if None in highs else max(x for x in highs if x is not None)
    return PickIr(type=Integer(max(known) if known else None, high), op="max", items=tuple(items))


def _list_of(scope: Scope, e: ast.ListOf, want: Type | None) -> Ir:
    inner = want.of if isinstance(want, (ListType, SetType)) else want
    items = [value_of(scope, i, lower(scope, i, inner)) for i in e.items]
    of: Type | None = items[0].type if items else inner or UNKNOWN
    for item, written in zip(items[1:], e.items[1:], strict=True):
        joined = join(of, item.type) if of is not None else None
        if joined is None:
            scope.world.problems.add("RS303", written.span, expected=str(of), found=str(item.type))
            return BAD
        of = joined
    return make.list_of([make.none_as(item, of) for item in items] if of is not None else items, of or UNKNOWN)


_BINARY: dict[str, Callable[[Scope, ast.Binary, Type | None], Ir]] = {
    "+": _plus,
    "-": _plus,
    **dict.fromkeys(("*", "//", "%"), lambda scope, e, want: _arith(scope, e)),
    "..": _range,
    "otherwise": _otherwise,
    "in": _contains,
    "not_in": _contains,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), _compare),
}

_HANDLERS: dict[type, Handler] = {
    ast.Number: _number,
    ast.Truth: _truth,
    ast.Nothing: _none,
    ast.Not: _not,
    ast.Logic: _logic,
    ast.IfElse: _if_else,
    ast.Exists: _exists,
    ast.Negative: _negative,
    ast.Binary: _binary,
    ast.PickOf: _pick_of,
    ast.ListOf: _list_of,
}
