"""The evaluator of constants, given the cells of a state: what executors find is held against it."""

from __future__ import annotations

import random
from collections import ChainMap
from dataclasses import dataclass, replace
from typing import Any

from interpreter import Game, State
from rulespec.lower.declared import Declared
from rulespec.lower.evaluate import Evaluator
from rulespec.lower.ir import CallIr, Const, Ir
from rulespec.model.types import Boolean, EffectType, Integer, ListType, Member, Optional, Piece, SetType, Type, strip

Cells = list[Any]


@dataclass(frozen=True)
class Reader:
    """What the evaluator needs of a running game, read from its cells."""

    game: Game
    cells: Cells

    def load(self, region: str, index: int) -> int:
        return int(self.cells[self.game.facts.layout.regions[region] + index])

    def pieces(self, zone: str, place: int) -> list[int]:
        return self.game.facts.pieces.refs(self.cells, self.game.world.zones[zone].first + place)

    def local(self, slot: int) -> Any:
        return 0 if slot < 0 else self.cells[self.game.facts.layout.slots[slot]]


def plainly(game: Game, ir: Ir, cells: Cells) -> Any:
    """An expression's value as the evaluator finds it, walking the tree."""
    evaluator = Evaluator(game.world, game.built.context.body_of, Reader(game, cells))
    return as_data(evaluator.value(ir), ir.type)


def declared_now(game: Game) -> Declared:
    """What the executor's functions speak of, with the tables of what was lowered after them."""
    made = game.facts
    return replace(made.declared, tables=ChainMap(dict(made.declared.tables), game.world.tables))


def in_play(game: Game, ir: Ir, cells: Cells) -> Any:
    """An expression's value as the reference finds it in play."""
    return as_data(game.facts.values.of(ir, cells), ir.type)


def call_plainly(game: Game, name: str, args: tuple[Any, ...], cells: Cells) -> Any:
    """A function's value as the evaluator finds it."""
    function = game.world.functions[name]
    values = tuple(Const(type=t, value=a) for a, (_, t) in zip(args, function.params, strict=True))
    assert function.returns is not None
    return plainly(game, CallIr(type=function.returns, function=name, args=values), cells)


def as_data(value: Any, t: Type) -> Any:
    """A value in one form: truth as 0 or 1, lists as tuples."""
    if isinstance(strip(t), ListType):
        return tuple(value) if not isinstance(value, int) else value
    return int(value)


# ---- arguments and positions -----------------------------------------------------------------------------------------


def some_argument(game: Game, t: Type, cells: Cells, chance: random.Random) -> Any:
    """Any value of a type, in this position; None where there is none."""
    if isinstance(t, Optional):
        return some_argument(game, t.of, cells, chance)
    if isinstance(t, Boolean):
        return chance.randrange(2)
    if isinstance(t, Member):
        return chance.randrange(game.world.domains[t.domain].size)
    if isinstance(t, Integer):
        return chance.randint(-3 if t.low is None else t.low, 9 if t.high is None else t.high)
    if isinstance(t, EffectType):
        return chance.randrange(len(game.world.interned))
    if isinstance(t, SetType):
        return chance.randrange(1 << game.world.domains[t.of.domain].size)
    if isinstance(t, ListType):
        items = [some_argument(game, t.of, cells, chance) for _ in range(chance.randrange(4))]
        return tuple(item for item in items if item is not None)
    return _some_piece(game, t, cells, chance) if isinstance(t, Piece) else None


def _some_piece(game: Game, t: Piece, cells: Cells, chance: random.Random) -> int | None:
    zones = [zone for zone in game.world.zones.values() if zone.holds == t.kind and t.zone in (None, zone.key)]
    reader = Reader(game, cells)
    found = [ref for zone in zones for place in range(zone.places) for ref in reader.pieces(zone.key, place)]
    return chance.choice(found) if found else None


def positions(game: Game, seed: int, most: int) -> list[State]:
    """Positions of a random game, spread over its beginning."""
    chance = random.Random(seed)
    state = game.start(seed)
    found = [state]
    while len(found) < most and state.decision is not None:
        options = state.options()
        state = state.apply(options[chance.randrange(len(options))])
        found.append(state)
    return found
