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
