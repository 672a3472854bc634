"""Where a scenario begins: what is given, what is there before, and the place in the flow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.islands import GAME
from tests.scenarios.test_run import one


def test_set_up_has_run_or_not(tmp_path: Path) -> None:
    assert one(tmp_path, "start: setup\nthen:\n  - red.purse.count == 1 and box.coin.count == 3") == []
    assert one(tmp_path, "start: empty\nthen:\n  - red.purse.empty and box.coin.count == 4") == []
    assert one(tmp_path, "then:\n  - red.purse.count == 1") == []


def test_pieces_are_taken_from_the_box_and_go_there(tmp_path: Path) -> None:
    """Red's coin goes to the box before green's two are taken from it: 4 - 2 = 2 stay there."""
    text = "given:\n  red.purse: []\n  green.purse: [coin, coin]\nthen:\n  - red.purse.empty\n  - box.coin.count == 2"
    assert one(tmp_path, text) == []


def test_a_count_before_a_piece(tmp_path: Path) -> None:
    """Of green's ships one lies between two of red's; of three players' coins one less is two."""
    text = """
players: 3
given:
  green.fleet: [2 * ship(red), ship(green), 0 * ship(blue)]
  blue.purse: (player_count - 1) * coin
then:
  - count(s in green.fleet where s.owner == red) == 2
  - count(s in green.fleet where s.owner == green) == 1
  - green.fleet.count == 3
  - blue.purse.count == 2
"""
    assert one(tmp_path, text) == []


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("5 * coin", "RS314: 5 is outside 0..4."),
        ("-1 * coin", "RS314: -1 is outside 0..4."),
        ("(green.score - 1) * coin", "RS314: -1 is outside 0..4."),
        ("coin * 2", "RS303: Here coin is expected, not 2. The count stands first: `2 * coin`."),
        ("2 * ship(red)", "RS303: Here coin is expected, not ship."),
    ],
)
def test_a_wrong_count_is_told(tmp_path: Path, written: str, message: str) -> None:
    assert one(tmp_path, f"given:\n  red.purse: {written}\nthen:\n  - true") == [(4, message)]


def test_pieces_are_taken_from_where_they_lie(tmp_path: Path) -> None:
    """Ships all begin in the fleets, so the box has none: two of red's three leave its fleet."""
    text = """
given:
  north.ship: ship(red)
  east.ship: ship(red, sunk)
then:
  - red.fleet.count == 1 and green.fleet.count == 3
  - north.ship == ship(red)
  - east.ship.face == sunk and north.ship.face == floating
  - box.ship.empty
"""
    assert one(tmp_path, text) == []


def test_nothing_is_taken_from_places_that_are_given_too(tmp_path: Path) -> None:
    text = "given:\n  red.fleet: [ship(red), ship(red), ship(red)]\n  north.ship: ship(red)\nthen:\n  - true"
    assert one(tmp_path, text) == [(5, "RS810: There is no ship(red) left to put here.")]


def test_a_place_must_have_room(tmp_path: Path) -> None:
    text = "given:\n  red.purse: [coin, coin, coin]\nthen:\n  - true"
    assert one(tmp_path, text) == [(4, "RS811: 'red.purse' has room for 2, and 3 are given.")]


def test_the_box_cannot_be_given(tmp_path: Path) -> None:
    found = one(tmp_path, "given:\n  box.coin: []\nthen:\n  - true")
    assert found == [(4, "RS813: 'box.coin' cannot be given: the box holds whatever lies nowhere else.")]


def test_cells_are_set(tmp_path: Path) -> None:
    text = "given:\n  green.luck: 4\n  ahead: green\nthen:\n  - green.luck == 4 and red.luck == 0\n  - ahead == green"
    assert one(tmp_path, text) == []
    assert one(tmp_path, "given:\n  ahead: none\n  green.score: 12\nthen:\n  - green.score == 12") == []


def test_a_value_outside_its_range(tmp_path: Path) -> None:
    found = one(tmp_path, "given:\n  green.luck: 6\nthen:\n  - true")
    assert [(line, message[:5]) for line, message in found] == [(4, "RS314")]


def test_what_is_given_is_not_noticed_by_triggers(tmp_path: Path) -> None:
    """Luck of two or more scores once, when it turns so: not when it is given, nor when it goes on to three."""
    text = "given:\n  red.luck: 2\nplay:\n  - red: land north\nthen:\n  - red.luck == 3\n  - red.score == 0"
    assert one(tmp_path, text) == []
    text = "given:\n  red.luck: 1\nplay:\n  - red: land north\nthen:\n  - red.luck == 2\n  - red.score == 10"
    assert one(tmp_path, text) == []


def test_at_a_seat_the_others_follow_and_nothing_is_counted(tmp_path: Path) -> None:
    text = """
players: 3
at: green land
given:
  round: 1
play:
  - green: land north
  - blue: land east
  - red: land south
then:
  - round == 2
"""
    assert one(tmp_path, text) == []


def test_at_is_where_the_round_has_begun_already(tmp_path: Path) -> None:
    assert one(tmp_path, "at: red land\nthen:\n  - round == 0") == []
    assert one(tmp_path, "then:\n  - round == 1") == []


def test_at_a_seat_that_cannot_do_it_the_game_goes_on_as_usual(tmp_path: Path) -> None:
    text = "at: green land\ngiven:\n  green.luck: 3\nplay:\n  - green: rest green\nthen:\n  - ahead == green"
    assert one(tmp_path, text) == []


def test_at_something_else_than_what_is_asked(tmp_path: Path) -> None:
    """Green, whose luck is 3, may not land: it is asked to rest, and nothing in the scenario speaks of that."""
    begin = "at: green land\ngiven:\n  green.luck: 3\n"
    expected = [(3, "RS812: green is not asked for land here: green is asked for rest instead.")]
    assert one(tmp_path, f"{begin}then:\n  - true") == expected
    assert one(tmp_path, f"{begin}play:\n  - refused: rest green north\nthen:\n  - true") == expected
    assert one(tmp_path, f"{begin}play:\n  - refused: land north\nthen:\n  - true") == []
    assert one(tmp_path, f"{begin}play:\n  - offered: rest green\nthen:\n  - true") == []


def test_at_a_place_that_is_not_reached(tmp_path: Path) -> None:
    game = GAME.replace("else: [{perform: rest}]", "else: []")
    text = "at: green land\ngiven:\n  green.luck: 3\nthen:\n  - true"
    expected = "RS812: green is not asked for land here: red is asked for land instead."
    assert one(tmp_path, text, game) == [(3, expected)]


def test_at_something_that_is_never_asked(tmp_path: Path) -> None:
    game = GAME.replace("else: [{perform: rest}]", "else: [{finish: game}]")
    expected = "RS812: red is not asked for rest here: the flow never comes to ask that seat for it."
    assert one(tmp_path, "at: red rest\nthen:\n  - true", game) == [(3, expected)]


@pytest.mark.parametrize("last", ["gain: {luck: 1}", "perform: rest"])
def test_very_many_ways_are_not_all_tried(tmp_path: Path, last: str) -> None:
    """Each of thirty effects performs the next one twice: that is 2**30 ways, to no action or to one that asks red."""
    twice = "".join(f"  e{n}:\n    do:\n      - perform: e{n + 1}\n      - perform: e{n + 1}\n" for n in range(30))
    effects = f"effects:\n{twice}  e30:\n    do:\n      - {last}\n"
    flow = "flow:\n  - if: round > 8\n    then: [{perform: e0}]\n"
    game = GAME.replace("flow:\n", effects + flow).replace("else: [{perform: rest}]", "else: []")
    expected = "RS812: blue is not asked for rest here: the flow never comes to ask that seat for it."
    assert one(tmp_path, "players: 3\nat: blue rest\nthen:\n  - true", game) == [(4, expected)]


def test_at_the_end(tmp_path: Path) -> None:
    text = """
at: end
given:
  north.ship: ship(green)
  south.ship: ship(green)
  east.ship: ship(red)
then:
  - game_over
  - green.score == 2 and red.score == 1
  - winners == [green]
"""
    assert one(tmp_path, text) == []


NESTED = """\
flow:
  - repeat:
      - set: round
        to: round + 1
      - for_each: island
        where: not exists island.ship
        do:
          - if: round < 9
            then:
              - turns: clockwise(ahead otherwise red)
                do:
                  - may: [{perform: crossing(island)}]
    until: round == 9
"""

CROSSING = """\
effects:
  crossing:
    params: {shore: island}
    do:
      - let: other
        be: me.right
      - as: other
        do: [{perform: land}]
actions:
"""


def test_a_way_through_loops_effects_and_another_players_turn(tmp_path: Path) -> None:
    """Green lands in somebody else's turn, once that player has said so; the loops are at their first passes."""
    start, end = GAME.index("flow:"), GAME.index("end:\n")
    game = (GAME[:start] + NESTED + GAME[end:]).replace("actions:\n", CROSSING)
    text = """
players: 3
at: green land
given:
  ahead: blue
play:
  - green: land east
then:
  - east.ship == ship(green)
  - round == 0
"""
    assert one(tmp_path, text, game) == []


@pytest.mark.parametrize("seat", ["red", "green"])
def test_everybody_choosing_at_once_begins_with_the_first(tmp_path: Path, seat: str) -> None:
    game = GAME.replace("turns: player\n", "turns: player\n        at_once: true\n")
    game = game.replace("try: [{perform: land}]\n            else: [{perform: rest}]", "perform: rest")
    found = one(tmp_path, f"at: {seat} rest\nplay:\n  - {seat}: rest green\nthen:\n  - true", game)
    assert (found == []) == (seat == "red")
    if seat == "green":
        assert found[0] == (3, "RS812: green is not asked for rest here: the flow never comes to ask that seat for it.")


def test_a_seed_makes_set_up_the_same(tmp_path: Path) -> None:
    """Chance picks the seat ahead; whatever it is, it is the same for the same seed, and both come up."""
    game = GAME.replace(
        "setup:\n", "setup:\n  - choose: lead\n    from: player\n    who: chance\n  - set: ahead\n    to: lead\n"
    )
    found = {seed: bool(one(tmp_path, f"seed: {seed}\nthen:\n  - ahead == red", game)) for seed in range(1, 9)}
    assert set(found.values()) == {True, False}
    assert found[3] == bool(one(tmp_path, "seed: 3\nthen:\n  - ahead == red", game))


def test_what_set_up_asks(tmp_path: Path) -> None:
    """It is part of the moves; where something is given it has been answered, with the first option."""
    game = GAME.replace("setup:\n", "setup:\n  - choose: lead\n    from: player\n  - set: ahead\n    to: lead\n")
    assert one(tmp_path, "play:\n  - red: lead green\n  - red: land north\nthen:\n  - ahead == green", game) == []
    given = "given:\n  green.luck: 1\nplay:\n  - red: land north\nthen:\n  - ahead == red and red.purse.count == 1"
    assert one(tmp_path, given, game) == []


def test_a_place_that_is_nowhere(tmp_path: Path) -> None:
    """Nobody is ahead at the start, so nobody's purse is named."""
    found = one(tmp_path, "given:\n  ahead.purse: [coin]\nthen:\n  - true")
    assert [(line, message[:5]) for line, message in found] == [(4, "RS642")]


def test_at_a_seat_in_a_loop_over_a_set(tmp_path: Path) -> None:
    """The members of a set are gone through as a list. What the flow does before is left out: the round is 0."""
    loop = "{for_each: p, in: set(q.left for q in player), do: [{as: p, do: [{perform: land}]}]}"
    game = GAME.replace("      - turns: player\n", f"      - {loop}\n      - turns: player\n")
    assert one(tmp_path, "at: green land\nthen:\n  - round == 0", game) == []
