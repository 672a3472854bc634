"""Information states of small poker games, counted over the whole tree: 12 of Kuhn's, 936 of Leduc's.

Two positions have the same text for whoever decides exactly where it has seen and done the same: its card, the card
that all see, and the actions of both. The numbers are those of the literature: in Kuhn poker 3 cards by 2 histories for
each player; in Leduc poker 6 cards by 6 histories in the first round, and in the second 6 cards by 5 other ones that
all see, by 5 histories that end the first round without folding, by 6.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from interpreter import Game, State
from interpreter.information import Information
from tests.engine.small import keys, small, zone


def _deals(game: Game, drawn: int) -> dict[tuple[str, ...], int]:
    """For each order of the cards that can be drawn, from the top, a seed of it."""
    found: dict[tuple[str, ...], int] = {}
    for seed in range(2_000):
        start = game.start(seed)
        hands = tuple(card for hand in zone(start, "player.hand").values() for card in hand)
        found.setdefault((*hands, *reversed(zone(start, "deck")[-drawn:] if drawn else ())), seed)
    return found


def _decisions(game: Game, seed: int) -> Iterator[tuple[State, tuple[str, ...], str]]:
    """Every decision of the games of a seed: the position, the actions so far, and what whoever decides knows."""
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        actions = waiting.pop()
        known = Information(game)
        known.begin(seed)
        state = game.start(seed)
        for action in actions:
            known.taken(action)
            state = state.apply(state.option(action))
        if state.decision is not None:
            yield state, actions, known.text(state.decision.player)
            waiting += [(*actions, key) for key in keys(state)]


@pytest.mark.parametrize(
    ("name", "later", "deals", "count"),
    [("kuhn", 0, 6, 12), pytest.param("leduc", 1, 120, 936, marks=pytest.mark.long)],
)
def test_information_states_are_as_many_as_there_are(name: str, later: int, deals: int, count: int) -> None:
    game = small(name)
    seeds = _deals(game, later)
    assert len(seeds) == deals
    by_text: dict[str, set[tuple[object, ...]]] = {}
    by_what: dict[tuple[object, ...], set[str]] = {}
    for seed in seeds.values():
        for state, actions, text in _decisions(game, seed):
            assert state.decision is not None
            seat = state.decision.player
            board = tuple(zone(state, "board")) if later else ()
            what = (seat, *zone(state, "player.hand")[game.seats[seat]], board, actions)
            by_text.setdefault(text, set()).add(what)
            by_what.setdefault(what, set()).add(text)
    assert {len(same) for same in (*by_text.values(), *by_what.values())} == {1}
    assert len(by_text) == count


def test_what_was_looked_at_tells_positions_apart() -> None:
    """11 states: red's first decision; blue's, by whether red has looked (at what it does not know); red's second, by
    whether blue has looked and what red has seen: one of 3 cards, or none.
    """
    game = small("peeking")
    seeds: dict[tuple[str, ...], int] = {}
    for seed in range(200):
        seeds.setdefault(tuple(zone(game.start(seed), "deck")), seed)
    assert len(seeds) == 6
    by_text: dict[str, set[tuple[object, ...]]] = {}
    by_what: dict[tuple[object, ...], set[str]] = {}
    for deck, seed in seeds.items():
        for state, actions, text in _decisions(game, seed):
            assert state.decision is not None
            seat = state.decision.player
            saw = deck[-1] if len(actions) == 2 and actions[0] == "red_looks accept" else ""
            what = (seat, actions, saw)
            by_text.setdefault(text, set()).add(what)
            by_what.setdefault(what, set()).add(text)
    assert {len(same) for same in (*by_text.values(), *by_what.values())} == {1}
    assert len(by_text) == 1 + 2 + 2 * (3 + 1)
