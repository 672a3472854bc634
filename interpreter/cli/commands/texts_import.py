"""Put what translators have written into a game's files: the change is shown, and written when you agree.

A text is taken where its original is still the one that was translated, it is marked as sure, and its placeholders are
those of the rule or message. What is not taken is named with the reason. Comments and layout of the files stay.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from interpreter.cli.commands.texts_export import kind_asked, language_asked, whole_texts
from interpreter.cli.common import UsageError, add_game, roots_of, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespec.texts.exchange.units import Given, Taken

MOST_TOLD: Final = 50  #: texts that are not taken


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME and the file."""
    add_game(parser)
    parser.add_argument("file", metavar="FILE", type=Path, help="FILE.po, FILE.xlf or FILE.tmx, as `export` writes it")
    parser.add_argument("--lang", metavar="L", help="the language of the translations; by default the file says it")
    parser.add_argument("--unsure", action="store_true", help="take texts too that are marked as unsure (fuzzy)")
    parser.add_argument("--yes", action="store_true", help="write without asking")


def run(arguments: argparse.Namespace) -> int:
    """Show the change, and write it; 1 where a text was not taken, or nobody agreed."""
    from rulespec.texts.exchange.units import take

    texts = whole_texts(arguments.game)
    asked = None if arguments.lang is None else language_asked(arguments.lang, texts)
    said, given = _read(arguments.file, texts.first, asked)
    if asked is None and not said:
        raise UsageError(f"{arguments.file} does not say its language, or has several: name it, with --lang.")
    language = asked or language_asked(said or "", texts)
    if said and asked is None and said != language:
        say(f"{arguments.file} is in {said}: it goes into {language}.", stream=sys.stderr)
    taken = take(texts, language, given, unsure=arguments.unsure)
    for name, reason in taken.left[:MOST_TOLD]:
        say(f"{name}: not taken: {reason}.", stream=sys.stderr)
    if len(taken.left) > MOST_TOLD:
        say(f"{len(taken.left) - MOST_TOLD:,} more are not taken.", stream=sys.stderr)
    is_written = not taken.edits or _change(taken, roots_of(texts.source), agreed=arguments.yes)
    if not taken.edits:
        say("There is nothing to change.", stream=sys.stderr)
    elif is_written:
        count = "1 text" if taken.amount == 1 else f"{taken.amount} texts"
        say(f"{count} in {language} written. Next: rulespec check {arguments.game}", stream=sys.stderr)
    return 0 if is_written and not taken.left else 1


def _read(path: Path, first: str, language: str | None) -> tuple[str | None, list[Given]]:
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
        return read(kind, data, first, language)
    except NoToolkit as fault:
        raise UsageError(str(fault)) from None
    except NotRead as fault:
        raise UsageError(f"{path} cannot be read as {kind}: {fault}") from fault


def _change(taken: Taken, roots: Sequence[Path], *, agreed: bool) -> bool:
    """Writes the edits into the files, if that is agreed to."""
    from interpreter.cli.edited import Read, change
    from rulespec.diagnostics.fixes import applied
    from rulespec.source.plain import MAX_FILE_BYTES

    files = {edit.span.file.name: edit.span.file.text for edit in taken.edits}
    places = {name: _place(name, roots) for name in files}
    before = {str(places[name]): Read(text, places[name]) for name, text in files.items()}
    after = {str(places[name]): text for name, text in applied(files, taken.edits).items()}
    for name, text in after.items():
        if len(text.encode("utf-8")) > MAX_FILE_BYTES:
            raise UsageError(f"{name} would have more than {MAX_FILE_BYTES:,} bytes: nothing is written.")
    return change(before, after, agreed=agreed)


def _place(name: str, roots: Sequence[Path]) -> Path:
    """Where a file of a game lies, with all links followed."""
    found = next((root / name for root in roots if (root / name).is_file()), Path(name))
    return found.resolve()
