"""The commands. A module of the command's name has `add_arguments(parser)` and `run(arguments)`, the exit status.

Modules are imported only when their command is asked for, so that the others start quickly.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final

#: What each command does, in the order of `rulespec --help`.
SUMMARIES: Final[dict[str, str]] = {
    "check": "all problems of the content",
    "show": "the declarations as they are after options and variants, with the places that they come from",
    "why": "where one value comes from",
    "diff": "what a variant changes: declarations and rule texts",
    "test": "run the scenarios of the content",
    "sources": "where declared figures come from",
    "play": "play a game in the terminal",
    "draw": "a position as an SVG picture",
    "studio": "serve tables to people far away, with a secret link for each seat",
    "replay": "play a saved game again",
    "explain": "why an option is offered or not, and where points come from",
    "simulate": "play many games and report what happens in them",
    "playtests": "keep games of people as data, with thinking times and notes",
    "report": "the report of runs, people beside automatic seats",
    "book": "the rulebook from the rules' texts",
    "texts": "check texts in several languages",
    "new": "begin a game, a variant or a language",
    "code": "what a diagnostic means",
    "lsp": "serve an editor: problems, completion, hover and more, while one types",
    "tournament": "let automatic players play against each other",
    "bench": "measure speed",
}


def available() -> dict[str, str]:
    """The commands that are there, with what they do."""
    return {name: summary for name, summary in SUMMARIES.items() if find_spec(_module(name)) is not None}


def load(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(_module(name))


def _module(name: str) -> str:
    return f"{__name__}.{name}"
