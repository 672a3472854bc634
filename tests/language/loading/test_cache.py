"""The cache folder is its user's alone, and what lies in it is used only as it was written."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.expr import parse, tables
from rulespec.expr.build import Builder
from rulespec.source.cache import cache_file
from rulespec.source.sealed import UNFINISHED, keep_newest, read_sealed, write_sealed

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no such owners here")
KIND = "a kind"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the cache folder is to be."""
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "rulespec"


# ---- the folder ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "is_used"), [(0o700, True), (0o755, True), (0o770, False), (0o777, False)])
def test_a_folder_that_others_can_write_to_is_not_used_and_others_are_closed(
    folder: Path, mode: int, is_used: bool
) -> None:
    folder.mkdir()
    folder.chmod(mode)
    assert cache_file("x") == (folder / "x" if is_used else None)
    assert folder.stat().st_mode & 0o777 == (0o700 if is_used else mode)


def test_the_folder_is_made_for_its_user_alone(folder: Path) -> None:
    assert cache_file("x") == folder / "x"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_link_to_a_folder_is_not_used(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "elsewhere")
    assert cache_file("x") is None


@pytest.mark.skipif(hasattr(os, "getuid") and os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_not_used(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    os.chown(folder, 65534, -1)
    assert cache_file("x") is None


# ---- files -----------------------------------------------------------------------------------------------------------


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write_sealed(tmp_path / "a", KIND, b"one\ntwo")
    assert read_sealed(tmp_path / "a", KIND, 7) == b"one\ntwo"
    assert read_sealed(tmp_path / "a", KIND, 6) is None  # larger than what is wanted
    assert read_sealed(tmp_path / "a", "another", 7) is None
    assert read_sealed(tmp_path / "b", KIND, 7) is None


def test_no_bit_can_be_changed_and_no_byte_be_missing(tmp_path: Path) -> None:
    place = tmp_path / "a"
    write_sealed(place, KIND, b"body")
    whole = place.read_bytes()
    for bit in range(8 * len(whole)):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        place.write_bytes(changed)
        assert read_sealed(place, KIND, 10) is None, bit
    for cut in range(len(whole)):
        place.write_bytes(whole[:cut])
        assert read_sealed(place, KIND, 10) is None, cut
    place.write_bytes(whole)
    assert read_sealed(place, KIND, 10) == b"body"


def test_a_file_in_the_place_of_another_is_not_read(tmp_path: Path) -> None:
    write_sealed(tmp_path / "a", KIND, b"body")
    (tmp_path / "a").rename(tmp_path / "b")
    assert read_sealed(tmp_path / "b", KIND, 10) is None
    (tmp_path / "b").rename(tmp_path / "a")
    assert read_sealed(tmp_path / "a", KIND, 10) == b"body"


def test_what_others_could_have_written_is_not_read(tmp_path: Path) -> None:
    place = tmp_path / "a"
    write_sealed(place, KIND, b"body")
    assert place.stat().st_mode & 0o777 == 0o600
    place.chmod(0o666)
    assert read_sealed(place, KIND, 10) is None
    place.rename(tmp_path / "real")
    place.symlink_to(tmp_path / "real")
    (tmp_path / "real").chmod(0o600)
    assert read_sealed(place, KIND, 10) is None
    place.unlink()
    os.mkfifo(place)  # nobody writes into it: whoever opened it would wait
    assert read_sealed(place, KIND, 10) is None


def test_only_the_newest_stay_and_what_is_unfinished_goes_after_an_hour(tmp_path: Path) -> None:
    for number, name in enumerate(("a-1", "a-2", "a-3", "b-1", f"{UNFINISHED}old", f"{UNFINISHED}now")):
        (tmp_path / name).write_bytes(b"")
        if not name.endswith("now"):
            os.utime(tmp_path / name, (number, number))
    keep_newest(tmp_path, "a-*", 2)
    assert sorted(each.name for each in tmp_path.iterdir()) == [f"{UNFINISHED}now", "a-2", "a-3", "b-1"]


# ---- the tables of the parser of expressions -------------------------------------------------------------------------


class _Bomb:
    """What leaves a trace when it is read as a pickle."""

    def __init__(self, trace: Path):
        self.trace = trace

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.trace),)


def test_nothing_in_the_tables_is_run(folder: Path, tmp_path: Path) -> None:
    tables.make_lark(parse.grammar_text(), Builder())
    [kept] = folder.glob("expr-*")
    trace = tmp_path / "trace"
    bomb = pickle.dumps(_Bomb(trace))
    for place in (kept, folder / "expr-3.11.bin", folder / "expr-3.12.bin"):
        place.write_bytes(b"0" * 64 + b"\n" + bomb + bomb)
    tables.make_lark(parse.grammar_text(), Builder())
    assert not trace.exists()
    assert [*folder.glob("expr-*")] == [kept]  # made again; what older versions have left is gone


def test_kept_tables_read_like_those_that_were_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "if count(c in cell where c.x + 1 > 2) == 3 then [1, 2] else f(a, -b) otherwise none"
    found = []
    for _ in range(2):
        monkeypatch.setattr(parse, "shared_reader", parse.cache(parse.Reader))
        problems = Problems()
        found.append(parse.parse_text(text, problems))
        assert problems.items == ()
    assert found[0] is not None
    assert repr(found[0]) == repr(found[1])
    monkeypatch.setattr(tables, "_made", None)  # so the second ones are the kept ones
    tables.make_lark(parse.grammar_text(), Builder())
