"""What full detail keeps: which values were chosen and offered, and what each seat holds at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import isfinite
from operator import index
from typing import Any

from interpreter.game import Game
from interpreter.names import piece_text, value_text
from interpreter.options import Option, Options, arguments
from interpreter.players import Player
from interpreter.simulate.records import Record
from interpreter.state import State
from rulespec.lower.ir import Ask
from rulespec.model.types import Boolean, EffectType, Integer, Member, Piece, Type, strip
from rulespec.model.world import Attribute, PieceKind, owner_of

#: What is not offered by name: lists, sets and records.
_NAMED = (Boolean, EffectType, Integer, Member, Piece)

Key = tuple[int, str, str, str]


MOST_KEPT = 200_000
MOST_TRIES = 1 << 53  #: of an option, as a player tells it

Named = tuple[tuple[str, str], ...]


class Namer:
    """Names and values of candidates, kept from game to game."""

    def __init__(self, game: Game):
        self._world = game.world
        self._tables = game.facts.program.declared.tables
        self._kept: dict[tuple[int, Any], Named] = {}

    def of(self, at: int, ask: Ask, candidate: Any) -> Named:
        """Name and value of what a candidate stands for, as far as it has names."""
        found = self._kept.get((at, candidate))
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[at, candidate] = self._made(ask, candidate)
        return found

    def _made(self, ask: Ask, candidate: Any) -> Named:
        if ask.kind == "may":
            return ((ask.id, "accept" if candidate else "decline"),)
        given = arguments(ask, candidate)
        if not given:
            return ((ask.id, "stop"),)
        texts = [(name, value_text(self._world, t, v)) for name, t, v in given if isinstance(strip(t), _NAMED)]
        return tuple(texts) or ((ask.id, "other"),)

    def attributes_of(self, ask: Ask, candidate: Any) -> Named:
        """What the sites and pieces of a candidate are: `plot.ground` and `port`, for attributes with few values."""
        if ask.kind == "may":
            return ()
        return tuple(
            (f"{name}.{attribute.name}", value_text(self._world, attribute.type, value))
            for name, t, v in arguments(ask, candidate)
            for attribute, value in self._attributes(strip(t), v)
            if isinstance(strip(attribute.type), (Boolean, Member))
        )

    def _attributes(self, of: Type, value: Any) -> Iterator[tuple[Attribute, Any]]:
        """The attributes of a site or piece that the game reads, with their values."""
        if isinstance(of, Member) and value >= 0:
            for attribute in self._world.domains[of.domain].attributes.values():
                table = self._tables.get(attribute.table)
                if table is not None:
                    yield attribute, table[value]
        elif isinstance(of, Piece) and value >= 0:
            kind = self._world.pieces[of.kind]
            code = value % self._world.codes
            if code < kind.count:
                yield from zip(kind.attributes.values(), kind.codes[code][kind.per_player :], strict=False)


@lru_cache(maxsize=4)
def namer_of(game: Game) -> Namer:
    """The one of a game."""
    return Namer(game)


class Details:
    """Counts of one game."""

    def __init__(self, game: Game):
        self._namer = namer_of(game)
        self._counts: dict[Key, list[int]] = {}
        self._asked = [[0, 0, 0] for _ in game.seats]

    def chosen(self, seat: int, options: Options, option: Option) -> None:
        """Notes a decision: what was offered, each value once, and what was taken."""
        asked = self._asked[seat]
        asked[0] += 1
        asked[1] += len(options)
        asked[2] += len(options) == 1
        at, ask, named = options.state.asks_at, options.state.ask, self._namer.of
        offered = {value for candidate in options.candidates for value in named(at, ask, candidate)}
        taken = set(named(at, ask, option.candidate))
        name = ask.action or ask.id
        for place, value in offered:
            counts = self._counts.setdefault((seat, name, place, value), [0, 0])
            counts[0] += (place, value) in taken
            counts[1] += 1

    def told(self, state: State, course: Sequence[Any]) -> Record:
        """What the record holds beside the rest."""
        choices = [[*key, *counts] for key, counts in sorted(self._counts.items())]
        return {"course": list(course), "choices": choices, "holdings": holdings(state), "asked": self._asked}


class Moments:
    """The decisions of one game, a row each: see `interpreter.simulate.records`."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []

    def see(self, n: int, options: Options, option: Option, player: Player) -> None:
        """A decision after n others, and how the player weighed its options, where it says so."""
        decision = options.state.decision
        assert decision is not None
        visits, means = _weights(player, len(options)) if len(options) > 1 else (None, None)
        took = options.candidates.index(option.candidate)
        self.rows.append([decision.player, n, option.action, list(options.keys()), took, visits, means])


def _weights(player: Player, amount: int) -> tuple[list[int] | None, list[float | None] | None]:
    """How a player tried its options and what they brought; None of an option that it did not try.

    Raises TypeError for a player of somebody's own that tells it in another form.
    """
    weighed = getattr(player, "weighed", None)
    if weighed is None:
        return None, None
    try:
        pairs = [(index(tries), float(mean)) for tries, mean in weighed]
    except (TypeError, ValueError, OverflowError):
        pairs = []
    if len(pairs) != amount or not all(0 <= tries <= MOST_TRIES and isfinite(mean) for tries, mean in pairs):
        raise TypeError(
            f"`weighed` of {type(player).__name__} holds for each of the {amount} options how often it was tried and "
            "what it brought, two numbers, or it is None"
        )
    return [tries for tries, _ in pairs], [mean if tries else None for tries, mean in pairs]


def holdings(state: State) -> list[list[Any]]:
    """Seat, zone, piece and number of what lies with a player, at all places of a zone together.

    Pieces that are all alike are only counted.
    """
    game, found = state.game, []
    for zone in game.world.zones.values():
        kind = game.world.pieces[zone.holds]
        of_seat: dict[int, dict[str, int]] = {}
        for i in range(zone.places):
            seat = owner_of(game.world, zone, i)
            if seat is None:
                continue
            counts = of_seat.setdefault(seat, {})
            for code in game.facts.pieces.content(state.cells, zone.first + i):
                text = held_as(piece_text(game.world, kind, code), kind, code, seat, game.seats)
                counts[text] = counts.get(text, 0) + 1
        found += [[seat, zone.key, text, n] for seat, counts in of_seat.items() for text, n in sorted(counts.items())]
    return found


def held_as(text: str, kind: PieceKind, code: int, seat: int, seats: Sequence[str]) -> str:
    """A piece as its holder names it: whose colour it has must not look like a reason to win."""
    if not kind.per_player:
        return text
    owner = kind.codes[code][0]
    return text.replace(f"({seats[owner]}", "(own" if owner == seat else "(other", 1)
