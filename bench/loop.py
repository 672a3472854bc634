"""How soon the loop of editing, checking and playing answers.

    python -m bench.loop
    python -m bench.loop --game agora_barcelona --rounds 3

In seconds of the processor and by the clock, each of a process of its own with all it takes to start, the median of
some rounds; the folder is a copy. `cold` has an empty cache folder, `unchanged` is the same check again. After an
edit what was kept of the check before helps. `first prompt` is `rulespec play` until it asks. `first of watch` is the
time from a faulty edit until `check --watch` shows a problem, by the clock, with its pause between two looks at the
files. Nothing else should run.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulespec.source.shipped import games

_FIGURE = re.compile(r"(?m)^  [a-z_]+: (?:\{is: )?([0-9]+)\b")
_CALM = 0.5


@dataclass(slots=True)
class Bench:
    """A copy of a game, and a cache folder of its own."""

    folder: Path
    cache: Path

    def run(self, *words: str) -> tuple[float, float]:
        """Seconds of the processor and by the clock of one command."""
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(  # noqa: S603 - the program itself
            _command(*words), env=self._environment(), input="", capture_output=True, text=True, check=False
        )
        clock = time.perf_counter() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1) or "Traceback" in done.stderr:
            raise SystemExit(done.stderr)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name != "RULESPEC_NO_CACHE"}
        return {**kept, "XDG_CACHE_HOME": str(self.cache), "LOCALAPPDATA": str(self.cache), "PYTHONUNBUFFERED": "1"}

    def check(self) -> tuple[float, float]:
        """A check of the copy."""
        return self.run("check", str(self.folder))

    def first_of_watch(self, edit: Callable[[], None]) -> float:
        """Seconds by the clock from an edit until the watching check says something of it."""
        command = _command("check", str(self.folder), "--watch")
        with subprocess.Popen(  # noqa: S603 - as above
            command, env=self._environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            assert process.stdout is not None
            lines: list[float] = []
            reader = threading.Thread(target=_note_lines, args=(process.stdout, lines))
            reader.start()
            _wait_until_calm(lines)
            count, begun = len(lines), time.perf_counter()
            edit()
            while len(lines) == count:
                time.sleep(0.005)
            took = lines[count] - begun
            process.terminate()
            reader.join()
        return took


def _command(*words: str) -> list[str]:
    return [sys.executable, "-c", "import sys; from interpreter.cli.main import main; sys.exit(main())", *words]


def _note_lines(stream: object, lines: list[float]) -> None:
    for line in stream:  # type: ignore[attr-defined]
        if line.strip() and not line.rstrip().endswith(" has changed."):
            lines.append(time.perf_counter())  # noqa: PERF401 - as they come


def _wait_until_calm(lines: list[float]) -> None:
    """Until the first check is said in full."""
    while not lines or time.perf_counter() - lines[-1] < _CALM:
        time.sleep(0.02)


# ---- edits -----------------------------------------------------------------------------------------------------------


def replaced(folder: Path, pattern: re.Pattern[str], new: Callable[[str], str], section: str) -> None:
    """Changes the first place that fits, in the first file with this section, by the order of names."""
    for place in sorted(folder.rglob("*.yaml")):
        text = place.read_text(encoding="utf-8")
        at = f"\n{text}".find(f"\n{section}:")
        found = pattern.search(text, max(at, 0)) if at >= 0 else None
        if found is not None and "\nvariant:" not in f"\n{text}":
            place.write_text(text[: found.start(1)] + new(found.group(1)) + text[found.end(1) :], encoding="utf-8")
            return
    raise SystemExit(f"No file of {folder} has a section `{section}` with {pattern.pattern}")


def edit_text(folder: Path) -> None:
    """One word more in a message."""
    replaced(folder, re.compile(r'\ben: "?([A-Za-z]+)\b'), lambda word: f"{word} now", "messages")


def edit_rule(folder: Path) -> None:
    """One word more in a rule's text."""
    replaced(folder, re.compile(r"(?m)^ +en: (?:>-\n +)?([A-Za-z]+)\b"), lambda word: f"{word} now", "rules")


def edit_figure(folder: Path) -> None:
    """A constant is one more."""
    replaced(folder, _FIGURE, lambda number: str(int(number) + 1), "values")


def edit_action(folder: Path) -> None:
    """An action does nothing more: a step that is always allowed."""
    replaced(folder, re.compile(r"(?m)^    do:\n()"), lambda _: "      - require: 1 == 1\n", "actions")


def break_action(folder: Path) -> None:
    """An action requires what nothing is called."""
    replaced(folder, re.compile(r"(?m)^    do:\n()"), lambda _: "      - require: nothing_is_called_so\n", "actions")


EDITS: dict[str, Callable[[Path], None]] = {
    "text": edit_text,
    "rule": edit_rule,
    "figure": edit_figure,
    "action": edit_action,
}


def main() -> None:
    """Measures everything, in rounds."""
    parser = argparse.ArgumentParser(prog="python -m bench.loop", description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="barcelona")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(arguments.rounds):
        for what, took in _round(games()[arguments.game]):
            found.setdefault(what, []).append(took)
    print(f"{arguments.game:24} {'processor':>10} {'clock':>8}")
    for what, each in found.items():
        processor, clock = (statistics.median(column) for column in zip(*each, strict=True))
        print(f"{what:24} {processor:9.2f}s {clock:7.2f}s" if processor else f"{what:24} {'':10} {clock:7.2f}s")


def _round(game: Path) -> list[tuple[str, tuple[float, float]]]:
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(Path(place, game.name), Path(place, "cache"))
        bench.cache.mkdir()
        shutil.copytree(game, bench.folder)
        found = [("cold", bench.check()), ("unchanged", bench.check())]
        for what, edit in EDITS.items():
            edit(bench.folder)
            found.append((f"after an edit: {what}", bench.check()))
        bench.run("play", str(bench.folder), "--seed", "1")
        found.append(("first prompt", bench.run("play", str(bench.folder), "--seed", "1")))
        found.append(("first of watch", (0.0, bench.first_of_watch(lambda: break_action(bench.folder)))))
        return found


if __name__ == "__main__":
    main()
