"""What goes in and out is UTF-8, whatever the system is set to; a terminal that lacks a character says so."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.cli.streams import open_streams, tell_lost

#: A Windows machine with its code page, an old one, and a machine that is set to nothing.
SETTINGS = (
    {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
    {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:strict"},
    {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "PYTHONIOENCODING": ""},
)

GAME = """\
game:
  id: small
  language: 1
  title: {en: "Small", ja: "小さい"}
  players: 2
  seats: [red, green]
  colour: 青
"""


def _bytes(
    folder: Path, settings: dict[str, str], *words: str, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "interpreter.cli.main", *words]
    return subprocess.run(
        line, cwd=folder, capture_output=True, check=False, input=stdin, env={**os.environ, **settings}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game in a folder with a Japanese name, with a fault whose line has a Japanese word."""
    (tmp_path / "試").mkdir()
    (tmp_path / "試" / "g.yaml").write_text(GAME, "utf-8")
    return tmp_path


@pytest.mark.parametrize("settings", SETTINGS, ids=("cp1252", "ascii", "C"))
def test_problems_as_json_are_utf_8(folder: Path, settings: dict[str, str]) -> None:
    done = _bytes(folder, settings, "check", "試", "--format", "json")
    assert (done.returncode, done.stderr) == (1, b"")
    [problem] = [each for each in json.loads(done.stdout.decode("utf-8"))["problems"] if each["severity"] == "error"]
    assert problem["file"] == "試/g.yaml"


def test_problems_as_text_are_utf_8(folder: Path) -> None:
    done = _bytes(folder, SETTINGS[0], "check", "試")
    assert "    7 |   colour: 青\n" in done.stdout.decode("utf-8").replace("\r", "")


def test_what_is_typed_is_utf_8(folder: Path) -> None:
    """The word for the help, in Japanese, behind the mark with which some programs begin a pipe."""
    done = _bytes(
        folder, SETTINGS[0], "play", "tic_tac_toe", "--lang", "ja", "--seed", "1", stdin="\ufeff盤面\n".encode()
    )
    assert done.returncode == 0
    assert done.stdout.decode("utf-8").count("│ 1 │") == 2  # the position with its numbers, and once more
    assert b"?" * 3 not in done.stdout


class _Screen(io.TextIOWrapper):
    """A terminal with an old encoding."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="cp1252")

    def isatty(self) -> bool:
        return True

    def shown(self) -> bytes:
        self.flush()
        return self.buffer.getvalue()  # type: ignore[attr-defined, no-any-return]


def _shown(text: str, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What an old terminal gets of a text."""
    screen = _Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    open_streams()
    print(text)
    tell_lost()
    return screen.shown()


def test_a_terminal_says_what_it_could_not_show(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _shown("café 三目", monkeypatch) == b"caf\xe9 ??\n"  # é is in this code page
    said = capsys.readouterr().err
    assert "this terminal's encoding (cp1252) has no U+4E09, U+76EE; '?' stands for them" in said


def test_a_terminal_that_shows_all_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _shown("café", monkeypatch) == b"caf\xe9\n"
    assert capsys.readouterr().err == ""


def test_names_that_are_bytes_come_out_as_they_are_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python keeps bytes of a file's name that it cannot read as halves of characters."""
    made = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", made)
    open_streams()
    print("試".encode().decode("ascii", "surrogateescape"), "\udcff", "\ud800", end="")
    made.flush()
    assert made.buffer.getvalue().decode("utf-8") == "試 \N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}"  # type: ignore[attr-defined]
