"""`check --fix`: the certain mends of games, shown as a diff, and written when a person, or `--yes`, agrees."""

from __future__ import annotations

import difflib
import errno
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli import kept_checks
from interpreter.cli.common import UsageError, say
from interpreter.log import put_in_place, write_beside

if TYPE_CHECKING:
    from rulespec.service.fixing import Mended
    from rulespec.source.text import Span

_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}".encode()


def fix_games(folders: Sequence[Path], *, agreed: bool) -> bool:
    """Mends games; whether all that there is to mend is mended. Raises UsageError where a file cannot be written."""
    before: dict[str, _Read] = {}
    after: dict[str, str] = {}
    made: set[tuple[str, str, Span]] = set()
    for folder in dict.fromkeys(each.resolve() for each in folders):  # one game may be named twice
        files, mended = _mended(folder)
        before |= {name: files[name] for name in mended.texts}
        after |= mended.texts
        made |= {(each.code, each.message, each.span) for each in mended.made}
    if not after:
        return True
    for name in sorted(after):
        say("".join(_diff(name, before[name].text, after[name])).rstrip("\n"))
    if not (agreed or _agrees(after)):
        return False
    _write(before, after)
    where = "1 file" if len(after) == 1 else f"{len(after)} files"
    say(f"Mended {len(made)} {'problem' if len(made) == 1 else 'problems'} in {where}.\n", stream=sys.stderr)
    return True


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as it was read: its text, and where it lay with all links followed; None where that is no place of it."""

    text: str
    path: Path | None


def _mended(home: Path) -> tuple[dict[str, _Read], Mended]:
    """The files of a game as they are, and the game mended."""
    from interpreter.lsp.files import read_files
    from rulespec.diagnostics.model import Problems
    from rulespec.game_source import engine_trees
    from rulespec.service.fixing import mend_all
    from rulespec.service.problems import Snapshot, Trees, problems_of

    read = read_files(home)
    lost = tuple(problem for found in read.lost.values() for problem in found)
    snapshot = Snapshot(home.as_posix(), tuple(sorted(read.texts.items())), engine_trees(Problems()), lost)
    files = {name: _Read(text, _place(name, home)) for name, text in read.texts.items()}
    memo, trees = kept_checks.read_stages(home, []), Trees()
    return files, mend_all(snapshot, lambda each: problems_of(each, memo, trees))


def _place(name: str, home: Path) -> Path | None:
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


def _write(before: Mapping[str, _Read], after: Mapping[str, str]) -> None:
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


def _ready(name: str, old: _Read, text: str) -> _Change:
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
