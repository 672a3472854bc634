"""What is known where play stands, and how it is carried into a block and out of it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulespec.lower.offers.labels import (
    ACTIVE,
    LOST,
    ME,
    NONE,
    OPEN,
    Label,
    Seat,
    Secret,
    Secrets,
    mapped,
    mentions,
    renamed,
)
from rulespec.lower.offers.readings import Point


@dataclass(slots=True)
class Here(Point):
    """A point of a walk.

    `deciders` may have decided last, so that a look-ahead of theirs may come by; `spoken`: it has ended before. `asked`
    have decided since. `failed` is what the steps go by that may have left the open unit; `inside` whether one is open.
    """

    deciders: frozenset[Seat] = frozenset()
    asked: frozenset[Seat] = frozenset()
    failed: Secrets = NONE
    fails: Secrets = NONE
    spoken: bool = False
    inside: bool = False

    def copy(self) -> Here:
        """The same point, to go on from in another way."""
        return Here(
            self.me, self.active, dict(self.labels), dict(self.same), dict(self.owners), self.whose,
            dict(self.opened), self.deciders, self.asked, self.failed, self.fails, self.spoken, self.inside,
        )  # fmt: skip

    def join(self, other: Here) -> None:
        """Becomes what is known where two ways meet."""
        for slot, label in other.labels.items():
            self.labels[slot] = self.labels.get(slot, OPEN).joined(label)
        for zone, secrets in other.opened.items():
            self.opened[zone] = self.opened.get(zone, NONE) | secrets
        self.same = {s: x for s, x in self.same.items() if other.same.get(s) == x}
        self.owners = {s: x for s, x in self.owners.items() if other.owners.get(s) == x}
        self.me = self.me if self.me == other.me else LOST
        self.active = self.active if self.active == other.active else LOST
        self.whose |= other.whose
        self.deciders |= other.deciders
        self.asked &= other.asked
        self.failed |= other.failed
        self.fails |= other.fails
        self.spoken &= other.spoken

    def become(self, other: Here) -> None:
        """Takes over another point."""
        self.labels, self.same, self.owners = other.labels, other.same, other.owners
        self.me, self.active, self.whose, self.opened = other.me, other.active, other.whose, other.opened
        self.deciders, self.asked = other.deciders, other.asked
        self.failed, self.fails, self.spoken, self.inside = other.failed, other.fails, other.spoken, other.inside

    def as_known(self) -> tuple[object, ...]:
        """All of it, to be compared."""
        return (
            dict(self.labels), dict(self.same), dict(self.owners), self.me, self.active, self.whose,
            dict(self.opened), self.deciders, self.asked, self.failed, self.fails, self.spoken,
        )  # fmt: skip

    def begin(self) -> None:
        """The outermost unit begins: only `me` can have been asked whether."""
        self.inside, self.deciders, self.spoken, self.opened = True, frozenset({self.me}), False, {}

    def speak(self) -> None:
        """A horizon: every look-ahead that comes by has ended, and what has been moved lies as it is seen."""
        self.spoken = True
        self.opened = {}

    # ---- slots and seats ----

    def fill(self, slot: int, label: Label, seat: Seat | None = None, owner: Seat | None = None) -> None:
        """A slot gets a new value: what was known by the old one is known no more."""
        if seat is not None and mentions(seat, ("slot", slot)):
            seat = None
        if owner is not None and mentions(owner, ("slot", slot)):
            owner = None
        self.lose(("slot", slot))
        for kept in (self.labels, self.same, self.owners):
            kept.pop(slot, None)
        if label != OPEN:
            self.labels[slot] = label
        if seat is not None:
            self.same[slot] = seat
        if owner is not None:
            self.owners[slot] = owner

    def lose(self, gone: Seat) -> None:
        """Nothing is known any more of whoever came from there."""
        if not self._may_mention(gone):
            return

        def left(seat: Seat) -> Seat | None:
            return None if mentions(seat, gone) else seat

        if self.labels:
            self.labels = {s: label.renamed(left) for s, label in self.labels.items()}
        self.same = {s: x for s, x in self.same.items() if left(x)}
        self.owners = {s: x for s, x in self.owners.items() if left(x)}
        self.me, self.active = left(self.me) or LOST, left(self.active) or LOST
        self.deciders = frozenset(left(x) or LOST for x in self.deciders)
        self.asked = frozenset(x for x in self.asked if left(x))
        self.failed, self.whose = renamed(self.failed, left), renamed(self.whose, left)
        self.fails = renamed(self.fails, left)
        self.opened = {zone: renamed(secrets, left) for zone, secrets in self.opened.items()}

    def _may_mention(self, gone: Seat) -> bool:
        """Whether anything that is known speaks of a seat. What tells of hidden things is not looked through."""
        if self.labels or self.failed or self.fails or self.whose or self.opened:
            return True
        seats = (self.me, self.active, *self.deciders, *self.asked, *self.same.values(), *self.owners.values())
        return any(mentions(seat, gone) for seat in seats)


@dataclass(frozen=True, slots=True)
class Call:
    """A block with what is known where it begins, in the block's own names; `why` is what its being called tells."""

    proc: int
    labels: tuple[Label, ...]
    same: tuple[Seat | None, ...]
    owners: tuple[Seat | None, ...]
    active: Seat
    whose: Secrets
    why: Secrets
    deciders: frozenset[Seat]
    asked: frozenset[Seat]
    failed: Secrets
    opened: tuple[tuple[str, Secrets], ...]
    spoken: bool
    inside: bool


@dataclass(frozen=True, slots=True)
class Names:
    """The seats of a caller by those of a block that it calls, and back."""

    inward: Mapping[Seat, Seat]
    outward: Mapping[Seat, Seat] = field(default_factory=dict)

    def into(self, seat: Seat) -> Seat | None:
        """What a seat is called in the block."""
        return mapped(seat, lambda s: s if s[0] in ("player", "own") else self.inward.get(s))

    def out(self, seat: Seat) -> Seat | None:
        """What a seat of the block is called where it was called."""
        return mapped(seat, lambda s: s if s[0] in ("player", "own") else self.outward.get(s))


def names_for(here: Here, given: tuple[tuple[int, Seat | None], ...]) -> Names:
    """The names of seats for a call that gives these seats to these parameters."""
    inward: dict[Seat, Seat] = {}
    outward: dict[Seat, Seat] = {ME: here.me, ACTIVE: here.active}
    for slot, seat in reversed(given):
        if seat is not None:
            inward[seat] = ("slot", slot)
            outward["slot", slot] = seat
    if here.active != LOST:
        inward[here.active] = ACTIVE
    if here.me != LOST:
        inward[here.me] = ME
    return Names(inward, outward)


def moved(seats: frozenset[Seat], names: Names, *, inward: bool) -> frozenset[Seat]:
    """Seats by their other names; one that has none is lost."""
    rename = names.into if inward else names.out
    return frozenset(rename(s) or LOST for s in seats)


def by_zone(secrets: Secrets) -> list[Secret]:
    """Secrets in a stable order."""
    return sorted(secrets, key=lambda s: (s.at, s.zone))
