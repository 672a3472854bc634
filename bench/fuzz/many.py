"""Very many damaged inputs through `check`, in a process that lives long: `python -m bench.fuzz --damaged`.

outcome = many(seed=1, first=0, count=1000, tell=print)
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.fuzz.run import Outcome, Worker, note, shrunk, write_fault

LIVES = 20_000  #: cases after which a process is started anew
SETTLED = 1_000  #: cases after which a process has made what it keeps
MOST_GROWTH = 160 << 20  #: bytes that it may hold more at the end than when it had settled
TOLD_EVERY = 60.0  #: seconds


@dataclass(slots=True)
class Many:
    """How a run went: its faults, how many inputs were played, and for each code how many had such a problem.

    `seconds` are those of the processor that the inputs took.
    """

    outcome: Outcome = field(default_factory=Outcome)
    played: int = 0
    faultless: int = 0
    seconds: float = 0.0
    codes: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)

    def told(self) -> str:
        """The run in a line."""
        return (
            f"{self.outcome.cases:,} inputs, {self.played:,} played, {self.faultless:,} without a problem, "
            f"{len(self.codes)} codes, {len(self.outcome.faults)} different faults, "
            f"{self.seconds / 3600:.2f} hours of the processor"
        )


def many(
    *,
    seed: int,
    first: int = 0,
    count: float,
    seconds: float,
    out: Path,
    tell: Callable[[str], None] = lambda text: None,
) -> Many:
    """Checks the inputs from a number on, for a time or up to so many. Faults are made small and written to `out`."""
    run, life = Many(), _Life()
    ends, number, told = time.monotonic() + seconds, first, time.monotonic()
    try:
        while time.monotonic() < ends and number < first + count:
            _one(run, life, seed, number, out, tell)
            number += 1
            if time.monotonic() - told > TOLD_EVERY:
                told = time.monotonic()
                _write_codes(run, out)
                tell(f"up to {number:,}: {run.told()}")
    finally:
        life.worker.close()
    _write_codes(run, out)
    return run


def _write_codes(run: Many, out: Path) -> None:
    """By which input each code was first met."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "codes.json").write_text(json.dumps(dict(sorted(run.first.items())), indent=1) + "\n", encoding="utf-8")


@dataclass(slots=True)
class _Life:
    """The process that checks, since it was started."""

    worker: Worker = field(default_factory=Worker)
    cases: int = 0
    settled: int = 0

    def begin_anew(self) -> None:
        """Another process."""
        self.worker.close()
        self.cases = self.settled = 0


def _one(run: Many, life: _Life, seed: int, number: int, out: Path, tell: Callable[[str], None]) -> None:
    case = {"name": f"{seed}-{number}", "kind": "damaged", "seed": seed, "number": number, "files": {}}
    answer = life.worker.ask(case)
    life.cases += 1
    run.seconds += answer.get("spent", 0.0)
    _grown(life, answer, case)
    known = len(run.outcome.faults)
    note(run.outcome, answer, tell)
    if answer["fault"] is not None:
        life.begin_anew()
        if len(run.outcome.faults) > known:
            _write_down(run, life, out, tell)
        return
    run.played += answer["played"]
    run.faultless += not answer["codes"]
    run.codes.update(answer["codes"])
    for code in answer["codes"]:
        run.first.setdefault(code, number)
    if life.cases >= LIVES:
        life.begin_anew()


def _write_down(run: Many, life: _Life, out: Path, tell: Callable[[str], None]) -> None:
    """The newest fault, made small, at once: a long run may be ended."""
    fault = [*run.outcome.faults.values()][-1]
    if fault.case["files"]:
        fault.case = shrunk(life.worker, fault)
        life.begin_anew()
    write_fault(out, len(run.outcome.faults), fault)
    tell(f"written to {out}")


def _grown(life: _Life, answer: dict[str, Any], case: dict[str, Any]) -> None:
    """Makes a fault of a process that holds more and more."""
    held = answer.get("resident", 0)
    if life.cases == SETTLED:
        life.settled = held
    if life.settled and held > life.settled + MOST_GROWTH and answer["fault"] is None:
        says = f"{held >> 20} MB are held after {life.cases} cases, {life.settled >> 20} MB after {SETTLED}"
        answer.update(fault="leak", says=says, where="?", trace="", case=case)
