"""A deck of each player that is renewed from that player's own discard pile, in every executor.

Each has four cards and draws three a turn. In the first turn one card stays in the deck and three are put aside. From
the second turn on the one that is left is drawn, the three are shuffled in, and two of them are drawn: one stays again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.game import EXECUTORS

GAME = """
game: {id: own_decks, language: 1, title: {en: Decks}, players: 3, seats: [red, green, blue]}
pieces:
  card: {per: player, count: 4}
zones:
  player.deck: {shape: stack, holds: card, front: nobody, start: card.owner == player, renew: player.discard}
  player.discard: {shape: pool, holds: card}
  player.hand: {shape: pool, holds: card}
flow:
  - repeat:
      - turns: player
        do:
          - draw: 3
            from: me.deck
            to: me.hand
          - choose: answer
            from: 1..2
          - move: me.hand
            to: me.discard
    times: 3
ranking: [{most: 0}]
"""


@pytest.mark.parametrize("executor", EXECUTORS)
def test_each_deck_is_renewed_from_its_own_pile(tmp_path: Path, executor: str) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    state = load(tmp_path, executor=executor).start(5)
    for turn in range(9):
        seat = ("red", "green", "blue")[turn % 3]
        where = {name: state.zone(f"player.{name}", seat) for name in ("deck", "discard", "hand")}
        assert {name: len(pieces) for name, pieces in where.items()} == {"deck": 1, "discard": 0, "hand": 3}
        assert {piece for pieces in where.values() for piece in pieces} == {f"card({seat})"}
        state = state.apply(state.options()[turn % 2])
    assert state.result is not None
    assert {seat: len(pieces) for seat, pieces in state.zone("player.discard").items()} == dict.fromkeys(
        ("red", "green", "blue"), 3
    )
