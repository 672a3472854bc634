"""The player who looks one step ahead: at the points that each option leads to, and at what the content hints at."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.chance import Chance
from interpreter.native.executor import Bailed
from interpreter.native.searching import Searching
from interpreter.options import Option, places_of
from interpreter.players.ahead import Enough, leads_at
from interpreter.players.outlook import positions_of
from interpreter.players.search import native_of
from interpreter.state import State

#: How often each option is tried, each time with what is hidden imagined anew.
TRIALS = 2


class Greedy:
    """Takes the option after which the seat is furthest ahead of the best other one; of equals any.

    In a game of teams it is the seat's team that is ahead of the best other team.

    What counts are the points as they would be if the game ended there, and the hints of the content. The seat does not
    peek: options are tried in imagined states, in which everything that it cannot see is dealt anew.
    """

    def __init__(self, seat: int, chance: Chance):
        self.seat = seat
        self._chance = chance
        #: of each option of the last choice in order: how often it was tried, and how many points ahead it led to
        self.weighed: list[tuple[int, float]] | None = None

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        """The best option by what can be seen after it."""
        self.weighed = None
        if len(options) == 1:
            return options[0]
        seeds = [self._chance.below(1 << 32) for _ in range(TRIALS)]
        every = leads_after(state, self.seat, seeds)
        found = [every[place] for place in places_of(state, options)]
        self.weighed = [(TRIALS, lead / TRIALS) for lead in found]
        best = max(found)
        return self._chance.one_of([o for o, lead in zip(options, found, strict=True) if lead == best])


def leads_after(state: State, seat: int, seeds: Sequence[int]) -> list[float]:
    """How far a seat is ahead after each option of a state, added up over states imagined by some seeds.

    An option that an imagined state does not offer counts as nothing there.
    """
    has_module = state.game.native_at_hand is not None
    found = _in_module(state, seat, seeds) if has_module else None
    return found or _by_reference(state, seat, seeds, goes_over=not has_module)


def _in_module(state: State, seat: int, seeds: Sequence[int]) -> list[float] | None:
    """The same within the native executor's module; None where there is none, or it gives up."""
    native = native_of(state.game)
    if native is None:
        return None
    with native.alone:
        searching, amount = Searching(native, state.to_bytes(), seat, 0), len(state.candidates or ())
        searching.begin(amount)
        try:
            searching.plant()
            for number, seed in enumerate(seeds, 1):
                searching.try_each(seed, number)
            return [gained for _, gained in searching.tried(amount)]
        except Bailed:
            return None


def _by_reference(state: State, seat: int, seeds: Sequence[int], *, goes_over: bool = False) -> list[float]:
    """With `goes_over` the module does it as soon as the work is as much as making one takes."""
    try:
        found = leads_at(state, seat, seeds, lambda: goes_over and state.game.native_at_hand is not None)
    except Enough:
        by_module = _in_module(state, seat, seeds)
        if by_module is not None:
            return by_module
        found = leads_at(state, seat, seeds)
    positions = positions_of(state.game)
    return [found[edge] for edge in positions.edges(positions.at(state))]
