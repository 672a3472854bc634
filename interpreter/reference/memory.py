"""What players know of pieces that they do not see now, kept while pieces are handled.

A slot and a stack have for each position the players that know the piece there, as bits; of a player who sees it now
the bit is 0. A pool has for each player that does not always see it a row: of each code, how many such pieces the
player knows to lie there.
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
        if seen_here >> seat & 1:
            continue
        first = here.row(seat)
        row = known[first : first + codes]
        if not any(row):
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
            known[first + c] = max(row[c] - 1, 0)
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
            known[there.row(seat) + code] += 1
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
            row, code = divmod(at, here.kind.count)
            known[row * here.kind.count + turn(code)] += amount
        p.known[place] = tuple(known)


def shown(p: Position, place: int, at: int, seers: int, number: int) -> None:
    """A piece is shown to some players where it lies; in a pool it is that number of its look that they see."""
    here = p.game.places[place]
    on_top = here.shape != "stack" or at == len(p.zones[place]) - 1
    knowing = seers & ~_seers(here, on_top=on_top)
    if not here.memory or not knowing:
        return
    known = list(p.known[place])
    if here.shape == "pool":
        for seat in _bits(knowing):
            cell = here.row(seat) + p.zones[place][at]
            known[cell] = max(known[cell], number)
    else:
        known[at] |= knowing
    p.known[place] = tuple(known)


def emptied(p: Position, place: int, goal: int, turn: Callable[[int], int]) -> None:
    """All pieces of a pool are about to go to another pool: what each player knows of them goes along as a whole.

    What they see on the way comes to that.
    """
    here, there = p.game.places[place], p.game.places[goal]
    if not here.memory or place == goal or (here.shape, there.shape) != ("pool", "pool"):
        return
    if there.memory:
        codes, known = here.kind.count, list(p.known[goal])
        for seat in _bits(there.everybody & ~(here.front | there.front)):
            row = p.known[place][here.row(seat) : here.row(seat) + codes]
            for code, amount in enumerate(row):
                known[there.row(seat) + turn(code)] += amount
        p.known[goal] = tuple(known)
    forgotten(p, place)


def shuffled(p: Position, place: int) -> None:
    """A stack was shuffled: only who knows all that lies there, and that all are alike, still knows it."""
    here, content, known = p.game.places[place], p.zones[place], p.known[place]
    covered = max(len(content) - here.front_on_top, 0)  # everybody sees the others
    knowing = here.everybody if here.memory and len(set(content)) == 1 else 0
    for players in known[:covered]:
        knowing &= players
    p.known[place] = tuple(knowing if at < covered else 0 for at in range(here.memory))


def forgotten(p: Position, place: int) -> None:
    """Nobody knows any more what lies at a place: it is empty, or was shuffled into another one."""
    p.known[place] = (0,) * p.game.places[place].memory
