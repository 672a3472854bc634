"""Numbers of actions: fixed by what is declared, one for each option, and back again."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from interpreter import Game, State, load
from interpreter.actions import Actions, NoNumbers
from rulespec.source.shipped import games
from tests.engine.small import names, small
from tests.shipped import numbers, shipped

SETTINGS = [(name, players) for name in games() for players in numbers(name)]


def _states(game: Game, seed: int, most: int) -> Iterator[State]:
    state, dice = game.start(seed), random.Random(seed)
    for _ in range(most):
        if state.decision is None:
            return
        yield state
        state = state.apply(state.options()[dice.randrange(len(state.options()))])


def _there_and_back(game: Game, most: int = 200) -> int:
    """The number of each option of random games is another one, and means the option's key and values."""
    actions, seen = Actions(game), 0
    for seed in range(2):
        for state in _states(game, seed, most):
            found = actions.numbers(state)
            assert len(set(found)) == len(found) == len(state.options())
            assert all(0 <= number < len(actions) for number in found)
            for number, option in zip(found, state.options(), strict=True):
                meaning = actions.meaning(number)
                assert (meaning.key, meaning.args) == (option.key, option.args)
                assert state.decision is not None
                assert (meaning.action, meaning.id) == (state.decision.action, state.decision.id)
                seen += 1
            some = random.Random(seed).choice(found)
            assert actions.number(actions.option(state, some)) == some
    return seen


@pytest.mark.parametrize(("name", "players"), SETTINGS)
def test_there_and_back_in_shipped_games(name: str, players: int) -> None:
    assert _there_and_back(shipped(name, players), 120) > 10


@pytest.mark.parametrize("name", [name for name in names() if name not in ("signals", "slips")])
def test_there_and_back_in_small_games(name: str) -> None:
    _there_and_back(small(name), 40)


@pytest.mark.parametrize("task", ["bids", "taking", "drawing", "lots", "luring", "parting"])
def test_pieces_that_are_chosen_by_their_backs(task: str) -> None:
    _there_and_back(small("secrets", task=task), 40)


def test_the_numbers_of_a_small_board() -> None:
    """Nine cells in the order of the board, column by column, are all that can be chosen."""
    actions = Actions(shipped("tic_tac_toe"))
    assert actions.keys == tuple(f"place_mark cell[{x},{y}]" for x in range(3) for y in range(3))
    state = shipped("tic_tac_toe").start(1)
    state = state.apply(actions.option(state, 4))
    assert actions.numbers(state) == [0, 1, 2, 3, 5, 6, 7, 8]
    with pytest.raises(ValueError, match=r"action 4 \(place_mark cell\[1,1\]\) is not offered: there are 8 others"):
        actions.option(state, 4)
    with pytest.raises(ValueError, match=r"action 9 is not offered"):
        actions.option(state, 9)
    with pytest.raises(ValueError, match=r"actions are 0..8, not 9"):
        actions.meaning(9)


@pytest.mark.parametrize("name", ["agora_barcelona", "barcelona", "metro"])
def test_numbers_are_the_same_whenever_the_game_is_loaded(name: str) -> None:
    one, two = Actions(load(name)), Actions(load(name))
    assert one.keys == two.keys
    assert [question.first for question in one.questions] == [question.first for question in two.questions]


TWINS = """\
game: {id: twins, language: 1, title: {en: "Twins"}, players: 1, seats: [solo]}
pieces: {bead: {attributes: {worth: 1..2}, rows: [{worth: 1, count: 2}, {worth: 2}]}}
zones:
  sack: {shape: pool, holds: bead, start: true}
  left: {shape: pool, holds: bead}
  right: {shape: pool, holds: bead}
flow:
  - {choose: bead, from: list(b for b in left) + list(b for b in right)}
  - {move: bead, to: sack}
"""


def test_pieces_that_read_alike_have_numbers_of_their_own(tmp_path) -> None:
    """A bead of 1 lies in both zones: both options have the key of one, and the second is told apart."""
    (tmp_path / "twins.yaml").write_text(TWINS, encoding="utf-8")
    game = load(str(tmp_path))
    state = game.position({"left": ["bead(1)"], "right": ["bead(1)", "bead(2)"]})
    actions = Actions(game)
    assert state.options().keys() == ("bead bead(1)", "bead bead(1) #2", "bead bead(2)")
    found = actions.numbers(state)
    assert [actions.meaning(number).key for number in found] == ["bead bead(1)", "bead bead(1) #2", "bead bead(2)"]
    assert [actions.meaning(number).copy for number in found] == [1, 2, 1]
    assert actions.option(state, found[1]) == state.options()[1]


def _huge() -> str:
    """26 questions of 40,000 answers each."""
    pairs = (f"{{a{n}: {{from: 1..200}}, b{n}: {{from: 1..200}}}}" for n in range(26))
    choices = "".join(f"  - {{choose: {pair}, id: pair}}\n" for pair in pairs)
    return f'game: {{id: huge, language: 1, title: {{en: "Huge"}}, players: 1, seats: [solo]}}\nflow:\n{choices}'


def test_a_game_with_too_many_answers(tmp_path) -> None:
    (tmp_path / "huge.yaml").write_text(_huge(), encoding="utf-8")
    with pytest.raises(NoNumbers, match="huge: pair has too many answers for fixed numbers"):
        Actions(load(str(tmp_path)))
