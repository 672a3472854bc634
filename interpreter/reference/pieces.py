"""Pieces and the places where they lie. A piece is a number: `(place * depth + position) * codes + code`."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from interpreter.reference import memory
from interpreter.reference.faults import Fails
from interpreter.reference.position import CELLS_A_COUNT, HANDLED, LISTED_A_COUNT, Position


def split(p: Position, piece: int) -> tuple[int, int, int]:
    """The place, the position there and the code of a piece."""
    rest, code = divmod(piece, p.game.codes)
    return *divmod(rest, p.game.depth), code


def piece_of(p: Position, place: int, position: int, code: int) -> int:
    """The number of a piece."""
    return (place * p.game.depth + position) * p.game.codes + code


def alike(p: Position, piece: int) -> int:
    """How many pieces like this one lie where it lies: of its look, or of its back where that is all that is known."""
    place, _, code = split(p, piece)
    unseen = p.game.places[place].kind.unseen
    return sum(code in (other, unseen[other]) for other in p.zones[place])


def in_pool(p: Position, piece: int) -> bool:
    """Whether a piece lies in a pool, where equal pieces have one number."""
    return p.game.places[split(p, piece)[0]].shape == "pool"


def has_room(p: Position, place: int, more: int = 1) -> bool:
    """Whether one more piece fits, or so many: always where there is room for all of the kind."""
    found = p.game.places[place]
    return not found.is_bounded or len(p.zones[place]) + more <= found.capacity


def find(p: Position, piece: int) -> tuple[int, int]:
    """The place where a piece lies, and its position: its own, or that of the nearest piece like it. Fails without."""
    if piece < 0:
        raise Fails
    place, position, code = split(p, piece)
    p.count(HANDLED + len(p.zones[place]) // LISTED_A_COUNT)
    there = [i for i, other in enumerate(p.zones[place]) if other == code]
    if not there:
        raise Fails
    return place, min(there, key=lambda i: abs(i - position))


def take_at(p: Position, place: int, position: int) -> int:
    """Takes the piece at a position away; its code."""
    codes = p.zones[place]
    p.zones[place] = codes[:position] + codes[position + 1 :]
    return codes[position]


def put(p: Position, place: int, code: int, *, bottom: bool = False) -> None:
    """Lays a piece where there is room: on top, or under all others."""
    codes = p.zones[place]
    p.count(HANDLED + len(codes) // CELLS_A_COUNT)
    if p.game.places[place].shape == "pool":
        kept = list(codes)
        insort(kept, code)
        p.zones[place] = tuple(kept)
    else:
        p.zones[place] = (code, *codes) if bottom else (*codes, code)


def set_content(p: Position, place: int, codes: Sequence[int]) -> None:
    """Replaces what lies at a place."""
    p.count(1 + len(codes) // LISTED_A_COUNT)
    p.zones[place] = tuple(sorted(codes) if p.game.places[place].shape == "pool" else codes)


@contextmanager
def _whole(p: Position) -> Iterator[None]:
    """What fails in the middle has not begun: every piece lies as it lay."""
    before, known = p.zones[:], p.known[:]
    try:
        yield
    except Fails:
        p.zones[:], p.known[:] = before, known
        raise


def move_pieces(p: Position, pieces: Sequence[int], goal: int, turn: Callable[[int], int], *, bottom: bool) -> None:
    """Moves pieces one by one. Fails where one is not there or does not fit: then none is moved.

    A piece lies lower by as many as were taken from under it before.
    """
    with _whole(p):
        _move_each(p, pieces, goal, turn, bottom=bottom)


def _move_each(p: Position, pieces: Sequence[int], goal: int, turn: Callable[[int], int], *, bottom: bool) -> None:
    gone: list[tuple[int, int]] = []
    if len(pieces) > 1 and min(pieces) >= 0 and _are_all_there(p, pieces):
        memory.emptied(p, split(p, pieces[0])[0], goal, turn)
    for piece in pieces:
        if not has_room(p, goal) or piece < 0:
            raise Fails
        place, position, _ = split(p, piece)
        lower = sum(1 for other, at in gone if other == place and at < position)
        origin, at = find(p, piece - lower * p.game.codes)
        knowing = memory.carried(p, origin, at, goal, bottom=bottom)
        code = turn(take_at(p, origin, at))
        put(p, goal, code, bottom=bottom)
        memory.arrived(p, goal, code, knowing, bottom=bottom)
        gone.append((place, position))


def _are_all_there(p: Position, pieces: Sequence[int]) -> bool:
    """Whether pieces are as many as lie at the place where the first of them lies, and all of that place."""
    place = split(p, pieces[0])[0]
    return len(pieces) == len(p.zones[place]) and all(split(p, piece)[0] == place for piece in pieces)


def flip_pieces(p: Position, pieces: Sequence[int], turn: Callable[[int], int]) -> None:
    """Turns pieces where they lie. Fails where one is not there: then none is turned."""
    with _whole(p):
        _flip_each(p, pieces, turn)


def _flip_each(p: Position, pieces: Sequence[int], turn: Callable[[int], int]) -> None:
    for piece in pieces:
        if piece < 0:
            raise Fails
        place, position, code = split(p, piece)
        p.count(HANDLED + len(p.zones[place]) // LISTED_A_COUNT)
        codes = list(p.zones[place])
        if code not in codes:
            raise Fails
        at = position if position < len(codes) and codes[position] == code else codes.index(code)
        memory.turned(p, place, at, turn, by_chance=False)
        codes[at] = turn(code)
        set_content(p, place, codes)


def show_pieces(p: Position, pieces: Sequence[int], seers: int) -> list[int]:
    """Shows pieces to some players, where they lie. It gives those that are there, as they lie."""
    there: list[int] = []
    for piece in pieces:
        place, position, code = split(p, piece) if piece >= 0 else (0, 0, -1)
        p.count(HANDLED + len(p.zones[place]) // LISTED_A_COUNT)
        like = [i for i, other in enumerate(p.zones[place]) if other == code]
        if like:
            at = min(like, key=lambda i: abs(i - position))
            there.append(piece_of(p, place, at if p.game.places[place].shape == "stack" else 0, code))
            memory.shown(p, place, at, seers, min(there.count(there[-1]), len(like)))
    return there
