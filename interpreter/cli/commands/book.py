"""Write the rulebook of a game: its rules with their figures, tables, pictures of the boards, an index of terms.

`--out` names the file: `.html` is one page that also prints well, `.md` is Markdown. Without it Markdown is printed.
With variants or options, what they change is marked.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

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
    with_variants,
)

_ENDINGS = {".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, the language, what is switched on, and the file."""
    add_game(parser)
    parser.add_argument("--lang", metavar="L", default="en", help="the language (default: en)")
    add_variants(parser)
    add_options(parser)
    parser.add_argument("--out", metavar="FILE", type=Path, help="where it is written: .html or .md")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the book, or print it."""
    form = _form(arguments.out)
    source, problems = open_game(arguments.game)
    source, ids = with_variants(source, arguments.variants)
    if problems.has_errors:
        print_problems(placed(problems.errors, source), stream=sys.stderr)
        return 1
    _check_language(arguments.lang)
    from interpreter import book

    made = book.make_book(source, arguments.lang, ids, dict(parse_options(arguments.options)))
    text = book.html(made) if form == "html" else book.markdown(made)
    if arguments.out is None:
        say(text.rstrip("\n"))
    else:
        arguments.out.write_text(text, encoding="utf-8")
        say(str(arguments.out))
    return 0


def _form(out: Path | None) -> str:
    if out is None:
        return "markdown"
    form = _ENDINGS.get(out.suffix.lower())
    if form is None:
        raise UsageError(f"--out ends in .html or .md, and this is {out.name}.")
    return form


def _check_language(language: str) -> None:
    from rulespec.messages.plurals import is_language

    if not is_language(language):
        raise UsageError(f"There is no language '{language}'.")
