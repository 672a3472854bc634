"""What may be taken back: a decision, as long as it has shown nothing new to anybody.

The engine's state says it exactly. Chance has been used when a stream of random numbers has moved on. Something
hidden was revealed when a seat now sees a piece that neither it nor whoever decided saw before, or when the deciding
seat would see something else, had the hidden pieces lain otherwise; and when a seat was shown pieces (`look`) that it
does not see where they lie, whether or not anybody knew them: it cannot unlearn them. It learns as well that there are
none, or how many there are (`foresight.Learning`). What a seat remembers does not count: the answer is told to all, and
would tell them what it knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from interpreter.game import Game
from interpreter.imagine import imagine
from interpreter.middle.pieces import copy_cells
from interpreter.refusal import IllegalOption
from interpreter.sight import Sight
from interpreter.state import State
from interpreter.table.foresight import Learning
from interpreter.table.seats import SPECTATOR

#: How many other worlds are tried.
WORLDS = 4

Seen = Counter[tuple[str, int]]


def was_foreseeable(before: State, key: str, after: State, seat: int, asker: int | None = None) -> bool:
    """Whether `seat`, which chose `key`, knew all that came of it.

    Where another seat asks, what only `seat` sees must not show in the answer: it goes by what may lie there for all
    that the asker sees.
    """
    if _used_chance(before, after) or _has_shown(before, key):
        return False
    known = _seen(before, seat)
    for viewer in (SPECTATOR, *range(before.game.players)):
        if (_seen(after, viewer) - _seen(before, viewer)) - known:
            return False
    forgotten = _forgotten(before)
    if _has_learnt(before, key, seat):
        return False
    if asker is None or asker == seat:
        return _is_alike_for(forgotten, key, seat)
    worlds = [imagine(forgotten, asker, world) for world in range(WORLDS)]
    return all(_is_alike_for(world, key, seat) and not _has_learnt(world, key, seat) for world in worlds)


def _is_alike_for(before: State, key: str, seat: int) -> bool:
    """Whether the seat saw the same afterwards, whatever lies where it does not see it."""
    try:
        after = before.apply(before.option(key))
    except (IllegalOption, ValueError):  # imagined, and not so: the seat would not have chosen it
        return True
    return all(_looks_alike(before, key, after, seat, world) for world in range(WORLDS))


def _forgotten(state: State) -> State:
    """The state as it is where nobody remembers anything."""
    cells, game = copy_cells(state.cells), state.game
    for zone in game.world.zones.values():
        for place in range(zone.first, zone.first + zone.places):
            game.facts.pieces.forget(cells, place)
    return game.state_from_cells(cells)


def _used_chance(before: State, after: State) -> bool:
    cells = before.game.facts.layout.streams.values()
    return any(before.cells[cell] != after.cells[cell] for cell in cells)


def _has_shown(before: State, key: str) -> bool:
    """Whether somebody was shown pieces on the way. That it was, and where they lay, is told to all."""
    if not any(instr.op == "look" for instr in before.game.built.program.instrs):
        return False
    sight = before.game.knowledge.sight
    looks = (event for event in before.apply(before.option(key), events=True).events or () if event[0] == "look")
    return any(
        sight.side(cells, piece, viewer) != "front"
        for _, _, _, pieces, seers, cells in looks
        for viewer in range(before.game.players)
        for piece in pieces
        if seers >> viewer & 1
    )


def _has_learnt(before: State, key: str, seat: int) -> bool:
    """Whether it told of hidden pieces that there are none, or how many."""
    game = before.game
    option = before.options().find(key)
    if option is None or not _can_tell(game):
        return False
    cells, watch = copy_cells(before.cells), Learning(game, seat)
    game.machine.run(cells, game.machine.answer(cells, cells[0], option.candidate), [], watch=watch)
    return watch.learnt


def _can_tell(game: Game) -> bool:
    looks = any(instr.op == "look" for instr in game.built.program.instrs)
    return looks or not all(zone.is_counted for zone in game.world.zones.values())


def _seen(state: State, viewer: int) -> Seen:
    """The pieces whose fronts a viewer sees, whatever face is up."""
    return Counter(_fronts(state, viewer))


def _fronts(state: State, viewer: int) -> Iterator[tuple[str, int]]:
    world, handling = state.game.world, state.game.facts.pieces
    sight = Sight(state.game.facts)
    for zone in world.zones.values():
        kind = world.pieces[zone.holds]
        for place in range(zone.first, zone.first + zone.places):
            codes = handling.content(state.cells, place)
            for at, code in enumerate(codes):
                top = zone.shape != "stack" or at == len(codes) - 1
                if sight.sees(place, viewer, "front", top=top):
                    yield zone.holds, kind.with_face(code, 0)


def _looks_alike(before: State, key: str, after: State, seat: int, world: int) -> bool:
    """Whether the seat sees the same afterwards in another world that looked the same to it before."""
    try:
        other = imagine(before, seat, world)
        changed = other.apply(other.option(key))
    except (IllegalOption, ValueError):
        return False
    return changed.view(seat).to_json() == after.view(seat).to_json()
