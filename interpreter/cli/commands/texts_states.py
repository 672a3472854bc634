"""List what became of differences between rulebooks, by the file that `texts mark` writes.

What differs itself is told by `texts compare --baseline FILE --state S`; this lists ids, by whom they were marked, when
and why, the last state of each, in the order of states: open, to_fix, accepted, rejected.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.common import UsageError, say
from interpreter.cli.sheets import add_separator, write_csv
from rulespec.texts.findings import STATES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespec.texts.findings import State

_HEADS = ("id", "state", "by", "when", "reason")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, and which states of it."""
    parser.add_argument("file", metavar="FILE", help="the file of states")
    parser.add_argument(
        "--state",
        dest="states",
        metavar="S",
        action="append",
        choices=STATES,
        help=f"only these, named one by one: {', '.join(STATES)}",
    )
    parser.add_argument("--by", metavar="NAME", help="only what this person said")
    parser.add_argument(
        "--history", action="store_true", help="all that was ever said, in its order, not the last alone"
    )
    parser.add_argument("--format", choices=("text", "json", "csv"), default="text", help="how to tell")
    add_separator(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read the file, and list it."""
    from rulespec.texts.baseline import read_baseline
    from rulespec.texts.kept_files import UnreadableFile

    try:
        known = read_baseline(Path(arguments.file))
    except UnreadableFile as error:
        raise UsageError(f"The file of states cannot be read: {error}") from error
    wanted = arguments.states or STATES
    said = known.history if arguments.history else known.states.values()
    found = [state for state in said if state.state in wanted and arguments.by in (None, state.by)]
    if not arguments.history:
        found.sort(key=lambda state: STATES.index(state.state))
    _tell(found, arguments)
    return 0


def _tell(found: Sequence[State], arguments: argparse.Namespace) -> None:
    from rulespec.diagnostics.as_json import json_text
    from rulespec.texts.reports.sheet import SEPARATORS, csv_text

    rows = [(state.id, state.state, state.by, state.when, state.reason) for state in found]
    if arguments.format == "json":
        text = json_text({"states": [dict(zip(_HEADS, row, strict=True)) for row in rows]}, 1)
        print(text)
    elif arguments.format == "csv":
        write_csv(csv_text([_HEADS, *rows], SEPARATORS[arguments.separator]), None)
    else:
        for state in found:
            say(f"{state.id}  {state.told}")
        counts = Counter(state.state for state in found)
        say(", ".join(f"{counts[name]} {name}" for name in STATES if counts[name]) or "Nothing is marked so.")
