"""A whole run: playing what is missing, keeping it, and counting it."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Protocol

from interpreter.game import Game
from interpreter.simulate.compare import Pairs
from interpreter.simulate.counting import Counting
from interpreter.simulate.journal import Journal
from interpreter.simulate.local import Pool
from interpreter.simulate.order import Order
from interpreter.simulate.plan import Plan, game_of, versions
from interpreter.simulate.records import Record, from_line
from interpreter.simulate.remote import Farm
from interpreter.simulate.swift import is_random
from interpreter.simulate.tally import Tally
from interpreter.simulate.trends import Trends

#: Seconds between two lines of progress.
PAUSE: Final = 0.5


class Decider(Protocol):
    """Sees the records of a run, and calls `on_decided` with the number of tasks after which no more are wanted."""

    on_decided: Callable[[int], None]

    def see(self, record: Record) -> None:
        """One record, in any order."""
        ...


@dataclass(slots=True)
class Results:
    """What came of a run.

    `pairs` has each further arm in which as many play beside the first; `trends` what a sweep changes. `was_stopped`:
    it was left before its end.
    """

    plan: Plan
    games: list[Game]
    tallies: list[Tally]
    pairs: tuple[Pairs, ...]
    seconds: float
    was_stopped: bool = False
    about: dict[str, Any] = field(default_factory=dict)
    language: str = "en"  # of the content's names in what is said of the results
    trends: Trends | None = None

    @property
    def first_arm(self) -> Results:
        """The results of the first arm alone."""
        arm = self.plan.arms[0]
        plan = replace(self.plan.in_arm(0), arms=(arm,), swept=())
        return replace(self, plan=plan, games=self.games[:1], tallies=self.tallies[:1], pairs=(), trends=None)


def simulate(  # noqa: PLR0913  (what a run hangs on)
    plan: Plan,
    *,
    folder: Path | Journal | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    resume: bool = False,
    see: Callable[[Record], None] | None = None,
    watch: Decider | None = None,
    counts: bool = True,
) -> Results:
    """Plays a plan that has its fingerprints; what is finished stays in the folder, whatever happens.

    `see` is called with every record in the end, one after the other. With `watch` no more is played than decides its
    questions; without `counts` nothing is counted here. A Ctrl-C ends the playing, not this function.
    No other program can use the folder meanwhile; with a journal, until that is released.
    Raises OtherRun, WorkerFault and NoDask, and WrongStatement for a question about what there is not.
    """
    if isinstance(folder, Journal):
        return _simulate(plan, folder, jobs, scheduler, resume=resume, see=see, watch=watch, counts=counts)
    if folder is not None:
        with Journal(folder) as journal:
            return _simulate(plan, journal, jobs, scheduler, resume=resume, see=see, watch=watch, counts=counts)
    with tempfile.TemporaryDirectory(prefix="rulespec-games-") as name, Journal(Path(name)) as journal:
        alone = counts and see is None and watch is None and scheduler is None and len(plan.arms) == 1
        is_counted = alone and not plan.swept and is_random(plan)
        return _simulate(
            plan, journal, jobs, scheduler, resume=False, see=see, watch=watch, counts=counts, is_counted=is_counted
        )


def _simulate(  # noqa: PLR0913  (the same)
    plan: Plan,
    journal: Journal,
    jobs: int,
    scheduler: str | None,
    *,
    resume: bool,
    see: Callable[[Record], None] | None,
    watch: Decider | None,
    counts: bool,
    is_counted: bool = False,
) -> Results:
    games = [game_of(plan, arm) for arm in range(len(plan.arms))]
    about = versions(games[0])
    tally = Counting(plan) if is_counted else None
    done = journal.begin(plan, about, resume=resume)
    keep = journal.keep if watch is None else _watched(journal, watch)
    order = Order(plan, done, keep) if tally is None else Order(plan, done, tally.line, tally.counts)
    if watch is not None:
        watch.on_decided = order.stop
        for record in journal.records() if done else ():
            watch.see(record)
    progress = Progress(order.finished, plan.tasks)
    was_stopped = False

    def seen() -> None:
        journal.flush()
        progress.show(order.finished)

    try:
        if not order.is_done:
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
        [Tally(plan.in_arm(arm).players) for arm in range(len(plan.arms))],
        _pairs(plan) if counts else (),
        progress.seconds,
        was_stopped,
        about,
        trends=Trends(plan) if plan.swept and counts else None,
    )
    if tally is None:
        _count(results, journal, order.tasks, see, counts=counts)
    else:
        results.tallies = [tally.whole()]
    return results


def _watched(journal: Journal, watch: Decider) -> Callable[[str], None]:
    """Keeps a line, and looks at the record in it."""

    def keep(line: str) -> None:
        journal.keep(line)
        record = from_line(line)
        if record is not None:
            watch.see(record)

    return keep


def _pairs(plan: Plan) -> tuple[Pairs, ...]:
    """The arms that are compared with the first one: what a sweep changes is told by its trends instead."""
    if plan.swept:
        return ()
    same = (arm for arm in range(1, len(plan.arms)) if plan.in_arm(arm).players == plan.in_arm(0).players)
    return tuple(map(Pairs, same))


def _count(
    results: Results, journal: Journal, tasks: int, see: Callable[[Record], None] | None, *, counts: bool
) -> None:
    for record in journal.records():
        if record["task"] >= tasks:
            continue
        if counts:
            results.tallies[record["arm"]].add(record)
        for pairs in results.pairs:
            pairs.add(record)
        if results.trends is not None:
            results.trends.add(record)
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
