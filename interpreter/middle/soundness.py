"""Whether cells that come from outside can be a state of a game: in a state that cannot be, nothing is promised."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rulespec.lower.ir import NO_INTEGER, Region
from rulespec.model.types import Boolean, ListType, Member, Record, SetType, Type, strip

if TYPE_CHECKING:
    from interpreter.middle.facts import Facts
    from rulespec.lower.declared import Kind

Cells = list[Any]


def is_sound(facts: Facts, cells: Cells) -> bool:
    """Whether every cell holds what it may, all pieces are there, and the open blocks lead to the outermost one.

    LookupError where a cell points nowhere.
    """
    return _values_fit(facts, cells) and _pieces_fit(facts, cells) and _blocks_fit(facts, cells)


def _values_fit(facts: Facts, cells: Cells) -> bool:
    for region in facts.program.regions:
        base = facts.layout.regions[region.key]
        kept = cells[base : base + region.places]
        if not all(region.low <= value <= region.high or value == _none_of(region) for value in kept):
            return False
    slots, layout = facts.program.slots, facts.layout
    return all(_holds(facts, slots[slot].type, cells[cell]) for slot, cell in layout.slots.items())


def _none_of(region: Region) -> int | None:
    return NO_INTEGER if region.may_be_none else None


def _holds(facts: Facts, t: Type, value: Any) -> bool:
    """Whether a name of a block can hold this; none is below zero."""
    match strip(t):
        case Boolean():
            return bool(-1 <= value <= 1)
        case Member(domain=domain):
            return bool(-1 <= value < facts.declared.domains[domain].size)
        case SetType(of=Member(domain=domain)):
            return bool(value < 1 << facts.declared.domains[domain].size)
        case ListType(of=of):
            return all(_holds(facts, of, each) for each in value)
        case Record(fields=fields):
            return all(_holds(facts, each, part) for (_, each), part in zip(fields, value, strict=False))
        case _:
            return True


def _pieces_fit(facts: Facts, cells: Cells) -> bool:
    """Whether each zone holds no more than it can, and each piece is somewhere, once."""
    declared = facts.declared
    found: dict[str, Counter[int]] = {name: Counter() for name in declared.pieces}
    for zone in declared.zones.values():
        kind = declared.pieces[zone.holds]
        for place in range(zone.places):
            codes = facts.pieces.content(cells, zone.first + place)
            if not all(0 <= code < kind.count for code in codes):
                return False
            found[kind.name].update(kind.with_face(code, 0) for code in codes)
    return all(found[name] == _supply(kind) for name, kind in declared.pieces.items())


def _supply(kind: Kind) -> Counter[int]:
    """How many pieces of a kind there are, whichever face is up."""
    there: Counter[int] = Counter()
    for code, count in enumerate(kind.supply):
        there[kind.with_face(code, 0)] += count
    return +there


def _blocks_fit(facts: Facts, cells: Cells) -> bool:
    """Whether the way back from the present instruction ends, each block being open once."""
    backs = {proc.id: facts.layout.slots.get(proc.back) for proc in facts.program.procs}
    at, seen = cells[0], set()
    if not at:
        return True  # the game is over, and nothing is open
    while True:
        proc = facts.structure.proc_of[at]
        cell = backs[proc]
        if proc in seen or cell is None:
            return False
        if not cells[cell]:
            return True
        seen.add(proc)
        at = cells[cell] - 1
