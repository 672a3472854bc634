"""The JSON Schema says what the structural check says, in the form that editors can use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from rulespec.model.generate import generated
from rulespec.model.registry import REGISTRY
from rulespec.model.schema import content_schema, modeline
from rulespec.source.shipped import content_root
from tests.language.structure.cases import PROJECT, SCHEMA, Fault, faults, plain, sketches, tree_of

SEEN_BY_SCHEMAS = [fault for fault in faults() if fault.schema]


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = content_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def _messages(validator: Draft202012Validator, text: str) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(plain(tree_of(text)))]


@pytest.mark.parametrize("name", sorted(generated()))
def test_generated_file_is_up_to_date(name: str) -> None:
    """`python -m rulespec.model.generate` brings it up to date."""
    assert (PROJECT / name).read_text("utf-8") == generated()[name]


@pytest.mark.parametrize("fault", SEEN_BY_SCHEMAS, ids=lambda fault: fault.name)
def test_schema_refuses_fault(validator: Draft202012Validator, fault: Fault) -> None:
    assert _messages(validator, fault.text) != []


@pytest.mark.skipif(not sketches(), reason="the sketches of the language are not beside this folder")
@pytest.mark.parametrize("path", sketches(), ids=lambda path: path.name)
def test_schema_takes_sketch(validator: Draft202012Validator, path) -> None:
    assert _messages(validator, path.read_text("utf-8")) == []


def _shipped() -> list[Any]:
    return sorted(content_root().rglob("*.yaml"))


@pytest.mark.parametrize("path", _shipped(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_schema_takes_shipped_file(validator: Draft202012Validator, path) -> None:
    assert _messages(validator, path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", _shipped(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_modeline_of_shipped_file_leads_to_the_schema(path) -> None:
    first = path.read_text("utf-8").splitlines()[0]
    place = first.removeprefix(modeline(""))
    assert first == modeline(place)
    assert (path.parent / place).resolve() == SCHEMA


def test_best_match_names_the_wrong_key(validator: Draft202012Validator) -> None:
    """With alternatives by `oneOf`, the best match would name another verb."""
    text = "end:\n  - score: 1\n    raeson: bridges\n"
    errors = list(validator.iter_errors(plain(tree_of(text))))
    assert {error.message for error in errors} == {
        "Additional properties are not allowed ('raeson' was unexpected)",
        "'reason' is a required property",
    }
    assert best_match(errors).message in {error.message for error in errors}


def _schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema inside a schema."""
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            if key not in {"enum", "examples", "const"}:
                yield from _schemas(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _schemas(item)


def test_no_alternatives_over_objects() -> None:
    assert [key for schema in _schemas(content_schema()) for key in schema if key in {"oneOf", "anyOf"}] == []


def test_objects_are_closed() -> None:
    """Every schema of a map says what other keys may hold, or is one of several forms that do."""
    open_ones = [
        schema
        for schema in _schemas(content_schema())
        if schema.get("type") == "object" and "properties" in schema
        if "additionalProperties" not in schema and "allOf" not in schema and "required" not in schema
    ]
    assert open_ones == []


def test_every_key_is_described() -> None:
    undescribed = []
    for name, definition in content_schema()["$defs"].items():
        form_of, _, tag = name.partition(".")
        for key, value in definition.get("properties", {}).items():
            if "description" not in value and not (form_of and key == tag):
                undescribed.append(f"{name}: {key}")
    assert undescribed == []


def test_references_lead_somewhere() -> None:
    schema = content_schema()
    targets = {each["$ref"] for each in _schemas(schema) if "$ref" in each}
    assert targets <= {f"#/$defs/{name}" for name in schema["$defs"]}


def test_language_data_covers_the_registry() -> None:
    data = json.loads((PROJECT / "schemas" / "language.json").read_text("utf-8"))
    assert [section["name"] for section in data["sections"]] == [field.name for field in REGISTRY.root.fields]
    assert data["verbs"] == [form.tag for form in REGISTRY.record("step").forms]
    assert set(data["records"]) == {record.name for record in REGISTRY.records} - {"file"}
