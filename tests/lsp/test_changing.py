"""Renaming in an editor, as the protocol has it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified

from interpreter.lsp.beside import Beside
from interpreter.lsp.changing import answered
from interpreter.lsp.server import Server
from rulespec.service.problems import moved_to, snapshot_of
from rulespec.service.stopping import go_on
from rulespec.service.workspace import Workspace
from tests.lsp.client import Client
from tests.service.spaces import ISLANDS, islands

#: A file beside the game's own that is not open. No editor is told of what is written to it.
MORE = "values:\n  twice: 2 * bridge_cost\n"
VERSIONS = {"workspace": {"workspaceEdit": {"documentChanges": True}}}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    found = Client(tmp_path, textDocument={"rename": {"prepareSupport": True}})
    yield found
    found.end()


def _asked(uri: str, words: str, text: str = ISLANDS) -> dict[str, Any]:
    at = text.index(words)
    line, column = text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}


def _opened(client: Client, folder: Path, more: str = MORE) -> tuple[str, Path]:
    """The small game with a second file, which is closed; the address of the open one, and the closed one."""
    closed = folder / "islands" / "more.yaml"
    closed.parent.mkdir()
    closed.write_text(more, encoding="utf-8")
    (closed.parent / "game.yaml").write_text(ISLANDS, encoding="utf-8")
    return client.open(closed.parent / "game.yaml"), closed


def _edited(text: str, edits: list[dict[str, Any]]) -> str:
    """A text in ASCII after edits that stand in one line each."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: -one["range"]["start"]["character"]):
        start, end = edit["range"]["start"], edit["range"]["end"]
        line = lines[start["line"]]
        lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
    return "\n".join(lines)


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


def test_closed_files_are_edited_as_they_are_on_disk(client: Client, tmp_path: Path) -> None:
    uri, closed = _opened(client, tmp_path)
    asked = _asked(uri, "bridge_cost: 2")
    client.ask("textDocument/prepareRename", **asked)
    longer = MORE.replace("  twice", "  first: 1\n  second: bridge_cost + 1\n  twice")
    closed.write_text(longer, encoding="utf-8")
    used = client.ask("textDocument/references", **asked, context={"includeDeclaration": True})
    assert [each["range"]["start"]["line"] for each in used if each["uri"] == closed.as_uri()] == [2, 3]
    edits = client.ask("textDocument/rename", **asked, newName="toll")["changes"]
    assert len(edits[uri]) == 4
    assert _edited(longer, edits[closed.as_uri()]) == longer.replace("bridge_cost", "toll")


def test_a_file_that_cannot_be_read_may_name_anything(client: Client, tmp_path: Path) -> None:
    uri, closed = _opened(client, tmp_path)
    asked = _asked(uri, "bridge_cost: 2")
    closed.write_bytes(MORE.encode() + b"# \xff\n")
    client.send("textDocument/rename", **asked, newName="toll")
    why = f"{closed.as_posix()} cannot be read as it stands: mend it first."
    assert client.answer()["error"]["message"] == why
    closed.write_text(MORE, encoding="utf-8")
    assert len(client.ask("textDocument/rename", **asked, newName="toll")["changes"][closed.as_uri()]) == 1


def test_edits_say_of_which_version_they_are(tmp_path: Path) -> None:
    client = Client(tmp_path, **VERSIONS)
    uri, closed = _opened(client, tmp_path)
    client.change(uri, {"text": ISLANDS.replace("Islands", "Isles")})  # its version is 2
    found = client.ask("textDocument/rename", **_asked(uri, "bridge_cost: 2"), newName="toll")
    assert "changes" not in found
    documents = {each["textDocument"]["uri"]: each for each in found["documentChanges"]}
    assert {key: each["textDocument"]["version"] for key, each in documents.items()} == {uri: 2, closed.as_uri(): None}
    assert len(documents[uri]["edits"]) == 4
    client.end()


class _Asked:
    """What a server is to the search for names: it answers once more for each file that is changed meanwhile."""

    encoding = "utf-16"

    def __init__(self, *changed: str, is_told: bool = False) -> None:
        self.is_told = is_told
        self.space, self.beside, self.working, self.asked = islands(more=MORE), Beside(), self, 0
        self._changed = list(changed)

    def seen_again(self, name: str) -> None:
        """Nothing is on disk."""

    def during(self, title: str, work: Callable[[], str]) -> str:
        self.asked += 1
        if self._changed:
            name = self._changed.pop()
            self.space.put(name, "values: {late: 1}")
            if self.is_told:
                self.beside.changed(snapshot_of(self.space.games[0]))
                go_on()
        return work()

    def answer(self) -> str:
        params = lsp.PrepareRenameParams(lsp.TextDocumentIdentifier("file:///islands/game.yaml"), lsp.Position(5, 3))
        self.space = _whole(self.space)
        found = asyncio.run(answered(cast("Server", self), params, lambda space, name, at: " ".join(space.names)))
        self.beside.end()
        return found


def _whole(space: Workspace) -> Workspace:
    """A workspace with whole paths."""
    found = Workspace()
    for name in space.names:
        found.put(f"/{name}", space.text(name))
    found.put("/other/game.yaml", ISLANDS)
    return found


def test_a_position_moves_with_what_is_changed_around_it() -> None:
    old = "one: 1\ntwo: 2\nthree: 3\n"
    two = old.index("two")
    assert moved_to(two, old, f"# more\n{old}") == two + len("# more\n")
    assert moved_to(two, old, f"{old}four: 4\n") == two
    assert moved_to(two + 1, old, old.replace("two", "no")) is None


@pytest.mark.parametrize("is_told", [False, True])
@pytest.mark.parametrize(
    ("changed", "times", "names"),
    [
        ("/other/game.yaml", 1, "/islands/game.yaml /islands/more.yaml"),  # another game's
        ("/islands/late.yaml", 2, "/islands/game.yaml /islands/late.yaml /islands/more.yaml"),
    ],
)
def test_the_search_begins_anew_where_its_game_is_another(
    changed: str, times: int, names: str, *, is_told: bool
) -> None:
    server = _Asked(changed, is_told=is_told)
    assert (server.answer(), server.asked) == (names, times)


def test_a_position_that_was_changed_itself_is_not_answered() -> None:
    with pytest.raises(JsonRpcContentModified):
        _Asked("/islands/game.yaml").answer()
