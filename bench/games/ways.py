"""In which ways the rows of the registry are written: closed words, forms of writing, operators inside operators.

ways_of(source.trees)       # `zone.shape: slot`, `enum.values as a list`, `operator walk in operator sum`, ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache

from bench.games.coverage import called
from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_expression
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import Boolean, ByNode, Data, Expression, ListOf, MapOf, Shape, Use, Word
from rulespec.model.walk import FILE, entries, members, shape_for
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

_FORMS: dict[type[Node], tuple[str, str]] = {
    Scalar: ("scalar", "a value"),
    Sequence: ("sequence", "a list"),
    Mapping: ("mapping", "a map"),
}
#: What made games are never written as, and why: by the beginnings of ways.
NEVER_WRITTEN = {"file.values as a list": "a value without a type is a figure, so a list is refused (RS303)"}


@cache
def all_ways() -> frozenset[str]:
    """Every word of a closed set and every form of writing, by the fields that they stand in."""
    return frozenset(
        way
        for record in REGISTRY.records
        for name, shape in (
            *((f"{record.name}.{field.name}", field.shape) for field in record.all_fields()),
            *([(f"{record.name} entry", record.others)] if record.others is not None else []),
        )
        for way in _of_shape(shape, name)
    )


def _of_shape(shape: Shape, name: str) -> Iterator[str]:
    if isinstance(shape, Word) and len(shape.names) > 1:
        yield from (f"{name}: {word}" for word in shape.names)
    elif isinstance(shape, Boolean):
        yield from (f"{name}: {word}" for word in ("true", "false"))
    elif isinstance(shape, ByNode):
        inner = [(says, form) for of, says in _FORMS.values() if (form := getattr(shape, of)) is not None]
        if len(inner) > 1:
            yield from (f"{name} as {says}" for says, _ in inner)
        for _, form in inner:
            yield from _of_shape(form, name)
    elif isinstance(shape, ListOf):
        yield from _of_shape(shape.item, name)
    elif isinstance(shape, MapOf):
        yield from _of_shape(shape.value, name)


@cache
def operators() -> frozenset[str]:
    """The operators of expressions, which can stand inside one another."""
    return frozenset(f"operator {row.name}" for row in REGISTRY.operators)


def ways_of(trees: Iterable[Mapping]) -> set[str]:
    """The ways in which files are written."""
    return {way for tree in trees for way in _ways(tree, FILE, "")}


def _ways(node: Node, shape: Shape | None, name: str) -> Iterator[str]:
    if isinstance(shape, ByNode):
        yield f"{name} as {_FORMS[type(node)][1]}"
        shape = shape_for(node, shape)
    if isinstance(shape, (Word, Boolean)) and isinstance(node, Scalar):
        yield f"{name}: {node.text}"
    if isinstance(node, Mapping):
        record = shape.record if isinstance(shape, Use) else ""
        for key, value, inner, is_field in entries(node, shape):
            below = f"{record}.{key.text}" if is_field else f"{record} entry" if record else name
            yield from _ways(value, inner, below)
    elif isinstance(node, Sequence):
        for each, item in members(node, shape):
            yield from _ways(each, item, name)
    elif isinstance(shape, (Expression, Data)) and isinstance(node, Scalar):
        read = parse_expression(node, Problems())
        if read is not None:
            yield from _nested(read, "")


def _nested(part: ast.Expr | ast.Each, outer: str) -> Iterator[str]:
    """Each operator that is written in another one, with the innermost of those."""
    own = next((row for row in called(part) if row in operators() and row != "operator ."), "")
    if own and outer:
        yield f"{own} in {outer}"
    for field in fields(part):
        value = getattr(part, field.name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, (ast.Expr, ast.Each)):
                yield from _nested(inner, own or outer)


# ---- told ------------------------------------------------------------------------------------------------------------


def told(rows: Iterable[str]) -> list[str]:
    """What was met of ways and operators, in lines."""
    met = set(rows)
    ways = all_ways()
    lacking = sorted(ways - met)
    never = [way for way in lacking if why_never_written(way)]
    open_ways = ", ".join(way for way in lacking if way not in never)
    pairs = {row for row in met if row.startswith("operator ") and " in operator " in row}
    least = sorted(operators() - {"operator ."}, key=lambda each: sum(f"{each} in " in pair for pair in pairs))
    shy = ", ".join(f"{each} ({sum(f'{each} in ' in pair for pair in pairs)})" for each in least[:6])
    return [
        f"ways of writing: {len(ways & met)} of {len(ways)} ({len(never)} cannot be); not yet: {open_ways or 'none'}",
        f"operators inside operators: {len(pairs):,} pairs; in the fewest others: {shy}",
    ]


def why_never_written(way: str) -> str:
    """Why nothing is written in a way; nothing where it should be."""
    return next((reason for beginning, reason in NEVER_WRITTEN.items() if way.startswith(beginning)), "")
