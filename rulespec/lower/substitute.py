"""Putting expressions in place of variables."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from rulespec.lower.ir import Ir, Var


def substitute(node: Ir, names: dict[str, Ir]) -> Ir:
    """The expression with the named variables replaced; variable names are unique, so nothing is captured."""
    if isinstance(node, Var):
        return names.get(node.name, node)
    changed: dict[str, Any] = {}
    for f in fields(node):
        value = getattr(node, f.name)
        made = _inside(value, names)
        if made is not value:
            changed[f.name] = made
    return replace(node, **changed) if changed else node


def _inside(value: Any, names: dict[str, Ir]) -> Any:
    if isinstance(value, Ir):
        return substitute(value, names)
    if isinstance(value, tuple) and any(isinstance(v, Ir) for v in value):
        return tuple(substitute(v, names) if isinstance(v, Ir) else v for v in value)
    return value
