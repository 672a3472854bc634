"""What an executor remembers or finds early is what the state says that is asked."""

from __future__ import annotations

import pytest

from interpreter import Game, State, load
from interpreter.game import EXECUTORS
from tests.engine.small import folder_of, keys, play

each_executor = pytest.mark.parametrize("executor", EXECUTORS)


def played(name: str, executor: str, **options: int) -> Game:
    return load(str(folder_of(name)), options=options, executor=executor)


@each_executor
def test_values_that_are_kept_are_those_of_the_state_that_is_asked(executor: str) -> None:
    """Asked in turn of two states: from cell 0 on 3 cells are open, or 2 where the stone lies on cell 2."""
    game = played("lines", executor)
    empty = play(game.start(0), "deed laying", "lay cell[3]")
    blocked = play(game.start(0), "deed laying", "lay cell[2]")
    for _ in range(3):
        assert gained(empty) == 3
        assert gained(blocked) == 2


def gained(state: State) -> int:
    """What blue gains by counting."""
    after = state.apply(state.option("deed counting"))
    return after.game.result_of(after).scores[1]


@each_executor
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
def test_a_supply_that_is_too_small_is_noticed_before_an_option_is_offered(
    spare: int, offered: list[str], executor: str
) -> None:
    """Row 0 needs three stones, row 1 one and row 2 none."""
    assert keys(played("rows", executor, spare=spare).start(0)) == offered
