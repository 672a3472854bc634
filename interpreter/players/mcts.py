"""The player who searches: Monte-Carlo tree search over what its seat thinks possible."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from interpreter.bounds import in_time
from interpreter.chance import Chance
from interpreter.options import Option, places_of
from interpreter.players.search import Rounds, rounds_at
from interpreter.state import State

PLAYOUTS = 200
MOST_DIGITS = 15
MOST_PLAYOUTS = 1_000_000
MOST_SECONDS = 3_600.0
#: Seconds after which a search looks at the clock, and at whether somebody wants to stop it.
A_WHILE = 0.05
_BUDGET = re.compile(r"([0-9]+)|([0-9]+(?:\.[0-9]+)?)(ms|s)")


class NoBudget(Exception):
    """What stands after `mcts:` is neither a number of playouts nor a time."""


class Searcher:
    """Takes the option that a tree search has tried most, with so many playouts or seconds for each decision.

    Every playout begins in a state that looks the same to the seat as the real one; so it never peeks. Playouts end at
    the horizon that the content declares, and the positions there are worth their points and the content's hints.
    With a time as its budget it does not play alike on another machine.
    """

    def __init__(
        self,
        seat: int,
        chance: Chance,
        *,
        playouts: int | None = PLAYOUTS,
        seconds: float | None = None,
        guided: bool = True,
    ):
        self.seat = seat
        self._guided = guided
        self._chance = chance
        self._playouts = playouts
        self._seconds = seconds
        self._pace = 0.0  #: rounds a second at the last decision
        #: of each option of the last choice in order: how often it was tried, and what it brought on the average,
        #: between 0 and 1
        self.weighed: list[tuple[int, float]] | None = None

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        """The option that was tried most in the search; of equals the one that brought more."""
        self.weighed = None
        if len(options) == 1:
            return options[0]
        seed = self._chance.below(1 << 32) << 24  # rounds add their number to it
        with rounds_at(state, self.seat, seed, self._playouts, guided=self._guided) as rounds:
            self._spend(rounds, state)
            every = rounds.tried()
        found = [every[place] for place in places_of(state, options)]
        self.weighed = [(taken, gained / max(taken, 1)) for taken, gained in found]
        best = max(range(len(found)), key=self.weighed.__getitem__)
        return options[best]

    def _spend(self, rounds: Rounds, state: State) -> None:
        """Rounds until the budget is spent, so many at a time as take a while."""
        begun, done, spent = time.perf_counter(), 0, 0.0
        amount = max(1, int(self._pace * min(A_WHILE, self._seconds or A_WHILE) / 4))
        most = MOST_PLAYOUTS * 1000 if self._playouts is None else self._playouts
        while done < most and (self._seconds is None or not done or spent < self._seconds):
            amount = min(amount, most - done)
            in_time(state)
            rounds.play_rounds(amount)
            done, spent = done + amount, time.perf_counter() - begun
            left = A_WHILE if self._seconds is None else min(A_WHILE, self._seconds - spent)
            amount = max(1, min(4 * amount, int(left * done / max(spent, 1e-6))))
        self._pace = done / max(spent, 1e-6)


def budget(text: str) -> tuple[int | None, float | None]:
    """Playouts or seconds from a text such as `200`, `1.5s` or `300ms`. Raises NoBudget for another one."""
    found = _BUDGET.fullmatch(text)
    if found is None:
        raise NoBudget(text)
    if found[1] is not None:
        playouts = int(found[1][:MOST_DIGITS])
        if len(found[1]) > MOST_DIGITS or not 1 <= playouts <= MOST_PLAYOUTS:
            raise NoBudget(text)
        return playouts, None
    seconds = float(found[2]) / (1000 if found[3] == "ms" else 1)
    if not 0 < seconds <= MOST_SECONDS:
        raise NoBudget(text)
    return None, seconds
