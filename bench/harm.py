"""A command of ours run in a process that meets harm: killed at some moment, or with a disk that has no room.

with Place() as place:
    ended = run(command("new", "game", "island"), place.folder, Harm(operation=3))
"""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import io
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Self

PIPE = 1 << 20  #: bytes
PATIENCE = 120.0  #: seconds on the wall after which a process counts as hanging
CHANGES = frozenset({
    "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod",
    "shutil.copyfile", "shutil.rmtree", "tempfile.mkstemp", "tempfile.mkdtemp",
})  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT

Deed = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Harm:
    """What a process meets. It is killed before its so manieth change of files, behind so many bytes of one file, or
    after so many seconds; with `full`, no file can have more than so many bytes.
    """

    operation: int | None = None
    byte: int | None = None
    seconds: float | None = None
    full: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: its exit status, below zero for a signal, and what it had printed."""

    status: int
    out: str
    err: str

    @property
    def is_killed(self) -> bool:
        return self.status < 0

    def faults(self) -> list[str]:
        """What is wrong however a command ends: a traceback, a hang, an exit status that there is not."""
        found = [f"a traceback: {self.err[-2000:]}"] if "Traceback (most recent call last)" in self.err else []
        known = (0, 1, 2, -signal.SIGKILL, -signal.SIGXFSZ)
        return found + ([f"exit status {self.status}: {self.err[-500:]}"] if self.status not in known else [])


def command(*words: str) -> Deed:
    """What runs the command line."""

    def deed() -> int:
        from interpreter.cli.main import main

        return main(list(words))

    return deed


def start(deed: Deed, folder: Path, harm: Harm = Harm(), typed: str = "") -> Started:
    """Begins a deed in a process of its own, in a folder; `typed` is its standard input."""
    pipes = [_pipe() for _ in range(3)]  # no files: those may have no room
    os.write(pipes[0][1], typed.encode())
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _be_harmed(deed, folder, harm, (pipes[0][0], pipes[1][1], pipes[2][1]), pipes)
    with contextlib.suppress(OSError):  # whoever of both comes first
        os.setpgid(pid, pid)
    for handle in (*pipes[0], pipes[1][1], pipes[2][1]):
        os.close(handle)
    outputs = (pipes[1][0], pipes[2][0])
    return Started(pid, outputs, None if harm.seconds is None else time.monotonic() + harm.seconds)


def _pipe() -> tuple[int, int]:
    """A pipe that holds more than a command prints."""
    read, write = os.pipe()
    if sys.platform == "linux":
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, PIPE)
    return read, write


def run(deed: Deed, folder: Path, harm: Harm = Harm(), typed: str = "") -> Ended:
    """Does a deed in a process of its own, and waits for its end."""
    return start(deed, folder, harm, typed).wait()


@dataclass(slots=True)
class Started:
    """A process that runs."""

    pid: int
    outputs: tuple[int, int]
    killed_at: float | None = None

    def wait(self) -> Ended:
        """Its end; it is killed when its time has come."""
        ends = time.monotonic() + PATIENCE
        at = min(ends, self.killed_at or ends)
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() >= at:
                os.killpg(self.pid, signal.SIGKILL)
                status = os.waitpid(self.pid, 0)[1]
                break
            time.sleep(0.0005)
        hung = "" if time.monotonic() < ends else "Traceback (most recent call last): it hung\n"
        texts = [_all_of(handle) for handle in self.outputs]
        return Ended(os.waitstatus_to_exitcode(status), texts[0], hung + texts[1])


def _all_of(handle: int) -> str:
    """What is in a pipe; processes that the one that ended has begun may hold it still."""
    os.set_blocking(handle, False)
    found = b""
    try:
        while data := os.read(handle, PIPE):
            found += data
    except BlockingIOError:
        pass
    os.close(handle)
    return found.decode("utf-8", "replace")


def _be_harmed(
    deed: Deed, folder: Path, harm: Harm, streams: tuple[int, int, int], pipes: list[tuple[int, int]]
) -> None:
    """The life of the new process."""
    status = 70
    try:
        os.setpgid(0, 0)
        os.chdir(folder)
        for number, handle in enumerate(streams):
            os.dup2(handle, number)
        for pipe in pipes:
            for handle in pipe:
                os.close(handle)
        sys.stdin, sys.stdout, sys.stderr = (
            open(0, encoding="utf-8", closefd=False),  # noqa: SIM115 - the numbers of open files
            open(1, "w", encoding="utf-8", closefd=False),  # noqa: SIM115
            open(2, "w", encoding="utf-8", closefd=False),  # noqa: SIM115
        )
        _arm(harm, folder.parent)
        status = deed()
        sys.stdout.flush()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _arm(harm: Harm, around: Path) -> None:
    most = harm.byte if harm.byte is not None else harm.full
    if most is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if harm.full is None else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    if harm.operation is not None:
        _count_down(harm.operation, str(around))


def _count_down(operation: int, around: str) -> None:
    """Kills this process just before one of its changes of files."""
    left = operation

    def seen(event: str, args: tuple[Any, ...]) -> None:
        nonlocal left
        changes = event in CHANGES or (event == "open" and isinstance(args[2], int) and args[2] & WRITING)
        if not changes or (str(args[0]).startswith("/") and not str(args[0]).startswith(around)):
            return
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(seen)


def some_harm(random: Random, operations: int, size: int, seconds: float) -> Harm:
    """One of the ways to be killed, at a moment by chance."""
    return random.choice((
        Harm(operation=random.randrange(operations)),
        Harm(byte=random.randrange(1, size)),
        Harm(seconds=random.uniform(0, seconds)),
    ))  # fmt: skip


class Place:
    """A folder of a trial's own, with a cache folder beside that is used while it is open."""

    def __init__(self, base: Path | None = None) -> None:
        self._made = tempfile.TemporaryDirectory(prefix="trial-", dir=base, ignore_cleanup_errors=True)
        self.folder = Path(self._made.name, "here")
        self.cache = Path(self._made.name, "cache")
        self._before: dict[str, str | None] = {}

    def __enter__(self) -> Self:
        self.folder.mkdir()
        self.cache.mkdir(mode=0o700)
        for name, value in (("XDG_CACHE_HOME", str(self.cache)), ("RULESPEC_NO_CACHE", None)):
            self._before[name] = os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        return self

    def __exit__(self, *fault: object) -> None:
        for name, value in self._before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        self._made.cleanup()


# ---- a run of trials -------------------------------------------------------------------------------------------------

Trial = Callable[[Random], list[str]]


def trials(kinds: Mapping[str, Trial], names: list[str], count: int, seed: int) -> int:
    """Does each kind of trial so often, tells what went wrong, and gives the exit status."""
    total = 0
    for name in names:
        begun, wrong = time.monotonic(), 0
        for number in range(count):
            found = kinds[name](Random(f"{name} {seed} {number}"))
            wrong += bool(found)
            for each in found:
                print(f"{name}, trial {number}: {each}", flush=True)
        total += wrong
        print(f"{name}: {count} trials, {wrong} lost something, {time.monotonic() - begun:.0f} s", flush=True)
    return 1 if total else 0


def preload() -> None:
    """Reads the program once, so that the processes of the trials begin at once."""
    import interpreter.cli.main
    import interpreter.play.asking
    import interpreter.play.session
    import interpreter.report
    import interpreter.save
    import interpreter.simulate.dataset
    import interpreter.simulate.run
    from interpreter.cli.commands import available, load

    for name in available():
        load(name)
    codecs.lookup("utf-8-sig")
    with contextlib.redirect_stdout(io.StringIO()):  # what is read late
        interpreter.cli.main.main(["check", "tic_tac_toe", "--no-cache"])
