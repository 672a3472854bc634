"""Write a game's texts for translators: each rule and message beside its translation, as their programs read it.

The ending says of what kind the file is: `.po` (gettext), `.xlf` (XLIFF 2.0) or `.tmx` (a translation memory, with what
is translated alone). Translations of rules that have changed since they were accepted are marked as unsure.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.common import UsageError, add_game, open_game, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, the language, and where to write."""
    add_game(parser)
    parser.add_argument("--lang", metavar="L", required=True, help="the language to translate into, or a new one")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="FILE.po, FILE.xlf or FILE.tmx")


def run(arguments: argparse.Namespace) -> int:
    """Write the file."""
    from interpreter.cli.out import write_out
    from rulespec.messages.plurals import is_language
    from rulespec.texts.check.entries import texts_of
    from rulespec.texts.exchange.files import NoToolkit, written
    from rulespec.texts.exchange.units import DONE, MISSING, units_of

    kind = kind_asked(arguments.out)
    source, _ = open_game(arguments.game)
    texts = texts_of(source)
    if not is_language(arguments.lang):
        raise UsageError(f"'{arguments.lang}' is no language that CLDR knows, such as fr or pt-BR.")
    if arguments.lang == texts.first:
        raise UsageError(f"The game is written in {texts.first}: name the language to translate into.")
    units = units_of(texts, arguments.lang)
    try:
        data = written(kind, units, texts.first, arguments.lang, source.id)
    except NoToolkit as fault:
        raise UsageError(str(fault)) from None
    write_out(arguments.out, data.decode("utf-8"))
    missing, stale = (sum(unit.state == state for unit in units) for state in (MISSING, "stale"))
    amount = sum(unit.state == DONE for unit in units) if kind == "tmx" else len(units)
    say(f"{amount} texts in {arguments.out}: {missing} to translate, {stale} to look at again.")
    return 0


def kind_asked(path: Path) -> str:
    """The kind of a file by its ending. Raises UsageError for another one."""
    from rulespec.texts.exchange.files import kind_of

    kind = kind_of(path.name)
    if kind is None:
        raise UsageError(f"{path} ends in none of .po, .xlf and .tmx.")
    return kind
