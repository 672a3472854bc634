"""Notes which filters (`where`) are decided before anything is played."""

from __future__ import annotations

from rulespec.expr import ast
from rulespec.expr.walk import names_in
from rulespec.lower.ir import Const, Ir
from rulespec.lower.scope import Scope
from rulespec.model.types import Unknown


def note_filter(scope: Scope, written: ast.Expr, test: Ir) -> None:
    """Notes whether a filter is always true or false; one that speaks of figures, options or known values may be."""
    fixed: bool | None = None
    if isinstance(test, Const) and not isinstance(test.type, Unknown) and not _speaks_of_figures(scope, written):
        fixed = test.value == 1
    scope.world.note_filter(written.span, fixed)


def _speaks_of_figures(scope: Scope, written: ast.Expr) -> bool:
    """Whether a filter reads something that another edition, option or caller may set otherwise."""
    world = scope.world
    return any(
        name in world.values or name in ("option", "player_count") or isinstance(scope.names.get(name), Const)
        for name in names_in(written)
    )
