"""The tree of a search under hidden information: one tree for all that a seat thinks possible.

Every round looks at another imagined state and goes down the tree by what may be chosen there (the search of
information sets with a single observer of Cowling, Powley and Whitehouse, 2012). A branch therefore also counts in how
many rounds it could have been taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from interpreter.chance import Chance
from interpreter.players.positions import Edge, Positions
from interpreter.reckoning import BY_POINTS, CURIOSITY, MOST_BRANCHES, TRYING, leads, logarithm, squash


@dataclass(slots=True)
class Branch:
    """One choice in the tree: how often it could be taken, was taken, and what came of it for who chose."""

    offered: int = 0
    taken: int = 0
    gained: float = 0.0
    #: how much further ahead than on the average the choice leads at once, where a search is guided
    lean: float = 0.0
    below: dict[Edge, Branch] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """What it brought on average."""
        return self.gained / self.taken if self.taken else 0.0


@dataclass(frozen=True, slots=True)
class Mark:
    """What a tree was like before a round: how often each branch could be taken that has been offered since."""

    amount: int
    offered: dict[int, tuple[Branch, int]] = field(default_factory=dict)
    grown: list[tuple[dict[Edge, Branch], Edge]] = field(default_factory=list)


class Tree:
    """What the rounds of one decision have found: `spread` is the usual lead, `valued` in how many positions.

    `interpreter.native.rounds` does the same in the module, draw by draw and figure by figure.
    """

    def __init__(self, horizon: int | None):
        self.root = Branch()
        self.spread = 0.0
        self.valued = 0
        #: how many branches there are
        self.amount = 0
        self._horizon = horizon
        self._mark: Mark | None = None

    def mark(self) -> Mark:
        """Begins to note what the next round changes."""
        self._mark = Mark(self.amount)
        return self._mark

    def back_to(self, mark: Mark) -> None:
        """The tree as it was: a round that was broken off has told its branches nothing yet."""
        for branch, offered in mark.offered.values():
            branch.offered = offered
        for below, edge in mark.grown:
            del below[edge]
        self.amount, self._mark = mark.amount, None

    def round(self, positions: Positions, position: Any, seed: int) -> None:
        """Goes down the tree in an imagined position, which is used up; plays on at random; tells the branches."""
        dice = Chance(seed, TRYING)
        path = self._descend(positions, position, dice)
        positions.playout(position, self._horizon, dice)
        rewards = self.rewards(positions, position)
        for seat, branch in path:
            branch.taken += 1
            branch.gained += rewards[seat]

    def _descend(self, positions: Positions, position: Any, dice: Chance) -> list[tuple[int, Branch]]:
        """Down to the first branch that is new."""
        node, path = self.root, list[tuple[int, Branch]]()
        while not position.is_over:
            seat = positions.mover(position)
            at, branch = self._chosen(node, seat, positions.edges(position), dice)
            path.append((seat, branch))
            positions.apply(position, at)
            if not branch.taken:
                break
            node = branch
        return path

    def _chosen(self, node: Branch, seat: int, edges: list[Edge], dice: Chance) -> tuple[int, Branch]:
        """The number of the choice that is tried, and its branch: one of the new ones, else the most promising."""
        below, new = node.below, []
        best, chosen, branch = -1.0, 0, None
        for at, edge in enumerate(edges):
            found = below.get(edge)
            if found is None:
                new.append(at)
                continue
            self._offer(found)
            if not found.taken:
                new.append(at)
                continue
            hope = found.gained / found.taken + CURIOSITY * math.sqrt(logarithm(found.offered) / found.taken)
            if hope > best:
                best, chosen, branch = hope, at, found
        if new:
            chosen = dice.one_of(new)
            branch = self._grown(below, edges[chosen])
        assert branch is not None
        return chosen, branch

    def _offer(self, branch: Branch) -> None:
        """One more time that a branch can be taken."""
        if self._mark is not None:
            self._mark.offered.setdefault(id(branch), (branch, branch.offered))
        branch.offered += 1

    def _grown(self, below: dict[Edge, Branch], edge: Edge) -> Branch:
        """The branch of a choice that was not taken yet; one that is not kept where there are too many."""
        found = below.get(edge)
        if found is None:
            found = Branch(offered=1)
            if self.amount < MOST_BRANCHES:
                below[edge] = found
                self.amount += 1
                if self._mark is not None:
                    self._mark.grown.append((below, edge))
        return found

    def rewards(self, positions: Positions, position: Any) -> list[float]:
        """What a position is worth to each seat, between 0 and 1: by its outlook, and at the end by who has won."""
        values = positions.outlook(position)
        ahead = leads(values, positions.teams)
        shares = positions.shares(position) if position.is_over else None
        self.valued += 1
        self.spread += (max(map(abs, ahead)) - self.spread) / self.valued
        by_points = [squash(lead / self.spread if self.spread else 0.0) for lead in ahead]
        if shares is None:
            return by_points
        return [(1.0 - BY_POINTS) * won + BY_POINTS * led for won, led in zip(shares, by_points, strict=True)]
