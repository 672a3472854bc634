"""What automatic players go by: the section `hints`. It is lowered with the game and is no part of how it is played."""

from __future__ import annotations

from rulespec.lower.context import Context, bad
from rulespec.lower.ir import Hints, Ir, Var
from rulespec.lower.scope import Scope
from rulespec.model.types import PLAYER, Boolean, Integer, Member, strip
from rulespec.source.nodes import Mapping, Node

MOST_DECISIONS = 100_000
MOST_UNITS = 1_000


def lower_hints(cx: Context) -> Hints:
    """The hints of a game; those of a game without them are empty."""
    node = cx.tree.get("hints")
    horizon = _figure(cx, cx.field(node, "horizon"), MOST_DECISIONS)
    unit = _figure(cx, cx.field(node, "unit"), MOST_UNITS) or 1
    worth = cx.field(node, "worth")
    found = [_worth(cx, value) for _, value in worth.pairs] if isinstance(worth, Mapping) else []
    return Hints(horizon, unit, tuple(ir for ir in found if ir is not None))


def _figure(cx: Context, node: Node | None, most: int) -> int | None:
    return None if node is None else cx.constant(node, Integer(1, most))


def _worth(cx: Context, node: Node) -> Ir | None:
    """A number for each player; None after a report."""
    ir = cx.lower(node, Scope(cx.world, {"player": Var(type=PLAYER, name="player")}))
    if bad(ir):
        return None
    if not isinstance(strip(ir.type), (Integer, Member, Boolean)):
        cx.problems.add("RS303", node.span, expected="integer", found=str(ir.type))
        return None
    return ir
