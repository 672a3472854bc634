"""Counts of move sequences by depth: known of these games, and found again by playing all of them.

The numbers are public (perft tables). Some are plain products: 9 * 8 * 7 * 6 * 5 before a line can end a game, 7 to
the sixth before a column is full, and 7 less than 7 to the seventh, 121 * 120 * 119.
"""

from __future__ import annotations

import pytest

from bench.perft import turns
from interpreter import State, load

#: By game: the counts from depth 1 on.
KNOWN = {
    "tic_tac_toe": (9, 72, 504, 3024, 15120, 54720),
    "connect_four": (7, 49, 343, 2401, 16807, 117649, 823536),
    "reversi": (4, 12, 56, 244, 1396, 8200, 55092),
    "breakthrough": (22, 484, 11132),
    "hex": (121, 14520, 1727880),
}
#: The greatest depth that is looked at in the quick tests.
QUICK = {"tic_tac_toe": 6, "connect_four": 6, "reversi": 5, "breakthrough": 3, "hex": 2}
#: Turns of English draughts, where captures that go on are one turn: Aart Bik's table, which other programs confirm.
DRAUGHTS = (7, 49, 302, 1469, 7361, 36768, 179740)
#: The second player may take over the first stone: one more option in the second move.
SWAP = (121, 121 * 121)


def sequences(state: State, depth: int) -> int:
    """How many different sequences of so many moves there are. The last move of each is counted, not made."""
    options = state.options()
    if depth == 1:
        return len(options)
    return sum(sequences(after, depth - 1) for after in map(state.apply, options) if after.decision is not None)


def cases(quick: bool) -> list[tuple[str, int]]:
    return [
        (game, depth)
        for game, counts in KNOWN.items()
        for depth in range(1, len(counts) + 1)
        if (depth <= QUICK[game]) == quick
    ]


@pytest.mark.parametrize(("game", "depth"), cases(quick=True))
def test_sequences(game: str, depth: int) -> None:
    assert sequences(load(game).start(0), depth) == KNOWN[game][depth - 1]


@pytest.mark.long
@pytest.mark.parametrize(("game", "depth"), cases(quick=False))
def test_longer_sequences(game: str, depth: int) -> None:
    assert sequences(load(game).start(0), depth) == KNOWN[game][depth - 1]


@pytest.mark.parametrize("depth", [1, 2])
def test_sequences_with_a_swap(depth: int) -> None:
    assert sequences(load("hex", options={"swap": True}).start(0), depth) == SWAP[depth - 1]


@pytest.mark.parametrize("depth", range(1, 6))
def test_turns(depth: int) -> None:
    assert turns(load("english_draughts").start(0), depth) == DRAUGHTS[depth - 1]


@pytest.mark.long
@pytest.mark.parametrize("depth", range(6, len(DRAUGHTS) + 1))
def test_more_turns(depth: int) -> None:
    assert turns(load("english_draughts").start(0), depth) == DRAUGHTS[depth - 1]
