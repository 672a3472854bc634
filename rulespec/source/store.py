"""What can be made again and is kept for the next time: plain data by name, in the user's cache folder.

Content comes from strangers, and so may what lies in a folder that others can write to: the folder must be the user's
own, data is JSON and nothing that could run, and each file begins with a digest of its name and the rest (`sealed`), so
that one that was cut short, changed or put in another's place counts as not there.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rulespec.source.cache import cache_file
from rulespec.source.sealed import UNFINISHED, read_sealed, write_sealed

MOST_BYTES = 64_000_000  #: all files together; those that were not used for the longest time go first
MOST_FILES = 400
LARGEST = 8_000_000  #: one file

_NAME = re.compile(r"[a-z]+-[0-9a-f]{32}")
_ENDING = ".json"
_KIND = "kept"
_LEFT_BEHIND = 3_600  #: seconds after which what was not written to its end is nobody's any more


def digest(*parts: str | bytes) -> str:
    """32 hexadecimal digits of some texts, in this order."""
    made = blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", errors="surrogatepass")
        made.update(len(data).to_bytes(8, "little"))
        made.update(data)
    return made.hexdigest()


def read(name: str) -> Any:
    """What was kept under a name (a word, a dash, a digest); None where nothing was, or it is not as it was written."""
    place = _place(name)
    body = None if place is None else read_sealed(place, _KIND, LARGEST)
    if place is None or body is None:
        return None
    try:
        kept = json.loads(body)
    except (ValueError, RecursionError):
        return None
    with suppress(OSError):
        os.utime(place)  # used just now
    return kept


def write(name: str, data: Any) -> bool:
    """Keeps plain data under a name; whether that was possible. That it is not is no fault: a cache is a help."""
    place = _place(name)
    if place is None:
        return False
    try:
        body = json.dumps(data, ensure_ascii=True, separators=(",", ":"), check_circular=False).encode("ascii")
        if len(body) > LARGEST:
            return False
        write_sealed(place, _KIND, body)
        _make_room(place.parent)
    except (OSError, ValueError, TypeError, RecursionError):
        return False
    return True


def _place(name: str) -> Path | None:
    """The file of a name; None where there is no folder that is the user's alone."""
    if not _NAME.fullmatch(name):
        raise ValueError(name)
    folder = cache_file("kept")
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder / (name + _ENDING) if _is_own(folder) else None
    except OSError:
        return None


def _is_own(folder: Path) -> bool:
    """Whether a folder is no link, belongs to the user, and others cannot write to it."""
    if not hasattr(os, "getuid"):
        return True  # where there are no such owners, the user's folders are the user's
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _make_room(folder: Path) -> None:
    """Takes away what was not used for the longest time, until the rest is within bounds."""
    found: list[tuple[float, int, str]] = []
    now = time.time()
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                if entry.name.startswith(UNFINISHED):
                    if about.st_mtime < now - _LEFT_BEHIND:
                        Path(entry.path).unlink(missing_ok=True)
                    continue
                found.append((about.st_mtime, about.st_size, entry.path))
    size = sum(each for _, each, _ in found)
    for number, (_, each, path) in enumerate(sorted(found)):
        if size <= MOST_BYTES and len(found) - number <= MOST_FILES:
            return
        with suppress(OSError):
            Path(path).unlink(missing_ok=True)
        size -= each
