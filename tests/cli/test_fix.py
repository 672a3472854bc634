"""`check --fix`: certain mends are shown, written when somebody agrees, and nothing else is changed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from interpreter.cli import edited, fixing

GAME = """\
# a small game
game: {id: pond, language: 1, title: {en: "Pond"}, players: 2, seats: [red, blue]}
values:
  hand_sise: {type: 1..9, is: 5}  # cards
functions:
  few: {type: boolean, is: hand_size = 5}
flow:
  - if: few
    then: {score: 1, reason: few}
messages:
  player.red: {en: Red: the first}
"""
#: By hand: the sentence is quoted first; then the name, the sign, the step and the two messages.
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
    assert done.out.count("note RS533") == 2  # the two texts that are still to be written
    assert done.out.endswith("\n\n2 notes.\n")
    assert "in 1 file." in done.err
    assert [path.name for path in pond.parent.iterdir()] == ["pond.yaml"]


def test_what_is_mended_is_mended_for_good(run, pond: Path) -> None:
    run("check", "pond", "--fix", "--yes")
    done = run("check", "pond", "--fix", "--yes")
    assert done.status == 0
    assert done.out.endswith("\n\n2 notes.\n")
    assert done.err == ""
    assert pond.read_text(encoding="utf-8") == MENDED


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
    ready = edited._ready

    def refuse(name: str, old: edited.Read, text: str) -> edited._Change:
        if name.endswith("pond.yaml"):
            raise PermissionError(13, "no")
        return ready(name, old, text)

    monkeypatch.setattr(edited, "_ready", refuse)
    done = run("check", "pond", "--fix", "--yes")
    assert done.status == 2
    assert "Nothing is written." in done.err
    assert {path: path.read_bytes() for path in sorted(pond.parent.iterdir())} == dict(sorted(before.items()))


class Places:
    """What lies in a game's folder, of which some files cannot be put in their places: by name, each time in turn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pond: Path, faults: dict[str, list[BaseException | None]]):
        self.folder = pond.parent
        other = pond.with_name("more.yaml")
        other.write_text('rules: {a: {text: {en: "It is so."}, binds: [values.hand_sice]}}\n', encoding="utf-8")
        self.before = self.now
        replace = Path.replace

        def put(new: Path, path: Path) -> Path:
            later = faults.get(path.name, [])
            fault = later.pop(0) if later else None
            if fault is not None:
                raise fault
            return replace(new, path)

        monkeypatch.setattr(Path, "replace", put)

    @property
    def now(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}


def test_the_file_that_is_refused_is_named(run, pond: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = Places(monkeypatch, pond, {"more.yaml": [PermissionError(13, "no")]})
    done = run("check", "pond", "--fix", "--yes")
    assert "pond/more.yaml cannot be written: no. Nothing is written." in done.err
    assert places.now == places.before


def test_what_cannot_be_taken_back_is_told(run, pond: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first file is in its place when the second one fails, and then cannot be put back."""
    fault = PermissionError(13, "no")
    places = Places(monkeypatch, pond, {"more.yaml": [None, fault], "pond.yaml": [fault]})
    done = run("check", "pond", "--fix", "--yes")
    assert done.status == 2
    assert "pond/pond.yaml cannot be written: no. Mended, and not to be taken back: pond/more.yaml." in done.err
    assert places.now["pond.yaml"] == places.before["pond.yaml"]
    assert b"hand_sise" in places.now["more.yaml"]
    assert len(places.now) == 2


def test_an_interrupt_takes_back_what_is_written(pond: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = Places(monkeypatch, pond, {"pond.yaml": [KeyboardInterrupt()]})
    with pytest.raises(KeyboardInterrupt):
        fixing.fix_games([pond.parent], agreed=True)
    assert places.now == places.before


def test_what_another_program_wrote_is_not_lost(run, pond: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def agrees(after: object) -> bool:
        pond.write_text("# other\n", encoding="utf-8")
        return True

    monkeypatch.setattr(edited, "_agrees", agrees)
    done = run("check", "pond", "--fix")
    assert done.status == 2
    assert "changed meanwhile" in done.err
    assert pond.read_text(encoding="utf-8") == "# other\n"


@pytest.mark.parametrize("words", [("--yes",), ("--fix", "--watch"), ("--fix", "--format", "json")])
def test_what_does_not_go_together(run, pond: Path, words: tuple[str, ...]) -> None:
    assert run("check", "pond", *words).status == 2


def test_what_nothing_uses_yet_stays(run, pond: Path) -> None:
    """Values, options and messages: what uses them may be still to be written."""
    unused = """\
values:
  # how many rounds there are to be
  rounds: 3
functions: {many: {type: boolean, is: 1 == 2}}
actions: {wait: {do: [{score: 1, reason: few}]}}
messages: {score.qqqqqqqq: {en: "Round"}}
"""
    other = pond.with_name("more.yaml")
    other.write_text(unused, encoding="utf-8")
    option = "options: {open_hands: {type: boolean, start: false}}"
    pond.write_text(pond.read_text(encoding="utf-8").replace("players: 2", f"players: 2, {option}"), encoding="utf-8")
    done = run("check", "pond", "--fix", "--yes")
    assert other.read_text(encoding="utf-8") == unused
    mended = MENDED.replace("players: 2", f"players: 2, {option}")
    assert pond.read_text(encoding="utf-8") == mended.replace(
        "  player.blue", '  option.open_hands: {en: "TODO"}\n  player.blue'
    )
    assert done.status == 1
    assert done.out.count(" RS631: ") == 3
    assert done.out.count(" RS632: ") == 1
    assert done.out.count(" RS507: ") == 1


def test_a_game_that_is_named_twice_is_mended_once(run, pond: Path) -> None:
    """By hand: the name, the sign, the step and two messages are five problems."""
    done = run("check", "pond", "./pond", str(pond.parent), "--fix", "--yes")
    assert done.err.startswith("Mended 5 problems in 1 file.")
    assert pond.read_text(encoding="utf-8") == MENDED


def test_no_game_is_mended_that_is_not_named(run, pond: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fix_games(*_: object, **__: object) -> bool:
        raise AssertionError

    monkeypatch.setattr(fixing, "fix_games", fix_games)
    done = run("check", "--fix", "--yes")
    assert done.status == 2
    assert "--fix needs GAME: name the game, or its folder" in done.err


def test_a_variant_is_mended_in_its_folder(run, pond: Path) -> None:
    done = run("check", "pond", "--variant", "hills", "--fix")
    assert done.status == 2
    assert "name the folder that holds the file" in done.err


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_a_file_that_became_a_link_is_not_written_through(
    run, here: Path, pond: Path, monkeypatch: pytest.MonkeyPatch, linked: str
) -> None:
    """The other file has the same text, so that the text alone does not tell it."""
    (here / "elsewhere").mkdir()
    other = here / "elsewhere" / "pond.yaml"
    other.write_bytes(pond.read_bytes())
    before = other.read_bytes()

    def agrees(after: object) -> bool:
        if linked == "file":
            pond.unlink()
            pond.symlink_to(other)
        else:
            pond.parent.rename(here / "away")
            pond.parent.symlink_to(other.parent)
        return True

    monkeypatch.setattr(edited, "_agrees", agrees)
    done = run("check", "pond", "--fix")
    assert done.status == 2
    assert "changed meanwhile" in done.err
    assert other.read_bytes() == before
    assert (pond if linked == "file" else pond.parent).is_symlink()
