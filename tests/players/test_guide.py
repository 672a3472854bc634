"""What guides a search: what is known of choices, where random play ends, and the look one step ahead."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from interpreter.chance import Chance
from interpreter.players.guide import GuidedTree, Known
from interpreter.players.positions import Edge
from interpreter.players.search import leads_at
from interpreter.reckoning import DOUBT, MOST_OF_A_TURN
from tests.engine.small import small


class Line:
    """Positions of a game in which nobody decides anything of weight: who is on move after each choice is given.

    It is over behind the last one. Each seat is worth nothing, but for the first where `wins` says so.
    """

    teams: Sequence[int] = ()

    def __init__(self, movers: Sequence[int], choices: int = 2):
        self.movers, self.choices, self.at, self.made = movers, choices, 0, list[int]()

    @property
    def is_over(self) -> bool:
        return self.at == len(self.movers)

    def mover(self, position: Line) -> int:
        return self.movers[self.at]

    def amount(self, position: Line) -> int:
        return self.choices

    def edge(self, position: Line, number: int) -> Edge:
        return (0, self.movers[self.at], number)

    def edges(self, position: Line) -> list[Edge]:
        return [self.edge(position, number) for number in range(self.choices)]

    def apply(self, position: Line, number: int) -> None:
        self.at += 1
        self.made.append(number)

    def outlook(self, position: Line) -> list[float]:
        return [float(self.made.count(1)), 0.0]

    def shares(self, position: Line) -> list[float]:
        return [0.5, 0.5]


def wandered(movers: Sequence[int], horizon: int | None) -> int:
    """How many decisions random play makes."""
    line = Line(movers)
    GuidedTree(horizon, 2, 100)._wander(line, line, Chance(1, "tests"))  # type: ignore[arg-type]
    return line.at


@pytest.mark.parametrize(
    ("movers", "horizon", "decisions"),
    [
        ([0, 0, 1, 1, 0], 2, 2),  # the turn ends there
        ([0, 0, 0, 1, 1], 2, 3),
        ([0, 1, 1, 1, 0], 2, 4),
        ([1, 1, 1], 2, 3),  # the game ends before the turn does
        ([0, 1, 0, 1], None, 4),
        ([0] * 100, 5, 5 + MOST_OF_A_TURN),  # a turn that does not end
        ([0, 0, 0], 0, 0),
    ],
)
def test_random_play_ends_with_a_turn(movers: list[int], horizon: int | None, decisions: int) -> None:
    assert wandered(movers, horizon) == decisions


def test_what_has_brought_more_is_drawn_more_often() -> None:
    """Of two draws one is enough: only where both are the worse option it is made."""
    tree, line = GuidedTree(None, 2, 100), Line([0] * 400)
    tree.known = {(0, 0, 0): Known(10, 1.0), (0, 0, 1): Known(10, 9.0)}
    tree._wander(line, line, Chance(1, "tests"))  # type: ignore[arg-type]
    assert 0.69 < sum(line.made) / len(line.made) < 0.81  # three quarters of 400, give or take three deviations


def test_a_choice_that_was_not_made_is_worth_the_usual() -> None:
    tree = GuidedTree(None, 2, 100)
    tree.known[(0, 0, 1)] = Known(6, 6.0)
    assert tree._mean((0, 0, 0), 0.25) == 0.25
    assert tree._mean((0, 0, 1), 0.25) == pytest.approx((6 + DOUBT * 0.25) / (6 + DOUBT))


def test_a_round_tells_of_all_choices() -> None:
    """Choice 1 is a point for the first seat: it brings more than the usual to it, wherever it is made."""
    tree = GuidedTree(None, 2, 100)
    for seed in range(200):
        line = Line([0, 1, 0])
        tree.round(line, line, seed)  # type: ignore[arg-type]
    assert sum(known.taken for known in tree.known.values()) == 3 * 200
    assert tree.known[0, 0, 1].gained / tree.known[0, 0, 1].taken > tree.usual[0]
    assert max(tree.root.below.values(), key=lambda branch: branch.taken) is tree.root.below[0, 0, 1]


def test_no_more_is_known_than_may_be() -> None:
    tree, line = GuidedTree(None, 2, 3), Line([0, 1, 0, 1], choices=50)
    tree.round(line, line, 4)  # type: ignore[arg-type]
    line = Line([0, 1, 0, 1], choices=50)
    tree.round(line, line, 5)  # type: ignore[arg-type]
    assert len(tree.known) == 3


def test_a_look_one_step_ahead() -> None:
    """By the hints red leads with 9/4 + 1/4 points in the left stall, 1 + 1/4 in the middle, 4/4 + 1/4 right."""
    state = small("hints").start(0)
    leads = leads_at(state, 0, [1])
    assert list(leads.values()) == [2.5, 1.25, 1.25]
    tree = GuidedTree(2, 2, 100)
    tree.lean(leads, 1)
    assert [branch.lean for branch in tree.root.below.values()] == pytest.approx([5 / 6, -5 / 12, -5 / 12])
