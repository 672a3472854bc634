"""What a seat sees, as a row of integers that always has the same length.

In this order: for each seat whether it decides, then whether it is the one that sees; for each decision whether it is
asked; the points; what is declared as state, a set as one number for each of its members; then each place of each zone:
how many pieces of each code lie there, by their fronts where the seat sees those, else by their backs, else as hidden,
and the code of the last one if its front is seen, from 1. What the blocks hold that are open just now is not in it: the
options tell of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from interpreter.game import Game
from interpreter.hiding import spot_of
from interpreter.state import State
from rulespec.model.types import ListType, Record, SetType, strip
from rulespec.model.world import StateVar, ZoneDecl


class Seen:
    """The rows of one game."""

    def __init__(self, game: Game):
        self._game = game
        asks = sorted({(ask.action or "", ask.id) for ask in game.compiled.asks.values() if not ask.chance})
        self._asks = {name: number for number, name in enumerate(asks)}
        self._states = [
            var for var in game.world.states.values() if not isinstance(strip(var.type), (ListType, Record))
        ]
        self._places = [(zone, i) for zone in game.world.zones.values() for i in range(zone.places)]
        self.size = 2 * game.players + len(asks) + game.players
        self.size += sum(self._state_size(var) for var in self._states)
        self.size += sum(self._place_size(zone) for zone, _ in self._places)

    def numbers(self, state: State, seat: int) -> Any:
        """The row for a seat."""
        game, cells = self._game, state.cells
        found: list[int] = [0] * (2 * game.players + len(self._asks))
        found[game.players + seat] = 1
        decision = state.decision
        if decision is not None:
            found[decision.player] = 1
            ask = state.ask
            found[2 * game.players + self._asks[ask.action or "", ask.id]] = 1
        base = game.compiled.layout.regions["player.score"]
        found += cells[base : base + game.players]
        for var in self._states:
            found += self._state(cells, var)
        for zone, place in self._places:
            found += self._place(state, zone, place, seat)
        return np.array(found, np.int64)

    # ---- what is declared as state ----

    def _state_size(self, var: StateVar) -> int:
        inner = strip(var.type)
        each = self._game.world.domains[inner.of.domain].size if isinstance(inner, SetType) else 1
        return var.places * each

    def _state(self, cells: list[Any], var: StateVar) -> list[int]:
        base, inner = self._game.compiled.layout.regions[var.key], strip(var.type)
        values = cells[base : base + var.places]
        if not isinstance(inner, SetType):
            return [int(value) for value in values]
        size = self._game.world.domains[inner.of.domain].size
        return [value >> member & 1 for value in values for member in range(size)]

    # ---- what lies somewhere ----

    def _place_size(self, zone: ZoneDecl) -> int:
        kind = self._game.world.pieces[zone.holds]
        return kind.count + len(set(kind.unseen)) + 2

    def _place(self, state: State, zone: ZoneDecl, place: int, seat: int) -> list[int]:
        kind = self._game.world.pieces[zone.holds]
        content = self._game.compiled.handling.content(state.cells, zone.first + place)
        spot = spot_of(self._game.world, zone, place)
        hidden, shown = spot.hidden(seat, len(content)), spot.shown(seat, len(content))
        found = [0] * self._place_size(zone)
        for position, code in enumerate(content):
            if position not in hidden:
                found[code] += 1
                found[-1] = code + 1 if position == len(content) - 1 else 0
            elif position in shown:
                found[kind.unseen[code]] += 1
            else:
                found[-2] += 1
        return found
