"""Mark translations as checked against the present text and figures of their rules.

What was accepted stands in `texts.lock` in the game's folder, which is written whole and by one program at a time.
`texts check` tells of a translation when its rule has changed since.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from interpreter.cli.common import UsageError, add_cache, add_game, named_languages, open_game, roots_of, say

if TYPE_CHECKING:
    from rulespec.texts.check.entries import Entry, Texts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, the rules and the languages."""
    add_game(parser)
    parser.add_argument("rules", metavar="RULE", nargs="*", help="rules by their ids")
    parser.add_argument("--all", action="store_true", help="every rule")
    parser.add_argument("--lang", metavar="L", action="append", default=[], help="the language, or several: fr,ja")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the lock."""
    from rulespec.texts.check.entries import texts_of
    from rulespec.texts.check.lock import UnreadableLock, accept
    from rulespec.texts.check.writing import BusyFile

    source, _ = open_game(arguments.game)
    texts = texts_of(source)
    if not arguments.lang:
        raise UsageError("Name the language, with --lang.")
    if bool(arguments.rules) == arguments.all:
        raise UsageError("Name the rules, or all of them with --all.")
    known = dict.fromkeys((texts.first, *(language for entry in texts.rules for language in entry.texts)))
    asked = named_languages(arguments.lang, list(known))
    chosen = texts.rules if arguments.all else _named(texts, arguments.rules, asked)
    languages = set(asked) - {texts.first}
    if not languages:
        raise UsageError(f"Rules are written in {texts.first}: there is nothing to accept.")
    try:
        path = accept(texts, chosen, languages)
    except UnreadableLock as error:
        raise UsageError(f"{error} Mend it, or take it from your version control; nothing was accepted.") from error
    except BusyFile as error:
        raise UsageError(f"{error} Nothing was accepted; remove that file if no other program runs.") from error
    count = sum(language in entry.texts for entry in chosen for language in languages)
    say(f"{count} translation{'' if count == 1 else 's'} accepted in {_shown(path, roots_of(source))}")
    return 0


def _shown(path: object, roots: object) -> str:
    from pathlib import Path

    try:
        return Path(str(path)).resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(path)


def _named(texts: Texts, names: list[str], languages: list[str]) -> list[Entry]:
    """The rules of these ids. Raises UsageError for one that there is not, or that has no text in a language."""
    from rulespec.diagnostics.nearest import did_you_mean

    found: list[Entry] = []
    known = [entry.name for entry in texts.rules]
    for name in dict.fromkeys(names):
        entries = [entry for entry in texts.rules if entry.name == name]
        if not entries:
            raise UsageError(f"There is no rule '{name}'. {did_you_mean(name, known) or ''}".strip())
        for language in languages:
            if language == texts.first:
                raise UsageError(f"Rules are written in {language}: there is nothing to accept.")
            if not any(language in entry.texts for entry in entries):
                raise UsageError(f"The rule '{name}' has no text in {language}.")
        found += entries
    return found
