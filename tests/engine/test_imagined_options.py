"""A seat that sees that something is asked imagines states in which something can be chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.imagine import imagine

GAME = """\
game: {id: dealt, language: 1, title: {en: Dealt}, players: 2, seats: [red, green]}
pieces: {card: {attributes: {n: 1..3}, rows: [{n: 1, count: 3}, {n: 2, count: 3}, {n: 3, count: 3}], back: []}}
zones:
  deck: {shape: stack, holds: card, start: true, front: nobody}
  player.hand: {shape: pool, holds: card, front: owner}
setup: [{shuffle: deck}, {for_each: player, do: [{draw: 3, from: deck, to: player.hand}]}]
flow:
  - turns: player
    do:
      - choose: picked
        from: me.hand
        where: picked.n > 1
        if_possible: picked.n == 3
        exactly: 2
      - score: picked.count
        reason: x
ranking: [{most: player.score}]
"""


@pytest.mark.parametrize("executor", ["reference", "native"])
def test_what_is_imagined_can_be_gone_on_with(executor: str, tmp_path: Path) -> None:
    """Two cards above 1 are needed in a hand of three; with three cards of 1 in the deck many hands lack them."""
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    game = load(str(tmp_path), executor=executor)
    asked = 0
    for seed in range(8):
        state = game.start(seed)
        while state.decision is not None:
            for world in range(12):
                other = imagine(state, 1 - state.decision.player, world)
                assert other.decision == state.decision
                assert len(other.options())
                asked += 1
            state = state.apply(state.options()[0])
    assert asked > 50
