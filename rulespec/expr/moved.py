"""Expressions that were read at one place, at another one where the same text stands.

Most texts of a large game stand in it several times, and to read one costs far more than to move it.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from rulespec.expr import ast
from rulespec.source.text import SourceFile, Span

Node = TypeVar("Node", bound="ast.Expr | ast.Each")

#: The names of the fields of each kind of expression.
_NAMES: dict[type[Any], tuple[str, ...]] = {}


def moved(node: Node, file: SourceFile, by: int) -> Node:
    """The same expression in `file`, so many characters further on."""
    kind = type(node)
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(field.name for field in fields(kind))
    return kind(**{name: _moved(getattr(node, name), file, by) for name in names})


def _moved(part: Any, file: SourceFile, by: int) -> Any:
    if isinstance(part, Span):
        return Span(file, part.start + by, part.end + by)
    if isinstance(part, (ast.Expr, ast.Each)):
        return moved(part, file, by)
    return tuple(_moved(each, file, by) for each in part) if isinstance(part, tuple) else part
