"""What of a game can be hidden from a seat: places whose pieces it may not see, and names that hold pieces."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.middle.facts import Facts
from interpreter.sight import holds_pieces, secret_choices
from rulespec.lower.ir import Ir, Local, Name, ZoneIr
from rulespec.model.types import Type, kind_of_pieces
from rulespec.model.world import World, ZoneDecl, owner_of


@dataclass(frozen=True, slots=True)
class Spot:
    """Place, by its number among all: who sees fronts and backs (`all`, `owner`, `top`, `nobody`), its owner or -1."""

    place: int
    front: str
    back: str
    owner: int

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
    return Spot(zone.first + number, zone.front, zone.back, -1 if owner is None else owner)


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
    """

    spots: dict[str, tuple[Spot, ...]]
    named: tuple[tuple[int, Type], ...]
    secret: dict[int, Secret]
    rolled: frozenset[str] = frozenset()


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
    return Hiding(spots, named, secrets, frozenset(rolled))


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
