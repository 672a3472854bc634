"""Steps that chance decides: draws, shuffles, and which of several hidden pieces was meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from interpreter import rng
from interpreter.middle.layout import PIECES
from interpreter.middle.pieces import Pieces

Cells = list[Any]
#: a stream of chance: the cell that holds its state, and its increment
Stream = tuple[int, int]


def below(c: Cells, stream: Stream, n: int) -> int:
    """An even draw from 0..n-1 out of a stream that lies in the state."""
    cell, increment = stream
    c[cell], value = rng.below(c[cell], increment, n)
    return value


def _shuffle(c: Cells, stream: Stream, codes: list[int]) -> None:
    cell, increment = stream
    c[cell] = rng.shuffle(c[cell], increment, codes)


def shuffle_stack(handling: Pieces, c: Cells, place: int, stream: Stream) -> None:
    """Puts the pieces of a stack into random order."""
    codes = handling.content(c, place)
    _shuffle(c, stream, codes)
    handling.set_content(c, place, codes)


def draw(handling: Pieces, c: Cells, amount: int, places: tuple[int, int, int], stream: Stream) -> list[int]:
    """Moves up to `amount` pieces: at random out of a pool, from the top of a stack; gives their codes, in order.

    `places` are the source, the goal, and what lies ready to renew the source (or -1): a source that has run empty
    is renewed by shuffling that in.
    """
    source, goal, renew = places
    shape, base, *_ = handling.places[source]
    drawn: list[int] = []
    for _ in range(max(amount, 0)):
        if renew >= 0 and handling.is_empty(c, source):
            codes = handling.content(c, renew)
            handling.set_content(c, renew, ())
            _shuffle(c, stream, codes)
            handling.set_content(c, source, codes)
        if handling.is_empty(c, source) or not handling.room(c, goal):
            break
        if shape == "pool":
            codes = handling.content(c, source)
            code = codes[below(c, stream, len(codes))]
            c[PIECES][base + code] -= 1
        else:
            code = handling.take_top(c, source)
        handling.put(c, goal, code)
        drawn.append(code)
    return drawn


def pick_unseen(
    handling: Pieces, c: Cells, ref: int, unseen: Sequence[int], stream: Stream, taken: Sequence[int] = ()
) -> int:
    """One of the pieces at a place that look alike from behind, evenly, but for those that are taken; -1 without."""
    place = ref // handling.codes // handling.depth
    back = ref % handling.codes
    alike = [r for r in handling.refs(c, place) if unseen[r % handling.codes] == back]
    for piece in taken:
        if piece in alike:
            alike.remove(piece)
    if not alike:
        return -1
    return alike[below(c, stream, len(alike))]


def pick_each_unseen(
    handling: Pieces, c: Cells, members: Sequence[Any], field: int | None, unseen: Sequence[int], stream: Stream
) -> tuple[Any, ...]:
    """The members of a list, of which some are pieces known by their backs: one piece for each, none twice."""
    found, count = list(members), len(unseen)
    pieces = [member if field is None else member[field] for member in members]
    taken = [piece for piece in pieces if piece % handling.codes < count]
    for i, piece in enumerate(pieces):
        if piece >= 0 and piece % handling.codes >= count:
            picked = pick_unseen(handling, c, piece, unseen, stream, taken)
            taken.append(picked)
            found[i] = picked if field is None else (*found[i][:field], picked, *found[i][field + 1 :])
    return tuple(found)


def flip_pieces(handling: Pieces, c: Cells, refs: Sequence[int], face: Callable[[int], int]) -> bool:
    """Turns pieces where they lie; whether all of them were there. Else none is turned."""
    before = c[PIECES][:]
    if _flip_each(handling, c, refs, face):
        return True
    c[PIECES][:] = before
    return False


def _flip_each(handling: Pieces, c: Cells, refs: Sequence[int], face: Callable[[int], int]) -> bool:
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


class Gone:
    """How often each piece was picked for a set by chance, by the name that it was picked for."""

    def __init__(self, handling: Pieces, c: Cells, fields: Iterable[int]):
        self._handling, self._cells, self._fields = handling, c, tuple(fields)
        self._picked: dict[tuple[int, int], int] = {}

    def of(self, candidate: Any) -> list[tuple[int, int]]:
        """Of each piece that a candidate names: how often it is picked, and how many there are like it."""
        return [(self._picked.get((f, candidate[f]), 0), self._held(candidate[f])) for f in self._fields]

    def leaves(self, candidate: Any) -> bool:
        """Whether none of its pieces is gone."""
        return all(taken < n for taken, n in self.of(candidate))

    def take(self, candidate: Any) -> None:
        """Notes a pick."""
        for f in self._fields:
            self._picked[f, candidate[f]] = self._picked.get((f, candidate[f]), 0) + 1

    def _held(self, ref: int) -> int:
        handling = self._handling
        shape = handling.places[ref // handling.codes // handling.depth][0]
        return handling.held(self._cells, ref) if shape == "pool" else 1
