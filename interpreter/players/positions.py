"""What a search needs of an executor, and no more: a copy, the choices, going on, random play, what it is worth.

A position is changed in place, so that random play copies nothing. Another executor takes this one's place by having
the methods of `Positions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.bounds import is_late
from interpreter.chance import Chance
from interpreter.middle.pieces import copy_cells
from interpreter.options import arguments, stops
from interpreter.reckoning import MOST_DECISIONS
from interpreter.state import State
from rulespec.diagnostics.model import ContentError
from rulespec.lower.ir import Ask
from rulespec.model.types import ListType, Piece, Record, Type, strip

if TYPE_CHECKING:
    from interpreter.game import Game

Edge = tuple[Any, ...]


class Position(Protocol):
    """A position that is played on in place."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        ...


class Positions(Protocol):
    """An executor, as searching players see it. `teams` has for each seat the first of its team, if there are teams."""

    teams: Sequence[int]

    def of(self, cells: list[Any]) -> Any:
        """A position at a decision, as the cells of a state, which are its own then. The one before it may be gone."""
        ...

    def mover(self, position: Any) -> int:
        """The seat that decides."""
        ...

    def edges(self, position: Any) -> list[Edge]:
        """What stands for each of the choices: alike for whoever cannot tell two positions apart."""
        ...

    def amount(self, position: Any) -> int:
        """How many choices there are."""
        ...

    def edge(self, position: Any, number: int) -> Edge:
        """What stands for one of them."""
        ...

    def apply(self, position: Any, number: int) -> None:
        """Goes on to the next decision, with one of the choices."""
        ...

    def playout(self, position: Any, decisions: int | None, dice: Chance) -> None:
        """Goes on at random, to the end or for so many decisions."""
        ...

    def outlook(self, position: Any) -> list[float]:
        """What the position is worth to each seat: points as if the game ended there, and the content's hints."""
        ...

    def shares(self, position: Any) -> list[float]:
        """For a game that is over: the share of the victory of each seat."""
        ...


class CellPosition:
    """A position of the reference. `choices` is None when the game is over."""

    __slots__ = ("cells", "choices")

    def __init__(self, cells: list[Any], choices: list[Any] | None):
        self.cells = cells
        self.choices = choices

    @property
    def is_over(self) -> bool:
        return self.choices is None


class CellPositions:
    """Positions of the reference."""

    def __init__(self, game: Game):
        self.game = game
        self.teams: Sequence[int] = game.facts.program.declared.teams
        self._machine = game.machine
        self._asks = game.facts.asks
        self._me = game.machine.me
        self._codes = game.facts.pieces.codes
        self._room = game.facts.pieces.codes * game.facts.pieces.depth
        self._with_pieces = {at: _has_pieces(ask) for at, ask in self._asks.items()}
        self._end = game.machine.procs[game.facts.program.entries["end"]].entry
        self._score = game.facts.layout.regions["player.score"]
        self._hints = game.facts.program.hints.worth
        self._unit = game.facts.program.hints.unit

    def of(self, cells: list[Any]) -> CellPosition:
        """A position at a decision, as the cells of a state, which are its own then."""
        return CellPosition(cells, self._machine.options(cells, cells[0]))

    def at(self, state: State) -> CellPosition:
        """A position of its own that is as the state."""
        return CellPosition(copy_cells(state.cells), state.candidates)

    def copied(self, position: CellPosition) -> CellPosition:
        """The same position once more."""
        return CellPosition(copy_cells(position.cells), position.choices)

    def mover(self, position: CellPosition) -> int:
        """The seat that decides."""
        seat: int = position.cells[self._me]
        return seat

    def edges(self, position: CellPosition) -> list[Edge]:
        """What stands for each of the choices: where it is asked, who is asked, and what is chosen."""
        return self.named(position.cells[0], position.cells[self._me], position.choices or [])

    def amount(self, position: CellPosition) -> int:
        """How many choices there are."""
        return len(position.choices or ())

    def edge(self, position: CellPosition, number: int) -> Edge:
        """What stands for one of them."""
        assert position.choices is not None
        return self.named(position.cells[0], position.cells[self._me], [position.choices[number]])[0]

    def named(self, at: int, seat: int, choices: list[Any]) -> list[Edge]:
        """Edges for choices, as the executors write them, of a decision and a seat."""
        if not self._with_pieces[at]:
            return [(at, seat, choice) for choice in choices]
        ask = self._asks[at]
        return [(at, seat, *self._told(ask, choice)) for choice in choices]

    def _told(self, ask: Ask, choice: Any) -> list[Any]:
        """A choice with its pieces as they are named in keys, and the places where they lie."""
        if ask.kind == "may" or stops(ask, choice):
            return [choice]
        return [self._value(t, value) for _, t, value in arguments(ask, choice)]

    def _value(self, t: Type, value: Any) -> Any:
        inner = strip(t)
        if isinstance(inner, Piece) and value >= 0:
            return value // self._room, value % self._codes
        if isinstance(inner, ListType):
            return tuple(self._value(inner.of, v) for v in value)
        if isinstance(inner, Record):
            return tuple(self._value(ft, v) for (_, ft), v in zip(inner.fields, value, strict=True))
        return value

    def apply(self, position: CellPosition, number: int) -> None:
        """Goes on to the next decision, with one of the choices."""
        cells, machine = position.cells, self._machine
        assert position.choices is not None
        position.choices = machine.run(cells, machine.answer(cells, cells[0], position.choices[number]))

    def playout(self, position: CellPosition, decisions: int | None, dice: Chance) -> None:
        """Goes on at random, to the end or for so many decisions."""
        cells, choices, below = position.cells, position.choices, dice.below
        run, answer = self._machine.run, self._machine.answer
        for _ in range(MOST_DECISIONS if decisions is None else decisions):
            if choices is None or is_late():  # whoever asked for it tells that
                break
            choices = run(cells, answer(cells, cells[0], choices[below(len(choices))]))
        position.choices = choices

    def outlook(self, position: CellPosition) -> list[float]:
        """What the position is worth to each seat: points as if the game ended there, and the content's hints."""
        points = [float(x) for x in self.points(position)]
        if position.choices is None:
            return points
        for hint in self._hints:
            for seat in range(self.game.players):
                points[seat] += self._machine.value(hint, position.cells, {"player": seat}) / self._unit
        return points

    def points(self, position: CellPosition) -> tuple[int, ...]:
        """The points by seat after the content's final scoring, as if the game ended here.

        Where the final scoring asks a player, or cannot be done in this position, what it has scored till then counts.
        """
        cells, base = position.cells, self._score
        if position.choices is not None:
            cells = copy_cells(cells)
            self.game.facts.unwind(cells)
            with suppress(ContentError):  # content that is at fault here shows it where the game itself comes there
                self._machine.run(cells, self._end)
        return tuple(int(x) for x in cells[base : base + self.game.players])

    def shares(self, position: CellPosition) -> list[float]:
        """For a game that is over: the share of the victory of each seat."""
        return self.game.result_of(State(self.game, position.cells, None)).shares


def is_piece(t: Type) -> bool:
    """Whether values of a type are pieces, or none."""
    return isinstance(strip(t), Piece)


def _has_pieces(ask: Ask) -> bool:
    return any(_holds(name.type) for name in ask.names)


def _holds(t: Type) -> bool:
    inner = strip(t)
    if isinstance(inner, ListType):
        return _holds(inner.of)
    if isinstance(inner, Record):
        return any(_holds(ft) for _, ft in inner.fields)
    return isinstance(inner, Piece)
