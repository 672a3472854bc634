"""Every tree that the grammar can say is written as a text that is read as the same tree; and texts have one form."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from rulespec.expr import ast
from rulespec.expr.show import show
from tests.language.cases import parse
from tests.language.expressions.trees import expressions, types


@given(expressions)
@settings(max_examples=300, deadline=None)
def test_expressions(tree: ast.Expr) -> None:
    read, problems = parse(show(tree))
    assert problems == ()
    assert read == tree


@given(types)
@settings(max_examples=150, deadline=None)
def test_types(tree: ast.Expr) -> None:
    read, problems = parse(show(tree), "type")
    assert problems == ()
    assert read == tree


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("((a))", "a"),
        ("a+b * c", "a + b * c"),
        ("(a + b) * c", "(a + b) * c"),
        ("(a - b) - c", "a - b - c"),
        ("a - (b - c)", "a - (b - c)"),
        ("a // (b * c)", "a // (b * c)"),
        ("(not a) and (b or c)", "not a and (b or c)"),
        ("a and (b and c)", "a and (b and c)"),
        ("not (a in b)", "not a in b"),
        ("(a in b) == c", "(a in b) == c"),
        ("0 .. 4", "0..4"),
        ("(0..n) otherwise []", "0..n otherwise []"),
        ("exists (a.b)", "exists a.b"),
        ("(exists a).b", "(exists a).b"),
        ("exists (a without b)", "exists a without b"),
        ("- (a + b)", "-(a + b)"),
        ("(if a then b else c) + 1", "(if a then b else c) + 1"),
        ("if a then b else (if c then d else e)", "if a then b else if c then d else e"),
        ("x.first( y )[ 1,2 ]", "x.first(y)[1, 2]"),
        ("count ( x in (if a then b else c) where p )", "count(x in if a then b else c where p)"),
        ("reach(s from a via s.beside cost 1 within 2)", "reach(s from a via s.beside cost 1 within 2)"),
    ],
)
def test_one_form(text: str, shown: str) -> None:
    tree, problems = parse(text)
    assert problems == ()
    assert tree is not None
    assert show(tree) == shown
