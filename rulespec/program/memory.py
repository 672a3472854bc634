"""Where players remember what they have seen: how many cells of a state say who knows which piece there.

Nothing is kept of a game without hidden zones, of a zone whose fronts all see, of one that says `memory: none`, nor of
one into which no step puts a piece and of which none shows one (`look`). What is kept is bounded: see `MOST_CELLS`.
"""

from __future__ import annotations

from typing import Final

from rulespec.lower import declared as D  # noqa: N812
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir, Program
from rulespec.model.types import ListType, Piece, Zone, kind_of_pieces, strip

#: A state has at most so many cells for what players know, or as many as all zones have for their pieces where that is
#: more. Zones that need most are not remembered then, so that states stay small enough to be played fast.
MOST_CELLS: Final = 4_096

#: Operations after which pieces may be known somewhere, since they came there or were shown: which operand says where.
_SHOWS: Final = {"move": 2, "draw": 2, "look": 1}


def memory_cells(declared: Declared, program: Program) -> dict[str, int]:
    """For each zone where something can be known: how many cells each of its places has for that.

    A pool has for each player a row with a count for each code: how many of those pieces the player knows to lie there;
    see `rowless`. A slot and a stack have for each position the players that know the piece there, as bits.
    """
    found = _wanted(declared, program)
    forgotten = _too_many(declared, found)
    return {key: cells for key, cells in found.items() if key not in forgotten}


def not_remembered(declared: Declared, program: Program) -> tuple[str, ...]:
    """The zones where pieces could be known, and of which nothing is kept because it would need too many cells."""
    return _too_many(declared, _wanted(declared, program))


def may_forget(declared: Declared) -> bool:
    """Whether there would be such zones if some step reached every zone."""
    hidden = (z for z in declared.zones.values() if z.front != "all" and z.memory)
    return bool(_too_many(declared, {z.key: cells for z in hidden if (cells := _cells(declared, z))}))


def _wanted(declared: Declared, program: Program) -> dict[str, int]:
    """What `memory_cells` gives, without a bound."""
    hidden = [z for z in declared.zones.values() if z.front != "all" and z.memory]
    if not hidden:
        return {}
    reached = _reached(program)
    there = (z for z in hidden if z.key in reached or f"kind {z.holds}" in reached)
    return {z.key: cells for z in there if (cells := _cells(declared, z))}


def _too_many(declared: Declared, wanted: dict[str, int]) -> tuple[str, ...]:
    """The zones that need most cells, the first of equal ones first, until the others need few enough."""
    needed = {key: cells * declared.zones[key].places for key, cells in wanted.items()}
    without = sum(place_cells(declared, z) * z.places for z in declared.zones.values())
    most, left = max(MOST_CELLS, without), needed.copy()
    while sum(left.values()) > most:
        del left[max(left, key=left.__getitem__)]
    return tuple(key for key in needed if key not in left)


def place_cells(declared: Declared, zone: D.Zone) -> int:
    """How many cells each place of a zone has for the pieces that lie there."""
    return {"slot": 1, "pool": declared.pieces[zone.holds].count, "stack": 1 + zone.room}[zone.shape]


def _cells(declared: Declared, zone: D.Zone) -> int:
    if zone.shape == "pool":
        return (declared.players - _is_owned(zone)) * declared.pieces[zone.holds].count
    return 1 if zone.shape == "slot" else zone.room


def _is_owned(zone: D.Zone) -> bool:
    """Whether of each place one player sees all fronts, always."""
    return zone.front == "owner" and min(zone.owners, default=-1) >= 0


def needs_wide_cells(declared: Declared, program: Program) -> bool:
    """Whether a code, a count of pieces, or a set of players that know a piece, needs more than one byte."""
    kinds, zones = declared.pieces.values(), declared.zones.values()
    most = max((max(k.supply, default=0) for k in kinds), default=0)
    many = any(k.count > 254 for k in kinds) or most > 255 or any(z.room > 255 for z in zones)
    return many or (declared.players > 8 and bool(memory_cells(declared, program)))


def rowless(zone: D.Zone, place: int, players: int) -> int:
    """The player that has no row in a pool, since it sees all there always; as many as there are players for none.

    Those behind it have the row before: `seat - (seat > rowless)`.
    """
    return zone.owners[place] if _is_owned(zone) else players


def _reached(program: Program) -> set[str]:
    """The zones into which a step can put a piece, or of which it shows some, or all of a kind."""
    return {_named(instr.args[at]) for instr in program.instrs if (at := _SHOWS.get(instr.op)) is not None}


def _named(what: Ir) -> str:
    t = strip(what.type)
    if isinstance(t, Zone):
        return t.key
    piece = strip(t.of) if isinstance(t, ListType) else t
    return piece.zone if isinstance(piece, Piece) and piece.zone else f"kind {kind_of_pieces(t)}"


def seers(zone: D.Zone, place: int, who: str, everybody: int) -> int:
    """The players who see a side of all pieces at a place, as bits; `who` is what the zone says of that side."""
    if who == "owner":
        return 1 << zone.owners[place] if zone.owners[place] >= 0 else 0
    return everybody if who == "all" else 0
