"""What is kept of one game, as a line of JSON.

| key | holds |
| --- | --- |
| `task`, `arm`, `game`, `seed` | which game it was |
| `players` | by seat: the number of the player in the plan |
| `decisions`, `turns` | how long it was; a turn ends when another seat has it |
| `scores`, `places` | by seat; those who share a place have the same number, which is 2 or more where nobody has won |
| `teams` | by seat the first seat of its team, in games with teams |
| `points` | reason to points by seat |
| `actions` | action to how often, by seat |
| `unfinished` | why it has no end; then there are no scores |
| `place` | where in the content that is: file, line and column |

With full detail also `course` (reason to points by seat and tenth of the game), `choices` (decision, name and value to
how often it was chosen and offered, by seat), `holdings` (zone and piece to how many lie there at the end, by seat),
`asked` (by seat: decisions, options of all of these, decisions with one option) and `starter` (the seat whose turn it
is at the first decision). With the detail of decisions also `moments`, a row each: the seat, after how many
decisions, decision, the keys of the options, the place of the one that was taken, how often the player tried each one
and what it brought on the average; null where the player does not say. Games of people (`interpreter.playtests`) have
beside it `seconds`, a time for each or null, `notes` (seat, after how many decisions, text, 1 where these stand) and
`source`. With trials (`interpreter.simulate.trials`) also `worth`, a row each: the seat, after how many decisions,
decision, name and value, then what the value was worth to the seat:
points, and part of the victory; by how many points the other seats differ on the average, 1 where the two ends are
alike, and 1 where the seat took it; and `trials_left`, how many trials came to nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Record = dict[str, Any]
#: The first game with a record, how many have it, and the record without its head, as a line.
Count = tuple[int, int, str]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
MOST_TASKS = 1 << 28  #: more than a run may have, in all arms; memory is kept for each task up to the highest
_BEGINNING, _COUNTED = '{"task":', '{"counted":'


def to_line(record: Record) -> str:
    """The record as one line."""
    return _ENCODER.encode(record)


def task_of(line: str) -> int | None:
    """Which task a line of `to_line` is the record of, without reading all of it; None for a line that is none."""
    number = line.removeprefix(_BEGINNING).partition(",")[0]
    return int(number) if line.startswith(_BEGINNING) and line.endswith("}") and number.isdecimal() else None


def to_counts(first: int, behind: int, counts: Sequence[Count]) -> str:
    """What came of tasks side by side as one line."""
    return _ENCODER.encode({"counted": [first, behind], "counts": counts})


def counts_of(line: str) -> tuple[int, int, list[Count]] | None:
    """What a line of `to_counts` says; None for any other line."""
    if not line.startswith(_COUNTED):
        return None
    found = json.loads(line)
    first, behind = found["counted"]
    return first, behind, list(map(tuple, found["counts"]))


def from_line(line: bytes | str) -> Record | None:
    """The record of a line; None for a line that was cut or is no record, whatever its bytes are."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    task = found.get("task") if isinstance(found, dict) else None
    return found if type(task) is int and 0 <= task < MOST_TASKS else None


def head(task: int, arm: int, game: int, seed: int) -> Record:
    """What every record begins with."""
    return {"task": task, "arm": arm, "game": game, "seed": seed}
