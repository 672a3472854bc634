"""What boards of 11 by 11 to 40 by 40 take: to be checked, to be loaded, and for each decision.

    python -m bench.large
    python -m bench.large hex --sizes 11,40

For each game: seconds of the processor that `rulespec check` takes without anything kept, that loading it with its
module takes, microseconds of a decision in random games in the module, and by how much that and the board grew.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.large.make import KINDS, write
from interpreter import load

SECONDS = 1.0


def checked(folder: Path) -> float:
    """Seconds of the processor that a check takes, in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "interpreter.cli.main", "check", str(folder), "--no-cache"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if found.returncode:
        raise SystemExit(found.stdout + found.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(folder: Path) -> tuple[float, float]:
    """Seconds until a game and its module are there, and microseconds of a decision."""
    begun = time.process_time()
    game = load(str(folder))
    if game.native is None:
        raise SystemExit(f"{folder.name}: {game.native_refused}")
    loaded, begun = time.process_time() - begun, time.process_time()
    decisions, seed = 0, 0
    while time.process_time() - begun < SECONDS:
        decisions += sum(game.playouts(None, 64, seed=seed).decisions)
        seed += 64
    return loaded, (time.process_time() - begun) / decisions * 1e6


def main() -> None:
    """Prints a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], help="which games; all when left out")
    parser.add_argument("--sizes", default="11,16,25,40", help="cells along an edge")
    arguments = parser.parse_args()
    print(f"{'game':<10} {'size':>4} {'check, s':>9} {'load, s':>8} {'a decision, µs':>15} {'grown':>6} {'board':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.kinds or KINDS:
            first: tuple[int, float] | None = None
            for size in map(int, arguments.sizes.split(",")):
                home = write(Path(folder), kind, size)
                check, (loaded, each) = checked(home), measured(home)
                first = first or (size, each)
                grown, board = each / first[1], (size / first[0]) ** 2
                print(f"{kind:<10} {size:>4} {check:>9.2f} {loaded:>8.2f} {each:>15.2f} {grown:>6.1f} {board:>6.1f}")


if __name__ == "__main__":
    main()
