"""Automated players. Each is made for one seat of one game and has a stream of chance of its own.

player = make_player("mcts:200", seat=1, seed=7)
state = state.apply(player.choose(state, state.options()))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

from interpreter.chance import Chance
from interpreter.options import Option
from interpreter.players.own import NoPlayer, is_own, maker
from interpreter.players.uniform import Uniform
from interpreter.state import State

__all__ = [
    "HUMAN",
    "PLAYERS",
    "Chance",
    "NoPlayer",
    "Player",
    "UnknownPlayer",
    "is_own",
    "is_player",
    "kind_of",
    "known_players",
    "make_player",
]


class Player(Protocol):
    """Whoever chooses for one seat."""

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        """One of the options of a state in which this player's seat decides.

        A player may use what its seat can see, and states that `interpreter.imagine` makes; no more. One that has an
        attribute `weighed` tells there how it came to its last choice: of each option in order, how often it was tried
        and what it brought on the average; None where it did not try.
        """
        ...


class UnknownPlayer(Exception):
    """There is no player of that name. `name` is what was asked for."""

    def __init__(self, name: str):
        self.name = name
        super().__init__(f"there is no player '{name}'; there are {known_players()}")


#: The kind of a seat that a person plays: none of `PLAYERS`.
HUMAN: Final = "human"


# those that search bring the native executor with them: a game between people starts without it


def _greedy(seat: int, chance: Chance) -> Player:
    from interpreter.players.greedy import Greedy

    return Greedy(seat, chance)


def _searcher(
    seat: int, chance: Chance, playouts: int | None = None, seconds: float | None = None, *, guided: bool = True
) -> Player:
    from interpreter.players.mcts import Searcher

    if playouts is None and seconds is None:
        return Searcher(seat, chance, guided=guided)
    return Searcher(seat, chance, playouts=playouts, seconds=seconds, guided=guided)


#: How each kind of player is made, for a seat and with its stream of chance.
PLAYERS: Final[dict[str, Callable[[int, Chance], Player]]] = {
    "greedy": _greedy,
    "mcts": _searcher,
    "random": Uniform,
    "uct": partial(_searcher, guided=False),
}

#: Players that take a budget, and whether anything guides their search.
_SEARCHERS: Final = {"mcts": True, "uct": False}


def is_player(name: str) -> bool:
    """Whether `make_player` knows the name: of `PLAYERS`, `mcts:` or `uct:` with playouts or a time, `FILE.py:NAME`.

    Raises NoPlayer for a file that has no such player.
    """
    return name in PLAYERS or _budget(name) is not None or (is_own(name) and callable(maker(name)))


def kind_of(name: str) -> str:
    """What texts call a player of that name: a name of `PLAYERS`, `human`, or `own` for one out of a file."""
    return "own" if is_own(name) else name.partition(":")[0]


def known_players() -> str:
    """The names of players, for people."""
    return f"{', '.join(PLAYERS)}, mcts:500 or mcts:2s, uct:500, and FILE.py:NAME"


def make_player(name: str, seat: int, seed: int) -> Player:
    """A player of a kind for a seat (from 0). The same name, seat and seed always play alike.

    `mcts:500` searches with 500 playouts a decision (mcts alone: 200), `mcts:2s` and `mcts:300ms` for a time, and then
    not alike. `FILE.py:NAME` is somebody's own (see `own`). Raises UnknownPlayer for a name that is none, and NoPlayer.
    """
    if is_own(name):
        own: Player = maker(name)(seat, seed)
        return own
    chance = Chance(seed, f"player {seat}")
    if name in PLAYERS:
        return PLAYERS[name](seat, chance)
    given = _budget(name)
    if given is None:
        raise UnknownPlayer(name)
    return _searcher(seat, chance, *given, guided=_SEARCHERS[kind_of(name)])


def _budget(name: str) -> tuple[int | None, float | None] | None:
    kind, colon, text = name.partition(":")
    if not colon or kind not in _SEARCHERS:
        return None
    from interpreter.players.mcts import NoBudget, budget

    try:
        return budget(text)
    except NoBudget:
        return None
