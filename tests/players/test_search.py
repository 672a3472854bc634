"""The player who searches finds what a few playouts must find, keeps to its budget, and knows what its seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from interpreter.imagine import imagine
from interpreter.options import Option
from interpreter.players import Player, UnknownPlayer, is_player, make_player, mcts, search
from interpreter.players.native import NativePositions
from interpreter.players.outlook import positions_of
from interpreter.players.search import InModule, InPython
from interpreter.state import State
from tests.engine.small import small
from tests.play.table import game_of


def _after(name: str, keys: Sequence[str]) -> State:
    state = game_of(name).start(0)
    for key in keys:
        state = state.apply(state.option(key))
    return state


def _chosen(state: State, kind: str, seed: int) -> str:
    assert state.decision is not None
    return make_player(kind, state.decision.player, seed).choose(state, state.options()).key


@pytest.mark.parametrize("seed", range(3))
def test_it_wins_where_it_can(seed: int) -> None:
    """Cross has two in the upper row."""
    state = _after("tic_tac_toe", [f"place_mark cell{c}" for c in ("[0,0]", "[0,1]", "[1,0]", "[1,1]")])
    assert _chosen(state, "mcts", seed) == "place_mark cell[2,0]"


@pytest.mark.parametrize("seed", range(3))
def test_it_stops_the_other_from_winning(seed: int) -> None:
    """Cross has two in the upper row, and nought can only stop it: that takes a look at the answer."""
    state = _after("tic_tac_toe", [f"place_mark cell{c}" for c in ("[0,0]", "[1,1]", "[1,0]")])
    assert _chosen(state, "mcts", seed) == "place_mark cell[2,0]"


@pytest.mark.parametrize("seed", range(3))
def test_it_sees_a_fork(seed: int) -> None:
    """Connect Four: two discs side by side on an open lowest row; a third makes four unstoppable from both ends."""
    state = _after("connect_four", [f"drop_disc cell[{c},{r}]" for c, r in ((3, 1), (3, 2), (4, 1), (4, 2))])
    assert _chosen(state, "mcts:800", seed) in ("drop_disc cell[2,1]", "drop_disc cell[5,1]")


@pytest.mark.parametrize("kind", [InModule, InPython])
def test_the_budget_is_kept(kind: type[InModule | InPython], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every round takes one of the options of the real state."""
    taken: list[int] = []
    whole = kind.tried
    monkeypatch.setattr(kind, "tried", lambda rounds: taken.append(sum(n for n, _ in whole(rounds))) or whole(rounds))
    if kind is InPython:
        monkeypatch.setattr(search, "native_of", lambda game: None)
    _chosen(game_of("tic_tac_toe").start(0), "mcts:37", 1)
    assert taken == [37]


def test_a_time_is_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each round takes a thousandth of a second, it searches for 200 rounds, or one more that has begun."""
    done: list[int] = []
    clock = SimpleNamespace(perf_counter=lambda: sum(done) / 1000)
    whole = InPython.play_rounds
    monkeypatch.setattr(mcts, "time", clock)
    monkeypatch.setattr(search, "native_of", lambda game: None)
    monkeypatch.setattr(InPython, "play_rounds", lambda rounds, amount: done.append(amount) or whole(rounds, amount))
    _chosen(game_of("tic_tac_toe").start(0), "mcts:200ms", 1)
    assert sum(done) in (200, 201)


@pytest.mark.parametrize(
    "name", "mcts: mcts:0 mcts:-3 mcts:1.5 mcts:0s mcts:5m mcts:9999999 mct:3 uct:0 greedy:3".split()
)
def test_budgets_that_are_none(name: str) -> None:
    assert not is_player(name)
    with pytest.raises(UnknownPlayer):
        make_player(name, 0, 1)


@pytest.mark.parametrize(
    "name", ["mcts", "mcts:1", "mcts:200", "mcts:1.5s", "mcts:20ms", "greedy", "random", "uct", "uct:7"]
)
def test_players_that_there_are(name: str) -> None:
    assert is_player(name)


def test_a_playout_ends_at_the_declared_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int | None] = []
    positions = type(positions_of(small("hints")))
    whole = positions.playout
    monkeypatch.setattr(positions, "playout", lambda p, at, n, dice: (found.append(n), whole(p, at, n, dice)))
    monkeypatch.setattr(search, "native_of", lambda game: None)
    monkeypatch.setattr(search, "quick_positions_of", lambda game: None)
    _chosen(small("hints").start(0), "uct:5", 1)
    assert found == [2] * 5


#: A game of Metro takes the reference half a second and more.
EXAMINED = [("agora_barcelona", 12, 30), pytest.param("metro", 4, 10, marks=pytest.mark.long)]


@pytest.mark.parametrize(("name", "decisions", "rounds"), EXAMINED)
def test_both_executors_search_alike(name: str, decisions: int, rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rounds, and so the same choices, whoever goes through them: the module, or Python in two ways."""
    game = game_of(name, 3)
    if game.native is None:
        pytest.skip(f"no native executor: {game.native_refused}")
    native = NativePositions(game, game.native, positions_of(game))
    state = game.start(4)
    for n in range(decisions):
        assert state.decision is not None
        chosen = []
        for module, quick in ((game.native, None), (None, native), (None, None)):
            monkeypatch.setattr(search, "native_of", lambda game, module=module: module)
            monkeypatch.setattr(search, "quick_positions_of", lambda game, quick=quick: quick)
            chosen.append(_chosen(state, f"{'uct' if n % 3 == 2 else 'mcts'}:{rounds}", n))
        assert len(set(chosen)) == 1
        state = state.apply(state.option(chosen[0]))


def test_one_option_takes_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "rounds_at", None)
    state = small("hints").start(0)
    for key in ("pick left", "pick middle"):
        state = state.apply(state.option(key))
    state = small("hints").start(0)
    only = state.options()[:1]
    assert make_player("mcts", 0, 1).choose(state, only) is only[0]


@pytest.mark.parametrize("name", ["agora_barcelona", "metro"])
def test_positions_of_a_seat_tell_nothing_else(name: str) -> None:
    """States that look the same to a seat become the very same state when it imagines."""
    game = game_of(name, 3)
    state = game.start(4)
    for n in range(30):
        assert state.decision is not None
        seat = state.decision.player
        other = imagine(state, seat, 90 + n)
        assert imagine(state, seat, n) == imagine(other, seat, n)
        state = state.apply(state.options()[n % len(state.options())])


class Last:
    """A player of one's own is any object with `choose`."""

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        return options[-1]


def test_a_player_of_ones_own() -> None:
    players: list[Player] = [Last(), make_player("mcts:4", 1, 1)]
    state = game_of("tic_tac_toe").start(0)
    while state.decision is not None:
        state = state.apply(players[state.decision.player].choose(state, state.options()))
    assert state.result is not None
