"""A file that several programs change: one after the other, and each time whole or not at all.

    with changing(path) as stream:
        stream.write(f"{path.read_text()}and a line")

The new text goes into a file beside it, which only one program can have at a time and which then takes its place, so
that whoever reads the file meanwhile has the old one. The system takes the lock of that file from a program that was
killed; on Windows, where an open file cannot take another's place, the program is alone that could make the file.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO, TypeVar

from rulespec.source.alone import is_alone

_LOCKS: Final = os.name != "nt"
PATIENCE: Final = 10.0  #: seconds that are waited for another program
_PAUSE: Final = 0.02
_OWN: Final = stat.S_IRUSR | stat.S_IWUSR  #: without which a file that was left could not be opened again
_Result = TypeVar("_Result")


class BusyFile(Exception):
    """Another program has been changing a file for too long, or was stopped while it did; the words say which file."""


@contextmanager
def changing(path: Path, patience: float = PATIENCE) -> Iterator[TextIO]:
    """A stream for the new text of a file. Meanwhile no other program is let in; where this raises, nothing is changed.

    Who may read and write the file stays as it is.
    Raises BusyFile where another program does not end within `patience` seconds.
    """
    beside = path.with_name(f".{path.name}.new")
    ends = time.monotonic() + patience
    with _stream(beside, ends) as stream:
        try:
            mode = _mode_of(path)
            if mode is not None:
                os.fchmod(stream.fileno(), mode | _OWN)  # before there is anything to read in it
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if mode is not None:
                os.fchmod(stream.fileno(), mode)
            if _LOCKS:
                beside.replace(path)  # while it is locked still
            else:
                stream.close()
                _patiently(lambda: beside.replace(path), ends)
        except BaseException:
            if not _LOCKS:
                stream.close()
            beside.unlink(missing_ok=True)
            raise


def _mode_of(path: Path) -> int | None:
    """Who may read and write a file; None where there is none, and on Windows, where modes say nothing of that."""
    try:
        return stat.S_IMODE(path.stat().st_mode) & 0o777 if _LOCKS else None
    except FileNotFoundError:
        return None


def _stream(beside: Path, ends: float) -> TextIO:
    """The file beside, empty and this program's alone."""
    while True:
        stream = _locked(beside) if _LOCKS else _made(beside, ends)
        if stream is not None:
            return stream
        if time.monotonic() > ends:
            raise BusyFile(f"{beside.name} is there: another program is writing, or was stopped.")
        time.sleep(_PAUSE)


def _locked(beside: Path) -> TextIO | None:
    """The file beside, whoever made it; None while another program has it.

    What another program left is emptied, but nothing that has another name too: folders come from strangers.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    stream = os.fdopen(os.open(beside, flags, 0o666), "w", encoding="utf-8", newline="\n")
    about = os.fstat(stream.fileno())
    is_plain = stat.S_ISREG(about.st_mode) and about.st_nlink == 1
    if is_plain and is_alone(stream) and _leads_to(beside, about):
        stream.truncate(0)
        return stream
    stream.close()
    return None


def _leads_to(beside: Path, about: os.stat_result) -> bool:
    """Whether it is that file still: while this program waited for it, it may have taken the other's place."""
    try:
        return os.path.samestat(beside.lstat(), about)
    except FileNotFoundError:
        return False


def _made(beside: Path, ends: float) -> TextIO | None:
    """The file beside, made by this program; None where it is there."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        handle = _patiently(lambda: os.open(beside, flags, 0o666), ends)
    except FileExistsError:
        return None
    return os.fdopen(handle, "w", encoding="utf-8", newline="\n")


def _patiently(deed: Callable[[], _Result], ends: float) -> _Result:
    """Does something that Windows refuses while another program has the file open; elsewhere it is done or refused."""
    while True:
        try:
            return deed()
        except PermissionError:
            if os.name != "nt" or time.monotonic() > ends:
                raise
            time.sleep(_PAUSE)
