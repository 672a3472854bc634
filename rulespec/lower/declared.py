"""What a program speaks of: zones, kinds of pieces and of members, functions, tables; all that is left of them in play.

No node of the content, no place in a file and no name that only texts need is in here, so that a program says by itself
what it means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulespec.lower.ir import Ir, Value
from rulespec.model.types import Type


@dataclass(frozen=True, slots=True)
class Members:
    """A kind of members: an enum, a kind of sites, the spaces of a track, the players."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of pieces. A *code* is one combination of owner, attributes and face (the last value, where it has faces).

    `supply` says how many there are of each code. `unseen` maps a code to the one that says only which back it has;
    those stand after `count` codes.
    """

    name: str
    faces: tuple[str, ...]
    codes: tuple[tuple[Any, ...], ...]
    supply: tuple[int, ...]
    unseen: tuple[int, ...]
    back: tuple[str, ...] | None

    @property
    def count(self) -> int:
        return len(self.codes)

    def with_face(self, code: int, face: int) -> int:
        """The code of the same piece with another face."""
        return code - self.codes[code][-1] + face if self.faces else code


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone: one place, or one for each member of `domain`; `first` is the number of its first among all places.

    `capacity` and `fills` say how many pieces each place holds at most, and up to how many it is refilled. `owners`
    says which player each place belongs to, or -1; `memory` whether players remember what they have seen going there;
    `is_counted` whether everybody sees how many there are, or the owner of the place alone.
    """

    key: str
    domain: str | None
    shape: str
    holds: str
    front: str
    back: str
    places: int
    first: int
    capacity: tuple[int, ...]
    fills: tuple[int, ...]
    renew: str | None
    owners: tuple[int, ...]
    memory: bool
    is_counted: bool = True

    @property
    def room(self) -> int:
        """The largest capacity of a place."""
        return max(self.capacity, default=0)


@dataclass(frozen=True, slots=True)
class Function:
    """A function: its parameters, each with its type, what it gives, and its expression."""

    name: str
    params: tuple[tuple[str, Type], ...]
    returns: Type | None
    body: Ir | None


@dataclass(frozen=True, slots=True)
class Declared:
    """All of it, by name, for one number of players and one choice of options.

    `interned` are the effects by number: the name, its arguments and the labels that are lifted; `actions` the effects
    that are actions. `codes` and `depth` are how many codes and positions a piece makes room for. `teams` has for each
    player the first of its team; it is empty in a game without teams.
    """

    players: int
    codes: int
    depth: int
    domains: Mapping[str, Members] = field(default_factory=dict)
    pieces: Mapping[str, Kind] = field(default_factory=dict)
    zones: Mapping[str, Zone] = field(default_factory=dict)
    functions: Mapping[str, Function] = field(default_factory=dict)
    tables: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    interned: tuple[tuple[str, tuple[int, ...], frozenset[str]], ...] = ()
    actions: frozenset[str] = frozenset()
    teams: tuple[int, ...] = ()

    def table(self, name: str) -> tuple[Value, ...]:
        """The entries of a table. Raises KeyError where there is no such table."""
        return self.tables[name]
