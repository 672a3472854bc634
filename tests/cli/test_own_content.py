"""Language packs of one's own for shipped games: where they lie, and that every command reads them there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import check_packs
from rulespec.source.folders import MAX_ENTRIES, files_below
from rulespec.source.own import VARIABLE, own_folders, user_content_folder
from tests.cli.conftest import Done

Run = Callable[..., Done]

PLAY = ("play", "tic_tac_toe", "--lang", "de", "--seats", "random,random", "--seed", "1")
MISSING = "The game has no texts in 'de'"

PACK = """\
pack: {game: tic_tac_toe}
game: {title: {de: "Drei gewinnt"}}
"""

linux = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the folder is named by XDG_DATA_HOME")


def _written(place: Path, text: str) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
    return place


def test_a_pack_that_nobody_reads_is_told_with_the_place_for_it(run: Run, here: Path) -> None:
    _written(here / "de.yaml", PACK)
    done = run(*PLAY)
    assert MISSING in done.err
    assert f"Packs of your own are read from {user_content_folder()}, or with --content DIR." in done.err


def test_a_folder_that_is_named(run: Run, here: Path) -> None:
    _written(here / "packs" / "deep" / "de.yaml", PACK)
    done = run(*PLAY, "--content", "packs")
    assert done.out.startswith("Drei gewinnt")
    assert MISSING not in done.err
    assert VARIABLE not in os.environ
    assert run("show", "tic_tac_toe", "game.title.de", "--content", "packs").out.startswith("Drei gewinnt")


def test_folders_that_the_variable_names(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _written(here / "two" / "de.yaml", PACK)
    monkeypatch.setenv(VARIABLE, os.pathsep.join((str(here / "one"), str(here / "two"))))
    assert run(*PLAY).out.startswith("Drei gewinnt")


@linux
def test_the_folder_of_a_person(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(here / "data"))
    _written(here / "data" / "rulespec" / "content" / "de.yaml", PACK)
    assert run(*PLAY).out.startswith("Drei gewinnt")
    monkeypatch.setenv("XDG_DATA_HOME", "somewhere")  # would be another folder wherever a command is run
    assert user_content_folder() == Path.home() / ".local" / "share" / "rulespec" / "content"


def test_a_start_that_new_writes_is_read(run: Run, here: Path) -> None:
    done = run("new", "language", "de", "--from", "tic_tac_toe")
    assert f"Your content is what lies in {user_content_folder()}" in done.out
    assert MISSING not in run(*PLAY, "--content", ".").err


def test_the_engines_own_words(run: Run, here: Path) -> None:
    _written(here / "packs" / "de.yaml", PACK)
    _written(here / "packs" / "engine" / "de.yaml", 'messages: {engine.over: {de: "Schluss."}}\n')
    assert "engine.over" in Path("packs/engine/de.yaml").read_text("utf-8")
    shown = run("replay", _log(run, here), "--lang", "de", "--content", "packs")
    assert "Schluss." in shown.out


def _log(run: Run, here: Path) -> str:
    run("play", "tic_tac_toe", "--seats", "random,random", "--seed", "1", "--log", "game.log")
    return "game.log"


def test_a_fault_in_a_pack_is_told_at_its_place(run: Run, here: Path) -> None:
    """Also after a check that found nothing, which is kept: the pack came since."""
    assert run("check", "tic_tac_toe").status == 0
    _written(here / "packs" / "de.yaml", f"{PACK}colour: red\n")
    done = run("check", "tic_tac_toe", "--content", "packs")
    assert done.status == 1
    assert "packs/de.yaml:3:1: error RS250" in done.out


def test_a_pack_of_no_game(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = _written(here / "packs" / "de.yaml", PACK.replace("tic_tac_toe", "tic_tac_to"))
    monkeypatch.setenv(VARIABLE, str(here / "packs"))
    problems = Problems()
    check_packs(problems)
    [problem] = problems.items
    assert (problem.code, problem.span.file.name) == ("RS440", place.as_posix())


def test_a_folder_that_is_none(run: Run, here: Path) -> None:
    done = run(*PLAY, "--content", "nowhere")
    assert (done.status, done.err) == (2, "rulespec play: --content names a folder, and 'nowhere' is none.\n")


def test_the_help_names_the_folders(run: Run) -> None:
    done = run("--help")
    assert f"language packs of your own     {user_content_folder()}\n" in done.out
    assert "--content DIR, or the variable RULESPEC_CONTENT" in done.out
    assert "--content DIR" in run("texts", "check", "--help").out


def test_bounds_and_links(here: Path) -> None:
    """Hidden folders and links are left alone, and no more is looked at than the bound."""
    for name in ("b/x.yaml", "a.yaml", ".git/c.yaml", "d.txt"):
        _written(here / "packs" / name, "")
    (here / "packs" / "link.yaml").symlink_to(here / "packs" / "a.yaml")
    found = [each.relative_to(here / "packs").as_posix() for each in files_below(here / "packs", (".yaml",))]
    assert found == ["a.yaml", "b/x.yaml"]
    assert MAX_ENTRIES >= 1_000
    assert own_folders() == ()
