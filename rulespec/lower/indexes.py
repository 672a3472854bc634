"""Indexes: members of maps and lists, and sites named by their coordinates."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.advice import members_hint
from rulespec.lower.attributes import MapAt, get
from rulespec.lower.expressions import coerce, look_on, lower, lower_as
from rulespec.lower.ir import Comprehend, Const, Ir, Var
from rulespec.lower.make import BAD
from rulespec.lower.scope import Scope
from rulespec.model.types import (
    Boolean,
    Integer,
    ListType,
    MapType,
    Member,
    Optional,
    Record,
    SetType,
    Type,
    Unknown,
    Zone,
    fits,
    optional,
    strip,
)
from rulespec.model.world import World


def _index(scope: Scope, e: ast.Index, want: Type | None) -> Ir:
    w = scope.world
    if isinstance(e.of, ast.Name) and e.of.name in w.domains and e.of.name not in w.values:
        return site_at(scope, e, e.of.name)
    of = lower(scope, e.of)
    if isinstance(of.type, Unknown):
        return BAD
    if len(e.args) != 1:
        w.problems.add("RS304", e.span, name=e.of.span.text, expected=1, found=len(e.args))
        return BAD
    if isinstance(of, MapAt):
        return _map_at(scope, e, of)
    if isinstance(of.type, ListType):
        if isinstance(e.args[0], ast.Binary) and e.args[0].op == "..":
            return _stretch(scope, e, of, of.type)
        index = lower_as(scope, e.args[0], Integer())
        return make.item_of("at", of, optional(of.type.of), index=index)
    hint = members_hint(e.of.span) if isinstance(strip(of.type), (SetType, Zone)) else None
    w.problems.add("RS309", e.of.span, text=e.of.span.text, found=str(of.type), what="indexed", hint=hint)
    return BAD


def _stretch(scope: Scope, e: ast.Index, of: Ir, whole: ListType) -> Ir:
    """`S[0..2]`: the members at these places, in their order; where there is none, nothing."""
    places = lower(scope, e.args[0])
    if not isinstance(places.type, ListType):
        return BAD
    if isinstance(whole.of, Record):
        hint = members_hint(e.of.span)
        scope.world.problems.add("RS303", e.args[0].span, expected="integer", found="a range", hint=hint)
        return BAD
    at = Var(type=places.type.of, name=make.fresh("at"))
    count = make.item_of("count", of, Integer(0, whole.most))
    inside = make.logic("and", [make.compare("<=", make.integer(0), at), make.compare("<", at, count)])
    member = make.item_of("at", of, whole.of, index=at)
    t = ListType(whole.of, min(places.type.most, whole.most))
    return Comprehend(type=t, op="list", name=at.name, source=places, where=inside, value=member)


def _map_at(scope: Scope, e: ast.Index, of: MapAt) -> Ir:
    """A total map's value for a key; a key that may be outside gives none."""
    map_type = strip(of.type)
    assert isinstance(map_type, MapType)
    key = coerce(scope, lower(scope, e.args[0], map_type.key), optional(map_type.key), e.args[0].span)
    if isinstance(key.type, Unknown):
        return BAD

    def pick(row: Ir) -> Ir:
        def with_key(k: Ir) -> Ir:
            offset = make.arith("-", _as_number(scope, k), make.integer(of.low))
            index = make.arith("+", make.arith("*", row, make.integer(of.size)), offset)
            return _inside(scope.world, k, of, index, map_type.value)

        return make.guarded(key, with_key)

    return make.guarded(of.row, pick)


def _as_number(scope: Scope, ir: Ir) -> Ir:
    if isinstance(ir.type, Member):
        return make.retype(ir, Integer(0, scope.world.domains[ir.type.domain].size - 1))
    return make.retype(ir, Integer(0, 1)) if isinstance(ir.type, Boolean) else ir


def _inside(w: World, key: Ir, of: MapAt, index: Ir, value: Type) -> Ir:
    low, high = make.bounds(key.type)
    if not isinstance(key.type, Integer) or (
        low is not None and high is not None and low >= of.low and high < of.low + of.size
    ):
        return make.table_at(w, of.table, index, value)
    ends = [
        make.compare("<=", make.integer(of.low), key),
        make.compare("<", key, make.integer(of.low + of.size)),
    ]
    result = optional(value)
    there = make.table_at(w, of.table, index, value)
    return make.if_else(make.logic("and", ends), there, make.const(make.none_value(result), result), result)


def site_at(scope: Scope, e: ast.Index, name: str) -> Ir:
    """`kind[i, j]`: an existing site, or none."""
    w = scope.world
    domain = w.domains[name]
    if not domain.dims:
        return _member_at(scope, e, name)
    wanted = [Integer() if d.domain is None else Member(d.domain) for d in domain.dims]
    if len(e.args) != len(domain.dims):
        w.problems.add("RS304", e.span, name=name, expected=len(domain.dims), found=len(e.args))
        look_on(scope, e.args, wanted)
        return BAD
    args: list[Ir] = []
    for a, t in zip(e.args, wanted, strict=True):
        args.append(coerce(scope, lower(scope, a, t), optional(t), a.span))
        if isinstance(args[-1].type, Unknown):  # where one is wrong, most likely their order is
            look_on(scope, e.args[len(args) :], wanted[len(args) :])
            return BAD
    return _combine(scope, name, args, [])


def _combine(scope: Scope, name: str, args: list[Ir], done: list[Ir]) -> Ir:
    """The site at coordinates, each guarded against none and against leaving its range."""
    w = scope.world
    domain = w.domains[name]
    if len(done) < len(args):
        return make.guarded(
            args[len(done)], lambda v: make.let_in(v, lambda u: _combine(scope, name, args, [*done, u]))
        )
    index: Ir = make.integer(0)
    tests: list[Ir] = []
    for dim, value in zip(domain.dims, done, strict=True):
        low, high = make.bounds(value.type)
        if dim.domain is None and (low is None or low < dim.low):
            tests.append(make.compare("<=", make.integer(dim.low), value))
        if dim.domain is None and (high is None or high >= dim.low + dim.size):
            tests.append(make.compare("<", value, make.integer(dim.low + dim.size)))
        offset = make.arith("-", _as_number(scope, value), make.integer(dim.low))
        index = make.arith("+", make.arith("*", index, make.integer(dim.size)), offset)
    total = all(i >= 0 for i in w.tables[f"{name}.lookup"])  # type: ignore[operator]
    site: Type = Member(name)
    if any(make.is_false(test) for test in tests):
        return make.const(-1, Optional(site))
    found = make.table_at(w, f"{name}.lookup", index, site if total else Optional(site))
    if isinstance(found, Const) and found.value != -1 and not tests:
        return make.const(found.value, site)
    if not tests:
        return found
    return make.if_else(make.logic("and", tests), found, make.const(-1, Optional(site)), Optional(site))


def _member_at(scope: Scope, e: ast.Index, name: str) -> Ir:
    """A member by its number, or a member of the same kind as it is (`street[h2]`)."""
    w = scope.world
    if len(e.args) != 1:
        w.problems.add("RS304", e.span, name=name, expected=1, found=len(e.args))
        return BAD
    value = lower(scope, e.args[0], Member(name))
    if fits(value.type, Optional(Member(name))):
        return value
    value = coerce(scope, value, Integer(), e.args[0].span)
    size = w.domains[name].size
    low, high = make.bounds(value.type)
    if isinstance(value.type, Unknown):
        return BAD
    if isinstance(value, Const) and isinstance(value.value, int):
        return make.const(value.value, Member(name)) if 0 <= value.value < size else make.NOTHING
    if low is not None and high is not None and low >= 0 and high < size:
        return make.retype(value, Member(name))

    def check(v: Ir) -> Ir:
        tests = [make.compare("<=", make.integer(0), v), make.compare("<", v, make.integer(size))]
        member = Optional(Member(name))
        return make.if_else(make.logic("and", tests), make.retype(v, member), make.const(-1, member), member)

    return make.let_in(value, check)


def _get(scope: Scope, e: ast.Get, want: Type | None) -> Ir:
    return get(scope, e)


HANDLERS: dict[type, Callable[..., Ir]] = {ast.Index: _index, ast.Get: _get}
