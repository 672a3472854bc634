"""Random games in the interpreter and in the hand-written programs at once: the same options at every decision."""

from __future__ import annotations

import random

import pytest

from interpreter import Game, State, load
from tests.bench import agora_barcelona as agora
from tests.bench import connect_four, metro, tic_tac_toe


def same(key: str) -> str:
    """A key without the white space that makes no difference."""
    return key.replace(", ", ",")


class Both:
    """One game of Agora in both programs. The interpreter's chance decides for both."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.state = game.start(seed)
        self.random = random.Random(seed)
        self.decisions = 0
        self.taken = -1

    def hand(self, state: State, seat: int) -> list[int]:
        zones = state.to_json()["zones"]
        return [self.card(text) for text in zones["player.hand"][self.game.seats[seat]]]

    def card(self, text: str) -> int:
        """A card such as `card(gracia,3)` as the hand-written program counts it."""
        district, _, value = text.removeprefix("card(").removesuffix(")").partition(",")
        return int(agora.DISTRICTS.index(district) * 5 + int(value) - 1)

    def table(self) -> agora.Table:
        """The interpreter's set-up, for the other program."""
        found = self.state.to_json()
        piles = found["zones"]["pile.cards"]
        hands = [self.hand(self.state, seat) for seat in range(self.game.players)]
        near, far = ([self.card(text) for text in piles[name]] for name in ("near_pile", "far_pile"))
        return agora.Table(self.game.players, hands, (near, far), self.game.seats.index(found["state"]["fountain"]))

    def choose(self, seat: int, action: str, options: list[int]) -> int:
        decision = self.state.decision
        assert decision is not None
        assert (decision.player, decision.action) == (seat, action)
        keys = [same(agora.key(action, option, self.game.players)) for option in options]
        offered = {same(option.key): option for option in self.state.options()}
        assert sorted(offered) == sorted(keys)
        at = int(self.random.random() * len(options))
        before = self.hand(self.state, seat)
        self.state = self.state.apply(offered[keys[at]])
        if action == agora.TAKE:
            after = self.hand(self.state, seat)
            self.taken = next(card for card in after if after.count(card) > before.count(card))
        self.decisions += 1
        return options[at]

    def chance(self, cards: list[int]) -> int:
        assert self.taken in cards
        return self.taken


@pytest.mark.parametrize("players", [3, 4, 5])
def test_agora_offers_the_same_options_as_the_hand_written_game(players: int) -> None:
    game = load("agora_barcelona", players=players)
    for seed in range(3):
        both = Both(game, seed)
        scores = agora.play(both.table(), both.choose, both.chance)
        assert both.state.decision is None
        assert both.state.result is not None
        assert both.state.result.scores == scores
        assert both.decisions > 100


def test_tic_tac_toe_offers_the_same_options_as_the_hand_written_game() -> None:
    game = load("tic_tac_toe")
    for seed in range(40):
        rand, state, cells = random.Random(seed), game.start(seed), list[int]()
        while state.decision is not None:
            cell = rand.choice([c for c in range(9) if c not in cells])
            offered, scores = tic_tac_toe.replay([*cells, cell])
            assert set(state.options().keys()) == {f"place_mark cell[{c % 3},{c // 3}]" for c in offered[-1]}
            state = state.apply(state.option(f"place_mark cell[{cell % 3},{cell // 3}]"))
            cells.append(cell)
            assert (state.decision is None) == (scores is not None)
        assert state.result is not None
        assert state.result.scores == scores


def test_connect_four_offers_the_same_options_as_the_hand_written_game() -> None:
    game = load("connect_four")
    for seed in range(40):
        rand, state, columns = random.Random(seed), game.start(seed), list[int]()
        while state.decision is not None:
            assert state.decision.player == len(columns) % 2
            column = rand.choice([c for c in range(7) if columns.count(c) < 6])
            offered, scores = connect_four.replay([*columns, column])
            keys = {cell: f"drop_disc cell[{cell // 6 + 1},{cell % 6 + 1}]" for cell in offered[-1]}
            assert set(state.options().keys()) == set(keys.values())
            state = state.apply(state.option(next(key for cell, key in keys.items() if cell // 6 == column)))
            columns.append(column)
            assert (state.decision is None) == (scores is not None)
            if state.result is not None:
                assert state.result.scores == scores


class MetroInBoth:
    """One game of Metro in both programs, from the interpreter's set-up."""

    def __init__(self, game: Game, seed: int) -> None:
        self.state = game.start(seed)
        self.random = random.Random(seed)
        self.decisions = 0
        found = self.state.to_json()
        self.tower = [self.tile(text) for text in found["zones"]["tower"]]
        self.hands = [self.tile(found["zones"]["player.hand"][seat][0]) for seat in game.seats]

    def tile(self, text: str) -> int:
        """A tile such as `tile(aacb)` as the hand-written program counts it."""
        return int(metro.TILES.index(text.removeprefix("tile(").removesuffix(")")))

    def choose(self, seat: int, action: str, options: list[int]) -> int:
        assert self.state.decision is not None
        assert self.state.decision.player == seat
        offered = {option.key.rpartition(" ")[2]: option for option in self.state.options()}
        keys = [self.key(action, option) for option in options]
        assert sorted(offered) == sorted(keys)
        at = self.random.randrange(len(options))
        self.state = self.state.apply(offered[keys[at]])
        self.decisions += 1
        return options[at]

    def key(self, action: str, option: int) -> str:
        if action == metro.PLAN:
            return "fresh_tile" if option == metro.FRESH else "tile_in_hand"
        row, col = metro.PLACES[option]
        return f"square[{col},{row}]"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_metro_offers_the_same_options_as_the_hand_written_game(players: int) -> None:
    game = load("metro", players=players)
    for seed in range(3):
        both = MetroInBoth(game, seed)
        decision = both.state.decision
        assert decision is not None
        scores = metro.play(both.tower, both.hands, decision.player, both.choose)
        assert both.state.decision is None
        assert both.state.result is not None
        assert list(both.state.result.scores) == scores
        assert both.decisions == 120
