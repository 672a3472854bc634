"""How many options a decision can have at most, by what is declared."""

from __future__ import annotations

from interpreter.game import Game
from rulespec.lower.ir import Ask
from rulespec.model.types import Boolean, EffectType, Integer, ListType, Member, Piece, Record, SetType, Type, strip

#: A bound that is larger is of no use: then `most` has to be given.
MOST = 1_000_000


def most_options(game: Game) -> int:
    """A bound for all decisions. Raises ValueError where it would be out of all proportion."""
    found = max((_of(game, ask) for ask in game.compiled.asks.values() if not ask.chance), default=1)
    if found > MOST:
        raise ValueError(f"no useful bound for the options of {game.id} is known: say it with `most`")
    return found


def _of(game: Game, ask: Ask) -> int:
    if ask.kind == "may":
        return 2
    found = 1
    for name in ask.names:
        found = min(found * size_of(game, name.type), MOST + 1)
    return found + 1  # and stopping, or declining


def size_of(game: Game, t: Type) -> int:
    """How many values a type has in a game."""
    world, inner = game.world, strip(t)
    if isinstance(inner, Integer):
        if inner.low is None or inner.high is None:
            return MOST + 1
        return inner.high - inner.low + 2  # and none
    if isinstance(inner, Boolean):
        return 2
    if isinstance(inner, Member):
        return world.domains[inner.domain].size + 1
    if isinstance(inner, Piece):
        return sum(world.pieces[inner.kind].supply) + 1
    if isinstance(inner, EffectType):
        return len(world.interned) + 1
    if isinstance(inner, Record):
        found = 1
        for _, field in inner.fields:
            found = min(found * size_of(game, field), MOST + 1)
        return found
    return MOST + 1 if isinstance(inner, (ListType, SetType)) else len(world.interned) + 1
