"""The entry point: finds the command, reads its arguments, and turns every ending into an exit status.

0: all is well. 1: problems were found. 2: wrong usage, or input that cannot be read. 130: stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from interpreter.cli.commands import available, load
from interpreter.cli.common import UsageError, print_problems
from rulespec.diagnostics.model import ContentError, quotable

FINE, PROBLEMS, USAGE, STOPPED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (by default the program's own) and give its exit status."""
    _make_printable()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        _close_output()
        return FINE
    return status


def _run(words: list[str]) -> int:
    parser = _parser(words)
    try:
        arguments = parser.parse_args(words)
    except SystemExit as end:  # argparse has printed its help or the fault
        return end.code if isinstance(end.code, int) else USAGE
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return USAGE
    try:
        status: int = load(arguments.command).run(arguments)
    except UsageError as error:
        print(f"rulespec {arguments.command}: {quotable(error, 2_000)}", file=sys.stderr)
        return USAGE
    except ContentError as error:
        print_problems(error.problems)
        return PROBLEMS
    return status


def _parser(words: list[str]) -> argparse.ArgumentParser:
    """The parser; only the command that is asked for is imported and has its arguments."""
    parser = argparse.ArgumentParser(
        prog="rulespec",
        description="Board games written down as data: check, change and play them.",
        epilog="`rulespec COMMAND --help` tells more of a command.",
    )
    parser.add_argument("--version", action="version", version=f"rulespec {_version()}" if "--version" in words else "")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, summary in available().items():
        command = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name == wanted:
            module = load(name)
            command.description = (module.__doc__ or "").strip()
            command.formatter_class = argparse.RawDescriptionHelpFormatter
            module.add_arguments(command)
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    with suppress(PackageNotFoundError):
        return version("rulespec")
    return "(not installed)"


def _make_printable() -> None:
    """Texts in any script: where the terminal's encoding lacks a character, a mark stands for it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _close_output() -> None:
    """Whoever read the output has gone: nothing more is written, not even when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
