"""Keep the games that people have played as data, in the same form as those of `simulate`.

Each FILE is a file of tables of `rulespec studio`, a log, or a save. The games of GAME in them are played again with
the content as it is now; DIR gets them as Parquet, with the time that people thought about each decision and what they
noted, and a report. A file of tables is read when no server uses it. docs/howto_playtest.md says more.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.common import UsageError, add_cache, add_game, say

if TYPE_CHECKING:
    from interpreter.playtests.gather import Gathered
    from interpreter.playtests.kept import Kept


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which games, from where and to where."""
    add_game(parser)
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a file of tables, a log or a save")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="a folder of its own for the data")
    parser.add_argument("--lang", metavar="L", default="en", help="the language of the content's names in the report")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Plays the games again, and keeps them."""
    from interpreter.playtests.gather import gather
    from interpreter.report import write_report
    from interpreter.report.people import People
    from interpreter.simulate.dataset import NoArrow, need_arrow
    from interpreter.simulate.journal import OtherRun

    kept, is_whole = _kept(arguments)
    if not kept:
        raise UsageError(f"There is no game of {arguments.game} with a decision in what was named.")
    people = People()
    try:
        need_arrow()
        found = gather(kept, arguments.game, arguments.out, people.see)
    except (OtherRun, NoArrow) as fault:
        raise UsageError(str(fault)) from None
    if found.results.games:
        found.results.language = arguments.lang
        write_report(found.results, arguments.out / "report.html", people)
    return _told(arguments, found, people, is_whole=is_whole)


def _kept(arguments: argparse.Namespace) -> tuple[list[Kept], bool]:
    """All games of the files, and whether each file could be read to its end."""
    from interpreter.cli.common import open_game
    from interpreter.playtests.kept import Unreadable, kept_in
    from rulespec.diagnostics.model import Problems
    from rulespec.diagnostics.render import render_text

    source, problems = open_game(arguments.game)
    found = []
    problems = Problems()
    for file in arguments.files:
        try:
            found += kept_in(file, source.id, problems)
        except Unreadable as fault:
            raise UsageError(f"{fault}.") from None
    if problems.items:
        print(render_text(problems.items, colour=False), file=sys.stderr)
    return found, not problems.has_errors


def _told(arguments: argparse.Namespace, found: Gathered, people: object, *, is_whole: bool) -> int:
    """Says what was kept; 1 where something was not."""
    from interpreter.report.people import People

    assert isinstance(people, People)
    for source, reason in found.left:
        say(f"rulespec playtests: {source} is left out: {reason}.", stream=sys.stderr)
    ended = sum(tally.games for tally in found.results.tallies)
    begun = sum(sum(tally.unfinished.values()) for tally in found.results.tallies)
    say(f"{ended:,} games played to their end, {begun:,} left before it, {len(people.notes):,} notes")
    for kind, each in people.kinds.items():
        if each.side.games:
            score, wins = each.side.score.figure(), each.side.win_rate()
            say(f"  {kind}: {each.side.games:,} seats, {score.value:.1f} points, {100 * wins.value:.0f} % of the wins")
    times = [seconds for of_one in people.seconds.values() for seconds in of_one]
    if times:
        say(f"  {len(times):,} decisions of people took {sum(times) / len(times):.1f} seconds on the average")
    if found.results.games:
        say(f"rulespec playtests: {arguments.out / 'report.html'}", stream=sys.stderr)
    return 0 if is_whole and not found.left else 1
