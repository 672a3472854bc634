"""What chance decides: draws, shuffles, and which of several pieces was meant that look alike from behind."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import rng
from interpreter.reference import memory
from interpreter.reference.pieces import has_room, piece_of, put, set_content, split, take_at
from interpreter.reference.position import CELLS_A_COUNT, Position


def seed(p: Position, number: int) -> None:
    """Seeds every stream from the game's seed and its own name."""
    for name in p.streams:
        p.streams[name] = rng.start(rng.seed_stream(number, name), rng.increment(name))


def below(p: Position, stream: str, bound: int) -> int:
    """A number in `0..bound-1` out of a stream, each equally likely."""
    p.streams[stream], found = rng.below(p.streams[stream], rng.increment(stream), bound)
    return found


def take_one(p: Position, stream: str, left: list[int]) -> int:
    """Takes one of some numbers away, each equally likely; the first takes its place."""
    at = below(p, stream, len(left))
    left[0], left[at] = left[at], left[0]
    return left.pop(0)


def shuffled(p: Position, stream: str, codes: tuple[int, ...]) -> list[int]:
    """Some codes in a random order."""
    p.count(len(codes))
    found = list(codes)
    p.streams[stream] = rng.shuffle(p.streams[stream], rng.increment(stream), found)
    return found


def shuffle(p: Position, place: int, stream: str) -> None:
    """Puts the pieces of a stack into a random order."""
    set_content(p, place, shuffled(p, stream, p.zones[place]))
    memory.shuffled(p, place)


def draw(p: Position, amount: int, source: int, goal: int, renewed_from: int | None, stream: str) -> list[int]:
    """Moves as many pieces as there are and fit: evenly at random from a pool, else from the top; their codes.

    An empty source is renewed first: what lies ready is shuffled in.
    """
    drawn: list[int] = []
    if 1 < len(p.zones[source]) <= amount and has_room(p, goal, len(p.zones[source])):
        memory.emptied(p, source, goal, lambda code: code)
    for _ in range(max(amount, 0)):
        if renewed_from is not None and not p.zones[source]:
            ready = shuffled(p, stream, p.zones[renewed_from])
            set_content(p, renewed_from, ())
            set_content(p, source, ready)
            memory.forgotten(p, renewed_from)
            memory.forgotten(p, source)
        count = len(p.zones[source])
        if not count or not has_room(p, goal):
            break
        is_pool = p.game.places[source].shape == "pool"
        at = below(p, stream, count) if is_pool else count - 1
        knowing = memory.carried(p, source, at, goal, bottom=False)
        code = take_at(p, source, at)
        put(p, goal, code)
        memory.arrived(p, goal, code, knowing, bottom=False)
        drawn.append(code)
    return drawn


def roll(p: Position, pieces: Sequence[int], stream: str) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Turns each piece that is there to a face, each equally likely.

    It gives those pieces as they were, with their codes now and whether they lie on top; and all pieces as they are.
    """
    rolled: list[tuple[int, int, int]] = []
    now = list(pieces)
    for number, piece in enumerate(pieces):
        place, position, code = split(p, piece) if piece >= 0 else (0, 0, -1)
        codes = list(p.zones[place])
        if code not in codes:
            continue
        p.count(1 + len(codes) // CELLS_A_COUNT)
        kind = p.game.places[place].kind
        at = position if position < len(codes) and codes[position] == code else codes.index(code)
        face = below(p, stream, kind.faces)
        memory.turned(p, place, at, lambda c: c, by_chance=True)
        codes[at] = kind.turned(code, face)
        rolled.append((piece, codes[at], int(at == len(codes) - 1)))
        now[number] = piece_of(p, place, at if p.game.places[place].shape == "stack" else 0, codes[at])
        set_content(p, place, codes)
    return rolled, now


def resolve(p: Position, piece: int, stream: str, taken: Sequence[int] = ()) -> int:
    """One of the pieces that look like this from behind, each equally likely; none where there is none.

    Those that were taken before are not among them. In a pool equal pieces have one number, and each counts.
    """
    place, _, back = split(p, piece)
    unseen = p.game.places[place].kind.unseen
    alike = [other for other in p.pieces_at(place) if unseen[other % p.game.codes] == back]
    for other in taken:
        if other in alike:
            alike.remove(other)
    return alike[below(p, stream, len(alike))] if alike else -1
