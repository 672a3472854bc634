"""The examples of the reference page are checked as content is: names, types and all.

The sections' examples make one game. Each verb's example is put into an action that its flow performs.
"""

from __future__ import annotations

import pytest

from rulespec.build import build
from rulespec.diagnostics.model import Problems
from rulespec.expr.parse import parse_expression, parse_type
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import Expression, Field, Form, Operator, Type
from rulespec.source.nodes import Mapping
from tests.language.structure.cases import tree_of

#: What only scenarios, texts and the end of a game can read, or what is no value by itself.
ELSEWHERE = {"chance", "winners", "game_over", "waived"}

#: Steps that a game must have somewhere for something to be read.
NEEDED = {"PLAYER.out": "- if: false\n  then: [{eliminate: me}]\n"}

CONTEXT = "- choose: cell\n- choose: card\n  from: me.hand\n"


def _block(text: str, indent: int) -> str:
    return "".join(" " * indent + line + "\n" for line in text.splitlines())


def example_game(steps: str = "") -> str:
    """The game of the reference page; with `steps`, these are done instead of playing a card."""
    sections = [field for field in REGISTRY.root.fields if field.name not in {"variant", "pack"}]
    text = "".join(f"{section.name}:\n{_block(section.example, 2)}" for section in sections)
    if not steps:
        return text
    text = text.replace("perform: play_card", "perform: example")
    return text.replace("\nactions:\n", f"\nactions:\n  example:\n    do:\n{_block(steps, 6)}", 1)


def problems_in(text: str, players: int = 2) -> list[str]:
    problems = Problems()
    build(tree_of(text), players, {}, problems)
    return [f"{problem.code} {problem.message} [{problem.span.text}]" for problem in problems.items]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_sections_make_a_good_game(players: int) -> None:
    assert problems_in(example_game(), players) == []


def test_a_fault_in_the_game_would_be_seen() -> None:
    assert problems_in(example_game("- move: tokem\n  to: cell.token\n")) != []


@pytest.mark.parametrize("form", REGISTRY.record("step").forms, ids=lambda form: form.tag)
def test_verb(form: Form) -> None:
    assert problems_in(example_game(form.example)) == []


OPERATORS = [*REGISTRY.operators, *REGISTRY.builtins, *REGISTRY.members]


@pytest.mark.parametrize(
    "operator", [each for each in OPERATORS if each.name not in ELSEWHERE], ids=lambda each: each.form
)
def test_operator(operator: Operator) -> None:
    steps = f"{CONTEXT}{NEEDED.get(operator.form, '')}- let: result\n  be: {operator.example}\n"
    assert problems_in(example_game(steps)) == []


@pytest.mark.parametrize("operator", REGISTRY.types, ids=lambda each: each.form)
def test_type(operator: Operator) -> None:
    function = f"  typed:\n    params:\n      x: {operator.example}\n    type: boolean\n    is: true\n"
    assert problems_in(example_game().replace("\nfunctions:\n", f"\nfunctions:\n{function}")) == []


def _single_fields() -> list[Field]:
    fields = [field for record in REGISTRY.records for field in record.all_fields()]
    return [field for field in fields if isinstance(field.shape, Expression | Type)]


@pytest.mark.parametrize("field", _single_fields(), ids=lambda field: f"{field.name}: {field.example}")
def test_example_of_an_expression_parses(field: Field) -> None:
    problems = Problems()
    node = tree_of(f"{field.name}: {field.example}\n").get(field.name)
    assert node is not None
    assert not isinstance(node, Mapping)
    read = parse_type if isinstance(field.shape, Type) else parse_expression
    assert read(node, problems) is not None
    assert problems.items == ()
