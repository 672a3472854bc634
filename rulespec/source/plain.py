"""The bytes of a file that may be no file any more when it is opened, or may change while it is read."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

MAX_FILE_BYTES: Final = 1_000_000  #: one file of content
TRIES: Final = 3  #: how often a file is read that is being changed

#: Without waiting: a pipe that nobody writes to would be waited for for ever.
_OPEN: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


class NoFile(OSError):
    """What was opened is a folder, a pipe or a device."""

    def __init__(self) -> None:
        super().__init__("it is not a file")


def plain_bytes(path: Path, most: int) -> bytes | None:
    """The bytes of a file, and one more than `most` of a larger one; None where it changes each time that it is read.

    What was looked at before may be something else by now, so what is open is asked. Raises OSError, and ValueError
    for a name that is no path.
    """
    for _ in range(TRIES):
        with os.fdopen(os.open(path, _OPEN), "rb") as stream:
            before = os.fstat(stream.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise NoFile
            raw = stream.read(most + 1)
            after = os.fstat(stream.fileno())
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return raw
    return None
