"""What a seat sees in numbers, in parts by declared names: each a table of integers between known bounds.

| part | shape | holds |
| --- | --- | --- |
| `decides` | seats | 1 for the seat that decides |
| `seat` | seats | 1 for the seat that sees |
| `decision` | decisions | 1 for what is asked |
| `score` | seats | the points |
| a declared cell, `player.coins` | its members | the number, or that of a member; none is one below the least |
| a declared set, `player.known` | its members, members of the set | 1 for those that are in it |
| `zone.deck`, `zone.player.hand` | its members, columns | see below |

A zone has a column for each look of its pieces, fronts first, then backs: how many the seat sees of them there, or
knows to be there (`View.known`); one for how many it sees nothing of; and one for the last piece, by the number of its
look from 1, if its front is seen. What the blocks hold that are open just now is not in it: the actions tell of it.

`named` gives the parts as they are; `flat` all of them in one row, each number between 0 and 1: its distance from the
lower bound, as a share of the distance between both. Where the bounds are too far apart for that (points have hardly
any), a number n is 1/2 + n / (2 |n| + 200).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import gymnasium
import numpy as np

from interpreter.game import Game
from interpreter.hiding import spot_of
from interpreter.names import piece_text
from interpreter.state import State
from rulespec.lower.domains import site_text
from rulespec.lower.ir import NO_INTEGER, Region
from rulespec.model.types import ListType, Record, SetType, strip
from rulespec.model.world import PieceKind, StateVar, ZoneDecl

Numbers = list[int]
#: Bounds that are further apart say nothing of what occurs.
WIDE = 10_000


@dataclass(frozen=True, slots=True)
class Part:
    """One part: the bounds of its numbers, the upper one for all or for each column, and the names along its sides."""

    name: str
    low: int
    high: int | tuple[int, ...]
    names: tuple[tuple[str, ...], ...]
    read: Callable[[State, int], Numbers]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many numbers it has along each side."""
        return tuple(len(names) for names in self.names)


class Seen:
    """The parts of one game."""

    def __init__(self, game: Game):
        self._game = game
        self._regions = {region.key: region for region in game.built.program.regions}
        asks = sorted({(ask.action or "", ask.id) for ask in game.facts.asks.values() if not ask.chance})
        self._asks = {name: number for number, name in enumerate(asks)}
        variables = game.world.states.values()
        kept = [var for var in variables if not isinstance(strip(var.type), (ListType, Record))]
        self.parts: tuple[Part, ...] = (
            *self._frame(),
            *(self._variable(var) for var in kept),
            *(self._zone(zone) for zone in game.world.zones.values()),
        )
        self.size = sum(prod(part.shape) for part in self.parts)
        boxes = [_box(part) for part in self.parts]
        self._low = np.concatenate([box.low.reshape(-1).astype(np.float64) for box in boxes])
        high = np.concatenate([box.high.reshape(-1).astype(np.float64) for box in boxes])
        self._span = np.maximum(high - self._low, 1)
        self._is_wide = self._span > WIDE

    # ---- spaces and what lies in them ----

    def named_space(self) -> Any:
        """The parts as a space of gymnasium."""
        return gymnasium.spaces.Dict({part.name: _box(part) for part in self.parts})

    def flat_space(self) -> Any:
        """The one row as a space of gymnasium."""
        return gymnasium.spaces.Box(0, 1, (self.size,), np.float32)

    def named(self, state: State, seat: int) -> dict[str, Any]:
        """The parts for a seat."""
        return {p.name: np.array(p.read(state, seat), np.int64).reshape(p.shape) for p in self.parts}

    def flat(self, state: State, seat: int) -> Any:
        """The one row for a seat."""
        row = np.array([number for part in self.parts for number in part.read(state, seat)], np.float64)
        even = (row - self._low) / self._span
        return np.where(self._is_wide, 0.5 + row / (2 * np.abs(row) + 200), even).astype(np.float32)

    def features(self) -> list[str]:
        """The name of each number of the row: `player.coins[red]`, `zone.deck[card(1)]`."""
        found: list[str] = []
        for part in self.parts:
            rows = [""]
            for names in part.names:
                rows = [f"{row}[{name}]" if name else row for row in rows for name in names]
            found += [f"{part.name}{row}" for row in rows]
        return found

    # ---- parts ----

    def _frame(self) -> list[Part]:
        game, seats = self._game, (self._game.seats,)
        score = self._regions["player.score"]
        base = game.facts.layout.regions["player.score"]
        asks = tuple(f"{action}.{name}" if action and action != name else name for action, name in self._asks)
        return [
            Part("decides", 0, 1, seats, lambda state, _: self._decides(state)),
            Part("seat", 0, 1, seats, lambda _, seat: [int(at == seat) for at in range(game.players)]),
            Part("decision", 0, 1, (asks,), lambda state, _: self._asked(state)),
            Part("score", score.low, score.high, seats, lambda state, _: state.cells[base : base + game.players]),
        ]

    def _decides(self, state: State) -> Numbers:
        decision = state.decision
        return [int(decision is not None and decision.player == seat) for seat in range(self._game.players)]

    def _asked(self, state: State) -> Numbers:
        found = [0] * len(self._asks)
        if state.decision is not None:
            found[self._asks[state.ask.action or "", state.ask.id]] = 1
        return found

    def _members(self, domain: str | None, places: int) -> tuple[str, ...]:
        return tuple("" if domain is None else site_text(self._game.world, domain, at) for at in range(places))

    def _variable(self, var: StateVar) -> Part:
        base, region = self._game.facts.layout.regions[var.key], self._regions[var.key]
        members, inner = self._members(var.domain, var.places), strip(var.type)
        if not isinstance(inner, SetType):
            low = region.low - region.may_be_none
            return Part(
                var.key, low, region.high, (members,), lambda s, _: _plain(s.cells[base : base + var.places], region)
            )
        of = self._members(inner.of.domain, self._game.world.domains[inner.of.domain].size)

        def bits(state: State, seat: int) -> Numbers:
            values = state.cells[base : base + var.places]
            return [value >> at & 1 for value in values for at in range(len(of))]

        return Part(var.key, 0, 1, (members, of), bits)

    def _zone(self, zone: ZoneDecl) -> Part:
        kind, world = self._game.world.pieces[zone.holds], self._game.world
        looks = tuple(piece_text(world, kind, code) for code in range(kind.count + len(kind.shown)))
        columns = (*looks, "hidden", "last")
        most = (*(min(zone.room, amount) for amount in (*_amounts(kind), sum(kind.supply))), kind.count)

        def read(state: State, seat: int) -> Numbers:
            return [n for place in range(zone.places) for n in self._place(state, zone, place, seat, len(columns))]

        return Part(f"zone.{zone.key}", 0, most, (self._members(zone.domain, zone.places), columns), read)

    def _place(self, state: State, zone: ZoneDecl, place: int, seat: int, columns: int) -> Numbers:
        """What a seat sees of one place."""
        kind = self._game.world.pieces[zone.holds]
        content = self._game.facts.pieces.content(state.cells, zone.first + place)
        spot = spot_of(self._game.world, zone, place)
        hidden, shown = spot.hidden(seat, len(content)), spot.shown(seat, len(content))
        known = self._game.facts.pieces.known_to(state.cells, zone.first + place, seat)
        found = [0] * columns
        if not spot.counts(seat):
            return found
        for position, code in enumerate(content):
            if position in known and position in hidden:
                found[code] += 1
            elif position not in hidden:
                found[code] += 1
                found[-1] = code + 1 if position == len(content) - 1 else 0
            elif position in shown:
                found[kind.unseen[code]] += 1
            else:
                found[-2] += 1
        return found


def _box(part: Part) -> Any:
    high = np.broadcast_to(np.array(part.high, np.int64), part.shape)
    return gymnasium.spaces.Box(np.full(part.shape, part.low, np.int64), high, part.shape, np.int64)


def _amounts(kind: PieceKind) -> list[int]:
    """How many pieces there are of each look at most: of the same piece with any face, or behind a back."""
    found = [0] * (kind.count + len(kind.shown))
    for code, amount in enumerate(kind.supply):
        found[kind.with_face(code, 0)] += amount
    for code in range(kind.count):
        found[code] = found[kind.with_face(code, 0)]
    for code, back in enumerate(kind.unseen):
        found[back] = sum(kind.supply) if back >= kind.count else found[code]
    return found


def _plain(values: list[Any], region: Region) -> Numbers:
    return [region.low - 1 if value <= NO_INTEGER else int(value) for value in values]
