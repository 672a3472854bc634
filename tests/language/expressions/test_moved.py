"""An expression whose text was read before says the same at another place, and all of its places are there."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_span, shared_reader
from rulespec.source.text import SourceFile, Span

TEXTS = [
    "coins",
    "me.left.hand",
    "cell[x + 1, y].tokens",
    "sum(each.value for each in me.goods where each.kind == wood and not empty(each.box))",
    "if exists best then best.points else -3",
    "max(1, 2 * (a + b)) // 3 otherwise 0",
    "a in b or a not in c",
    "[1, two, three(4)]",
]


@pytest.fixture(autouse=True)
def _nothing_read() -> None:
    """What other tests have read is not known."""
    shared_reader().known.clear()


@pytest.mark.parametrize("text", TEXTS)
def test_all_places_of_an_expression_are_where_it_stands(text: str) -> None:
    for before in ("", "some words before it: "):
        file = SourceFile.of("a.yaml", before + text)
        read, problems = _read(file, len(before), text)
        again, others = _read(SourceFile.of("b.yaml", f"in another file {text} and more"), 16, text)
        assert not others, problems
        assert again == read
        shift = 16 - len(before)
        assert _places(again) == [("b.yaml", start + shift, end + shift) for _, start, end in _places(read)]
        assert {name for name, _, _ in _places(read)} == {"a.yaml"}


def test_no_file_is_kept_for_what_was_read_in_it() -> None:
    text = "a.b + c"
    _read(SourceFile.of("a.yaml", text), 0, text)
    assert {name for known in shared_reader().known.values() for name, _, _ in _places(known)} == {""}


def test_blanks_around_an_expression_move_with_it() -> None:
    text = "  a + b "
    for at in (0, 7):
        found, _ = _read(SourceFile.of("a.yaml", "x" * at + text), at, text)
        assert found is not None
        assert (found.span.start, found.span.end) == (at + 2, at + 7)


def test_what_is_wrong_is_told_at_each_place() -> None:
    told = [_read(SourceFile.of("a.yaml", "x" * at + "1 +"), at, "1 +")[1] for at in (0, 5)]
    # at the sign behind which something is missing
    assert [[(p.code, p.span.start) for p in each] for each in told] == [[("RS203", 2)], [("RS203", 7)]]


def test_a_number_that_is_too_large_is_told_at_each_place() -> None:
    for at in (0, 3):
        found, problems = _read(SourceFile.of("a.yaml", " " * at + "9999999999"), at, "9999999999")
        assert found is None
        assert [(p.code, p.span.start) for p in problems] == [("RS219", at)]


def _read(file: SourceFile, at: int, text: str) -> tuple[ast.Expr | None, tuple[Any, ...]]:
    found = parse_span(Span(file, at, at + len(text)), problems := Problems())
    return found, tuple(problems.items)


def _places(part: Any) -> list[tuple[str, int, int]]:
    if isinstance(part, Span):
        return [(part.file.name, part.start, part.end)]
    if isinstance(part, tuple):
        return [place for each in part for place in _places(each)]
    if isinstance(part, (ast.Expr, ast.Each)):
        return [place for field in fields(part) for place in _places(getattr(part, field.name))]
    return []
