"""What begins anew in each round: when, on what, and what hangs on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.lint.scenarios import check_named
from tests.engine.small import cell, keys, play
from tests.engine.test_dice import made, problems_of

BOTH = pytest.mark.parametrize("executor", ["native", "reference"])

#: Two laps of two heats. `high` starts with other values on each cell; `fell` counts how often `near` turned true.
LAPS = """
boards: {map: {cell: {for: {x: 0..2}}}}
values: {opening: 2}
state:
  player.bid: {type: 0..9, start: opening, anew: lap}
  player.sum: {type: 0..99, start: 0}
  cell.high: {type: 0..9, start: cell.x + 1, anew: lap}
  last: {type: cell or none, start: none, anew: heat}
  kept: {type: 0..9, start: 0}
  near: {type: 0..9, start: 5, anew: lap}
  fell: {type: 0..9, start: 0}
triggers:
  felt: {when: {becomes: near == 5}, do: [{set: fell, to: fell + 1}]}
actions:
  bid:
    do:
      - choose: cell
        where: cell != last
      - {set: me.bid, to: "min(9, me.bid + cell.high)"}
      - {set: cell.high, to: 9}
      - {set: last, to: cell}
      - {set: near, to: 4}
flow:
  - repeat:
      - repeat:
          - {turns: player, do: [{perform: bid}]}
        round: heat
        times: 2
      - for_each: player
        do: [{set: player.sum, to: "player.sum + player.bid"}]
    round: lap
    times: 2
"""


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ('{remove: "flow[repeat].round"}', "With the variant 'other'"),
        ('{set: "flow[repeat].times", to: 3}', None),
    ],
)
def test_a_variant_that_takes_a_round_away_is_told(tmp_path: Path, changes: str, told: str | None) -> None:
    variant = f"variant: {{id: other, title: {{en: O}}, changes: [{changes}]}}\n"
    made(tmp_path, LAPS, "reference")
    (folder,) = {path.parent for path in tmp_path.rglob("*.yaml")}
    (folder / "other.yaml").write_text(variant, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    check_named(source, problems)
    found = [problem for problem in problems.errors if problem.code == "RS654"]
    assert [problem.span.text for problem in found] == ([] if told is None else ["lap"] * 3)
    assert all(told is not None and told in problem.hint for problem in found)


@BOTH
def test_states_begin_anew_in_the_round_that_they_name(tmp_path: Path, executor: str) -> None:
    state = made(tmp_path, LAPS, executor).start(1)
    state = play(state, "bid cell[0]")
    assert (cell(state, "player.bid", "red"), cell(state, "last")) == (3, "cell[0]")
    assert keys(state) == ["bid cell[1]", "bid cell[2]"]
    state = play(state, "bid cell[2]")  # the second heat: the last one is free again, the bids stay
    assert cell(state, "last") is None
    assert [cell(state, "player.bid", seat) for seat in ("red", "blue")] == [3, 5]
    assert [cell(state, "cell.high", f"cell[{x}]") for x in range(3)] == [9, 2, 9]
    assert cell(state, "fell") == 0
    state = play(state, "bid cell[1]", "bid cell[0]")  # the second lap
    assert [cell(state, "player.sum", seat) for seat in ("red", "blue")] == [5, 9]
    assert [cell(state, "player.bid", seat) for seat in ("red", "blue")] == [2, 2]
    assert [cell(state, "cell.high", f"cell[{x}]") for x in range(3)] == [1, 2, 3]
    assert (cell(state, "near"), cell(state, "fell"), cell(state, "kept")) == (5, 1, 0)


def test_what_was_known_before_a_round_is_not_known_in_it(tmp_path: Path) -> None:
    """`last` is none again after the condition of `while` has looked at it."""
    text = """
boards: {map: {cell: {for: {x: 0..2}}}}
state: {seen: {type: 0..2, start: 0}, last: {type: cell or none, start: "cell[0]", anew: ROUND}}
flow:
  - repeat: [{set: seen, to: last.x}, {set: last, to: none}]
    while: exists last
    round: lap
"""
    folder = tmp_path / "a"
    folder.mkdir()
    assert [code for code, _ in problems_of(folder, text.replace(", anew: ROUND", ""))] == []
    assert [code for code, _ in problems_of(folder, text.replace("ROUND", "lap"))] == ["RS305"]


def test_a_round_that_no_repeat_has(tmp_path: Path) -> None:
    text = LAPS.replace("anew: heat", "anew: heats")
    assert problems_of(tmp_path, text) == [("RS654", "Did you mean `heat`?")]
