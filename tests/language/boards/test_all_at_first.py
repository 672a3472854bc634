"""Pieces that all begin at the first of several places (RS628): told where it is so, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.diagnostics.fragments import problems_of

GAME = """
pieces:
  flag: {{per: player, count: {count}}}
zones:
  {zones}
flow:
  - turns: player
    do:
      - score: me.bag.count + me.rest.count
        reason: flags
"""


@pytest.mark.parametrize(
    ("count", "bag", "rest", "told"),
    [
        (8, "start: true", "up_to: 1", ["player.bag"]),
        (8, "up_to: 16, start: true", "up_to: 1", ["player.bag"]),  # there is room for all sixteen at the first
        (8, "up_to: 8, start: true", "up_to: 1", []),  # eight each: red's flags are all with red, blue's with blue
        (8, "start: flag.owner == player", "up_to: 1", []),
        (8, "start: player == red", "up_to: 1", []),
        (8, "start: flag.owner == player", "start: true", []),  # the first zone has taken them all
        (8, "start: flag.owner == red", "up_to: 1", ["player.bag"]),
        (1, "start: true", "up_to: 1", []),  # of one piece nothing is left for others
    ],
)
def test_where_all_begin_at_the_first(tmp_path: Path, count: int, bag: str, rest: str, told: list[str]) -> None:
    zones = f"player.bag: {{shape: pool, holds: flag, {bag}}}\n  player.rest: {{shape: pool, holds: flag, {rest}}}"
    found = problems_of(GAME.format(count=count, zones=zones), tmp_path / "example", "RS628")
    assert [problem.message.split("'")[3] for problem in found if problem.code == "RS628"] == told
