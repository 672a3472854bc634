"""Chance picks pairs until one is left: each pick is a new one, in each executor the same, and it is quick."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.differential import Difference, Pair, follow
from bench.reference import Beside
from interpreter import load
from interpreter.executor import chance, machine

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


def test_every_piece_is_picked_once_where_all_of_them_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """24 pairs of 24 and 24: the last pick is one of 576 candidates, of which no other can be taken any more.

    Whether a candidate is gone is asked of those that are drawn, and once of each that nothing brings back: 576 times
    and once more for each pick, beside one for each draw. Looking for one that is left anew at each draw was far more.
    """
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    game = load(str(tmp_path))
    assert game.native is not None, game.native_refused
    assert not isinstance(told := follow(Pair(game, game.native, beside=Beside(game)), 1, 9), Difference), told
    asked: list[object] = []
    drawn: list[int] = []
    leaves, below = chance.Gone.leaves, chance.below

    def noted(self: chance.Gone, candidate: object) -> bool:
        asked.append(candidate)
        return leaves(self, candidate)

    def counted(*given: object) -> int:
        drawn.append(1)
        return below(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(chance.Gone, "leaves", noted)
    monkeypatch.setattr(machine, "below", counted)
    state = game.start(1)
    zones = state.view(0).to_json()["zones"]
    assert {name: len(zones[name]) for name in ("left", "right", "mine", "yours")} == {
        "left": 0, "right": 0, "mine": 24, "yours": 24,
    }  # fmt: skip
    assert len(asked) <= 576 + len(drawn)
