"""Going through the tree of an expression."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from rulespec.expr import ast


def parts(node: ast.Expr | ast.Each) -> Iterator[ast.Expr | ast.Each]:
    """The expression and everything inside it, outermost first."""
    waiting: list[ast.Expr | ast.Each] = [node]
    while waiting:
        at = waiting.pop()
        yield at
        for field in fields(at):
            value = getattr(at, field.name)
            if isinstance(value, (ast.Expr, ast.Each)):
                waiting.append(value)
            elif isinstance(value, tuple):
                waiting += [item for item in value if isinstance(item, ast.Expr)]


def names_in(node: ast.Expr) -> set[str]:
    """All bare names that an expression reads, loop variables among them; what stands after a dot is none."""
    return {part.name for part in parts(node) if isinstance(part, ast.Name)}


def words_in(node: ast.Expr) -> set[str]:
    """All names that an expression reads, those after a dot among them."""
    return {part.name for part in parts(node) if isinstance(part, (ast.Name, ast.Get))}
