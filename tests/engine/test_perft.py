"""Counts of move sequences by depth: known of these games, and found again by playing all of them.

The numbers are public (perft tables). Some are plain products: 9 * 8 * 7 * 6 * 5 before a line can end a game, 7 to
the sixth before a column is full, and 7 less than 7 to the seventh, 121 * 120 * 119.
"""

from __future__ import annotations

import pytest

from bench.perft import known, main, position, turns
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
#: Turns of games whose turns are several decisions now and then (`bench/perft.yaml`): counts above are for long tests.
MOST_QUICK = 10_000
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


def counts(quick: bool) -> list[tuple[str, str, int, int]]:
    return [
        (game, name, depth, count)
        for game, positions in known().items()
        for name, found in positions.items()
        for depth, count in enumerate(found, 1)
        if (count <= MOST_QUICK) == quick
    ]


@pytest.mark.parametrize(("game", "name", "depth", "count"), counts(quick=True))
def test_turns(game: str, name: str, depth: int, count: int) -> None:
    assert turns(position(game, name), depth) == count


@pytest.mark.long
@pytest.mark.parametrize(("game", "name", "depth", "count"), counts(quick=False))
def test_more_turns(game: str, name: str, depth: int, count: int) -> None:
    assert turns(position(game, name), depth) == count


def test_what_is_known() -> None:
    """Each is told of, down to these depths."""
    depths = {game: {name: len(found) for name, found in positions.items()} for game, positions in known().items()}
    assert depths["english_draughts"] == {"start": 7}
    assert depths["chess"]["start"] == 4
    assert sorted(depths["chess"].values()) == [3, 3, 3, 3, 3, 4]


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It says where a count is another one than is known."""
    monkeypatch.setattr("bench.perft.known", lambda: {"tic_tac_toe": {"start": [9, 72]}, "hex": {"start": [120]}})
    assert main(["tic_tac_toe", "--known"]) == 0
    assert capsys.readouterr().out.startswith("start\n1: 9  (")
    assert main(["hex", "--known"]) == 1
    assert capsys.readouterr().out.endswith("known is: [120]\n")
