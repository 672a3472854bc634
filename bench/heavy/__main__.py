"""Gives large contents to commands and tells what they took: `python -m bench.heavy`.

`--kinds PATTERN` takes the contents whose names match, `--commands PATTERN` the commands, `--seconds N` is how long one
may take (60). More than that, 500 MB, a traceback or an exit status that there is not are faults: the exit status is 1.
"""

from __future__ import annotations

import argparse
import re
import sys

from bench.heavy.kinds import contents
from bench.heavy.run import COMMANDS, SECONDS, run


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.heavy", description=__doc__)
    parser.add_argument("--kinds", metavar="PATTERN", default="")
    parser.add_argument("--commands", metavar="PATTERN", default="")
    parser.add_argument("--seconds", metavar="N", type=int, default=SECONDS)
    chosen = parser.parse_args()
    kinds = [(name, make) for name, make in contents() if re.search(chosen.kinds, name)]
    commands = [name for name in COMMANDS if re.search(chosen.commands, name)]
    faults = measured = 0
    for each in run(kinds, commands, chosen.seconds):
        print(each, flush=True)
        measured, faults = measured + 1, faults + bool(each.fault)
    print(f"{measured} measured, {faults} went wrong")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
