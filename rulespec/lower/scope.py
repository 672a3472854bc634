"""What names mean at one place of a file, and what is known there not to be none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulespec.expr import ast
from rulespec.lower.ir import Ir
from rulespec.lower.make import COMPARE
from rulespec.model.registry.names import BUILTIN_NAMES
from rulespec.model.world import World

#: Before a label, the name under which a text knows whether that label is lifted; no declared name has a blank.
WAIVED = "waived "

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
        """This scope where each of the expressions is known not to be none, or (`x != 0`) not to be 0."""
        if not self.world.divides:
            facts = tuple(fact for fact in facts if not isinstance(fact, ast.Binary))
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
    """What a true condition proves: not to be none (`exists x`), or not to be 0 (`x > 0`); also inside an `and`.

    What is not none stands for itself, and what is not 0 as `x != 0`.
    """
    if isinstance(condition, ast.Exists):
        return (*_prefixes(condition.of), *_members_there(condition.of))
    if isinstance(condition, ast.Not):
        return denials_of(condition.of)
    if isinstance(condition, ast.Logic) and condition.op == "and":
        return tuple(fact for item in condition.items for fact in facts_of(item))
    if isinstance(condition, ast.Select) and condition.op == "any":
        return (not_zero(replace(condition, op="count")),)
    return _not_zeros(condition, condition.op) if isinstance(condition, ast.Binary) else ()


def denials_of(condition: ast.Expr) -> tuple[ast.Expr, ...]:
    """What a false condition proves: `not exists x`, `x == 0`, `zone.empty`; also inside an `or`."""
    if isinstance(condition, ast.Not):
        return facts_of(condition.of)
    if isinstance(condition, ast.Logic) and condition.op == "or":
        return tuple(fact for item in condition.items for fact in denials_of(item))
    if isinstance(condition, ast.Get) and condition.name == "empty":
        return (not_zero(replace(condition, name="count")),)
    return _not_zeros(condition, _OPPOSITE.get(condition.op, "")) if isinstance(condition, ast.Binary) else ()


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def not_zero(of: ast.Expr) -> ast.Expr:
    """The fact that a number is not 0."""
    zero = ast.Number(value=0, span=of.span)
    return ast.Binary(op="!=", left=of, right=zero, op_span=of.span, span=of.span)


def _not_zeros(condition: ast.Binary, op: str) -> tuple[ast.Expr, ...]:
    """The side of a comparison that is not 0 where the comparison with `op` in it is true."""
    found = []
    for side, other, word in (
        (condition.left, condition.right, op),
        (condition.right, condition.left, _MIRRORED.get(op, "")),
    ):
        number = _written_number(other)
        if number is not None and word in _OPPOSITE and not COMPARE[word](0, number):
            found.append(not_zero(side))
    return tuple(found)


def _written_number(e: ast.Expr) -> int | None:
    if isinstance(e, ast.Negative):
        number = _written_number(e.of)
        return None if number is None else -number
    return e.value if isinstance(e, ast.Number) else None


#: What a list or zone has where it has a member.
_ONE_OF = frozenset({"any", "top", "bottom", "first", "last"})


def _members_there(one: ast.Expr) -> tuple[ast.Expr, ...]:
    """If one of several exists, they are more than 0: `exists bank.any`, `exists first(x in S where P)`."""
    if isinstance(one, ast.Get) and one.name in _ONE_OF:
        return (not_zero(replace(one, name="count")),)
    if isinstance(one, ast.Select) and one.op == "first":
        return (not_zero(replace(one, op="count")),)
    return ()


def _prefixes(expr: ast.Expr) -> tuple[ast.Expr, ...]:
    """If `a.b.c` exists, so do `a.b` and `a`."""
    found = [expr]
    while isinstance(expr, ast.Get):
        expr = expr.of
        found.append(expr)
    return tuple(found)
