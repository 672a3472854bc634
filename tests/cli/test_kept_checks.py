"""What was said of a game is said again until something changes, whatever it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn

import pytest

import rulespec.check


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of this test."""
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "rulespec" / "kept"


@pytest.fixture
def harbour(run, here: Path, cache: Path) -> Path:
    """A new game that was checked once and had no problem."""
    assert run("new", "game", "harbour").status == 0
    assert run("check", "harbour").status == 0
    return here / "harbour"


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking a game is a failure from here on."""
    _refuse_checks(monkeypatch)


def _refuse_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError("the game was checked again")

    monkeypatch.setattr(rulespec.check, "check_game", refuse)


def test_what_is_known_is_not_checked_again(run, harbour: Path, unchecked: None) -> None:
    done = run("check", "harbour", "--format", "json")
    [game] = json.loads(done.out)["games"]
    assert done.status == 0
    assert game["id"] == "harbour"


FAULTY = "values: {most: 6}\n"  # a word of the language
NOTED = "values: {largest: 6}\n"  # which nothing uses


def test_a_change_is_noticed(run, harbour: Path) -> None:
    file = harbour / "more.yaml"
    file.write_text(FAULTY, encoding="utf-8")
    assert run("check", "harbour").status == 1
    file.unlink()
    assert run("check", "harbour").status == 0


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
@pytest.mark.parametrize("text", [FAULTY, NOTED, "values: {a: [}\n", "messages: {nobody.asks: {en: Why?}}\n"])
def test_problems_are_said_again_as_they_were(
    text: str, form: str, run, harbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (harbour / "more.yaml").write_text(text, encoding="utf-8")
    anew = run("check", "harbour", "--format", form, "--no-cache")
    first = run("check", "harbour", "--format", form)
    _refuse_checks(monkeypatch)
    again = run("check", "harbour", "--format", form)
    assert (again.status, again.out) == (first.status, first.out) == (anew.status, anew.out)
    assert form == "sarif" or "more.yaml" in again.out


def test_problems_are_placed_from_where_one_is(run, harbour: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (harbour / "more.yaml").write_text(FAULTY, encoding="utf-8")
    run("check", str(harbour))
    _refuse_checks(monkeypatch)
    assert run("check", str(harbour)).out.startswith("harbour/more.yaml:1:10:")
    monkeypatch.chdir(here.parent)
    assert run("check", str(harbour)).out.startswith(f"{here.name}/harbour/more.yaml:1:10:")


def test_without_the_cache(run, harbour: Path, unchecked: None) -> None:
    with pytest.raises(AssertionError, match="checked again"):
        run("check", "harbour", "--no-cache")


def test_without_the_cache_nothing_is_written(run, here: Path, cache: Path) -> None:
    assert run("new", "game", "harbour").status == 0
    assert run("check", "harbour", "--no-cache").status == 0
    assert not cache.exists()


@pytest.mark.parametrize("text", ["", "[]", "{", "0\n{}", "[" * 100_000, "\0" * 100])
def test_a_cache_that_was_spoiled(text: str, run, harbour: Path, cache: Path) -> None:
    for file in cache.iterdir():
        file.write_text(text, encoding="utf-8")
    assert run("check", "harbour").out == "No problems.\n"
    assert all(len(file.read_bytes()) > 33 for file in cache.glob("check-*"))  # written anew, with its digest


def test_a_cache_that_was_cut_short(run, harbour: Path, cache: Path) -> None:
    (harbour / "more.yaml").write_text(FAULTY, encoding="utf-8")
    first = run("check", "harbour").out
    for file in cache.iterdir():
        file.write_bytes(file.read_bytes()[:-1])
    assert run("check", "harbour").out == first


def test_one_kept_file_in_the_place_of_another_is_not_read(run, harbour: Path, cache: Path) -> None:
    """Each by itself is as it was written: that the harbour has no problem is not what was asked for."""
    before = {file.name for file in cache.glob("check-*")}
    right = next(file for file in cache.glob("check-*")).read_bytes()
    (harbour / "more.yaml").write_text(FAULTY, encoding="utf-8")
    first = run("check", "harbour").out
    assert "more.yaml" in first
    [faulty] = [file for file in cache.glob("check-*") if file.name not in before]
    faulty.write_bytes(right)
    assert run("check", "harbour").out == first


def test_a_folder_that_others_can_write_to_is_not_used(run, harbour: Path, cache: Path) -> None:
    cache.chmod(0o777)
    kept = sorted(cache.iterdir())
    (harbour / "more.yaml").write_text(FAULTY, encoding="utf-8")
    run("check", "harbour")
    assert sorted(cache.iterdir()) == kept


def test_a_link_in_the_folder_is_not_trusted(run, harbour: Path, cache: Path) -> None:
    (harbour / "more.yaml").symlink_to(harbour / "nowhere.yaml")
    kept = sorted(cache.glob("check-*"))
    run("check", "harbour")
    assert sorted(cache.glob("check-*")) == kept
