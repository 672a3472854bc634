"""Boards of 40 by 40: loaded without problems, and played alike by both executors."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.differential import Difference, Pair, follow
from bench.large.make import KINDS, write
from interpreter import load
from tests.lengths import long_where


@pytest.mark.parametrize("kind", long_where(lambda kind: kind != "square", KINDS))
def test_large_boards(kind: str, tmp_path: Path) -> None:
    home = write(tmp_path, kind, 40)
    game = load(str(home))
    assert game.native is not None, game.native_refused
    found = follow(Pair(game, game.native), 1, 12)
    assert not isinstance(found, Difference), found
    decisions = game.playouts(None, 2, seed=1).decisions
    assert all(12 < n <= 1600 for n in decisions)


@pytest.mark.parametrize("kind", ["hex", "square"])
def test_neighbours(kind: str, tmp_path: Path) -> None:
    """Of 1,600 sites; those in a corner have two neighbours, or of six kinds of neighbours two or three."""
    game = load(str(write(tmp_path, kind, 40)))
    near = game.world.tables["cell.beside.items"]
    corners = sorted(len(near[at]) for at in (0, 39, 1560, 1599))
    assert corners == {"square": [2, 2, 2, 2], "hex": [2, 2, 3, 3]}[kind]
    assert sum(map(len, near)) == 4 * 39 * 40 + (2 * 39 * 39 if kind == "hex" else 0)
