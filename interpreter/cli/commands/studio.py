"""Serve tables to people far away: a secret link for each seat, kept on disk at every choice.

The page that it prints the address of makes tables and hands out their links; at a terminal of this machine it is
opened in the browser. docs/howto_play_with_friends.md says how. Without FOLDER the games are those that are shipped. It
serves until Ctrl-C.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import socket
import sys
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from interpreter.cli.common import UsageError, add_cache, say

#: What must be installed beside the program.
NEEDED = ("starlette", "uvicorn", "websockets")
PORT = 8371
#: How a word begins that the page gets the host's key for, as the page knows it.
ONCE: Final = "once-"

#: What to listen at for all who reach the machine, and an address far away of the same kind: nothing is sent there.
_ALL: Final = {"0.0.0.0": ("127.0.0.1", "192.0.2.1"), "::": ("::1", "2001:db8::1")}  # noqa: S104  # it is compared
_NAME: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is served, and where."""
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=Path, help="a game's folder, or one with games in it"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to listen at: 0.0.0.0 for other machines; by default this one"
    )
    parser.add_argument("--port", type=_port, default=PORT, help=f"by default {PORT}; 0 is one that is free")
    parser.add_argument(
        "--name",
        metavar="NAME",
        type=_name,
        action="append",
        default=[],
        help="a name under which people reach this machine, such as example.org; may stand several times",
    )
    parser.add_argument(
        "--tables", metavar="FILE", type=Path, help="where tables are kept; by default in the user's cache folder"
    )
    parser.add_argument(
        "--pace", metavar="S", type=_seconds, default=0.4, help="seconds between decisions of automatic seats: 0.4"
    )
    parser.add_argument("--no-browser", action="store_true", help="the page is not opened by itself")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serves until it is ended."""
    if any(find_spec(name) is None for name in NEEDED):
        raise UsageError("The studio needs more packages. Install them: pip install 'rulespec[studio]'")
    from interpreter.studio.hall import Hall
    from interpreter.studio.library import Library
    from interpreter.studio.serving import serve
    from interpreter.studio.store import NoStore, Store, new_token
    from interpreter.studio.trouble import Troubled

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    file = arguments.tables or _own_file()
    try:
        library = Library(arguments.folder)
        store = Store(file)
    except Troubled as fault:
        raise UsageError(str(fault)) from None
    except NoStore as fault:
        raise UsageError(f"The tables in {file} cannot be used: {fault}.") from None
    try:
        listening = _listening(arguments.host, arguments.port)
    except OSError as fault:
        store.close()
        raise UsageError(f"--host {arguments.host} --port {arguments.port}: {fault.strerror or fault}.") from None
    key, once = new_token(), None
    if not arguments.no_browser and sys.stdout.isatty() and _has_screen():
        once = ONCE + new_token()
    found = reached_at(arguments.host)
    host = f"[{found}]" if ":" in found else found
    address = f"http://{host}:{listening.getsockname()[1]}"

    def ready() -> None:
        say(f"rulespec studio: {address}\nThe host's key: {key}\nThe page that makes tables: {address}/#{key}")
        sys.stdout.flush()
        if once is not None:  # what a browser is started with is seen by all who use the machine: not the key
            webbrowser.open(f"{address}/#{once}")

    serve(Hall(store, library, pace=arguments.pace), listening, key, tuple(arguments.name), ready, once)
    return 0


def _has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ


def _own_file() -> Path:
    from rulespec.source.cache import cache_file

    file = cache_file("tables.sqlite")
    if file is None:
        raise UsageError("There is no cache folder to keep tables in: say where with --tables FILE.")
    return file


def reached_at(host: str) -> str:
    """The number under which the machine is reached; where it listens to all, the one that others see it under."""
    if host not in _ALL:
        return host
    here, far = _ALL[host]
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.connect((far, 9))
            return str(asked.getsockname()[0])
    except OSError:  # it is in no network
        return here


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def _name(word: str) -> str:
    """A name as a browser sends it."""
    if _NAME.fullmatch(word):
        return word
    try:
        found = urlsplit(word if "//" in word else f"//{word}").hostname or ""
    except ValueError:
        found = ""
    such = found if _NAME.fullmatch(found) else "example.org"
    raise argparse.ArgumentTypeError(f"'{word}' is no name of a machine: give it alone, such as {such}")


def _port(word: str) -> int:
    if not word.isdecimal() or not word.isascii() or int(word) > 65535:
        raise argparse.ArgumentTypeError(f"'{word}' is no port: 0 to 65535")
    return int(word)


def _seconds(word: str) -> float:
    try:
        found = float(word)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 60:
        raise argparse.ArgumentTypeError(f"'{word}' is no number of seconds from 0 to 60")
    return found
