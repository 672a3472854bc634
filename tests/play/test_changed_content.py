"""Content that is edited while it is played."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter import load
from interpreter.play.session import Renewable
from tests.play.table import PROBE, Play


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PROBE, tmp_path / "probe"))


def _edit(folder: Path, old: str, new: str) -> None:
    file = folder / "probe.yaml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    later = file.stat().st_mtime_ns + 1_000_000_000
    os.utime(file, ns=(later, later))


def _play(folder: Path, typed: list[str], edit: Callable[[], None], at: int) -> Play:
    """A session in which the content is edited just before a line is typed."""
    play = Play(load(str(folder)), typed, content=Renewable(lambda: load(str(folder))))
    read = play.input.readline

    def readline(size: int = -1, /) -> str:
        if len(play.input.seen) == at:
            edit()
        return read(size)

    play.input.readline = readline  # type: ignore[method-assign]
    return play.run()


def test_the_new_content_is_offered_and_what_still_fits_is_kept(folder: Path) -> None:
    done = _play(folder, ["2", "1", "board", "yes"], lambda: _edit(folder, "Put a card.", "Lay a card."), 2)
    assert "probe.yaml has changed." in done.answer(2)
    assert "Start again with the new content? [yes/no]" in done.answer(2)
    assert "The game has been started again." in done.answer(3)
    assert "2 decisions of before still fit and were made again." in done.answer(3)
    assert "Look at the deck?" in done.answer(3)
    assert len(done.session.history.steps) == 2


def test_decisions_are_kept_up_to_the_first_that_no_longer_fits(folder: Path) -> None:
    done = _play(folder, ["2", "1", "board", "yes"], lambda: _edit(folder, "left: {", "centre: {"), 2)
    assert "1 decision of before still fits and was made again." in done.answer(3)
    assert [step.key for step in done.session.history.steps] == ["put card(7)"]


def test_no_means_no_and_is_not_asked_again(folder: Path) -> None:
    done = _play(folder, ["2", "board", "no", "board"], lambda: _edit(folder, "Put a card.", "Lay a card."), 1)
    assert "Put a card." in done.answer(3)
    assert done.text.count("Start again") == 1


def test_broken_content_is_told_and_the_game_goes_on(folder: Path) -> None:
    done = _play(folder, ["2", "board", "1"], lambda: _edit(folder, "from: me.hand", "from: me.hadn"), 1)
    assert "The changed content has 1 problem. The game goes on with the old one." in done.answer(1)
    assert "probe/probe.yaml:17:18: error RS" in done.answer(1)
    assert "Red puts card 7." in done.answer(2)


def test_seats_that_the_new_content_adds_play_at_random(folder: Path) -> None:
    edit = lambda: _edit(folder, "players: 2..3", "players: 3")  # noqa: E731
    done = _play(folder, ["2", "board", "yes", "1", "1", "1"], edit, 1)
    assert "The game has been started again." in done.answer(2)
    assert done.session.game.players == 3
    assert done.session.seating.kinds[2] == "random"


def test_a_folder_that_is_gone_leaves_the_game_as_it_is(folder: Path) -> None:
    done = _play(folder, ["2", "board", "1"], lambda: shutil.rmtree(folder), 1)
    assert "The game goes on with the old one." in done.answer(1)
    assert "Red puts card 7." in done.answer(2)


def test_files_that_are_no_content_are_nothing(folder: Path) -> None:
    done = _play(folder, ["2", "board"], lambda: (folder / "notes.txt").write_text("x") and None, 1)
    assert "has changed" not in done.text
