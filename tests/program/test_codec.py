"""A program as plain data is the same program: it prints the same, plays the same, and shares no name with another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from interpreter import Game
from interpreter.game import Game as Played
from rulespec.build import Built
from rulespec.kept.digests import Digests
from rulespec.kept.opened import opened
from rulespec.lower import make
from rulespec.lower.ir import Const, Let, Name, Program, Var
from rulespec.lower.show_ir import show_program
from rulespec.model.types import INTEGER
from rulespec.program.codec import MADE, from_data, to_data
from rulespec.program.ops import QUESTIONS
from tests.lengths import long_where
from tests.shipped import shipped, source

SETTINGS: list[tuple[str, int, dict[str, Any]]] = [
    ("tic_tac_toe", 2, {}),
    ("hex", 2, {}),
    ("reversi", 2, {}),
    ("metro", 3, {}),
    ("agora_barcelona", 3, {}),
    ("barcelona", 2, {}),
    ("barcelona", 4, {"printed_actions": True}),
]
FEW = long_where(lambda name, *_: name == "barcelona", SETTINGS)


def again(game: Game) -> Program:
    """The program of a game, written as JSON and read."""
    data = json.loads(json.dumps(to_data(game.built.program)))
    found: Program = from_data(data, Digests(source(game.id)).files.__getitem__, make.fresh)
    return found


def plainly(data: Any) -> Any:
    """Data of a program, where the names that were made are numbered in the order in which they come."""
    numbers: dict[str, int] = {}

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(part) for part in value]
        if isinstance(value, dict):
            return {key: plain(part) for key, part in value.items()}
        if isinstance(value, str) and MADE.fullmatch(value):
            return f"{value.partition('$')[0]}${numbers.setdefault(value, len(numbers))}"
        return value

    return plain(data)


@pytest.mark.parametrize(("name", "players", "options"), FEW)
def test_it_is_the_same_program_places_included(name: str, players: int, options: dict[str, Any]) -> None:
    game = shipped(name, players, **options)
    found = again(game)
    assert plainly(to_data(found)) == plainly(to_data(game.built.program))
    assert [instr.span for instr in found.instrs] == [instr.span for instr in game.built.program.instrs]
    assert show_program(found, game.world) == show_program(game.built.program, game.world)


@pytest.mark.parametrize(("name", "players", "options"), FEW)
def test_it_plays_the_same_game(name: str, players: int, options: dict[str, Any]) -> None:
    game = shipped(name, players, **options)
    built = Built(game.built.context, again(game))
    played = opened(built, game.tree, game.options, game.variants)
    other = Played(game.source, played, lambda: game.tree, built, game.variants)
    random = Random(5)
    one, two = game.start(3, events=True), other.start(3, events=True)
    for _ in range(40):
        assert one.to_bytes() == two.to_bytes()
        if one.decision is None:
            break
        options, others = list(one.options()), list(two.options())
        assert [str(each) for each in options] == [str(each) for each in others]
        number = random.randrange(len(options))
        one, two = one.apply(options[number], events=True), two.apply(others[number], events=True)
        assert str(one.what_happened()) == str(two.what_happened())


def test_names_that_were_made_are_made_anew() -> None:
    name = make.fresh("n")
    node = Let(type=INTEGER, name=name, value=Const(type=INTEGER, value=3), body=Var(type=INTEGER, name=name))
    found = from_data(to_data(node), pytest.fail, make.fresh)
    assert found.name == found.body.name != name
    assert found.name.startswith("n$")


def test_decisions_are_one_where_they_were_one() -> None:
    """Instructions that ask the same decision go on doing so, and equal ones of two instructions stay two."""
    game = shipped("barcelona", 2)

    def together(program: Program) -> list[int]:
        asks = [id(instr.args[0]) for instr in program.instrs if instr.op in QUESTIONS]
        return [asks.index(each) for each in asks]

    assert together(again(game)) == together(game.built.program)


def test_truth_values_are_no_numbers() -> None:
    assert from_data(to_data((True, 1, False, 0, None, "1")), pytest.fail, make.fresh) == (
        True, 1, False, 0, None, "1",
    )  # fmt: skip
    name = Name("n", 0, "n", Const(type=INTEGER, value=1), None, None, INTEGER)
    two = Const(type=INTEGER, value=1), Const(type=INTEGER, value=True)
    both = from_data(to_data((*two, name)), pytest.fail, make.fresh)
    assert [type(each.value) for each in both[:2]] == [int, bool]
    other = Const(type=INTEGER, value=True), Const(type=INTEGER, value=())
    assert [each.value for each in from_data(to_data(other), pytest.fail, make.fresh)] == [True, ()]


@dataclass(frozen=True)
class Other:
    """No part of a program."""


def test_what_no_program_consists_of_is_an_error() -> None:
    with pytest.raises(TypeError):
        to_data((1, Other()))
    with pytest.raises(TypeError):
        to_data(1.5)
