"""Another state that looks the same to one seat: hidden pieces dealt anew, chance seeded anew."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from interpreter import rng
from interpreter.executor.runtime import copy_cells
from interpreter.sight import holds_pieces
from interpreter.views import sees
from rulespec.lower.ir import Local
from rulespec.model.types import ListType, Piece, Record, Type, strip
from rulespec.model.world import ZoneDecl

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State


def imagine(state: State, seat: int, seed: int) -> State:
    """A state that the seat cannot tell from this one, drawn evenly from what it cannot see.

    Pieces whose fronts the seat does not see are dealt anew, where it sees backs among those with that back; every
    stream of chance begins anew. Pieces that an open block names stay where they are, so that it can go on. What others
    have chosen in secret is chosen anew. States that look the same become the same with the same seed.
    """
    return state.game.state_from_cells(imagined_cells(state, seat, seed))


def imagined_cells(state: State, seat: int, seed: int) -> list[Any]:
    """The cells of such a state, for whoever finds its options in another way."""
    game = state.game
    cells = copy_cells(state.cells)
    dice = random.Random(seed)  # noqa: S311 - for imagining, not for the game's own chance
    for kind, zones in _hiding(game).zones.items():
        _deal_anew(state, cells, (kind, zones), seat, dice)
    if state.decision is not None and state.ask.secret:
        _choose_anew(state, cells, seat, dice)
    for name, cell in game.compiled.layout.streams.items():
        cells[cell] = rng.start(rng.seed_stream(dice.getrandbits(64), name), rng.increment(name))
    return cells


class _Hiding:
    """What of a game can be hidden: for each kind of pieces the zones in which a seat may not see all fronts.

    `named` has the names of blocks that can hold pieces: the cell of each, and its type.
    """

    def __init__(self, game: Game):
        compiled, secret = game.compiled, game.knowledge.secrets.choices
        self.zones: dict[str, list[ZoneDecl]] = {}
        for zone in game.world.zones.values():
            if zone.front != "all":
                self.zones.setdefault(zone.holds, []).append(zone)
        types = {slot: compiled.program.slots[slot].type for slot in compiled.layout.slots if slot not in secret}
        self.named = [(compiled.layout.slots[slot], t) for slot, t in types.items() if holds_pieces(t)]


_HIDING: WeakKeyDictionary[Game, _Hiding] = WeakKeyDictionary()


def _hiding(game: Game) -> _Hiding:
    """What can be hidden in a game, found once."""
    found = _HIDING.get(game)
    if found is None:
        found = _HIDING[game] = _Hiding(game)
    return found


def _deal_anew(
    state: State, cells: list[Any], hiding: tuple[str, list[ZoneDecl]], seat: int, dice: random.Random
) -> None:
    """Deals the hidden pieces of one kind anew: any that can lie at each place, by the back that is seen there.

    The pieces are dealt from a sorted pack, so that states that look the same become the same.
    """
    kind, zones = hiding
    handling, unseen = state.game.compiled.handling, state.game.world.pieces[kind].unseen
    named = _named(state, kind)
    contents: dict[int, list[int]] = {}
    backs: list[tuple[int, int, int]] = []
    others: list[tuple[int, int]] = []
    for zone in zones:
        for i in range(zone.places):
            place = zone.first + i
            content = handling.content(cells, place)
            hidden = hidden_positions(state, zone, i, seat, len(content))
            free = [p for p in hidden if (place, content[p]) not in named]
            if free:
                contents[place] = content
            shown = _shown_backs(state, zone, i, seat, len(content))
            backs += sorted((place, unseen[content[p]], p) for p in free if p in shown)
            others += [(place, p) for p in free if p not in shown]
    pack = [contents[place][p] for place, _, p in backs] + [contents[place][p] for place, p in others]
    for (place, position), code in _dealt(sorted(pack), unseen, backs, others, dice):
        contents[place][position] = code
    for place, codes in contents.items():
        handling.set_content(cells, place, codes)


def _dealt(
    pack: list[int],
    unseen: Sequence[int],
    backs: list[tuple[int, int, int]],
    others: list[tuple[int, int]],
    dice: random.Random,
) -> Iterator[tuple[tuple[int, int], int]]:
    """Each position with the piece that it gets: first where a back is seen, then anywhere."""
    dice.shuffle(pack)
    by_back: dict[int, list[int]] = {}
    for code in pack:
        by_back.setdefault(unseen[code], []).append(code)
    for place, back, position in backs:
        yield (place, position), by_back[back].pop()
    left = sorted(code for codes in by_back.values() for code in codes)
    dice.shuffle(left)
    yield from zip(others, left, strict=True)


def _shown_backs(state: State, zone: ZoneDecl, place: int, seat: int, count: int) -> range:
    """The positions of a place whose backs a seat sees."""
    if sees(state, zone, place, seat, zone.back):
        return range(count)
    return range(max(count - 1, 0), count) if zone.back == "top" else range(0)


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
    for cell, declared in _hiding(state.game).named:
        for t, value in _pieces(declared, state.cells[cell]):
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
