"""What expressions mean as trees, and that every part of one knows its place."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import grammar_text, parse_expression, parse_type
from rulespec.expr.show import show
from rulespec.expr.words import WORDS
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Scalar, Sequence
from tests.language.cases import parse, read
from tests.language.expressions.trees import expressions


def tree_of(text: str) -> Any:
    tree, problems = parse(text)
    assert problems == ()
    return tree


def parts(node: Any) -> list[Any]:
    """All nodes below and including `node`, with the loops of closed operators."""
    found = [node]
    for field in fields(node):
        value = getattr(node, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, ast.Expr | ast.Each):
                found += parts(part)
    return found


# ---- meaning ----------------------------------------------------------------------------------------


def test_arithmetic_goes_from_left_to_right_and_products_first() -> None:
    tree = tree_of("a - b * c - d")
    assert (tree.op, tree.left.op, tree.left.right.op) == ("-", "-", "*")
    assert tree.right.name == "d"


def test_words_bind_looser_than_signs() -> None:
    tree = tree_of("not a == b and c in d or e")
    assert (type(tree), tree.op) == (ast.Logic, "or")
    first = tree.items[0]
    assert (first.op, len(first.items)) == ("and", 2)
    assert isinstance(first.items[0], ast.Not)
    assert first.items[0].of.op == "=="
    assert first.items[1].op == "in"


def test_not_in_is_one_operator() -> None:
    tree = tree_of("a not   in b")
    assert tree.op == "not_in"
    assert tree.op_span.text == "not   in"


def test_logic_is_flat() -> None:
    assert len(tree_of("a and b and c and d").items) == 4


def test_every_word_is_a_member_after_a_dot() -> None:
    for word in sorted(WORDS):
        assert tree_of(f"a.{word}.{word}(b)").of.name == word


def test_words_are_only_whole_words() -> None:
    for word in sorted(WORDS):
        assert tree_of(f"{word}s + {word}_1").left.name == f"{word}s"


def test_the_list_of_words_is_the_grammars() -> None:
    quoted = re.findall(r"^[A-Z]+\.2: /\(?([a-z|]+)\)?\\b/", grammar_text(), re.MULTILINE)
    assert {word for group in quoted for word in group.split("|")} == WORDS
    [refused] = re.findall(r"^NAME: /\(\?!\(\?:([a-z|]+)\)", grammar_text(), re.MULTILINE)
    assert set(refused.split("|")) == WORDS


def test_the_grammar_is_short() -> None:
    assert len(grammar_text().splitlines()) <= 150


@pytest.mark.parametrize(("written", "shown"), [("-3", "-3"), ("12", "12"), ("true", "true"), ("none", "none")])
def test_plain_values(written: str, shown: str) -> None:
    tree, _ = read(f"key: {written}\n")
    assert tree is not None
    node = tree.get("key")
    assert node is not None
    problems = Problems()
    made = parse_expression(node, problems)
    assert problems.items == ()
    assert made is not None
    assert (show(made), made.span.text) == (shown, written)
    assert made == tree_of(written)  # read by YAML or by the grammar: one tree


def test_a_yaml_list_is_a_list() -> None:
    tree, _ = read("key: [a, 1, true, [b, f(c)], 'd + 1']\n")
    assert tree is not None
    node = tree.get("key")
    assert node is not None
    made = parse_expression(node, Problems())
    assert made == tree_of("[a, 1, true, [b, f(c)], d + 1]")


def test_types() -> None:
    tree, _ = read("key: list of 0..size or none\n")
    assert tree is not None
    node = tree.get("key")
    assert node is not None
    made = parse_type(node, Problems())
    assert isinstance(made, ast.TypeMany)
    assert isinstance(made.of, ast.TypeOptional)
    assert made.of.of == ast.TypeRange(span=made.span, low=0, high="size")
    assert made.of.span.text == "0..size or none"


# ---- places -----------------------------------------------------------------------------------------


def test_places_cover_exactly_the_text() -> None:
    text = "if exists a.b then sum(x.v for x in f(c, -1)[2]) else (d + e) * g without h"
    shown = {type(part).__name__: part.span.text for part in parts(tree_of(text)) if isinstance(part, ast.Expr)}
    assert shown["IfElse"] == text
    assert shown["Exists"] == "exists a.b"
    assert shown["Fold"] == "sum(x.v for x in f(c, -1)[2])"
    assert shown["Index"] == "f(c, -1)[2]"
    assert shown["Negative"] == "-1"
    assert shown["Without"] == "g without h"
    [total] = [part for part in parts(tree_of(text)) if isinstance(part, ast.Binary) and part.op == "+"]
    assert total.span.text == "(d + e)"  # with its brackets, so that what stands around it is right
    assert total.op_span.text == "+"


def test_places_of_names() -> None:
    tree = tree_of("walk(p from a.start step p.next without stop)")
    assert tree.name_span.text == "p"
    assert tree.start.name_span.text == "start"
    assert tree.step.label_span.text == "stop"


def in_style(style: str, text: str) -> str:
    """A file with `text` as the value of 式 in one of the five scalar styles, amid Japanese."""
    first, *rest = text.split(" ")
    lines = "\n".join([first, *(f"      {word}" for word in rest)])  # every blank becomes a line break
    return (
        "題: 得点の計算 # 注\n"
        + {
            "plain": f"表: {{名: 駒}}\n式: {text}   # 注\n次: 1\n",
            "plain lines": f"式: {lines}\n次: 1\n",
            "single": f"式: '{lines}'\n次: 1\n",
            "double": f'式: "{text}" # 注\n次: 1\n',
            "literal": f"式: |  # 注\n      {lines}\n\n次: 1\n",
            "folded": f"式:  >-\n      {lines}\n次: 1\n",
        }[style]
    )


STYLES = ["plain", "plain lines", "single", "double", "literal", "folded"]


@pytest.mark.parametrize("style", STYLES)
@given(expressions, st.data())
@settings(max_examples=60, deadline=None)
def test_places_in_all_styles(style: str, tree: ast.Expr, data: st.DataObject) -> None:
    """Each part of an expression, read out of the file by its place, is that part of the text by itself."""
    text = show(tree)
    if text.startswith(("[", "-")) or " -" in text[:2]:
        text = f"({text})"  # the rule of the language: a value that YAML would read first stands in brackets
    content = in_style(style, text)
    nodes, problems = read(content)
    assert problems == ()
    assert isinstance(nodes, Mapping)
    node = nodes.get("式")
    assert node is not None
    reported = Problems()
    made = parse_expression(node, reported)
    assert reported.items == ()
    assert made == tree
    assert_same_places(made, tree_of(text))


def assert_same_places(made: Any, alone: Any) -> None:
    """Place by place, the file holds the words that the text alone holds there."""
    for one, other in zip(parts(made), parts(alone), strict=True):
        for field in fields(one):
            place = getattr(one, field.name)
            if isinstance(place, Span):
                assert place.text.split() == getattr(other, field.name).text.split()


def test_the_sketches_parse() -> None:
    """Whole games of the design, where they lie beside the project: every value is an expression, a type or a text."""
    folder = Path(__file__).parents[4] / "shared" / "design" / "sketches"
    if not folder.is_dir():
        pytest.skip("the design's sketches are not beside the project")
    seen = 0
    for path in sorted(folder.glob("*.yaml")):
        tree, problems = read(path.read_text(encoding="utf-8"))
        assert problems == (), path.name
        for node in _values(tree, ()):
            seen += 1
            reported = Problems()
            made = parse_expression(node, reported) or parse_type(node, Problems())
            assert made is not None, (path.name, node.span.text, reported.items)
            start = "type" if type(made).__name__.startswith("Type") else "expr"
            assert parse(show(made), start)[0] == made
    assert seen > 1362  # the expressions that the design counts, and the types


# Sections and fields of texts, of paths into other declarations, and of the notation of options.
_OTHER = {
    "messages",
    "terms",
    "rules",
    "changes",
    "title",
    "about",
    "source",
    "play",
    "option",
    "log",
    "prompt",
    "front",
    "back",
}


def _values(node: Any, path: tuple[str, ...]) -> list[Scalar]:
    """The scalars that are expressions or types."""
    if isinstance(node, Mapping):
        inner = [(key.text, value) for key, value in node.pairs if key.text not in _OTHER]
        return [found for key, value in inner for found in _values(value, (*path, key))]
    if isinstance(node, Sequence):
        return [found for item in node.items for found in _values(item, path)]
    return [node]
