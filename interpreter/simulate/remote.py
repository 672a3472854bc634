"""Playing by the workers of a Dask scheduler, on any number of machines that have the same program.

A worker that is lost is Dask's to replace: what it was asked for is played again by another one, with the same seeds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from interpreter.simulate.local import WorkerFault
from interpreter.simulate.order import Bounds, Order
from interpreter.simulate.plan import Plan, plan_from_json
from interpreter.simulate.travel import packed

#: Stretches that are handed out for each thread of the workers, so that none waits for the network.
AHEAD: Final = 3
#: How large a stretch is at most, in tasks, and in seconds by what the last one took.
MOST_TASKS: Final = 256
STRETCH: Final = 2.0
#: How long a scheduler may be without workers, in seconds: Dask starts lost ones anew, and others may be on their way.
PATIENCE: Final = 120.0
HINT: Final = "Dask is missing: pip install 'rulespec[dask]'"


class NoDask(Exception):
    """The library is not installed, or no scheduler answers at the address."""


def play_far(plan_text: str, first: int, behind: int) -> tuple[list[str], float]:
    """What a worker is asked for: the lines of some tasks, and the seconds that they took."""
    from interpreter.simulate.playing import play_tasks
    from interpreter.simulate.records import to_line

    begun = time.perf_counter()
    plan = plan_from_json(json.loads(plan_text))
    lines = [to_line(record) for record in play_tasks(plan, range(first, behind))]
    return lines, time.perf_counter() - begun


class Farm:
    """One run on a scheduler's workers."""

    def __init__(self, plan: Plan, order: Order, address: str):
        try:
            from distributed import Client
        except ImportError:
            raise NoDask(HINT) from None
        try:
            self._client: Any = Client(address, timeout=10)
        except (OSError, ValueError) as fault:
            raise NoDask(f"no Dask scheduler answers at {address}: {fault}") from None
        self._plan_text = json.dumps(packed(plan).to_json())
        self._order = order
        self._amount = 1
        self._open: dict[Any, Bounds] = {}
        self._suspects: list[int] = []  # tasks that were on workers which were lost again and again
        self._alone = False
        self._manned = time.monotonic()  # when there was a worker, for all that is known

    def run(self, seen: Callable[[], None]) -> None:
        """Plays all; `seen` is called now and then. Whatever ends it, finished games are kept."""
        try:
            while not self._order.is_done:
                self._hand_out()
                finished = self._finished()
                for future in finished:
                    self._come(future)
                if not finished:
                    self._look_for_workers()
                seen()
        finally:
            for future in self._open:
                future.cancel()
            self._order.flush()
            self._client.close()

    def _hand_out(self) -> None:
        """Gives the workers what they can take; tasks that may break workers one at a time, and nothing beside them."""
        if self._open and (self._suspects or self._alone):
            return
        self._alone = bool(self._suspects)
        if self._alone:
            task = self._suspects.pop()
            self._submit(task, task + 1)
            return
        threads = sum(self._client.nthreads().values()) or 1
        while len(self._open) < AHEAD * threads and (bounds := self._order.hand_out(self._amount)) is not None:
            self._submit(*bounds)

    def _submit(self, first: int, behind: int) -> None:
        future = self._client.submit(play_far, self._plan_text, first, behind, pure=False)
        self._open[future] = (first, behind)

    def _finished(self) -> list[Any]:
        from distributed import wait

        try:
            return list(wait(list(self._open), timeout=0.5, return_when="FIRST_COMPLETED").done)
        except TimeoutError:
            return []

    def _look_for_workers(self) -> None:
        """Raises WorkerFault where no worker has been there for too long: nobody would play what is left."""
        if self._client.nthreads():
            self._manned = time.monotonic()
        elif time.monotonic() - self._manned > PATIENCE:
            raise WorkerFault(f"the Dask scheduler has had no workers for {PATIENCE:.0f} seconds")

    def _keep(self, lines: Sequence[str]) -> None:
        from interpreter.simulate.records import task_of

        for line in lines:
            task = task_of(line)
            if task is not None:
                self._order.come(task, line)

    def _come(self, future: Any) -> None:
        from distributed.scheduler import KilledWorker

        first, behind = self._open.pop(future)
        fault: BaseException | None = None
        if future.status == "finished":
            try:
                lines, seconds = future.result()
            except KilledWorker as lost:  # whoever held what came of it was lost, and all that played it again
                fault = lost
            else:
                self._keep(lines)
                each = max(seconds, 1e-6) / (behind - first)
                self._amount = max(1, min(2 * self._amount, MOST_TASKS, int(STRETCH / each)))
                return
        fault = fault or future.exception()
        if future.status == "error" and not isinstance(fault, KilledWorker):
            raise WorkerFault(f"{type(fault).__name__}: {fault}")
        if self._alone:  # Dask has tried it several times, with nothing beside it
            self._order.give_up(first)
        else:
            self._suspects += range(first, behind)
