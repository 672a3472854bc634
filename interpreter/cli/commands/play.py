"""Play a game in the terminal: the board is drawn as text, options are numbered, prompts are in your language.

Type a number or a part of an option's text; `?` lists what else can be typed: undo, why, save, load, log, quit.
Seats that are not given play at random; the first one is yours. With no human seat the game runs to its end.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_bounds, player_count, whole_number
from interpreter.cli.common import (
    UsageError,
    add_cache,
    add_game,
    add_options,
    add_variants,
    parse_options,
    where_packs_lie,
)
from interpreter.cli.progress import progress

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.play.session import Session

LARGEST_SEED = 2**32 - 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, what is loaded, who plays, and in which language."""
    add_game(parser)
    parser.add_argument("--players", metavar="N", type=player_count, help="how many play; the fewest by default")
    add_options(parser)
    add_variants(parser)
    parser.add_argument("--seed", metavar="S", type=whole_number, help="for the same game again; by default any")
    parser.add_argument(
        "--seats",
        metavar="KIND,…",
        help="who plays, by seat: human, greedy (looks one step ahead), mcts (searches; mcts:500 with 500 playouts a "
        "decision, mcts:2s for two seconds), uct (a plain search), "
        "random; by default human, then random, or as it was saved",
    )
    parser.add_argument("--lang", metavar="L", help="the language, such as en, fr or ja; by default the system's")
    parser.add_argument("--log", metavar="FILE", type=Path, help="write the game's log there as it is played")
    parser.add_argument("--load", metavar="FILE", type=Path, help="go on with a saved game")
    parser.add_argument(
        "--scenario", metavar="ID", help="go on where one of the game's scenarios ends: with its players and options"
    )
    add_bounds(parser)
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Plays the game."""
    if arguments.scenario is not None:
        return _from_scenario(arguments)
    if arguments.load is not None:
        _as_saved(arguments)
    game = _loaded(arguments)
    seed = _seed(arguments.seed)
    with progress() as line, _seen_again(game, seed, arguments):
        session = _session(game, seed, arguments)
        session.most_seconds = arguments.most_seconds
        session.most, session.see = arguments.most_decisions, lambda decisions: line.show(f"{decisions:,} decisions")
        if arguments.load is not None:
            from interpreter.play.files import load_game

            if load_game(session, arguments.load, keep_seats=arguments.seats is not None) is None:
                return 2
        return session.run()


def _from_scenario(arguments: argparse.Namespace) -> int:
    """Plays on from the state that a scenario's moves lead to. UsageError where there is none."""
    from interpreter.cli.common import open_game, with_variants
    from interpreter.scenarios import position_after, scenarios_of
    from interpreter.scenarios.games import Games
    from rulespec.diagnostics.model import ContentError
    from rulespec.diagnostics.nearest import did_you_mean

    said = {"--players": arguments.players, "--option": arguments.options or None, "--seed": arguments.seed}
    said |= {"--load": arguments.load, "--log": arguments.log}
    for name, value in said.items():
        if value is not None:
            raise UsageError(f"A scenario says how it is played, and cannot be logged; leave {name} out.")
    source, problems = open_game(arguments.game)
    if problems.has_errors:
        raise ContentError(problems.items)
    source, _ = with_variants(source, arguments.variants)
    known = {scenario.name.text: scenario for scenario in scenarios_of(source)}
    scenario = known.get(arguments.scenario)
    if scenario is None:
        near = did_you_mean(arguments.scenario, known)
        raise UsageError(f"The game has no scenario '{arguments.scenario}'.{f' {near}' if near else ''}")
    found = position_after(Games(source), scenario)
    if isinstance(found, tuple):
        raise UsageError(f"The scenario fails: {found[0].message} `rulespec test` tells where.")
    with progress() as line:
        session = _session(found.game, scenario.seed, arguments, is_renewable=False)
        session.most_seconds = arguments.most_seconds
        session.most, session.see = arguments.most_decisions, lambda decisions: line.show(f"{decisions:,} decisions")
        session.begin_at(found)
        return session.run()


@contextmanager
def _seen_again(game: Game, seed: int, arguments: argparse.Namespace) -> Iterator[None]:
    """A fault of the content that comes up in a game is told with the seed, and with what shows it again."""
    from interpreter.cli.seen_again import with_way_back
    from rulespec.diagnostics.model import ContentError

    try:
        yield
    except ContentError as fault:
        if arguments.load is not None:
            raise
        words = ["rulespec", "play", arguments.game, "--players", str(game.players)]
        words += ["--seats", arguments.seats] if arguments.seats is not None else []
        words += [word for option in arguments.options for word in ("--option", option)]
        variants = [word for variant in arguments.variants for word in ("--variant", variant)]
        bound = ["--most-decisions", str(arguments.most_decisions)] if _is_bounded(arguments) else []
        command = shlex.join([*words, *variants, "--seed", str(seed), *bound, "--log", "game.log"])
        named = ["--game", arguments.game] if arguments.game != game.id else []
        told = shlex.join(["rulespec", "replay", "game.log", *named, *variants])
        raise with_way_back(fault, f"`{command}` plays it again, and `{told}` tells it.") from None


def _is_bounded(arguments: argparse.Namespace) -> bool:
    """Whether a game is left after another number of decisions than the usual one."""
    from interpreter.bounds import MOST_DECISIONS

    return bool(arguments.most_decisions != MOST_DECISIONS)


def _as_saved(arguments: argparse.Namespace) -> None:
    """What a save says of its game need not be said again. UsageError where options say something else."""
    from interpreter.play.files import header_of

    header = header_of(arguments.load)
    players, options = header.get("players"), header.get("options")
    if arguments.players is None and isinstance(players, int):
        arguments.players = players
    if not isinstance(options, dict):
        return
    saved = {name: "none" if value is None else str(value).lower() for name, value in options.items()}
    words = [f"{name}={value}" for name, value in saved.items()]
    if not parse_options(arguments.options).items() <= saved.items():
        played = f"with {', '.join(words)}" if words else "without options"
        raise UsageError(f"The game in {arguments.load} is played {played}; leave --option out.")
    arguments.options = words


def _loaded(arguments: argparse.Namespace) -> Game:
    """The game as the arguments ask for it. ContentError where they ask for what there is not."""
    from interpreter.cli.seated import loaded

    return loaded(arguments, arguments.players)


def _loaded_anew(arguments: argparse.Namespace) -> Game:
    """The game with what its files say now. ContentError also where they are gone: the one that is played goes on."""
    from rulespec.diagnostics.model import ContentError

    try:
        return _loaded(arguments)
    except UsageError as fault:
        raise ContentError(fault.problems) from None


def _session(game: Game, seed: int, arguments: argparse.Namespace, *, is_renewable: bool = True) -> Session:
    from interpreter.play.session import Renewable, Session
    from interpreter.play.terminal import Terminal
    from interpreter.table.seats import Seating

    seating = Seating(seats(arguments.seats, game.players), seed)
    language = system_language()
    if arguments.lang is not None:
        language = arguments.lang.replace("_", "-")
        _note_language(game, language)
    variants = tuple(filter(Path.is_file, map(Path, arguments.variants)))
    try:
        return Session(
            game,
            seating,
            Terminal(sys.stdin, sys.stdout),
            language=language,
            log=arguments.log,
            content=Renewable(lambda: _loaded_anew(arguments), variants) if is_renewable else None,
        )
    except OSError as fault:
        raise UsageError(f"the log cannot be written to {arguments.log}: {fault.strerror or fault}") from None


def _note_language(game: Game, asked: str) -> None:
    """Says that a game has no texts in the language that was asked for: what is missing is shown in English."""
    from rulespec.messages.needs import required_languages

    known = required_languages(game.tree)
    if known and asked not in known and asked.partition("-")[0] not in known:
        words = f"The game has no texts in '{asked}'; it has {', '.join(known)}."
        print(f"rulespec play: {words} {where_packs_lie()}", file=sys.stderr)


def seats(given: str | None, players: int) -> tuple[str, ...]:
    """Who plays on each seat. Raises UsageError for a kind that there is not, and for more seats than players."""
    from interpreter.cli.seated import kinds_of, seats_of
    from interpreter.players import HUMAN

    return seats_of([HUMAN] if given is None else kinds_of(given, [HUMAN]), players, "random")


def _seed(given: int | None) -> int:
    if given is None:
        return secrets.randbelow(LARGEST_SEED + 1)
    if not 0 <= given < 2**64:
        raise UsageError(f"--seed lies between 0 and {2**64 - 1}.")
    return given


def system_language(names: Sequence[str] = ("LC_ALL", "LC_MESSAGES", "LANG")) -> str:
    """The language that the system is set to; English where it says none."""
    for name in names:
        value = os.environ.get(name, "")
        if value:
            code = value.partition(".")[0].partition("@")[0].replace("_", "-")
            return code if code not in ("C", "POSIX", "") else "en"
    return "en"
