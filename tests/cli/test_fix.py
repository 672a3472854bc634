"""`check --fix`: certain mends are shown, written when somebody agrees, and nothing else is changed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from interpreter.cli import fixing

GAME = """\
# a small game
game: {id: pond, language: 1, title: {en: "Pond"}, players: 2, seats: [red, blue]}
values:
  hand_sise: {type: 1..9, is: 5}  # cards
  unread: 3
functions:
  few: {type: boolean, is: hand_size = 5}
flow:
  - if: few
    then: {score: 1, reason: few}
messages:
  player.red: {en: Red: the first}
"""
#: By hand: the sentence is quoted first; then the name, the sign, the step and the two messages; then nothing reads
#: `unread`, and the value is called as it is read.
MENDED = """\
# a small game
game: {id: pond, language: 1, title: {en: "Pond"}, players: 2, seats: [red, blue]}
values:
  hand_sise: {type: 1..9, is: 5}  # cards
functions:
  few: {type: boolean, is: hand_sise == 5}
flow:
  - if: few
    then: [{score: 1, reason: few}]
messages:
  player.red: {en: "Red"}
  player.blue: {en: "TODO"}
  score.few: {en: "TODO"}
"""


@pytest.fixture
def pond(here: Path) -> Path:
    (here / "pond").mkdir()
    path = here / "pond" / "pond.yaml"
    path.write_bytes(GAME.replace("Red: the first", '"Red"').encode())
    return path


def test_all_certain_mends_are_made_and_the_rest_stays(run, pond: Path) -> None:
    done = run("check", "pond", "--fix", "--yes")
    assert pond.read_text(encoding="utf-8") == MENDED
    assert done.status == 0, done.out
    assert "-  few: {type: boolean, is: hand_size = 5}\n" in done.out
    assert "+  few: {type: boolean, is: hand_sise == 5}\n" in done.out
    assert done.out.startswith("--- a/pond/pond.yaml\n+++ b/pond/pond.yaml\n")
    assert done.out.endswith("No problems.\n")
    assert "in 1 file." in done.err
    assert [path.name for path in pond.parent.iterdir()] == ["pond.yaml"]


def test_what_is_mended_is_mended_for_good(run, pond: Path) -> None:
    run("check", "pond", "--fix", "--yes")
    done = run("check", "pond", "--fix", "--yes")
    assert (done.status, done.out) == (0, "No problems.\n")


def test_without_a_terminal_nothing_is_written(run, pond: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    before = pond.read_bytes()
    done = run("check", "pond", "--fix")
    assert done.status == 1
    assert "+  player.blue" in done.out
    assert "--yes" in done.err
    assert pond.read_bytes() == before


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "status", "is_written"), [("y\n", 0, True), ("n\n", 1, False), ("", 1, False)])
def test_a_person_is_asked(
    run, pond: Path, monkeypatch: pytest.MonkeyPatch, typed: str, status: int, *, is_written: bool
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    done = run("check", "pond", "--fix")
    assert done.status == status
    assert "Write this file? [y/N]" in done.err
    assert (pond.read_text(encoding="utf-8") == MENDED) == is_written


def test_what_has_no_certain_mend_is_told(run, pond: Path) -> None:
    with pond.open("a", encoding="utf-8") as file:
        file.write("state: {total: {type: 0..9, start: nowhere_at_all}}\n")
    done = run("check", "pond", "--fix", "--yes")
    assert done.status == 1
    assert "error RS301: Unknown name 'nowhere_at_all'" in done.out
    assert "is: hand_sise == 5" in pond.read_text(encoding="utf-8")


def test_breaks_of_lines_and_a_mark_of_order_stay(run, pond: Path) -> None:
    pond.write_bytes(b"\xef\xbb\xbf" + pond.read_bytes().replace(b"\n", b"\r\n"))
    pond.chmod(0o640)
    assert run("check", "pond", "--fix", "--yes").status == 0
    assert pond.read_bytes() == b"\xef\xbb\xbf" + MENDED.replace("\n", "\r\n").encode()
    assert pond.stat().st_mode & 0o777 == 0o640


def test_of_several_files_all_are_written_or_none(run, pond: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = pond.with_name("more.yaml")
    other.write_text('rules: {a: {text: {en: "It is so."}, binds: [values.hand_sice]}}\n', encoding="utf-8")
    before = {path: path.read_bytes() for path in (pond, other)}
    ready = fixing._ready

    def refuse(name: str, old: str, text: str) -> fixing._Change:
        if name.endswith("pond.yaml"):
            raise PermissionError(13, "no")
        return ready(name, old, text)

    monkeypatch.setattr(fixing, "_ready", refuse)
    done = run("check", "pond", "--fix", "--yes")
    assert done.status == 2
    assert "Nothing is written." in done.err
    assert {path: path.read_bytes() for path in sorted(pond.parent.iterdir())} == dict(sorted(before.items()))


def test_what_another_program_wrote_is_not_lost(run, pond: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def agrees(after: object) -> bool:
        pond.write_text("# other\n", encoding="utf-8")
        return True

    monkeypatch.setattr(fixing, "_agrees", agrees)
    done = run("check", "pond", "--fix")
    assert done.status == 2
    assert "changed meanwhile" in done.err
    assert pond.read_text(encoding="utf-8") == "# other\n"


@pytest.mark.parametrize("words", [("--yes",), ("--fix", "--watch"), ("--fix", "--format", "json")])
def test_what_does_not_go_together(run, pond: Path, words: tuple[str, ...]) -> None:
    assert run("check", "pond", *words).status == 2
