"""Print the page of one diagnostic: what it means, an example of the fault, and its mend."""

from __future__ import annotations

import argparse

from interpreter.cli.common import UsageError
from rulespec.diagnostics.catalogue import Entry, all_entries


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """CODE."""
    parser.add_argument(
        "code", metavar="CODE", help="such as RS301; without it, all codes with their titles", nargs="?"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print one page, or the list of all."""
    entries = {entry.code: entry for entry in all_entries()}
    if arguments.code is None:
        for entry in entries.values():
            print(f"{entry.code}  {entry.severity:<7}  {entry.title}")
        return 0
    code = arguments.code.upper()
    if code not in entries:
        raise UsageError(f"There is no code {arguments.code}. {_near(code, entries)}")
    print(page(entries[code]))
    return 0


def _near(code: str, entries: dict[str, Entry]) -> str:
    """The codes of the same hundred, or how to list all."""
    same = [known for known in entries if known.startswith(code[:3]) and len(code) > 2]
    return f"There are {', '.join(same)}." if same else "`rulespec code` lists all."


def page(entry: Entry) -> str:
    """The page of a code as text."""
    parts = [
        f"{entry.code}: {entry.title} ({entry.severity})",
        _message(entry),
        entry.about,
        f"Fix: {entry.fix}.",
        f"Fault:\n\n{_indented(entry.bad)}",
        f"Mended:\n\n{_indented(entry.good)}",
    ]
    return "\n\n".join(parts)


def _message(entry: Entry) -> str:
    """The message with its gaps shown."""
    return f"  {entry.message.replace('{', '<').replace('}', '>')}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.rstrip("\n").splitlines())
