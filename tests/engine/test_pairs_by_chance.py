"""Chance picks pairs until one is left: each pick is a new one, in each executor the same."""

from __future__ import annotations

from pathlib import Path

from bench.differential import Difference, Pair, follow
from interpreter import load

ROWS = ", ".join(f"{{n: {number}}}" for number in range(1, 25))
GAME = f"""\
game: {{id: pairs, language: 1, title: {{en: Pairs}}, players: 1, seats: [red]}}
pieces:
  a: {{attributes: {{n: 1..24}}, rows: [{ROWS}]}}
  b: {{attributes: {{n: 1..24}}, rows: [{ROWS}]}}
zones:
  left: {{shape: pool, holds: a, start: true}}
  right: {{shape: pool, holds: b, start: true}}
  mine: {{shape: pool, holds: a}}
  yours: {{shape: pool, holds: b}}
flow:
  - choose: pairs
    each: {{x: {{from: left}}, y: {{from: right}}}}
    exactly: 24
    who: chance
  - for_each: pair
    in: pairs
    do: [{{move: pair.x, to: mine}}, {{move: pair.y, to: yours}}]
ranking: [{{most: player.score}}]
"""


def test_every_piece_is_picked_once_where_all_of_them_are(tmp_path: Path) -> None:
    """24 pairs of 24 and 24: the last pick is one of 576 candidates, of which no other can be taken any more."""
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    game = load(str(tmp_path))
    assert game.native is not None, game.native_refused
    assert not isinstance(told := follow(Pair(game, game.native), 1, 9), Difference), told
    state = game.start(1)
    zones = state.view(0).to_json()["zones"]
    assert {name: len(zones[name]) for name in ("left", "right", "mine", "yours")} == {
        "left": 0, "right": 0, "mine": 24, "yours": 24,
    }  # fmt: skip
