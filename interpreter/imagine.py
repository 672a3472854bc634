"""Another state that looks the same to one seat: hidden pieces dealt anew, chance seeded anew."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from interpreter import rng
from interpreter.executor.runtime import copy_cells
from interpreter.views import sees
from rulespec.model.types import ListType, Piece, Record, strip
from rulespec.model.world import ZoneDecl

if TYPE_CHECKING:
    from interpreter.state import State


def imagine(state: State, seat: int, seed: int) -> State:
    """A state that the seat cannot tell from this one, drawn evenly from what it cannot see.

    Pieces that look alike from behind, where the seat sees no front, change places; every stream of
    chance begins anew. Pieces that an open block names stay where they are, so that it can go on. What others
    have chosen in secret is chosen anew.
    """
    game = state.game
    cells = copy_cells(state.cells)
    dice = random.Random(seed)  # noqa: S311 - for imagining, not for the game's own chance
    for kind in game.world.pieces:
        _deal_anew(state, cells, kind, seat, dice)
    if state.decision is not None and state.ask.secret:
        _choose_anew(state, cells, seat, dice)
    for name, cell in game.compiled.layout.streams.items():
        cells[cell] = rng.start(rng.seed_stream(dice.getrandbits(64), name), rng.increment(name))
    return game.state_from_cells(cells)


def _deal_anew(state: State, cells: list[Any], kind: str, seat: int, dice: random.Random) -> None:
    """Shuffles the hidden pieces of one kind among the hidden places with the same back."""
    handling, world = state.game.compiled.handling, state.game.world
    unseen = world.pieces[kind].unseen
    named = _named(state, kind)
    contents: dict[int, list[int]] = {}
    by_back: dict[int, list[tuple[int, int]]] = {}
    for zone in world.zones.values():
        if zone.holds != kind:
            continue
        for i in range(zone.places):
            place = zone.first + i
            contents[place] = handling.content(cells, place)
            for position in hidden_positions(state, zone, i, seat, len(contents[place])):
                code = contents[place][position]
                if (place, code) not in named:
                    by_back.setdefault(unseen[code], []).append((place, position))
    for places in by_back.values():
        codes = [contents[place][position] for place, position in places]
        dice.shuffle(codes)
        for (place, position), code in zip(places, codes, strict=True):
            contents[place][position] = code
    for place, codes in contents.items():
        handling.set_content(cells, place, codes)


def _choose_anew(state: State, cells: list[Any], seat: int, dice: random.Random) -> None:
    """Other secret choices of the others: each evenly out of what they may choose."""
    compiled, pc = state.game.compiled, cells[0]
    secret = state.game.knowledge.secrets.choices
    kept = next(cell for slot, cell in compiled.layout.slots.items() if slot in secret and cells[cell.__index__()] != 0)
    cells[kept] = tuple(
        record if record[0] == seat else _another(state, cells, record, pc, dice) for record in cells[kept]
    )


def hidden_positions(state: State, zone: ZoneDecl, place: int, seat: int, count: int) -> range:
    """The positions of a place whose fronts a seat does not see."""
    if sees(state, zone, place, seat, zone.front):
        return range(0)
    return range(max(count - 1, 0)) if zone.front == "top" else range(count)


def _named(state: State, kind: str) -> set[tuple[int, int]]:
    """Place and code of each piece that a name of an open block holds."""
    compiled = state.game.compiled
    codes, depth = compiled.handling.codes, compiled.handling.depth
    found: set[tuple[int, int]] = set()
    for slot, cell in compiled.layout.slots.items():
        for t, value in _pieces(compiled.program.slots[slot].type, state.cells[cell]):
            if t.kind == kind and value > 0:
                found.add((value // codes // depth, value % codes))
    return found


def _pieces(t: object, value: Any) -> list[tuple[Piece, int]]:
    inner = strip(t)  # type: ignore[arg-type]
    if isinstance(inner, Piece):
        return [(inner, value)] if isinstance(value, int) else []
    if isinstance(inner, ListType) and isinstance(value, tuple):
        return [pair for v in value for pair in _pieces(inner.of, v)]
    if isinstance(inner, Record) and isinstance(value, tuple):
        return [pair for (_, ft), v in zip(inner.fields, value, strict=True) for pair in _pieces(ft, v)]
    return []
