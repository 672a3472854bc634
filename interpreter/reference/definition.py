"""What the reference knows of a game: its program, with all that it speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rulespec.lower import declared as D  # noqa: N812
from rulespec.lower.ir import Ir, Proc, Program, Region, Value
from rulespec.model.types import ListType, Member, SetType
from rulespec.program.control_flow import ControlFlow
from rulespec.program.memory import memory_cells, needs_wide_cells, rowless, seers
from rulespec.program.ops import REGISTERS


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of pieces: how many codes and faces it has; for each code the code of its back."""

    name: str
    count: int
    faces: int
    unseen: tuple[int, ...]

    def turned(self, code: int, face: int) -> int:
        """The code of the same piece with another face up."""
        return code - code % self.faces + face


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a zone: `number` counts all places of all zones, `within` those of its zone alone.

    It is not bounded where its zone has room for all pieces of their kind. `front` and `back` are the players who
    always see fronts and backs there, as bits; `everybody` are all of them. `front_on_top`: everybody sees the last
    piece of the stack. `memory` is how many numbers say what players know of its pieces, 0 for none; `rowless` is the
    player that has no row among them in a pool, since it sees all there.
    """

    number: int
    zone: str
    within: int
    shape: str
    capacity: int
    is_bounded: bool
    kind: Kind
    front: int
    back: int
    everybody: int
    front_on_top: bool
    memory: int
    rowless: int

    def row(self, seat: int) -> int:
        """Where the row of a player that does not always see this pool begins."""
        return (seat - (seat > self.rowless)) * self.kind.count


class Definition:
    """One game. `ran` is None, or gathers the numbers of instructions and the names of functions that ran."""

    def __init__(self, program: Program, ran: set[str | int] | None = None):
        self.ran = ran
        self.program = program
        self.instrs = program.instrs
        self.procs: dict[int, Proc] = {p.id: p for p in program.procs}
        self.by_name: dict[str, Proc] = {p.name: p for p in program.procs}
        self.blocks = ControlFlow(program)
        self.state_slots = program.state_slots
        self.empty_slots = tuple(() if isinstance(slot.type, ListType) else 0 for slot in program.slots)
        self.slots_of: dict[int, list[int]] = {p.id: [] for p in program.procs}
        for number, slot in enumerate(program.slots):
            if slot.proc in self.slots_of:  # else a number that blocks of another build have, and none of this one
                self.slots_of[slot.proc].append(number)
        self.regions: dict[str, Region] = {r.key: r for r in program.regions}
        self.bases: dict[str, int] = {}
        for region in program.regions:
            self.bases[region.key] = sum(r.places for r in program.regions[: len(self.bases)])
        self._declared = declared = program.declared
        self.players = declared.players
        self.ranking = program.ranking
        self.codes = declared.codes
        self.depth = declared.depth
        self.kinds = {name: _kind(kind) for name, kind in declared.pieces.items()}
        self.first_place = {zone.key: zone.first for zone in declared.zones.values()}
        self._memory = memory_cells(declared, program)
        self.places: tuple[Place, ...] = tuple(
            self._place(zone, within) for zone in declared.zones.values() for within in range(zone.places)
        )
        #: for each zone: its first place, how many there are, and how many pieces there is room for in the largest
        self.zones = tuple((zone.first, zone.places, zone.room) for zone in declared.zones.values())
        self._functions: dict[str, tuple[tuple[str, ...], Ir]] = {}

    def _place(self, zone: D.Zone, within: int) -> Place:
        is_bounded = zone.shape == "slot" or min(zone.capacity) < sum(self._declared.pieces[zone.holds].supply)
        kind = self.kinds[zone.holds]
        everybody = (1 << self.players) - 1
        return Place(
            zone.first + within,
            zone.key,
            within,
            zone.shape,
            zone.capacity[within],
            is_bounded,
            kind,
            seers(zone, within, zone.front, everybody),
            seers(zone, within, zone.back, everybody),
            everybody,
            zone.front == "top",
            self._memory.get(zone.key, 0),
            rowless(zone, within, self.players),
        )

    def zone(self, name: str) -> D.Zone:
        """The declaration of a zone."""
        return self._declared.zones[name]

    def table(self, name: str) -> tuple[Value, ...]:
        """The entries of a constant table."""
        return self._declared.table(name)

    def function(self, name: str) -> tuple[tuple[str, ...], Ir]:
        """The variables that are the parameters of a declared function, and its expression."""
        found = self._functions.get(name)
        if found is None:
            declared = self._declared.functions[name]
            assert declared.body is not None
            found = self._functions[name] = tuple(f"{name}.{p}" for p, _ in declared.params), declared.body
        return found

    def is_declared(self, region: str) -> bool:
        """Whether the content declares a region, and not the instruction form for itself."""
        return region not in REGISTERS and not region.startswith("was ")

    def is_action(self, name: str) -> bool:
        """Whether an effect is an action."""
        return name in self._declared.actions

    def members(self, of: Member | SetType) -> int:
        """How many members a kind has."""
        domain = of.domain if isinstance(of, Member) else of.of.domain
        return self._declared.domains[domain].size

    @cached_property
    def has_wide_cells(self) -> bool:
        """Whether what is kept of a piece needs more than one byte."""
        return needs_wide_cells(self._declared, self.program)


def _kind(kind: D.Kind) -> Kind:
    return Kind(kind.name, kind.count, len(kind.faces), kind.unseen)
