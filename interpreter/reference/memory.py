"""What players know of pieces that they do not see now, kept while pieces are handled.

A slot and a stack have for each position the players that know the piece there, as bits; of a player who sees it now
the bit is 0. A pool has for each player a row: of each code, how many such pieces the player knows to lie there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress, count

from interpreter.reference.definition import Place
from interpreter.reference.position import Position


def _seers(place: Place, *, on_top: bool) -> int:
    """The players who see the front of a piece at a place, as bits."""
    return place.everybody if place.front_on_top and on_top else place.front


def _bits(players: int) -> Iterator[int]:
    return compress(count(), map(int, reversed(f"{players:b}")))


def carried(p: Position, place: int, at: int, goal: int, *, bottom: bool) -> int:
    """A piece is about to go elsewhere, or to be turned in a pool: the players that know it then, as bits.

    What they know of the place that it leaves is as it will be.
    """
    here, there = p.game.places[place], p.game.places[goal]
    seen_there = _seers(there, on_top=not bottom or len(p.zones[goal]) == (place == goal))
    seen_here = _seers(here, on_top=at == len(p.zones[place]) - 1)
    if not here.memory:
        return seen_here | seen_there
    if here.shape == "pool":
        return seen_here | seen_there | _out_of_pool(p, here, p.zones[place][at], there, seen_here, seen_there)
    known = p.known[place]
    left = [*known[:at], *known[at + 1 :], 0]
    if here.front_on_top and at == len(p.zones[place]) - 1 and at:
        left[at - 1] = 0  # everybody sees it now
    p.known[place] = tuple(left)
    return known[at] | seen_here | seen_there


def _out_of_pool(p: Position, here: Place, code: int, there: Place, seen_here: int, seen_there: int) -> int:
    """The players that see no piece go and know which one it is; others may know less now."""
    codes, unseen, content = here.kind.count, here.kind.unseen, p.zones[here.number]
    known, knowing = list(p.known[here.number]), 0
    for seat in range(p.game.players):
        row = known[seat * codes : (seat + 1) * codes]
        if seen_here >> seat & 1 or not any(row):
            continue
        if seen_there >> seat & 1:
            less: Sequence[int] = (code,)
        else:
            back_seen = here.back >> seat & 1
            like = [c for c in range(codes) if unseen[c] == unseen[code]]
            among = sum(unseen[c] == unseen[code] for c in content) if back_seen else len(content)
            sure = row[code] == among
            knowing |= sure << seat
            less = (code,) if sure else like if back_seen or there.back >> seat & 1 else range(codes)
        for c in less:
            known[seat * codes + c] = max(row[c] - 1, 0)
    p.known[here.number] = tuple(known)
    return knowing


def arrived(p: Position, place: int, code: int, knowing: int, *, bottom: bool) -> None:
    """A piece lies where it has been put just now, and these players know it."""
    there = p.game.places[place]
    if not there.memory:
        return
    last = len(p.zones[place]) - 1
    known, at = list(p.known[place]), 0 if bottom else last
    if there.shape == "pool":
        for seat in _bits(knowing & ~there.front):
            known[seat * there.kind.count + code] += 1
    elif there.shape == "slot":
        known[0] = knowing & ~there.front
    else:
        if there.front_on_top and not bottom and last:
            known[last - 1] = there.everybody  # it is covered now, and everybody has seen it
        known.insert(at, knowing & ~_seers(there, on_top=at == last))
        known.pop()
    p.known[place] = tuple(known)


def turned(p: Position, place: int, at: int, turn: Callable[[int], int], *, by_chance: bool) -> None:
    """A piece is about to show another face where it lies. By chance: who does not see it does not know it then."""
    here = p.game.places[place]
    if not here.memory:
        return
    if here.shape != "pool":
        if by_chance:
            p.known[place] = tuple(0 if i == at else players for i, players in enumerate(p.known[place]))
        return
    code = p.zones[place][at]
    knowing = carried(p, place, at, place, bottom=False)
    if not by_chance:
        arrived(p, place, turn(code), knowing, bottom=False)


def all_turned(p: Position, place: int, turn: Callable[[int], int]) -> None:
    """All pieces of a place are about to be turned to a face."""
    here = p.game.places[place]
    if here.memory and here.shape == "pool":
        known = [0] * here.memory
        for at, amount in enumerate(p.known[place]):
            seat, code = divmod(at, here.kind.count)
            known[seat * here.kind.count + turn(code)] += amount
        p.known[place] = tuple(known)


def forgotten(p: Position, place: int) -> None:
    """Nobody knows any more what lies where at a place: it was shuffled, or is empty."""
    p.known[place] = (0,) * p.game.places[place].memory


def looked_at(p: Position, pieces: Sequence[tuple[int, int]], player: int) -> None:
    """A player sees pieces, each by its place and its position there, and knows them from now on."""
    seen: dict[tuple[int, int], int] = {}
    for place, at in pieces:
        here, code = p.game.places[place], p.zones[place][at]
        if not here.memory or _seers(here, on_top=at == len(p.zones[place]) - 1) >> player & 1:
            continue
        known = list(p.known[place])
        if here.shape == "pool":
            cell = player * here.kind.count + code
            seen[place, code] = seen.get((place, code), 0) + 1
            known[cell] = max(known[cell], min(seen[place, code], p.zones[place].count(code)))
        else:
            known[at] |= 1 << player
        p.known[place] = tuple(known)
