"""Where a command's text goes: into the file that `--out` names, or to the standard output."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from interpreter.cli.common import UsageError


def add_out(parser: argparse.ArgumentParser, meaning: str) -> None:
    """The option `--out FILE`. Its value is None where the text is to be printed: without it, and for `-`."""
    words = f"{meaning}; without it, or with -, it is printed"
    parser.add_argument("--out", metavar="FILE", type=_file, help=words)


def _file(word: str) -> Path | None:
    return None if word == "-" else Path(word)


def write_out(out: Path, text: str) -> None:
    """The text in that file, whole or not at all. Raises UsageError."""
    from interpreter.log import write_whole

    try:
        write_whole(out, text)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror or error}.") from error


def print_out(text: str) -> None:
    """The text as a file would have it; a terminal is not to obey words of content."""
    from rulespec.diagnostics.render import visible

    shown = "\n".join(map(visible, text.split("\n"))) if sys.stdout.isatty() else text
    sys.stdout.write(shown)
