"""Pieces with a count before them where they are listed, as `5 * seed`."""

from __future__ import annotations

from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.context import bad
from rulespec.lower.expressions import lower_as
from rulespec.lower.ir import Ir
from rulespec.lower.scope import Scope
from rulespec.model.types import Integer


def count_and_piece(written: ast.Expr) -> tuple[ast.Expr | None, ast.Expr]:
    """What stands before the piece as its count, or None, and the piece."""
    if isinstance(written, ast.Binary) and written.op == "*":
        return written.left, written.right
    return None, written


def lower_count(scope: Scope, count: ast.Expr, piece: ast.Expr, kind: str) -> Ir | None:
    """How many pieces are meant, where that is known not more than there are; None after a report."""
    w = scope.world
    if isinstance(piece, ast.Number) and not isinstance(count, ast.Number):
        hint = f"The count stands first: `{piece.value} * {count.span.text}`."
        w.problems.add("RS303", piece.span, expected=kind, found=piece.span.text, hint=hint)
        return None
    known = Scope(w, scope.names, constant=True, seats_first=scope.seats_first)
    found = lower_as(known, count, Integer())
    if bad(found):
        return None
    most, number = sum(w.pieces[kind].supply), make.known_number(found)
    if number is not None and not 0 <= number <= most:
        w.problems.add("RS314", count.span, value=number, low=0, high=most)
        return None
    return found
