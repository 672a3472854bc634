"""A file that several programs change: one after the other, and each time whole or not at all.

    with changing(path) as stream:
        stream.write(f"{path.read_text()}and a line")

The new text goes into a file beside it, which only one program can make at a time and which then takes its place. So no
system's own locks are needed, and whoever reads the file meanwhile has the old one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO, TypeVar

PATIENCE: Final = 10.0  #: seconds that are waited for another program
_PAUSE: Final = 0.02
_Result = TypeVar("_Result")


class BusyFile(Exception):
    """Another program has been changing a file for too long, or was stopped while it did; the words say which file."""


@contextmanager
def changing(path: Path, patience: float = PATIENCE) -> Iterator[TextIO]:
    """A stream for the new text of a file. Meanwhile no other program is let in; where this raises, nothing is changed.

    Raises BusyFile where another program does not end within `patience` seconds.
    """
    beside = path.with_name(f".{path.name}.new")
    ends = time.monotonic() + patience
    with _stream(beside, ends) as stream:
        try:
            yield stream
            stream.close()
            _patiently(lambda: beside.replace(path), ends)
        except BaseException:
            stream.close()
            beside.unlink(missing_ok=True)
            raise


def _stream(beside: Path, ends: float) -> TextIO:
    """The file beside, made by this program alone."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    while True:
        try:
            handle = _patiently(lambda: os.open(beside, flags, 0o666), ends)
            return os.fdopen(handle, "w", encoding="utf-8", newline="\n")
        except FileExistsError:
            if time.monotonic() > ends:
                raise BusyFile(f"{beside.name} is there: another program is writing, or was stopped.") from None
            time.sleep(_PAUSE)


def _patiently(deed: Callable[[], _Result], ends: float) -> _Result:
    """Does something that Windows refuses while another program has the file open; elsewhere it is done or refused."""
    while True:
        try:
            return deed()
        except PermissionError:
            if os.name != "nt" or time.monotonic() > ends:
                raise
            time.sleep(_PAUSE)
