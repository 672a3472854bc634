"""The schema in the language server that editors use for YAML: problems, completion, hover."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulespec.model.schema import modeline
from rulespec.source.shipped import content_root
from tests.language.structure import editor
from tests.language.structure.cases import SCHEMA, Fault, faults, sketches

REASON = editor.missing()
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(REASON is not None, reason=str(REASON)),
    pytest.mark.xdist_group("editor"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[editor.Editor]:
    running = editor.Editor()
    yield running
    running.close()


def test_server_refuses_every_fault_that_a_schema_can_show(server: editor.Editor) -> None:
    """In one test, since a server takes a second to start and each worker would start its own."""
    documents = {fault.name: server.open(fault.text) for fault in faults() if fault.schema}
    accepted = [name for name, uri in documents.items() if not server.said_of(uri)]
    assert accepted == []


def test_server_marks_the_line_of_a_mistyped_key(server: editor.Editor) -> None:
    fault: Fault = next(fault for fault in faults() if fault.name == "mistyped field")
    assert server.problems(fault.text) == ["2: Property upto is not allowed."]


def test_server_takes_every_shipped_file(server: editor.Editor) -> None:
    """By the file's own modeline, as somebody sees it who opens it."""
    paths = sorted(content_root().rglob("*.yaml"))
    assert paths
    documents = {str(path): server.open_file(path) for path in paths}
    assert {path: said for path, uri in documents.items() if (said := server.said_of(uri))} == {}


def test_server_finds_the_schema_by_a_relative_modeline(server: editor.Editor, tmp_path: Path) -> None:
    """The folders lie to each other as in the project: without the schema, the fault would pass."""
    for folder in ("schemas", "content/islands"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(SCHEMA, tmp_path / "schemas")
    file = tmp_path / "content" / "islands" / "zones.yaml"
    first = modeline("../../schemas/content.schema.json")
    file.write_text(f"{first}\nzones:\n  deck: {{shape: stack, holds: card, upto: 3}}\n", "utf-8")
    assert server.said_of(server.open_file(file)) == ["2: Property upto is not allowed."]


@pytest.mark.skipif(not sketches(), reason="the sketches of the language are not beside this folder")
def test_server_takes_every_sketch(server: editor.Editor) -> None:
    documents = {path.name: server.open(path.read_text("utf-8")) for path in sketches()}
    assert {name: said for name, uri in documents.items() if (said := server.said_of(uri))} == {}


def test_server_offers_the_verbs_of_a_step(server: editor.Editor) -> None:
    uri = server.open("setup:\n  - \n")
    labels = {item["label"] for item in server.at("completion", uri, 2, 4)["items"]}
    assert {"choose", "move", "shuffle"} <= labels


def test_server_offers_the_fields_of_the_verb_that_is_there(server: editor.Editor) -> None:
    uri = server.open("setup:\n  - move: deck\n    t\n")
    labels = {item["label"] for item in server.at("completion", uri, 3, 5)["items"]}
    assert {"to", "face", "at"} <= labels
    assert "times" not in labels


def test_server_explains_a_key(server: editor.Editor) -> None:
    uri = server.open("setup:\n  - shuffle: deck\n")
    assert "Puts a stack into random order." in server.at("hover", uri, 2, 6)["contents"]["value"]
