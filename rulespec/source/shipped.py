"""Where the shipped content and schemas are: in the checkout when run from one, else inside the installed package.

Nothing else in `rulespec` or `interpreter` knows these places, so that every command works from any folder.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from rulespec.source.plain import MAX_FILE_BYTES, plain_bytes

PACKAGE = Path(__file__).resolve().parent.parent
PACKAGED = PACKAGE / "_shipped"

# Folders of content/ that are never games: the engine's own words are there.
NOT_A_GAME = frozenset({"engine"})

_GAME_SECTION = re.compile(r"^game[ \t]*:", re.MULTILINE)


def content_root() -> Path:
    """The folder whose sub-folders are the shipped games. Raises FileNotFoundError in a broken installation."""
    return _folder("content")


def schemas_root() -> Path:
    """The folder of the JSON Schemas for editors. Raises FileNotFoundError in a broken installation."""
    return _folder("schemas")


def games() -> dict[str, Path]:
    """The folders of the shipped games by id, in alphabetical order. A game's id is its folder's name."""
    return games_in(content_root())


def games_in(root: Path) -> dict[str, Path]:
    """The folders directly under `root` in which a file has a `game:` section, by name."""
    folders = sorted(entry for entry in root.iterdir() if entry.is_dir() and entry.name not in NOT_A_GAME)
    return {folder.name: folder for folder in folders if holds_a_game(folder)}


def holds_a_game(folder: Path) -> bool:
    """Whether a file directly in a folder has a `game:` section.

    Read as bytes that may be anything: whether the files are right is for the checker to say. What cannot be read, or
    is too large, holds none.
    """
    return any(_GAME_SECTION.search(_text_of(file)) for file in sorted(folder.glob("*.yaml")))


def _text_of(file: Path) -> str:
    with suppress(OSError):
        return (plain_bytes(file, MAX_FILE_BYTES) or b"").decode("utf-8", errors="replace")
    return ""


@lru_cache(maxsize=2)
def _folder(name: str) -> Path:
    packaged = PACKAGED / name
    if packaged.is_dir():
        return packaged
    in_checkout = PACKAGE.parent / name
    if in_checkout.is_dir() and (PACKAGE.parent / "pyproject.toml").is_file():
        return in_checkout
    raise FileNotFoundError(f"the shipped folder {name!r} is missing from this installation, at {packaged}")
