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


def free_names(node: ast.Expr) -> list[str]:
    """The bare names that an expression reads from around it, in order, each as often as it stands there.

    Left out are loop variables, what a loop runs over by its bare name (a whole kind), and what is called.
    """
    bound, inside, outside = loop_of(node)
    if bound is not None:
        found = [name for part in outside for name in free_names(part)]
        return found + [name for part in inside for name in free_names(part) if name != bound]
    if isinstance(node, ast.Name):
        return [node.name]
    if isinstance(node, ast.Call):
        return [name for argument in node.args for name in free_names(argument)]
    values = [getattr(node, field.name) for field in fields(node)]
    parts = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    return [name for part in parts if isinstance(part, ast.Expr) for name in free_names(part)]


def bound_in(node: ast.Expr) -> frozenset[int]:
    """The bare names, by their identity, that a loop inside the expression binds; it runs over what is outside it."""
    found: set[int] = set()
    waiting: list[tuple[ast.Expr | ast.Each, frozenset[str]]] = [(node, frozenset())]
    while waiting:
        at, around = waiting.pop()
        if isinstance(at, ast.Name) and at.name in around:
            found.add(id(at))
        bound, inside, _ = loop_of(at) if isinstance(at, ast.Expr) else (None, [], [])
        inner = {id(part) for part in inside}
        within = around if bound is None else around | {bound}
        for part in _children(at):
            if isinstance(part, ast.Each):  # its loop has been asked
                waiting += [(each, within if id(each) in inner else around) for each in _children(part)]
            else:
                waiting.append((part, within if id(part) in inner else around))
    return frozenset(found)


def _children(node: ast.Expr | ast.Each) -> list[ast.Expr | ast.Each]:
    values = [getattr(node, field.name) for field in fields(node)]
    found = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    return [part for part in found if isinstance(part, (ast.Expr, ast.Each))]


_Parts = list[ast.Expr]


def loop_of(node: ast.Expr) -> tuple[str | None, _Parts, _Parts]:
    """The variable of a closed operator, the parts that can name it, and those that cannot."""
    if isinstance(node, (ast.Walk, ast.Reach)):
        inside = [node.step] if isinstance(node, ast.Walk) else [node.via, node.cost]
        return node.name, inside, [node.start] if isinstance(node, ast.Walk) else [node.start, node.within]
    each = getattr(node, "each", None)
    if not isinstance(each, ast.Each):
        return None, [], []
    parts = [getattr(node, name, None) for name in ("value", "by")]
    inside = [part for part in (each.where, *parts) if isinstance(part, ast.Expr)]
    outside = [] if isinstance(each.source, ast.Name) else [each.source]
    return each.name, inside, [*outside, *([node.around] if isinstance(node, ast.Stretch) else [])]
