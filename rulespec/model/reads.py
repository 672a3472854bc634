"""What something reads of the declarations, so that it is known when it would come out the same with others.

    reads = Reads()
    world = World(problems, players, reads=reads)
    with reads.noting() as notes:
        ...                     # whatever reads `world`
    notes.read                  # each place that was read

Only where somebody takes notes are the tables of a world `Noted`: otherwise they are plain dicts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

#: A place that is read: ("at", table, key) its entry, ("in", table, key) whether it has one, ("all", table, None) all.
Place = tuple[str, str, Any]

MISSING: Final = object()


@dataclass(slots=True)
class Notes:
    """What was read, and what was written: entries by table and key, effects in the order in which they got numbers.

    `before` is what stood where something was written.
    """

    read: set[Place] = field(default_factory=set)
    before: dict[tuple[str, Any], Any] = field(default_factory=dict)
    written: dict[tuple[str, Any], Any] = field(default_factory=dict)
    interned: list[tuple[Any, int]] = field(default_factory=list)
    filters: list[tuple[Any, bool | None]] = field(default_factory=list)

    def take(self, other: Notes) -> None:
        """Adds other notes, taken inside these."""
        self.read |= other.read
        self.before = {**other.before, **self.before}
        self.written.update(other.written)
        self.interned += other.interned
        self.filters += other.filters


class Reads:
    """Where notes are taken, if anywhere."""

    def __init__(self) -> None:
        self.notes: Notes | None = None

    @contextmanager
    def noting(self) -> Iterator[Notes]:
        """Takes notes apart from those that are being taken; these get them too."""
        outer, self.notes = self.notes, Notes()
        inner = self.notes
        try:
            yield inner
        finally:
            self.notes = outer
            if outer is not None:
                outer.take(inner)

    def note(self, place: Place) -> None:
        """Notes that something is read."""
        if self.notes is not None:
            self.notes.read.add(place)


def begin(reads: Reads | None) -> Notes | None:
    """Takes notes apart from those before, which are given."""
    if reads is None:
        return None
    before, reads.notes = reads.notes, Notes()
    return before


def end(reads: Reads | None, before: Notes | None) -> Notes | None:
    """Goes on with the notes before; gives those that were taken apart, which are not among them."""
    if reads is None:
        return None
    found, reads.notes = reads.notes, before
    return found


def again(reads: Reads | None, notes: Notes | None) -> None:
    """Notes once more what was read to find something that is used once more."""
    if reads is not None and reads.notes is not None and notes is not None:
        reads.notes.read |= notes.read


class Noted(dict[Any, Any]):
    """A table whose readers are noted."""

    __slots__ = ("_reads", "name")

    def __init__(self, name: str, reads: Reads, entries: dict[Any, Any] | None = None) -> None:
        super().__init__(entries or {})
        self.name, self._reads = name, reads

    def _note(self, how: str, key: Any) -> None:
        notes = self._reads.notes
        if notes is not None and (self.name, key) not in notes.written:
            notes.read.add((how, self.name, key))

    def __getitem__(self, key: Any) -> Any:
        if self._reads.notes is not None:
            self._note("at", key)
        return dict.__getitem__(self, key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The entry, or `default`."""
        if self._reads.notes is not None:
            self._note("at", key)
        return dict.get(self, key, default)

    def __contains__(self, key: object) -> bool:
        if self._reads.notes is not None:
            self._note("in", key)
        return dict.__contains__(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        notes = self._reads.notes
        if notes is not None:
            notes.before.setdefault((self.name, key), dict.get(self, key, MISSING))
            notes.written[self.name, key] = value
        dict.__setitem__(self, key, value)

    def __delitem__(self, key: Any) -> None:
        self._refuse()
        dict.__delitem__(self, key)

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes an entry out."""
        self._refuse()
        return dict.pop(self, key, *default)

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Adds entries."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The entry; `default` from now on where there was none."""
        if key not in self:
            self[key] = default
        return self[key]

    def __iter__(self) -> Iterator[Any]:
        self._note("all", None)
        return dict.__iter__(self)

    def __len__(self) -> int:
        self._note("all", None)
        return dict.__len__(self)

    def keys(self) -> Any:
        """All names."""
        self._note("all", None)
        return dict.keys(self)

    def values(self) -> Any:
        """All entries."""
        self._note("all", None)
        return dict.values(self)

    def items(self) -> Any:
        """All names with their entries."""
        self._note("all", None)
        return dict.items(self)

    def entry(self, key: Any) -> Any:
        """The entry, or `MISSING`; nobody takes note."""
        return dict.get(self, key, MISSING)

    def entries(self) -> list[tuple[Any, Any]]:
        """All of it; nobody takes note."""
        return list(dict.items(self))

    def _refuse(self) -> None:
        if self._reads.notes is not None:
            raise TypeError("What is noted cannot take an entry away")


class Watched(Noted):
    """A table of which it is known what was ever read (`seen`; None: all of it), whether or not notes are taken."""

    __slots__ = ("seen",)

    def __init__(self, name: str, reads: Reads, entries: dict[Any, Any] | None = None) -> None:
        super().__init__(name, reads, entries)
        self.seen: set[Any] = set()

    def __getitem__(self, key: Any) -> Any:
        self.seen.add(key)
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The entry, or `default`."""
        self.seen.add(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.seen.add(key)
        return super().__contains__(key)

    def __iter__(self) -> Iterator[Any]:
        self.seen.add(None)
        return super().__iter__()

    def keys(self) -> Any:
        """All names."""
        self.seen.add(None)
        return super().keys()

    def values(self) -> Any:
        """All entries."""
        self.seen.add(None)
        return super().values()

    def items(self) -> Any:
        """All names with their entries."""
        self.seen.add(None)
        return super().items()
