"""Renaming in an editor, as the protocol has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client
from tests.service.spaces import ISLANDS


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    found = Client(tmp_path, textDocument={"rename": {"prepareSupport": True}})
    yield found
    found.end()


def _asked(uri: str, words: str) -> dict[str, Any]:
    at = ISLANDS.index(words)
    line, column = ISLANDS.count("\n", 0, at), at - ISLANDS.rfind("\n", 0, at) - 1
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}


def test_a_name_is_given_another_in_all_places(client: Client, tmp_path: Path) -> None:
    assert client.about["capabilities"]["renameProvider"] == {"prepareProvider": True}
    uri = client.open(tmp_path / "islands" / "game.yaml", ISLANDS)
    asked = _asked(uri, "bridge_cost: 2")
    found = client.ask("textDocument/prepareRename", **asked)
    assert (found["placeholder"], found["range"]["end"]["character"]) == ("bridge_cost", 2 + len("bridge_cost"))
    edits = client.ask("textDocument/rename", **asked, newName="toll")["changes"][uri]
    # where it is declared, in `pay`, in the rule's text in two languages; the label of the cost is another name
    assert len(edits) == 4
    assert {edit["newText"] for edit in edits} == {"toll"}
    client.send("textDocument/rename", **asked, newName="coins")
    assert client.answer()["error"]["message"] == "`coins` is already the name of an effect."
