"""Write a game's texts for translators: each rule and message beside its translation, as their programs read it.

The ending says of what kind the file is: `.po` (gettext), `.xlf` (XLIFF 2.0) or `.tmx` (a translation memory, with what
is translated alone). Translations of rules that have changed since they were accepted are marked as unsure.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.common import UsageError, add_game, open_game, placed, say
from rulespec.diagnostics.model import ContentError

if TYPE_CHECKING:
    from rulespec.texts.check.entries import Texts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, the language, and where to write."""
    add_game(parser)
    parser.add_argument("--lang", metavar="L", required=True, help="the language to translate into, or a new one")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="FILE.po, FILE.xlf or FILE.tmx")


def run(arguments: argparse.Namespace) -> int:
    """Write the file."""
    from interpreter.cli.out import write_out
    from rulespec.texts.exchange.files import NoToolkit, written
    from rulespec.texts.exchange.units import DONE, MISSING, units_of

    kind = kind_asked(arguments.out)
    texts = whole_texts(arguments.game)
    language = language_asked(arguments.lang, texts)
    units = units_of(texts, language)
    try:
        data = written(kind, units, texts.first, language, texts.source.id)
    except NoToolkit as fault:
        raise UsageError(str(fault)) from None
    write_out(arguments.out, data.decode("utf-8"))
    missing, stale = (sum(unit.state == state for unit in units) for state in (MISSING, "stale"))
    amount = sum(unit.state == DONE for unit in units) if kind == "tmx" else len(units)
    say(f"{amount} texts in {arguments.out}: {missing} to translate, {stale} to look at again.")
    return 0


def whole_texts(game: str) -> Texts:
    """The texts of a game. Raises ContentError where a file has a fault: half of a game would be taken for all."""
    from rulespec.texts.check.entries import texts_of

    source, problems = open_game(game)
    if problems.has_errors:
        raise ContentError(placed(problems.errors, source))
    return texts_of(source)


def language_asked(word: str, texts: Texts) -> str:
    """A language as it is named: `FR` and `fr_FR` are `fr` where the game has that. Raises UsageError."""
    from rulespec.messages.plurals import is_language, nearest_language
    from rulespec.model.registry.names import LANGUAGE

    known = dict.fromkeys(language for entry in (*texts.rules, *texts.messages) for language in entry.texts)
    language = nearest_language(word.partition("@")[0], list(known)) or word.replace("_", "-")
    if not re.fullmatch(LANGUAGE.pattern, language) or not is_language(language):
        raise UsageError(f"'{word}' is no language that CLDR knows, such as fr or pt-BR.")
    if language == texts.first:
        raise UsageError(f"The game is written in {texts.first}: name the language to translate into.")
    return language


def kind_asked(path: Path) -> str:
    """The kind of a file by its ending. Raises UsageError for another one."""
    from rulespec.texts.exchange.files import kind_of

    kind = kind_of(path.name)
    if kind is None:
        raise UsageError(f"{path} ends in none of .po, .xlf and .tmx.")
    return kind
