"""Serve an editor by the Language Server Protocol: over standard input and output, or with `--ws` over WebSockets.

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
NEEDED_FOR_WEB = "websockets"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How to serve."""
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="over standard input and output: the default")
    way.add_argument(
        "--ws",
        metavar="PORT",
        nargs="?",
        type=_port,
        const=0,
        help="over WebSockets, for editors in a browser; without PORT at one that is free, which is told",
    )
    parser.add_argument("--host", default="localhost", help="with --ws: the address to listen at; localhost by default")
    parser.add_argument(
        "--origin",
        metavar="ORIGIN",
        action="append",
        default=[],
        help="with --ws: pages of this origin may connect too, such as https://example.org; may stand several times",
    )
    parser.add_argument("--verbose", action="store_true", help="tell on standard error what is read")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends it."""
    if any(find_spec(name) is None for name in NEEDED):
        raise UsageError("The language server needs two more packages. Install them: pip install 'rulespec[lsp]'")
    if arguments.ws is None and (arguments.origin or arguments.host != "localhost"):
        raise UsageError("--host and --origin belong to --ws.")
    if arguments.ws is not None and find_spec(NEEDED_FOR_WEB) is None:
        raise UsageError("--ws needs one more package. Install it: pip install 'rulespec[ws]'")
    logging.basicConfig(stream=sys.stderr, level=logging.INFO if arguments.verbose else logging.WARNING)
    logging.getLogger("pygls").setLevel(logging.ERROR)
    if arguments.ws is not None:
        return _serve_web(arguments)
    from interpreter.lsp.server import serve

    serve(_version())
    return 0


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rulespec")
    except PackageNotFoundError:  # run from a copy of the files
        return "unknown"


def _port(word: str) -> int:
    if not word.isdecimal() or not word.isascii() or int(word) > 65535:
        raise argparse.ArgumentTypeError(f"'{word}' is no port: 0 to 65535")
    return int(word)


def _serve_web(arguments: argparse.Namespace) -> int:
    from interpreter.lsp.server import make_server
    from interpreter.lsp.web import Web, serve_web

    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # a page that hangs up is no fault
    web, found = Web(arguments.host, arguments.ws, tuple(arguments.origin)), _version()

    def ready(address: str) -> None:
        print(f"rulespec lsp: listening at {address}", file=sys.stderr, flush=True)

    try:
        serve_web(lambda: make_server(found), web, ready)
    except OSError as fault:
        where = f"{arguments.host}, port {arguments.ws}"
        raise UsageError(f"--ws: nothing can listen at {where}: {fault.strerror or fault}") from None
    return 0
