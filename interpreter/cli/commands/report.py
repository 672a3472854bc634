"""Write the report of a run once more, with other runs of the same game beside it: people beside automatic seats.

Each DIR is a folder that `rulespec playtests` or `rulespec simulate --out` has made. The report is about the first one;
what each kind of player does, over all of them, stands in parts of its own. Nothing is played.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from interpreter.cli.common import UsageError, add_cache, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which runs, and where the report goes."""
    parser.add_argument("folders", metavar="DIR", nargs="+", type=Path, help="the folder of a run")
    parser.add_argument("--out", metavar="FILE", type=Path, help="by default report.html in the first folder")
    parser.add_argument("--lang", metavar="L", default="en", help="the language of the content's names")
    add_cache(parser)


def _place_of(arguments: argparse.Namespace) -> Path:
    """Where the report goes. Raises UsageError where that is what is read, or one run is named twice."""
    from interpreter.simulate.journal import GAMES, PLAN

    folders = [folder.resolve() for folder in arguments.folders]
    for at, folder in enumerate(folders):
        if folder in folders[:at]:
            raise UsageError(f"{arguments.folders[at]} is named twice: its games would count twice.")
    path: Path = arguments.out or arguments.folders[0] / "report.html"
    if path.resolve().parent in folders and (path.name in (GAMES, PLAN) or path.suffix == ".parquet"):
        raise UsageError(f"--out would write over {path}, which is read.")
    return path


def run(arguments: argparse.Namespace) -> int:
    """Reads the runs and writes the page."""
    from interpreter.report import write_report
    from interpreter.report.people import People, is_of_people
    from interpreter.simulate.journal import OtherRun
    from interpreter.simulate.reading import results_in

    path = _place_of(arguments)
    people = People()
    try:
        found = [results_in(folder, people.see) for folder in arguments.folders]
    except OtherRun as fault:
        raise UsageError(str(fault)) from None
    first = found[0]
    for folder, other in zip(arguments.folders, found, strict=True):
        if other.games[0].id != first.games[0].id:
            raise UsageError(f"{folder} is of {other.games[0].id}, and {arguments.folders[0]} of {first.games[0].id}.")
    if not any(tally.games for tally in first.tallies) and not is_of_people(first):
        raise UsageError(f"No game in {arguments.folders[0]} was played to its end: there is nothing to report.")
    first.language = arguments.lang
    try:
        write_report(first, path, people if len(people.kinds) > 1 or people.notes or people.seconds else None)
    except OSError as fault:
        raise UsageError(f"{path} cannot be written: {fault.strerror or fault}.") from None
    say(f"rulespec report: {path}", stream=sys.stderr)
    return 0
