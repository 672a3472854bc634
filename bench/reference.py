"""The reference beside the executors: the same bytes, options, events, results and faults after the same choices."""

from __future__ import annotations

from typing import Any

from interpreter import Game
from interpreter.middle.events import Events as OwnEvents
from interpreter.middle.layout import to_bytes
from interpreter.reference.events import Events
from interpreter.reference.machine import Reference
from interpreter.reference.position import Position
from rulespec.diagnostics.model import ContentError

Cells = list[Any]
ROUND_TRIP = 16  #: of so many positions one is read back from its bytes, and asked for its options again


def reference_of(game: Game) -> Reference:
    """The reference of a game."""
    return Reference(game.built.program)


class Beside:
    """The reference at the position at which an executor is. What differs is told in words, or nothing."""

    def __init__(self, game: Game):
        self.game = game
        self.reference = reference_of(game)
        self.position: Position | None = None
        self.seen = 0

    def begin(self, seed: int, cells: Cells, options: list[Any] | None, told: OwnEvents) -> str:
        """Begins a game as the executor did, and compares what came of it."""
        self.position = self.reference.begin(seed)
        events = Events()
        return self._compare(self.reference.play(self.position, self.position.at, events), events, cells, options, told)

    def advance(self, given: Any, cells: Cells, options: list[Any] | None, told: OwnEvents) -> str:
        """Goes on with an option, and compares."""
        assert self.position is not None
        events = Events()
        return self._compare(self.reference.choose(self.position, given, events), events, cells, options, told)

    def _compare(
        self, found: list[Any] | None, events: Events, cells: Cells, options: list[Any] | None, told: OwnEvents
    ) -> str:
        assert self.position is not None
        own, other = self._bytes(cells), self.reference.to_bytes(self.position)
        if own != other:
            at = next(i for i, (a, b) in enumerate(zip(own, other, strict=True)) if a != b)
            return f"the states of the reference, from byte {at} on"
        if found != options:
            return f"the options of the reference: {(options or [])[:9]} and {(found or [])[:9]}"
        if (different := self._events(told, events)) is not None:
            return f"the events of the reference: {different}"
        return self._others(own, options)

    def _others(self, data: bytes, options: list[Any] | None) -> str:
        """The result at the end; and now and then that bytes are read back as what they were."""
        assert self.position is not None
        if options is None:
            result = self.game.state_from_bytes(data).result
            assert result is not None
            is_same = (result.scores, result.ranking) == self.reference.result(self.position)
            return "" if is_same else "the results of the reference"
        self.seen += 1
        if self.seen % ROUND_TRIP:
            return ""
        again = self.reference.from_bytes(data)
        is_same = self.reference.to_bytes(again) == data and self.reference.options(again) == options
        return "" if is_same else "what the reference reads back from bytes"

    def _bytes(self, cells: Cells) -> bytes:
        return to_bytes(cells, self.game.facts.rooms)

    def _events(self, told: OwnEvents, events: Events) -> str | None:
        """The first event that is not the same; None where all are."""
        for i, (own, other) in enumerate(zip(told, events, strict=False)):
            if self.plain(own) != self.plain(other):
                return f"{own[:5]} and {other[:5]}, number {i}"
        return None if len(told) == len(events) else f"{len(told)} and {len(events)}"

    def plain(self, event: tuple[Any, ...]) -> list[Any]:
        """An event with its moment as bytes."""
        return [
            self.reference.to_bytes(part)
            if isinstance(part, Position)
            else self._bytes(part)
            if isinstance(part, list)
            else tuple(part)
            if isinstance(part, range)
            else part
            for part in event
        ]


def same_fault(game: Game, seed: int) -> tuple[Any, Any]:
    """What is wrong with a game that cannot begin, by the Python executor and by the reference; None: nothing."""
    reference, cells = reference_of(game), game.machine.begin(seed)
    position = reference.begin(seed)
    own = _fault(lambda: game.machine.run(cells, cells[0]))
    return own, _fault(lambda: reference.play(position, position.at))


def _fault(run: Any) -> Any:
    try:
        run()
    except ContentError as fault:
        return fault.problems
    return None
