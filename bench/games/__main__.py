"""Whole games made by chance, as a command: `python -m bench.games --minutes 10 --seed 7`.

Each is checked, played by both executors, looked at with other hidden parts, saved and resumed, logged, drawn and
printed. What goes wrong is made small and written to a folder outside the project; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.games.make import as_yaml, make_game
from bench.games.play import examine
from bench.games.run import run


def main() -> int:
    """Makes and examines games, or one that was written down."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.games", description=(__doc__ or "").split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--minutes", type=float, default=0.0, metavar="N", help="how long; one, where nothing is said")
    parser.add_argument("--hours", type=float, default=0.0, metavar="N", help="how long, in hours")
    parser.add_argument("--count", type=int, metavar="N", help="how many games are made")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the first game's seed; each has the next one")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where faults are written; by default a new folder")
    parser.add_argument(
        "--coverage", type=Path, metavar="FILE", help="what earlier runs met: games are sought that add to it"
    )
    parser.add_argument("--show", action="store_true", help="print the game of the seed, and do nothing with it")
    parser.add_argument("--case", type=Path, metavar="FILE", help="examine the game of this file alone, with --seed")
    given = parser.parse_args()
    if given.show:
        print(as_yaml(make_game(given.seed)), end="")
        return 0
    if given.case is not None:
        with tempfile.TemporaryDirectory() as folder:
            print(examine(given.case.read_text(encoding="utf-8"), Path(folder), given.seed))
        return 0
    seconds = 60 * given.minutes + 3600 * given.hours or (60.0 if given.count is None else math.inf)
    count = math.inf if given.count is None else given.count
    tell = partial(print, flush=True)
    outcome = run(seed=given.seed, seconds=seconds, count=count, out=given.out, kept=given.coverage, tell=tell)
    print(outcome)
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
