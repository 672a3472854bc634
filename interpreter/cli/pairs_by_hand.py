"""What `texts join` and `texts split` share: sentences named as LANG=FILE:LINE, and an entry for the file of pairs."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.common import UsageError, say
from interpreter.cli.marking import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespec.texts.by_hand import Entry, Named
    from rulespec.texts.clauses import Clause
    from rulespec.texts.findings import State

_PLACES = re.compile(r"(.+):(\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sentences, the file, who and why."""
    parser.add_argument(
        "sentences",
        metavar="LANG=FILE:LINE",
        nargs="+",
        help="the sentence of that line; the second one of it is LINE.2, several are LINE,LINE",
    )
    parser.add_argument("--in", metavar="FILE", dest="file", required=True, help="the file of pairs")
    parser.add_argument("--by", metavar="NAME", required=True, help="who says so")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why")


def run(ruling: str, arguments: argparse.Namespace) -> int:
    """Write the entry, and show the sentences."""
    from rulespec.texts.check.writing import BusyFile
    from rulespec.texts.findings import State
    from rulespec.texts.kept_files import UnreadableFile

    reason, by = words(arguments.reason, "--reason"), words(arguments.by, "--by")
    if not by:
        raise UsageError("Say who it is, with --by.")
    sides = _sides(arguments.sentences)
    why = State("", "", by, dt.date.today().isoformat(), reason)  # the day of who types it
    try:
        _add(arguments.file, ruling, sides, why)
    except UnreadableFile as error:
        raise UsageError(f"Nothing is written: {error}") from error
    except BusyFile as error:
        raise UsageError(f"{error} Nothing is written; remove that file if no other program runs.") from error
    except OSError as error:
        raise UsageError(f"{arguments.file} cannot be written: {error.strerror or error}.") from error
    for language, named in sides.items():
        say(f"{language}: {' '.join(each.text for each in named)}")
    say(f"{'One pair' if ruling == 'join' else 'No pair'}, in {arguments.file}")
    return 0


def entries_in(name: str | None) -> list[Entry]:
    """The entries of a file of pairs; none without a file. Raises UsageError."""
    from rulespec.texts.by_hand import read_pairs
    from rulespec.texts.kept_files import UnreadableFile

    if name is None:
        return []
    try:
        return read_pairs(Path(name))
    except UnreadableFile as error:
        raise UsageError(f"The pairs made by hand cannot be read: {error}") from error


def _add(name: str, ruling: str, sides: dict[str, tuple[Named, ...]], why: State) -> None:
    """Adds an entry to a file; of programs that do so at the same time each keeps what the others added."""
    from rulespec.texts.by_hand import with_entry
    from rulespec.texts.check.writing import changing
    from rulespec.texts.kept_files import text_to_change

    path = Path(os.path.realpath(name))  # a link stays, and its file is changed
    text_to_change(path, name)  # no folder and no pipe gets a file beside it
    with changing(path) as stream:
        stream.write(with_entry(name, text_to_change(path, name), ruling, sides, why))


def _sides(named: Sequence[str]) -> dict[str, tuple[Named, ...]]:
    """The sentences of each language. Raises UsageError."""
    from interpreter.cli.rulebook_files import documents_of
    from rulespec.texts.clauses import clauses

    places: dict[str, str] = {}
    for word in named:
        found = _PLACES.fullmatch(word)
        if found is None:
            raise UsageError(f"A sentence is named LANG=FILE:LINE, such as fr=regles.txt:12, and this is {word!r}.")
        places[found[1]] = found[2]
    if len(places) < 2 or len(places) < len(named):
        raise UsageError("A pair is of two languages or more, each named once: en=rules.txt:12 fr=regles.txt:14.")
    documents = documents_of(list(places))
    return {
        document.language: _named(document.file, clauses(document), numbers.split(","))
        for document, numbers in zip(documents, places.values(), strict=True)
    }


def _named(file: str, own: Sequence[Clause], numbers: Sequence[str]) -> tuple[Named, ...]:
    from rulespec.texts.by_hand import name_for

    texts = [clause.text for clause in own]
    places = dict.fromkeys(_place(file, own, number) for number in numbers)
    return tuple(name_for(texts, n) for n in sorted(places))


def _place(file: str, own: Sequence[Clause], number: str) -> int:
    """The sentence of a line: that begins there, or else goes through it. Raises UsageError."""
    line, _, nth = number.partition(".")
    begins = [n for n, clause in enumerate(own) if clause.line == int(line)]
    there = begins or [n for n, clause in enumerate(own) if clause.line <= int(line) <= clause.end_line]
    if not there:
        raise UsageError(f"No sentence stands in line {line} of {file}.")
    if not nth and len(there) > 1:
        listed = " / ".join(f"{line}.{k} {own[n].text}" for k, n in enumerate(there, 1))
        raise UsageError(f"Several sentences begin in line {line} of {file}; say which one: {listed}")
    if nth and not 1 <= int(nth) <= len(there):
        raise UsageError(f"In line {line} of {file} stand {len(there)} sentences, and {number} is asked for.")
    return there[int(nth or 1) - 1]
