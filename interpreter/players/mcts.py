"""The player who searches: Monte-Carlo tree search over what its seat thinks possible."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any

from interpreter.executor.runtime import copy_cells
from interpreter.game import Game
from interpreter.imagine import imagined_cells
from interpreter.native.executor import Bailed
from interpreter.options import Option
from interpreter.players.chance import Chance
from interpreter.players.outlook import positions_of, quick_positions_of
from interpreter.players.tree import Branch, Tree
from interpreter.state import State

PLAYOUTS = 200
MOST_PLAYOUTS = 1_000_000
MOST_SECONDS = 3_600.0
_BUDGET = re.compile(r"([0-9]+)|([0-9]+(?:\.[0-9]+)?)(ms|s)")


class NoBudget(Exception):
    """What stands after `mcts:` is neither a number of playouts nor a time."""


class Searcher:
    """Takes the option that a tree search has tried most, with so many playouts or seconds for each decision.

    Every playout begins in a state that looks the same to the seat as the real one; so it never peeks. Playouts end at
    the horizon that the content declares, and the positions there are worth their points and the content's hints.
    With a time as its budget it does not play alike on another machine.
    """

    def __init__(self, seat: int, chance: Chance, *, playouts: int | None = PLAYOUTS, seconds: float | None = None):
        self.seat = seat
        self._chance = chance
        self._playouts = playouts
        self._seconds = seconds

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        """The option that was tried most in the search; of equals the one that brought more."""
        if len(options) == 1:
            return options[0]
        positions = positions_of(state.game)
        tree = Tree(state.game.compiled.program.hints.horizon, self._chance.below(1 << 32))
        self._search(state, tree)
        found = [tree.root.below.get(edge, Branch()) for edge in positions.edges(positions.at(state))]
        best = max(range(len(found)), key=lambda at: (found[at].taken, found[at].mean))
        return options[best]

    def _search(self, state: State, tree: Tree) -> None:
        begun, done = time.perf_counter(), 0
        while (self._playouts is None or done < self._playouts) and (
            self._seconds is None or not done or time.perf_counter() - begun < self._seconds
        ):
            self._round(state.game, imagined_cells(state, self.seat, self._chance.below(1 << 32)), tree)
            done += 1

    def _round(self, game: Game, imagined: list[Any], tree: Tree) -> None:
        """A round by the quicker executor; by the other one where that gives up."""
        quick = quick_positions_of(game)
        if quick is not None:
            before = tree.chance_before()
            try:
                tree.round(quick, quick.of(imagined))
            except Bailed:
                tree.chance_again(before)
            else:
                return
        positions = positions_of(game)
        tree.round(positions, positions.of(copy_cells(imagined)))


def budget(text: str) -> tuple[int | None, float | None]:
    """Playouts or seconds from a text such as `200`, `1.5s` or `300ms`. Raises NoBudget for another one."""
    found = _BUDGET.fullmatch(text)
    if found is None:
        raise NoBudget(text)
    if found[1] is not None:
        playouts = int(found[1])
        if not 1 <= playouts <= MOST_PLAYOUTS:
            raise NoBudget(text)
        return playouts, None
    seconds = float(found[2]) / (1000 if found[3] == "ms" else 1)
    if not 0 < seconds <= MOST_SECONDS:
        raise NoBudget(text)
    return None, seconds
