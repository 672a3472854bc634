"""What is offered, as data; and that what is known of fields is known of all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import ByNode, ListOf, MapOf, Name, Shape
from rulespec.service.completion import complete
from rulespec.service.referred import REFERS
from tests.service.spaces import islands, with_line

CASES = yaml.safe_load(Path(__file__).with_name("completion.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["new"].strip() for case in CASES])
@pytest.mark.parametrize("crlf", [False, True], ids=["lf", "crlf"])
def test_what_is_offered(case: dict[str, object], crlf: bool) -> None:
    text, at = with_line(str(case["old"]), str(case["new"]))
    if crlf:
        at += text.count("\n", 0, at)
        text = text.replace("\n", "\r\n")
    labels = [item.label for item in complete(islands(text), "islands/game.yaml", at).items]
    if case.get("none"):
        assert labels == []
        return
    first = case.get("first", [])
    assert set(labels[: len(first)]) == set(first)
    assert set(case.get("has", [])) - set(labels) == set()
    assert set(case.get("lacks", [])) & set(labels) == set()


def _names(shape: Shape) -> list[Name]:
    if isinstance(shape, Name):
        return [shape]
    if isinstance(shape, ByNode):
        inner = [each for each in (shape.scalar, shape.sequence, shape.mapping) if each is not None]
        return [name for each in inner for name in _names(each)]
    if isinstance(shape, ListOf):
        return _names(shape.item)
    return _names(shape.value) if isinstance(shape, MapOf) else []


def test_every_field_that_names_a_declaration_is_known() -> None:
    lacking = [
        (record.name, field.name)
        for record in REGISTRY.records
        for field in record.all_fields()
        if any(
            name.naming.id in ("known", "path", "read_as", "read_on", "code", "step_of") for name in _names(field.shape)
        )
        and (record.name, field.name) not in REFERS
    ]
    assert lacking == []


def test_what_is_known_of_fields_is_of_fields_that_there_are() -> None:
    fields = {(record.name, field.name) for record in REGISTRY.records for field in record.all_fields()}
    assert {pair for pair in REFERS if pair[1]} - fields == set()


MORE = """\
pieces:
  tile:
    attributes: {worth: 1..3}
    rows: {round: {worth: 1}, long: {worth: 2}}
zones:
  player.tiles: {shape: pool, holds: tile}
functions:
  best:
    params: {p: player}
    type: boolean
    is: all(piece.worth > 1 for piece in p.tiles)
scenarios:
  tiles:
    given: {red.tiles: [tile(ro)]}
    then:
      - all()
"""


def _offered(words: str) -> list[str]:
    """What is offered in a second file of the small game, behind some words of it."""
    at = MORE.index(words) + len(words)
    return [item.label for item in complete(islands(more=MORE), "islands/more.yaml", at).items]


def test_a_piece_is_described_by_the_names_of_its_rows() -> None:
    assert _offered("tile(ro")[0] == "round"
    assert {"round", "long"} <= set(_offered("tile("))


def test_before_the_name_of_a_loop_those_of_other_loops_are_offered() -> None:
    assert "piece" in _offered("- all(")


def test_a_message_that_is_there_is_missing_no_more() -> None:
    text, at = with_line("settle.prompt: {en", "|\n  settle.prompt: {en")
    space = islands(text)
    complete(space, "islands/game.yaml", at)  # what messages can be is known from here on
    space.put("islands/more.yaml", 'messages:\n  settle.log: {en: "x"}\n')
    assert "settle.log" not in [item.label for item in complete(space, "islands/game.yaml", at).items]
