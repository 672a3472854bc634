"""Say what became of a difference between rulebooks: that it is open, to fix, accepted or rejected.

The state is added at the end of FILE, with by whom, when (today) and why, and `texts compare --baseline FILE` goes by
it: what is accepted or rejected is told no more, what is to be fixed is told with its state. Accepted and rejected need
a reason. A file that there is not yet is made; else it is written whole, and all that stands in it stays.
"""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path

from interpreter.cli.common import UsageError, say
from rulespec.texts.findings import STATES, State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID, STATE, the file, who and why."""
    parser.add_argument("id", metavar="ID", nargs="+", help="ids of differences, as `texts compare` tells them")
    parser.add_argument("state", metavar="STATE", choices=STATES, help="open, to_fix, accepted, rejected")
    parser.add_argument("--in", metavar="FILE", dest="file", required=True, help="the file of states")
    parser.add_argument("--by", metavar="NAME", required=True, help="who says so")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why")


def run(arguments: argparse.Namespace) -> int:
    """Write the states."""
    from interpreter.log import write_whole
    from rulespec.texts.baseline import UnreadableBaseline, read_baseline, with_state

    path = Path(arguments.file)
    reason, by = " ".join(arguments.reason.split()), " ".join(arguments.by.split())
    if not by:
        raise UsageError("Say who it is, with --by.")
    if not reason and arguments.state in ("accepted", "rejected"):
        raise UsageError(f"Nothing is {arguments.state} without a reason: give it with --reason.")
    today = dt.date.today().isoformat()  # the day of who types it
    try:
        if path.exists():
            read_baseline(path)  # what is wrong with the file is told before anything is added
        text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        for name in dict.fromkeys(arguments.id):
            text = with_state(text, State(_known(name), arguments.state, by, today, reason))
        write_whole(path, text)
    except UnreadableBaseline as error:
        raise UsageError(f"The states cannot be read: {error}") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}.") from error
    number = len(dict.fromkeys(arguments.id))
    say(f"{number} difference{'' if number == 1 else 's'}: {arguments.state.replace('_', ' ')}, in {path}")
    return 0


def _known(name: str) -> str:
    """An id as findings have it. Raises UsageError for what is none."""
    from rulespec.texts.findings import KINDS

    kind, _, mark = name.rpartition("-")
    if kind not in KINDS or len(mark) != 10 or not all(letter in "0123456789abcdef" for letter in mark):
        raise UsageError(f"{name!r} is no id of a difference, such as number-1f0c3a9b22.")
    return name
