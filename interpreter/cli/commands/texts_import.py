"""Put what translators have written into a game's files: the change is shown, and written when you agree.

A text is taken where its original is still the one that was translated, it is marked as sure, and its placeholders are
those of the rule or message. What is not taken is named with the reason. Comments and layout of the files stay.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.commands.texts_export import kind_asked
from interpreter.cli.common import UsageError, add_game, open_game, roots_of, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespec.texts.exchange.units import Given, Taken


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME and the file."""
    add_game(parser)
    parser.add_argument("file", metavar="FILE", type=Path, help="FILE.po, FILE.xlf or FILE.tmx, as `export` writes it")
    parser.add_argument("--lang", metavar="L", help="the language of the translations; by default the file says it")
    parser.add_argument("--unsure", action="store_true", help="take texts too that are marked as unsure (fuzzy)")
    parser.add_argument("--yes", action="store_true", help="write without asking")


def run(arguments: argparse.Namespace) -> int:
    """Show the change, and write it; 1 where a text was not taken, or nobody agreed."""
    from rulespec.messages.plurals import is_language
    from rulespec.texts.check.entries import texts_of
    from rulespec.texts.exchange.units import take

    said, given = _read(arguments.file)
    language = arguments.lang or said
    if not language or not is_language(language):
        raise UsageError(f"{arguments.file} does not say its language: name it, with --lang.")
    source, _ = open_game(arguments.game)
    texts = texts_of(source)
    if language == texts.first:
        raise UsageError(f"The game is written in {texts.first}: {arguments.file} is no translation.")
    taken = take(texts, language, given, unsure=arguments.unsure)
    for name, reason in taken.left:
        say(f"{name}: not taken: {reason}.", stream=sys.stderr)
    is_written = not taken.edits or _change(taken, roots_of(source), agreed=arguments.yes)
    if not taken.edits:
        say("There is nothing to change.", stream=sys.stderr)
    elif is_written:
        count = "1 text" if taken.amount == 1 else f"{taken.amount} texts"
        say(f"{count} in {language} written. Next: rulespec check {arguments.game}", stream=sys.stderr)
    return 0 if is_written and not taken.left else 1


def _read(path: Path) -> tuple[str | None, list[Given]]:
    from rulespec.source.plain import plain_bytes
    from rulespec.texts.exchange.files import MOST_BYTES, NoToolkit, NotRead, read

    kind = kind_asked(path)
    try:
        data = plain_bytes(path, MOST_BYTES)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
    if data is None or len(data) > MOST_BYTES:
        raise UsageError(f"{path} is larger than {MOST_BYTES // 1_000_000} MB, or changes while it is read.")
    try:
        return read(kind, data)
    except NoToolkit as fault:
        raise UsageError(str(fault)) from None
    except NotRead as fault:
        raise UsageError(f"{path} cannot be read as {kind}: {fault}") from fault


def _change(taken: Taken, roots: Sequence[Path], *, agreed: bool) -> bool:
    """Writes the edits into the files, if that is agreed to."""
    from interpreter.cli.edited import Read, change
    from rulespec.diagnostics.fixes import applied

    files = {edit.span.file.name: edit.span.file.text for edit in taken.edits}
    places = {name: _place(name, roots) for name in files}
    before = {str(places[name]): Read(text, places[name]) for name, text in files.items()}
    after = {str(places[name]): text for name, text in applied(files, taken.edits).items()}
    return change(before, after, agreed=agreed)


def _place(name: str, roots: Sequence[Path]) -> Path:
    """Where a file of a game lies, with all links followed."""
    found = next((root / name for root in roots if (root / name).is_file()), Path(name))
    return found.resolve()
