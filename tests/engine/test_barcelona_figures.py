"""Barcelona: what is in the box, and what differs by the number of players.

The figures are those of the rulebook's list of contents and of its page on setting up; a game with more tiles may
differ, so they are tests and not checks.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from interpreter import Game, State, load

COUNTS = (2, 3, 4)
#: kind of pieces -> how many there are in a box for four players
CONTENTS = {
    "action_tile": 11,
    "cerda_tile": 14,
    "modernisme_tile": 18,
    "cobblestone": 24,
    "service_tile": 21,
    "sagrada_tile": 16,
    "bonus_tile": 4,
    "citizen": 25 + 24 + 23,
    "building": 8 + 12 + 8 + 7,
    "intersection": 20,
    "street_tile": 20 + 40,
    "tram": 4,
    "passenger": 20,
    "marker": 32,
}


@cache
def game(players: int, **options: Any) -> Game:
    return load("barcelona", players=players, options=options)


def zones(state: State) -> dict[str, Any]:
    found: dict[str, Any] = state.to_json()["zones"]
    return found


def test_the_box_holds_what_the_rulebook_lists() -> None:
    kinds = game(4).world.pieces
    assert {name: sum(kind.supply) for name, kind in kinds.items()} == CONTENTS


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("citizen", {"working": 25, "middle": 24, "upper": 23}),
        ("building", {"corner": 8, "one": 12, "two": 8, "three": 7}),
    ],
)
def test_pieces_by_their_sort(kind: str, expected: dict[str, int]) -> None:
    found = game(4).world.pieces[kind]
    names = game(4).world.domains["class" if kind == "citizen" else "level"].members
    assert {names[code[0]]: count for code, count in zip(found.codes, found.supply, strict=True)} == expected


def goals_on(kind: str) -> set[str]:
    """The goals for which there is a tile of that kind."""
    tiles, names = game(4).world.pieces[kind], game(4).world.domains["goal"].members
    return {str(names[code[0]]) for code, count in zip(tiles.codes, tiles.supply, strict=True) if count}


def test_goals_on_both_sets_of_tiles() -> None:
    """19 goals on 14 and 18 tiles: 13 on both, one on a Cerdà tile only, five on a Modernisme tile only.

    Known by name: corner blocks, lines of blocks and bottom markers are on both, wide tiles are on Modernisme tiles.
    """
    cerda, modernisme = goals_on("cerda_tile"), goals_on("modernisme_tile")
    assert game(4).world.domains["goal"].size == 19
    assert cerda & modernisme >= {"corner_blocks", "block_line", "bottom_markers"}
    assert "wide_tiles" in modernisme
    assert (len(cerda), len(modernisme)) == (14, 18)
    assert (len(cerda & modernisme), len(cerda - modernisme), len(modernisme - cerda)) == (13, 1, 5)


def goal_of(tile: str) -> str:
    return tile[tile.index("(") + 1 : -1]


def covered(players: int) -> dict[str, list[str]]:
    """The spaces of the citizen tracks on which a citizen lies at first."""
    return {berth: pieces for berth, pieces in zones(game(players).start(1))["berth.citizen"].items() if pieces}


@pytest.mark.parametrize("players", COUNTS)
def test_citizens_on_the_tracks_are_of_their_class(players: int) -> None:
    for berth, citizens in covered(players).items():
        assert citizens == [f"citizen({berth.removeprefix('berth[').split(',')[0]})"]


def test_fewer_players_cover_more_spaces() -> None:
    """With four none; with three the spaces marked 3; with two those marked 2 as well."""
    two, three, four = (set(covered(players)) for players in COUNTS)
    assert two > three > four == set()


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("seed", range(5))
def test_a_game_is_set_up(players: int, seed: int) -> None:
    state = game(players).start(seed)
    lying = zones(state)
    on_tracks = sum(len(citizens) for citizens in lying["berth.citizen"].values())
    hands = lying["player.hand"].values()
    assert [len(hand) for hand in hands] == [2] * players
    assert len(lying["bag"]) == 72 - on_tracks - 2 * players
    assert sorted(len(stack) for stack in lying["service.offer"].values()) == [0, 0] + [2 if players == 2 else 3] * 5
    for stack in lying["service.offer"].values():
        assert [tile.split(",")[1] for tile in reversed(stack)] == ["3", "2", "1"][: len(stack)]
    assert len({tile for tiles in lying["street.action"].values() for tile in tiles}) == 11
    assert [len(stones) for stones in lying["player.stones"].values()] == [6] * players
    values = state.to_json()["state"]
    assert set(values["player.coins"].values()) == set(values["player.cloth"].values()) == {1}


@pytest.mark.parametrize("seed", range(8))
def test_no_goal_is_in_both_sets(seed: int) -> None:
    """A Modernisme tile with the goal of a section goes back into the box: 15 or 16 stay, as one goal has no match."""
    lying = zones(game(3).start(seed))
    goals = {goal_of(tile) for tiles in lying["section.tile"].values() for tile in tiles}
    tiles = [goal_of(tile) for tile in [*lying["display"], *lying["deck"]]]
    assert len(goals) == 3
    assert len(lying["display"]) == 4
    assert not goals & set(tiles)
    assert len(tiles) == (16 if goals - goals_on("modernisme_tile") else 15)


@pytest.mark.parametrize("players", COUNTS)
def test_a_state_is_small(players: int) -> None:
    assert len(game(players).start(1).to_bytes()) <= 4096


def test_what_lies_face_down_is_hidden() -> None:
    state = game(3).start(2)
    seen = state.view(0).to_json()["zones"]
    assert seen["player.hand"]["blue"] == zones(state)["player.hand"]["blue"]
    for hidden, back in [("orange", "citizen()"), ("bag", "citizen()"), ("deck", "modernisme_tile()")]:
        place = seen["player.hand"][hidden] if hidden == "orange" else seen[hidden]
        assert set(place["backs"]) == {back}
