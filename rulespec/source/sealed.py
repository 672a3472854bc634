"""Files of the cache that are read only as they were written: each begins with a digest of what follows.

    write_sealed(place, "tables", b"...")
    read_sealed(place, "tables", most=1_000_000)    # b"...", or None

The digest is of the file's name and kind too, so that one file put in another's place counts as not there, like one
that was cut short or changed, that is a link, or that others than the user could have written.
"""

from __future__ import annotations

import os
import stat
import tempfile
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from rulespec.source.cache import is_own

UNFINISHED = ".new-"  #: what the name of a file begins with that is not written to its end
_LEFT_BEHIND = 3_600  #: seconds after which such a file is nobody's any more
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def read_sealed(place: Path, kind: str, most: int) -> bytes | None:
    """What `write_sealed` put into a file, at most so many bytes of it; None where it is not as it was written."""
    try:
        with os.fdopen(os.open(place, _OPEN), "rb") as file:
            about = os.fstat(file.fileno())  # of the file that is open, whatever its name leads to now
            if not stat.S_ISREG(about.st_mode) or not is_own(about):
                return None
            raw = b"" if about.st_size > most + 100 else file.read(about.st_size)
    except OSError:
        return None
    head, _, body = raw.partition(b"\n")
    return body if len(body) <= most and head == _seal(place, kind, body) else None


def write_sealed(place: Path, kind: str, body: bytes) -> None:
    """Writes a file whole or not at all, so that several programs can write it at once. Raises OSError."""
    handle, name = tempfile.mkstemp(prefix=UNFINISHED, dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_seal(place, kind, body) + b"\n" + body)
        Path(name).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise


def keep_newest(folder: Path, pattern: str, most: int) -> None:
    """Of the files of a pattern only so many stay; what programs that were ended have left unfinished goes too."""
    found = []
    for place in folder.glob(pattern):
        with suppress(OSError):
            found.append((place.lstat().st_mtime_ns, place))
    for _, place in sorted(found, reverse=True)[most:]:
        with suppress(OSError):
            place.unlink()
    _sweep(folder)


def _sweep(folder: Path) -> None:
    before = time.time() - _LEFT_BEHIND
    for place in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if place.lstat().st_mtime < before:
                place.unlink()


def _seal(place: Path, kind: str, body: bytes) -> bytes:
    made = blake2b(digest_size=16, person=b"rulespec sealed")
    for part in (kind.encode(), place.name.encode(), body):
        made.update(len(part).to_bytes(8, "little"))
        made.update(part)
    return made.hexdigest().encode("ascii")
