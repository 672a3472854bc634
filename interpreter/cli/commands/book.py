"""Write the rulebook of a game: its rules with their figures, tables, pictures of the boards, an index of terms.

`--out` names the file: `.html` is one page that also prints well, `.md` is Markdown. What is printed is Markdown.
With variants or options, what they change is marked.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.common import (
    UsageError,
    add_cache,
    add_game,
    add_options,
    add_variants,
    open_game,
    parse_options,
    placed,
    print_problems,
    say,
    where_packs_lie,
    with_variants,
)
from interpreter.cli.out import add_out, write_out

if TYPE_CHECKING:
    from rulespec.game_source import GameSource

_ENDINGS = {".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, the language, what is switched on, and the file."""
    add_game(parser)
    parser.add_argument("--lang", metavar="L", help="the language (default: en, or the game's first one)")
    add_variants(parser)
    add_options(parser)
    add_out(parser, "where it is written: .html or .md")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the book, or print it."""
    form = _form(arguments.out)
    source, problems = open_game(arguments.game)
    source, ids = with_variants(source, arguments.variants)
    if problems.has_errors:
        print_problems(placed(problems.errors, source), stream=sys.stderr)
        return 1
    from interpreter import book

    made = book.make_book(source, _language(arguments.lang, source), ids, dict(parse_options(arguments.options)))
    text = book.html(made) if form == "html" else book.markdown(made)
    if arguments.out is None:
        say(text.rstrip("\n"))
    else:
        write_out(arguments.out, text)
        say(str(arguments.out))
    return 0


def _form(out: Path | None) -> str:
    if out is None:
        return "markdown"
    form = _ENDINGS.get(out.suffix.lower())
    if form is None:
        raise UsageError(f"--out ends in .html or .md, and this is {out.name}.")
    return form


def _language(asked: str | None, source: GameSource) -> str:
    """The language of the book: the one that is asked for, if the game has it. Raises UsageError."""
    from rulespec.messages.needs import languages_of_game
    from rulespec.messages.plurals import nearest_language

    known = languages_of_game(source.base)
    if asked is None:
        return "en" if "en" in known or not known else known[0]
    found = nearest_language(asked, known)
    if found is None:
        told = f"it has {', '.join(known)}" if known else "it names none"
        raise UsageError(f"The game has no texts in '{asked}'; {told}. {where_packs_lie()}")
    return found
