"""What a seat has seen and can still know: in its view, in what it imagines, and in both executors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bench.differential import Difference, Pair, follow
from interpreter import Game, State
from interpreter.imagine import imagine
from tests.engine.small import play, small, zone

RED, BLUE = 0, 1


def _dealt(hands: Mapping[str, Sequence[int]], players: int = 2) -> State:
    """A game in which hands begin so."""
    game = small("recall", players)
    wanted = {seat: [f"card({rank})" for rank in sorted(ranks)] for seat, ranks in hands.items()}
    return next(s for s in map(game.start, range(5_000)) if zone(s, "player.hand").items() >= wanted.items())


def _played(state: State, *steps: str) -> State:
    """Steps such as `show 3` or `bury`, one for each turn."""
    for step in steps:
        what, _, rank = step.partition(" ")
        state = play(state, f"act {what}", *((f"{what} card({rank})",) if rank else ()))
    return state


def _imagined(state: State, seat: int) -> list[State]:
    return [imagine(state, seat, seed) for seed in range(40)]


CASES: list[tuple[str, list[str], dict[str, Any], dict[str, Any]]] = [
    # red holds 3 and 4, blue 2 and 5; what red knows then, and what blue knows
    ("nothing was seen", ["rest"], {}, {}),
    ("what was open is known in a hand", ["show 3", "rest", "take_up"], {}, {"player.hand": {"red": ["card(3)"]}}),
    ("until it is played", ["show 3", "rest", "take_up", "rest", "show 3"], {}, {}),
    (
        "another one that is played is another one",
        ["show 3", "rest", "take_up", "rest", "show 4"],
        {},
        {"player.hand": {"red": ["card(3)"]}},
    ),
    (
        "until one goes that may be it",
        ["show 3", "rest", "take_up", "rest", "bury 4"],
        {"pile": {"": {"0": "card(4)"}}},
        {},
    ),
    (
        "one's own cards are known where they were buried; of a hand any may be gone then",
        ["show 3", "rest", "give 4", "take_up", "rest", "bury 5", "rest", "bury 2"],
        {},
        {"pile": {"": {"0": "card(5)", "1": "card(2)"}}},
    ),
    (
        "the only one of a hand is known where it goes",
        ["bury 3", "rest", "show 4", "rest", "take_up", "rest", "bury 4"],
        {"pile": {"": {"0": "card(3)", "1": "card(4)"}}},
        {"pile": {"": {"1": "card(4)"}}},
    ),
    (
        "what lies under it moves up",
        ["bury 3", "show 2", "put_under"],
        {"pile": {"": {"0": "card(2)", "1": "card(3)"}}},
        {"pile": {"": {"0": "card(2)"}}},
    ),
    ("until it is shuffled", ["bury 3", "show 2", "put_under", "mix"], {}, {}),
    ("what is given is known to both", ["give 4"], {"player.hand": {"blue": ["card(4)"]}}, {}),
    (
        "what was on top is known when it is covered",
        ["heap_up 3", "heap_up 2"],
        {"heap": {"": {"0": "card(3)"}}},
        {"heap": {"": {"0": "card(3)"}}},
    ),
    (
        "and seen when it is uncovered",
        ["heap_up 3", "heap_up 2", "heap_down"],
        {},
        {"player.hand": {"red": ["card(2)"]}},
    ),
]


def test_what_nobody_would_follow_is_forgotten() -> None:
    """Red has dropped its own 3 into a zone that says `memory: none`."""
    state = _played(_dealt({"red": (3, 4), "blue": (2, 5)}), "drop 3")
    assert state.view(RED).known() == {}
    assert {tuple(zone(other, "mess")) for other in _imagined(state, RED)} > {("card(3)",)}


@pytest.mark.parametrize(("says", "steps", "red", "blue"), CASES, ids=[case[0] for case in CASES])
def test_what_is_known(says: str, steps: list[str], red: dict[str, Any], blue: dict[str, Any]) -> None:
    state = _played(_dealt({"red": (3, 4), "blue": (2, 5)}), *steps)
    assert state.view(RED).known() == red, says
    assert state.view(BLUE).known() == blue, says


def test_what_is_known_stays_in_what_is_imagined() -> None:
    """Blue knows of red's 3; where the 4 lies it does not know, so that other cards come there too."""
    state = _played(_dealt({"red": (3, 4), "blue": (2, 5)}), "show 3", "rest", "take_up")
    imagined = _imagined(state, BLUE)
    hands = {tuple(zone(other, "player.hand")["red"]) for other in imagined}
    assert hands == {("card(1)", "card(3)"), ("card(3)", "card(4)")}
    for other in imagined:
        assert json.dumps(other.view(BLUE).to_json()) == json.dumps(state.view(BLUE).to_json())


def test_what_others_know_is_not_told_by_what_is_imagined() -> None:
    """States that look the same to gray become the same, whatever red and blue have seen of one another."""
    hands = {"gray": (2, 5)}
    given = [
        _played(_dealt({"red": (3, 4), "blue": (1, 1), **hands}, 3), "give 4"),
        _played(_dealt({"red": (1, 4), "blue": (1, 3), **hands}, 3), "give 1"),
    ]
    views = {json.dumps(state.view(2).to_json()) for state in given}
    assert len(views) == 1
    assert [state.view(RED).known() for state in given] == [
        {"player.hand": {"blue": ["card(4)"]}},
        {"player.hand": {"blue": ["card(1)"]}},
    ]
    assert len({imagine(state, 2, 9) for state in given}) == 1


def test_what_is_known_outlives_bytes_and_is_no_others() -> None:
    state = _played(_dealt({"red": (3, 4), "blue": (2, 5)}), "show 3", "rest", "take_up")
    again = state.game.state_from_bytes(state.to_bytes())
    assert again.view(BLUE).known() == state.view(BLUE).known() != {}
    assert state.view(RED).known() == {}
    assert state.view(BLUE).zone("player.hand", "red") == {
        "count": 2,
        "backs": ["card()", "card()"],
        "known": ["card(3)"],
    }


@pytest.mark.parametrize("players", [2, 3])
def test_executors_agree(players: int) -> None:
    game: Game = small("recall", players)
    assert game.native is not None, game.native_refused
    pair = Pair(game, game.native)
    for seed in range(6):
        found = follow(pair, seed, 60)
        assert not isinstance(found, Difference), found
    assert pair.gave_up == {}


def test_players_remember_the_cards_that_were_turned_up() -> None:
    """In `pairs` what has been turned up and back is known to both, and to what they imagine."""
    spots = ("spot[4]", "spot[7]")
    starts = map(small("pairs").start, range(20))
    start = next(s for s in starts if len({zone(s, "spot.card", spot)[0] for spot in spots}) == 2)
    state = play(start, "turn_first spot[4]", "turn_second spot[7]")
    cards = {spot: zone(start, "spot.card", spot) for spot in spots}
    for seat in (RED, BLUE):
        assert state.view(seat).known() == {"spot.card": {spot: {"0": card} for spot, [card] in cards.items()}}
        for other in _imagined(state, seat):
            assert {spot: zone(other, "spot.card", spot) for spot in cards} == cards


def test_a_game_in_which_nothing_is_hidden_keeps_nothing() -> None:
    assert small("bags", task="sets").facts.layout.known == {}
