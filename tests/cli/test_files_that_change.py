"""A folder that goes away, or turns into something else, while a command reads it: told, and never waited for."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main
from rulespec.source import files
from rulespec.source.shipped import content_root
from tests.cli.every_command import commands_on

READ = ("open", "os.scandir")  #: what Python tells of before it looks into a file or a folder


class Meanwhile:
    """Counts how often something in a folder is opened to be read, and acts just before one of these times."""

    def __init__(self) -> None:
        self.folder: str | None = None
        self.count = self.at = 0
        self.act: Callable[[Path], None] = lambda _: None

    def begin(self, folder: Path, at: int, act: Callable[[Path], None]) -> None:
        self.folder, self.count, self.at, self.act = str(folder), 0, at, act

    def told(self, event: str, args: tuple[Any, ...]) -> None:
        if self.folder is None or event not in READ or not isinstance(args[0], (str, Path)):
            return
        is_written = event == "open" and bool((args[2] or 0) & (os.O_WRONLY | os.O_RDWR))
        if is_written or not str(Path(args[0]).absolute()).startswith(self.folder):
            return
        self.count += 1
        if self.count == self.at:
            before, self.folder = self.folder, None
            self.act(Path(args[0]))
            self.folder = before


MEANWHILE = Meanwhile()


@pytest.fixture(scope="module", autouse=True)
def _told() -> Iterator[None]:
    """A hook cannot be taken away again; it does nothing without a folder."""
    sys.addaudithook(MEANWHILE.told)
    yield
    MEANWHILE.folder = None


def _gone(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def _pipe(place: Path) -> None:
    """Nobody writes to it: who opens it in the plain way waits for ever."""
    if place.is_file():
        place.unlink()
        os.mkfifo(place)


def _other(place: Path) -> None:
    """A folder in place of a file, a file in place of a folder."""
    was_folder = place.is_dir()
    _gone(place)
    if was_folder:
        place.write_text("x: 1\n", encoding="utf-8")
    else:
        place.mkdir()


def _circle(place: Path) -> None:
    _gone(place)
    place.symlink_to(place)


def _no_text(place: Path) -> None:
    if place.is_file():
        place.write_bytes(b"\xff\xfea: [")


ACTS = {"gone": _gone, "pipe": _pipe, "other": _other, "circle": _circle, "no_text": _no_text}
SMALL = ("check", "play", "new variant", "texts accept")  #: each of these reads in its own way


def _small_game(folder: Path) -> None:
    """A folder with a game of one file, a variant in a folder of its own, and a lock of its texts."""
    _gone(folder)
    (folder / "variants").mkdir(parents=True)
    shutil.copy(content_root() / "tic_tac_toe" / "tic_tac_toe.yaml", folder)
    (folder / "variants" / "v.yaml").write_text("variant: {id: v, title: {en: V}, changes: []}\n", encoding="utf-8")


def _each_time(words: list[str], folder: Path, act: Callable[[Path], None]) -> Iterator[int]:
    """The exit status of a command, with the act before each time that it looks into the folder."""
    for at in range(1, 60):
        files.forget()
        _small_game(folder)
        MEANWHILE.begin(folder, at, act)
        try:
            yield main(words)
        finally:
            MEANWHILE.folder = None
        if MEANWHILE.count < at:
            return
    raise AssertionError(words)


COMMANDS = (
    "check", "play", "simulate", "diff", "book", "texts check", "texts accept", "texts compare", "show", "test",
    "sources", "new variant", "new game", "new language", "why", "bench",
)  # fmt: skip


def test_a_kept_check_does_not_wait_for_a_pipe(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What was said is found by a digest of the files, which are read for it."""
    game = tmp_path / "game"
    for _ in _each_time(["check", str(game)], game, lambda _: None):
        pass
    for status in _each_time(["check", str(game)], game, _pipe):
        assert status in (0, 1)
    capfd.readouterr()


@pytest.mark.parametrize(
    "command", [pytest.param(name, marks=[] if name in SMALL else pytest.mark.long) for name in COMMANDS]
)
def test_what_changes_meanwhile(
    command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each time that a file or folder is opened, with each change: no traceback, and an end with a status."""
    monkeypatch.setenv("RULESPEC_NO_CACHE", "1")
    game, out = tmp_path / "game", tmp_path / "out"
    every = [words for words in commands_on(game, out) if " ".join(words).startswith(command)]
    for words in every[:1] if command in SMALL else every:
        for name, act in ACTS.items():
            for status in _each_time(words, game, act):
                assert status in (0, 1, 2), (words, name)
                shutil.rmtree(out)
                commands_on(game, out)
            capfd.readouterr()
