"""Automated players. Each is made for one seat of one game and has a stream of chance of its own.

player = make_player("greedy", seat=1, seed=7)
state = state.apply(player.choose(state, state.options()))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from interpreter.options import Option
from interpreter.players.chance import Chance
from interpreter.players.greedy import Greedy
from interpreter.players.uniform import Uniform
from interpreter.state import State

__all__ = ["HUMAN", "PLAYERS", "Chance", "Player", "UnknownPlayer", "make_player"]


class Player(Protocol):
    """Whoever chooses for one seat."""

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        """One of the options of a state in which this player's seat decides.

        A player may use what its seat can see, and states that `interpreter.imagine` makes; no more.
        """
        ...


class UnknownPlayer(Exception):
    """There is no player of that name. `name` is what was asked for."""

    def __init__(self, name: str):
        self.name = name
        super().__init__(f"there is no player '{name}'; there are {', '.join(PLAYERS)}")


#: The kind of a seat that a person plays: none of `PLAYERS`.
HUMAN: Final = "human"

#: How each kind of player is made, for a seat and with its stream of chance.
PLAYERS: Final[dict[str, Callable[[int, Chance], Player]]] = {
    "greedy": Greedy,
    "random": Uniform,
}


def make_player(name: str, seat: int, seed: int) -> Player:
    """A player of a kind for a seat (from 0). The same name, seat and seed always play alike.

    Raises UnknownPlayer for a name that is not in `PLAYERS`.
    """
    if name not in PLAYERS:
        raise UnknownPlayer(name)
    return PLAYERS[name](seat, Chance(seed, f"player {seat}"))
