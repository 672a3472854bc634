"""The closed set of types that an expression can have.

Every type is a frozen value. A *member* is one of a finite domain (an enum, a kind of site, the
players); a *piece* is a piece lying in some zone; a *zone* is one place where pieces lie.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """Base of all types."""


@dataclass(frozen=True, slots=True)
class Integer(Type):
    """An integer; an end that is None is not bounded by the declarations."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return "integer"
        return str(self.low) if self.low == self.high else f"{self.low}..{self.high}"

    @property
    def count(self) -> int:
        """How many numbers it holds; 0 without bounds."""
        return 0 if self.low is None or self.high is None else self.high - self.low + 1

    def holds(self, value: int) -> bool:
        """Whether a number lies between the ends."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Boolean(Type):
    def __str__(self) -> str:
        return "boolean"


@dataclass(frozen=True, slots=True)
class Member(Type):
    """A member of a finite domain, by the domain's name."""

    domain: str

    def __str__(self) -> str:
        return self.domain


@dataclass(frozen=True, slots=True)
class Piece(Type):
    """A piece of one kind; `zone` is the zone's key where all values come from one declared zone, else None."""

    kind: str
    zone: str | None = None

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True, slots=True)
class Zone(Type):
    """One place of a declared zone, by the zone's key (`player.hand`, `bag`, `box.card`)."""

    key: str

    def __str__(self) -> str:
        return f"zone {self.key}"


@dataclass(frozen=True, slots=True)
class AnyZone(Type):
    """The word `box` as a goal of a move: the box of whatever kind is moved."""

    def __str__(self) -> str:
        return "zone"


@dataclass(frozen=True, slots=True)
class EffectType(Type):
    def __str__(self) -> str:
        return "effect"


@dataclass(frozen=True, slots=True)
class NoneType(Type):
    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class Optional(Type):
    of: Type

    def __str__(self) -> str:
        return f"{self.of} or none"


@dataclass(frozen=True, slots=True)
class ListType(Type):
    """Ordered, members may repeat; at most `most` of them."""

    of: Type
    most: int

    def __str__(self) -> str:
        return f"list of {self.of}"


@dataclass(frozen=True, slots=True)
class SumType(ListType):
    """A list of effects that a text shows as their sum: numbers of one effect are added up."""


@dataclass(frozen=True, slots=True)
class SetType(Type):
    """A set over a finite domain; in the instruction form a bit per member."""

    of: Member

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True, slots=True)
class MapType(Type):
    """A total map: one value for each key."""

    value: Type
    key: Type

    def __str__(self) -> str:
        keys = f"{self.key.low}..{self.key.high}" if isinstance(self.key, Integer) and self.key.count else self.key
        return f"{self.value} by {keys}"


@dataclass(frozen=True, slots=True)
class Formula(Type):
    """An expression kept as data."""

    params: tuple[Type, ...]
    returns: Type

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.params))}) -> {self.returns}"


@dataclass(frozen=True, slots=True)
class Record(Type):
    """Several named values chosen together."""

    fields: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return "choice of " + ", ".join(name for name, _ in self.fields)

    def at(self, name: str) -> int | None:
        """The position of a field, or None."""
        for i, (field_name, _) in enumerate(self.fields):
            if field_name == name:
                return i
        return None


@dataclass(frozen=True, slots=True)
class TrackPlace(Type):
    """Where a marker stands on a track, by the track's key."""

    track: str

    def __str__(self) -> str:
        return f"place on {self.track}"


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """The type of something that was already reported; agrees with everything, so one fault gives one message."""

    def __str__(self) -> str:
        return "unknown"


INTEGER = Integer()
BOOLEAN = Boolean()
EFFECT = EffectType()
NONE = NoneType()
UNKNOWN = Unknown()
PLAYER = Member("player")


def strip(t: Type) -> Type:
    """The type without `or none`."""
    return t.of if isinstance(t, Optional) else t


def kind_of_pieces(type: Type, field: int | None = None) -> str:
    """The kind of a piece, of the pieces of a list, or of those in field `field` of a record or of a list of records.

    Raises TypeError for any other type.
    """
    t = strip(type)
    t = strip(t.of) if isinstance(t, ListType) else t
    t = strip(t.fields[field][1]) if isinstance(t, Record) and field is not None else t
    if not isinstance(t, Piece):
        raise TypeError(f"no pieces: {type}")
    return t.kind


def may_be_none(t: Type) -> bool:
    """Whether a value of the type can be none."""
    return isinstance(t, (Optional, NoneType))


def optional(t: Type) -> Type:
    """`t or none`, never doubled."""
    return t if isinstance(t, (Optional, NoneType, Unknown)) else Optional(t)


def _same_kind(found: Type, wanted: Type) -> bool:
    if isinstance(found, Integer) and isinstance(wanted, Integer):
        return True
    if isinstance(found, Piece) and isinstance(wanted, Piece):
        return found.kind == wanted.kind
    if isinstance(found, (ListType, SetType)) and isinstance(wanted, (ListType, SetType)):
        return fits(found.of, wanted.of)
    return found == wanted


def fits(found: Type, wanted: Type) -> bool:
    """Whether a value of type `found` can stand where `wanted` is asked for (ranges are checked elsewhere)."""
    if isinstance(found, Unknown) or isinstance(wanted, Unknown):
        return True
    if isinstance(wanted, Optional):
        return isinstance(found, NoneType) or fits(strip(found), wanted.of)
    if may_be_none(found):
        return False
    return _same_kind(found, wanted)


def comparable(a: Type, b: Type) -> bool:
    """Whether `==` between the two can ever be true."""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return True
    if isinstance(a, NoneType) or isinstance(b, NoneType):
        return may_be_none(a) and may_be_none(b)
    a, b = strip(a), strip(b)
    if isinstance(a, (ListType, SetType)) and isinstance(b, (ListType, SetType)):
        return comparable(a.of, b.of)
    return _same_kind(a, b)


def join(a: Type, b: Type) -> Type | None:
    """The least type that both fit, or None."""
    if isinstance(a, Unknown):
        return b
    if isinstance(b, Unknown):
        return a
    if isinstance(a, NoneType):
        return optional(b)
    if isinstance(b, NoneType):
        return optional(a)
    inner = _join_plain(strip(a), strip(b))
    if inner is None:
        return None
    return optional(inner) if may_be_none(a) or may_be_none(b) else inner


def _join_plain(a: Type, b: Type) -> Type | None:
    if isinstance(a, Integer) and isinstance(b, Integer):
        return Integer(lowest(a.low, b.low), highest(a.high, b.high))
    if isinstance(a, Piece) and isinstance(b, Piece) and a.kind == b.kind:
        return a if a.zone == b.zone else Piece(a.kind)
    if isinstance(a, ListType) and isinstance(b, ListType):
        of = join(a.of, b.of)
        return None if of is None else ListType(of, max(a.most, b.most))
    return a if a == b else None


def lowest(a: int | None, b: int | None) -> int | None:
    """The lower of two bounds; None, for no bound, where either is."""
    return None if a is None or b is None else min(a, b)


def highest(a: int | None, b: int | None) -> int | None:
    """The higher of two bounds; None, for no bound, where either is."""
    return None if a is None or b is None else max(a, b)
