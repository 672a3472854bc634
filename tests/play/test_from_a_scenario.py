"""`play --scenario`: a game goes on where a scenario ends."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from interpreter.cli.main import main
from tests.service.spaces import ISLANDS


@pytest.fixture
def islands(tmp_path: Path) -> str:
    """The small game: red has four coins and pays two of them in its scenario."""
    folder = tmp_path / "islands"
    folder.mkdir()
    (folder / "game.yaml").write_text(ISLANDS, encoding="utf-8")
    return str(folder)


def _play(monkeypatch: pytest.MonkeyPatch, words: list[str], typed: str = "") -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return main(["play", *words])


def test_a_game_goes_on_where_the_scenario_ends(
    islands: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "x.save"
    typed = f"1\nundo\nyes\nsave {file}\nquit\ny\n"
    assert _play(monkeypatch, [islands, "--scenario", "a_bridge", "--seats", "human,human", "--lang", "en"], typed) == 0
    out = capsys.readouterr().out
    assert "no saved game can hold that" in out
    assert not file.exists()


def test_what_the_scenario_says_cannot_be_said_otherwise(
    islands: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _play(monkeypatch, [islands, "--scenario", "a_bridge", "--players", "3"]) == 2
    assert "leave --players out" in capsys.readouterr().err
    assert _play(monkeypatch, [islands, "--scenario", "a_brigde"]) == 2
    assert "Did you mean `a_bridge`?" in capsys.readouterr().err


def test_a_scenario_whose_moves_fail_leads_nowhere(
    islands: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path(islands) / "game.yaml"
    file.write_text(ISLANDS.replace("settle cell[1,1]", "settle cell[9,1]"), encoding="utf-8")
    assert _play(monkeypatch, [islands, "--scenario", "a_bridge"]) == 2
    assert "The scenario fails:" in capsys.readouterr().err


def test_shipped_positions_are_played_to_their_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tic_tac_toe", "--scenario", "a_row_wins", "--seats", "random,random", "--lang", "en"]
    assert _play(monkeypatch, words) == 0
    assert "Cross wins." in capsys.readouterr().out
