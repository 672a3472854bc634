"""The files on disk of the games that an editor opens. Their names are whole paths with `/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rulespec.diagnostics.model import Problems
from rulespec.service.workspace import says_a_game
from rulespec.source.files import ENDINGS, read_source
from rulespec.source.folders import files_below

#: How many folders up from a file its game is looked for.
MOST_UP = 12

_GAME = re.compile(r"^game[ \t]*:", re.MULTILINE)


def game_folder(path: Path) -> Path | None:
    """The nearest folder around a file in which some file says a game's id; None where there is none."""
    for folder in list(path.parents)[:MOST_UP]:
        if any(_GAME.search(text) and says_a_game(text) for text in _texts_in(folder)):
            return folder
    return None


def _texts_in(folder: Path) -> Iterator[str]:
    with suppress(OSError):
        for file in sorted(folder.iterdir()):
            if file.name.endswith(ENDINGS) and file.is_file():
                yield file.read_text(encoding="utf-8", errors="replace")


def texts_of(folder: Path) -> dict[str, str]:
    """The texts of all content files in a folder and below, by their paths; those that cannot be read are left out."""
    found: dict[str, str] = {}
    with suppress(OSError):
        for path in files_below(folder, ENDINGS):
            text = text_of(path)
            if text is not None:
                found[path.as_posix()] = text
    return found


def text_of(path: Path) -> str | None:
    """The text of one file; None when it cannot be read."""
    source = read_source(path, path.as_posix(), Problems())
    return None if source is None else source.text
