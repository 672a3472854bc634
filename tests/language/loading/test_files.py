"""Folders of content: order, names, links, encodings and bounds."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problem, Problems
from rulespec.source import files, plain
from rulespec.source.files import read_file, read_folder
from rulespec.source.folders import Untold, entries_below, files_below


def read(folder: Path, prefix: str = "") -> tuple[list[str], tuple[Problem, ...]]:
    problems = Problems()
    found = read_folder(folder, problems, prefix)
    return [file.name for file, _ in found], problems.items


def write(folder: Path, name: str, content: str | bytes) -> Path:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content.encode() if isinstance(content, str) else content)
    return place


def codes(problems: tuple[Problem, ...]) -> list[tuple[str, str]]:
    return [(problem.code, problem.span.file.name) for problem in problems]


def test_files_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yaml", "rules/c.yaml", "Z.yaml", "d.yml", "notes.txt", ".hidden.yaml", ".git/e.yaml"):
        write(tmp_path, name, "a: 1\n")
    assert read(tmp_path, "demo/") == (
        ["demo/Z.yaml", "demo/a.yaml", "demo/b.yaml", "demo/d.yml", "demo/rules/c.yaml"],
        (),
    )


def test_a_broken_file_does_not_hide_the_others(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", "a: [1\n")
    write(tmp_path, "b.yaml", b"\xff\xfea\0:\0")
    write(tmp_path, "c.yaml", "c: 1\n")
    names, problems = read(tmp_path)
    assert names == ["c.yaml"]
    assert codes(problems) == [("RS135", "a.yaml"), ("RS106", "b.yaml")]


def test_a_byte_order_mark_moves_nothing(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", b"\xef\xbb\xbfkey: 1\nkey: 2\n")
    _, (problem,) = read(tmp_path)
    assert (problem.code, problem.span.line, problem.span.column, problem.span.text) == ("RS117", 2, 1, "key")
    assert problem.related[0].span.column == 1


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_other_encodings_are_reported_where_they_show(tmp_path: Path, encoding: str) -> None:
    write(tmp_path, "a.yaml", "a: 1\nb: été\n".encode(encoding))
    _, (problem,) = read(tmp_path)
    assert (problem.code, problem.span.line, problem.span.column) == ("RS103", 2, 4)
    assert "E9" in problem.message


def test_shift_jis_is_reported(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", "a: 駒\n".encode("shift_jis"))
    assert codes(read(tmp_path)[1]) == [("RS103", "a.yaml")]


def test_links_that_leave_are_refused_and_others_are_read(tmp_path: Path) -> None:
    secret = write(tmp_path, "outside/secret.yaml", "secret: 1\n")
    game = tmp_path / "game"
    inside = write(game, "a.yaml", "a: 1\n")
    (game / "link.yaml").symlink_to(secret)
    (game / "folder").symlink_to(secret.parent)
    (game / "same.yaml").symlink_to(inside)
    names, problems = read(game)
    assert names == ["a.yaml", "same.yaml"]
    assert codes(problems) == [("RS102", "folder"), ("RS102", "link.yaml")]


def test_a_circle_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to(tmp_path / "b.yaml")
    (tmp_path / "b.yaml").symlink_to(tmp_path / "a.yaml")
    (tmp_path / "again").symlink_to(tmp_path)
    names, problems = read(tmp_path)
    assert names == []
    assert {problem.code for problem in problems} <= {"RS101", "RS102"}
    assert len(problems) == 2


def test_pipes_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.yaml")
    assert codes(read(tmp_path)[1]) == [("RS101", "a.yaml")]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    problems = Problems()
    assert read_file(tmp_path / "none.yaml", problems, "none.yaml") is None
    assert codes(problems.items) == [("RS101", "none.yaml")]


def test_a_variant_file_is_named_as_asked(tmp_path: Path) -> None:
    problems = Problems()
    found = read_file(write(tmp_path, "v.yaml", "variant: {id: v}\n"), problems, "mine.yaml")
    assert found is not None
    assert (found[0].name, found[1].keys(), problems.items) == ("mine.yaml", ("variant",), ())


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", "# " + "x" * plain.MAX_FILE_BYTES)
    write(tmp_path, "b.yaml", "b: 1\n")
    names, problems = read(tmp_path)
    assert names == ["b.yaml"]
    assert codes(problems) == [("RS104", "a.yaml")]


def test_a_folder_is_read_up_to_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_GAME_BYTES", 25)
    for name in "abcd":
        write(tmp_path, f"{name}.yaml", "key: value\n")  # eleven bytes each
    names, problems = read(tmp_path)
    assert names == ["a.yaml", "b.yaml"]
    assert codes(problems) == [("RS105", "c.yaml")]


def test_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_ENTRIES", 3)
    for name in "abcd":
        write(tmp_path, f"{name}.yaml", "key: value\n")
    assert read(tmp_path)[0] == []
    assert [problem.code for problem in read(tmp_path)[1]] == ["RS105"]


def test_folders_nested_deeper_than_python_can_recurse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.yaml", "a: 1\n")
    monkeypatch.chdir(tmp_path)
    deep = 2 * sys.getrecursionlimit()
    for _ in range(deep):
        os.mkdir("d")  # noqa: PTH102 - the whole path is longer than the system takes
        os.chdir("d")
    names, problems = read(tmp_path)
    assert names == ["a.yaml"]
    assert codes(problems) == [("RS105", "d/" * 64 + "d")]
    assert files_below(tmp_path, (".yaml",)) == [tmp_path / "a.yaml"]
    with pytest.raises(ValueError, match="d/d"):
        list(entries_below(tmp_path))
    for _ in range(deep):  # pytest takes folders away by a recursion
        os.chdir("..")
        os.rmdir("d")  # noqa: PTH106


def test_a_file_at_the_bound_of_folders_is_read(tmp_path: Path) -> None:
    write(tmp_path, "d/" * 64 + "a.yaml", "a: 1\n")
    write(tmp_path, "e/" * 65 + "a.yaml", "a: 1\n")
    names, problems = read(tmp_path)
    assert names == ["d/" * 64 + "a.yaml"]
    assert codes(problems) == [("RS105", "e/" * 64 + "e")]


def test_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    for name in (b"a\xff.yaml", b"f\xe9/b.yaml", b"f\xe9/c.txt"):
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        path.parent.mkdir(exist_ok=True)
        path.write_text("a: 1\n")
    names, problems = read(tmp_path)
    assert names == []
    assert codes(problems) == [
        ("RS148", "a\N{REPLACEMENT CHARACTER}.yaml"),
        ("RS148", "f\N{REPLACEMENT CHARACTER}/b.yaml"),
    ]


def test_a_file_that_goes_away_after_it_was_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.yaml", "a: 1\n")
    write(tmp_path, "sub/b.yaml", "b: 1\n")
    listed = files.folders_below

    def and_gone(root: Path, left_out: Untold) -> Iterator[tuple[str, list[str], list[str]]]:
        for each in listed(root, left_out):
            if each[0] == str(root):
                shutil.rmtree(tmp_path / "sub")
                (tmp_path / "a.yaml").unlink()
            yield each

    monkeypatch.setattr(files, "folders_below", and_gone)
    names, problems = read(tmp_path)
    assert names == []
    assert codes(problems) == [("RS101", "a.yaml"), ("RS101", "sub")]


def test_a_file_that_changes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading sees another size: what was read may be half of one text and half of another."""
    path = write(tmp_path, "a.yaml", "a: 1\n")
    fstat = os.fstat

    def growing(number: int) -> os.stat_result:
        with path.open("a") as more:
            more.write("# more\n")
        return fstat(number)

    monkeypatch.setattr(plain.os, "fstat", growing)
    names, problems = read(tmp_path)
    assert names == []
    assert codes(problems) == [("RS101", "a.yaml")]
    assert "being changed" in problems[0].message
