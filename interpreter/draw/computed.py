"""Expressions of drawing declarations, as functions of a state's cells and a site or piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulespec.lower.context import Context
from rulespec.lower.expressions import lower_as
from rulespec.lower.ir import Ir
from rulespec.messages.lowering import text_scope
from rulespec.model.types import Type, Unknown
from rulespec.source.nodes import Node

if TYPE_CHECKING:
    from interpreter.game import Game

Cells = list[Any]
Computed = Callable[[Cells, int], Any]


def lowered(game: Game, context: Context, name: str, of: Type, node: Node, want: Type) -> Ir | None:
    """A field's expression of a site or piece; None after a report."""
    expression = context.expr(node)
    if expression is None:
        return None
    ir = lower_as(text_scope(game.world, {name: of}), expression, want)
    return None if isinstance(ir.type, Unknown) else ir


def computed(game: Game, name: str, ir: Ir) -> Computed:
    """A lowered expression of a site or piece as a function of a state's cells and the site or piece."""
    of = game.facts.values.of
    return lambda cells, at: of(ir, cells, {name: at})
