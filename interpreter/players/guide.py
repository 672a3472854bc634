"""A search that is guided: by what came of a choice wherever it was made, and by a look one step ahead.

What is known of a choice wherever it is made (*all moves as first*, of Gelly and Silver, 2011, kept for the whole tree
as the average of move sampling, of Finnsson and Björnsson, 2008) says how good an option is that was not tried here,
counts as some tries of one that was, and draws random play towards choices that have brought more. At the root each
option is also tried once, as the greedy player does. Random play goes on behind the horizon to the end of a turn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from interpreter.bounds import is_late
from interpreter.chance import Chance
from interpreter.players.positions import Edge, Positions
from interpreter.players.tree import Branch, Mark, Tree
from interpreter.reckoning import (
    BELIEF,
    DOUBT,
    GUIDED_CURIOSITY,
    LEANING,
    MOST_DECISIONS,
    MOST_NOTED,
    MOST_OF_A_TURN,
    TRYING,
    logarithm,
    squash,
)


@dataclass(slots=True)
class Known:
    """How often a choice was made anywhere, and what came of it for who chose."""

    taken: int = 0
    gained: float = 0.0


class GuidedTree(Tree):
    """A tree with what guides it: `brought` is what all rounds have brought to each seat, `usual` that on the average.

    `interpreter.native.guiding` does the same in the module, draw by draw and figure by figure.
    """

    def __init__(self, horizon: int | None, players: int, most_known: int):
        super().__init__(horizon)
        self.known: dict[Edge, Known] = {}
        self.brought = [0.0] * players
        self.usual = [0.5] * players
        self._most_known = most_known
        self._noted: list[tuple[int, Known]] = []
        self._new: list[Edge] = []

    def lean(self, leads: Mapping[Edge, float], trials: int) -> None:
        """Branches for all options of the root, by how far ahead each has led in some trials, added up."""
        for edge in leads:
            self._grown(self.root.below, edge)
        below = self.root.below
        # one after the other, as the module adds them: `sum` of Python 3.12 and later rounds otherwise
        mean = reduce(add, (leads[edge] for edge in below), 0.0) / max(len(below), 1)
        for edge, branch in below.items():
            branch.offered, branch.lean = 0, (leads[edge] - mean) / trials

    def take_over(self, brought: Sequence[float]) -> None:
        """What the rounds till now have brought to each seat, where others have made them."""
        self.brought = list(brought)
        if self.valued:
            self.usual = [each / self.valued for each in brought]

    def back_to(self, mark: Mark) -> None:
        """See `Tree`."""
        super().back_to(mark)
        for edge in self._new:
            del self.known[edge]

    def round(self, positions: Positions, position: Any, seed: int) -> None:
        """See `Tree`."""
        self._noted, self._new = [], []
        dice = Chance(seed, TRYING)
        path = self._descend(positions, position, dice)
        self._wander(positions, position, dice)
        rewards = self.rewards(positions, position)
        told: list[tuple[int, Branch | Known]] = [*path, *self._noted]
        for seat, choice in told:
            choice.taken += 1
            choice.gained += rewards[seat]
        for seat, reward in enumerate(rewards):
            self.brought[seat] += reward
            self.usual[seat] = self.brought[seat] / self.valued

    def _note(self, seat: int, edge: Edge) -> None:
        """The choice is made in this round."""
        if len(self._noted) == MOST_NOTED:
            return
        found = self.known.get(edge)
        if found is None:
            if len(self.known) >= self._most_known:
                return
            found = self.known[edge] = Known()
            self._new.append(edge)
        self._noted.append((seat, found))

    def _mean(self, edge: Edge, usual: float) -> float:
        """What a choice brings wherever it is made: the usual, until it was made some times."""
        found = self.known.get(edge)
        taken, gained = (0, 0.0) if found is None else (found.taken, found.gained)
        return (gained + DOUBT * usual) / (taken + DOUBT)

    def _chosen(self, node: Branch, seat: int, edges: list[Edge], dice: Chance) -> tuple[int, Branch]:
        """The number of the most promising choice, and its branch. Of equals the first one from any of them on."""
        first = dice.below(len(edges)) if len(edges) > 1 else 0
        visits = (self.valued if node is self.root else node.taken) + 1
        best, chosen = -1.0e9, 0
        for passed in range(len(edges)):
            at = (first + passed) % len(edges)
            found = node.below.get(edges[at])
            if found is not None:
                self._offer(found)
            hope = self._hope(found, self._mean(edges[at], self.usual[seat]), visits)
            if hope > best:
                best, chosen = hope, at
        branch = self._grown(node.below, edges[chosen])
        if len(edges) > 1:
            self._note(seat, edges[chosen])
        return chosen, branch

    def _hope(self, branch: Branch | None, guess: float, visits: int) -> float:
        if branch is not None and branch.lean and self.spread > 0:
            guess += LEANING * (squash(branch.lean / self.spread) - 0.5)
        taken, gained, offered = (
            (0, 0.0, visits) if branch is None else (branch.taken, branch.gained, branch.offered + 1)
        )
        mean = (gained + BELIEF * guess) / (taken + BELIEF)
        return mean + GUIDED_CURIOSITY * math.sqrt(logarithm(offered) / (taken + 1.0))

    def _wander(self, positions: Positions, position: Any, dice: Chance) -> None:
        """On at random, to the end or the horizon, and then to the end of the turn.

        In the middle of a turn a seat has paid for what it has not got yet.
        """
        left, mover = MOST_DECISIONS if self._horizon is None else self._horizon, -1
        while not position.is_over and not is_late():
            seat = positions.mover(position)
            if left <= 0 and (seat != mover or left <= -MOST_OF_A_TURN):
                return
            mover, left = seat, left - 1
            positions.apply(position, self._drawn(positions, position, dice))

    def _drawn(self, positions: Positions, position: Any, dice: Chance) -> int:
        """Of two options that are drawn the one that is known to bring more."""
        amount = positions.amount(position)
        if amount == 1:
            return 0
        one, other, seat = dice.below(amount), dice.below(amount), positions.mover(position)
        edge = positions.edge(position, one)
        if other != one:
            second = positions.edge(position, other)
            if self._mean(second, self.usual[seat]) > self._mean(edge, self.usual[seat]):
                one, edge = other, second
        self._note(seat, edge)
        return one
