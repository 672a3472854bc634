"""Pools that their owners alone count (`count: owner`): what others see, are told, may read and imagine."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.differential import Difference, Pair, follow
from bench.independence import leaks
from interpreter import Game, State, load
from interpreter.draw import EVERYBODY, Drawer, Showing
from interpreter.draw.ink import render
from interpreter.imagine import imagine, imagined_cells
from interpreter.log_lines import LineWriter, canonical
from interpreter.views import state_json
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from tests.engine.small import GAMES, keys, play, small, zone
from tests.engine.test_telling import HEAD
from tests.engine.test_texts import begun, read

RED, BLUE, GRAY = 0, 1, 2
SCREENS = (GAMES / "screens.yaml").read_text("utf-8")


def _acted(state: State, *deeds: str) -> State:
    """Deeds such as `bid_some 2`, one for each turn, with what happened in the last of them."""
    for deed in deeds:
        what, _, amount = deed.partition(" ")
        chosen = (f"act {what}", *((deed,) if amount else ()))
        for key in chosen:
            state = state.apply(state.option(key), events=True)
    return state


def _amounts(state: State, seat: str) -> tuple[int, int]:
    """How much a player has in its purse, and in its bid."""
    return len(zone(state, "player.purse", seat)), len(zone(state, "player.bid", seat))


def _moves(state: State, seat: int | None) -> list[dict[str, Any]]:
    """What a seat is told of pieces that went."""
    lines = LineWriter(state.game, seat).events(state)
    return [{k: line[k] for k in ("from", "to")} for line in lines if line["event"] == "move"]


# ---- what is seen ----------------------------------------------------------------------------------------------------


def test_the_owner_sees_its_own_and_nobody_else_how_many_there_are() -> None:
    state = _acted(small("screens", 3).start(1), "bid_some 2")
    hidden = {"count": None}
    own = {place: zone(state, place, "red") for place in ("player.purse", "player.bid")}
    assert [len(coins) for coins in own.values()] == [1, 2]
    for place, coins in own.items():
        assert state.view(RED).zone(place, "red") == coins
        assert state.view(BLUE).zone(place, "red") == hidden
        assert state_json(state, EVERYBODY)["zones"][place]["red"] == hidden  # nobody's seat, as spectators have
    assert state.view(BLUE).zone("player.won", "red") == []
    assert state.view(BLUE).known() == {}


def test_pictures_and_rows_of_numbers_show_nothing_of_it(tmp_path: Path) -> None:
    rows = pytest.importorskip("interpreter.pettingzoo.seen", exc_type=ImportError)
    names = 'messages: {zone.player.purse: {en: "Purse"}, zone.player.bid: {en: "Bid"}}\n'
    (tmp_path / "screens.yaml").write_text(SCREENS + names, "utf-8")
    start = load(str(tmp_path), players=3).start(1)
    some, none = _acted(start, "bid_some 2"), _acted(start, "bid_some 0")
    seen, drawer = rows.Seen(start.game), Drawer(start.game, start.game.texts("en"))

    def drawn(state: State, viewer: int) -> str:
        return "\n".join(map(render, drawer.lines(state, Showing(viewer=viewer))))

    for state in (some, none):
        assert not seen.named(state, BLUE)["zone.player.bid"][RED].any()
    assert seen.named(some, RED)["zone.player.bid"][RED].sum() > 0
    assert drawn(some, BLUE) == drawn(none, BLUE) != drawn(none, RED) != drawn(some, RED)
    assert "?" in drawn(some, BLUE)


# ---- what is told ----------------------------------------------------------------------------------------------------


def test_what_goes_from_screen_to_screen_is_told_to_its_owner_alone() -> None:
    state = _acted(small("screens", 3).start(1), "bid_some 2")
    assert [_moves(state, seat) for seat in (RED, None)] == [[{"from": "red.purse", "to": "red.bid"}]] * 2
    assert [_moves(state, seat) for seat in (BLUE, GRAY)] == [[], []]


def test_what_comes_from_the_open_or_goes_there_is_told_with_its_number() -> None:
    start = small("screens", 3).start(1)
    lines = LineWriter(start.game, BLUE).events(_acted(start, "earn"))
    assert [line["amount"] for line in lines if line["event"] == "draw"] == [2]
    opened = _acted(start, "bid_some 2", "rest", "rest", "lay_open")
    lines = LineWriter(start.game, BLUE).events(opened)
    assert [sorted(line["pieces"]) for line in lines if line["event"] == "move"] == [zone(opened, "player.won", "red")]


def test_others_are_told_the_same_whatever_is_bid() -> None:
    """Whatever red may have for all that blue knows, and whatever of it red bids, nothing among it."""
    start = _acted(small("screens", 3).start(1), "bid_some 1", "rest", "rest")
    told, amounts = set(), set()
    for seed in range(12):
        asked = play(imagine(start, BLUE, seed), "act bid_some")
        for key in keys(asked):
            after = asked.apply(asked.option(key), events=True)
            writer = LineWriter(after.game, BLUE)
            decision = writer.decision(1, asked, asked.option(key), after)
            said = after.game.texts("en").log_lines(after.events or (), BLUE)
            told.add(canonical([decision, writer.events(after), after.view(BLUE).to_json(), said]))
            amounts.add(_amounts(after, "red"))
    assert len(amounts) == 4  # three coins, of which none to three are bid
    assert len(told) == 1


def test_who_looks_behind_a_screen_sees_what_lies_there_and_the_others_nothing() -> None:
    state = _acted(small("screens", 3).start(1), "look_in")
    looks = [
        [line["pieces"] for line in LineWriter(state.game, seat).events(state) if line["event"] == "look"]
        for seat in (RED, BLUE, GRAY)
    ]
    assert looks == [[zone(state, "player.purse", "blue")], [zone(state, "player.purse", "blue")], []]


BIDS = """
flow:
  - turns: player
    do: [{perform: bid}]
actions:
  bid:
    do:
      - choose: amount
        from: 0..me.purse.count
      - move: take(amount, me.purse)
        to: me.fist
"""


@pytest.mark.parametrize(("viewer", "lines"), [(None, ["Red bids 2."]), (0, ["Red bids 2."]), (1, ["Red: Bid"])])
def test_a_line_with_the_number_is_for_who_chose_it(viewer: int | None, lines: list[str]) -> None:
    """The third option of red, who has three cards; the others are told which action it was."""
    fists = "player.fist: {shape: pool, holds: card, count: owner}"
    purse = "player.purse: {shape: pool, holds: card, count: owner, start: card.worth < 8 and player == red}"
    head = HEAD.replace("  row:", f"  {fists}\n  {purse}\n  row:").replace("start: true", "start: card.worth > 7")
    messages = '  bid.log: {en: "{me} bids {amount}."}\n  bid.name: {en: "Bid"}\n'
    game = begun(read(head + messages + BIDS), 3)
    told = [line for line in game.texts("en").log_lines(game.take(2), viewer) if not line.endswith(" to play")]
    assert [line for line in told if line.startswith("Red")] == lines


def _closed(*answers: str) -> State:
    """The state after all have closed their fists at once, with what happened then."""
    state = small("fists", len(answers)).start(1)
    for answer in answers:
        state = state.apply(state.option(f"close {answer}"), events=True)
    return state


@pytest.mark.parametrize("seat", [RED, BLUE, GRAY])
def test_what_all_choose_at_once_behind_screens_is_told_to_nobody_else(seat: int) -> None:
    """The fingers are told, the coins are not: two states in which only those of the others differ are told alike."""
    told, whole = [], []
    for others in (["2 1", "0 2"], ["1 1", "3 2"]):
        answers = list(others)
        answers.insert(seat, "2 2")
        state = _closed(*answers)
        writer, texts = LineWriter(state.game, seat), state.game.texts("en")
        lines = texts.log_lines(state.events or (), seat)
        happened = [event.values for event in state.what_happened(seat)]
        told.append(canonical([writer.events(state), lines, state.view(seat).to_json(), happened]))
        whole.append(state.what_happened(None))
        args = [line["args"] for line in writer.events(state) if line["event"] == "action"]
        assert [sorted(given) for given in args] == [["finger", "player"]] * 3
        own = state.game.seats[seat]
        assert [line for line in lines if " closes " in line or " said " in line] == [
            f"{own} closes 2.",
            f"{own} said 2 over 2.",
        ]
    assert told[0] == told[1]
    assert whole[0] != whole[1]


@pytest.mark.parametrize(
    ("viewer", "said"), [(None, ["blue said 1 over 3."]), (BLUE, ["blue said 1 over 3."]), (RED, [])]
)
def test_the_line_of_an_event_is_for_who_chose_what_it_tells(
    viewer: int | None, said: list[str], tmp_path: Path
) -> None:
    """One after the other: what blue has chosen stands in a line as soon as it is chosen."""
    text = (GAMES / "fists.yaml").read_text("utf-8").replace("        at_once: true\n", "")
    (tmp_path / "fists.yaml").write_text(text, "utf-8")
    state = play(load(str(tmp_path), players=3).start(1), "close 2 2")
    state = state.apply(state.option("close 3 1"), events=True)
    lines = state.game.texts("en").log_lines(state.events or (), viewer)
    assert [line for line in lines if " said " in line] == said


def test_bids_at_once_tell_nothing() -> None:
    assert list(leaks(small("fists", 3), range(4))) == []


# ---- what is imagined ------------------------------------------------------------------------------------------------


def test_every_way_to_share_out_what_somebody_has_is_as_likely() -> None:
    """Red has three coins: 0 to 3 of them in its bid, each in 150 of 600 deals; five deviations are 53."""
    state = _acted(small("screens", 3).start(1), "bid_some 2")
    found = Counter(_amounts(imagine(state, BLUE, seed), "red") for seed in range(600))
    assert set(found) == {(3, 0), (2, 1), (1, 2), (0, 3)}
    assert max(abs(n - 150) for n in found.values()) < 53
    assert {_amounts(imagine(state, RED, seed), "red") for seed in range(40)} == {(1, 2)}


def test_there_is_never_more_than_fits() -> None:
    """Of seven coins at most four fit into the bid: what has no room there is in the purse."""
    earned = _acted(small("screens", 3).start(1), "earn", "rest", "rest", "earn", "rest", "rest", "bid_some 1")
    found = {_amounts(imagine(earned, BLUE, seed), "red") for seed in range(200)}
    assert found == {(7 - bid, bid) for bid in range(5)}


def test_what_may_have_been_passed_on_unseen_is_only_known_together(tmp_path: Path) -> None:
    """Red and gray have three each, of which one may have given the other some: six together in four places."""
    text = SCREENS.replace("do: [{look: me.left.purse}]", "do: [{move: me.purse, to: me.left.purse}]")
    (tmp_path / "screens.yaml").write_text(text, "utf-8")
    state = load(str(tmp_path), players=3).start(1)
    found = {
        (_amounts(imagine(state, BLUE, seed), "red"), _amounts(imagine(state, BLUE, seed), "gray"))
        for seed in range(99)
    }
    assert {sum(red) + sum(gray) for red, gray in found} == {6}
    assert {sum(red) for red, _ in found} == set(range(7))


@pytest.mark.parametrize("players", [2, 3])
def test_executors_agree(players: int) -> None:
    game: Game = small("screens", players)
    assert game.native is not None, game.native_refused
    pair = Pair(game, game.native)
    for seed in range(5):
        found = follow(pair, seed, 60)
        assert not isinstance(found, Difference), found
    assert pair.gave_up == {}
    state = play(game.start(1), "act bid_some", "bid_some 2", "act earn")
    for seat in range(players):
        for seed in range(20):
            assert imagine(state, seat, seed) == game.state_from_cells(imagined_cells(state, seat, seed))


# ---- what may be read ------------------------------------------------------------------------------------------------

FAULTS: list[tuple[str, str, str, str | None]] = [
    ("one's own number is offered by", "", "", None),
    ("another's is not", "from: 0..me.purse.count", "from: 0..me.left.purse.count", "RS624"),
    ("nor where it is only counted", "from: 0..me.purse.count", "from: 0..count(c in me.left.purse)", "RS624"),
    ("nor in a condition", "choose: amount\n", "choose: amount\n        where: me.left.bid.empty\n", "RS624"),
    ("whether another is asked", "do: []",
     "do: [{if: me.purse.empty, then: [{as: me.left, do: [{choose: n, from: 1..2}]}]}]",
     "RS625"),
    ("one's own may decide what one is asked", "do: []",
     "do: [{if: me.purse.empty, then: [{choose: n, from: 1..2}]}]", None),
    ("what is picked one by one is counted", "do: []",
     "do: [{choose: c, from: me.purse, up_to: 2}, {move: c, to: me.bid}]",
     "RS648"),
    ("a stack has an order", "holds: coin, count: owner, up_to: 4", "holds: coin, count: owner, back: nobody", "RS647"),
    ("nobody's own", "bank: {shape: pool, holds: coin, front: nobody", "bank: {shape: pool, holds: coin, count: owner",
     "RS647"),
]  # fmt: skip


@pytest.mark.parametrize(("says", "old", "new", "code"), FAULTS, ids=[case[0] for case in FAULTS])
def test_what_a_rule_may_read(says: str, old: str, new: str, code: str | None, tmp_path: Path) -> None:
    assert old in SCREENS
    (tmp_path / "screens.yaml").write_text(SCREENS.replace(old, new) if old else SCREENS, "utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    check_game(source, [], problems)
    found = {problem.code for problem in problems.items if problem.severity != "note"}
    assert found == ({code} if code else set()), says
