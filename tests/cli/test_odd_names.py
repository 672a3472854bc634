"""Folders and files whose names are no UTF-8, or that a terminal would obey: every command goes on, or says why not."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.diagnostics.model import Problems
from rulespec.source.files import read_file
from rulespec.source.shipped import content_root
from tests.cli.every_command import commands_on

MARK = "\N{REPLACEMENT CHARACTER}"
NO_TEXT = os.fsdecode(b"g\xff")  #: a byte that is no UTF-8
OBEYED = "g\x1b[2J\n\N{RIGHT-TO-LEFT OVERRIDE}"  #: clears a terminal, begins a line, turns what follows round
VARIANT = "variant: {id: odd, title: {en: Odd}, changes: []}\n"


def _copied(folder: Path) -> Path:
    try:
        return shutil.copytree(content_root() / "tic_tac_toe", folder)
    except OSError:
        pytest.skip("the system has no such names")


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A game's folder with a byte in its name that is no UTF-8."""
    return _copied(tmp_path / NO_TEXT)


def test_a_log_of_a_game_in_such_a_folder(odd: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its lines name the game's files, with a mark for the byte."""
    log = tmp_path / "a.log"
    assert main(["play", str(odd), "--seats", "random,random", "--seed", "1", "--log", str(log)]) == 0
    places = [json.loads(line).get("at", "") for line in log.read_text(encoding="utf-8").splitlines()]
    assert any(place.startswith(f"g{MARK}/tic_tac_toe.yaml:") for place in places)
    capsys.readouterr()


def test_parquet_in_such_a_folder_is_refused(odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow")
    out = str(odd / "run")
    assert main(["simulate", "tic_tac_toe", "--games", "1", "--jobs", "1", "--out", out]) == 2
    assert "no UTF-8" in capsys.readouterr().err
    assert not (odd / "run").exists()


def _game_in(name: str) -> Callable[[Path], tuple[Path, list[str]]]:
    return lambda tmp_path: (_copied(tmp_path / name), [])


def _file_in(name: str) -> Callable[[Path], tuple[Path, list[str]]]:
    def made(tmp_path: Path) -> tuple[Path, list[str]]:
        folder = _copied(tmp_path / "game")
        (folder / f"{name}.yaml").write_text("values: {a: 1}\nno_section: 1\n", encoding="utf-8")
        return folder, []

    return made


def _variant_at(name: str) -> Callable[[Path], tuple[Path, list[str]]]:
    def made(tmp_path: Path) -> tuple[Path, list[str]]:
        (tmp_path / f"{name}.yaml").write_text(VARIANT, encoding="utf-8")
        return _copied(tmp_path / "game"), ["--variant", str(tmp_path / f"{name}.yaml")]

    return made


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (_game_in, NO_TEXT),
        (_file_in, OBEYED),
        pytest.param(_game_in, OBEYED, marks=pytest.mark.long),
        pytest.param(_file_in, NO_TEXT, marks=pytest.mark.long),
        pytest.param(_variant_at, OBEYED, marks=pytest.mark.long),
        pytest.param(_variant_at, NO_TEXT, marks=pytest.mark.long),
    ],
)
def test_every_command_with_such_a_name(
    made: Callable[[str], Callable[[Path], tuple[Path, list[str]]]],
    name: str,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    """No traceback; an exit status that there is; UTF-8 without what a terminal obeys."""
    game, variants = made(name)(tmp_path)
    for words in commands_on(game, tmp_path / "out", variants):
        status = main(words)
        told = b"".join(capfdbinary.readouterr()).decode("utf-8")
        assert status in (0, 1, 2), words
        assert not {"\x1b", "\N{RIGHT-TO-LEFT OVERRIDE}"} & set(told), (words, told)


def test_a_variant_begun_from_such_a_folder_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The folder's name stands in its comments, on one line."""
    game = _copied(tmp_path / f"{NO_TEXT}\nb: [")
    assert main(["new", "variant", str(tmp_path / "own"), "--from", str(game)]) == 0
    problems = Problems()
    assert read_file(tmp_path / "own.yaml", problems) is not None
    assert not problems.items
    assert f"g{MARK}{MARK}b: [" in (tmp_path / "own.yaml").read_text(encoding="utf-8")
    assert f"g{MARK}" in capsys.readouterr().out


def test_records_of_a_variant_whose_file_has_such_a_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They name it with a mark for the byte."""
    parquet = pytest.importorskip("pyarrow.parquet")
    game, variants = _variant_at(NO_TEXT)(tmp_path)
    out = tmp_path / "run"
    assert main(["simulate", str(game), *variants, "--games", "1", "--jobs", "1", "--out", str(out)]) == 0
    [named] = parquet.read_table(out / "games.parquet").column("variants").to_pylist()
    assert named.endswith(f"/g{MARK}.yaml")
    capsys.readouterr()


def test_a_game_with_a_lock_that_cannot_be_read_is_not_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = _copied(tmp_path / "game")
    (game / "texts.lock").write_bytes(b"\xff\xfe")
    assert main(["new", "game", str(tmp_path / "other"), "--from", str(game)]) == 2
    assert "game/texts.lock" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
