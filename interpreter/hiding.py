"""What of a game can be hidden from a seat: places whose pieces it may not see, and names that hold pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from interpreter.middle.facts import Facts
from interpreter.sight import holds_pieces, secret_choices
from rulespec.lower.ir import Instr, Ir, Local, Name, TakeIr, ZoneIr, ZoneRead
from rulespec.model.types import ListType, Piece, Type, Zone, kind_of_pieces, strip
from rulespec.model.world import World, ZoneDecl, owner_of


@dataclass(frozen=True, slots=True)
class Spot:
    """Place, by its number among all: who sees fronts and backs (`all`, `owner`, `top`, `nobody`), its owner or -1.

    `room` is how many pieces fit; `is_counted` whether everybody sees how many there are, or the owner alone.
    """

    place: int
    front: str
    back: str
    owner: int
    room: int = 0
    is_counted: bool = True

    def counts(self, seat: int) -> bool:
        """Whether a seat sees how many pieces there are."""
        return self.is_counted or self.owner == seat

    def hidden(self, seat: int, count: int) -> range:
        """The positions, of so many pieces, whose fronts a seat does not see."""
        if self._sees(seat, self.front):
            return range(0)
        return range(max(count - 1, 0)) if self.front == "top" else range(count)

    def shown(self, seat: int, count: int) -> range:
        """The positions, of so many pieces, whose backs a seat sees."""
        if self._sees(seat, self.back):
            return range(count)
        return range(max(count - 1, 0), count) if self.back == "top" else range(0)

    def _sees(self, seat: int, who: str) -> bool:
        return who == "all" or (who == "owner" and self.owner == seat)


def spot_of(world: World, zone: ZoneDecl, number: int) -> Spot:
    """A place of a zone, by its number in it."""
    owner = owner_of(world, zone, number)
    whose = -1 if owner is None else owner
    return Spot(zone.first + number, zone.front, zone.back, whose, zone.capacity[number], zone.is_counted)


@dataclass(frozen=True, slots=True)
class Secret:
    """A decision that everybody makes in secret, and the instruction that asks.

    The cell in which the choices are kept until all are made: a record each, of who and what. `seat` is the cell that
    says whose turn it is, or -1.
    """

    at: int
    names: tuple[Name, ...]
    kept: int
    seat: int


@dataclass(frozen=True, slots=True)
class Hiding:
    """For each kind of pieces the places at which a seat may not see all fronts, in order.

    `named` are the names of blocks that can hold pieces: the cell of each, and its type; secret choices are not among
    them. `secret` are these, by the instruction that asks. `rolled` are kinds of which some step rolls pieces.
    `screens` are by kind the places of which their owners alone see how many pieces there are, in groups: somebody who
    does not see it knows how many a group holds together.
    """

    spots: dict[str, tuple[Spot, ...]]
    named: tuple[tuple[int, Type], ...]
    secret: dict[int, Secret]
    rolled: frozenset[str] = frozenset()
    screens: Mapping[str, tuple[tuple[Spot, ...], ...]] = field(default_factory=dict)


def find_hiding(facts: Facts) -> Hiding:
    """What can be hidden in a game."""
    world, layout = facts.world, facts.layout
    spots: dict[str, tuple[Spot, ...]] = {}
    for zone in world.zones.values():
        if zone.front != "all":
            found = tuple(spot_of(world, zone, i) for i in range(zone.places))
            spots[zone.holds] = (*spots.get(zone.holds, ()), *found)
    secret = secret_choices(facts.program)
    types = {slot: facts.program.slots[slot].type for slot in facts.program.state_slots if slot not in secret}
    named = tuple((layout.slots[slot], t) for slot, t in types.items() if holds_pieces(t))
    secrets = {at: _secret(facts, at, secret) for at, ask in facts.asks.items() if ask.secret}
    rolled = (_kind_in(facts, i.args[1]) for i in facts.program.instrs if i.op == "roll")
    screens = {kind: _screens(facts, kind, of_kind) for kind, of_kind in spots.items()}
    return Hiding(spots, named, secrets, frozenset(rolled), screens)


# ---- how many there are ---------------------------------------------------------------------------------------------


def _screens(facts: Facts, kind: str, spots: tuple[Spot, ...]) -> tuple[tuple[Spot, ...], ...]:
    """The places of a kind that their owners alone count, in groups.

    What goes into such a place or comes out of one is told with its number, unless it lies at both ends where it is
    not seen. So what a player has behind its screens is known to all as a whole, if no step passes pieces from behind
    one player's straight to another's: else it is what all players have there together.
    """
    uncounted = [spot for spot in spots if not spot.is_counted]
    if any(_passes_on(facts, kind, instr) for instr in facts.program.instrs):
        return (tuple(uncounted),)
    owners = dict.fromkeys(spot.owner for spot in uncounted)
    return tuple(tuple(spot for spot in uncounted if spot.owner == owner) for owner in owners)


def _passes_on(facts: Facts, kind: str, instr: Instr) -> bool:
    """Whether a step may take pieces from behind one player's screen to behind another's."""
    if instr.op not in ("move", "draw"):
        return False
    goal = instr.args[2]
    source = instr.args[1]
    if isinstance(source, (TakeIr, ZoneRead)):
        source = source.zone
    zones = facts.world.zones
    left, entered = _zones_of(facts, source), _zones_of(facts, goal)
    if not any(zones[key].holds == kind and not zones[key].is_counted for key in entered):
        return False
    if all(zones[key].is_counted for key in left):
        return False
    same = isinstance(source, ZoneIr) and isinstance(goal, ZoneIr) and source.place == goal.place
    return not (same and all(zones[key].domain == "player" for key in (*left, *entered)))


def _zones_of(facts: Facts, what: Ir) -> tuple[str, ...]:
    """The zones that a step may take pieces from, or bring them to."""
    t = strip(what.type)
    if isinstance(t, Zone):
        return (t.key,)
    piece = strip(t.of) if isinstance(t, ListType) else t
    if isinstance(piece, Piece) and piece.zone in facts.world.zones:
        return (piece.zone,)
    kind = kind_of_pieces(t)
    return tuple(zone.key for zone in facts.world.zones.values() if zone.holds == kind)


def _kind_in(facts: Facts, what: Ir) -> str:
    """The kind of the pieces that a step speaks of: of a zone, a piece or a list."""
    return facts.program.declared.zones[what.zone].holds if isinstance(what, ZoneIr) else kind_of_pieces(what.type)


def _secret(facts: Facts, at: int, secret: set[int]) -> Secret:
    """What is to be known of a secret decision; `secret` are the slots of choices."""
    instrs, slots = facts.program.instrs, facts.layout.slots
    kept = next(i.args[0] for i in instrs[at:] if i.op == "set" and i.args[0] in secret)
    seat = next(i.args[2] for i in reversed(instrs[:at]) if i.op == "store" and i.args[0] == "me")
    cell = slots.get(seat.slot, -1) if isinstance(seat, Local) else -1
    return Secret(at, facts.asks[at].names, slots[kept], cell)
