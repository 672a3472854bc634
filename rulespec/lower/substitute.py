"""Putting expressions in place of variables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulespec.lower.ir import PARTS_OF, Ir, Var


def substitute(node: Ir, names: dict[str, Ir]) -> Ir:
    """The expression with the named variables replaced; variable names are unique, so nothing is captured."""
    return replaced(node, lambda part: names.get(part.name, part) if isinstance(part, Var) else part)


def replaced(node: Ir, change: Callable[[Ir], Ir]) -> Ir:
    """The expression with each of its parts that has none itself as `change` gives it."""
    if not PARTS_OF[type(node)]:
        return change(node)
    changed: dict[str, Any] = {}
    for part in PARTS_OF[type(node)]:
        value = getattr(node, part)
        made = _inside(value, change)
        if made is not value:
            changed[part] = made
    return replace(node, **changed) if changed else node


def _inside(value: Any, change: Callable[[Ir], Ir]) -> Any:
    if isinstance(value, Ir):
        return replaced(value, change)
    if isinstance(value, tuple):
        made = tuple(replaced(v, change) for v in value)
        return made if any(a is not b for a, b in zip(made, value, strict=True)) else value
    return value
