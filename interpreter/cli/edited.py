"""Files of content that are to be changed: shown as a diff, and written, all of them or none, when a person agrees."""

from __future__ import annotations

import difflib
import errno
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from interpreter.cli.common import UsageError, say
from interpreter.log import put_in_place, write_beside

_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}".encode()


@dataclass(frozen=True, slots=True)
class Read:
    """A file as it was read: its text, and where it lay with all links followed; None where that is no place of it."""

    text: str
    path: Path | None


def change(before: Mapping[str, Read], after: Mapping[str, str], *, agreed: bool) -> bool:
    """Shows what changes, and writes it where that is agreed to, or a person says so; whether it is written.

    Raises UsageError where a file cannot be written; then none is.
    """
    for name in sorted(after):
        say("".join(_diff(name, before[name].text, after[name])).rstrip("\n"))
    if not (agreed or _agrees(after)):
        return False
    _write(before, after)
    return True


def place_of(name: str, home: Path) -> Path | None:
    """Where a file lies; None where a link has led out of the game's folder since it was read."""
    path = Path(os.path.realpath(name))
    return path if path.is_relative_to(home) or not Path(name).is_relative_to(home) else None


def _diff(name: str, old: str, new: str) -> Iterator[str]:
    """A unified diff of one file, named from the current folder."""
    shown = _from_here(name)
    lines = difflib.unified_diff(_lines(old), _lines(new), f"a/{shown}", f"b/{shown}")
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Lines as they are compared: their breaks stay as they are in the file, and are not shown."""
    return [line.removesuffix("\r\n").removesuffix("\n") + "\n" for line in text.splitlines(keepends=True)]


def _from_here(name: str) -> str:
    try:
        return Path(name).relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return name.lstrip("/")


def _agrees(after: Mapping[str, str]) -> bool:
    """Asks whether the files are to be written; at no terminal nobody is there to say so."""
    if not sys.stdin.isatty():
        say("Nothing is written: say --yes to write this.", stream=sys.stderr)
        return False
    files = "this file" if len(after) == 1 else f"these {len(after)} files"
    print(f"\nWrite {files}? [y/N] ", end="", flush=True, file=sys.stderr)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _write(before: Mapping[str, Read], after: Mapping[str, str]) -> None:
    """Writes all files, each whole; none where one of them cannot be written or is another one meanwhile."""
    ready: list[_Change] = []
    name = ""
    try:
        for name, text in after.items():
            ready.append(_ready(name, before[name], text))
        for change in ready:
            name = change.name
            change.new.replace(change.path)
    except BaseException as fault:
        left = _taken_back(ready)
        what = "Nothing is written." if not left else f"Mended, and not to be taken back: {', '.join(left)}."
        if isinstance(fault, OSError):
            reason = fault.strerror or str(fault)
            raise UsageError(f"{_from_here(name)} cannot be written: {reason}. {what}") from fault
        if left:
            say(what, stream=sys.stderr)
        raise
    finally:
        for change in ready:
            with suppress(OSError):
                change.new.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _Change:
    """A file with what was in it, and the new one beside it that is to take its place."""

    name: str
    path: Path
    raw: bytes
    new: Path


def _taken_back(changes: Iterable[_Change]) -> list[str]:
    """Puts the old files back where new ones took their places; those of which that fails, which stay whole."""
    left = []
    for change in changes:
        if not change.new.exists():
            try:
                put_in_place(_beside(change.path, change.raw), change.path)
            except OSError:
                left.append(_from_here(change.name))
    return left


def _ready(name: str, old: Read, text: str) -> _Change:
    path = Path(os.path.realpath(name))
    raw = path.read_bytes() if path == old.path else b""
    mark = _BOM if raw.startswith(_BOM) else b""
    if path != old.path or raw != mark + old.text.encode("utf-8"):
        raise UsageError(f"{_from_here(name)} was changed meanwhile: nothing is written.")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "it is write-protected")
    return _Change(name, path, raw, _beside(path, mark + text.encode("utf-8")))


def _beside(path: Path, data: bytes) -> Path:
    """A new file with the mode of another one, in the same folder."""
    return write_beside(path, data, path.stat().st_mode & 0o777)[0]
