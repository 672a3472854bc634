"""What names mean at one place of a file, and what is known there not to be none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulespec.expr import ast
from rulespec.lower.ir import Ir
from rulespec.model.registry.names import BUILTIN_NAMES
from rulespec.model.world import World

_BUILT_IN = BUILTIN_NAMES - {"player"}


@dataclass(slots=True)
class Scope:
    """The names in force. `me` is None where nobody decides (functions, attributes).

    Where a position is spoken of (`seats_first`) a seat comes before other members of its name.
    """

    world: World
    names: dict[str, Ir] = field(default_factory=dict)
    me: Ir | None = None
    active: Ir | None = None
    narrowed: frozenset[ast.Expr] = frozenset()
    constant: bool = False
    seats_first: bool = False

    def with_names(self, names: dict[str, Ir]) -> Scope:
        """This scope with more names."""
        return replace(self, names={**self.names, **names})

    def knowing(self, *facts: ast.Expr) -> Scope:
        """This scope where each of the expressions is known not to be none."""
        if not facts:
            return self
        return replace(self, narrowed=self.narrowed | frozenset(facts))

    def knowing_only(self, *facts: ast.Expr) -> Scope:
        """This scope where nothing but these expressions is known not to be none."""
        return replace(self, narrowed=frozenset(facts))

    def is_taken(self, name: str) -> bool:
        """Whether a new local cannot be called so: it would hide another local, or something declared."""
        return name in self.names or name in _BUILT_IN or is_declared(self.world, name)


def is_declared(world: World, name: str) -> bool:
    """Whether a bare name is that of a value, a function, an effect, a zone or a cell.

    The names of kinds and of members are not among these: a local may be called after its kind, and a member is
    told apart by the type that is expected.
    """
    declared = (world.values, world.functions, world.effects)
    own_place = world.zones.get(name) or world.states.get(name)
    return any(name in names for names in declared) or (own_place is not None and own_place.domain is None)


def facts_of(condition: ast.Expr) -> tuple[ast.Expr, ...]:
    """What a true condition proves not to be none: `exists x`, also inside an `and`."""
    if isinstance(condition, ast.Exists):
        return _prefixes(condition.of)
    if isinstance(condition, ast.Logic) and condition.op == "and":
        return tuple(fact for item in condition.items for fact in facts_of(item))
    return ()


def denials_of(condition: ast.Expr) -> tuple[ast.Expr, ...]:
    """What a false condition proves not to be none: `not exists x`, also inside an `or`."""
    if isinstance(condition, ast.Not):
        return facts_of(condition.of)
    if isinstance(condition, ast.Logic) and condition.op == "or":
        return tuple(fact for item in condition.items for fact in denials_of(item))
    return ()


def _prefixes(expr: ast.Expr) -> tuple[ast.Expr, ...]:
    """If `a.b.c` exists, so do `a.b` and `a`."""
    found = [expr]
    while isinstance(expr, ast.Get):
        expr = expr.of
        found.append(expr)
    return tuple(found)
