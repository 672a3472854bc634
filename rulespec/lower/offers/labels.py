"""Labels: what hidden places a value was read from, and who sees them.

A *seat* here is not a number but where the number comes from: `me` when a block began, what a slot holds, a player
named in the text, what a table gives for one of these. Two seats that are equal as such are the same player; of others
nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: Where a player comes from: ("me",), ("active",), ("slot", n), ("player", n), ("at", n), ("of", table, seat), ...
Seat = tuple[object, ...]

ME: Seat = ("me",)
ACTIVE: Seat = ("active",)
#: Each player's own in turn, in answers that are kept until all have answered.
OWN: Seat = ("own",)
#: Some player of whom nothing is known: sees nothing that not everybody sees.
LOST: Seat = ("lost",)


@dataclass(frozen=True, slots=True)
class Secret:
    """Something read in a place that not everybody sees; `seers` see it, `at` is the instruction that goes by it."""

    zone: str
    seers: frozenset[Seat] = frozenset()
    at: int = -1

    def seen_by(self, seat: Seat) -> bool:
        """Whether a seat surely sees it."""
        return seat in self.seers


Secrets = frozenset[Secret]
NONE: Secrets = frozenset()


@dataclass(frozen=True, slots=True)
class Label:
    """What a value tells: `outer` of whether and where it is, how many there are; `back` and `front` of what it is."""

    outer: Secrets = NONE
    back: Secrets = NONE
    front: Secrets = NONE

    def all(self) -> Secrets:
        """Everything that it tells."""
        return self.outer | self.back | self.front

    def joined(self, other: Label) -> Label:
        """One of two values."""
        return Label(self.outer | other.outer, self.back | other.back, self.front | other.front)

    def with_all(self, more: Secrets) -> Label:
        """The same value, where more was read to come to it."""
        return Label(self.outer | more, self.back | more, self.front | more) if more else self

    def renamed(self, rename: Callable[[Seat], Seat | None]) -> Label:
        """The same with other names for seats."""
        if self == OPEN:
            return self
        return Label(renamed(self.outer, rename), renamed(self.back, rename), renamed(self.front, rename))


OPEN = Label()


def of(secrets: Secrets) -> Label:
    """The label of a value that is told as a whole."""
    return Label(secrets, secrets, secrets) if secrets else OPEN


def renamed(secrets: Secrets, rename: Callable[[Seat], Seat | None]) -> Secrets:
    """Secrets with other names for those who see them; a seat without a new name is left out."""
    if not secrets:
        return secrets
    return frozenset(Secret(s.zone, frozenset(n for x in s.seers if (n := rename(x))), s.at) for s in secrets)


def hidden_from(secrets: Secrets, seat: Seat) -> Secrets:
    """Those that a seat does not see."""
    return frozenset(s for s in secrets if not s.seen_by(seat))


def marked(secrets: Secrets, at: int) -> Secrets:
    """Secrets with the instruction that goes by them, where none is noted yet."""
    return frozenset(s if s.at >= 0 else Secret(s.zone, s.seers, at) for s in secrets)


def mentions(seat: Seat, other: Seat) -> bool:
    """Whether a seat is another one, or comes from it."""
    return seat == other or (seat[0] == "of" and mentions(seat[2], other))  # type: ignore[arg-type]


def mapped(seat: Seat, base: Callable[[Seat], Seat | None]) -> Seat | None:
    """A seat with another beginning: `base` renames the seat that it comes from."""
    found = base(seat)
    if found is not None or seat[0] != "of":
        return found
    inner = mapped(seat[2], base)  # type: ignore[arg-type]
    return None if inner is None else ("of", seat[1], inner)
