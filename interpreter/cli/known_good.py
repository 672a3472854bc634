"""Games that were checked with exactly these files, by exactly this program, and had no problem: known good.

What is kept in the user's cache folder is a digest for each, with what `check` prints of it. Nothing is kept of games
that have problems: those are checked anew each time.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from rulespec.source.cache import cache_file
from rulespec.source.files import ENDINGS, MAX_FILE_BYTES, MAX_FILES
from rulespec.source.shipped import PACKAGE, content_root

MOST_KEPT = 200  #: digests, the newest
MOST_BYTES = 1_000_000  #: of the file that they are kept in

Facts = dict[str, str]
_WORD = re.compile(r"\w{1,100}")


def digest_of(folders: Iterable[Path], words: Iterable[str] = ()) -> str | None:
    """A text that changes as soon as a file of these folders, a word, the shipped content or the program does.

    None where that cannot be told: something cannot be read, or is too large to be worth it.
    """
    made = hashlib.sha256(f"{sys.version}\n{_program()}\n{sorted(words)}\n".encode())
    try:
        for folder in (content_root(), *folders):
            for place in _files(folder.resolve()):
                made.update(f"{place}\n{place.stat().st_size}\n".encode())
                made.update(place.read_bytes())
    except (OSError, ValueError):
        return None
    return made.hexdigest()


def _program() -> str:
    """The program's own files, by size and time: they do not change while it is installed."""
    places = (place for ending in ("*.py", "*.yaml", "*.lark") for place in sorted(PACKAGE.rglob(ending)))
    return "\n".join(f"{place} {place.stat().st_size} {place.stat().st_mtime_ns}" for place in places)


def _files(folder: Path) -> Iterator[Path]:
    """The content files of a folder. Raises ValueError for more or larger ones than a game may have, and for links."""
    found = sorted(place for place in folder.rglob("*") if place.name.endswith(ENDINGS) or place.is_symlink())
    if len(found) > MAX_FILES or any(place.is_symlink() or place.stat().st_size > MAX_FILE_BYTES for place in found):
        raise ValueError(folder)
    yield from (place for place in found if place.is_file())


# ---- what is kept ----------------------------------------------------------------------------------------------------


def _read(place: Path) -> dict[str, Facts]:
    """Everything that is kept; nothing where the file is not as it was written."""
    try:
        if place.stat().st_size > MOST_BYTES:
            return {}
        kept = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(kept, dict) or not all(_is_facts(facts) for facts in kept.values()):
        return {}
    return kept


def _is_facts(facts: object) -> bool:
    return isinstance(facts, dict) and all(
        isinstance(value, str) and _WORD.fullmatch(value) for value in facts.values()
    )


def recall(digest: str | None) -> Facts | None:
    """What was kept under a digest; None where nothing was."""
    place = cache_file("known_good.json")
    return None if digest is None or place is None else _read(place).get(digest)


def keep(digest: str | None, facts: Facts) -> None:
    """Keeps what is known of files that have no problem. A cache is a help: that it cannot be written is no fault."""
    place = cache_file("known_good.json")
    if digest is None or place is None or not _is_facts(facts):
        return
    from interpreter.log import write_whole

    kept = {**_read(place), digest: facts}
    newest = dict(list(kept.items())[-MOST_KEPT:])
    with suppress(OSError):
        write_whole(place, json.dumps(newest))
