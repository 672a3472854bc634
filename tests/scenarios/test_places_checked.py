"""Places that scenarios put things at, as `check` looks at them: they depend on how many play."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from tests.scenarios.islands import GAME, source_of

BERTHS = """\
boards:
  harbour:
    berth:
      for: {player: player, number: 0..1}
      where: berth.number == 0 or player_count == 2
    mast:
      for: {berth: berth, number: 0..1}
"""
ZONE = "  mast.ship: {shape: slot, holds: ship}\n"
SCENARIO = """\
  a_berth:
    players: %d
    start: empty
    given:
      "mast[berth[red, %d], 0].ship": ship(%s)
    then:
      - count(m in mast where exists m.ship) == 1
"""


def problems_of(folder: Path, players: int, number: int, owner: str = "red", then: str = "") -> list[str]:
    """The codes of what is wrong with a scenario that puts a ship on a mast at a berth; texts are left out."""
    game = GAME.replace("boards:\n", BERTHS, 1).replace("zones:\n", f"zones:\n{ZONE}", 1)
    source = source_of(folder / "islands", SCENARIO % (players, number, owner) + then, game)
    problems = Problems()
    check_game(source, [], problems)
    return [problem.code for problem in problems.errors if not problem.code.startswith("RS5")]


@pytest.mark.parametrize(("players", "number"), [(2, 0), (2, 1), (3, 0)])
def test_a_place_that_is_there_for_so_many(tmp_path: Path, players: int, number: int) -> None:
    assert problems_of(tmp_path, players, number) == []


def test_a_place_that_is_there_only_for_fewer(tmp_path: Path) -> None:
    assert problems_of(tmp_path, 3, 1) == ["RS642"]


def test_what_is_put_there_is_looked_at(tmp_path: Path) -> None:
    assert problems_of(tmp_path, 2, 1, "nobody") == ["RS301"]


@pytest.mark.parametrize(("players", "found"), [(2, []), (3, ["RS310"])])
def test_conditions_are_of_the_scenarios_own_number_too(tmp_path: Path, players: int, found: list[str]) -> None:
    """With three players there is no second berth, so that nothing is equal to what lies there."""
    then = "      - mast[berth[red, 1], 0].ship == ship(red)\n"
    assert problems_of(tmp_path, players, 0, then=then) == found


def test_what_stands_in_several_scenarios_is_looked_at_in_each(tmp_path: Path) -> None:
    """A place that is right is known from the first scenario; what is wrong is told wherever it stands."""
    scenarios = (("one", 0, "red"), ("two", 0, "red"), ("three", 0, "nobody"), ("four", 5, "red"), ("five", 5, "red"))
    text = "".join((SCENARIO % (2, *put)).replace("a_berth", name) for name, *put in scenarios)
    game = GAME.replace("boards:\n", BERTHS, 1).replace("zones:\n", f"zones:\n{ZONE}", 1)
    source = source_of(tmp_path / "islands", text, game)
    problems = Problems()
    check_game(source, [], problems)
    found = [(p.code, p.span.line) for p in problems.errors if not p.code.startswith("RS5")]
    assert [code for code, _ in found] == ["RS301", "RS642", "RS642"]
    assert len(set(found)) == 3
