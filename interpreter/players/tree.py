"""The tree of a search under hidden information: one tree for all that a seat thinks possible.

Every round looks at another imagined state and goes down the tree by what may be chosen there (the search of
information sets with a single observer of Cowling, Powley and Whitehouse, 2012). A branch therefore also counts in how
many rounds it could have been taken.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

from interpreter.players.positions import Edge, Positions

#: How much the search tries what it has tried little; rewards lie between 0 and 1.
CURIOSITY = 0.7
#: The part of a reward at the end of a game that the points have, beside the victory.
BY_POINTS = 0.15


@dataclass(slots=True)
class Branch:
    """One choice in the tree: how often it could be taken, was taken, and what came of it for who chose."""

    offered: int = 0
    taken: float = 0.0
    gained: float = 0.0
    below: dict[Edge, Branch] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """What it brought on average."""
        return self.gained / self.taken if self.taken else 0.0


class Tree:
    """What the rounds of one decision have found."""

    def __init__(self, horizon: int | None, seed: int):
        self.root = Branch()
        self._horizon = horizon
        self._dice = random.Random(seed)  # noqa: S311 - a player's own chance, no secret
        self._spread = 0.0
        self._valued = 0

    def chance_before(self) -> tuple[Any, ...]:
        """Where the tree's own chance stands."""
        return self._dice.getstate()

    def chance_again(self, before: tuple[Any, ...]) -> None:
        """The chance as it stood: a round that was broken off begins anew."""
        self._dice.setstate(before)

    def round(self, positions: Positions, position: Any) -> None:
        """Goes down the tree in an imagined position, which is used up; plays on at random; tells the branches."""
        path = self._descend(positions, position)
        positions.playout(position, self._horizon, self._dice)
        rewards = self.rewards(positions, position)
        for seat, branch in path:
            branch.taken += 1
            branch.gained += rewards[seat]

    def _descend(self, positions: Positions, position: Any) -> list[tuple[int, Branch]]:
        """Down to the first branch that is new."""
        node, path = self.root, list[tuple[int, Branch]]()
        while not position.is_over:
            at, branch = self._chosen(node, positions.edges(position))
            path.append((positions.mover(position), branch))
            positions.apply(position, at)
            if not branch.taken:
                break
            node = branch
        return path

    def _chosen(self, node: Branch, edges: list[Edge]) -> tuple[int, Branch]:
        """The number of the choice that is tried, and its branch: one of the new ones, else the most promising."""
        below, new = node.below, []
        best, chosen, branch = -1.0, 0, None
        for at, edge in enumerate(edges):
            found = below.get(edge)
            if found is None:
                new.append(at)
                continue
            found.offered += 1
            if not found.taken:
                new.append(at)
                continue
            hope = found.gained / found.taken + CURIOSITY * math.sqrt(math.log(found.offered) / found.taken)
            if hope > best:
                best, chosen, branch = hope, at, found
        if new:
            chosen = new[int(self._dice.random() * len(new))]
            branch = below.setdefault(edges[chosen], Branch(offered=1))
        assert branch is not None
        return chosen, branch

    def rewards(self, positions: Positions, position: Any) -> list[float]:
        """What a position is worth to each seat, between 0 and 1: by its outlook, and at the end by who has won."""
        values = positions.outlook(position)
        seats = range(len(values))
        leads = [values[s] - max((values[o] for o in seats if o != s), default=0.0) for s in seats]
        self._valued += 1
        self._spread += (max(map(abs, leads)) - self._spread) / self._valued
        by_points = [_squash(lead / self._spread if self._spread else 0.0) for lead in leads]
        if not position.is_over:
            return by_points
        shares = positions.shares(position)
        return [(1 - BY_POINTS) * won + BY_POINTS * led for won, led in zip(shares, by_points, strict=True)]


def _squash(lead: float) -> float:
    return 1 / (1 + math.exp(-2 * max(-20.0, min(20.0, lead))))
