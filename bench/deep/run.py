"""Gives deep and wide contents to workers and tells what went wrong.

faults = run(cases(), jobs=2, tell=print)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.deep.cases import Case
from bench.fuzz.run import Worker


def run(
    chosen: Iterable[Case], *, jobs: int = 1, all_commands: bool = True, tell: Callable[[str], None] = lambda line: None
) -> list[dict[str, Any]]:
    """Examines cases; the answers of those in which something went wrong, each with its case."""
    waiting = iter(list(chosen))
    faults: list[dict[str, Any]] = []

    def work(_: int) -> None:
        worker = Worker("bench.deep.worker")
        try:
            for case in waiting:
                answer = ask(worker, case, all_commands=all_commands)
                line = f"{answer['seconds']:.1f} s {answer['slowest']} {case} {answer['codes']}"
                if answer["fault"] is not None:
                    faults.append(answer)
                    line += f" FAULT {answer['fault']} {answer['part']} {answer['where']} {answer['says']}"
                tell(line + (" played" if answer.get("played") else f" {answer.get('refused', '')}"))
        finally:
            worker.close()

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    return faults


def ask(worker: Worker, case: Case, *, all_commands: bool) -> dict[str, Any]:
    """How a case went."""
    answer = worker.ask({"files": case.texts(), "all": all_commands})
    answer.setdefault("seconds", 0.0)
    return {"codes": [], "slowest": ["", 0.0], "part": "?", **answer, "case": str(case)}
