"""Another state that looks the same to one seat: hidden pieces dealt anew, chance seeded anew."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from interpreter import rng
from interpreter.executor.runtime import copy_cells
from interpreter.views import sees
from rulespec.lower.ir import Local
from rulespec.model.types import ListType, Piece, Record, Type, strip
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
    compiled, secret = state.game.compiled, state.game.knowledge.secrets.choices
    pc, instrs = cells[0], compiled.program.instrs
    kept = next(i.args[0] for i in instrs[pc:] if i.op == "set" and i.args[0] in secret)
    cell = compiled.layout.slots[kept]
    cells[cell] = tuple(
        _own(state, cells, r, dice) if r[0] == seat else _another(state, cells, r, dice) for r in cells[cell]
    )


def _own(state: State, cells: list[Any], record: tuple[Any, ...], dice: random.Random) -> tuple[Any, ...]:
    """What a player has chosen, who may not know yet which of the pieces with that back it has become."""
    sight, codes = state.game.knowledge.sight, state.game.compiled.handling.codes
    found = [record[0]]
    for name, value in zip(state.ask.names, record[1:], strict=True):
        inner, chosen = strip(name.type), value
        if isinstance(inner, Piece) and value >= 0 and sight.side(state.cells, value, record[0]) != "front":
            back = value - value % codes + state.game.world.pieces[inner.kind].unseen[value % codes]
            chosen = _front(state, cells, name.type, back, dice)
        found.append(chosen)
    return tuple(found)


def _another(state: State, cells: list[Any], record: tuple[Any, ...], dice: random.Random) -> tuple[Any, ...]:
    """What a player could have chosen instead at the decision that is asked of all."""
    compiled, pc, player = state.game.compiled, cells[0], record[0]
    trial = copy_cells(cells)
    for region in ("me", "active"):
        trial[compiled.layout.regions[region]] = player
    seat = next(i.args[2] for i in reversed(compiled.program.instrs[:pc]) if i.op == "store" and i.args[0] == "me")
    if isinstance(seat, Local) and seat.slot in compiled.layout.slots:
        trial[compiled.layout.slots[seat.slot]] = player
    options = state.game.machine.options(trial, pc)
    if not options:
        return record
    chosen = dice.choice(options)
    names = state.ask.names
    values = chosen if len(names) > 1 or state.ask.record else (chosen,)
    return (player, *(_front(state, trial, n.type, v, dice) for n, v in zip(names, values, strict=True)))


def _front(state: State, cells: list[Any], t: Type, value: Any, dice: random.Random) -> Any:
    """A piece that was chosen by its back: one of those that look like it."""
    inner, handling = strip(t), state.game.compiled.handling
    if not isinstance(inner, Piece) or value % handling.codes < state.game.world.pieces[inner.kind].count:
        return value
    unseen = state.game.world.pieces[inner.kind].unseen
    refs = handling.refs(cells, value // handling.codes // handling.depth)
    return dice.choice([r for r in refs if unseen[r % handling.codes] == value % handling.codes])


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
    secret = state.game.knowledge.secrets.choices
    for slot, cell in compiled.layout.slots.items():
        for t, value in () if slot in secret else _pieces(compiled.program.slots[slot].type, state.cells[cell]):
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
