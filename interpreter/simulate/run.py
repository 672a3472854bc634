"""A whole run: playing what is missing, keeping it, and counting it."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from interpreter.game import Game
from interpreter.simulate.compare import Pairs
from interpreter.simulate.journal import Journal
from interpreter.simulate.local import Pool
from interpreter.simulate.order import Order
from interpreter.simulate.plan import Plan, game_of, versions
from interpreter.simulate.records import Record
from interpreter.simulate.remote import Farm
from interpreter.simulate.tally import Tally

#: Seconds between two lines of progress.
PAUSE: Final = 0.5


@dataclass(slots=True)
class Results:
    """What came of a run. `pairs` has each further arm beside the first; `was_stopped`: it was left before its end."""

    plan: Plan
    games: list[Game]
    tallies: list[Tally]
    pairs: tuple[Pairs, ...]
    seconds: float
    was_stopped: bool = False
    about: dict[str, Any] = field(default_factory=dict)
    language: str = "en"  # of the content's names in what is said of the results


def simulate(
    plan: Plan,
    *,
    folder: Path | Journal | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    resume: bool = False,
    see: Callable[[Record], None] | None = None,
) -> Results:
    """Plays a plan that has its fingerprints; what is finished stays in the folder, whatever happens.

    `see` is called with every record in the end, one after the other. A Ctrl-C ends the playing, not this function.
    No other program can use the folder meanwhile; with a journal, until that is released.
    Raises OtherRun, WorkerFault and NoDask.
    """
    if isinstance(folder, Journal):
        return _simulate(plan, folder, jobs, scheduler, resume=resume, see=see)
    if folder is not None:
        with Journal(folder) as journal:
            return _simulate(plan, journal, jobs, scheduler, resume=resume, see=see)
    with tempfile.TemporaryDirectory(prefix="rulespec-games-") as name, Journal(Path(name)) as journal:
        return _simulate(plan, journal, jobs, scheduler, resume=False, see=see)


def _simulate(
    plan: Plan,
    journal: Journal,
    jobs: int,
    scheduler: str | None,
    *,
    resume: bool,
    see: Callable[[Record], None] | None,
) -> Results:
    games = [game_of(plan, arm) for arm in range(len(plan.arms))]
    about = versions(games[0])
    order = Order(plan, journal.begin(plan, about, resume=resume), journal.keep)
    progress = Progress(order.finished, plan.tasks)
    was_stopped = False

    def seen() -> None:
        journal.flush()
        progress.show(order.finished)

    try:
        players = Farm(plan, order, scheduler) if scheduler is not None else Pool(plan, order, jobs)
        players.run(seen)
    except KeyboardInterrupt:
        was_stopped = True
    finally:
        progress.end()
        journal.close()
    results = Results(
        plan,
        games,
        [Tally(plan.players) for _ in plan.arms],
        tuple(Pairs(arm) for arm in range(1, len(plan.arms))),
        progress.seconds,
        was_stopped,
        about,
    )
    _count(results, journal, see)
    return results


def _count(results: Results, journal: Journal, see: Callable[[Record], None] | None) -> None:
    for record in journal.records():
        if record["task"] >= results.plan.tasks:
            continue
        results.tallies[record["arm"]].add(record)
        for pairs in results.pairs:
            pairs.add(record)
        if see is not None:
            see(record)


class Progress:
    """A line on the terminal: how many games are over, and how long the others may take."""

    def __init__(self, done: int, tasks: int):
        self._before, self._tasks = done, tasks
        self._begun = self._shown = time.perf_counter()
        self._is_shown = bool(getattr(sys.stderr, "isatty", lambda: False)())
        self._written = False
        self.seconds = 0.0

    def show(self, done: int) -> None:
        """The line again, where somebody sees it."""
        now = time.perf_counter()
        if not self._is_shown or now - self._shown < PAUSE:
            return
        self._shown, self._written = now, True
        print(f"\r{self.told(done, now - self._begun)}\x1b[K", end="", file=sys.stderr, flush=True)

    def told(self, done: int, seconds: float) -> str:
        """The words of the line."""
        played = done - self._before
        rate = played / seconds if seconds else 0.0
        left = _time((self._tasks - done) / rate) if played else "…"
        return f"{done:,} of {self._tasks:,} games, {rate:,.1f} a second, {left} left"

    def end(self) -> None:
        """Leaves the line."""
        self.seconds = time.perf_counter() - self._begun
        if self._written:
            print(file=sys.stderr)


def _time(seconds: float) -> str:
    """A time for people: `42 s`, `3 min 05 s`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole // 60 % 60:02} min"
