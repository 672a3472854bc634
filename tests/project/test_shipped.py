"""Finding the shipped folders in a checkout, and what counts as a game."""

from __future__ import annotations

from pathlib import Path

from rulespec.source.shipped import content_root, games, games_in, schemas_root
from tests.project.modules import ROOT


def test_a_checkout_uses_its_own_folders() -> None:
    assert content_root() == ROOT / "content"
    assert schemas_root() == ROOT / "schemas"


def test_a_game_is_a_folder_in_which_a_file_has_a_game_section(tmp_path: Path) -> None:
    for name, text in {
        "b": "values: {x: 1}\n",
        "a": "# first\ngame:\n  id: a\n",
        "engine": "game: {id: engine}\n",
        "c": "about:\n  game: indented, so it is not a section\n",
        "d": "games: 1\n",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "file.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "loose.yaml").write_text("game: {id: loose}\n", encoding="utf-8")
    (tmp_path / "a" / "broken.yaml").write_bytes(b"\xff\xfe\x00")
    assert games_in(tmp_path) == {"a": tmp_path / "a"}


def test_the_shipped_games_are_found() -> None:
    """The tutorial's game is named, since a search that finds nothing would pass any test over all games."""
    assert "tic_tac_toe" in games()
    assert list(games()) == sorted(games())
    assert all(folder == content_root() / name for name, folder in games().items())
