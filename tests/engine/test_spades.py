"""Spades: matches beside a program by hand, and beside OpenSpiel where that is there; what players have seen."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter

import pytest

from bench import beside, beside_spades
from interpreter import Game, State, load
from interpreter.imagine import imagine


@pytest.fixture(scope="module")
def game() -> Game:
    return load("spades")


def by_hand(seeds: range) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in seeds:
        beside_spades.spades(None, 0, seed, counts)
    return counts


def test_matches_are_those_of_a_program_by_hand() -> None:
    """By the published rule and with a joint contract; contracts, nils and bags come up."""
    counts = by_hand(range(6))
    assert counts["hands"] > 12
    assert counts["failed bids of nothing"]


@pytest.mark.skipif(importlib.util.find_spec("pyspiel") is None, reason="OpenSpiel is an extra for development")
@pytest.mark.parametrize("count", [4, pytest.param(100, marks=pytest.mark.long)])
def test_hands_are_those_of_openspiel(count: int) -> None:
    counts = beside.compare("spades", count, 0, 100)
    assert counts["of them beside OpenSpiel"] >= count // 2


def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the program by hand a trick is taken by its first card."""
    monkeypatch.setattr(beside_spades, "takes", lambda trick: 0)
    with pytest.raises(beside_spades.Differs, match="should play_card"):
        by_hand(range(1))


def walked(state: State, tricks: int) -> State:
    """After all bids and so many tricks."""
    chance = random.Random(5)
    for _ in range(4 + 4 * tricks):
        state = state.apply(chance.choice(list(state.options())))
    return state


def test_cards_that_were_played_are_known_until_they_are_shuffled(game: Game) -> None:
    state = walked(game.start(1), 5)
    for seat in range(4):
        known = state.view(seat).known()["taken"][""]
        assert sorted(known) == sorted(state.zone("taken"))
        assert len(known) == 20
        assert not {"player.hand", "deck"} & state.view(seat).known().keys()
    after = walked(state, 7)  # 32 cards: to the end of the hand, so that all are shuffled and dealt again
    assert after.zone("taken") == []
    assert after.view(0).known() == {}


def test_partners_hands_are_imagined_out_of_what_was_not_played(game: Game) -> None:
    state = walked(game.start(1), 8)
    own, partner = set(state.zone("player.hand", "north")), state.zone("player.hand", "south")
    played = set(state.zone("taken"))
    imagined = [set(imagine(state, 0, seed).zone("player.hand", "south")) for seed in range(5)]
    assert all(len(hand) == len(partner) and not hand & (own | played) for hand in imagined)
    assert any(hand != set(partner) for hand in imagined)
