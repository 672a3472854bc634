"""Playing by processes of this machine. One that breaks is started again; the games that it has finished are kept."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final

from interpreter.simulate.order import Bounds, Order
from interpreter.simulate.plan import Plan
from interpreter.simulate.records import counts_of, task_of
from interpreter.simulate.worker import FAULT

#: For how long a process is given work at a time, in seconds.
STRETCH: Final = 0.5
MOST_TASKS: Final = 512
MOST_COUNTED: Final = 1 << 17  #: where nothing but counts comes back
#: So many processes may break one after the other without finishing a game; then something else is wrong.
MOST_BROKEN: Final = 12


class WorkerFault(Exception):
    """A process that plays has met a fault of the program or of the content that it found."""


class _Worker:
    """One process, and what it was asked for."""

    def __init__(self, plan: Plan, *, counts: bool):
        self._counts = counts
        self._most = MOST_COUNTED if counts else MOST_TASKS
        self._process = subprocess.Popen(
            [sys.executable, "-m", "interpreter.simulate.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(),
            start_new_session=True,  # a Ctrl-C is for whoever started it
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self.output = self._process.stdin, self._process.stdout
        os.set_blocking(self.output.fileno(), False)
        self._rest = b""
        self.bounds: Bounds | None = None
        self.amount, self._asked = 1, 0.0
        self._say(json.dumps(plan.to_json()))

    def ask(self, bounds: Bounds) -> None:
        """Gives it tasks to play."""
        self.bounds, self._asked = bounds, time.perf_counter()
        self._say(f"{bounds[0]} {bounds[1]}{' counts' if self._counts else ''}")

    def _say(self, line: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # that it is gone is seen at its output
            self._input.write(f"{line}\n".encode())
            self._input.flush()

    def read(self) -> tuple[list[str], bool]:
        """The whole lines that have come, and whether nothing more will."""
        data: bytes | None = self.output.read()  # None: there is nothing just now
        if data is None:
            return [], False
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line.decode() for line in lines], not data

    def ready(self) -> None:
        """It has played what it was asked for: how much it can be asked for next time."""
        assert self.bounds is not None
        took = max(time.perf_counter() - self._asked, 1e-6) / (self.bounds[1] - self.bounds[0])
        self.amount = max(1, min(2 * self.amount, self._most, int(STRETCH / took)))
        self.bounds = None

    def end(self) -> None:
        """Ends the process."""
        with contextlib.suppress(OSError):
            self._input.close()
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Nothing more is read."""
        self.output.close()

    @property
    def pid(self) -> int:
        return self._process.pid


def _environment() -> dict[str, str]:
    """The same modules are found as here."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


class Pool:
    """The processes of one run."""

    def __init__(self, plan: Plan, order: Order, jobs: int):
        self._plan, self._order = plan, order
        self._selector = selectors.DefaultSelector()
        self.workers: list[_Worker] = []
        self._jobs = jobs
        self._broken = 0

    def run(self, seen: Callable[[], None]) -> None:
        """Plays all; `seen` is called now and then. Whatever ends it, finished games are kept and processes end."""
        try:
            for _ in range(min(self._jobs, self._plan.tasks - self._order.finished)):
                self._start()
            while not self._order.is_done:
                for key, _ in self._selector.select(timeout=0.5):
                    self._hear(key.data)
                seen()
        finally:
            self._end()

    def _start(self) -> None:
        worker = _Worker(self._plan, counts=self._order.counts is not None)
        self.workers.append(worker)
        self._selector.register(worker.output, selectors.EVENT_READ, worker)
        self._give(worker)

    def _give(self, worker: _Worker) -> None:
        bounds = self._order.hand_out(worker.amount)
        if bounds is not None:
            worker.ask(bounds)

    def _hear(self, worker: _Worker) -> None:
        lines, is_gone = worker.read()
        for line in lines:
            self._line(worker, line)
        if is_gone:
            self._drop(worker)
            self._broken += 1
            if self._broken > MOST_BROKEN:
                raise WorkerFault("the processes that play end again and again before they have finished a game")
            if worker.bounds is not None:
                self._order.lost(*worker.bounds)
            if not self._order.is_done:
                self._start()
        for idle in self.workers:  # one that found no work in the window, or that must play what another lost
            if idle.bounds is None:
                self._give(idle)

    def _line(self, worker: _Worker, line: str) -> None:
        if line.startswith(FAULT):
            raise WorkerFault(json.loads(line.removeprefix(FAULT)))
        if not line:
            worker.ready()
        else:
            self._came(line)

    def _came(self, line: str) -> None:
        """A record, or the counts of many."""
        if (task := task_of(line)) is not None:
            self._broken = 0
            self._order.come(task, line)
        elif (counted := counts_of(line)) is not None:
            self._broken = 0
            self._order.come_counted(*counted)

    def _drop(self, worker: _Worker) -> None:
        self._selector.unregister(worker.output)
        self.workers.remove(worker)
        worker.end()
        worker.close()

    def _end(self) -> None:
        """Ends the processes, and keeps what they have finished."""
        for worker in list(self.workers):
            worker.end()
            lines, _ = worker.read()
            for line in lines:
                self._came(line)
            self._drop(worker)
        self._order.flush()
        self._selector.close()
