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


def test_nothing_is_known_where_there_is_no_name() -> None:
    space = islands()
    assert hover(space, NAME, ISLANDS.index("}\n  players")) is None
    assert definition(space, "elsewhere.yaml", 0) == ()
    assert references(space, NAME, ISLANDS.index("language: 1") + 10) == ()
