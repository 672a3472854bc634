"""Steps that chance decides: draws, shuffles, and which of several hidden pieces was meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter import rng
from interpreter.executor.runtime import Handling

Cells = list[Any]


def below(c: Cells, stream: int, increment: int, n: int) -> int:
    """An even draw from 0..n-1 out of a stream that lies in the state."""
    c[stream], value = rng.below(c[stream], increment, n)
    return value


def shuffle_stack(handling: Handling, c: Cells, place: int, stream: int, increment: int) -> None:
    """Puts the pieces of a stack into random order."""
    codes = handling.content(c, place)
    c[stream] = rng.shuffle(c[stream], increment, codes)
    handling.set_content(c, place, codes)


def draw(
    handling: Handling, c: Cells, amount: int, source: int, goal: int, renew: int, stream: int, increment: int
) -> list[int]:
    """Moves up to `amount` pieces: at random out of a pool, from the top of a stack; gives their codes, in order.

    A source that runs short is renewed: what lies at `renew` is shuffled in under it.
    """
    shape = handling.places[source][0]
    drawn: list[int] = []
    for _ in range(max(amount, 0)):
        codes = handling.content(c, source)
        if not codes and renew >= 0:
            _renew(handling, c, source, renew, stream, increment)
            codes = handling.content(c, source)
        if not codes or not handling.room(c, goal):
            break
        at = below(c, stream, increment, len(codes)) if shape == "pool" else len(codes) - 1
        code = codes.pop(at)
        handling.set_content(c, source, codes)
        handling.put(c, goal, code)
        drawn.append(code)
    return drawn


def _renew(handling: Handling, c: Cells, source: int, renew: int, stream: int, increment: int) -> None:
    codes = handling.content(c, renew)
    handling.set_content(c, renew, ())
    c[stream] = rng.shuffle(c[stream], increment, codes)
    handling.set_content(c, source, codes)


def pick_unseen(handling: Handling, c: Cells, ref: int, unseen: Sequence[int], stream: int, increment: int) -> int:
    """One of the pieces at a place that look alike from behind, evenly; the piece itself where it was seen."""
    place = ref // handling.codes // handling.depth
    back = ref % handling.codes
    alike = [r for r in handling.refs(c, place) if unseen[r % handling.codes] == back]
    if not alike:
        return -1
    return alike[below(c, stream, increment, len(alike))]


def flip_pieces(handling: Handling, c: Cells, refs: Sequence[int], face: Callable[[int], int]) -> bool:
    """Turns pieces where they lie; whether all of them were there."""
    for ref in refs:
        if ref < 0:
            return False
        place = ref // handling.codes // handling.depth
        code = ref % handling.codes
        codes = handling.content(c, place)
        if code not in codes:
            return False
        position = ref // handling.codes % handling.depth
        at = position if position < len(codes) and codes[position] == code else codes.index(code)
        codes[at] = face(code)
        handling.set_content(c, place, codes)
    return True
