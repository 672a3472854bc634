"""Putting expressions in place of variables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulespec.lower.ir import PARTS_OF, Ir, Var


def substitute(node: Ir, names: dict[str, Ir]) -> Ir:
    """The expression with the named variables replaced; variable names are unique, so nothing is captured."""
    if isinstance(node, Var):
        return names.get(node.name, node)
    changed: dict[str, Any] = {}
    for part in PARTS_OF[type(node)]:
        value = getattr(node, part)
        made = _inside(value, names)
        if made is not value:
            changed[part] = made
    return replace(node, **changed) if changed else node


def _inside(value: Any, names: dict[str, Ir]) -> Any:
    if isinstance(value, Ir):
        return substitute(value, names)
    if isinstance(value, tuple):
        made = tuple(substitute(v, names) for v in value)
        return made if any(a is not b for a, b in zip(made, value, strict=True)) else value
    return value
