"""A game and who plays it, out of what was typed: for the commands that play."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.cli.common import UsageError, open_game, parse_options, with_variants

if TYPE_CHECKING:
    from interpreter.game import Game

MOST_JOBS = 1_000


def loaded(arguments: argparse.Namespace, players: int | None) -> Game:
    """The game with the variants and options that were typed. ContentError where there is no such game."""
    from interpreter.game import load_source
    from rulespec.diagnostics.model import ContentError

    source, problems = open_game(arguments.game)
    if problems.has_errors:
        raise ContentError(problems.items)
    source, variants = with_variants(source, arguments.variants)
    options = parse_options(arguments.options)
    return load_source(source, players=players, options=options, variants=variants, keep=True)


def kinds_of(seats: str, others: Sequence[str] = ()) -> list[str]:
    """The kinds of players that `--seats` names; `others` may stand there beside automatic ones. Raises UsageError."""
    from interpreter.players import NoPlayer, is_player, known_players

    kinds = [kind.strip() for kind in seats.split(",")]
    for kind in kinds:
        try:
            is_known = kind in others or is_player(kind)
        except NoPlayer as fault:
            raise UsageError(f"--seats: {fault}.") from None
        if not is_known:
            raise UsageError(f"--seats: there is no '{kind}'; there are {', '.join([*others, known_players()])}.")
    return kinds


def seats_of(kinds: Sequence[str], players: int, rest: str) -> tuple[str, ...]:
    """Who plays on each seat: those that are named, then `rest`. Raises UsageError where more are named than play."""
    if len(kinds) > players:
        raise UsageError(f"--seats names {len(kinds)} seats, and {players} play.")
    return (*kinds, *[rest] * (players - len(kinds)))


def refuse_bounds(arguments: argparse.Namespace, most: int) -> None:
    """Raises UsageError for numbers of a run that there cannot be; it has at most so many games."""
    for name, value, highest in (("--games", arguments.games, most), ("--jobs", arguments.jobs, MOST_JOBS)):
        if value is not None and not 1 <= value <= highest:
            raise UsageError(f"{name} takes a number from 1 to {highest:,}.")
    if not 0 <= arguments.seed < 2**64:
        raise UsageError(f"--seed lies between 0 and {2**64 - 1}.")
    if arguments.resume and arguments.out is None:
        raise UsageError("--resume needs --out, the folder of the run that goes on.")
