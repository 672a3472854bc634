"""What a condition is called when it forbids something."""

from __future__ import annotations

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.lower.context import bad, reporting
from rulespec.lower.expressions import condition
from rulespec.lower.ir import FilterPart
from rulespec.lower.scope import Scope, facts_of
from rulespec.lower.steps.builder import Block
from rulespec.source.nodes import Node


def condition_name(e: ast.Expr | None) -> str:
    """What a condition without a label is called: the function it calls, else its text."""
    if isinstance(e, ast.Not):
        inner = condition_name(e.of)
        return f"not {inner}"
    if isinstance(e, ast.Call) and isinstance(e.of, ast.Name):
        return e.of.name
    if isinstance(e, ast.Name):
        return e.name
    return " ".join(e.span.text.split()) if e is not None else ""


def filter_parts(block: Block, scope: Scope, node: Node | None) -> tuple[FilterPart, ...]:
    """The conditions that a filter joins with `and`; the filter itself is lowered, and reported on, elsewhere."""
    written = None if node is None else block.cx.expr(node)
    if written is None:
        return ()
    found = []
    with reporting(block.cx, Problems()):
        for part in _joined(written):
            test = condition(scope, part)
            if bad(test):
                return ()
            found.append(FilterPart(test, condition_name(part), part.span))
            scope = scope.knowing(*facts_of(part))
    return tuple(found)


def _joined(written: ast.Expr) -> tuple[ast.Expr, ...]:
    if isinstance(written, ast.Logic) and written.op == "and":
        return tuple(part for item in written.items for part in _joined(item))
    return (written,)
