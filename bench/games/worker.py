"""Makes and examines games one after the other, in a process of its own. Started by `bench.games.run`.

Reads one case as JSON from each line: `{"seed": 7}`, or `{"seed": 7, "text": "..."}` where there is one; with
`"mended": true` what `check` refuses of it is taken out first, as of a game that is made here.
Answers with one line each: what `check` said, what was seen, and `fault` where something went wrong.
"""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import yaml

from bench.fuzz.worker import Late, deadline
from bench.games.coverage import rows_of_tree
from bench.games.make import as_yaml, make_game
from bench.games.mend import without
from bench.games.play import Examined, Wrong, examine
from bench.games.remembered import remembered
from bench.peak import peak
from rulespec.source.files import forget
from rulespec.source.memory import THINGS

MEMORY = 500 * 1024 * 1024  #: bytes that a process may hold
DEADLINE = 180.0  #: seconds of the processor for one game: one that meets the bound of work takes a minute
MOST_MENDED = 5  #: how often what `check` refuses is taken out
_KINDS = {"executors": "executors", "leak": "leak"}


def run_case(case: dict[str, Any]) -> dict[str, Any]:
    """What became of one game."""
    started = time.process_time()
    folder = Path(tempfile.mkdtemp(prefix="made-"))
    answer: dict[str, Any] = {"seed": case["seed"], "fault": None}
    try:
        with deadline(DEADLINE), remembered():
            tree = _tree(case)
            _examine(tree, case, folder, answer)
    except Late as fault:
        answer |= _report("late", fault)
    except MemoryError as fault:
        answer |= _report("memory", fault)
    except Wrong as fault:
        answer |= _report(_KINDS.get(str(fault).split(":")[0], "wrong"), fault)
    except Exception as fault:  # finding these is what this is for
        answer |= _report(type(fault).__name__, fault)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        forget()  # no other game has these files, and what is kept of them would count as memory that is held
    answer["seconds"] = time.process_time() - started
    held = peak()
    if answer["fault"] is None and held > MEMORY:
        answer |= {"fault": "memory", "says": f"{held // 2**20} MB are held", "where": "?", "trace": ""}
    return answer


def _tree(case: dict[str, Any]) -> dict[str, Any]:
    """The game of a case: the one it brings, or the one of its seed."""
    if "text" in case:
        found: dict[str, Any] = yaml.load(case["text"], Loader=yaml.CSafeLoader)
        return found
    return make_game(case["seed"], case.get("turn", 0))


def _examine(tree: dict[str, Any], case: dict[str, Any], folder: Path, answer: dict[str, Any]) -> None:
    """Examines a game; what `check` refuses is taken out first, unless the tree was given."""
    found, codes, mends = Examined(), ["?"], "text" not in case or case.get("mended")
    for number in range(MOST_MENDED):
        answer["text"] = as_yaml(tree)
        found = examine(answer["text"], folder, case["seed"])
        codes = sorted({problem.code for problem in found.refused})
        if number == 0:
            answer["codes"] = codes
        smaller = without(tree, found.refused) if codes and mends else None
        if smaller is None:
            break
        tree = smaller
    answer["refused"] = codes
    if not codes:
        del answer["text"]
        answer |= _seen(found, tree)


def _seen(found: Examined, tree: dict[str, Any]) -> dict[str, Any]:
    return {
        "games": found.games, "decisions": found.decisions, "faults": dict(found.faults),
        "given_up": dict(found.given_up), "rows": sorted(rows_of_tree(tree)), "forms": sorted(found.forms),
    }  # fmt: skip


def _report(kind: str, fault: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(fault.__traceback__)
    own = [f for f in frames if any(part in f.filename for part in ("/rulespec/", "/interpreter/", "<rulespec>"))]
    last = (own or list(frames))[-1]
    name = re.sub(r"\d+", "", last.name) if last.filename == "<rulespec>" else last.name  # blocks have numbers
    where = f"{Path(last.filename).name}:{name}"
    lines = traceback.format_list(frames)
    return {"fault": kind, "says": str(fault)[:500], "where": where, "trace": "".join(lines[-25:])}


def _late(number: int, frame: Any) -> None:
    raise Late


def main() -> None:
    """Answers one line for each line of the input, until there are no more."""
    signal.signal(signal.SIGVTALRM, _late)
    gc.freeze()  # the modules stay: they are not looked at each time memory is freed
    gc.set_threshold(THINGS, *gc.get_threshold()[1:])
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    for line in sys.stdin:
        answers.write(json.dumps(run_case(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
