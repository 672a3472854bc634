"""Folders whose names are no UTF-8: a game in one is played and logged, and what cannot be written there is said."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.source.shipped import content_root


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A game's folder with a byte in its name that is no UTF-8."""
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/g\xff"))
    try:
        shutil.copytree(content_root() / "tic_tac_toe", folder)
    except OSError:
        pytest.skip("the system has no such names")
    return folder


def test_a_log_of_a_game_in_such_a_folder(odd: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its lines name the game's files, with a mark for the byte."""
    log = tmp_path / "a.log"
    assert main(["play", str(odd), "--seats", "random,random", "--seed", "1", "--log", str(log)]) == 0
    places = [json.loads(line).get("at", "") for line in log.read_text(encoding="utf-8").splitlines()]
    assert any(place.startswith("g\N{REPLACEMENT CHARACTER}/tic_tac_toe.yaml:") for place in places)
    capsys.readouterr()


def test_parquet_in_such_a_folder_is_refused(odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow")
    out = str(odd / "run")
    assert main(["simulate", "tic_tac_toe", "--games", "1", "--jobs", "1", "--out", out]) == 2
    assert "no UTF-8" in capsys.readouterr().err
    assert not (odd / "run").exists()
