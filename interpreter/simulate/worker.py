"""A process that plays: `python -m interpreter.simulate.worker`.

The first line that it reads is the plan, every further one the numbers of tasks. It writes one line for each game as
soon as the game is over (or the few that were played together), which whoever started it can read even when the process
is gone, and an empty line behind those that it was asked for together. Where it is asked for `counts` alone, it writes
one line for many games. It ends when nothing more comes.
"""

from __future__ import annotations

import json
import os
import sys
import traceback

FAULT = "fault "


def main() -> None:
    """Plays what is asked for on the standard input."""
    from interpreter.simulate.plan import plan_from_json
    from interpreter.simulate.playing import count_stretches, play_stretches
    from interpreter.simulate.records import to_counts, to_line

    out = os.dup(1)  # whatever else is printed may not come between the lines
    os.dup2(2, 1)
    plan = plan_from_json(json.loads(sys.stdin.readline()))
    try:
        for line in sys.stdin:
            first, behind, *how = line.split()
            tasks = range(int(first), int(behind))
            for some in count_stretches(plan, tasks) if how else play_stretches(plan, tasks):
                if isinstance(some, list):
                    _write(out, "\n".join(map(to_line, some)))
                else:
                    _write(out, to_counts(some.first, some.behind, some.counts))
            _write(out, "")
    except BrokenPipeError:  # nobody reads any more
        return
    except Exception as fault:  # told to whoever started this process, which raises it there
        traceback.print_exc()
        _write(out, FAULT + json.dumps(f"{type(fault).__name__}: {fault}"))


def _write(out: int, line: str) -> None:
    data = f"{line}\n".encode()
    while data:
        data = data[os.write(out, data) :]


if __name__ == "__main__":
    main()
