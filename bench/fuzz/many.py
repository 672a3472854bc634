"""Very many damaged inputs through `check`, in a process that lives long: `python -m bench.fuzz --damaged`.

outcome = many(seed=1, first=0, count=1000, tell=print)
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.fuzz.run import Outcome, Worker, note, shrunk, write_fault
from bench.fuzz.worker import in_memory

LIVES = 20_000  #: cases after which a process is started anew
SETTLED = 1_000  #: cases after which a process has made what it keeps
MOST_GROWTH = 120 << 20  #: bytes that it may hold more than when it had settled, once for the first large game
TOLD_EVERY = 60.0  #: seconds
MOST = 1 << 40  #: inputs, where no number is said


@dataclass(slots=True)
class Many:
    """How a run went: its faults, how many inputs were played, and for each code how many had such a problem.

    `seconds` are those of the processor that the inputs took; `kinds` and `games` say how often what was damaged how.
    """

    outcome: Outcome = field(default_factory=Outcome)
    played: int = 0
    faultless: int = 0
    seconds: float = 0.0
    #: the most bytes that a process held behind an input; what it may ask for at all is bounded to 500 MB
    held: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)

    def told(self) -> str:
        """The run in a line."""
        return (
            f"{self.outcome.cases:,} inputs, {self.played:,} played, {self.faultless:,} without a problem, "
            f"{len(self.codes)} codes, {len(self.outcome.faults)} different faults, "
            f"{self.seconds / 3600:.2f} hours of the processor, {self.held >> 20} MB held at most"
        )

    def told_what(self) -> str:
        """How often each kind of damage was done, and each game damaged."""
        parts = (
            ", ".join(f"{name} {count:,}" for name, count in each.most_common()) for each in (self.kinds, self.games)
        )
        return "; ".join(parts)


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
    run, ends = Many(), time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=in_memory()) as home:
        life = _Life(home, seed, out, tell)
        try:
            with suppress(KeyboardInterrupt):  # whoever ends a long run wants to know how far it came
                _go(run, life, range(first, first + int(min(count, MOST))), ends)
        finally:
            life.worker.close()
    _write_codes(run, out)
    return run


def _go(run: Many, life: _Life, numbers: range, ends: float) -> None:
    told = time.monotonic()
    for number in numbers:
        now = time.monotonic()
        if now > ends:
            return
        if now - told > TOLD_EVERY:
            told = now
            _write_codes(run, life.out)
            life.tell(f"up to {number:,}: {run.told()}")
        _one(run, life, number)


def _write_codes(run: Many, out: Path) -> None:
    """By which input each code was first met."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "codes.json").write_text(json.dumps(dict(sorted(run.first.items())), indent=1) + "\n", encoding="utf-8")


@dataclass(slots=True)
class _Life:
    """The process that checks, since it was started, the folder that it keeps games in, and what was asked for."""

    home: str
    seed: int
    out: Path
    tell: Callable[[str], None]
    worker: Worker = field(default_factory=Worker)
    cases: int = 0
    settled: int = 0
    has_grown: bool = False

    def begin_anew(self) -> None:
        """Another process."""
        self.worker.close()
        self.cases = self.settled = 0
        self.has_grown = False


def _one(run: Many, life: _Life, number: int) -> None:
    case: dict[str, Any] = {
        "name": f"{life.seed}-{number}",
        "kind": "damaged",
        "seed": life.seed,
        "number": number,
        "files": {},
    }
    case["home"] = life.home
    answer = life.worker.ask(case)
    life.cases += 1
    run.seconds += answer.get("spent", 0.0)
    run.held = max(run.held, answer.get("resident", 0))
    _grown(life, answer, case)
    known = len(run.outcome.faults)
    answer.get("case", {}).pop("home", None)  # it is gone at the end
    note(run.outcome, answer, life.tell)
    if answer["fault"] is not None:
        life.begin_anew()
        if len(run.outcome.faults) > known:
            _write_down(run, life)
        return
    run.played += answer["played"]
    run.faultless += not answer["codes"]
    run.codes.update(answer["codes"])
    run.kinds[answer["how"]] += 1
    run.games[answer["game"]] += 1
    for code in answer["codes"]:
        run.first.setdefault(code, number)
    if life.cases >= LIVES:
        life.begin_anew()


def _write_down(run: Many, life: _Life) -> None:
    """The newest fault, made small, at once: a long run may be ended."""
    fault = [*run.outcome.faults.values()][-1]
    if fault.case["files"]:
        fault.case = shrunk(life.worker, fault)
        life.begin_anew()
    write_fault(life.out, len(run.outcome.faults), fault)
    life.tell(f"written to {life.out}")


def _grown(life: _Life, answer: dict[str, Any], case: dict[str, Any]) -> None:
    """Makes a fault of a process that holds more and more."""
    held = answer.get("resident", 0)
    if life.cases == SETTLED:
        life.settled = held
    if not life.settled or held <= life.settled + MOST_GROWTH or answer["fault"] is not None:
        return
    if not life.has_grown:  # the first large game of a process fills what it keeps of a game; the next one does not
        life.has_grown, life.settled = True, held
    else:
        says = f"{held >> 20} MB are held after {life.cases} cases, {life.settled >> 20} MB after {SETTLED}"
        answer.update(fault="leak", says=says, where="?", trace="", case=case)
