"""Say what became of a difference between rulebooks: that it is open, to fix, accepted or rejected.

The state is added at the end of FILE, with by whom, when (today) and why, and `texts compare --baseline FILE` goes by
it: what is accepted or rejected is told no more, what is to be fixed is told with its state. Accepted and rejected need
a reason. A file that there is not yet is made; else it is written whole, by one program at a time, and all that stands
in it stays: line ends, a BOM and who may read it too.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
from pathlib import Path

from interpreter.cli.common import UsageError, say
from interpreter.cli.marking import words
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
    from rulespec.texts.check.writing import BusyFile
    from rulespec.texts.kept_files import UnreadableFile

    reason, by = words(arguments.reason, "--reason"), words(arguments.by, "--by")
    if not by:
        raise UsageError("Say who it is, with --by.")
    if not reason and arguments.state in ("accepted", "rejected"):
        raise UsageError(f"Nothing is {arguments.state} without a reason: give it with --reason.")
    today = dt.date.today().isoformat()  # the day of who types it
    states = [State(_known(name), arguments.state, by, today, reason) for name in dict.fromkeys(arguments.id)]
    try:
        _add(arguments.file, states)
    except UnreadableFile as error:
        raise UsageError(f"Nothing is marked: {error}") from error
    except BusyFile as error:
        raise UsageError(f"{error} Nothing is marked; remove that file if no other program runs.") from error
    except OSError as error:
        raise UsageError(f"{arguments.file} cannot be written: {error.strerror or error}.") from error
    number = len(states)
    say(f"{number} difference{'' if number == 1 else 's'}: {arguments.state.replace('_', ' ')}, in {arguments.file}")
    return 0


def _add(name: str, states: list[State]) -> None:
    """Adds states to a file; of programs that do so at the same time each keeps what the others added."""
    from rulespec.texts.baseline import with_states
    from rulespec.texts.check.writing import changing
    from rulespec.texts.kept_files import text_to_change

    path = Path(os.path.realpath(name))  # a link stays, and its file is changed
    text_to_change(path, name)  # no folder and no pipe gets a file beside it
    with changing(path) as stream:
        stream.write(with_states(name, text_to_change(path, name), states))


def _known(name: str) -> str:
    """An id as findings have it. Raises UsageError for what is none."""
    from rulespec.texts.findings import KINDS

    kind, _, mark = name.rpartition("-")
    if kind not in KINDS or len(mark) != 10 or not all(letter in "0123456789abcdef" for letter in mark):
        raise UsageError(f"{name!r} is no id of a difference, such as number-1f0c3a9b22.")
    return name
