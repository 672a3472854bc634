"""A `try` that cannot be completed leaves nothing: also where what it begins with passes without being asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.differential import Difference, Pair, follow
from interpreter import load

GAME = """\
game: {{id: back, language: 1, title: {{en: Back}}, players: 1, seats: [red]}}
pieces: {{card: {{count: 2}}}}
boards: {{land: {{cell: {{for: {{x: 0..2}}}}}}}}
zones: {{hole: {{shape: pool, holds: card}}, deck: {{shape: stack, holds: card, start: true}}}}
state: {{player.coins: {{type: 0..99, start: 4}}, n: {{type: 0..9, start: 0}}}}
effects: {{nothing_much: {{do: [{{may: [{{score: 1, reason: x}}]}}]}}}}
flow:
  - turns: player
    do:
      - try: [{first}, {{gain: {{coins: 2}}}}, {last}]
        else: [{{set: n, to: 1}}]
ranking: [{{most: player.score}}]
"""
#: What a `try` begins with: asked of nobody here, since what comes later cannot be done, or there is nothing to choose.
PASSES = (
    "{may: [{score: 1, reason: x}]}",
    "{perform: nothing_much}",
    "{choose: a, from: hole, up_to: 1}",
    "{choose: a, from: 1..3, up_to: n}",
    "{for_each: c, in: cell, where: c.x > 5, order: chosen, do: [{score: 1, reason: x}]}",
    "{for_each: c, in: cell, where: c.x > 5, order: chosen, optional: true, do: [{score: 1, reason: x}]}",
    "{choose: a, from: 1..3, who: chance}",
    "{score: 1, reason: x}",
    "{repeat: [{choose: a, from: 1..3}], times: 0}",
)
#: What cannot be done at its end: there is no card in the hole, and red has not so many coins.
FAILS = ("{choose: z, from: hole}", "{pay: {coins: 50}}", "{require: n > 0}")


@pytest.mark.parametrize("last", FAILS)
@pytest.mark.parametrize("first", PASSES)
def test_what_was_done_before_a_failure_is_taken_back(first: str, last: str, tmp_path: Path) -> None:
    """Of chance alone nothing can be taken back: the unit is left there, and the coins stay."""
    (tmp_path / "game.yaml").write_text(GAME.format(first=first, last=last), encoding="utf-8")
    if "chance" in first and "pay" in last:
        pytest.skip("what cannot be paid behind chance is refused by check (RS618)")
    game = load(str(tmp_path))
    assert game.native is not None, game.native_refused
    assert not isinstance(told := follow(Pair(game, game.native), 1, 9), Difference), told
    state = game.start(1)
    while state.decision is not None:
        state = state.apply(state.options()[0])
    left = state.view(0).to_json()["state"]
    assert (left["player.coins"]["red"], left["n"]) == ((6, 0) if "chance" in first else (4, 1))
