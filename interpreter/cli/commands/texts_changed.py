"""Tell what changed between two editions of a rulebook in one language, and which translations are stale now.

The first two documents are the old and the new edition, in one language; the others are translations as they are now:
`en=rules_1.txt en=rules_2.txt fr=regles.txt`. Of each change it is told whether a translation still says what the old
edition said (stale), says what the new one says (fits), or has to be looked at (check).
The exit status is 1 where a translation is stale, or with `--fail-on check` where one has to be looked at.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from interpreter.cli.common import UsageError, add_cache, open_game, placed, say
from interpreter.cli.out import add_out, write_out
from interpreter.cli.pairs_by_hand import entries_in
from interpreter.cli.rulebook_files import documents_of, encoder_of, refuse_to_write_over
from interpreter.cli.sheets import add_separator, write_csv
from rulespec.diagnostics.model import ContentError

if TYPE_CHECKING:
    from pathlib import Path

    from rulespec.texts.document import Document
    from rulespec.texts.glossary import Glossary
    from rulespec.texts.stale import Editions

_FAILING = {"stale": ("stale",), "check": ("stale", "check")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The editions, the translations, and how to tell."""
    parser.add_argument("documents", metavar="LANG=FILE", nargs="+", help="the old edition, the new one, translations")
    parser.add_argument("--game", metavar="GAME", help="a shipped game's id, or a game's folder: its terms")
    parser.add_argument("--by-hand", metavar="FILE", help="pairs of sentences, as `texts join` writes them")
    parser.add_argument("--fail-on", choices=tuple(_FAILING), default="stale", help="what fails; stale by default")
    parser.add_argument("--format", choices=("text", "json", "csv"), default="text", help="how to tell")
    parser.add_argument(
        "--pairs", choices=("meaning", "words"), default="meaning", help="what puts translations beside the editions"
    )
    add_out(parser, "where it is written")
    add_separator(parser)
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare, and tell."""
    from rulespec.texts.compare import TooMuchToCompare
    from rulespec.texts.encoder import keep_vectors
    from rulespec.texts.stale import editions

    old, new, translations = _documents(arguments.documents)
    read = [word.partition("=")[2] for word in arguments.documents]
    refuse_to_write_over(arguments.out, [*read, arguments.by_hand])
    encoder = encoder_of([old, *translations]) if arguments.pairs == "meaning" and translations else None
    try:
        found = editions(old, new, translations, _glossary(arguments.game), encoder, entries_in(arguments.by_hand))
    except TooMuchToCompare as error:
        raise UsageError(str(error)) from error
    keep_vectors(encoder)
    _tell(found, arguments)
    return int(any(verdict in _FAILING[arguments.fail_on] for verdict in found.verdicts))


def _documents(words: list[str]) -> tuple[Document, Document, list[Document]]:
    """The editions and the translations. Raises UsageError."""
    codes = [word.partition("=")[0] for word in words]
    if len(codes) < 2 or codes[0] != codes[1]:
        raise UsageError(
            "Name the old and the new edition in one language, and then translations: "
            "en=rules_1.txt en=rules_2.txt fr=regles.txt."
        )
    [old] = documents_of(words[:1])
    new, *translations = documents_of(words[1:])
    return old, new, translations


def _glossary(name: str | None) -> Glossary:
    from rulespec.texts.glossary import Glossary

    if name is None:
        return Glossary({})
    source, problems = open_game(name)
    if problems.has_errors:  # half of a game would be read
        raise ContentError(placed(problems.errors, source))
    return Glossary.of(source.base)


def _tell(found: Editions, arguments: argparse.Namespace) -> None:
    from rulespec.diagnostics.render import visible
    from rulespec.texts.reports import changed
    from rulespec.texts.reports.sheet import SEPARATORS

    out: Path | None = arguments.out
    if arguments.format == "csv":
        write_csv(changed.table(found, SEPARATORS[arguments.separator]), out)
    else:
        text = changed.as_json(found) if arguments.format == "json" else changed.terminal(found)
        if out is not None:
            write_out(out, text)
        elif arguments.format == "json":
            sys.stdout.write(text)
        else:
            say(text.removesuffix("\n"))
    if found.unfit and (arguments.format != "text" or out is not None):
        for note in changed.notes(found)[1:]:
            print(visible(note), file=sys.stderr)
