"""Whatever list the server answers comes in parts where an editor asks for that: the parts are the whole answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the server is an extra")

from tests.lsp.client import Client
from tests.service.spaces import ISLANDS

#: More than are told at a time: of values that name another one, of rules that bind an action, of their scenarios.
MANY = 101
VALUES = "".join(f"  fee_{number}: bridge_cost\n" for number in range(MANY))
RULES = "".join(
    f'  rule_{number}:\n    text: {{en: "One.", fr: "Un."}}\n    binds: [actions.settle]\n    shown_by: [a_bridge]\n'
    for number in range(MANY)
)
TEXT = ISLANDS.replace("  bridge_cost: 2\n", f"  bridge_cost: 2\n{VALUES}").replace(
    "scenarios:\n", f"{RULES}scenarios:\n"
)
#: Where `bridge_cost` is declared.
LINE = TEXT.splitlines().index("  bridge_cost: 2")
HERE = {"line": LINE, "character": 4}
#: A figure that can get a name.
FIGURE = {"line": TEXT.splitlines().index("    is: not exists cell.token and p.coins > 0"), "character": 44}
START = {"line": 0, "character": 0}

#: What is asked with what besides the file, and how many results there are at least; of colours five numbers each.
ASKED: list[tuple[str, dict[str, Any], int]] = [
    ("references", {"position": HERE, "context": {"includeDeclaration": True}}, MANY + 1),
    ("documentHighlight", {"position": HERE}, MANY + 1),
    ("definition", {"position": {"line": LINE + 1, "character": 12}}, 1),
    ("documentSymbol", {}, 10),
    ("foldingRange", {}, MANY),
    ("selectionRange", {"positions": [HERE] * MANY}, MANY),
    ("documentLink", {}, 2 * MANY),
    ("codeLens", {}, 2 * MANY),
    (
        "codeAction",
        {"range": {"start": FIGURE, "end": FIGURE}, "context": {"diagnostics": [], "only": ["refactor"]}},
        1,
    ),
    ("completion", {"position": {"line": LINE + 1, "character": 9}}, MANY + 1),
    ("semanticTokens/full", {}, MANY * 5),
    ("semanticTokens/range", {"range": {"start": START, "end": {"line": LINE + MANY, "character": 0}}}, MANY),
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, str]]:
    folder = tmp_path_factory.mktemp("parts") / "islands"
    folder.mkdir()
    (folder / "game.yaml").write_text(TEXT, encoding="utf-8")
    client = Client(folder.parent)
    yield client, client.open(folder / "game.yaml")
    assert client.end() == (0, b"")


def _items(answer: Any) -> list[Any]:
    """What an answer, or a part of one, lists."""
    if not isinstance(answer, dict):
        return list(answer)
    return list(answer["items" if "items" in answer else "data"])


def _asked(client: Client, method: str, given: dict[str, Any]) -> tuple[Any, Any, list[Any]]:
    """The whole answer, what is answered behind the parts, and those."""
    token = "parts"
    whole = client.ask(method, **given)
    rest = client.ask(method, **given, partialResultToken=token)
    return whole, rest, client.progress.pop(token, [])


@pytest.mark.parametrize(("name", "given", "least"), ASKED, ids=[name for name, *_ in ASKED])
def test_an_answer_in_parts_is_the_whole_one(
    name: str, given: dict[str, Any], least: int, served: tuple[Client, str]
) -> None:
    client, uri = served
    whole, rest, parts = _asked(client, f"textDocument/{name}", {"textDocument": {"uri": uri}, **given})
    size = 500 if name.startswith("semanticTokens") else 100
    assert len(_items(whole)) >= least
    assert _items(rest) == []
    assert [each for part in parts for each in _items(part)] == _items(whole)
    assert [len(_items(part)) for part in parts[:-1]] == [size] * ((len(_items(whole)) - 1) // size)


def test_what_holds_of_all_that_is_offered_is_said_with_the_first_part(served: tuple[Client, str]) -> None:
    client, uri = served
    given = {"textDocument": {"uri": uri}, "position": {"line": LINE + 1, "character": 9}}
    whole, _, (first, *more) = _asked(client, "textDocument/completion", given)
    assert {**first, "items": None} == {**whole, "items": None}
    assert all(isinstance(part, list) for part in more)


def test_what_changed_in_colours_comes_in_parts_and_can_be_asked_of_again(served: tuple[Client, str]) -> None:
    client, uri = served
    document = {"textDocument": {"uri": uri}}
    before = client.ask("textDocument/semanticTokens/full", **document, partialResultToken="colours")["resultId"]
    end = {"line": LINE, "character": len("  bridge_cost: 2")}
    client.change(uri, {"range": {"start": end, "end": end}, "text": " + 1"})
    changed = client.ask(
        "textDocument/semanticTokens/full/delta", **document, previousResultId=before, partialResultToken="changes"
    )
    [part] = client.progress["changes"]
    [edit] = part["edits"]
    assert changed == {"edits": [], "resultId": changed["resultId"]}
    assert edit["deleteCount"] < len(edit["data"]) < 5 * MANY
    client.change(uri, {"range": {"start": end, "end": {**end, "character": end["character"] + 4}}, "text": ""})


def test_names_of_all_games_come_in_parts(served: tuple[Client, str]) -> None:
    client, _ = served
    whole, rest, parts = _asked(client, "workspace/symbol", {"query": "fee"})
    assert (len(whole), rest) == (MANY, [])
    assert [len(part) for part in parts] == [100, 1]
    assert [each for part in parts for each in part] == whole


def test_of_nothing_no_part_is_told(served: tuple[Client, str]) -> None:
    client, _ = served
    assert _asked(client, "workspace/symbol", {"query": "zzz"}) == ([], [], [])


def test_what_is_no_list_is_answered_as_ever(served: tuple[Client, str]) -> None:
    client, uri = served
    given = {"textDocument": {"uri": uri}, "position": HERE}
    whole, rest, parts = _asked(client, "textDocument/hover", given)
    assert "`bridge_cost: 2`" in whole["contents"]["value"]
    assert (rest, parts) == (whole, [])
