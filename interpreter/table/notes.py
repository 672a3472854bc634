"""What players note at a moment of the game, for themselves and for whoever tries the game out.

As long as the game goes on a note is its author's alone; when it is over all at the table see all of them. Notes are
no part of the record: they change no position, and whoever is about to choose is not told of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from interpreter.table.refused import Refused

MOST_NOTES: Final = 200  #: of a seat at a table
LONGEST_NOTE: Final = 2_000  #: characters


@dataclass(frozen=True, slots=True)
class Note:
    """A seat's note at a moment: 0 is what the set-up did, n the n-th decision.

    Where that moment was taken back since, it no more `stands`.
    """

    seat: int
    moment: int
    text: str
    stands: bool = True


Notes = dict[int, Note]


def pinned(notes: Notes, note: Note) -> int:
    """Adds a note; its number. Raises Refused where the seat has as many as it may."""
    if sum(each.seat == note.seat for each in notes.values()) >= MOST_NOTES:
        raise Refused("many_notes")
    number = max(notes, default=0) + 1
    notes[number] = note
    return number


def unpinned(notes: Notes, seat: int, number: int) -> None:
    """Takes away a note of a seat. Raises Refused where it has none of that number."""
    if number not in notes or notes[number].seat != seat:
        raise Refused("no_note")
    del notes[number]


def seen(notes: Notes, viewer: int, *, is_over: bool) -> tuple[tuple[int, Note], ...]:
    """The notes that a seat or a spectator may see, with their numbers."""
    return tuple((number, note) for number, note in notes.items() if is_over or note.seat == viewer)


def taken_back(notes: Notes, n: int) -> None:
    """So many decisions stand now: notes at later moments are about what is no more."""
    for number, note in notes.items():
        if note.moment > n and note.stands:
            notes[number] = replace(note, stands=False)


def changed(before: Mapping[int, Note], now: Mapping[int, Note]) -> Iterator[tuple[int, Note | None]]:
    """What is another note now, by number; None for one that is gone."""
    for number in sorted({*before, *now}):
        if before.get(number) != now.get(number):
            yield number, now.get(number)


def to_json(note: Note) -> dict[str, Any]:
    """A note as plain data."""
    return asdict(note)


def from_json(data: dict[str, Any]) -> Note:
    """The note that `to_json` made the data of. Raises ValueError for other data."""
    kinds = {"seat": int, "moment": int, "text": str, "stands": bool}
    if data.keys() != kinds.keys() or any(type(data[name]) is not kind for name, kind in kinds.items()):
        raise ValueError(f"there is no note {data!r}")
    return Note(**data)
