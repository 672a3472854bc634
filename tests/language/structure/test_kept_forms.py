"""What is of the right form by its file is not looked at again in the whole game: nothing is lost by that."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.model.validate import Sound, validate_whole
from rulespec.source.shipped import games

GAME = "game: {id: demo, language: 1, title: {en: Demo}, players: 2, seats: [red, blue]}\n"

#: Files that are right by themselves, and lack something in the whole game, or are wrong.
FILES = [
    "rules: {earning: {text: {en: A player earns coins.}}}\n",
    "pieces: {token: {count: 2}}\n",
    "boards: {map: {cell: {grid: [3, 3]}}}\n",
    "book: {parts: [{title: {en: One}, rules: [earning]}]}\n",
    "messages: {player.red: {en: Red}}\nactions: {earn: {do: [{gain: {coins: 2}}]}}\n",
    "actions: {earn: {do: [{gain: {coins: 2}, spend: {coins: 1}}]}}\n",
    "scenarios: {first: {players: 2}}\n",
]


def _said(folder: str, sound: Sound | None) -> list[tuple[object, ...]]:
    """What is wrong with the whole game, beside what is said of its files."""
    source = read_game(folder, Problems())
    assert source is not None
    problems = Problems()
    bad = validate_whole(source.base, problems, source.sound if sound is None else sound)
    return [*((*problem.place, problem.message) for problem in problems.items), (len(bad),)]


@pytest.mark.parametrize("name", [name for name in games() if name not in ("barcelona", "metro")])
def test_shipped_games(name: str) -> None:
    assert _said(str(games()[name]), None) == _said(str(games()[name]), {})


@pytest.mark.parametrize("text", FILES)
def test_what_only_the_whole_game_lacks(tmp_path: Path, text: str) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "more.yaml").write_text(text, encoding="utf-8")
    assert _said(str(tmp_path), None) == _said(str(tmp_path), {})


def test_a_rule_that_binds_nothing_is_told(tmp_path: Path) -> None:
    """`binds` may stand in another file, so that the file itself is right."""
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "more.yaml").write_text(FILES[0], encoding="utf-8")
    assert "RS252" in [each[3] for each in _said(str(tmp_path), None)[:-1]]


def test_most_declarations_are_known(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "more.yaml").write_text(FILES[4], encoding="utf-8")
    source = read_game(str(tmp_path), Problems())
    assert source is not None
    found = {id(node) for node in source.sound.values()}
    actions, messages = source.base.get("actions"), source.base.get("messages")
    assert {id(actions.get("earn")), id(messages.get("player.red"))} == found  # type: ignore[union-attr]
