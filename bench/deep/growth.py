"""What grows faster than content does: each construct at three sizes, each twice the one before.

    python -m bench.deep.growth --only 'wide|x 10000' --sizes 500,1000,2000

Tells the parts (commands, questions of an editor, playing) whose time grows by more than `--most` times (2.6) with each
doubling, and takes at least `--least` seconds (0.3) at the largest size. The exit status is 1 where there are some.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench.deep.cases import WIDTH, Case, cases
from bench.deep.services import served
from bench.deep.worker import COMMANDS, _command

SIZES = (500, 1_000, 2_000)
MOST, LEAST = 2.6, 0.3


@dataclass(frozen=True, slots=True)
class Growth:
    """A part of what is done with a construct, and the seconds it takes at each size."""

    case: str
    part: str
    seconds: tuple[float, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        return tuple(more / max(less, 1e-4) for less, more in zip(self.seconds, self.seconds[1:], strict=False))

    def is_too_fast(self, most: float, least: float) -> bool:
        """Whether it grows faster than content, and matters. One doubling alone may be a matter of chance."""
        return self.seconds[-1] >= least and min(self.ratios) > most

    def __str__(self) -> str:
        taken = ", ".join(f"{each:.2f} s" for each in self.seconds)
        return f"{self.case}: {self.part}: {taken} (x {', '.join(f'{each:.1f}' for each in self.ratios)})"


def growths(case: Case, sizes: tuple[int, ...]) -> Iterator[Growth]:
    """How each part grows with a case."""
    runs = [dict(_seconds(Case(case.construct, case.what, size, case.make))) for size in sizes]
    for part in runs[0]:
        if all(part in run for run in runs):
            yield Growth(f"{case.construct}, {case.what}", part, tuple(run[part] for run in runs))


def _seconds(case: Case) -> Iterator[tuple[str, float]]:
    """The seconds of the processor of each part; of what is asked several times the longest."""
    files = case.texts()
    with tempfile.TemporaryDirectory(prefix="growth-") as home:
        folder = Path(home, "game")
        for name, text in files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        found: dict[str, float] = {}

        def timed(part: str, run: Callable[[], Any]) -> Any:
            begun = time.process_time()
            given = run()
            found[part] = max(found.get(part, 0.0), time.process_time() - begun)
            return given

        for words in (("check", "{}", "--format", "json"), *COMMANDS):
            typed = [word.replace("{}", str(folder)) for word in words]
            timed(" ".join(words[:3]), partial(_command, typed))
        served(files, timed)
    yield from found.items()


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.deep.growth", description=__doc__)
    parser.add_argument("--only", metavar="PATTERN", default="")
    parser.add_argument("--sizes", metavar="N,N,N", default=",".join(map(str, SIZES)))
    parser.add_argument("--most", metavar="X", type=float, default=MOST)
    parser.add_argument("--least", metavar="S", type=float, default=LEAST)
    chosen = parser.parse_args()
    sizes = tuple(int(size) for size in chosen.sizes.split(","))
    wanted = [case for case in cases() if case.size == WIDTH and re.search(chosen.only, str(case))]
    grown = measured = 0
    for case in wanted:
        for growth in growths(case, sizes):
            measured += 1
            if growth.is_too_fast(chosen.most, chosen.least):
                grown += 1
                print(growth, flush=True)
    print(f"{len(wanted)} constructs, {measured} parts measured, {grown} grow faster")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
