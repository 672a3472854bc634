"""Sessions of an editor with the server, over its pipes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.cli.main import main
from tests.lsp.client import Client
from tests.service.spaces import ISLANDS

pytest.importorskip("pygls", reason="the server is an extra")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a game in it, and other YAML around it."""
    (tmp_path / "islands").mkdir()
    (tmp_path / "islands" / "game.yaml").write_text(ISLANDS, encoding="utf-8")
    (tmp_path / "compose.yaml").write_text("game: {image: x}\nservices: [1, 2]\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def client(root: Path) -> Iterator[Client]:
    served = Client(root)
    yield served
    assert served.end() == (0, b"")


def _place(words: str) -> tuple[int, int]:
    """Line and column of the | in a piece of the small game's text."""
    at = ISLANDS.index(words.replace("|", "")) + words.index("|")
    return ISLANDS.count("\n", 0, at), at - ISLANDS.rfind("\n", 0, at) - 1


def test_an_editor_is_told_of_problems_as_one_types(client: Client, root: Path) -> None:
    uri = client.open(root / "islands" / "game.yaml")
    before = client.codes(uri, {"RS505"})
    assert before == {"RS505"}  # the small game lacks messages
    line, column = _place("where: cell.rim|")
    place = {"line": line, "character": column}
    client.change(uri, {"range": {"start": place, "end": place}, "text": "m"})
    assert client.codes(uri, {"RS302"}) == {"RS302"}  # of words nothing is said where an error is told
    [wrong] = [each for each in client.diagnostics[uri] if each["code"] == "RS302"]
    assert wrong["range"] == {
        "start": {"line": line, "character": column - 3},
        "end": {"line": line, "character": column + 1},
    }
    assert wrong["severity"] == 1
    assert "`rim`" in wrong["message"]  # what is meant


def test_a_game_stays_one_while_nothing_says_its_id(client: Client, root: Path) -> None:
    wrong = ISLANDS.replace("where: cell.rim", "where: cell.rimm")
    uri = client.open(root / "islands" / "game.yaml", wrong)
    assert client.codes(uri, {"RS302"}) == {"RS302"}
    client.change(uri, {"text": ISLANDS.replace("  id: islands\n", "")})
    assert client.codes(uri, {"RS252"}) == {"RS252"}  # a key is missing
    client.change(uri, {"text": ISLANDS})
    assert client.codes(uri, {"RS505"}) == {"RS505"}


def test_files_that_cannot_be_read_are_told_and_so_is_that_they_can(client: Client, root: Path) -> None:
    other = root / "islands" / "z.yaml"
    other.write_bytes(b"values: {a: \xff}\n")
    uri = client.open(root / "islands" / "game.yaml")
    assert client.codes(other.as_uri(), {"RS103"}) == {"RS103"}
    assert {each["code"] for each in client.diagnostics[uri]} == set()  # nothing is known of what the file declares
    other.write_bytes(b"terms: {}\n")
    client.tell("workspace/didChangeWatchedFiles", changes=[{"uri": other.as_uri(), "type": 2}])
    assert client.codes(uri, {"RS505"}) == {"RS505"}
    assert client.diagnostics[other.as_uri()] == []


def test_a_file_that_makes_a_game_has_it_read(client: Client, root: Path) -> None:
    (root / "new").mkdir()
    (root / "new" / "values.yaml").write_text("values: {bridge_cost: 2}\n", encoding="utf-8")
    path = root / "new" / "game.yaml"
    path.write_text("", encoding="utf-8")
    uri = client.open(path)
    client.change(uri, {"text": ISLANDS.replace("values:\n  bridge_cost: 2\n", "")})
    assert client.codes(uri, {"RS505"}) == {"RS505"}  # and the value, which stands in the other file, is known


def test_what_lies_around_the_open_folder_makes_no_game_of_its_files(root: Path) -> None:
    path, stray = root / "open" / "notes.yaml", root / "f1.yaml"
    path.parent.mkdir()
    path.write_text("values: {a: 1}\n", encoding="utf-8")
    stray.write_text(ISLANDS, encoding="utf-8")
    client = Client(path.parent)
    uri = client.open(path)
    assert client.ask("textDocument/documentSymbol", textDocument={"uri": uri}) == []
    client.tell("workspace/didChangeWatchedFiles", changes=[{"uri": stray.as_uri(), "type": 1}])
    assert client.ask("textDocument/documentSymbol", textDocument={"uri": uri}) == []
    added = {"uri": root.as_uri(), "name": "all"}
    gone = {"uri": path.parent.as_uri(), "name": "open"}
    client.tell("workspace/didChangeWorkspaceFolders", event={"added": [added], "removed": [gone]})
    client.tell("workspace/didChangeWatchedFiles", changes=[{"uri": stray.as_uri(), "type": 1}])
    [section] = client.ask("textDocument/documentSymbol", textDocument={"uri": uri})
    assert section["name"] == "values"
    assert client.end() == (0, b"")


def test_names_are_offered_told_and_found(client: Client, root: Path) -> None:
    uri = client.open(root / "islands" / "game.yaml")
    offered = client.at("completion", uri, *_place("where: |may_settle(cell, me)"))["items"]
    assert offered[0]["label"] == "may_settle"
    line, column = _place("where: may_|settle(cell, me)")
    told = client.at("hover", uri, line, column)
    assert "may_settle" in told["contents"]["value"]
    [place] = client.at("definition", uri, line, column)
    assert place == {"uri": uri, "range": _range("  |may_settle:", 10)}
    used = client.ask(
        "textDocument/references",
        textDocument={"uri": uri},
        position={"line": line, "character": column},
        context={"includeDeclaration": True},
    )
    assert [each["range"] for each in used] == [_range("  |may_settle:", 10), _range("where: |may_settle(cell", 10)]


def _range(words: str, length: int) -> dict[str, dict[str, int]]:
    line, column = _place(words)
    return {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + length}}


def _asks_for_many(client: Client, root: Path) -> tuple[str, int, dict[str, object]]:
    """A request for the uses of a value that stands in very many expressions: file, number, and how many there are."""
    uses = "".join(f"  v{number}: bridge_cost + {number}\n" for number in range(300))
    text = ISLANDS.replace("  bridge_cost: 2\n", f"  bridge_cost: 2\n{uses}")
    uri = client.open(root / "islands" / "game.yaml", text)
    line, column = _place("  |bridge_cost: 2")
    asked = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
    number = client.send("textDocument/references", **asked, context={"includeDeclaration": True})
    return uri, number, asked


def test_what_is_asked_while_uses_are_looked_for_is_answered_first(client: Client, root: Path) -> None:
    _, number, asked = _asks_for_many(client, root)
    other = client.send("textDocument/hover", **asked)
    assert [client.answer()["id"], (last := client.answer())["id"]] == [other, number]
    # where it is declared, the new ones, `pay`, the word of the message's rule in two languages
    assert len(last["result"]) == 1 + 300 + 1 + 2


def test_uses_are_those_of_the_text_that_came_meanwhile(client: Client, root: Path) -> None:
    uri, number, _ = _asks_for_many(client, root)
    client.change(uri, {"text": ISLANDS})
    answer = client.answer()
    assert (answer["id"], len(answer["result"])) == (number, 1 + 1 + 2)


def test_columns_are_those_of_utf_16(client: Client, root: Path) -> None:
    # an emoji is one character and two units: what is replaced begins two units later than it, and one
    text = ISLANDS.replace('en: "A bridge costs {bridge_cost}', 'en: "😀 {bridge_cost}')
    uri = client.open(root / "islands" / "game.yaml", text)
    at = text.index("{bridge_cost}") + 1
    line, start = text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1
    told = client.at("hover", uri, line, start + 1 + 1)
    assert told["range"]["start"] == {"line": line, "character": start + 1}


def test_a_broken_file_and_one_of_no_game_are_answered(client: Client, root: Path) -> None:
    uri = client.open(root / "islands" / "game.yaml", ISLANDS[: ISLANDS.index("zones:")] + "zones: {deck: {sh")
    line = ISLANDS.count("\n", 0, ISLANDS.index("zones:"))
    offered = client.at("completion", uri, line, len("zones: {deck: {sh"))["items"]
    assert offered[0]["label"] == "shape"
    other = client.open(root / "compose.yaml")
    assert client.at("hover", other, 1, 3) is None
    assert client.at("definition", other, 1, 3) in (None, [])


def test_without_its_packages_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert main(["lsp"]) == 2
    assert "pip install 'rulespec[lsp]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {}),
        ("textDocument/hover", {"textDocument": {"uri": 3}, "position": "here"}),
        ("textDocument/rename", {"textDocument": {"uri": "file:///a.yaml"}}),
        ("textDocument/codeAction", {"range": []}),
    ],
)
def test_a_request_without_its_form_is_answered(client: Client, method: str, params: dict[str, object]) -> None:
    number = client.send(method, **params)
    answer = client.answer()
    assert answer["id"] == number
    assert answer["error"]["code"] == -32602
    assert method in answer["error"]["message"]
    assert client.ask("textDocument/foldingRange", textDocument={"uri": "file:///nowhere.yaml"}) == []


def test_a_rename_that_is_refused_is_no_fault(client: Client, root: Path) -> None:
    """The fixture looks at standard error: there is no traceback."""
    uri = client.open(root / "islands" / "game.yaml")
    line, column = _place("  bridge_|cost: 2")
    place = {"line": line, "character": column}
    client.send("textDocument/rename", textDocument={"uri": uri}, position=place, newName="settle Now")
    answer = client.answer()
    assert answer["error"]["code"] == -32803
    assert "is no name" in answer["error"]["message"]
