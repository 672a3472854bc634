"""One program at a time: the lock of a file that is open, which the system takes back however a program ends.

file = path.open("ab")
if not is_alone(file): ...    # another program has it
file.close()                  # lets it go
"""

from __future__ import annotations

import errno
import sys
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FAR = 1 << 40  #: where no file has a byte: there it can be locked and still be read
_TAKEN = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)


def is_alone(file: IO[Any]) -> bool:
    """Whether no other program has a file; until it is closed, no other one gets it.

    Where the file's system knows no locks, everybody has it.
    """
    try:
        _lock(file.fileno())
    except OSError as fault:
        return fault.errno not in _TAKEN
    return True


if sys.platform == "win32":

    def _lock(handle: int) -> None:
        import os

        at = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, at, os.SEEK_SET)

else:

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
