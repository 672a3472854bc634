"""Makes games, has them examined by a worker, and makes those small with which something went wrong.

outcome = run(seed=1, count=100)
"""

from __future__ import annotations

import math
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from bench.fuzz.run import Worker
from bench.games.coverage import Coverage, rows_of_tree
from bench.games.make import as_yaml, make_game
from bench.games.shrink import shrunk

TURNS = 3  #: games of one seed among which one is taken
RENEWED = 400  #: games of one worker, so that what it holds stays what a game needs
TOLD_EVERY = 60.0  #: seconds


@dataclass(slots=True)
class Fault:
    """Something that went wrong, with the game made small."""

    kind: str
    where: str
    says: str
    trace: str
    seed: int
    tree: dict[str, Any]
    seen: int = 1

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.where


@dataclass(slots=True)
class Outcome:
    """What a run did. `refused` and `misses` are by code: as made, and after what was wrong was taken out."""

    made: int = 0
    examined: int = 0
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    refused_games: int = 0
    misses: Counter[str] = field(default_factory=Counter)
    missed: int = 0
    content: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    coverage: Coverage = field(default_factory=Coverage)
    faults: dict[tuple[str, str], Fault] = field(default_factory=dict)

    def __str__(self) -> str:
        return "\n".join((
            f"{self.made} games made, {self.examined} examined ({self.games} games played, {self.decisions} decisions),"
            f" {self.seconds:.0f} seconds of the processor",
            f"refused as made: {self.refused_games}, by code {dict(self.refused.most_common())}",
            f"still refused when what is wrong was taken out: {self.missed}, by code {dict(self.misses.most_common())}",
            f"faults of the content in play: {dict(self.content.most_common()) or 'none'}; "
            f"the native executor gave up: {dict(self.given_up.most_common(9)) or 'never'}",
            str(self.coverage),
            f"different faults: {len(self.faults)}",
        ))  # fmt: skip


def run(
    *,
    seed: int = 0,
    seconds: float = math.inf,
    count: float = math.inf,
    out: Path | None = None,
    kept: Path | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Makes the games of a seed and those behind it, for a time or up to a number; faults are written to `out`.

    `kept` is a file of what earlier runs met: then of several games of a seed the one is taken that adds the most.
    """
    outcome, worker = Outcome(), _worker()
    if kept is not None:
        outcome.coverage = Coverage.read(kept)
    ends, told = time.monotonic() + seconds, time.monotonic()
    try:
        with suppress(KeyboardInterrupt):  # whoever ends a long run wants to know how far it came
            while time.monotonic() < ends and outcome.made < count:
                if outcome.made % RENEWED == RENEWED - 1:
                    worker.close()
                number = seed + outcome.made
                turn = 0 if kept is None else _best_turn(number, outcome.coverage)
                _note(outcome, worker.ask({"seed": number, "turn": turn}), tell, turn)
                if kept is not None and outcome.made % 25 == 0:
                    outcome.coverage.write(kept)
                if time.monotonic() > told + TOLD_EVERY:
                    told = time.monotonic()
                    tell(f"{outcome.made} games made, {outcome.seconds:.0f} seconds; the next has seed {number + 1}")
        for fault in outcome.faults.values():
            _shrink(worker, fault, tell)
    finally:
        worker.close()
        if kept is not None:
            outcome.coverage.write(kept)
    if outcome.faults:
        _write(outcome, out or Path(tempfile.mkdtemp(prefix="games-")), tell)
    return outcome


def _worker() -> Worker:
    return Worker("bench.games.worker")


def _best_turn(seed: int, coverage: Coverage) -> int:
    """Which of the games of a seed would add the most to what was met."""
    return max(range(TURNS), key=lambda turn: coverage.worth(rows_of_tree(make_game(seed, turn))))


def _note(outcome: Outcome, answer: dict[str, Any], tell: Callable[[str], None], turn: int = 0) -> None:
    """Adds what became of one game."""
    number = answer.get("seed", answer.get("case", {}).get("seed", 0))
    outcome.made += 1
    outcome.seconds += answer.get("seconds", 0)
    outcome.refused.update(answer.get("codes", ()))
    outcome.refused_games += bool(answer.get("codes"))
    if answer["fault"] is not None:
        tree = yaml.safe_load(answer["text"]) if "text" in answer else make_game(number, turn)
        fault = Fault(answer["fault"], answer["where"], answer["says"], answer["trace"], number, tree)
        if fault.key in outcome.faults:
            outcome.faults[fault.key].seen += 1
        else:
            outcome.faults[fault.key] = fault
            tell(f"seed {number}: {fault.kind} in {fault.where}: {fault.says[:300]}")
    elif answer["refused"]:
        outcome.missed += 1
        outcome.misses.update(answer["refused"])
    else:
        outcome.examined += 1
        outcome.games += answer["games"]
        outcome.decisions += answer["decisions"]
        outcome.content.update(answer["faults"])
        outcome.given_up.update(answer["given_up"])
        outcome.coverage.add(answer["rows"], answer["forms"])


def _shrink(worker: Worker, fault: Fault, tell: Callable[[str], None]) -> None:
    """The smallest tree found with the same fault."""

    def still(tree: dict[str, Any]) -> dict[str, Any] | None:
        answer = worker.ask({"seed": fault.seed, "text": as_yaml(tree), "mended": True})
        same = (answer["fault"], answer.get("where")) == fault.key
        found: dict[str, Any] | None = yaml.safe_load(answer["text"]) if same and "text" in answer else None
        return found

    if still(fault.tree) is not None:
        fault.tree = shrunk(fault.tree, still)
    lines = as_yaml(fault.tree).count("\n")
    tell(f"{fault.kind} in {fault.where}: {fault.seen} times, made small to {lines} lines")


def _write(outcome: Outcome, out: Path, tell: Callable[[str], None]) -> None:
    """Each fault in a folder of its own: the game, and a note."""
    for number, fault in enumerate(outcome.faults.values(), 1):
        folder = out / f"{number:02}_{fault.kind}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "made.yaml").write_text(as_yaml(fault.tree), encoding="utf-8")
        note = (
            f"{fault.kind} in {fault.where}: {fault.says}\nseed {fault.seed}, seen {fault.seen} times\n\n{fault.trace}"
        )
        (folder / "fault.txt").write_text(note, encoding="utf-8")
    tell(f"written to {out}")
