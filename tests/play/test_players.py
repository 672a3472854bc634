"""Automated players: they choose what is offered, play alike from the same seed, and know no more than their seat."""

from __future__ import annotations

import pytest

from interpreter.imagine import imagine
from interpreter.players import PLAYERS, Chance, UnknownPlayer, make_player
from interpreter.players.outlook import points_if_over
from interpreter.state import State
from tests.play.table import game_of


def _played(name: str, kinds: list[str], seed: int) -> list[str]:
    game = game_of(name, len(kinds))
    players = [make_player(kind, seat, seed) for seat, kind in enumerate(kinds)]
    state, keys = game.start(seed), []
    while state.decision is not None:
        option = players[state.decision.player].choose(state, state.options())
        assert option.key in set(state.options().keys())
        keys.append(option.key)
        state = state.apply(option)
    return keys


@pytest.mark.parametrize("kind", PLAYERS)
def test_the_same_seed_plays_alike(kind: str) -> None:
    kinds = [kind, kind]
    assert _played("probe", kinds, 1) == _played("probe", kinds, 1)
    assert len({tuple(_played("probe", kinds, seed)) for seed in range(6)}) > 1


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(UnknownPlayer) as fault:
        make_player("genius", 0, 1)
    assert fault.value.name == "genius"


def test_chance_has_streams_of_its_own() -> None:
    one, two = Chance(1, "player 0"), Chance(1, "player 1")
    assert [one.below(100) for _ in range(8)] != [two.below(100) for _ in range(8)]
    with pytest.raises(IndexError):
        one.one_of([])


def _before_winning() -> State:
    """Cross has two in the upper row, and a third cell of it is free; nought has two in the middle row."""
    state = game_of("tic_tac_toe").start(0)
    for cell in ("[0,0]", "[0,1]", "[1,0]", "[1,1]"):
        state = state.apply(state.option(f"place_mark cell{cell}"))
    return state


@pytest.mark.parametrize("seed", range(5))
def test_greedy_takes_the_points(seed: int) -> None:
    state = _before_winning()
    assert make_player("greedy", 0, seed).choose(state, state.options()).key == "place_mark cell[2,0]"


def test_greedy_chooses_among_equals_by_chance() -> None:
    state = game_of("tic_tac_toe").start(0)
    chosen = {make_player("greedy", 0, seed).choose(state, state.options()).key for seed in range(40)}
    assert len(chosen) > 5


def test_greedy_scores_what_it_has_chosen() -> None:
    """The card has been chosen, and scores wherever it is put."""
    state = game_of("probe").start(3)
    state = state.apply(state.option("put card(7)"))
    option = make_player("greedy", 0, 1).choose(state, state.options())
    assert points_if_over(state.apply(option)) == (7, 0)


@pytest.mark.parametrize("kind", PLAYERS)
def test_players_do_not_peek(kind: str) -> None:
    """In every state that looks the same to the seat the same player chooses the same."""
    game = game_of("agora_barcelona", 3)
    state = game.start(4)
    for n in range(25):
        assert state.decision is not None
        seat = state.decision.player
        others = [imagine(state, seat, seed) for seed in range(3)]
        chosen = {make_player(kind, seat, n).choose(s, s.options()).key for s in (state, *others)}
        assert len(chosen) == 1
        state = state.apply(state.option(chosen.pop()))


def test_points_as_if_the_game_were_over() -> None:
    """One walker of blue alone in a district: its majority would be blue's, and nobody has any points yet."""
    game = game_of("agora_barcelona", 3)
    state = game.start(2)
    while not any(state.to_json()["zones"]["district.walkers"].values()):
        state = state.apply(state.options()[0])
    assert game.result_of(state).scores == (0, 0, 0)
    zones = state.to_json()["zones"]["district.walkers"]
    worth = {"les_corts": 7, "sarria": 8, "gracia": 7, "horta": 9, "nou_barris": 6, "sant_andreu": 7,
             "sants_montjuic": 7, "eixample": 10, "sant_marti": 8, "ciutat_vella": 7}  # fmt: skip
    expected = dict.fromkeys(["blue", "garnet", "topaz"], 0)
    for district, walkers in zones.items():
        owners = {text.split("(")[1].rstrip(")") for text in walkers}
        for owner in owners:
            expected[owner] += worth[district]  # only one colour lies anywhere as yet
        assert len(owners) <= 1
    assert points_if_over(state) == tuple(expected.values())
    assert state.to_json() == state.to_json()
