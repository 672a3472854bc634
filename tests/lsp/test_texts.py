"""The texts of an editor and of the disk: changes by the protocol's lines, files that others write."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsp.client import Client
from tests.service.spaces import ISLANDS

pytest.importorskip("pygls", reason="the server is an extra")

LACKING = ISLANDS.replace("values:\n  bridge_cost: 2\n", "")  #: with the value in another file


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    served = Client(tmp_path)
    yield served
    assert served.end() == (0, b"")


def _saved(client: Client, uri: str) -> None:
    client.tell("textDocument/didSave", textDocument={"uri": uri})


def test_changes_are_applied_by_the_lines_of_the_protocol(client: Client, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(ISLANDS, encoding="utf-8")
    # characters at which Python ends a line, and the protocol does not; then an end of Windows
    text = "# a \u2028 b \u0085 c 😀\r\n# d\n" + ISLANDS
    uri = client.open(tmp_path / "game.yaml", text)
    assert client.codes(uri, {"RS107"}) == {"RS107"}  # which are told, and taken away below
    line = 2 + ISLANDS[: ISLANDS.index("    where: cell.rim")].count("\n")
    end = {"line": line, "character": len("    where: cell.rim")}
    client.change(
        uri,
        {"range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 13}}, "text": "\n#"},
        {"range": {"start": {**end, "line": line + 1}, "end": {**end, "line": line + 1}}, "text": "m"},
    )
    assert client.codes(uri, {"RS302"}) == {"RS302"}
    [wrong] = [each for each in client.diagnostics[uri] if each["code"] == "RS302"]
    assert wrong["range"]["start"] == {"line": line + 1, "character": len("    where: cell.")}


def test_what_appears_changes_and_goes_on_disk_is_seen(client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "islands"
    (folder / "more").mkdir(parents=True)
    value = folder / "more" / "values.yaml"
    value.write_text("values: {bridge_cost: 2}\n", encoding="utf-8")
    uri = client.open(value)
    (folder / "game.yaml").write_text(LACKING, encoding="utf-8")
    game = (folder / "game.yaml").as_uri()
    client.tell("workspace/didChangeWatchedFiles", changes=[{"uri": game, "type": 1}])
    assert client.codes(game, {"RS505"}) == {"RS505"}  # a game is around the file that is open
    (folder / "game.yaml").write_text(LACKING.replace("where: cell.rim", "where: cell.rimm"), encoding="utf-8")
    _saved(client, uri)  # nobody told of the other file
    assert client.codes(game, {"RS302"}) == {"RS302"}
    (folder / "game.yaml").write_text(LACKING, encoding="utf-8")
    (folder / "new.yaml").write_text("values: {bridge_cost: 3}\n", encoding="utf-8")
    _saved(client, uri)
    assert client.codes((folder / "new.yaml").as_uri(), {"RS401"}) == {"RS401"}  # the value is declared twice


def test_a_folder_that_goes_takes_its_files(client: Client, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "values.yaml").write_text("values: {bridge_cost: 2}\n", encoding="utf-8")
    (tmp_path / "game.yaml").write_text(LACKING, encoding="utf-8")
    uri = client.open(tmp_path / "game.yaml")
    assert client.codes(uri, {"RS505"}) == {"RS505"}
    shutil.rmtree(tmp_path / "more")
    client.tell("workspace/didChangeWatchedFiles", changes=[{"uri": (tmp_path / "more").as_uri(), "type": 3}])
    assert client.codes(uri, {"RS301"}) == {"RS301"}  # the value is gone
