"""Compare published rulebooks with each other and with the declared rules.

Each document is named with its language: `en=rules.pdf fr=regles.docx ja=rules.txt`. With several, the places where
they disagree are told, with the one that stands alone; one language alone is compared with the declarations only.
Without --game they are read by what all games have in common.
The exit status is 1 where there are differences as grave as `--fail-on` says, or graver; accepted and rejected ones,
which `--state` shows, do not count.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.common import (
    UsageError,
    add_cache,
    add_options,
    add_variants,
    open_game,
    parse_options,
    placed,
    say,
    with_variants,
)
from interpreter.cli.out import add_out, write_out
from interpreter.cli.pairs_by_hand import entries_in
from interpreter.cli.rulebook_files import documents_of, encoder_of, refuse_to_write_over
from interpreter.cli.sheets import add_separator, write_csv
from rulespec.diagnostics.model import ContentError
from rulespec.texts.findings import ASKED

if TYPE_CHECKING:
    from rulespec.texts.baseline import Baseline
    from rulespec.texts.compare import Comparison
    from rulespec.texts.document import Document
    from rulespec.texts.findings import Finding

_SEVERITIES = ("play", "text", "cosmetic")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The documents, the game, and what to do with what is found."""
    parser.add_argument("documents", metavar="LANG=FILE", nargs="*", help="a rulebook: txt, md, docx or pdf")
    parser.add_argument(
        "--game", metavar="GAME", help="a shipped game's id, or a game's folder: its terms and declarations"
    )
    parser.add_argument(
        "--by-hand", metavar="FILE", help="pairs of sentences, as `texts join` and `texts split` write them"
    )
    parser.add_argument("--baseline", metavar="FILE", help="states of differences, as `texts mark` writes them")
    parser.add_argument(
        "--state",
        metavar="S",
        dest="states",
        action="append",
        choices=ASKED,
        help=f"only differences of this state: {', '.join(ASKED)}; several are named one by one. What is left to do if "
        "nothing is said. Without --baseline all are new",
    )
    parser.add_argument(
        "--fail-on", choices=_SEVERITIES, default="play", help="how grave a difference fails; play if nothing is said"
    )
    parser.add_argument(
        "--format", choices=("text", "json", "html", "sarif", "csv"), default="text", help="how to tell"
    )
    parser.add_argument(
        "--pairs",
        choices=("meaning", "words"),
        default="meaning",
        help="what puts sentences together: what they mean, where the extra `meaning` is installed (default), or words",
    )
    parser.add_argument("--lang", metavar="L", default="en", help="the language that is told in: en (default), fr, ja")
    add_out(parser, "where it is written")
    add_separator(parser)
    add_variants(parser, "compare with the rules as this variant has them")
    add_options(parser)
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare, and tell what differs."""
    from rulespec.diagnostics.render import visible
    from rulespec.texts.compare import TooMuchToCompare
    from rulespec.texts.findings import LEFT
    from rulespec.texts.reports import FORMATS
    from rulespec.texts.reports.sheet import SEPARATORS
    from rulespec.texts.reports.table import table
    from rulespec.texts.tongues import in_words, misnamed

    read = [word.partition("=")[2] for word in arguments.documents]
    refuse_to_write_over(arguments.out, [*read, arguments.baseline, arguments.by_hand])
    baseline = _baseline(arguments.baseline)
    documents = documents_of(arguments.documents)
    try:
        comparison = _compared(arguments, documents)
    except TooMuchToCompare as error:
        raise UsageError(str(error)) from error
    if arguments.format != "text" or arguments.out is not None:  # else the report says it at the same terminal
        for note in (*comparison.not_obeyed, *comparison.not_compared):
            print(visible(note), file=sys.stderr)
    findings = baseline.told(comparison.findings, arguments.states or LEFT)
    for state in baseline.gone(comparison.findings):
        what = state.state.replace("_", " ")
        say(f"{state.id} is {what}, and there is no such difference any more.", stream=sys.stderr)
    if arguments.format == "csv":
        write_csv(table(comparison, findings, SEPARATORS[arguments.separator]), arguments.out)
    else:
        _write(FORMATS[arguments.format](comparison, findings), arguments.format, arguments.out)
    for hint in in_words(misnamed(documents)):  # last, where it is seen below a long report
        print(visible(hint), file=sys.stderr)
    return _status(findings, arguments.fail_on)


def _status(findings: list[Finding], fail_on: str) -> int:
    grave = _SEVERITIES[: _SEVERITIES.index(fail_on) + 1]
    left = [finding for finding in findings if finding.state is None or not finding.state.is_settled]
    return int(any(finding.severity in grave for finding in left))


def _write(text: str, form: str, out: Path | None) -> None:
    if out is None and form == "text":
        # rulebooks are other people's texts: a terminal is not to obey them
        say(text.removesuffix("\n"))
        return
    if out is None:
        sys.stdout.write(text)
        return
    write_out(out, text)


def _baseline(name: str | None) -> Baseline:
    from rulespec.texts.baseline import NOTHING, read_baseline
    from rulespec.texts.kept_files import UnreadableFile

    if name is None:
        return NOTHING
    try:
        return read_baseline(Path(name))
    except UnreadableFile as error:
        raise UsageError(f"The baseline cannot be read: {error}") from error


def _compared(arguments: argparse.Namespace, documents: list[Document]) -> Comparison:
    from interpreter.book.telling import load_for_most
    from interpreter.rulebooks import rules_with_figures
    from rulespec.texts.compare import compare
    from rulespec.texts.encoder import keep_vectors
    from rulespec.texts.glossary import Glossary

    encoder = encoder_of(documents) if arguments.pairs == "meaning" else None
    told_in, by_hand = _told_in(arguments.lang), entries_in(arguments.by_hand)
    if arguments.game is None:
        _without_game(arguments, documents)
        found = compare(documents, Glossary({}), encoder=encoder, told_in=told_in, by_hand=by_hand)
        keep_vectors(encoder)
        return replace(found, by_words=arguments.pairs == "words")
    source, problems = open_game(arguments.game)
    if problems.has_errors:  # half of a game would be compared
        raise ContentError(placed(problems.errors, source))
    source, variants = with_variants(source, arguments.variants)
    game = load_for_most(source, variants, dict(parse_options(arguments.options)))
    rules = rules_with_figures(game, [document.language for document in documents])
    found = compare(documents, Glossary.of(game.tree), rules, encoder, told_in=told_in, by_hand=by_hand)
    keep_vectors(encoder)
    return replace(found, by_words=arguments.pairs == "words")


def _told_in(language: str) -> str:
    """The language of the report. Raises UsageError for one that has no sentences."""
    from rulespec.messages.plurals import nearest_language
    from rulespec.texts.telling import told_in

    found = nearest_language(language, told_in())
    if found is None:
        raise UsageError(f"Differences are told in {', '.join(told_in())}, and not in {language!r}.")
    return found


def _without_game(arguments: argparse.Namespace, documents: list[Document]) -> None:
    """Raises UsageError where what was asked needs a game."""
    if len(documents) == 1:
        raise UsageError("One rulebook alone is compared with a game's declarations: name it with --game.")
    if arguments.variants or arguments.options:
        raise UsageError("--variant and --option are a game's: name it with --game.")
