"""`take(N, S)`: the first ones of a zone or list.

As a value these are as many as there are, where there are fewer than N. A step that moves or turns what is taken from a
zone takes N of them, or cannot be done.
"""

from __future__ import annotations

from dataclasses import replace

from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.expressions import lower, lower_as
from rulespec.lower.ir import Comprehend, Ir, PickIr, RangeIr, TakeIr, Var
from rulespec.lower.make import BAD
from rulespec.lower.scope import Scope
from rulespec.model.types import Integer, ListType, Piece, SetType, Unknown, may_be_none, strip

_OF_A_SET = "A set or kind has no order of its own. Make a list of it: `sort(x in S by E)` or `list(x for x in S)`."


def lower_take(scope: Scope, e: ast.Call) -> Ir:
    """The members that are taken, as a list."""
    amount, source = lower_as(scope, e.args[0], Integer()), lower(scope, e.args[1])
    if isinstance(amount.type, Unknown) or isinstance(source.type, Unknown):
        return BAD
    if may_be_none(source.type):
        return _refused(scope, e, source)
    key = make.zone_key(source)
    if key is not None:
        decl = scope.world.zones[key]
        type = ListType(Piece(decl.holds, key), make.most_of(scope.world, source))
        there = make.read_zone(scope.world, source, "count")
        return TakeIr(type=type, amount=_at_most(amount, there), zone=source)
    if isinstance(source.type, ListType):
        return make.let_in(source, lambda items: _first_ones(amount, items))
    return _refused(scope, e, source)


def as_many_as_asked(taken: Ir) -> Ir:
    """What a step takes of a zone: exactly so many; anything else as it is."""
    if isinstance(taken, TakeIr) and isinstance(taken.amount, PickIr):
        return replace(taken, amount=taken.amount.items[0])
    return taken


def _at_most(amount: Ir, there: Ir) -> PickIr:
    """The smaller of how many are asked for and how many there are."""
    (low, high), (_, most) = make.bounds(amount.type), make.bounds(there.type)
    known = [each for each in (high, most) if each is not None]
    least = None if low is None else min(low, 0)
    return PickIr(type=Integer(least, min(known) if known else None), op="min", items=(amount, there))


def _first_ones(amount: Ir, items: Ir) -> Ir:
    """The members of a list at the places 0 to N - 1."""
    assert isinstance(items.type, ListType)
    member = items.type.of
    there = make.item_of("count", items, Integer(0, items.type.most))
    wanted = _at_most(amount, there)
    most = max(make.bounds(wanted.type)[1] or 0, 0)
    last = make.arith("-", wanted, make.integer(1))
    place = Var(type=Integer(0, max(most - 1, 0)), name=make.fresh("v"))
    source = RangeIr(type=ListType(place.type, most), low=make.integer(0), high=last)
    value = make.retype(make.item_of("at", items, member, index=place), member)
    return Comprehend(type=ListType(member, most), op="list", name=place.name, source=source, value=value)


def _refused(scope: Scope, e: ast.Call, source: Ir) -> Ir:
    of = strip(source.type)
    hint = _OF_A_SET if isinstance(of, SetType) else None
    scope.world.problems.add("RS303", e.args[1].span, expected="zone or list", found=str(source.type), hint=hint)
    return BAD
