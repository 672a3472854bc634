"""Where players remember what they have seen: how many cells of a state say who knows which piece there.

Nothing is kept of a game without hidden zones, of a zone whose fronts all see, of one that says `memory: none`, nor of
one in which no piece can be known: none is ever put there, and nobody looks at any there.
"""

from __future__ import annotations

from typing import Final

from rulespec.lower import declared as D  # noqa: N812
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir, Program
from rulespec.model.types import Zone, kind_of_pieces, strip

#: Operations that put pieces somewhere, or show them: which operand says where.
_SHOWN: Final = {"move": 2, "draw": 2, "look": 1}


def memory_cells(declared: Declared, program: Program) -> dict[str, int]:
    """For each zone where something can be known: how many cells each of its places has for that.

    A pool has for each player a count for each code: how many of those pieces the player knows to lie there. A slot and
    a stack have for each position the players that know the piece there, as bits.
    """
    hidden = [z for z in declared.zones.values() if z.front != "all" and z.memory]
    if not hidden:
        return {}
    reached = _reached(program)
    return {z.key: _cells(declared, z) for z in hidden if z.key in reached or f"kind {z.holds}" in reached}


def _cells(declared: Declared, zone: D.Zone) -> int:
    if zone.shape == "pool":
        return declared.players * declared.pieces[zone.holds].count
    return 1 if zone.shape == "slot" else zone.room


def _reached(program: Program) -> set[str]:
    """The zones into which a step can put a piece, or at which somebody can look; or all of a kind."""
    return {_named(instr.args[at]) for instr in program.instrs if (at := _SHOWN.get(instr.op)) is not None}


def _named(what: Ir) -> str:
    t = strip(what.type)
    return t.key if isinstance(t, Zone) else f"kind {kind_of_pieces(t)}"


def seers(zone: D.Zone, place: int, who: str, everybody: int) -> int:
    """The players who see a side of all pieces at a place, as bits; `who` is what the zone says of that side."""
    if who == "owner":
        return 1 << zone.owners[place] if zone.owners[place] >= 0 else 0
    return everybody if who == "all" or (who == "top" and zone.shape != "stack") else 0
