"""Whether what the builds of a check share changes what is made: random edits of shipped content, each build twice.

    python -m bench.shared --edits 200 --game tic_tac_toe --game metro

After each edit the game is checked. Each of its builds (numbers of players, options, variants) is lowered with what the
builds before it have made, and by itself. Both must be the same program, with the same places and problems. It stops
with exit status 1 where not.
"""

from __future__ import annotations

import copy
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.edits import Edits, as_plain, asked
from rulespec.build import Built, lowered
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.kept import builds
from rulespec.lower.steps.shared import Shared
from rulespec.source import files
from rulespec.source.shipped import games


def check(folder: Path) -> tuple[int, list[str]]:
    """Checks a game; how many builds were compared, and what differs."""
    found: list[str] = []
    problems = Problems()
    source = read_game(str(folder), problems)
    if source is None:
        return 0, []
    with _compared(found) as compared:
        check_game(source, [], problems)
    return compared[0], found


@contextmanager
def _compared(found: list[str]) -> Iterator[list[int]]:
    """Has each build of a check made a second time, by itself; counts them."""
    count = [0]

    def twice(tree: Any, players: int, options: Any, problems: Problems, parsed: Any, shared: Shared | None) -> Built:
        built = lowered(tree, players, options, problems, parsed, shared)
        if shared is not None:
            again = Problems()
            alone = Shared(numbering=copy.deepcopy(shared.numbering))
            other = lowered(tree, players, options, again, parsed, alone)
            count[0] += 1
            found.extend(f"{players} players, {dict(options)}: {what}" for what in _different(built, other))
            if [as_plain(p) for p in problems.items] != [as_plain(p) for p in again.items]:
                found.append(f"{players} players, {dict(options)}: problems")
        return built

    with patch.object(builds, "lowered", twice):
        yield count


def _different(one: Built, other: Built) -> Iterator[str]:
    a, b = one.program, other.program
    yield from (name for name in a.__dataclass_fields__ if getattr(a, name) != getattr(b, name))
    if [instr.span for instr in a.instrs] != [instr.span for instr in b.instrs]:
        yield "places"
    if one.world.constant_filters != other.world.constant_filters:
        yield "filters"
    if one.context.steps_to_declare != other.context.steps_to_declare:
        yield "how much work it was"
    if one.context.logged != other.context.logged:
        yield "names of lines"


def main() -> int:
    """Make the edits and compare."""
    arguments, wrong = asked(__doc__, 100), 0
    for name in arguments.games:
        begun, compared = time.process_time(), 0
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place, name)
            shutil.copytree(games()[name], folder, ignore=shutil.ignore_patterns("*.lock"))
            made = Edits(folder, random.Random(f"{name} {arguments.seed}"), arguments.texts)
            for number in range(arguments.edits + 1):
                what = made.make() if number else "as it is"
                files.forget()
                count, found = check(folder)
                compared += count
                wrong += bool(found)
                for each in found:
                    print(f"{name}: edit {number} ({what}): {each}")
        took = time.process_time() - begun
        print(f"{name}: {arguments.edits} edits, {compared} builds compared, {took:.0f} s of the processor")
    print("Nothing differs." if not wrong else f"{wrong} checks differ.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
