"""What must hold after a scenario's moves, and the values that speak against it."""

from __future__ import annotations

from typing import Any

from interpreter.names import value_text
from interpreter.state import State
from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.context import bad, reporting
from rulespec.lower.expressions import lower, lower_as
from rulespec.lower.ir import Ir
from rulespec.lower.scope import Scope
from rulespec.model.types import BOOLEAN, PLAYER, ListType, NoneType, Type, Zone, strip
from rulespec.source.nodes import Node
from rulespec.source.text import Span

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "not_in")


def failed_conditions(state: State, conditions: tuple[Node, ...]) -> list[tuple[Span, str]]:
    """The conditions that do not hold, with what was found instead."""
    checks = Checks(state)
    return [found for node in conditions if (found := checks.failure(node)) is not None]


class Checks:
    """Conditions on one state, in which `winners` and `game_over` are known."""

    def __init__(self, state: State):
        self.state = state
        self.cx = state.game.built.context
        self.values = state.game.facts.values
        result = state.result
        winners = result.winners if result is not None else ()
        names: dict[str, Ir] = {
            "winners": make.const(winners, ListType(PLAYER, state.game.players)),
            "game_over": make.boolean(result is not None),
        }
        self.scope = Scope(state.game.world, names, seats_first=True)

    def failure(self, node: Node) -> tuple[Span, str] | None:
        """Why a condition does not hold; None where it does."""
        problems = Problems()
        with reporting(self.cx, problems):
            condition = self.cx.lower(node, self.scope, BOOLEAN)
            if problems.has_errors or bad(condition):
                return node.span, " ".join(p.message for p in problems.errors) or "This condition cannot be read."
            if self.values.of(condition, self.state.cells):
                return None
            written = self.cx.expr(node)
            assert written is not None
            return self._explain(written)

    def _explain(self, e: ast.Expr) -> tuple[Span, str]:
        """The part that is false, with the values on both sides of a comparison."""
        if isinstance(e, ast.Logic) and e.op == "and":
            return self._explain(next(item for item in e.items if not self._holds(item)))
        text = " ".join(e.span.text.split())
        if isinstance(e, ast.Binary) and e.op in COMPARISONS:
            return e.span, f"`{text}` does not hold: left is {self._shown(e.left)}, right is {self._shown(e.right)}."
        return e.span, f"`{text}` does not hold."

    def _holds(self, e: ast.Expr) -> bool:
        return bool(self.values.of(lower_as(self.scope, e, BOOLEAN), self.state.cells))

    def _shown(self, e: ast.Expr) -> str:
        """A side of a comparison as a person writes values."""
        scratch = Problems()
        with reporting(self.cx, scratch):
            ir = make.as_value(self.state.game.world, lower(self.scope, e))
        if bad(ir) or isinstance(strip(ir.type), Zone):
            return " ".join(e.span.text.split())
        if isinstance(ir.type, NoneType):
            return "none"
        value = self.values.of(ir, self.state.cells)
        return value_text(self.state.game.world, ir.type, _plain(ir.type, value))


def _plain(t: Type, value: Any) -> Any:
    return tuple(value) if isinstance(strip(t), ListType) and not isinstance(value, int) else value
