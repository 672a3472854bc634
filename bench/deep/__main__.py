"""Puts every construct of the registry, nested deep and repeated wide, through everything: `python -m bench.deep`.

`--only PATTERN` takes the cases whose names match, `--sizes 20,100` those of these depths, `--quick` leaves out the
commands other than `check`, and its forms other than JSON. The exit status is 1 where something went wrong.
"""

from __future__ import annotations

import argparse
import re
import sys

from bench.deep.cases import CHAINS, DEPTHS, cases
from bench.deep.run import run


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.deep", description=__doc__)
    parser.add_argument("--only", metavar="PATTERN", default="")
    parser.add_argument("--sizes", metavar="N,N", default=",".join(map(str, sorted({*DEPTHS, *CHAINS, 50}))))
    parser.add_argument("--jobs", metavar="J", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args()
    sizes = {int(size) for size in chosen.sizes.split(",")}
    wanted = [case for case in cases() if case.size in sizes and re.search(chosen.only, str(case))]
    faults = run(
        wanted, jobs=chosen.jobs, all_commands=not chosen.quick, tell=lambda line: print(line[:300], flush=True)
    )
    for fault in faults:
        print(f"\n{fault['case']}: {fault['fault']} in {fault['part']}: {fault['says']}\n{fault.get('trace', '')}")
    print(f"{len(wanted)} cases, {len(faults)} went wrong")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
