"""Which combinations of options and numbers of players the shipped games allow, found from what they declare.

Options that switch variants on, and options that a variant brings along, are combined fully. The others change figures
and readings of one and the same rules: where all of them together are too many, each combination takes the next ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from math import prod

from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, read_game, resolve
from rulespec.lower.constants import OptionValue, declare_options
from rulespec.lower.context import Context, Parsed
from rulespec.options import Combination, allowed, choices, combinations
from rulespec.overlay.options import declared_options, switched_on
from rulespec.settle import frame, player_range
from rulespec.source.nodes import Mapping

#: So many choices of the options that switch nothing are all tried, for each number of players; of more, some.
MOST_CHOICES = 24


@dataclass(frozen=True)
class Case:
    """A game with a number of players and options."""

    game: str
    players: int
    options: tuple[tuple[str, OptionValue], ...]

    def __str__(self) -> str:
        return " ".join([self.game, str(self.players), *(f"{k}={v}" for k, v in self.options)])


@cache
def source_of(name: str) -> tuple[GameSource, Parsed]:
    """A shipped game's files, read once in each process, with the expressions that were parsed so far."""
    source = read_game(name, Problems())
    assert source is not None
    return source, Parsed()


def switches(source: GameSource) -> list[str]:
    """The options whose values switch variants on."""
    return [name for name, option in declared_options(source.base).items() if "switches" in option]


def values_of(tree: Mapping, players: int) -> dict[str, list[OptionValue]]:
    """Each option with all of its values."""
    return choices(frame(tree, players, Problems()))


def _modules(source: GameSource) -> Iterator[Combination]:
    """Every combination of the options that switch variants on, those that are not allowed included."""
    names = switches(source)
    low, _ = player_range(source.base, Problems())
    known = values_of(source.base, low)
    for values in product(*(known[name] for name in names)):
        yield dict(zip(names, values, strict=True))


@cache
def cases(name: str) -> tuple[Case, ...]:
    """The allowed combinations of a game."""
    return tuple(_cases(name))


def _cases(name: str) -> Iterator[Case]:
    source, _ = source_of(name)
    number = 0
    for modules in _modules(source):
        tree = resolve(source, switched_on(source.base, modules), Problems())
        low, high = player_range(tree, Problems())
        for players in range(low, high + 1):
            sight = _Sight(source, tree, players)
            for added in sight.added():
                found = sight.with_others({**modules, **added}, number)
                number += len(found)
                yield from (Case(name, players, tuple(options.items())) for options in found)


class _Sight:
    """What a game with some variants says of its options, for one number of players."""

    def __init__(self, source: GameSource, tree: Mapping, players: int) -> None:
        self.known = values_of(tree, players)
        self.own = list(declared_options(source.base))
        self.has_modules = bool(switches(source))
        self.contexts = [_context(source.base, players), _context(tree, players)]

    def added(self) -> Iterator[Combination]:
        """Every combination of the options that the variants bring along."""
        names = [name for name in self.known if name not in self.own]
        for values in product(*(self.known[name] for name in names)):
            yield dict(zip(names, values, strict=True))

    def with_others(self, chosen: Combination, number: int) -> list[Combination]:
        """A choice with values of the other options, such that it is allowed; empty where it never is.

        A game without modules gets all choices of them, or some; else there is one, the next in turn.
        """
        if not self.has_modules:
            return [each for each in combinations(self.contexts[1], MOST_CHOICES) if self.is_allowed(each)]
        known = {name: values for name, values in self.known.items() if name not in chosen}
        turns = range(number, number + prod(map(len, known.values())))
        each = ({**chosen, **_next(known, turn)} for turn in turns)
        return list(islice(filter(self.is_allowed, each), 1))

    def is_allowed(self, options: Combination) -> bool:
        """Whether no constraint forbids these options."""
        return all(allowed(context, options) is None for context in self.contexts)


def _context(tree: Mapping, players: int) -> Context:
    """Enough of a game to ask its constraints."""
    context = frame(tree, players, Problems())
    declare_options(context, {})
    return context


def _next(known: dict[str, list[OptionValue]], number: int) -> Combination:
    """For each option the value in turn; those of different options do not go round together for long."""
    return {
        name: values[(number + number // 7 * place) % len(values)] for place, (name, values) in enumerate(known.items())
    }
