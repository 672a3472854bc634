"""Barcelona's figures: the head of its first file says where they stand, and one value says how the avenue runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.draw import Drawer, Showing, render
from rulespec.build import build
from rulespec.diagnostics.model import Problems
from rulespec.game_source import load_variant, read_game, resolve, resolve_fully
from rulespec.overlay.sources import sources
from rulespec.source.shipped import content_root

FOLDER = content_root() / "barcelona"
RISES = """
variant:
  id: rises
  title: {en: "Rising", fr: "Montante", ja: "上り"}
  changes:
    - set: values.avenue_falls.is
      to: false
rules:
  rises:
    text: {en: "The diagonal rises.", fr: "La diagonale monte.", ja: "斜めの通りは上ります。"}
    kind: variant
    binds: [values.avenue_falls]
    source: [{variant: rises}]
"""


def test_the_first_file_names_all_files_with_figures() -> None:
    """Those whose declarations have a source, rules and checks aside."""
    source = read_game("barcelona", Problems())
    assert source is not None
    head = (FOLDER / "game.yaml").read_text(encoding="utf-8").split("game:", 1)[0]
    found = sources(resolve_fully(source, (), Problems()).tree)
    figures = [each for each in found if not each.path.startswith(("rules.", "checks", "always"))]
    files = {each.span.file.name.removeprefix("barcelona/") for each in figures}
    assert files == {word.strip(",") for word in head.split() if ".yaml" in word}


@pytest.mark.parametrize("cost", [0, 2, 3])
def test_the_avenue_may_cost_something_else(tmp_path: Path, cost: int) -> None:
    """What is checked of the map holds whatever is paid on the avenue: its five crossings cost that."""
    dear = f"variant:\n  id: dear\n  title: {{en: Dear}}\n  changes: [{{set: values.avenue_cost, to: {cost}}}]\n"
    (tmp_path / "dear.yaml").write_text(dear, encoding="utf-8")
    problems = Problems()
    source = read_game("barcelona", problems)
    assert source is not None
    loaded = load_variant(source, str(tmp_path / "dear.yaml"), problems)
    assert loaded is not None
    built = build(resolve(loaded[0], [loaded[1]], problems), 2, {}, problems)
    assert [problem.message for problem in problems.errors] == []
    assert sorted(built.world.table("crossing.cost"))[-5:] == [cost] * 5  # type: ignore[type-var]


@pytest.mark.long
def test_the_avenue_rises_by_one_value(tmp_path: Path) -> None:
    """Its crossings, with their cost, run from the lower left to the upper right, and so do the blocks that it cuts."""
    (tmp_path / "rises.yaml").write_text(RISES, encoding="utf-8")
    game = load("barcelona", variants=[str(tmp_path / "rises.yaml")])
    placed = [option for option in game.start(1).options() if option.action == "place_citizens"]
    dear = {option.args["crossing"] for option in placed if "for 1 coin" in option.text("en")}
    assert dear == {"crossing[4,0]", "crossing[3,1]", "crossing[2,2]", "crossing[1,3]", "crossing[0,4]"}
    lines = Drawer(game, game.texts("en")).lines(game.start(1), Showing(0))
    board = "\n".join(render(line, colour=False) for line in lines)
    assert "╱" in board
    assert "╲" not in board
