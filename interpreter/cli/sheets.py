"""CSV at the command line: what parts its cells, and where it goes, so that spreadsheets read it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from interpreter.cli.common import say
from interpreter.cli.out import write_out

_MARK = "\ufeff"  #: by which spreadsheets know that a file is UTF-8


def add_separator(parser: argparse.ArgumentParser) -> None:
    """The option `--separator NAME`. Its value is what stands between cells."""
    parser.add_argument(
        "--separator",
        choices=("comma", "semicolon", "tab"),
        default="comma",
        help="between cells of CSV: semicolon for spreadsheets of countries that write 0,5",
    )


def write_csv(text: str, out: Path | None) -> None:
    """CSV into a file, with its mark; or printed, so that a terminal does not obey what stands in it."""
    if out is not None:
        write_out(out, f"{_MARK}{text}")
    elif sys.stdout.isatty():
        say(text.removesuffix("\n"))
    else:
        sys.stdout.write(text)
