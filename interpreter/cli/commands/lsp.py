"""Serve an editor by the Language Server Protocol, over standard input and output.

Editors start it by themselves; docs/howto_editors.md says how. What it has to tell about itself goes to standard error.
"""

from __future__ import annotations

import argparse
import logging
import sys
from importlib.util import find_spec

from interpreter.cli.common import UsageError

#: What must be installed beside the program.
NEEDED = ("pygls", "lsprotocol")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How to serve."""
    parser.add_argument(
        "--stdio", action="store_true", help="over standard input and output: the only way, and the default"
    )
    parser.add_argument("--verbose", action="store_true", help="tell on standard error what is read")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends it."""
    if any(find_spec(name) is None for name in NEEDED):
        raise UsageError("The language server needs two more packages. Install them: pip install 'rulespec[lsp]'")
    from importlib.metadata import PackageNotFoundError, version

    from interpreter.lsp.server import serve

    logging.basicConfig(stream=sys.stderr, level=logging.INFO if arguments.verbose else logging.WARNING)
    logging.getLogger("pygls").setLevel(logging.ERROR)
    try:
        found = version("rulespec")
    except PackageNotFoundError:  # run from a copy of the files
        found = "unknown"
    serve(found)
    return 0
