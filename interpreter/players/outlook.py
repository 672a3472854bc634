"""What a position is worth: the points as they would be if the game ended there, and what the content hints at."""

from __future__ import annotations

from functools import lru_cache

from interpreter.game import Game
from interpreter.players.native import NativePositions, native_positions
from interpreter.players.positions import CellPositions
from interpreter.state import State


@lru_cache(maxsize=8)
def positions_of(game: Game) -> CellPositions:
    """The positions of a game, made once."""
    return CellPositions(game)


@lru_cache(maxsize=8)
def quick_positions_of(game: Game) -> NativePositions | None:
    """The positions of the native executor, where there is one and it is quicker."""
    return native_positions(game, positions_of(game))


def points_if_over(state: State) -> tuple[int, ...]:
    """The points by seat after the content's final scoring, as if the game ended in this position.

    Where the final scoring asks a player, or cannot be done in this position, what it has scored up to there counts.
    """
    positions = positions_of(state.game)
    return positions.points(positions.at(state))


def worth(state: State) -> list[float]:
    """What a position is worth to each seat: points as if the game ended there, and the content's hints."""
    positions = positions_of(state.game)
    return positions.outlook(positions.at(state))
