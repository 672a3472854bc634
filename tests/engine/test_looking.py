"""`look`: pieces are shown to some players, who know them then; the others are told that they looked, not at what."""

from __future__ import annotations

from typing import Any

import pytest

from bench.differential import Difference, Pair, follow
from interpreter import Game, State
from interpreter.imagine import imagine
from interpreter.log_lines import LineWriter
from interpreter.table.undo_policy import was_foreseeable
from tests.engine.small import play, small, zone

RED, BLUE, GRAY = 0, 1, 2


def _start(**wanted: object) -> State:
    """A game of three in which zones begin so: `hand_of_blue=[...]`."""
    return next(s for s in map(small("looks", 3).start, range(3_000)) if _is_so(s, wanted))


def _is_so(state: State, wanted: dict[str, Any]) -> bool:
    return all(zone(state, "player.hand", seat) == cards for seat, cards in wanted.items())


def _acted(state: State, *deeds: str) -> State:
    """Deeds such as `top` or `show card(3,2)`, one for each turn."""
    for deed in deeds:
        what, _, piece = deed.partition(" ")
        state = play(state, f"act {what}", *((f"{what} {piece}",) if piece else ()))
    return state


def _known(state: State) -> list[dict[str, Any]]:
    return [state.view(seat).known() for seat in range(state.game.players)]


def _looks(state: State, seat: int | None) -> list[dict[str, Any]]:
    lines = LineWriter(state.game, seat).events(state)
    return [{k: line[k] for k in ("pieces", "in", "for")} for line in lines if line["event"] == "look"]


# ---- what is known then ----------------------------------------------------------------------------------------------


def test_one_card_of_a_stack_is_known_by_its_position_to_who_looked() -> None:
    start = _start()
    deck = zone(start, "deck")
    assert len(deck) == 2  # of eleven cards, three for each of three
    assert _known(_acted(start, "top")) == [{"deck": {"": {"1": deck[1]}}}, {}, {}]
    assert _known(_acted(start, "two")) == [{"deck": {"": {"0": deck[0], "1": deck[1]}}}, {}, {}]


def test_a_whole_stack_is_shown_to_several() -> None:
    start = _start()
    both = {"deck": {"": {str(at): card for at, card in enumerate(zone(start, "deck"))}}}
    assert _known(_acted(start, "all_of_deck")) == [both, both, {}]


def test_a_hand_is_shown_to_all_and_its_owner_learns_nothing() -> None:
    start = _start()
    hand = {"player.hand": {"red": zone(start, "player.hand", "red")}}
    assert _known(_acted(start, "show_all")) == [{}, hand, hand]
    assert _known(_acted(start, "own")) == [{}, {}, {}]


def test_what_is_shown_to_one_is_known_to_one() -> None:
    hand = ["card(1,1)", "card(3,2)"]
    state = _acted(_start(red=hand), "show card(3,2)")
    assert _known(state) == [{}, {"player.hand": {"red": ["card(3,2)"]}}, {}]


def test_two_that_are_alike_and_looked_at_one_by_one_may_be_the_same_one() -> None:
    """Red looks at one of blue's two equal cards twice: it knows of one. At both at once: it knows of two."""
    alike = ["card(5,1)", "card(5,1)"]
    start = _start(blue=alike)
    once = {"player.hand": {"blue": alike[:1]}}
    twice = _acted(start, "spy card(1)", "mess_look", "mess_look", "spy card(1)")
    assert [_known(_acted(start, "spy card(1)"))[RED], _known(twice)[RED]] == [once, once]
    assert _known(_acted(start, "both"))[RED]["player.hand"] == {"blue": alike}


def test_what_was_looked_at_goes_on_being_known() -> None:
    """Red knows the card on top, which blue draws; and that of blue's spot, which blue puts under the deck."""
    start = _start()
    deck, spots = zone(start, "deck"), zone(start, "player.spot")
    drawn = _acted(start, "top", "draw_one")
    assert _known(drawn)[RED] == {"player.hand": {"blue": deck[-1:]}}
    spotted = _acted(start, "spot")
    assert _known(spotted) == [{"player.spot": {"blue": {"0": spots["blue"][0]}}}, {}, {}]
    moved = _acted(spotted, "mess_look", "mess_look", "turn")
    assert _known(moved) == [{"deck": {"": {"0": spots["blue"][0]}}}, {}, {}]


def test_a_shuffle_ends_it() -> None:
    start = next(s for s in map(small("looks", 3).start, range(50)) if len(set(zone(s, "deck"))) == 2)
    assert _known(_acted(start, "two", "mix")) == [{}, {}, {}]


def test_where_nobody_remembers_it_is_told_once() -> None:
    hand = ["card(1,1)", "card(3,2)"]
    start = _acted(_start(red=hand), "drop card(3,2)")
    told = start.apply(start.option("act mess_look"), events=True)
    assert _known(told) == [{}, {}, {}]
    seen = [_looks(told, seat)[0]["pieces"] for seat in (RED, BLUE, None)]
    assert seen == [["card(2)"], ["card(3,2)"], ["card(3,2)"]]  # red sees the back, as blue did before


# ---- what is told and imagined ---------------------------------------------------------------------------------------


def test_the_others_are_told_who_looked_where_and_not_at_what() -> None:
    start = _start()
    state = start.apply(start.option("act two"), events=True)
    top, under = reversed(zone(start, "deck"))
    told = {"in": "deck", "for": ["red"]}
    assert _looks(state, RED) == _looks(state, None) == [{"pieces": [top, under], **told}]
    assert _looks(state, BLUE) == _looks(state, GRAY) == [{"pieces": ["card", "card"], **told}]
    event = next(event for event in state.what_happened(BLUE) if event.kind == "look")
    assert (event.player, event.pieces) == ("red", ["card", "card"])


def test_where_nothing_lies_nothing_is_told() -> None:
    start = _start()
    assert _looks(start.apply(start.option("act mess_look"), events=True), None) == []


def test_what_is_imagined_agrees_with_what_was_looked_at() -> None:
    state = _acted(_start(), "two")
    for seat, stays in ((RED, True), (BLUE, False)):
        decks = {tuple(zone(imagine(state, seat, seed), "deck")) for seed in range(30)}
        assert (decks == {tuple(zone(state, "deck"))}) is stays


def test_others_are_told_the_same_whatever_was_looked_at() -> None:
    """Every position that looks the same to gray before red looks, looks the same to it and is told the same after."""
    start = _start()
    seen: set[str] = set()
    decks: set[str] = set()
    for seed in range(20):
        other = imagine(start, GRAY, seed)
        after = other.apply(other.option("act both"), events=True)
        decks.add(str(zone(after, "deck")))
        lines = [line for line in LineWriter(after.game, BLUE).events(after) if line["event"] == "look"]
        seen.add(str((len(lines[0]["pieces"]), lines[0]["in"], lines[0]["for"])))
        alone = other.apply(other.option("act two"), events=True)
        seen.add(str((alone.view(GRAY).to_json(), LineWriter(after.game, GRAY).events(alone))))
    assert len(decks) > 5
    assert len(seen) == 2


# ---- taking back -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deed", "foreseeable"),
    [("top", False), ("show_all", False), ("both", False), ("own", True), ("mess_look", True)],
)
def test_what_somebody_was_shown_is_not_taken_back(deed: str, foreseeable: bool) -> None:
    """Whoever shows its own hand knew it; the others have learnt it. One's own hand alone, or nothing, is no news."""
    start = _start()
    assert was_foreseeable(start, f"act {deed}", _acted(start, deed), RED) is foreseeable


# ---- both executors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_executors_agree(players: int) -> None:
    game: Game = small("looks", players)
    assert game.native is not None, game.native_refused
    pair = Pair(game, game.native)
    for seed in range(6):
        found = follow(pair, seed, 60)
        assert not isinstance(found, Difference), found
    assert pair.gave_up == {}
