"""What a seat knows, as text: of one position (`State.information_state`), or of a whole course of a game.

    known = Information(game)
    known.begin(seed)
    known.taken(option.key)        # after each choice, whoever made it
    known.text(0)

Two courses of a game have the same text for a seat where it cannot tell them apart: nothing hidden is in it. That is
what OpenSpiel calls an information state with perfect recall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.log_lines import LineWriter, canonical

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State


def information_state(state: State, seat: int) -> str:
    """See `State.information_state`."""
    view = state.view(seat)
    return canonical({"seat": state.game.seats[seat], "sees": view.to_json(), "may_choose": view.option_keys()})


class Information:
    """The course of one game, found out as far as somebody asks for it."""

    def __init__(self, game: Game):
        self._game = game
        self._writers = [LineWriter(game, seat) for seat in range(game.players)]
        self._lines: list[list[str]] = [[] for _ in self._writers]
        self._keys: list[str] = []
        self._done = 0
        self._seed = 0
        self._state: State | None = None

    def begin(self, seed: int) -> None:
        """A new game of a seed."""
        self._seed, self._keys, self._done, self._state = seed, [], 0, None
        self._lines = [[] for _ in self._writers]

    def taken(self, key: str) -> None:
        """The option with this key was chosen."""
        self._keys.append(key)

    def text(self, seat: int) -> str:
        """What a seat has seen, a line for each thing that happened, and what it sees now."""
        self._go_on()
        assert self._state is not None
        return "\n".join([*self._lines[seat], information_state(self._state, seat)])

    def _go_on(self) -> None:
        """Plays what has been chosen since somebody asked last, with all that is told of it."""
        if self._state is None:
            self._state = self._game.start(self._seed, events=True)
            for writer, lines in zip(self._writers, self._lines, strict=True):
                lines += [canonical(line) for line in writer.events(self._state)]
        for key in self._keys[self._done :]:
            before, option = self._state, self._state.option(key)
            self._done += 1
            self._state = before.apply(option, events=True)
            for writer, lines in zip(self._writers, self._lines, strict=True):
                lines.append(canonical(writer.decision(self._done, before, option, self._state)))
                lines += [canonical(line) for line in writer.events(self._state)]
