"""The games that scenarios are about: one for each number of players, choice of options and set of variants."""

from __future__ import annotations

from interpreter.game import Game, load_source
from interpreter.scenarios.read import Scenario
from rulespec.diagnostics.model import ContentError
from rulespec.game_source import GameSource
from rulespec.lower.context import Parsed


def game_key(scenario: Scenario) -> tuple[object, ...]:
    """What the scenarios of one game have in common: the number of players, the options and the variants."""
    return scenario.players, tuple(sorted(scenario.options.items())), tuple(sorted(scenario.variants))


class Games:
    """Loads each game once, when the first scenario asks for it. `parsed` keeps expressions that were read before.

    With an `executor`, that one alone plays (see `Game.play_by`).
    """

    def __init__(self, source: GameSource, parsed: Parsed | None = None, *, executor: str | None = None):
        self.source = source
        self.executor = executor
        self.parsed = parsed if parsed is not None else Parsed()
        self._games: dict[tuple[object, ...], Game] = {}
        self._faults: dict[tuple[object, ...], ContentError] = {}

    def game_of(self, scenario: Scenario) -> Game:
        """The game that a scenario is about. Raises ContentError where the content cannot be played so."""
        key = game_key(scenario)
        if key in self._faults:
            raise self._faults[key]
        if key not in self._games:
            try:
                self._games[key] = self.load(scenario)
            except ContentError as fault:
                self._faults[key] = fault
                raise
        return self._games[key]

    def load(self, scenario: Scenario) -> Game:
        """A fresh game for a scenario."""
        game = load_source(
            self.source,
            players=scenario.players,
            options=scenario.options,
            variants=scenario.variants,
            parsed=self.parsed,
        )
        if self.executor is not None:
            game.play_by(self.executor)
        return game

    def all(self) -> tuple[Game, ...]:
        """The games loaded so far."""
        return tuple(self._games.values())
