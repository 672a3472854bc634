"""What a seat has seen and can still know: in its view, in what it imagines, and in both executors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.differential import Difference, Pair, follow
from interpreter import Game, State, load
from interpreter.imagine import imagine
from tests.engine.small import keys, play, small, zone

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
    ("one alone cannot be mixed", ["bury 3", "mix"], {"pile": {"": {"0": "card(3)"}}}, {}),
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


def _known_hands(state: State) -> list[dict[str, Any]]:
    """What each seat knows of the others' hands."""
    return [state.view(seat).known().get("player.hand", {}) for seat in range(state.game.players)]


@pytest.mark.parametrize("way", ["act pass_on", "act draw_on"])
def test_hands_that_go_on_as_a_whole_are_known_where_they_come(way: str) -> None:
    """Red's cards go to blue, then to gray: whoever had them, or was given one of them to see, knows them there."""
    start = _passing({"red": (1, 2), "blue": (5, 6), "gray": (3, 4)})
    once = play(start, way)
    red, blue, gray = ["card(1)", "card(2)"], ["card(5)", "card(6)"], ["card(3)", "card(4)"]
    assert zone(once, "player.hand") == {"red": gray, "blue": red, "gray": blue}
    assert _known_hands(once) == [{"blue": red}, {"gray": blue}, {"red": gray}]
    twice = play(once, way)
    assert _known_hands(twice) == [{"gray": red, "blue": gray}, {"red": blue, "gray": red}, {"blue": gray, "red": blue}]
    for other in _imagined(twice, RED):
        assert zone(other, "player.hand") == zone(twice, "player.hand")


def test_what_is_known_of_a_part_goes_on_with_the_whole() -> None:
    """Red knows one of the three cards that gray has then; gray, who gave none, saw two of blue's before."""
    state = play(_passing({"red": (1, 2), "blue": (5, 6), "gray": (3, 4)}), "act give", "give card(1)", "act pass_on")
    assert zone(state, "player.hand")["gray"] == ["card(1)", "card(5)", "card(6)"]
    assert _known_hands(state) == [
        {"blue": ["card(2)"], "gray": ["card(1)"]},
        {"gray": ["card(1)", "card(5)", "card(6)"]},
        {"red": ["card(3)", "card(4)"]},
    ]


def test_what_does_not_all_fit_is_no_whole() -> None:
    """Of a hand of three only two cards fit, and whoever does not see which knows none of them."""
    start = _passing({"red": (1, 2), "blue": (5, 6), "gray": (3, 4)})
    state = play(start, "act give", "give card(1)", "act rest", "act rest", "act crowd")
    assert {seat: len(cards) for seat, cards in zone(state, "player.hand").items()} == {"red": 1, "blue": 1, "gray": 2}
    assert state.view(RED).known() == {}
    state = play(start, "act crowd")
    assert state.view(BLUE).known() == {"player.nook": {"red": ["card(5)", "card(6)"]}}
    assert state.view(RED).known() == {}


def test_tiles_that_are_turned_on_the_way_are_known_as_they_are_then() -> None:
    start = small("passing", 3).start(0)
    state = play(start, "act turn_over", "act turn_over")
    tiles = ["tile(1,2)", "tile(2,2)", "tile(3,2)"]
    assert zone(state, "player.rack")["gray"] == tiles
    assert state.view(RED).known()["player.rack"] == {"gray": tiles}


def _passing(hands: Mapping[str, Sequence[int]]) -> State:
    """A game in which hands begin so, that go round as a whole."""
    wanted = {seat: [f"card({rank})" for rank in ranks] for seat, ranks in hands.items()}
    return next(s for s in map(small("passing", 3).start, range(5_000)) if zone(s, "player.hand") == wanted)


def test_cards_that_are_alike_stay_known_where_they_are_mixed() -> None:
    """Both ones lie there, and red has seen both; blue has seen one of them, which is one of two then."""
    red = _played(_dealt({"red": (1, 1), "blue": (2, 3)}), "bury 1", "rest", "bury 1", "mix")
    assert red.view(RED).known() == {"pile": {"": {"0": "card(1)", "1": "card(1)"}}}
    both = _played(_dealt({"red": (1, 4), "blue": (1, 3)}), "bury 1", "bury 1", "mix")
    assert (both.view(RED).known(), both.view(BLUE).known()) == ({}, {})


CROWD = """
game:
  id: crowd
  language: 1
  title: {en: "Crowd"}
  players: 2..12
  seats: [a, b, c, d, e, f, g, h, i, j, k, l]
pieces:
  card: {attributes: {rank: 1..52}, rows: [ROWS]}
zones:
  deck: {shape: stack, holds: card, front: nobody, back: nobody, start: true}
  player.hand: {shape: pool, holds: card, front: owner}
  pile: {shape: pool, holds: card, front: nobody}
  spare: {shape: pool, holds: card, front: top}
setup:
  - shuffle: deck
  - for_each: player
    do: [{draw: 4, from: deck, to: player.hand}]
  - draw: 2
    from: deck
    to: spare
flow:
  - turns: player
    do: [{choose: card, from: me.hand}, {move: card, to: pile}]
ranking:
  - most: player.hand.count
"""


def _crowd(folder: Path, players: int) -> Game:
    rows = ", ".join(f"{{rank: {rank}}}" for rank in range(1, 53))
    (folder / "crowd.yaml").write_text(CROWD.replace("ROWS", rows), encoding="utf-8")
    return load(str(folder), players=players)


def test_what_would_need_too_much_is_not_remembered(tmp_path: Path) -> None:
    """A hand needs 52 cells for each other player, the pile for each: 2,912 and 416 for eight, 3,744 and 468 for nine.

    That is more than 4,096, and than the 678 cells that nine players' states have without.
    """
    assert _crowd(tmp_path, 8).facts.layout.known_strides == {"player.hand": 7 * 52, "pile": 8 * 52}
    nine = _crowd(tmp_path, 9)
    assert nine.facts.layout.known_strides == {"pile": 9 * 52}
    start = nine.start(1)
    state = play(start, keys(start)[0])
    assert state.view(0).known() == {"pile": {"": zone(state, "pile")}}


def test_no_game_is_refused_for_what_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With seven players a state has 574 cells of pieces, and 2,548 for what players know of them."""
    monkeypatch.setattr("interpreter.native.build.LARGEST_STATE", 1_000)
    game = _crowd(tmp_path, 7)
    assert game.native is not None, game.native_refused
    assert len(game.start(1).to_bytes()) > 574 + 2_548


def test_the_top_of_what_has_no_order_is_all_of_it(tmp_path: Path) -> None:
    game = _crowd(tmp_path, 2)
    state = game.start(1)
    spare = zone(state, "spare")
    assert len(spare) == 2
    assert state.view(BLUE).zone("spare") == spare
    assert all(zone(other, "spare") == spare for other in _imagined(state, BLUE))


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
@pytest.mark.parametrize("name", ["recall", "passing"])
def test_executors_agree(name: str, players: int) -> None:
    game: Game = small(name, players)
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
