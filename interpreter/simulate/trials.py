"""What things are worth: from a decision the game is played on twice, once with something offered and once without.

All else is alike in both: the game's own chance, who plays, and what these draw. So the difference in the end is what
that one choice was worth to the seat, and no correlation. With and without it, the seat chooses as its player does
among the options that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from interpreter.chance import Chance
from interpreter.options import Option, Options
from interpreter.players import Player
from interpreter.simulate.details import Namer
from interpreter.state import Result, State
from rulespec.diagnostics.model import ContentError

#: So many moments of a game may be tried.
MOST_TRIALS: Final = 100

#: Plays on from a state by players, to the end; None where that is not reached.
PlayOn = Callable[[State, Sequence[Player]], Result | None]


@dataclass(frozen=True, slots=True)
class _Moment:
    """A decision of the game: after how many others, and what was chosen."""

    n: int
    options: Options
    option: Option


class Trials:
    """Takes moments of one game by chance, each decision with a choice as probably, and tries them when it is over.

    The moments are those of J. S. Vitter's algorithm R ("Random sampling with a reservoir", 1985).
    """

    def __init__(self, namer: Namer, seed: int, amount: int):
        self._namer = namer
        self._seed = seed
        self._amount = amount
        self._chance = Chance(seed, "trials")
        self._moments: list[_Moment] = []
        self._seen = 0
        self.left = (
            0  # trials that came to nothing: without an end, with a fault, or of a player who chose something else
        )

    def see(self, n: int, options: Options, option: Option) -> None:
        """A decision of the game."""
        if len(options) < 2:
            return
        self._seen += 1
        if len(self._moments) < self._amount:
            self._moments.append(_Moment(n, options, option))
        elif (at := self._chance.below(self._seen)) < self._amount:
            self._moments[at] = _Moment(n, options, option)

    def told(self, players: Callable[[int], Sequence[Player]], play_on: PlayOn) -> list[list[Any]]:
        """What the moments came to; see `interpreter.simulate.records`. `players` makes all players by a seed.

        No value of a decision is tried twice in a game: so what its trials say is of different games.
        """
        found: dict[tuple[str, str, str], list[Any]] = {}
        for moment in sorted(self._moments, key=lambda each: each.n):
            tried = self._value(moment)
            if tried is None or tried[0] in found:
                continue
            key, chosen = tried
            row = self._try(moment, chosen, players, play_on)
            if row is None:
                self.left += 1
            else:
                seat = moment.options.state.decision
                assert seat is not None
                found[key] = [seat.player, moment.n, *key, *row]
        return list(found.values())

    def _value(self, moment: _Moment) -> tuple[tuple[str, str, str], frozenset[int]] | None:
        """One of the values that some options have and others have not, and the places of those that have it."""
        options = moment.options
        by_name = self._parted(options)
        if not by_name:
            return None
        name = self._chance.one_of(sorted(by_name))
        value = self._chance.one_of(sorted(by_name[name]))
        ask = options.state.ask
        return (ask.action or ask.id, name, value), by_name[name][value]

    def _parted(self, options: Options) -> dict[str, dict[str, frozenset[int]]]:
        """By name and value the places of the options that have it, where some have it and others have not.

        Of names that part the options alike, such as a card and its only attribute, the first one is there.
        """
        at, ask = options.state.asks_at, options.state.ask
        found: dict[str, dict[str, set[int]]] = {}
        for place, candidate in enumerate(options.candidates):
            for name, value in (*self._namer.of(at, ask, candidate), *self._namer.attributes_of(ask, candidate)):
                found.setdefault(name, {}).setdefault(value, set()).add(place)
        by_name, parts = dict[str, dict[str, frozenset[int]]](), set[frozenset[frozenset[int]]]()
        for name, values in found.items():
            some = {value: frozenset(places) for value, places in values.items() if len(places) < len(options)}
            part = frozenset(some.values())
            if some and part not in parts:
                parts.add(part)
                by_name[name] = some
        return by_name

    def _try(
        self,
        moment: _Moment,
        chosen: frozenset[int],
        players: Callable[[int], Sequence[Player]],
        play_on: PlayOn,
    ) -> list[Any] | None:
        """Points, part of the victory, points of the others, whether nothing differs, and whether it was taken.

        None where the trial comes to nothing: what the game itself came to stands.
        """
        options, seat = moment.options, moment.options.state.decision
        assert seat is not None
        ends = []
        for has in (True, False):
            some = [each for at, each in enumerate(options.candidates) if (at in chosen) is has]
            own = players(self._chance_of(moment.n))
            try:
                option = own[seat.player].choose(options.state, Options(options.state, some))
                end = play_on(options.state.apply(option), own) if option.candidate in some else None
            except ContentError:
                return None
            if end is None:
                return None
            ends.append(end)
        first, second = ends
        changes = [a - b for a, b in zip(first.scores, second.scores, strict=True)]
        won = first.shares[seat.player] - second.shares[seat.player]
        others = [abs(change) for at, change in enumerate(changes) if at != seat.player]
        touched = sum(others) / len(others) if others else 0.0
        same = not any(changes) and first.ranking == second.ranking
        taken = options.candidates.index(moment.option.candidate) in chosen
        return [changes[seat.player], won, touched, int(same), int(taken)]

    def _chance_of(self, n: int) -> int:
        """The seed of those who play on from the n-th decision: the same with and without."""
        return Chance(self._seed, f"trial {n}").below(1 << 32)
