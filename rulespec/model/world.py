"""What one game declares, for one player count and one choice of options: names resolved, sizes known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir, Value
from rulespec.model.reads import Noted, Reads, Watched
from rulespec.model.types import UNKNOWN, Integer, Member, Type
from rulespec.source.nodes import Node
from rulespec.source.text import Span

#: how many declarations may hang on one another, each on the next
MOST_CHAINED = 100


class Circular(RecursionError):
    """A declaration is needed to compute itself; its name."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """One coordinate of a kind of sites: a range of integers from `low`, or a domain."""

    name: str
    domain: str | None
    low: int
    size: int


@dataclass(slots=True)
class Attribute:
    """A constant of each member or piece code, kept in a table; a formula has one function per row instead."""

    name: str
    type: Type
    table: str
    functions: tuple[str, ...] = ()
    span: Span | None = None


@dataclass(slots=True)
class Relation:
    """The members of `target` that belong to each member of a domain: a table of lists, and one of bit sets."""

    name: str
    target: str
    items: str
    bits: str
    ordered: bool
    most: int
    span: Span | None = None


@dataclass(slots=True)
class Domain:
    """A finite set of members: an enum, a kind of sites, the spaces of a track, or the players."""

    name: str
    form: str
    members: tuple[str | None, ...]
    dims: tuple[Dimension, ...] = ()
    coords: tuple[tuple[int, ...], ...] = ()
    lookup: dict[tuple[int, ...], int] = field(default_factory=dict)
    attributes: dict[str, Attribute] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)
    plural: str = ""
    span: Span | None = None
    draw: Node | None = None

    @property
    def size(self) -> int:
        return len(self.members)


@dataclass(slots=True)
class PieceKind:
    """A kind of pieces. A *code* is one combination of owner, attributes and face that occurs.

    `unseen` maps a code to the code that says only which back it has; those stand after `count` codes. In a code, an
    attribute that is a map is the tuple of its values; all else are integers.
    """

    name: str
    per_player: bool
    attributes: dict[str, Attribute] = field(default_factory=dict)
    faces: tuple[str, ...] = ()
    face_type: Type = UNKNOWN
    codes: tuple[tuple[Any, ...], ...] = ()
    supply: tuple[int, ...] = ()
    row_names: tuple[str | None, ...] = ()
    unseen: tuple[int, ...] = ()
    back: tuple[str, ...] | None = None
    shown: tuple[tuple[Any, ...], ...] = ()
    span: Span | None = None

    @property
    def count(self) -> int:
        return len(self.codes)

    @property
    def lowest_face(self) -> int:
        """The value of the first face: the number on it, where faces are a range; else the first member."""
        return (self.face_type.low or 0) if isinstance(self.face_type, Integer) else 0

    @property
    def has_own_faces(self) -> bool:
        """Whether the faces are names that stand in the kind itself, with words of their own."""
        return isinstance(self.face_type, Member) and self.face_type.domain == f"{self.name}.face"

    def with_face(self, code: int, face: int) -> int:
        """The code of the same piece with another face."""
        return code - self.codes[code][-1] + face if self.faces else code


@dataclass(slots=True)
class ZoneDecl:
    """A declared zone: one place, or one for each member of `domain`."""

    key: str
    name: str
    domain: str | None
    shape: str
    holds: str
    front: str
    back: str
    places: int
    first: int = 0
    capacity: tuple[int, ...] = ()
    fills: tuple[int, ...] = ()
    """How many pieces each place is filled up to: its capacity, or more where there are fewer pieces than `up_to`."""
    renew: str | None = None
    memory: bool = True
    """Whether players remember what they have seen going there."""
    is_counted: bool = True
    """Whether everybody sees how many pieces lie at each place; else its owner alone does."""
    node: Node | None = None
    span: Span | None = None

    @property
    def room(self) -> int:
        """The largest capacity of a place."""
        return max(self.capacity, default=0)


@dataclass(frozen=True, slots=True)
class ZonePlace:
    """What a zone is called and holds, and which zone is mixed and turned when it is empty."""

    key: str
    name: str
    holds: str
    renew: str | None


@dataclass(frozen=True, slots=True)
class ToldZone:
    """What texts go by of a zone: not how many pieces lie there."""

    key: str
    domain: str | None
    holds: str
    front: str
    span: Span | None


@dataclass(slots=True)
class StateVar:
    """A declared cell: one, or one for each member of `domain`; `low` and `high` bound what it can hold.

    `anew` is the round in which it begins anew, with the start as it is `written`.
    """

    key: str
    name: str
    domain: str | None
    type: Type
    places: int
    start: tuple[int, ...] = ()
    track: str | None = None
    span: Span | None = None
    anew: str = ""
    written: Node | None = None


@dataclass(slots=True)
class Procedure:
    """A declared function, effect or action: typed parameters, and for functions a result."""

    name: str
    section: str
    params: tuple[tuple[str, Type], ...]
    returns: Type | None
    node: Node
    span: Span
    nests: int = 0
    body: Ir | None = None
    state: str = "new"


@dataclass(slots=True)
class Trigger:
    """Steps that run when something happens. `kind` is emitted, emptied, stepped, becomes, game or turn."""

    name: str
    kind: str
    what: str
    node: Node
    span: Span
    index: int


@dataclass(frozen=True, slots=True)
class Repetition:
    """How many positions are remembered, of how many whole numbers each, and what counts: the values of each entry."""

    most: int
    words: int
    span: Span
    counted: tuple[tuple[Span, tuple[Ir, ...]], ...]


@dataclass(slots=True)
class World:
    """All declarations of one resolved game."""

    problems: Problems
    players: int
    options: dict[str, Ir] = field(default_factory=dict)
    values: dict[str, Ir] = field(default_factory=dict)
    domains: dict[str, Domain] = field(default_factory=dict)
    pieces: dict[str, PieceKind] = field(default_factory=dict)
    zones: dict[str, ZoneDecl] = field(default_factory=dict)
    states: dict[str, StateVar] = field(default_factory=dict)
    tracks: dict[str, Node] = field(default_factory=dict)
    functions: dict[str, Procedure] = field(default_factory=dict)
    effects: dict[str, Procedure] = field(default_factory=dict)
    events: dict[str, tuple[tuple[str, Type], ...]] = field(default_factory=dict)
    triggers: list[Trigger] = field(default_factory=list)
    tables: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    pending: dict[str, Callable[[], tuple[Value, ...]]] = field(default_factory=dict)
    computing: list[str] = field(default_factory=list)
    unmade: dict[str, tuple[str, Callable[[], None]]] = field(default_factory=dict)
    """The relations that are declared and not made yet, by how they are read: the key of each, and what makes it."""
    interned: list[tuple[str, tuple[int, ...], frozenset[str]]] = field(default_factory=list)
    numbers: dict[tuple[str, tuple[int, ...], frozenset[str]], int] = field(default_factory=dict)
    members: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    watched: dict[str, list[str]] = field(default_factory=dict)
    teams: tuple[int, ...] = ()  #: of each player, the first of its team; empty in a game without teams
    team_type: Type | None = None
    player_range: tuple[int, int] = (1, 1)
    repetition: Repetition | None = None  #: in games that declare what makes two positions the same
    broken: set[str] = field(default_factory=set)
    """Names and words of declarations that were reported already, so that nothing that uses them is reported too."""
    spoiled: set[str] = field(default_factory=set)
    """Those of them that were reported while they were declared, not before as what has no right form."""
    doubled: set[str] = field(default_factory=set)
    """Names that two declarations have, which is reported: what they mean is not known."""
    in_play: set[str] = field(default_factory=set)
    """The keys of what changes in play: no constant can speak of it."""
    later: set[str] = field(default_factory=set)
    """The functions: they are declared after values and kinds, which cannot call them."""
    divides: bool = True
    """Whether the declarations may hold a division, so that it matters what is known not to be 0."""
    constant_filters: dict[Span, set[bool | None]] = field(default_factory=dict)
    """For each `where`: whether it was true or false before anything was played, or (None) depends on play."""
    reads: Reads | None = None
    """Where it is noted what is read, if anywhere."""
    room: tuple[int, int] | None = None
    """`codes` and `depth`, once all pieces and zones are declared."""

    def __post_init__(self) -> None:
        if self.reads is not None:
            for name in NOTED:
                kind = Watched if name == "options" else Noted
                setattr(self, name, kind(name, self.reads, getattr(self, name)))

    @property
    def cells(self) -> list[tuple[str, str]]:
        """The key and the name of each cell."""
        return [(key, cell.name) for key, cell in dict.items(self.states)]

    @property
    def places(self) -> list[ZonePlace]:
        """What each zone is called and holds."""
        return [ZonePlace(z.key, z.name, z.holds, z.renew) for z in dict.values(self.zones)]

    @property
    def told_zones(self) -> list[ToldZone]:
        """What texts go by of each zone."""
        return [ToldZone(z.key, z.domain, z.holds, z.front, z.span) for z in dict.values(self.zones)]

    def noted(self, name: str) -> Any:
        """`players`, `player_range`, `triggers`, `cells`, `places` or `told_zones`; it is noted that it is read."""
        if self.reads is not None:
            self.reads.note(("field", name, None))
        return getattr(self, name)

    def first_place(self, zone: str) -> int:
        """The number of a zone's first place among those of all zones; it is noted that it is read."""
        if self.reads is not None:
            self.reads.note(("first", zone, None))
        return self.zones[zone].first

    def triggers_on(self, kind: str, what: str | None = None) -> list[Trigger]:
        """The triggers that wait for a kind of thing, or for one; it is noted that these are read."""
        if self.reads is not None:
            self.reads.note(("triggers", kind, what))
        return [t for t in self.triggers if t.kind == kind and what in (None, t.what)]

    def trigger(self, name: str) -> Trigger:
        """The trigger with a name; it is noted that it is read."""
        if self.reads is not None:
            self.reads.note(("trigger", name, None))
        return next(t for t in self.triggers if t.name == name)

    def note_filter(self, span: Span, fixed: bool | None) -> None:
        """Notes whether the `where` at a place is decided before play."""
        self.constant_filters.setdefault(span, set()).add(fixed)
        if self.reads is not None and self.reads.notes is not None:
            self.reads.notes.filters.append((span, fixed))

    def unknown(
        self, code: str, span: Span, name: str, known: Iterable[str], otherwise: str | None = None, **args: object
    ) -> None:
        """Reports a name that nothing has, with the nearest of the `known` ones, or else the hint `otherwise`.

        Says nothing of a name whose declaration was reported already.
        """
        plural = code == "RS302" and name.removesuffix("s") in self.broken  # sites that a broken kind would have
        if name not in self.broken and name not in self.doubled and not plural:
            near = None if self.problems.is_crowded else near_to(name, known)
            self.problems.add(code, span, hint=otherwise, near=near, related=(), fixes=(), name=name, **args)

    def spoil(self, *names: str) -> None:
        """Notes names whose declarations were reported, with the parts that are read after a dot."""
        for name in names:
            self.spoiled.update((name, name.rpartition(".")[2]))
        self.broken |= self.spoiled

    def table(self, name: str) -> tuple[Value, ...]:
        """The entries of a table, computed when first asked for; `Circular` where it needs itself.

        Raises RecursionError where the chain of tables that need one another is too long.
        """
        found = self.tables.get(name)
        if found is not None:
            return found
        with self._computed(name):
            made = self.pending[name]()
        self.tables[name] = made
        return made

    def make_relation(self, name: str) -> None:
        """Makes the relation that is read by this name, where one waits; `Circular` where it needs itself.

        Raises RecursionError where the chain of declarations that need one another is too long.
        """
        if name in self.unmade:
            key, make = self.unmade[name]
            try:
                with self._computed(key):
                    make()
            finally:
                self.unmade = {k: waiting for k, waiting in self.unmade.items() if waiting[0] != key}

    @contextmanager
    def _computed(self, name: str) -> Iterator[None]:
        """Notes that something is being computed, so that it is known when it needs itself."""
        if name in self.computing:
            raise Circular(name)
        if len(self.computing) >= MOST_CHAINED:
            raise RecursionError
        self.computing.append(name)
        try:
            yield
        finally:
            self.computing.pop()

    def forget_tables(self, names: Iterable[str]) -> None:
        """Lets tables be computed anew when they are next asked for: what they speak of has changed."""
        for name in names:
            self.tables.pop(name, None)

    def intern(self, effect: str, args: tuple[int, ...], lifted: frozenset[str] = frozenset()) -> int:
        """The number of an effect value."""
        entry = (effect, args, lifted)
        if entry not in self.numbers:
            self.numbers[entry] = len(self.interned)
            self.interned.append(entry)
        number = self.numbers[entry]
        if self.reads is not None and self.reads.notes is not None:
            self.reads.notes.interned.append((entry, number))
        return number

    def effect_at(self, number: int) -> tuple[str, tuple[int, ...], frozenset[str]] | None:
        """The effect value with a number; None where there is none."""
        if self.reads is not None:
            self.reads.note(("effect", "interned", number))
        return self.interned[number] if 0 <= number < len(self.interned) else None

    @property
    def codes(self) -> int:
        """How many codes a piece integer makes room for."""
        if self.room is not None:
            return self.room[0]
        return max((k.count + len(set(k.unseen)) for k in self.pieces.values()), default=1) or 1

    @property
    def depth(self) -> int:
        """How many positions a piece integer makes room for."""
        if self.room is not None:
            return self.room[1]
        return max((z.room for z in self.zones.values() if z.shape == "stack"), default=1) or 1


#: The tables of a world whose readers are noted; `noted`, `triggers_on`, `trigger` and `effect_at` note the rest.
NOTED = (
    "options", "values", "domains", "pieces", "zones", "states", "tracks", "functions", "effects", "events", "tables",
    "pending", "members",
)  # fmt: skip

#: For whoever only looks up what is declared: the declarations, or what a program keeps of them.
Declarations = World | Declared


def owner_of(world: World, zone: ZoneDecl, place: int) -> int | None:
    """The seat that a place of a zone belongs to: the player whose zone it is, or whose site."""
    if zone.domain == "player":
        return place
    if zone.domain is None:
        return None
    domain = world.domains[zone.domain]
    for at, dim in enumerate(domain.dims):
        if dim.domain == "player":
            return domain.coords[place][at]
    return None
