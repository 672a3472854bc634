"""Placeholders lowered to the typed form, for the checker and for whoever shows texts."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import replace

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.expressions import lower
from rulespec.lower.ir import Ir, Load, Local, Var
from rulespec.lower.scope import Scope
from rulespec.model.types import PLAYER, EffectType, Integer, ListType, SumType, Type, Zone, strip
from rulespec.model.world import World

_FIRST = Local(type=Integer(0, 0), slot=-1)
_ACTIVE = Load(type=PLAYER, region="active", index=_FIRST)


def text_scope(world: World, names: MappingOf[str, Type]) -> Scope:
    """What a text can name: `names`, each a variable of its own name, `me` among them where somebody decides or did."""
    given: dict[str, Ir] = {n: Var(type=t, name=n) for n, t in names.items() if n != "me"}
    me = Var(type=names["me"], name="me") if "me" in names else None
    return Scope(world, given, me=me, active=_ACTIVE if me is not None else None)


def lower_place(scope: Scope, expression: ast.Expr) -> Ir:
    """A placeholder's value: a slot is its piece, any other zone the list of its pieces; a sum may be of effects."""
    effects = _effects(scope, expression)
    if effects is not None:
        return effects
    value = make.as_value(scope.world, lower(scope, expression))
    return make.read_zone(scope.world, value, "all") if isinstance(strip(value.type), Zone) else value


def _effects(scope: Scope, expression: ast.Expr) -> Ir | None:
    """The effects that a `sum` is of, as a list that is shown as their sum; None for anything else."""
    if not (isinstance(expression, ast.Fold) and expression.op == "sum"):
        return None
    kept, scope.world.problems = scope.world.problems, Problems()
    try:
        value = lower(scope, replace(expression, op="list"))
    finally:
        scope.world.problems = kept
    t = strip(value.type)
    return (
        replace(value, type=SumType(t.of, t.most)) if isinstance(t, ListType) and isinstance(t.of, EffectType) else None
    )
