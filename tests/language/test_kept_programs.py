"""A game that is opened again is made of what was kept, and never of what was kept of another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rulespec.build
from interpreter import ContentError, load
from rulespec.build import build
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.kept import worlds
from rulespec.kept.digests import Digests
from rulespec.model import kept_forms
from rulespec.source import store
from rulespec.source.files import forget
from rulespec.source.tree import Mapping
from tests.language.test_kept_stages import GAME

WORDS = "messages:\n  player.red: {en: Red}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    (tmp_path / "cache").mkdir(mode=0o700)
    found = tmp_path / "demo"
    found.mkdir()
    (found / "game.yaml").write_text(GAME, encoding="utf-8")
    (found / "words.yaml").write_text(WORDS, encoding="utf-8")
    yield found
    forget()


@pytest.fixture
def lowerings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of players for which a game was lowered as a whole."""
    found: list[int] = []
    build = rulespec.build.build

    def noted(tree: Any, players: int, *rest: Any) -> Any:
        found.append(players)
        return build(tree, players, *rest)

    monkeypatch.setattr(rulespec.build, "build", noted)
    return found


def test_it_is_lowered_once_for_each_setting(folder: Path, lowerings: list[int]) -> None:
    first = load(folder, players=2).start(1).to_bytes()
    assert load(folder, players=2).start(1).to_bytes() == first
    assert lowerings == [2]
    load(folder, players=3)
    load(folder, players=2, options={"long": True})
    assert lowerings == [2, 3, 2]
    load(folder, players=3)
    load(folder, players=2, options={"long": True})
    assert lowerings == [2, 3, 2]


def test_a_text_changes_no_program(folder: Path, lowerings: list[int]) -> None:
    load(folder)
    (folder / "words.yaml").write_text(WORDS.replace("Red", "Crimson"), encoding="utf-8")
    load(folder)
    assert lowerings == [2]


def test_an_action_that_was_edited_is_played_as_it_is_now(folder: Path, lowerings: list[int]) -> None:
    before = load(folder).fingerprint
    (folder / "game.yaml").write_text(GAME.replace("coins: 2", "coins: 4"), encoding="utf-8")
    assert load(folder).fingerprint != before
    assert lowerings == [2, 2]


def test_faults_are_told_whatever_was_kept(folder: Path) -> None:
    load(folder)
    (folder / "game.yaml").write_text(GAME.replace("coins: 2", "coins: two"), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ContentError, match="two"):
            load(folder)


@pytest.mark.parametrize("bad", [[], {}, {"kinds": [], "files": [], "rows": [], "value": 1}, "other", {"rows": [[0]]}])
def test_what_is_no_program_is_not_used(
    bad: Any, folder: Path, lowerings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load(folder).start(1).to_bytes()
    read = store.read
    monkeypatch.setattr(store, "read", lambda name: bad if name.startswith("program-") else read(name))
    assert load(folder).start(1).to_bytes() == first
    assert lowerings == [2, 2]


def test_each_part_of_what_was_kept_is_looked_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are cut short, or name what there is not, are not used, and are no traceback."""
    first = load(folder).start(1).to_bytes()
    kept: dict[str, Any] = {}
    read = store.read

    def noted(name: str) -> Any:
        if name.startswith("program-"):
            kept.setdefault("data", read(name))
            return kept["now"] if "now" in kept else kept["data"]
        return read(name)

    monkeypatch.setattr(store, "read", noted)
    load(folder)
    for change in (
        lambda data: data["rows"].pop(),
        lambda data: data["rows"][0].pop(),
        lambda data: data["kinds"].append("builtins.object") or data["rows"][0].__setitem__(0, len(data["kinds"]) - 1),
        lambda data: data["files"].__setitem__(0, "elsewhere.yaml"),
        lambda data: data.pop("value"),
    ):
        now = json.loads(json.dumps(kept["data"]))
        change(now)
        kept["now"] = now
        assert load(folder).start(1).to_bytes() == first


def test_the_form_of_a_file_is_looked_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only files worth it are kept: there is a long comment here. One that has a fault is looked at each time."""
    (folder / "game.yaml").write_text(GAME + "# " + "x" * 30_000 + "\n", encoding="utf-8")
    seen: list[str] = []
    validate = kept_forms.validate_file

    def noted(tree: Any, problems: Any, *, variant: bool) -> Any:
        seen.append(tree.span.file.name.rpartition("/")[2])
        return validate(tree, problems, variant=variant)

    monkeypatch.setattr(kept_forms, "validate_file", noted)
    load(folder)
    assert seen == ["game.yaml", "words.yaml"]
    load(folder)
    assert seen == ["game.yaml", "words.yaml"]
    (folder / "words.yaml").write_text(WORDS + "colour: red\n", encoding="utf-8")
    for number in (3, 4):
        with pytest.raises(ContentError, match="colour"):
            load(folder)
        assert seen[2:] == ["words.yaml"] * (number - 2)


def test_declarations_find_their_nodes_where_sections_of_words_came_before(folder: Path) -> None:
    """`terms` are not played: what was kept without them is still right, though every section stands elsewhere."""
    (folder / "a.yaml").write_text("messages:\n  player.blue: {en: Blue}\n", encoding="utf-8")
    before = read_game(str(folder), Problems())
    assert before is not None
    built = build(before.base, 2)
    assert built is not None
    data = worlds.as_data(built.context)
    words = "terms:\n  coin: {en: coin}\n  red: {en: red}\nmessages:\n  player.blue: {en: Blue}\n"
    (folder / "a.yaml").write_text(words, encoding="utf-8")
    forget()
    after = read_game(str(folder), Problems())
    assert after is not None
    found = worlds.context_from(data, after.base, Digests(after).files.__getitem__)
    assert [key.text for key, _ in after.base.pairs][:2] != [key.text for key, _ in before.base.pairs][:2]
    actions = after.base.get("actions")
    assert isinstance(actions, Mapping)
    assert found.world.effects["earn"].node is actions.get("earn")
