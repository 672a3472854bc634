"""Whatever the executor does to be quick, the options and states are those of the plain way.

The plain way: expressions written as they stand, nothing remembered, and every option found by looking ahead.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from interpreter import Game, State
from interpreter.executor.compile import compile_game
from interpreter.executor.machine import Machine
from interpreter.middle.layout import to_bytes
from interpreter.middle.pieces import copy_cells
from tests.engine.small import keys, names, play, small
from tests.engine.walks import Setting, quick_settings

QUICK_DECISIONS = 40
BASE = [s for s in quick_settings() if not s.options]
each_game = pytest.mark.parametrize("setting", [pytest.param(s, id=str(s)) for s in BASE])


def plain_machine(game: Game) -> Machine:
    """A machine of the same game that takes no short cut."""
    machine = Machine(compile_game(game.built, set()))
    machine.guards, machine.quick, machine.declinable = {}, {}, set()
    return machine


def follow(game: Game, seed: int, most: int) -> int:
    """Plays at random, quickly and plainly side by side; how many decisions were the same."""
    plain, dice = plain_machine(game), random.Random(seed)
    state = game.start(seed)
    cells = plain.begin(seed)
    candidates = plain.run(cells, cells[0])
    for number in range(most):
        assert candidates == state.candidates, f"decision {number} of {game} with seed {seed}"
        assert as_bytes(plain, cells) == state.to_bytes(), f"decision {number} of {game} with seed {seed}"
        if candidates is None:
            return number
        chosen = dice.randrange(len(candidates))
        state = state.apply(state.options()[chosen])
        cells = copy_cells(cells)
        candidates = plain.run(cells, plain.answer(cells, cells[0], candidates[chosen]))
    return most


def as_bytes(machine: Machine, cells: list[Any]) -> bytes:
    return to_bytes(cells, machine.compiled.facts.rooms)


@each_game
def test_the_quick_way_is_the_plain_way(setting: Setting) -> None:
    assert follow(setting.load(), 3, QUICK_DECISIONS) > 3


@pytest.mark.long
@each_game
def test_whole_games_by_both_ways(setting: Setting) -> None:
    for seed in range(2):
        assert follow(setting.load(), seed, 2_000) > 3


@pytest.mark.parametrize("name", names())
def test_small_games_by_both_ways(name: str) -> None:
    for seed in range(5):
        follow(small(name), seed, 200)


def test_values_that_are_kept_are_those_of_the_state_that_is_asked() -> None:
    """Asked in turn of two states: from cell 0 on 3 cells are open, or 2 where the stone lies on cell 2."""
    empty = play(small("lines").start(0), "deed laying", "lay cell[3]")
    blocked = play(small("lines").start(0), "deed laying", "lay cell[2]")
    for _ in range(3):
        assert gained(empty) == 3
        assert gained(blocked) == 2


def gained(state: State) -> int:
    """What blue gains by counting."""
    after = state.apply(state.option("deed counting"))
    return after.game.result_of(after).scores[1]


@pytest.mark.parametrize(
    ("spare", "offered"),
    [
        (0, ["mark row[2]"]),
        (1, ["mark row[1]", "mark row[2]"]),
        (2, ["mark row[1]", "mark row[2]"]),
        (3, ["mark row[0]", "mark row[1]", "mark row[2]"]),
        (4, ["mark row[0]", "mark row[1]", "mark row[2]"]),
    ],
)
def test_a_supply_that_is_too_small_is_noticed_before_an_option_is_offered(spare: int, offered: list[str]) -> None:
    """Row 0 needs three stones, row 1 one and row 2 none."""
    assert keys(small("rows", spare=spare).start(0)) == offered
