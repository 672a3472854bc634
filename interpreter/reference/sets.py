"""Sets that are picked one by one, in any order: which pick may come next, and which can be completed.

Every member that some whole set holds may come first. What is looked ahead at are sets: each once, by the order of its
candidates. Nothing changes between the picks of a set, so that its candidates are the same until it is whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from interpreter.reference import chance
from interpreter.reference.decisions import candidates, with_pick
from interpreter.reference.pieces import alike, in_pool
from interpreter.reference.position import Position
from rulespec.lower.ir import Ask
from rulespec.model.types import Piece, strip

if TYPE_CHECKING:
    from interpreter.reference.lookahead import LookAhead, Search

#: the number of a candidate, and the candidate
Pick = tuple[int, Any]
#: what is picked, and the number of each among the candidates
Picked = tuple[tuple[Any, ...], tuple[int, ...]]


def picked_by_chance(p: Position, ask: Ask, found: list[Any], amount: int) -> list[int]:
    """The numbers of the candidates that chance picks one by one, each evenly out of those that are left.

    Of several names each piece is picked once: a candidate that names one of three equal pieces, of which one is
    picked, is taken in two of three cases, and else another one is drawn. Fewer than the amount where none is left.
    """
    if len(ask.names) == 1:
        left = list(range(len(found)))
        return [chance.take_one(p, ask.stream, left) for _ in range(amount)]
    picked: list[int] = []
    first = 0  # those before it are gone, and never come back
    while len(picked) < amount:
        first += next(
            (i for i, each in enumerate(found[first:]) if all(g < n for g, n in _gone(p, ask, found, picked, each))),
            len(found),
        )
        if first >= len(found):
            break
        number = chance.below(p, ask.stream, len(found))
        gone_of = _gone(p, ask, found, picked, found[number])
        if all(gone < n and (not gone or chance.below(p, ask.stream, n) >= gone) for gone, n in gone_of):
            picked.append(number)
    return picked


def _gone(p: Position, ask: Ask, found: list[Any], picked: list[int], candidate: Any) -> list[tuple[int, int]]:
    """Of each piece that a candidate names: how often it is picked, and how many there are that it can stand for."""
    counts = []
    for i in _piece_fields(ask):
        piece = candidate[i]
        gone = [found[number][i] for number in picked].count(piece)
        counts.append((gone, alike(p, piece) if in_pool(p, piece) else 1))
    return counts


def _piece_fields(ask: Ask) -> list[int]:
    """Which fields of a pick are pieces."""
    return [i for i, name in enumerate(ask.names) if isinstance(strip(name.type), Piece)]


class Picks:
    """The picks of one set at one decision: all candidates, what is picked so far, how many are wanted."""

    def __init__(self, p: Position, at: int, ask: Ask, search: LookAhead | None):
        assert ask.amount is not None
        self.p, self.ask, self.search = p, ask, search
        self.found = candidates(p, ask)
        self.picked: Picked = p.slots[ask.picked], p.slots[ask.order]
        self.wanted: int = p.value(ask.amount)
        #: where play goes on when the set is whole: behind the loop that asks
        self.exit = p.game.blocks.behind(p.game.blocks.loop[at - 1])
        #: a pick may come again while there are more of the pieces that it names
        self._pieces = _piece_fields(ask)
        #: the last pick that completed a set, which is tried first for the next one
        self._lucky = -1
        #: members of a set that was completed, which need not be tried, and those that no set holds
        self._good: set[int] = set()
        self._bad: set[int] = set()

    @property
    def missing(self) -> int:
        """How many more picks the set needs."""
        return self.wanted - len(self.picked[0])

    # ---- what may come next ----

    def next(self) -> list[Pick]:
        """The candidates that may be picked now, whatever follows."""
        return list(self._after(self.picked, 0, len(self.found)))

    def _after(self, picked: Picked, start: int, end: int) -> Iterator[Pick]:
        """The candidates of some numbers that may be picked too."""
        return ((i, self.found[i]) for i in range(start, end) if i not in self._bad and self._is_left(picked, i))

    def _is_left(self, picked: Picked, number: int) -> bool:
        """Whether a candidate is still there: not picked, or with pieces enough for one more pick."""
        if not self._pieces:
            return number not in picked[1]
        return all(
            [self._part(other, i) for other in picked[0]].count(piece) < max(1, alike(self.p, piece))
            for i in self._pieces
            for piece in (self._part(self.found[number], i),)
        )

    def _part(self, candidate: Any, i: int) -> Any:
        return candidate[i] if self.ask.record else candidate

    def _times_left(self, candidate: Any) -> int:
        """How many more times a candidate may be picked."""
        if not self._pieces:
            return 1
        return max(1, alike(self.p, self._part(candidate, 0))) - self.picked[0].count(candidate)

    @property
    def most(self) -> int:
        """How many picks there can be at most: equal pieces count one by one."""
        fields = [i for i in self._pieces if len(self.ask.names) > 1]
        if not fields:
            return sum(self._times_left(candidate) + self.picked[0].count(candidate) for candidate in self.found)
        return min(sum(alike(self.p, piece) for piece in {pick[i] for pick in self.found}) for i in fields)

    def _takes_all(self, picks: list[Pick]) -> bool:
        """Whether there are just as many picks left as the set needs; not known of several names with pieces."""
        if self._pieces and len(self.ask.names) > 1:
            return False
        return sum(self._times_left(candidate) for _, candidate in picks) == self.missing

    # ---- what can be completed ----

    def options(self) -> list[Pick]:
        """The next picks with which the set, and then the unit, can be completed.

        Where all that is left must be taken, there is one set, and no order of it is asked for: its first member.
        """
        picks = self.next()
        if self.missing <= 1:
            return [pick for pick in picks if self._finds(self._is_completed_by(self.picked, pick, 1))]
        return [pick for pick in (picks[:1] if self._takes_all(picks) else picks) if self._leads_on(pick)]

    def completes(self, floor: int) -> Search:
        """Whether the picks so far can be completed."""
        return self._completes(self.picked, 0, len(self.found), floor)

    def is_taken_later(self, pick: Pick) -> bool:
        """Whether a pick is not offered because all that is left is taken, another one first."""
        picks = self.next()
        return self.missing > 1 and self._takes_all(picks) and picks[0] != pick

    def _leads_on(self, pick: Pick) -> bool:
        """Whether a set with one more pick can be completed: by later candidates, else with an earlier one too."""
        i = pick[0]
        if i in self._good:
            return True
        picked = with_pick(*self.picked, pick)
        if any(
            self._finds(self._completes(picked, start, end, 1))
            for start, end in ((self._start(i), len(self.found)), (0, i))
        ):
            return True
        self._bad.add(i)
        return False

    def _finds(self, search: Search) -> bool:
        assert self.search is not None
        return self.search.finds(search)

    def _start(self, last: int) -> int:
        """The number from which picks go on behind another: its own again only where it names pieces."""
        return last if self._pieces else last + 1

    def _completes(self, picked: Picked, start: int, end: int, floor: int) -> Search:
        """Whether some candidates complete the set, in their order, the first of them out of some numbers."""
        assert self.search is not None
        missing = self.wanted - len(picked[0])
        if missing <= 0:
            return (yield from self._is_whole(picked, floor))
        picks = list(self._after(picked, start, end))
        if missing == 1:
            lucky = [pick for pick in picks if pick[0] == self._lucky]
            for pick in lucky + picks:
                if not self.search.spend() or (yield from self._is_completed_by(picked, pick, floor)):
                    return True
            return False
        for pick in picks:
            more = with_pick(*picked, pick)
            if not self.search.spend() or (
                yield from self._completes(more, self._start(pick[0]), len(self.found), floor)
            ):
                return True
        return False

    def _is_completed_by(self, picked: Picked, pick: Pick, floor: int) -> Search:
        """Whether the unit can be completed with a set that one more pick makes whole."""
        found = yield from self._is_whole(with_pick(*picked, pick), floor)
        if found:
            self._lucky = pick[0]
        return found

    def _is_whole(self, picked: Picked, floor: int) -> Search:
        """Whether the unit can be completed with a whole set."""
        assert self.search is not None
        tried = self.p.copy()
        tried.slots[self.ask.picked], tried.slots[self.ask.order] = picked
        found = yield self.search.reaching(tried, self.exit, floor)
        if found:
            self._good.update(picked[1])
        return found
