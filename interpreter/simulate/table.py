"""Playing on from decision to decision, with what is told on the way: by the native executor once it is at hand.

What is too much for the module, and everything until it is there, is played by the reference: nobody sees which of them
it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from interpreter.game import Game
from interpreter.native.trail import ACTIONS, POINTS
from interpreter.options import Option
from interpreter.state import State

#: What was told: points or actions, the reason or action, the seat, and the amount.
Told = tuple[str, str, int, int]


class Step(NamedTuple):
    """A state, what was told on the way to it, and whose turn it is."""

    state: State
    told: Sequence[Told]
    active: int


class Table:
    """One game that is played."""

    def __init__(self, game: Game):
        self._game = game
        self._active = game.facts.layout.regions["active"]
        rooms = game.facts.rooms
        first = sum(room.size for room in rooms[: self._active])
        self._where = slice(first, first + rooms[self._active].width)

    def first(self, seed: int) -> Step:
        """The beginning. Raises ContentError."""
        return self._step_by_step(self._game.start(seed, events=True))

    def after(self, state: State, option: Option) -> Step:
        """What follows an option. Raises ContentError."""
        if (native := self._game.native_at_hand) is not None:
            found = native.after_told(state.to_bytes(), state.asks_at, option.candidate)
            if found is not None:
                data, asked, told = found
                active = int.from_bytes(data[self._where], "little")
                return Step(State.of_bytes(self._game, data, asked), told, active)
        return self._step_by_step(state.apply(option, events=True))

    def _step_by_step(self, state: State) -> Step:
        return Step(state, tuple(_told(state.events or ())), state.cells[self._active])


def _told(events: Sequence[Any]) -> Iterator[Told]:
    """What events tell of points and actions."""
    for event in events:
        if event[0] == "score":
            yield POINTS, event[4], event[2], event[3]
        elif event[0] == "action":
            yield ACTIONS, event[3], event[2], 1
