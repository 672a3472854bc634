"""Positions of the native executor, for searches.

There is one position at a time, in the memory of the module. What is too much for the module raises `Bailed`; then the
reference goes through that round, with the same result.
"""

from __future__ import annotations

from typing import Any

from interpreter.chance import Chance
from interpreter.game import Game
from interpreter.middle.layout import from_bytes, to_bytes
from interpreter.native.executor import Native
from interpreter.players.positions import CellPosition, CellPositions, Edge
from interpreter.reckoning import MOST_DECISIONS


class NativePosition:
    """What is asked now, of whom, and how many choices there are; -1 when the game is over."""

    __slots__ = ("amount", "at", "seat")

    def __init__(self) -> None:
        self.amount, self.at, self.seat = -1, 0, 0

    @property
    def is_over(self) -> bool:
        return self.amount < 0


class NativePositions:
    """Positions in the module's memory."""

    def __init__(self, game: Game, native: Native, cells: CellPositions):
        self._game, self._native, self._cells = game, native, cells
        self.teams = cells.teams

    def of(self, cells: list[Any]) -> NativePosition:
        """The position at a decision, as the cells of a state; the one before it is gone."""
        position = NativePosition()
        self._now(position, self._native.options(to_bytes(cells, self._game.facts.rooms)))
        return position

    def _now(self, position: NativePosition, amount: int) -> None:
        native, data = self._native, self._native.state
        position.amount = amount
        position.at = int.from_bytes(data[: native.width], "little")
        position.seat = int.from_bytes(data[native.me : native.me + native.me_width], "little")

    def mover(self, position: NativePosition) -> int:
        """The seat that decides."""
        return position.seat

    def edges(self, position: NativePosition) -> list[Edge]:
        """What stands for each of the choices."""
        return self._cells.named(position.at, position.seat, self._native.candidates(position.at, position.amount))

    def amount(self, position: NativePosition) -> int:
        """How many choices there are."""
        return position.amount

    def edge(self, position: NativePosition, number: int) -> Edge:
        """What stands for one of them."""
        choices = self._native.candidates(position.at, position.amount)
        return self._cells.named(position.at, position.seat, [choices[number]])[0]

    def apply(self, position: NativePosition, number: int) -> None:
        """Goes on to the next decision, with one of the choices."""
        self._now(position, self._native.advance(number))

    def playout(self, position: NativePosition, decisions: int | None, dice: Chance) -> None:
        """Goes on at random, to the end or for so many decisions."""
        amount, advance, below = position.amount, self._native.advance, dice.below
        for _ in range(MOST_DECISIONS if decisions is None else decisions):
            if amount < 0:
                break
            amount = advance(below(amount))
        self._now(position, amount)

    def outlook(self, position: NativePosition) -> list[float]:
        """What the position is worth to each seat: points as if the game ended there, and the content's hints."""
        return self._cells.outlook(self._as_cells(position))

    def shares(self, position: NativePosition) -> list[float]:
        """For a game that is over: the share of the victory of each seat."""
        return self._cells.shares(self._as_cells(position))

    def _as_cells(self, position: NativePosition) -> CellPosition:
        cells: list[Any] = from_bytes(self._native.state, self._game.facts.rooms)
        return CellPosition(cells, None if position.is_over else [])


def native_positions(game: Game, cells: CellPositions) -> NativePositions | None:
    """The positions of the native executor, where there is one for this game."""
    native = game.native
    return None if native is None else NativePositions(game, native, cells)
