"""Gives large contents to commands, each in a process of its own, and measures it.

for measured in run(["many_rules"], ["check"], limit=60): ...
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

SECONDS = 60  #: of the processor for one command
MEMORY = 500 << 20  #: bytes that it may hold
_PEAK = re.compile(r"^peak (\d+)$", re.MULTILINE)

#: Each command; `{}` is the content's folder, `{out}` a folder to write to.
COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check", "{}"),
    "sarif": ("check", "{}", "--format", "sarif"),
    "json": ("check", "{}", "--format", "json"),
    "texts check": ("texts", "check", "{}"),
    "texts accept": ("texts", "accept", "{}", "--all", "--lang", "fr"),
    "texts compare": ("texts", "compare", "--game", "{}", "en={out}/en.txt", "fr={out}/fr.txt"),
    "book": ("book", "{}", "--out", "{out}/book.html"),
    "show": ("show", "{}"),
    "show ir": ("show", "{}", "--ir"),
    "diff": ("diff", "{}", "--variant", "{out}/more.yaml"),
    "sources": ("sources", "{}"),
    "why": ("why", "{}", "values.n"),
    "test": ("test", "{}"),
    "play": ("play", "{}", "--seats", "random,random", "--seed", "1", "--most-decisions", "30"),
    "greedy": ("play", "{}", "--seats", "greedy,greedy", "--seed", "1", "--most-decisions", "30"),
    "simulate": ("simulate", "{}", "--games", "3", "--out", "{out}/games", "--most-seconds", "20"),
    "new": ("new", "variant", "{out}/windy", "--from", "{}"),
    "lsp": ("lsp", "{}"),
    "bench": ("bench", "{}", "--seconds", "2", "--most-seconds", "20"),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """How a command went with a content: its seconds of the processor, the bytes it held at most, what it said last."""

    kind: str
    command: str
    status: int
    seconds: float
    held: int
    size: int
    says: str
    fault: str

    def __str__(self) -> str:
        told = f"{self.kind:22} {self.command:14} {self.seconds:6.1f} s {self.held >> 20:5} MB {self.size >> 10:6} KB"
        return f"{told} exit {self.status} {self.says[:90]}" + (f"  FAULT: {self.fault}" if self.fault else "")


def run(
    contents: Iterable[tuple[str, Callable[[], dict[str, str]]]], commands: Iterable[str], limit: int = SECONDS
) -> Iterator[Measured]:
    """Each content with each command."""
    wanted = list(commands)
    for kind, make in contents:
        with tempfile.TemporaryDirectory(prefix="heavy-") as home:
            folder, out = Path(home, "game"), Path(home, "out")
            out.mkdir()
            for name, text in make().items():
                place = folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")
            _write_beside(out)
            for command in wanted:
                yield _measured(kind, command, folder, out, limit)


def _write_beside(out: Path) -> None:
    """What commands ask for beside a content: rulebooks, and a variant."""
    from bench.heavy.kinds import sentence

    variant = "variant: {id: more, title: {en: More}, changes: [{set: values.n, to: 4}]}\n"
    (out / "more.yaml").write_text(variant, encoding="utf-8")
    for language in ("en", "fr"):
        text = "\n\n".join(sentence(language, at) for at in range(1_000))
        (out / f"{language}.txt").write_text(text, encoding="utf-8")


def _measured(kind: str, command: str, folder: Path, out: Path, limit: int) -> Measured:
    words = [word.replace("{out}", str(out)).replace("{}", str(folder)) for word in COMMANDS[command]]
    with (out / "stdout").open("wb") as told, (out / "stderr").open("wb") as err:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "bench.heavy.worker", str(limit + 20), *words], stdout=told, stderr=err, cwd=_HERE
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = code = os.waitstatus_to_exitcode(status)
    errors = (out / "stderr").read_text(encoding="utf-8", errors="replace")
    size = (out / "stdout").stat().st_size
    with (out / "stdout").open("rb") as stream:
        stream.seek(max(0, size - 2_000))
        lines = stream.read().decode("utf-8", "replace").strip().split("\n")
    peak = _PEAK.search(errors)
    held = int(peak[1]) if peak is not None else used.ru_maxrss * 1024
    errors = _PEAK.sub("", errors).strip()
    seconds = used.ru_utime + used.ru_stime
    says = errors.split("\n")[-1] if errors else lines[-1]
    return Measured(kind, command, code, seconds, held, size, says, _fault(code, seconds, held, errors, limit))


def _fault(code: int, seconds: float, held: int, errors: str, limit: int) -> str:
    if "Traceback" in errors:
        return "a traceback"
    if code not in (0, 1, 2):
        return f"exit status {code}"
    if seconds > limit:
        return f"more than {limit} seconds"
    return f"more than {MEMORY >> 20} MB" if held > MEMORY else ""


_HERE = Path(__file__).resolve().parents[2]


def limited(seconds: int) -> None:
    """This process and those that it begins have no more than so many seconds of the processor each."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
