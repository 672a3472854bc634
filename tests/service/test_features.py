"""Outline, colours, hints, links and the like: whatever stands in a file they answer, and as after a fresh start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rulespec.service.folding import folds, selections
from rulespec.service.highlights import highlights
from rulespec.service.inlays import Inlay, inlays
from rulespec.service.links import links
from rulespec.service.signatures import signature
from rulespec.service.symbols_of_file import Entry, document_symbols, workspace_symbols
from rulespec.service.tokens import KINDS, tokens
from rulespec.service.workspace import Workspace
from tests.service.changes import edits
from tests.service.spaces import ISLANDS, islands, shipped

NAME = "islands/game.yaml"

FEATURES: tuple[Callable[[Workspace, str, int], Any], ...] = (
    selections,
    signature,
    lambda space, name, at: [(each.start, each.end) for each in highlights(space, name, at)],
    lambda space, name, at: list(tokens(space, name)),
    lambda space, name, at: sorted(_hints(space, name), key=str),
    lambda space, name, at: [(each.start, each.end, each.says) for each in links(space, name)],
    lambda space, name, at: [each.name for each in document_symbols(space, name)],
    lambda space, name, at: [each.symbol for each in workspace_symbols(space, "e")],
)


def _hints(space: Workspace, name: str) -> list[Inlay]:
    return list(inlays(space, name, 0, len(space.text(name))))


def _answers(space: Workspace, at: int) -> list[Any]:
    return [feature(space, NAME, at) for feature in FEATURES]


@pytest.mark.parametrize("seed", [21, 22])
def test_after_edits_the_answers_are_those_of_a_fresh_start(seed: int) -> None:
    space = islands()
    for text, at in edits(seed, 15):
        space.put(NAME, text)
        assert _answers(space, at) == _answers(islands(text), at)


@pytest.mark.long
@pytest.mark.parametrize("seed", [31])
def test_after_many_edits_the_answers_are_those_of_a_fresh_start(seed: int) -> None:
    space = islands()
    for text, at in edits(seed, 60):
        space.put(NAME, text)
        assert _answers(space, at) == _answers(islands(text), at)


def test_each_cut_of_a_file_has_answers() -> None:
    space = islands()
    for at in range(0, len(ISLANDS), 97):
        space.put(NAME, ISLANDS[:at])
        _answers(space, at)


def test_folds_lie_inside_one_another_or_apart() -> None:
    for text, _ in edits(5, 60):
        found, last = folds(text), text.count("\n")
        assert all(each.first < each.last <= last for each in found)
        for one in found:
            assert all(other.first > one.last or other.last <= one.last for other in found if other.first >= one.first)


@pytest.mark.long
def test_all_shipped_files_have_answers() -> None:
    space = shipped()
    for name in space.names:
        text = space.text(name)
        found = list(tokens(space, name))
        for token in found:
            assert token.kind in KINDS
            assert "\n" not in text[token.start : token.end]
        assert [token.start for token in found] == sorted({token.start for token in found})
        tree = space.file(name).tree
        assert tree is not None
        assert [each.name for each in document_symbols(space, name)] == list(tree.keys())
        list(links(space, name))
        _hints(space, name)


def test_links_lead_to_what_a_path_names_inside_a_declaration() -> None:
    text = ISLANDS.replace("binds: [actions.settle]", "binds: [actions.settle.do, values.bridge_cost, values.gone]")
    found = {text[each.start : each.end]: each.to for each in links(islands(text), NAME)}
    lines = {words: to.file.line_text(to.line).strip() for words, to in found.items() if to is not None}
    assert lines["actions.settle.do"] == "do:"
    assert lines["values.bridge_cost"] == "bridge_cost: 2"
    assert "values.gone" not in found


def test_a_schema_beside_the_game_is_a_file() -> None:
    space = islands("# yaml-language-server: $schema=../schemas/content.schema.json\n" + ISLANDS)
    assert next(iter(links(space, NAME))).file == "schemas/content.schema.json"


def test_an_address_in_the_line_of_a_schema_is_one_link() -> None:
    line = "# yaml-language-server: $schema=https://example.org/a.json\n"
    text = f"{line}# see https://example.org/b, and https://example.org/c.\n{line}{ISLANDS}"
    found = [each for each in links(islands(text), NAME) if each.file]
    assert [(each.file.removeprefix("https://example.org"), each.says) for each in found] == [
        ("/a.json", "schema"), ("/a.json", "schema"), ("/b", ""), ("/c", ""),
    ]  # fmt: skip


def test_the_outline_has_each_name_inside_what_holds_it() -> None:
    def told(entries: tuple[Entry, ...]) -> list[Any]:
        return [(each.name, told(each.inside)) if each.inside else each.name for each in entries]

    [enums] = [each for each in document_symbols(islands(), NAME) if each.name == "enums"]
    [boards] = [each for each in document_symbols(islands(), NAME) if each.name == "boards"]
    assert told(enums.inside) == [("ground", ["water", "meadow", "hill"])]
    assert told(boards.inside) == [("cell", ["col", "row", "ground", "rim"])]


def test_a_file_of_no_game_has_no_colours_and_no_outline() -> None:
    space = Workspace()
    space.put("compose.yaml", "services: {a: {image: x}}\n")
    assert list(tokens(space, "compose.yaml")) == []
    assert document_symbols(space, "compose.yaml") == ()
    assert list(links(space, "compose.yaml")) == []
    assert list(inlays(space, "compose.yaml", 0, 99)) == []
