"""What lies in a folder and below it, however deep folders are nested, and whatever goes away meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

MAX_ENTRIES = 20_000  #: everything in a folder and below, so that a wrong folder does not take for ever
MAX_FOLDERS_DEEP = 64  #: folders inside one another; a path may hold some thousand characters

#: Told of a folder that is not gone through: its path, and why it cannot be read; None where it lies too deep.
Untold = Callable[[str, OSError | None], None]


def folders_below(root: Path, left_out: Untold | None = None) -> Iterator[tuple[str, list[str], list[str]]]:
    """A folder and all below it, each with the names of its folders and of its files, in order; links are files.

    What begins with a dot is not entered. `left_out` is told of folders that lie too deep or cannot be read.
    """
    waiting = [(os.fspath(root), 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            folders, names = _entries(place)
        except OSError as error:
            if left_out is not None:
                left_out(place, error)
            continue
        yield place, folders, names
        if depth < MAX_FOLDERS_DEEP:
            waiting += [(os.path.join(place, name), depth + 1) for name in reversed(folders)]  # noqa: PTH118
        elif folders and left_out is not None:
            left_out(os.path.join(place, folders[0]), None)  # noqa: PTH118


def _entries(place: str) -> tuple[list[str], list[str]]:
    """The names of a folder's folders and of all else in it, no more than are looked at of any folder."""
    folders, names = [], []
    with os.scandir(place) as entries:
        for entry in islice(entries, MAX_ENTRIES + 1):
            if entry.is_dir(follow_symlinks=False):
                folders += [] if entry.name.startswith(".") else [entry.name]
            else:
                names.append(entry.name)
    return sorted(folders), sorted(names)


def entries_below(root: Path) -> Iterator[Path]:
    """All in a folder and below it but hidden folders. Raises OSError, and ValueError where folders lie too deep."""

    def refuse(place: str, error: OSError | None) -> None:
        raise ValueError(place) if error is None else error

    for place, folders, names in folders_below(root, refuse):
        yield from (Path(place, name) for name in (*folders, *names))


def files_below(folder: Path, endings: tuple[str, ...], *, links: bool = False) -> list[Path]:
    """The files of a folder with such endings, at any depth, in order; `links` to files too, where that is asked."""
    found, count = [], 0
    for place, folders, names in folders_below(folder):
        count += len(folders) + len(names)
        if count > MAX_ENTRIES:
            break
        paths = (Path(place, name) for name in names if name.endswith(endings))
        found += [path for path in paths if links or not path.is_symlink()]
    return sorted(found)
