"""Shipped games for tests that read or play them: each read and loaded once."""

from __future__ import annotations

from functools import cache, lru_cache

from bench.differential import Setting, settings
from interpreter import Game, load
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, read_game
from rulespec.settle import player_range
from rulespec.source.shipped import games

GO = ((), (("lines", 5),))
LIARS_DICE = (
    (),
    (("wild", "ones"),),
    (("raising", "faces"),),
    (("span", "one_round"),),
    (("sides", 2),),
    (("dice", 1),),
)
Options = tuple[tuple[str, str | int | bool], ...]


def shipped(
    name: str, players: int | None = None, *, variants: tuple[str, ...] = (), **options: str | int | bool
) -> Game:
    """A shipped game, the same one for whoever asks for the same.

    A test that changes a game, or needs one that nobody has played yet, loads its own.
    """
    return loaded(name, players, tuple(sorted(options.items())), variants)


@lru_cache(maxsize=64)
def loaded(name: str, players: int | None, options: Options = (), variants: tuple[str, ...] = ()) -> Game:
    """As `shipped`, with options as pairs."""
    return load(name, players=players, variants=variants, options=dict(options))


@cache
def source(name: str) -> GameSource:
    """The files of a shipped game."""
    problems = Problems()
    found = read_game(name, problems)
    assert found is not None
    assert not problems.has_errors
    return found


@cache
def numbers(name: str) -> range:
    """For how many players a game is."""
    low, high = player_range(source(name).base, Problems())
    return range(low, high + 1)


@cache
def every_setting() -> tuple[Setting, ...]:
    """Each shipped game with each number of players, and each option's and variant's value by itself.

    Of the sizes of Go the smallest and the usual one: on large boards a game takes the reference minutes. Of the dice
    of liar's dice some by two players, and the usual ones by all numbers of players.
    """
    return tuple(each for each in settings(list(games())) if _is_tried(each))


def _is_tried(each: Setting) -> bool:
    if each.game == "liars_dice":
        return not each.options or (each.players == 2 and each.options in LIARS_DICE)
    return each.game != "go" or each.options in GO
