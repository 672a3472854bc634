"""Numbers that are written out in what is carried out: in steps and formulas, and as arguments of effects.

Three sorts of numbers are no figures: of players that something holds for, as in `player_count == 2`; a place in a
table, as in `row[3]`; places that something is among, as in `cell.row in 4..5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from typing import Final

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_text
from rulespec.expr.walk import names_in
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

#: Sections of what is carried out, beside those of figures.
CARRIED_OUT: Final = frozenset(
    {"actions", "effects", "functions", "triggers", "flow", "setup", "end", "ranking", "zones", "relations", "state"}
)
#: Words for readers; what bounds what there can be (types, coordinates, how deep something nests); pairs of sites.
_NOT_FIGURES: Final = frozenset({"about", "source", "note", "type", "params", "for", "nests", "pairs"})
_DRAWN: Final = "draw"  # also a verb, with a number
_COMPARING: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
_AMONG: Final = frozenset({"in", "not_in"})
_PLAYERS: Final = "player_count"
#: Text without such a digit says no number above 1.
_ABOVE_ONE: Final = re.compile(r"[2-9]|\d\d")


def literals(node: Node) -> Iterator[tuple[int, Scalar]]:
    """The numbers above 1 that are written out anywhere in a declaration, in the order of the file, each with where."""
    if isinstance(node, Scalar):
        yield from ((number, node) for number in _of_scalar(node))
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from literals(item)
    elif isinstance(node, Mapping):
        for _, value in parts_with_figures(node):
            yield from literals(value)


def parts_with_figures(node: Mapping) -> Iterator[tuple[str, Node]]:
    """The parts of a map that can say figures, under their keys. Of attributes those that are more than a type."""
    for key, value in node.pairs:
        if key.text == "attributes" and isinstance(value, Mapping):
            yield from ((f"attributes.{name.text}", each) for name, each in value.pairs if isinstance(each, Mapping))
        elif key.text not in _NOT_FIGURES and (key.text != _DRAWN or isinstance(value, Scalar)):
            yield key.text, value


def _of_scalar(node: Scalar) -> Iterator[int]:
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        yield from (abs(node.value),) if abs(node.value) > 1 else ()
    elif isinstance(node.value, str) and _ABOVE_ONE.search(node.text):
        yield from _of_expression(node.text)


@lru_cache(maxsize=4096)
def _of_expression(text: str) -> tuple[int, ...]:
    """The numbers in an expression. What is none, such as a path or a name, has none."""
    read = parse_text(text, Problems())
    return tuple(number for number in _numbers(read) if number > 1) if read is not None else ()


def _numbers(node: ast.Expr | ast.Each) -> Iterator[int]:
    if isinstance(node, ast.Number):
        yield node.value
        return
    for field in fields(node) if not _is_for_players(node) else ():
        value = getattr(node, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, (ast.Expr, ast.Each)) and not _is_place(node, field.name):
                yield from _numbers(part)


def _is_for_players(node: ast.Expr | ast.Each) -> bool:
    """Whether a comparison asks how many play."""
    return isinstance(node, ast.Binary) and node.op in _COMPARING | _AMONG and _PLAYERS in names_in(node)


def _is_place(node: ast.Expr | ast.Each, part: str) -> bool:
    """Whether a part of an expression is one or several places."""
    if isinstance(node, ast.Index):
        return part == "args"
    return isinstance(node, ast.Binary) and node.op in _AMONG and part == "right"
