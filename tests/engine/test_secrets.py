"""Hidden things: what a seat sees, choices by the back, secret choices, draws, renewed piles and chance."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, IllegalOption, State, load
from interpreter.imagine import imagine
from interpreter.log import GameLog
from tests.engine.small import cell, keys, play, small, zone

SUITS = ("sun", "moon")
PUT = """
game: {id: put, language: 1, title: {en: Put}, players: 2, seats: [jon, ivy]}
boards:
  field:
    spot: {for: {number: 1..3}}
pieces:
  card:
    attributes: {size: 1..3}
    back: []
    rows: [{size: 3, count: 2}]
zones:
  player.hand: {shape: pool, holds: card, front: owner}
  spot.card: {shape: slot, holds: card}
actions:
  put:
    do:
      - choose:
          NAMES
      - move: card
        to: spot.card
setup:
  - for_each: player
    do:
      - move: box.card.any
        to: player.hand
flow:
  - turns: player
    do: [{perform: put}]
"""
CARDS = Counter(f"card({suit},{worth})" for suit in SUITS for worth in (1, 2, 3))


def _seed(game: Game, wanted: Any) -> State:
    """The first game whose start fulfils a condition."""
    return next(state for state in map(game.start, range(500)) if wanted(state))


def _hands(state: State) -> dict[str, list[str]]:
    found: dict[str, list[str]] = zone(state, "player.hand")
    return found


def test_a_view_has_no_seed_no_order_and_no_fronts_of_others() -> None:
    state = small("secrets", 2, task="taking").start(3)
    view = state.view(0).to_json()
    assert "random" in state.to_json()
    assert "random" not in view
    assert view["zones"]["player.hand"]["ivy"] == _hands(state)["ivy"]
    suits = sorted(text.split(",", maxsplit=1)[0] + ")" for text in _hands(state)["jon"])
    assert view["zones"]["player.hand"]["jon"] == {"count": 2, "backs": suits}
    top = zone(state, "deck")[-1]
    assert view["zones"]["deck"] == {"count": 2, "top_back": top.split(",", maxsplit=1)[0] + ")"}


def test_what_lies_open_is_seen_by_all() -> None:
    state = small("secrets", 2, task="drawing").start(3)
    assert state.view(1).to_json()["zones"]["display"] == zone(state, "display")


def test_equal_backs_are_one_option_and_chance_decides() -> None:
    """With two suns of different worth in jon's hand there is one choice; either card can come of it."""
    game = small("secrets", 2, task="taking")
    both = [s for s in map(game.start, range(300)) if all("sun" in c for c in _hands(s)["jon"])]
    assert all(keys(state) == ["steal card(sun)"] for state in both)
    stolen = set()
    for state in both:
        held = Counter(_hands(state)["jon"])
        after = _hands(play(state, "steal card(sun)"))
        gone = held - Counter(after["jon"])
        assert sum(gone.values()) == 1
        worths = sorted(int(text[-2]) for text in held)
        stolen.add(int(next(iter(gone))[-2]) == worths[0])
    assert stolen == {True, False}


def test_a_filter_reads_what_the_back_shows() -> None:
    """With two cards in hand only suns may be stolen."""
    game = small("secrets", 2, task="taking")
    mixed = _seed(game, lambda s: len({c[:8] for c in _hands(s)["jon"]}) == 2)
    assert keys(mixed) == ["steal card(sun)"]
    with pytest.raises(IllegalOption) as refused:
        mixed.option("steal card(moon)")
    assert refused.value.refusal.rule == "card.suit == sun or me.hand.count > 2"


def test_nobody_can_steal_where_there_is_no_sun() -> None:
    game = small("secrets", 2, task="taking")
    moons = _seed(game, lambda s: all("moon" in c for c in _hands(s)["jon"]))
    assert moons.decision is not None
    assert (moons.decision.player, moons.decision.action) == (1, "steal")


def test_a_card_chosen_out_of_a_hand_is_not_shown_to_others_on_the_way() -> None:
    """Between the two choices of `hide` the card is a name on the stack: ivy sees it, jon its back."""
    game = small("secrets", 2, task="taking")
    state = game.start(1)
    while state.decision is not None and state.decision.id != "mark":
        state = state.apply(state.options()[0])
    assert state.decision is not None
    me = state.decision.player
    card = state.to_json()["stack"][-1]["names"]["card"]
    assert state.view(me).to_json()["stack"][-1]["names"]["card"] == card
    assert state.view(1 - me).to_json()["stack"][-1]["names"]["card"] == card.split(",")[0] + ")"


def test_what_nobody_may_see_is_not_seen_by_its_owner() -> None:
    """But ivy has put it there out of her own hand, so she knows which one it is; jon does not."""
    state = small("secrets", 2, task="taking").start(1)
    while state.decision is not None:
        state = state.apply(state.options()[0])
    [card] = zone(state, "player.secret", "ivy")
    seen = [state.view(seat).to_json()["zones"]["player.secret"]["ivy"] for seat in (0, 1)]
    assert seen == [{"count": 1, "known": {"0": card}}, {"count": 1}]


@pytest.mark.parametrize(
    ("spot", "card", "seen"),
    [
        ("{where: not exists spot.card}", "{from: me.hand}", "put spot[1] card()"),
        ("{where: not exists spot.card}", "{from: me.hand, where: card.size >= spot.number}", "put card()"),
        ("{from: list(s for s in spot where s.number <= card.size)}", "{from: me.hand}", "put card()"),
    ],
    ids=["apart", "tied by a filter", "tied by a source"],
)
def test_a_choice_beside_a_hidden_one_is_told_unless_they_are_tied(
    spot: str, card: str, seen: str, tmp_path: Path
) -> None:
    """Where a spot goes with any card it tells nothing of the card in hand, so the other seat's log has it."""
    names = [f"card: {card}", f"spot: {spot}"] if "card.size" in spot else [f"spot: {spot}", f"card: {card}"]
    folder = tmp_path / "put"
    folder.mkdir()
    (folder / "put.yaml").write_text(PUT.replace("NAMES", "\n          ".join(names)), encoding="utf-8")
    game = load(str(folder))
    file = tmp_path / "ivy.log"
    log = GameLog.start(file, game, 7, seat=1)
    option = log.state.options()[0]
    log.decision(log.state, option, log.state.apply(option, events=True))
    line = next(line for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()) if "key" in line)
    assert sorted(line["key"].split()) == sorted(seen.split())


# ---- secret choices ----


def test_secret_choices_are_shown_when_all_are_made() -> None:
    """Ivy bids 2: before jon has bid, nothing of it is to be seen, neither in the state nor by jon."""
    start = small("secrets", 2, task="bids").start(1)
    assert keys(start) == ["bid 0", "bid 1", "bid 2", "bid 3"]
    one, other = play(start, "bid 2"), play(start, "bid 3")
    assert cell(one, "player.bid", "ivy") == 0
    assert zone(one, "pot") == []
    assert one != other
    assert one.view(1).to_json() == other.view(1).to_json()
    done = play(one, "bid 1")
    assert cell(done, "player.bid") == {"ivy": 2, "jon": 1}
    assert Counter(zone(done, "pot")) == Counter({"chip(ivy)": 2, "chip(jon)": 1})


def test_the_effects_of_secret_choices_come_in_turn_order() -> None:
    state = play(small("secrets", 3, task="bids").start(1), "bid 3", "bid 2")
    done = state.apply(state.option("bid 1"), events=True)
    actions = [(event[2], dict(event[4])["amount"]) for event in done.events or () if event[0] == "action"]
    assert actions == [(0, 3), (1, 2), (2, 1)]


# ---- drawing ----


def test_a_pile_that_runs_short_is_renewed() -> None:
    """Two players: two cards in the deck after dealing, which the display takes. So the deck is empty from then on.

    Each discards one card. The next draw renews the deck with what was discarded, as far as it reaches.
    """
    state = small("secrets", 2, task="drawing").start(5)
    assert zone(state, "deck") == []
    assert len(zone(state, "display")) == 2
    state = state.apply(state.options()[0])
    assert len(zone(state, "discard")) == 0, "jon has drawn ivy's card, the only one to be had"
    assert len(_hands(state)["jon"]) == 3
    state = state.apply(state.options()[0])
    assert [len(_hands(state)[p]) for p in ("ivy", "jon")] == [2, 2]


def test_draws_keep_every_card() -> None:
    for seed in range(20):
        state = small("secrets", 2, task="drawing").start(seed)
        while state.decision is not None:
            every = [*zone(state, "deck"), *zone(state, "discard"), *zone(state, "display")]
            assert Counter([*every, *_hands(state)["ivy"], *_hands(state)["jon"]]) == CARDS
            state = state.apply(state.options()[seed % len(state.options())])


def test_dealing_is_even() -> None:
    """Each of the six cards is ivy's in a third of the games: 300 of 900, four standard deviations are 57."""
    game = small("secrets", 2, task="taking")
    dealt = Counter(card for seed in range(900) for card in _hands(game.start(seed))["ivy"])
    assert dealt.keys() == CARDS.keys()
    assert all(abs(count - 300) < 57 for count in dealt.values())


# ---- chance ----


def test_chance_draws_evenly_and_by_the_seed() -> None:
    """Three throws of 1..3: 3 at least and 9 at most, 6 in seven of 27 cases; the same seed, the same throws."""
    game = small("secrets", 2, task="lots")
    sums = []
    for seed in range(540):
        state = play(game.start(seed), "again 1", "again 1", "again 1")
        sums.append(cell(state, "lot"))
    assert set(sums) == set(range(3, 10))
    assert abs(sums.count(6) - 140) < 41
    assert cell(play(game.start(7), "again 1", "again 2", "again 1"), "lot") == sums[7]


# ---- imagining ----


@pytest.mark.parametrize("task", ["taking", "drawing"])
def test_what_is_imagined_looks_the_same(task: str) -> None:
    game = small("secrets", 2, task=task)
    differ = 0
    for seed in range(12):
        state = game.start(seed)
        while state.decision is not None:
            for seat in (0, 1):
                other = imagine(state, seat, seed)
                assert json.dumps(other.view(seat).to_json()) == json.dumps(state.view(seat).to_json())
                if state.decision.player == seat:
                    assert keys(other) == keys(state)
                differ += other != state
            state = state.apply(state.options()[0])
    assert differ > 20


def test_secret_choices_of_others_are_imagined_anew() -> None:
    """Jon does not know what ivy has bid: in what he imagines she has bid anything from 0 to 3. His own bid stays."""
    game = small("secrets", 3, task="bids")
    state = play(game.start(1), "bid 2")
    found = {cell(play(imagine(state, 1, seed), "bid 0", "bid 0"), "player.bid", "ivy") for seed in range(60)}
    assert found == {0, 1, 2, 3}
    last = play(state, "bid 1")
    ended = [play(imagine(last, 1, seed), "bid 0") for seed in range(20)]
    assert {cell(end, "player.bid", "jon") for end in ended} == {1}
    assert {cell(play(imagine(state, 0, seed), "bid 0", "bid 0"), "player.bid", "ivy") for seed in range(20)} == {2}
