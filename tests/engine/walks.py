"""Random games of every shipped game, for every number of players and every option, for the property tests."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache

from interpreter import Game, State
from rulespec.build import declare
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, resolve
from rulespec.lower.constants import option_nodes, option_values
from rulespec.lower.context import Context, Parsed
from rulespec.options import allowed
from rulespec.overlay.options import as_written, switched_on
from rulespec.settle import player_range
from rulespec.source.shipped import games
from tests.shipped import loaded, numbers, source

#: No shipped game has as many decisions.
MOST_DECISIONS = 5_000
SEEDS = range(2)
#: So many options of a game are tried in the quick tests, each by itself; the long ones try all.
MOST_OPTIONS = 3
#: Games that are kept with all their states: those of the quick settings, and of the setting that is tried just now.
MOST_KEPT = 80
Options = tuple[tuple[str, str | int | bool], ...]


@dataclass(frozen=True)
class Setting:
    """A game with a number of players and options."""

    game: str
    players: int
    options: Options = ()

    def __str__(self) -> str:
        return "-".join([self.game, str(self.players), *(f"{k}={v}" for k, v in self.options)])

    def load(self) -> Game:
        """The game, loaded once."""
        return loaded(self.game, self.players, self.options)


@dataclass(repr=False)
class Walk:
    """One whole random game: its states, and the keys between them."""

    setting: Setting
    seed: int
    states: list[State] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<{self.setting} seed {self.seed}>"


@cache
def settings() -> tuple[Setting, ...]:
    """Every shipped game for every number of players; with the fewest and the most, every value of every option too.

    Other numbers with options, and several options at once, are met by `bench.differential`, whose seeds move on.
    """
    return tuple(setting for name in games() for setting in _settings_of(name))


@cache
def quick_settings() -> tuple[Setting, ...]:
    """Every number of players, and for the lowest one some options of each game, from all over its list."""
    return tuple(setting for name in games() for setting in _quick_of([s for s in settings() if s.game == name]))


def _quick_of(of_game: list[Setting]) -> Iterator[Setting]:
    yield from (s for s in of_game if not s.options)
    fewest = min(s.players for s in of_game)
    others = [s for s in of_game if s.options and s.players == fewest]
    yield from others[:: max(len(others) // MOST_OPTIONS, 1)][:MOST_OPTIONS]


def _settings_of(name: str) -> Iterator[Setting]:
    files, known = source(name), numbers(name)
    for players in known:
        yield Setting(name, players)
        if players not in (known.start, known.stop - 1):
            continue
        context = declare(files.base, players, {}, Problems(), Parsed())
        for options in _one_by_one(context):
            if allowed(context, options) is None:
                yield Setting(name, players, tuple(options.items()))
    for options in _one_by_one(declare(files.base, known.start, {}, Problems(), Parsed())):
        for players in _other_numbers(files, options, known):
            yield Setting(name, players, tuple(options.items()))


def _one_by_one(context: Context) -> Iterator[dict[str, str | int | bool]]:
    """Every value of every option by itself, but for those that the options start with."""
    for key, node in option_nodes(context):
        start = node.get("start")
        for value in option_values(context, context.type(node.get("type"))):
            if start is None or as_written(value) != start.span.text:
                yield {key.text: value}


def _other_numbers(files: GameSource, options: dict[str, str | int | bool], known: range) -> Iterator[int]:
    """The numbers of players that there are only with variants which an option's value switches on."""
    variants = switched_on(files.base, options)
    if variants:
        problems = Problems()
        low, high = player_range(resolve(files, variants, problems), problems)
        yield from (players for players in range(low, high + 1) if players not in known)


@lru_cache(maxsize=MOST_KEPT)
def walk(setting: Setting, seed: int) -> Walk:
    """A random game to its end, with everything that happened."""
    game, dice = setting.load(), random.Random(seed)
    found = Walk(setting, seed, [game.start(seed, events=True)])
    while (state := found.states[-1]).decision is not None:
        assert len(found.keys) < MOST_DECISIONS, f"{setting} does not end"
        options = state.options()
        assert len(options) > 0, f"{setting}: stuck after {found.keys[-3:]}"
        option = options[dice.randrange(len(options))]
        found.keys.append(option.key)
        found.states.append(state.apply(option, events=True))
    return found


def as_json(state: State, seat: int) -> str:
    """What a seat sees, as text."""
    return json.dumps(state.view(seat).to_json(), ensure_ascii=False, sort_keys=True)
