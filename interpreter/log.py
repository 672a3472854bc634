"""Logs of games: JSON lines, one for each decision and each event, which can be replayed and verified.

A log begins with a header that says what was loaded and with which seed; then stand, in order, what happened in the
set-up, each decision with the digest of the state after it, and what it caused; last a result line.

    log = GameLog.start("game.log", game, seed=7)
    state = log.state
    while state.decision is not None:
        option = state.options()[0]
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    log.finish(state)

A seat's log (`seat=`) holds what that seat may know: no seed, no piece that it does not see, digests of its own view.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.log_lines import LONGEST_LOG, Line, LineWriter
from rulespec.source.text import readable

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.options import Option
    from interpreter.state import State


#: which file it is, and how large
Identity = tuple[int, int]


def write_whole(path: Path, text: str) -> Identity | None:
    """Writes a file whole or not at all: beside it first, then in its place; which file that is. Raises OSError.

    What is no plain file, such as /dev/null or a pipe, stays what it is: the text goes into it. A link stays too, and
    who may read a file that was there. Names of files in the text, such as a variant's, may be no UTF-8: bytes that are
    not have a mark.
    """
    text = readable(text)
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", newline="\n")
        return None
    path = Path(os.path.realpath(path))  # `resolve` raises another fault for links that lead round
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    new, written = write_beside(path, text.encode("utf-8"), mode)
    put_in_place(new, path)
    return written


def put_in_place(new: Path, path: Path) -> None:
    """A file that was written beside another one takes its place, or is gone. Raises OSError."""
    try:
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def write_beside(path: Path, data: bytes, mode: int) -> tuple[Path, Identity | None]:
    """A new file that is to take the place of another one, in the same folder; which one it is. Raises OSError."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            written = _identity_of(os.fstat(file.fileno()))
        Path(name).chmod(mode)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name), written


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def as_text(lines: Iterable[Line]) -> str:
    """Lines as they stand in a log."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def readable_text(lines: Iterable[Line]) -> str:
    """As `as_text`. Raises OSError (EOVERFLOW) where it would be longer than a log or a save that is read."""
    text = as_text(lines)
    _must_be_read(len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass")))
    return text


def _must_be_read(size: int) -> None:
    if size > LONGEST_LOG:
        most = f"{LONGEST_LOG // 1_000_000} million bytes"
        raise OSError(errno.EOVERFLOW, f"it would have more than {most}, and a longer one is not read")


class GameLog:
    """A log being written; `state` is the game's first state. `path` None keeps it in memory alone (see `lines`).

    Where its file can no longer be written, or another program has written to it, OSError is raised, with the file's
    name; with `on_fault` that is called instead, and the log goes on in memory alone. What was in the file stays.
    """

    def __init__(self, path: Path | None, writer: LineWriter, state: State, lines: list[Line], n: int = 0):
        self.path = path
        self.keeps_lines = True
        self.state = state
        self.lines = lines
        self.n = n
        self.on_fault: Callable[[OSError], None] | None = None
        self._writer = writer
        self._left: Identity | None = None  # the file as it was left

    @classmethod
    def start(
        cls, path: str | Path | None, game: Game, seed: int, *, seat: int | None = None, keeps_lines: bool = True
    ) -> GameLog:
        """Begins a game and its log: the file is made whole, with its header and what the set-up did.

        `seat` makes it that seat's log. Without `keeps_lines` what comes later goes into the file alone: nothing can be
        taken back then, and a long game needs no more memory than a short one. Raises OSError where the file cannot be
        written.
        """
        writer = LineWriter(game, seat)
        state = game.start(seed, events=True)
        lines = [writer.header(seed, state), *writer.events(state)]
        log = cls(None if path is None else Path(path), writer, state, lines)
        log.keeps_lines = keeps_lines
        log.rewrite()
        return log

    @classmethod
    def resume(cls, path: str | Path | None, game: Game, lines: list[Line], state: State) -> GameLog:
        """Goes on with the lines of a game that was saved; the file is made whole again."""
        n = sum(1 for line in lines if "n" in line)
        log = cls(None if path is None else Path(path), LineWriter(game), state, list(lines), n)
        log.rewrite()
        return log

    def decision(self, before: State, option: Option, after: State, seconds: float | None = None) -> None:
        """Adds a decision and (where `after` was made with `events=True`) what it caused.

        `seconds` is how long a person had the question before them.
        """
        self.n += 1
        if self.path is None and not self.keeps_lines:
            return
        line = self._writer.decision(self.n, before, option, after)
        line |= {} if seconds is None else {"seconds": seconds}
        self._add([line, *self._writer.events(after)])

    def note(self, player: str, text: str) -> None:
        """Adds what a player notes to the line of the last decision, or to the header; the file is made whole again."""
        line = next((line for line in reversed(self.lines) if "key" in line), self.lines[0])
        line.setdefault("notes", []).append({"player": player, "text": text})
        self.rewrite()

    def remember(self, lines: Iterable[Line]) -> None:
        """Takes over how long was thought and what was noted from the lines of the same decisions, made before."""
        kept = {line.get("n", 0): line for line in lines if "key" in line or "log" in line}
        for line in self.lines:
            if "key" in line or "log" in line:
                before = kept.get(line.get("n", 0), {})
                line |= {name: before[name] for name in ("seconds", "notes") if name in before}
        self.rewrite()

    def events(self, after: State) -> None:
        """Adds what happened on the way to a state, without a decision."""
        self._add(self._writer.events(after))

    def finish(self, state: State) -> None:
        """Adds the result line; a game that is not over is marked as left there."""
        self._add([self._writer.result(state)])

    def undo(self, decisions: int = 1) -> None:
        """Takes back the last decisions and what they caused; the file is made whole again."""
        self.n = max(self.n - decisions, 0)
        kept = next((i for i, line in enumerate(self.lines) if line.get("n") == self.n + 1), len(self.lines))
        del self.lines[kept:]
        self.rewrite()

    def rewrite(self) -> None:
        """Writes the whole file anew."""
        if self.path is not None:
            self._into_file(self.path, lambda path: write_whole(path, readable_text(self.lines)))

    def _add(self, lines: list[Line]) -> None:
        """Whole lines at a time, so that whoever reads along never sees a part of a decision."""
        if self.keeps_lines:
            self.lines += lines
        if self.path is not None and lines:
            self._into_file(self.path, lambda path: _append(path, as_text(lines), self._left))

    def _into_file(self, path: Path, write: Callable[[Path], Identity | None]) -> None:
        try:
            self._must_be_left(path)
            self._left = write(path)
            self._must_be_left(path)  # another program may have put its own there meanwhile
        except OSError as fault:
            told = OSError(fault.errno, fault.strerror or str(fault), str(path))
            if self.on_fault is None:
                raise told from None
            self.path = None
            self.on_fault(told)

    def _must_be_left(self, path: Path) -> None:
        """Raises OSError where the file is not as it was left."""
        if self._left is not None:
            _must_be(self._left, path.stat())


def _must_be(expected: Identity | None, about: os.stat_result) -> None:
    if expected is not None and _identity_of(about) != expected:
        raise OSError(errno.EBUSY, "another program has written to it")


def _append(path: Path, text: str, expected: Identity | None) -> Identity | None:
    """Adds lines to the file that is expected there, all or none; which file that is now. Raises OSError."""
    data = text.encode("utf-8")
    with path.open("ab", buffering=0) as file:
        _must_be(expected, os.fstat(file.fileno()))
        size = file.tell()
        _must_be_read(size + len(data))
        at = 0
        try:
            while at < len(data):
                at += file.write(data[at:]) or 0
        except OSError:
            if at and file.seekable():
                file.truncate(size)
            raise
        return _identity_of(os.fstat(file.fileno()))


def _identity_of(about: os.stat_result) -> Identity | None:
    """Which file it is; None for what is no plain file, such as a pipe."""
    return (about.st_ino, about.st_size) if stat.S_ISREG(about.st_mode) else None


def seat_log(game: Game, seed: int, keys: Iterable[str], seat: int) -> str:
    """What a seat's log of a whole game holds, from the game's seed and keys. Raises IllegalOption."""
    log = GameLog.start(None, game, seed, seat=seat)
    state = log.state
    for key in keys:
        option = state.option(key)
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    log.finish(state)
    return as_text(log.lines)
