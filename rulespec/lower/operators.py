"""The closed operators: the only loops that an expression can have."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.expressions import condition, lower, lower_as, number, value_of
from rulespec.lower.filters import note_filter
from rulespec.lower.ir import Comprehend, Ir, ReachIr, Var, WalkIr, Whole
from rulespec.lower.make import BAD
from rulespec.lower.scope import Scope, facts_of
from rulespec.model.types import (
    BOOLEAN,
    Boolean,
    Integer,
    ListType,
    Member,
    SetType,
    Type,
    Unknown,
    may_be_none,
    optional,
    strip,
)


def lower_source(scope: Scope, expr: ast.Expr) -> Ir:
    """What stands after `in` or `from`: a domain's name is the whole domain, `boolean` both values, else any list."""
    if isinstance(expr, ast.Name) and expr.name in scope.world.domains:
        return whole(scope, expr.name)
    if isinstance(expr, ast.Name) and expr.name == "boolean":
        return make.list_of([make.boolean(False), make.boolean(True)], BOOLEAN)
    return lower(scope, expr)


def whole(scope: Scope, domain: str) -> Ir:
    """All members of a domain."""
    return Whole(type=SetType(Member(domain)), size=scope.world.domains[domain].size)


def _loop(scope: Scope, each: ast.Each) -> tuple[Ir, Var, Ir | None, Scope] | None:
    """Source, variable, filter, and the scope in which a value is read."""
    w = scope.world
    source = lower_source(scope, each.source)
    of = make.element_type(w, source)
    if of is None:
        if not isinstance(source.type, Unknown):
            w.problems.add("RS303", each.source.span, expected="list, set or zone", found=str(source.type))
        return None
    if may_be_none(source.type):
        w.problems.add("RS305", each.source.span, type=str(strip(source.type)))
        return None
    if scope.is_taken(each.name):
        w.problems.add("RS307", each.name_span, name=each.name)
        return None
    var = Var(type=of, name=make.fresh(each.name))
    inner = scope.with_names({each.name: var})
    where = None
    if each.where is not None:
        where = condition(inner, each.where)
        note_filter(inner, each.where, where)
        inner = inner.knowing(*facts_of(each.where))
        if make.is_true(where):
            where = None
    return source, var, where, inner


def _select(scope: Scope, e: ast.Select, want: Type | None) -> Ir:
    loop = _loop(scope, e.each)
    if loop is None:
        return BAD
    source, var, where, _ = loop
    most = make.most_of(scope.world, source)
    least = most if where is None and isinstance(source, Whole) else 0
    types: dict[str, Type] = {"count": Integer(least, most), "any": BOOLEAN, "first": optional(var.type)}
    return Comprehend(type=types[e.op], op=e.op, name=var.name, source=source, where=where)


def _fold(scope: Scope, e: ast.Fold, want: Type | None) -> Ir:
    loop = _loop(scope, e.each)
    if loop is None:
        return BAD
    source, var, where, inner = loop
    most = make.most_of(scope.world, source)
    if e.op in ("list", "set"):
        return _collect(scope, e, inner, want, (source, var, where, most))
    if e.op == "all":
        value = condition(inner, e.value)
        return Comprehend(type=BOOLEAN, op="all", name=var.name, source=source, where=where, value=value)
    value = number(inner, e.value)
    type = folded_type(e.op, value.type, most)
    if where is None and isinstance(source, Whole) and source.size:
        type = strip(type)
    return Comprehend(type=type, op=e.op, name=var.name, source=source, where=where, value=value)


def folded_type(op: str, t: Type, most: int) -> Type:
    """The type of a sum, or of the lowest or highest, of at most so many values."""
    low, high = make.bounds(t)
    if op == "sum":
        return Integer(None if low is None else min(0, low * most), None if high is None else max(0, high * most))
    return optional(Integer(low, high))


def _collect(scope: Scope, e: ast.Fold, inner: Scope, want: Type | None, loop: tuple[Ir, Var, Ir | None, int]) -> Ir:
    source, var, where, most = loop
    of_want = want.of if isinstance(want, (ListType, SetType)) else None
    value = value_of(inner, e.value, lower(inner, e.value, of_want))
    if isinstance(value.type, Unknown):
        return BAD
    if may_be_none(value.type):
        scope.world.problems.add("RS305", e.value.span, type=str(strip(value.type)))
        return BAD
    type: Type = ListType(value.type, most)
    if e.op == "set":
        if not isinstance(value.type, Member):
            hint = "A set holds members of a kind or enum. Of anything else make a list: `list(E for x in S)`."
            scope.world.problems.add("RS303", e.value.span, expected="a member", found=str(value.type), hint=hint)
            return BAD
        type = SetType(value.type)
    return Comprehend(type=type, op=e.op, name=var.name, source=source, where=where, value=value)


def _best(scope: Scope, e: ast.Best, want: Type | None) -> Ir:
    loop = _loop(scope, e.each)
    if loop is None:
        return BAD
    source, var, where, inner = loop
    value = lower(inner, e.by, Integer())
    if isinstance(value.type, Boolean) or not isinstance(strip(value.type), (Integer, Member)):
        value = number(inner, e.by)
    type = ListType(var.type, make.most_of(scope.world, source))
    return Comprehend(type=type, op=e.op, name=var.name, source=source, where=where, value=value)


def _longest(scope: Scope, e: ast.Longest, want: Type | None) -> Ir:
    loop = _loop(scope, e.each)
    if loop is None:
        return BAD
    source, var, where, _ = loop
    type = ListType(var.type, make.most_of(scope.world, source))
    return Comprehend(type=type, op="longest", name=var.name, source=source, where=where)


def _stretch(scope: Scope, e: ast.Stretch, want: Type | None) -> Ir:
    loop = _loop(scope, e.each)
    if loop is None:
        return BAD
    source, var, where, _ = loop
    around = lower_as(scope, e.around, var.type)
    type = ListType(var.type, make.most_of(scope.world, source))
    return Comprehend(type=type, op="stretch", name=var.name, source=source, where=where, around=around)


def _member_start(scope: Scope, expr: ast.Expr) -> Ir | None:
    start = lower(scope, expr)
    if isinstance(start.type, Unknown):
        return None
    if not isinstance(strip(start.type), Member):
        scope.world.problems.add("RS303", expr.span, expected="a site or member", found=str(start.type))
        return None
    return start


def _walk(scope: Scope, e: ast.Walk, want: Type | None) -> Ir:
    start = _member_start(scope, e.start)
    if start is None:
        return BAD
    member = strip(start.type)
    if scope.is_taken(e.name):
        scope.world.problems.add("RS307", e.name_span, name=e.name)
        return BAD
    var = Var(type=member, name=make.fresh(e.name))
    step = lower_as(scope.with_names({e.name: var}), e.step, optional(member))
    size = scope.world.domains[member.domain].size  # type: ignore[attr-defined]
    return WalkIr(type=ListType(member, size), name=var.name, start=start, step=step, size=size)


def _reach(scope: Scope, e: ast.Reach, want: Type | None) -> Ir:
    start = _member_start(scope, e.start)
    if start is None:
        return BAD
    member = strip(start.type)
    assert isinstance(member, Member)
    if scope.is_taken(e.name):
        scope.world.problems.add("RS307", e.name_span, name=e.name)
        return BAD
    var = Var(type=member, name=make.fresh(e.name))
    inner = scope.with_names({e.name: var})
    via = lower(inner, e.via)
    of = make.element_type(scope.world, via)
    if isinstance(via.type, Unknown):
        return BAD
    if of != member:
        scope.world.problems.add("RS303", e.via.span, expected=f"set of {member}", found=str(via.type))
        return BAD
    cost, within = number(inner, e.cost), number(scope, e.within)
    low, _ = make.bounds(cost.type)
    if low is None or low < 0:
        scope.world.problems.add("RS318", e.cost.span, low="unbounded" if low is None else low)
        return BAD
    size = scope.world.domains[member.domain].size
    return ReachIr(type=SetType(member), name=var.name, start=start, via=via, cost=cost, within=within, size=size)


HANDLERS: dict[type, Callable[..., Ir]] = {
    ast.Select: _select,
    ast.Fold: _fold,
    ast.Best: _best,
    ast.Longest: _longest,
    ast.Stretch: _stretch,
    ast.Walk: _walk,
    ast.Reach: _reach,
}
