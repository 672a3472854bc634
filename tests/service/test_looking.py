"""Hover, definition and references, as data."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rulespec.service.looking import definition, hover, references
from tests.service.spaces import CURSOR, ISLANDS, islands

CASES = yaml.safe_load(Path(__file__).with_name("looking.yaml").read_text(encoding="utf-8"))
NAME = "islands/game.yaml"


@pytest.mark.parametrize("case", CASES, ids=[case["at"] for case in CASES])
def test_what_is_known_of_a_name(case: dict[str, object]) -> None:
    written = str(case["at"])
    assert ISLANDS.count(written.replace(CURSOR, "")) == 1
    at = ISLANDS.index(written.replace(CURSOR, "")) + written.index(CURSOR)
    space = islands()
    said = hover(space, NAME, at)
    for words in case.get("says", ()):  # type: ignore[attr-defined]
        assert said is not None
        assert words in said.text
    lines = ISLANDS.splitlines()
    if "declared" in case:
        assert [lines[span.line - 1] for span in definition(space, NAME, at)] == case["declared"]
    if "used" in case:
        assert [lines[span.line - 1] for span in references(space, NAME, at)] == case["used"]


def test_a_declaration_is_found_in_another_file() -> None:
    more = "actions:\n  pass_on:\n    do:\n      - perform: coins(bridge_cost)\n"
    space = islands(more=more)
    [found] = definition(space, "islands/more.yaml", more.index("bridge_cost") + 1)
    assert (found.file.name, found.text) == (NAME, "bridge_cost")


#: Paths to keys with dots, to what lies deeper, and to a member of a list; what each leads to.
BOUND = """\
relations:
  cell.near: {to: cell, is: "true"}
rules:
  all:
    text: {en: "All.", fr: "Tout."}
    binds: [zones.cell.token, 'state.player.coins', relations.cell.near, game.options.open_hands,
      boards.land.cell.attributes.rim, "game.seats[red]", boards.land.cell, flow, zones.player.stack]
"""


@pytest.mark.parametrize(
    ("at", "declared"),
    [
        ("zones.cell.to|ken", "cell.token"),
        ("zones.ce|ll.token", "cell"),
        ("state.player.coi|ns", "player.coins"),
        ("relations.cell.ne|ar", "cell.near"),
        ("game.options.open_|hands", "open_hands"),
        ("game.opt|ions.open_hands", None),
        ("cell.attributes.ri|m", "rim"),
        ("game.seats[re|d]", "red"),
        ("boards.land.cel|l, flow", "cell"),
        ("cell, fl|ow", None),
        ("zones.player.sta|ck", None),
    ],
)
def test_a_part_of_a_path_is_what_it_leads_to(at: str, declared: str | None) -> None:
    assert BOUND.count(at.replace(CURSOR, "")) == 1
    offset = BOUND.index(at.replace(CURSOR, "")) + at.index(CURSOR)
    space = islands(more=BOUND)
    found = definition(space, "islands/more.yaml", offset)
    assert [span.text for span in found] == ([] if declared is None else [declared])
    if declared is not None and "." in declared:
        said = hover(space, "islands/more.yaml", offset)
        assert said is not None
        assert f"`{declared}" in said.text


def test_nothing_is_known_where_there_is_no_name() -> None:
    space = islands()
    assert hover(space, NAME, ISLANDS.index("}\n  players")) is None
    assert definition(space, "elsewhere.yaml", 0) == ()
    assert references(space, NAME, ISLANDS.index("language: 1") + 10) == ()


#: Values that hang on players, on an option, on both by their names, and on nothing.
VALUES = """\
values:
  hand: if player_count > 2 then 3 else 5
  extra: if option.open_hands then 1 else 0
  shown: hand + extra
  plain: 7
"""
DRY = """\
variant:
  id: dry
  title: {en: "Dry"}
  changes:
    - set: values.bridge_cost
      to: 4
"""


def _said(name: str, words: str) -> str:
    space = islands(more=VALUES, dry=DRY)
    text = space.text(name)
    found = hover(space, name, text.index(words) + 1)
    assert found is not None
    return found.text


def test_a_value_is_told_for_each_number_of_players() -> None:
    said = _said("islands/more.yaml", "hand:")
    assert "= `3`" in said  # with the most players
    assert "By players: 2: `5`, 3: `3`, 4: `3`" in said


def test_a_value_is_told_with_the_options_that_change_it() -> None:
    said = _said("islands/more.yaml", "shown:")
    assert "By players: 2: `5`, 3: `3`, 4: `3`" in said  # as it starts the option is off
    assert "With the option `open_hands: true`: `4`" in said
    assert "open_hands: false" not in said


def test_a_value_is_told_with_the_variants_that_change_it() -> None:
    said = _said(NAME, "bridge_cost: 2")
    assert "With the variant `dry`: `4`" in said
    assert "By players" not in said


def test_of_a_value_that_never_changes_nothing_more_is_told() -> None:
    assert _said("islands/more.yaml", "plain:") == "`plain: 7` (values) = `7`\n\n`7`"


@pytest.mark.parametrize(
    ("at", "line"),
    [
        ("not exists cell.sha|dow", "    inverse: {shadow: cell or none}"),  # the way back of a relation
        ('event.paid: {en: "Paid {tot|al}', "  paid: {total: 1..5}"),  # in a message, by whose name it goes
        ('settle.log: {en: "{where_to|}', "      - choose: where_to"),
    ],
)
def test_what_is_declared_by_the_way_is_found(at: str, line: str) -> None:
    steps = yaml.safe_load(Path(__file__).with_name("step_renames.yaml").read_text(encoding="utf-8"))["files"]
    log = 'messages:\n  settle.log: {en: "{where_to}", fr: "{where_to}"}\n'
    base = ISLANDS.replace("choose: cell", "choose: where_to\n        from: cell").replace(
        "(cell, me)", "(where_to, me)"
    )
    texts = {"game": base, "more": steps["more"], "log": log}
    ((name, text),) = [each for each in texts.items() if at.replace("|", "") in each[1]]
    space = islands(base, more=steps["more"], log=log)
    (found,) = definition(space, f"islands/{name}.yaml", text.index(at.replace("|", "")) + at.index("|"))
    assert found.file.text.splitlines()[found.line - 1] == line
