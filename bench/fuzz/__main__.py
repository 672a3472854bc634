"""The fuzz test as a command: `python -m bench.fuzz --minutes 10 --seed 7 --jobs 2`.

Damaged and made-up content, logs and saves are read, checked and played; a traceback, a hang or more than 500 MB of
memory is a fault. Faults are made small and written to a folder outside the project; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

from bench.fuzz.run import Worker, fuzz


def main() -> int:
    """Runs the fuzz test, or one case that was written down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, help="how long; one, where nothing is said")
    parser.add_argument("--cases", type=int, help="how many cases; as many as there is time for, where nothing is said")
    parser.add_argument("--seed", type=int, default=0, help="the cases are the same for the same seed")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--out", type=Path, help="where faults are written; by default a new temporary folder")
    parser.add_argument("--case", type=Path, help="run the case of this file (`case.json`) alone")
    arguments = parser.parse_args()
    if arguments.case is not None:
        return _one(arguments.case)
    cases = math.inf if arguments.cases is None else arguments.cases
    minutes = arguments.minutes if arguments.minutes is not None else 1.0 if arguments.cases is None else math.inf
    outcome = fuzz(
        seed=arguments.seed, seconds=60 * minutes, cases=cases, jobs=arguments.jobs, out=arguments.out, tell=print
    )
    print(f"{outcome.cases} cases, {len(outcome.faults)} different faults")
    return 1 if outcome.faults else 0


def _one(path: Path) -> int:
    worker = Worker()
    answer = worker.ask(json.loads(path.read_text(encoding="utf-8")))
    worker.close()
    print(answer["fault"] or "no fault", answer.get("says", ""), answer.get("trace", ""), sep="\n")
    return 1 if answer["fault"] else 0


if __name__ == "__main__":
    sys.exit(main())
