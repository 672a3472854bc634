"""What `check` said of exactly these files, by exactly this program: kept, and said again.

Kept in the user's cache folder are, by a digest of all that a check reads: its whole list of problems with the texts
that they stand in; and for each game the results of the stages of its last check, for when one file has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulespec.diagnostics.model import Problem
from rulespec.kept.memo import Memo
from rulespec.kept.problems import from_texts, with_texts
from rulespec.kept.stages import stages_of
from rulespec.source import store
from rulespec.source.files import ENDINGS, MAX_FILES
from rulespec.source.folders import entries_below
from rulespec.source.own import own_folders
from rulespec.source.plain import MAX_FILE_BYTES, plain_bytes
from rulespec.source.program import program_digest
from rulespec.source.shipped import NOT_A_GAME, content_root, games


@dataclass(frozen=True, slots=True)
class Said:
    """What a check says of one game: problems, named as they are read, and what tools are told of the game."""

    problems: list[Problem] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)


def digest_of(folders: Iterable[Path], words: Sequence[str] = ()) -> str | None:
    """A text that changes as soon as a file of these folders, a word, the engine's words, a pack or the program does.

    None where that cannot be told: something cannot be read, or is too large to be worth it.
    """
    try:
        shipped = games()
        listed = (f"{name} {place}" for name, place in shipped.items())
        parts: list[str | bytes] = [program_digest(), "\n".join(words), "\n".join(listed)]
        for place in dict.fromkeys(place for folder in (*folders, *_shared(shipped)) for place in _files(folder)):
            parts += (str(place), _bytes(place))
    except (OSError, ValueError):
        return None
    return store.digest(*parts)


def _shared(shipped: Iterable[str]) -> Iterator[Path]:
    """What every game reads: the engine's words, and what may be a language pack."""
    root = content_root()
    mine = {*shipped} - NOT_A_GAME
    yield from (place for place in sorted(root.iterdir()) if place.name not in mine)
    yield from own_folders()


def _files(place: Path) -> Iterator[Path]:
    """The content files of a folder. Raises ValueError for more or larger ones than a game may have, and for links.

    What cannot be read, or lies too deep, raises OSError or ValueError.
    """
    inside = entries_below(place.resolve()) if place.is_dir() else (place,)
    found = sorted(each for each in inside if each.name.endswith(ENDINGS) or each.is_symlink())
    if len(found) > MAX_FILES or any(each.is_symlink() or each.stat().st_size > MAX_FILE_BYTES for each in found):
        raise ValueError(place)
    yield from (each for each in found if each.is_file())


def _bytes(place: Path) -> bytes:
    """Those of one file. Raises OSError, and ValueError for one that is being changed."""
    found = plain_bytes(place, MAX_FILE_BYTES)
    if found is None:
        raise ValueError(place)
    return found


# ---- what is kept ----------------------------------------------------------------------------------------------------


def recall(digest: str | None) -> Said | None:
    """What was kept under a digest; None where nothing was."""
    data = None if digest is None else store.read(f"check-{digest}")
    try:
        return None if data is None else Said(from_texts(data), {str(k): str(v) for k, v in data["facts"].items()})
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def keep(digest: str | None, said: Said) -> None:
    """Keeps what a check says. That it cannot be kept is no fault."""
    if digest is not None:
        store.write(f"check-{digest}", {**with_texts(said.problems), "facts": said.facts})


def read_stages(folder: Path | None, variants: Sequence[str]) -> Memo:
    """The results of the stages of the last check; none where there are none, or no folder."""
    return Memo() if folder is None else Memo.read(stages_of(folder, variants))
