"""The fuzz test as a command: `python -m bench.fuzz --minutes 10 --seed 7 --jobs 2`.

Damaged and made-up content, logs and saves are read, checked and played; a traceback, a hang or more than 500 MB of
memory is a fault. Faults are made small and written to a folder outside the project; the exit status is then 1.

With `--damaged`, very many inputs: files of shipped games and of the tests' games, damaged in bytes, words or subtrees.
All are checked, and some of a thousand played: `python -m bench.fuzz --damaged --count 100000 --hours 2 --seed 1`.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import signal
import sys
import tempfile
from pathlib import Path

from bench.fuzz.many import many
from bench.fuzz.run import Worker, fuzz


def main() -> int:
    """Runs the fuzz test, or one case that was written down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, help="how long; one, where nothing is said")
    parser.add_argument("--hours", type=float, help="how long, in hours")
    parser.add_argument(
        "--cases", "--count", type=int, help="how many cases; as many as there is time for, where nothing is said"
    )
    parser.add_argument("--seed", type=int, default=0, help="the cases are the same for the same seed")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--out", type=Path, help="where faults are written; by default a new temporary folder")
    parser.add_argument("--case", type=Path, help="run the case of this file (`case.json`) alone")
    parser.add_argument("--damaged", action="store_true", help="very many damaged inputs, in one process")
    parser.add_argument("--first", type=int, default=0, help="with --damaged: the number of the first input")
    arguments = parser.parse_args()
    if arguments.hours is not None:
        arguments.minutes = 60 * arguments.hours
    if arguments.case is not None:
        return _one(arguments.case)
    cases = math.inf if arguments.cases is None else arguments.cases
    minutes = arguments.minutes if arguments.minutes is not None else 1.0 if arguments.cases is None else math.inf
    if arguments.damaged:
        return _many(arguments, cases, 60 * minutes)
    outcome = fuzz(
        seed=arguments.seed, seconds=60 * minutes, cases=cases, jobs=arguments.jobs, out=arguments.out, tell=print
    )
    print(f"{outcome.cases} cases, {len(outcome.faults)} different faults")
    return 1 if outcome.faults else 0


def _many(arguments: argparse.Namespace, count: float, seconds: float) -> int:
    out = arguments.out or Path(tempfile.mkdtemp(prefix="fuzz-"))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    say = functools.partial(print, flush=True)
    run = many(seed=arguments.seed, first=arguments.first, count=count, seconds=seconds, out=out, tell=say)
    say(run.told())
    say(run.told_what())
    return 1 if run.outcome.faults else 0


def _one(path: Path) -> int:
    worker = Worker()
    answer = worker.ask(json.loads(path.read_text(encoding="utf-8")))
    worker.close()
    print(answer["fault"] or "no fault", answer.get("says", ""), answer.get("trace", ""), sep="\n")
    return 1 if answer["fault"] else 0


if __name__ == "__main__":
    sys.exit(main())
