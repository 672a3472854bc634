"""The files on disk of the games that an editor opens. Their names are whole paths with `/`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import pack_paths
from rulespec.service.workspace import says_a_game
from rulespec.source.files import ENDINGS, MAX_FILES, MAX_GAME_BYTES, read_source, sources_in
from rulespec.source.folders import MAX_ENTRIES
from rulespec.source.plain import MAX_FILE_BYTES, plain_bytes

#: How many folders up from a file its game is looked for.
MOST_UP = 12


@dataclass(frozen=True, slots=True)
class FilesRead:
    """The files of a game: the texts by name, and what is wrong with those that cannot be read, by their names."""

    texts: dict[str, str]
    lost: dict[str, tuple[Problem, ...]]


class GameFolders:
    """Finds the folders of games. Those that hold none are not read again, until something in them changes."""

    def __init__(self) -> None:
        self._without: set[Path] = set()

    def around(self, path: Path, root: Path | None = None) -> Path | None:
        """The nearest folder around a file in which some file says a game's id; None where there is none.

        Folders around `root` are not looked at: what lies outside of a workspace says nothing of its files.
        """
        for folder in list(path.parents)[:MOST_UP]:
            if folder not in self._without:
                if any(says_a_game(text) for text in _texts_in(folder)):
                    return folder
                self._without.add(folder)
            if folder == root:
                return None
        return None

    def changed(self, path: Path) -> None:
        """A file is another one, new or gone."""
        self._without.discard(path.parent)


def root_of(path: Path, roots: Iterable[Path]) -> Path | None:
    """The innermost of the folders that an editor has open in which a file lies; None where it lies in none."""
    return max((root for root in roots if root in path.parents), key=lambda root: len(root.parts), default=None)


def _texts_in(folder: Path) -> Iterator[str]:
    """The texts of a folder's own files, no more than a game may have; what cannot be read is left out."""
    left = MAX_GAME_BYTES
    for path in _content_in(folder):
        raw = None
        with suppress(OSError, ValueError):
            raw = plain_bytes(path, MAX_FILE_BYTES)
        if raw is None:
            continue
        left -= len(raw)
        if left < 0:
            return
        if len(raw) <= MAX_FILE_BYTES:
            yield raw.decode("utf-8-sig", "replace")


def _content_in(folder: Path) -> list[Path]:
    """The content files of one folder, in order."""
    names: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        names += (each.name for each in islice(entries, MAX_ENTRIES))
    return [folder / each for each in sorted(names) if each.endswith(ENDINGS) and not each.startswith(".")][:MAX_FILES]


def read_files(folder: Path) -> FilesRead:
    """All files of the game in a folder, with those elsewhere that belong to it; within the bounds of `check`."""
    problems = Problems()
    found = list(sources_in(folder, problems, f"{folder.as_posix().rstrip('/')}/"))
    packs = (read_source(path, path.as_posix(), problems) for path in pack_paths(folder))
    texts = {file.name: file.text for file in (*found, *packs) if file is not None}
    lost: dict[str, tuple[Problem, ...]] = {}
    for problem in problems.items:
        lost[problem.span.file.name] = *lost.get(problem.span.file.name, ()), problem
    return FilesRead(texts, lost)


def text_of(path: Path) -> tuple[str | None, tuple[Problem, ...]]:
    """The text of one file; None when it cannot be read, and why."""
    problems = Problems()
    source = read_source(path, path.as_posix(), problems)
    return None if source is None else source.text, problems.items
