"""A look one step ahead by the reference: how far a seat is ahead after each option, in imagined states."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.bounds import in_time
from interpreter.imagine import imagined_cells
from interpreter.players.outlook import positions_of
from interpreter.players.positions import Edge
from interpreter.reckoning import leads
from interpreter.state import State


class Enough(Exception):
    """Somebody else is to do it."""


def leads_at(
    state: State, seat: int, seeds: Sequence[int], is_enough: Callable[[], bool] = lambda: False
) -> dict[Edge, float]:
    """How far a seat is ahead after each option of a state, added up; what is not offered counts as nothing.

    Raises Enough as soon as `is_enough` says so, which is asked before each option.
    """
    positions = positions_of(state.game)
    teams = positions.teams
    found = dict.fromkeys(positions.edges(positions.at(state)), 0.0)
    for seed in seeds:
        imagined = positions.of(imagined_cells(state, seat, seed))
        tried = set()
        for number, edge in enumerate(positions.edges(imagined)):
            in_time(state)
            if is_enough():
                raise Enough
            if edge in found and edge not in tried:
                tried.add(edge)
                after = positions.copied(imagined)
                positions.apply(after, number)
                found[edge] += leads(positions.outlook(after), teams)[seat]
    return found
