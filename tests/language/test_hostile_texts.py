"""Whatever a file holds: no exception, no hang; problems that can be shown; places inside the file."""

from __future__ import annotations

import json
from unicodedata import category

from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.diagnostics.export import render_json, render_sarif
from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.render import render_text
from rulespec.expr.parse import parse_expression, parse_type
from rulespec.expr.words import WORDS
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence, read_yaml
from rulespec.source.text import SourceFile
from tests.language.cases import parse

SAMPLE = """\
# A small game with every style of scalar.
values:
  size: 3..5
  table: {type: integer by site, is: [0, 1, 2]}
  題: "得点 \\u202f{me} 駒"
functions:
  near:
    params: {a: site, b: 'site or none'}
    type: set of site
    is: >-
      set(s for s in a.beside where
      exists s.tile and s.tile.value >= 2)
  best:
    type: list of player
    is: |
      most(p in player by sum(t.value for t in p.hand))
messages:
  near.prompt: {en: "Which site?", fr: 'Quel site\u202f?', ja: どのマスですか}
"""

SIGNS = [
    *" \t\n\r:,?-[]{}()#&*!|>'\"%@`\\=+<>./~^$;\0\x07\ufeff\u2028\u200d\u0301駒é👧",
    "---",
    ": ",
    "- ",
    "<<: ",
]
WORD_LIST = [*sorted(WORDS), "a", "b.c", "12", "true", "null"]


def values(node: Node) -> list[Scalar]:
    if isinstance(node, Mapping):
        return [found for _, value in node.pairs for found in values(value)]
    if isinstance(node, Sequence):
        return [found for item in node.items for found in values(item)]
    assert isinstance(node, Scalar)
    return [node]


def assert_is_handled(text: str) -> None:
    """Read the text, parse all that is in it, and show what was found."""
    file = SourceFile.of("case.yaml", text)
    problems = Problems()
    tree = read_yaml(file, problems)
    assert tree is not None or problems.has_errors
    for node in [] if tree is None else values(tree):
        for read in (parse_expression, parse_type):
            before = len(problems)
            assert read(node, problems) is not None or len(problems) > before or before > 0
    for problem in problems.items:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
    shown = render_text(problems.items)
    assert shown.endswith(".")
    assert {category(mark) for mark in shown} & {"Cc", "Zl", "Zp", "Cs"} <= {"Cc"}
    assert {mark for mark in shown if category(mark) in ("Cc", "Cf")} <= set("\n\u200c\u200d")
    json.loads(render_json(problems.items))
    json.loads(render_sarif(problems.items))


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text(text: str) -> None:
    assert_is_handled(text)


@given(st.lists(st.sampled_from(SIGNS + WORD_LIST), max_size=40).map("".join))
@settings(max_examples=300, deadline=None)
def test_texts_of_yaml_signs(text: str) -> None:
    assert_is_handled(text)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_real_file_with_slips(data: st.DataObject) -> None:
    """Characters taken out, put in and doubled."""
    text = SAMPLE
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        taken = data.draw(st.integers(0, 5))
        text = text[:at] + data.draw(st.sampled_from(["", *SIGNS, *WORD_LIST])) + text[at + taken :]
    assert_is_handled(text)


@given(st.lists(st.sampled_from([*WORD_LIST, *"+-*/%=<>!.,()[]{}?:&|'\"", "==", "..", "//", "ab", " "]), max_size=25))
@settings(max_examples=500, deadline=None)
def test_any_words_are_an_expression_or_have_one_problem(words: list[str]) -> None:
    for start in ("expr", "type"):
        tree, problems = parse(" ".join(words), start)
        assert (tree is None) == (problems != ())
        assert len({problem.code for problem in problems}) <= 1


def test_the_sample_is_good() -> None:
    problems = Problems()
    assert read_yaml(SourceFile.of("case.yaml", SAMPLE), problems) is not None
    assert problems.items == ()
