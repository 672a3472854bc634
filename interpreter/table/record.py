"""What was done at a table, entry by entry: nothing is ever taken out of a record, and the position follows from it.

    record = [Decided(0, "mark cell[0,0]"), Decided(1, "mark cell[1,1]"), Undone(1, by=0)]
    standing(record)     # ("mark cell[0,0]",)

The length of a record is the table's revision: it grows with each thing that is done, also when something is undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Decided:
    """A seat chose the option with a key."""

    seat: int
    key: str


@dataclass(frozen=True, slots=True)
class Undone:
    """The last `steps` decisions that stood were taken back, as the seat `by` had asked."""

    steps: int
    by: int


@dataclass(frozen=True, slots=True)
class Reloaded:
    """The content was loaded anew: the first `kept` decisions that stood still fit it, the others are gone."""

    kept: int


Entry = Decided | Undone | Reloaded

_KINDS: Final[dict[str, type[Entry]]] = {"decided": Decided, "undone": Undone, "reloaded": Reloaded}
_WORDS: Final = {kind: word for word, kind in _KINDS.items()}
_FIELDS: Final = {"seat": int, "key": str, "steps": int, "by": int, "kept": int}


def standing(record: Sequence[Entry]) -> tuple[str, ...]:
    """The keys of the decisions that stand after all that was done."""
    entries = [record[at] for at in standing_at(record)]
    return tuple(entry.key for entry in entries if isinstance(entry, Decided))


def standing_at(record: Iterable[Entry]) -> list[int]:
    """Where in the record the decisions are that stand."""
    found: list[int] = []
    for at, entry in enumerate(record):
        match entry:
            case Decided():
                found.append(at)
            case Undone(steps, _):
                del found[max(len(found) - steps, 0) :]
            case Reloaded(kept):
                del found[kept:]
    return found


def unchanged(record: Sequence[Entry], since: int, standing_now: int) -> int:
    """How many of the first decisions have stood all the time since the record was `since` entries long."""
    n = least = standing_now
    for entry in reversed(record[since:]):
        match entry:
            case Decided():
                n -= 1
            case Undone(steps, _):
                n += steps
            case Reloaded():
                return 0
        least = min(least, n)
    return least


def to_json(entry: Entry) -> dict[str, Any]:
    """An entry as plain data."""
    return {"did": _WORDS[type(entry)], **asdict(entry)}


def from_json(data: dict[str, Any]) -> Entry:
    """The entry that `to_json` made the data of. Raises ValueError for other data."""
    given = {name: value for name, value in data.items() if name != "did"}
    kind = _KINDS.get(data.get("did", ""))
    if kind is None or {field.name for field in fields(kind)} != given.keys():
        raise ValueError(f"there is no entry {data!r}")
    if any(type(value) is not _FIELDS[name] for name, value in given.items()):
        raise ValueError(f"there is no entry {data!r}")
    return kind(**given)
