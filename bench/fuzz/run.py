"""Gives cases to workers, shrinks those that show a fault, and writes them down outside the project.

faults = fuzz(seed=1, seconds=60, jobs=2)
"""

from __future__ import annotations

import json
import math
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from bench.fuzz.cases import ROOT, make_case
from bench.fuzz.worker import DEADLINE

#: seconds after which a worker that does not answer is ended, since it may hang inside of one operation: of the
#: processor's time, where the system tells that (a busy machine is no fault), or without any of it, on the wall
PATIENCE = 30 * DEADLINE
MOST_SHRINKING = 120  #: tries to make one case smaller
SLOW = ("late", "hang")  #: faults each try of which takes long


@dataclass(slots=True)
class Fault:
    """A case that went wrong: the kind of fault, what it says, where, and the case made small."""

    kind: str
    says: str
    where: str
    trace: str
    case: dict[str, Any]
    seen: int = 1

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.where


@dataclass(slots=True)
class Outcome:
    """What a run did: how many cases, and the faults, each place once."""

    cases: int = 0
    faults: dict[tuple[str, str], Fault] = field(default_factory=dict)


class Worker:
    """A process that runs cases; started anew after one that killed it."""

    def __init__(self, module: str = "bench.fuzz.worker") -> None:
        self._module = module
        self._process: subprocess.Popen[str] | None = None

    def ask(self, case: dict[str, Any]) -> dict[str, Any]:
        """How a case went; `hang` and `death` are faults of the process as a whole."""
        self.send(case)
        return self.answer(case)

    def send(self, case: dict[str, Any]) -> None:
        """Gives a case to the process."""
        try:
            self._write(case)
        except BrokenPipeError:  # it had told its last answer and was just ending
            self.close()
            self._write(case)

    def _write(self, case: dict[str, Any]) -> None:
        process = self._alive()
        assert process.stdin is not None
        process.stdin.write(json.dumps(case) + "\n")
        process.stdin.flush()

    def answer(self, case: dict[str, Any]) -> dict[str, Any]:
        """Waits for the answer to the case that was sent."""
        process = self._alive()
        assert process.stdout is not None
        if not _answers(process, process.stdout):
            self.close()
            return {"fault": "hang", "says": "no answer", "where": "?", "trace": "", "case": case}
        line = process.stdout.readline()
        if not line:
            status = process.wait()
            self.close()
            return {"fault": "death", "says": f"exit status {status}", "where": "?", "trace": "", "case": case}
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                with suppress(BrokenPipeError):  # what it was not able to read goes with it
                    pipe.close()

    def _alive(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is not None:
            self.close()  # it has told its last answer and ended
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - one of our own modules
                [sys.executable, "-m", self._module],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        return self._process


def _answers(process: subprocess.Popen[str], output: IO[str]) -> bool:
    """Waits for an answer; whether one came before the worker's time was up."""
    begun, moved = _spent(process.pid), time.monotonic()
    last = begun
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while not selector.select(1.0):
            spent = _spent(process.pid)
            if spent != last:
                last, moved = spent, time.monotonic()
            if spent - begun > PATIENCE or time.monotonic() - moved > PATIENCE:
                return False
    return True


def _spent(pid: int) -> float:
    """Seconds of the processor's time that a process has had; 0 where the system does not tell."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def fuzz(
    *,
    seed: int,
    seconds: float = math.inf,
    cases: float = math.inf,
    jobs: int = 1,
    out: Path | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Runs cases one after another, for a time or up to a number. `out` is where faults are written, by default a new
    folder. Two runs with the same seed and number of cases try the same, on any machine.
    """
    outcome = Outcome()
    workers = [Worker() for _ in range(jobs)]
    ends = time.monotonic() + seconds
    number = 0
    try:
        while time.monotonic() < ends and number < cases:
            batch = [make_case(seed, number + i).data() for i in range(jobs)]
            number += jobs
            for worker, case in zip(workers, batch, strict=True):
                worker.send(case)
            for worker, case in zip(workers, batch, strict=True):
                note(outcome, worker.answer(case), tell)
        _shrink_all(outcome, workers[0], tell)
    finally:
        for worker in workers:
            worker.close()
    if outcome.faults:
        write_all(outcome, out or Path(tempfile.mkdtemp(prefix="fuzz-")), tell)
    return outcome


def note(outcome: Outcome, answer: dict[str, Any], tell: Callable[[str], None]) -> None:
    outcome.cases += 1
    if answer["fault"] is None:
        return
    fault = Fault(answer["fault"], answer["says"], answer["where"], answer["trace"], answer["case"])
    known = outcome.faults.get(fault.key)
    if known is not None:
        known.seen += 1
        return
    outcome.faults[fault.key] = fault
    tell(f"case {fault.case['name']}: {fault.kind} in {fault.where}: {fault.says[:200]}")


# ---- making cases small ---------------------------------------------------------------------------------------------


def _shrink_all(outcome: Outcome, worker: Worker, tell: Callable[[str], None]) -> None:
    for fault in outcome.faults.values():
        fault.case = shrunk(worker, fault)
        lines = sum(text.count("\n") + 1 for text in fault.case["files"].values())
        tell(f"{fault.kind} in {fault.where}: {fault.seen} times, made small to {lines} lines")


def shrunk(worker: Worker, fault: Fault) -> dict[str, Any]:
    """The case without files and lines that its fault does not need."""

    def holds(less: dict[str, Any]) -> bool:
        answer = worker.ask(less)
        return (answer["fault"], answer.get("where")) == fault.key

    return cut_down(fault.case, holds, MOST_SHRINKING if fault.kind not in SLOW else MOST_SHRINKING // 6)


def cut_down(case: dict[str, Any], holds: Callable[[dict[str, Any]], bool], tries: int) -> dict[str, Any]:
    """The case without files and lines that are not needed for something to hold of it, within a number of tries."""
    changed = True
    while changed:
        changed = False
        for less in smaller(case):
            if tries <= 0:
                return case
            tries -= 1
            if holds(less):
                case, changed = less, True
                break
    return case


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The case without one of its files, then without larger and smaller stretches of lines."""
    files = case["files"]
    for path in files if len(files) > 1 else ():
        yield {**case, "files": {p: text for p, text in files.items() if p != path}}
    for path, text in files.items():
        lines = text.split("\n")
        size = len(lines) // 2
        while size >= 1:
            for at in range(0, len(lines), size):
                yield {**case, "files": {**files, path: "\n".join(lines[:at] + lines[at + size :])}}
            size //= 2


def write_all(outcome: Outcome, out: Path, tell: Callable[[str], None]) -> None:
    """Each fault in a folder of its own."""
    for number, fault in enumerate(outcome.faults.values(), 1):
        write_fault(out, number, fault)
    tell(f"written to {out}")


def write_fault(out: Path, number: int, fault: Fault) -> None:
    """A fault in a folder: the files of its case, a note, and the case as `--case` takes it."""
    folder = out / f"{number:02}_{fault.kind}"
    for path, text in fault.case["files"].items():
        place = folder / "case" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode("utf-8", "surrogateescape"))
    folder.mkdir(parents=True, exist_ok=True)
    note = f"{fault.kind} in {fault.where}: {fault.says}\nseen {fault.seen} times\n\n{fault.trace}"
    (folder / "fault.txt").write_text(note, encoding="utf-8", errors="surrogateescape")
    (folder / "case.json").write_text(json.dumps(fault.case), encoding="utf-8")
