"""What goes wrong around a command: closed streams, a folder of games, broken files, words in an unusual order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulespec.source.cache import user_cache_folder
from tests.project.modules import ROOT

SMALL = """\
game:
  id: small
  language: 1
  title: {en: "Small"}
  players: 2
  seats: [red, green]
"""


def shell(line: str, **kwargs: str) -> subprocess.CompletedProcess[str]:
    """A command line with its redirections; `$R` is the program."""
    words = ["sh", "-c", line.replace("$R", f"{sys.executable} -m interpreter.cli.main")]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **kwargs})


# ---- streams ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("$R code RS301 >&-", 0),
        ("$R check nothing_like_it >&- 2>&-", 2),
        ("$R play tic_tac_toe --seed 1 <&-", 0),
    ],
)
def test_closed_streams_are_no_fault(line: str, status: int) -> None:
    done = shell(line)
    assert (done.returncode, done.stderr) == (status, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only some systems have a device that is always full")
def test_a_full_disk_is_told_in_a_line() -> None:
    done = shell("$R code RS301 >/dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith("rulespec: the output cannot be used: ")
    assert done.stderr.count("\n") == 1


def test_a_log_that_goes_to_a_device_leaves_it_there() -> None:
    assert shell(f"$R play tic_tac_toe --seed 1 --seats random,random --log {os.devnull}").returncode == 0
    assert not Path(os.devnull).is_file()


def test_a_relative_cache_folder_is_not_used(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "somewhere")
    assert user_cache_folder() == Path.home() / ".cache" / "rulespec"


# ---- words -----------------------------------------------------------------------------------------------------------


def test_an_unknown_command_names_the_one_that_was_meant(run) -> None:
    assert "Did you mean `check`?" in run("chek").err


def test_options_may_stand_between_the_other_words(run, islands: Path) -> None:
    before = run("show", "islands", "--option", "weather=false", "values.hand_size")
    after = run("show", "islands", "values.hand_size", "--option", "weather=false")
    assert before == after
    assert before.out.startswith("5")


def test_a_value_that_an_option_cannot_have_is_refused(run, islands: Path) -> None:
    done = run("show", "islands", "--option", "weather=rainy")
    assert done.status == 2
    assert "'rainy' is no value of the option 'weather'. Its values: false, true." in done.err


@pytest.mark.parametrize("command", ["bench", "play"])
def test_what_was_typed_wrongly_is_told_in_a_line(run, command: str) -> None:
    done = run(command, "tic_tac_toe", "--players", "7")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"rulespec {command}: This game is for 2 players, not 7.\n"


def test_a_file_that_is_not_there_is_named(run) -> None:
    assert "no_such.yaml: This file cannot be read" in run("check", "tic_tac_toe", "--variant", "no_such.yaml").err


def test_a_fault_of_a_hand_written_file_is_told_in_a_line(run, here: Path) -> None:
    (here / "hand.py").write_text("def playout(seed, players):\n    return 1 // 0\n", encoding="utf-8")
    done = run("bench", "tic_tac_toe", "--seconds", "0.05", "--beside", "hand.py")
    assert done.status == 2
    assert "hand.py, line 2: ZeroDivisionError" in done.err


# ---- folders ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "show", "play", "test", "bench"])
def test_a_game_of_one_broken_file_shows_what_is_wrong_with_it(run, here: Path, command: str) -> None:
    (here / "small").mkdir()
    (here / "small" / "small.yaml").write_text(SMALL.replace("players: 2", "\tplayers: 2"), encoding="utf-8")
    done = run(command, "small")
    assert done.status == 1
    assert "small.yaml:5:3: error RS108" in done.out
    assert "RS440" not in done.out + done.err


def test_a_folder_of_several_games_names_them(run, here: Path) -> None:
    for name in ("one", "two"):
        (here / "games" / name).mkdir(parents=True)
        (here / "games" / name / "game.yaml").write_text(SMALL, encoding="utf-8")
    done = run("check", "games")
    assert done.status == 2
    assert "there are 2 games in the folders below. Name one of them: games/one, games/two." in done.err


def test_a_file_of_a_game_leads_to_its_folder(run, islands: Path) -> None:
    done = run("check", "islands/islands.yaml")
    assert done.status == 2
    assert "a game is a folder. Name the folder: islands" in done.err


@pytest.mark.parametrize("code", ["xx", "ES", "english", ""])
def test_a_language_that_there_is_not_cannot_be_begun(run, code: str) -> None:
    done = run("new", "language", code)
    assert done.status == 2
    assert "is not a language code such as de, pt-BR or zh-Hant" in done.err
