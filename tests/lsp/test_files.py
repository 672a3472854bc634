"""Files on disk: where a game is looked for, and that what cannot be read is told as `check` tells it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.lsp import files
from interpreter.lsp.files import GameFolders, read_files, root_of
from rulespec.check import check_game
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import engine_trees, game_of_pack, read_game
from rulespec.service.problems import problems_of, snapshot_of
from rulespec.service.workspace import Workspace
from rulespec.source.own import VARIABLE
from rulespec.source.plain import MAX_FILE_BYTES, plain_bytes
from rulespec.source.shipped import games
from tests.service.spaces import ISLANDS


@pytest.fixture
def islands(tmp_path: Path) -> Path:
    """The folder of the small game."""
    folder = tmp_path / "islands"
    folder.mkdir()
    (folder / "game.yaml").write_text(ISLANDS, encoding="utf-8")
    return folder


def _opened(folder: Path) -> tuple[Problem, ...]:
    """The problems of a game whose files were read for an editor."""
    space, found = Workspace(engine_trees(Problems())), read_files(folder)
    space.hold(folder.as_posix())
    for name, text in found.texts.items():
        space.put(name, text)
    for name, problems in found.lost.items():
        space.lose(name, problems)
    [game] = space.games
    return problems_of(snapshot_of(game))


def _checked(folder: Path) -> tuple[Problem, ...]:
    problems = Problems()
    source = read_game(str(folder), problems)
    if source is not None:
        check_game(source, [], problems)
    return problems.items


def _told(problems: tuple[Problem, ...], within: Path) -> list[tuple[str, str, int, int]]:
    """Code, file and place of problems, with files named from the folder around the game's on."""
    start = f"{within.as_posix()}/"
    return [(p.code, p.span.file.name.removeprefix(start), p.span.line, p.span.column) for p in problems]


def _bad_byte(folder: Path) -> None:
    (folder / "b.yaml").write_bytes(b"values:\n  a: \xff\n")


def _too_large(folder: Path) -> None:
    (folder / "c.yaml").write_bytes(b"# " + b"x" * MAX_FILE_BYTES)


def _binary(folder: Path) -> None:
    (folder / "d.yaml").write_bytes("values: {a: 1}\n".encode("utf-16"))


def _link_outside(folder: Path) -> None:
    (folder.parent / "else.yaml").write_text("values: {a: 1}\n", encoding="utf-8")
    (folder / "e.yaml").symlink_to(folder.parent / "else.yaml")


def _no_game(folder: Path) -> None:
    (folder / "game.yaml").write_text(ISLANDS.replace("game:", "games:", 1), encoding="utf-8")


def _hidden(folder: Path) -> None:
    (folder / ".github").mkdir()
    (folder / ".github" / "ci.yaml").write_text("on: [push]\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "codes"),
    [
        ((_bad_byte, _too_large), {"RS103", "RS104"}),
        ((_binary,), {"RS106"}),
        ((_link_outside,), {"RS102"}),
        ((_hidden,), {"RS505"}),  # the small game lacks messages
    ],
    ids=["a byte, and too large", "binary", "a link", "hidden"],
)
def test_files_that_cannot_be_read_are_told_as_a_check_tells_them(
    damage: tuple[Callable[[Path], None], ...], codes: set[str], islands: Path
) -> None:
    for each in damage:
        each(islands)
    told = _told(_opened(islands), islands.parent)
    assert told == _told(_checked(islands), islands.parent)
    assert {code for code, *_ in told} == codes


def test_too_much_for_a_game_is_told(islands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (islands / "x.yaml").write_bytes(b"terms: {}\n")
    (islands / "y.yaml").write_bytes(b"terms: {}\n")
    size = (islands / "game.yaml").stat().st_size
    monkeypatch.setattr("rulespec.source.files.MAX_GAME_BYTES", size + 15)  # one file of ten bytes more, and not two
    told = _told(_opened(islands), islands.parent)
    checked = _told(_checked(islands), islands.parent)
    assert told == [each for each in checked if each[1].startswith("islands/")]  # the engine's words are too much too
    assert ("RS105", "islands/y.yaml", 1, 1) in told


def test_that_a_folder_is_no_game_is_told_at_its_first_file(islands: Path) -> None:
    _no_game(islands)
    assert [(code, place) for code, *place in _told(_opened(islands), islands.parent)] == [
        ("RS440", ["islands/game.yaml", 1, 1])
    ]
    assert [problem.code for problem in _checked(islands)] == ["RS440"]


def test_packs_elsewhere_belong_to_a_shipped_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = tmp_path / "packs" / "de.yaml"
    pack.parent.mkdir()
    pack.write_text('pack: {game: tic_tac_toe}\ngame: {titel: {de: "Drei gewinnt"}}\n', encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(pack.parent))
    folder = games()["tic_tac_toe"]
    assert pack.as_posix() in read_files(folder).texts
    assert game_of_pack(pack) == folder
    assert game_of_pack(tmp_path / "other.yaml") is None
    wrong = [(problem.code, problem.span.line) for problem in _opened(folder) if problem.severity == "error"]
    assert wrong == [("RS251", 2)]  # an unknown key


# ---- where a game is looked for --------------------------------------------------------------------------------------


def test_a_game_is_found_whatever_lies_beside_it(islands: Path) -> None:
    (islands / "a.yaml").mkdir()
    (islands / "b.yaml").symlink_to(islands / "nowhere")
    if hasattr(os, "mkfifo"):  # a pipe that nobody writes to
        os.mkfifo(islands / "c.yaml")
    (islands / "deep").mkdir()
    assert GameFolders().around(islands / "deep" / "x.yaml") == islands


def test_no_game_is_looked_for_around_the_folder_that_is_open(islands: Path) -> None:
    opened = islands / "notes" / "deep"
    opened.mkdir(parents=True)
    inside, folders = opened / "new" / "x.yaml", GameFolders()
    assert folders.around(inside, opened) is None
    assert folders.around(inside, opened) is None  # also where it is known of the folders that they hold none
    assert folders.around(inside, islands) == folders.around(inside) == islands


def test_the_innermost_open_folder_counts(tmp_path: Path) -> None:
    roots = [tmp_path, tmp_path / "a", tmp_path / "ab"]
    found = [root_of(tmp_path / name, roots) for name in ("a/b/x.yaml", "ab/x.yaml", "abc/x.yaml", "a")]
    assert found == [tmp_path / "a", tmp_path / "ab", tmp_path, tmp_path]
    assert root_of(tmp_path.parent / "x.yaml", roots) is None


def test_a_file_that_may_not_be_read_hides_no_game(islands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (islands / "a.yaml").write_text("x: 1\n", encoding="utf-8")
    plain = plain_bytes

    def refused(path: Path, most: int) -> bytes | None:
        if path.name == "a.yaml":
            raise PermissionError
        return plain(path, most)

    monkeypatch.setattr(files, "plain_bytes", refused)
    assert GameFolders().around(islands / "x.yaml") == islands


def test_folders_without_a_game_are_read_once_until_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []
    plain = plain_bytes

    def noted(path: Path, most: int) -> bytes | None:
        read.append(path)
        return plain(path, most)

    monkeypatch.setattr(files, "plain_bytes", noted)
    monkeypatch.setattr(files, "MOST_UP", 1)
    compose = tmp_path / "compose.yaml"
    compose.write_text("services: []\n", encoding="utf-8")
    folders = GameFolders()
    assert [folders.around(compose), folders.around(tmp_path / "other.yaml")] == [None, None]
    assert read == [compose]
    compose.write_text(ISLANDS, encoding="utf-8")
    folders.changed(compose)
    assert folders.around(tmp_path / "other.yaml") == tmp_path


def test_no_more_of_a_folder_is_read_than_a_game_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        (tmp_path / f"{number}.yaml").write_bytes(b"a: 1\n")
    (tmp_path / "z.yaml").write_text(ISLANDS, encoding="utf-8")
    monkeypatch.setattr(files, "MOST_UP", 1)
    assert GameFolders().around(tmp_path / "x.yaml") == tmp_path
    monkeypatch.setattr(files, "MAX_GAME_BYTES", 24)  # four files of five bytes each
    assert GameFolders().around(tmp_path / "x.yaml") is None
    monkeypatch.undo()
    monkeypatch.setattr(files, "MOST_UP", 1)
    monkeypatch.setattr(files, "MAX_FILES", 5)
    assert GameFolders().around(tmp_path / "x.yaml") is None
