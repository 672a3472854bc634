"""What stands above declarations: scenarios, what rules are shown by, and what variants change."""

from __future__ import annotations

import pytest

from rulespec.service.lenses import Lens, changes_told, lenses
from tests.service.spaces import ISLANDS, islands

VARIANT = """\
variant:
  id: rainy
  title: {en: "Rain", fr: "Pluie"}
  changes:
    - set: values.bridge_cost
      to: 3
    - set: boards.land.cell.attributes.rim.is
      to: cell.col == 0
    - insert: actions.settle.do
      after: pay
      steps:
        - pay: {coins: 1}
state:
  player.umbrellas: {type: 0..5, start: 0}
"""

STORMY = """\
variant:
  id: stormy
  title: {en: "Storm", fr: "Tempête"}
  requires: [rainy]
  changes:
    - set: values.bridge_cost
      to: 5
"""


def _shown(found: list[Lens]) -> list[tuple[str, str]]:
    return [(each.words, each.at.file.line_text(each.at.line).strip()) for each in found]


def test_what_can_be_done_with_scenarios_and_rules() -> None:
    more = "scenarios:\n  second:\n    rules: [bridges]\n    then: [true]\n  third:\n    then: [true]\n"
    space = islands(more=more)
    assert _shown(list(lenses(space, "islands/more.yaml"))) == [
        ("Run 2 scenarios", "scenarios:"),
        ("Run", "second:"),
        ("Play from here", "second:"),
        ("Run", "third:"),
        ("Play from here", "third:"),
    ]
    [shown, run] = [each for each in lenses(space, "islands/game.yaml") if "bridges" in each.at.text]
    assert (shown.words, shown.names) == ("Shown by 2 scenarios", ("a_bridge", "second"))
    assert [place.file.name for place in shown.places] == ["islands/game.yaml", "islands/more.yaml"]
    assert (run.words, run.names) == ("Run them", ("a_bridge", "second"))


def test_a_rule_that_no_scenario_shows_has_no_lens() -> None:
    text = ISLANDS.replace("    shown_by: [a_bridge]\n", "").replace("    rules: [bridges]\n", "")
    assert [each for each in lenses(islands(text), "islands/game.yaml") if "bridges" in each.at.text] == []


def test_what_a_variant_changes_stands_where_it_is_changed() -> None:
    space = islands(rainy=VARIANT, stormy=STORMY)
    found = [each for each in lenses(space, "islands/game.yaml") if each.kind == "changed"]
    assert [(each.words, each.path) for each in found] == [
        ("Changed by rainy", "values.bridge_cost"),
        ("Changed by stormy", "values.bridge_cost"),
        ("Changed by rainy", "boards.land.cell"),
        ("Changed by rainy", "actions.settle"),
    ]
    assert [place.text for place in found[1].places] == ["values.bridge_cost"]
    assert found[1].places[0].file.name == "islands/stormy.yaml"


@pytest.mark.parametrize(
    ("variant", "path", "told"),
    [
        ("rainy", "values.bridge_cost", ["values.bridge_cost  (set)", "  - 2", "  + 3"]),
        ("rainy", "actions.settle", ["actions.settle.do  (insert)", "  + pay: {coins: 1}"]),
        ("rainy", "zones.deck", ["Nothing changes."]),
        ("gone", "", ["There is no variant 'gone' that can be read."]),
    ],
)
def test_what_a_variant_changes_is_told(variant: str, path: str, told: list[str]) -> None:
    space = islands(rainy=VARIANT, stormy=STORMY)
    [game] = space.games
    assert changes_told(game, variant, path).split("\n") == told


def test_all_that_a_variant_changes_is_told_with_additions_and_sentences() -> None:
    space = islands(rainy=VARIANT)
    [game] = space.games
    told = changes_told(game, "rainy").split("\n")
    assert [line for line in told if not line.startswith("  ")] == [
        *("values.bridge_cost  (set)", "boards.land.cell.attributes.rim.is  (set)", "actions.settle.do  (insert)"),
        *("state.player.umbrellas", "rules.bridges  (en)", "rules.bridges  (fr)"),
    ]
    assert told[-2:] == ["  - Un pont coûte 2 pièces.", "  + Un pont coûte 3 pièces."]


def test_a_file_of_a_variant_has_one_lens_of_all_that_it_changes() -> None:
    space = islands(rainy=VARIANT)
    assert _shown(list(lenses(space, "islands/rainy.yaml"))) == [("What rainy changes", "variant:")]
