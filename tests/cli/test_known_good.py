"""Games without problems are not checked again until something changes; others are."""

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
    return tmp_path / "cache" / "rulespec" / "known_good.json"


@pytest.fixture
def harbour(run, here: Path, cache: Path) -> Path:
    """A new game that was checked once and had no problem."""
    assert run("new", "game", "harbour").status == 0
    assert run("check", "harbour").status == 0
    return here / "harbour"


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking a game is a failure from here on."""

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("the game was checked again")

    monkeypatch.setattr(rulespec.check, "check_game", refuse)


def test_what_is_known_is_not_checked_again(run, harbour: Path, unchecked: None) -> None:
    done = run("check", "harbour", "--format", "json")
    [game] = json.loads(done.out)["games"]
    assert done.status == 0
    assert game["id"] == "harbour"


def test_a_change_is_noticed(run, harbour: Path) -> None:
    file = harbour / "more.yaml"
    file.write_text("values: {most: 6 + }\n", encoding="utf-8")
    assert run("check", "harbour").status == 1
    assert run("check", "harbour").status == 1  # what has problems is never kept
    file.unlink()
    assert run("check", "harbour").status == 0


def test_without_the_cache(run, harbour: Path, unchecked: None) -> None:
    with pytest.raises(AssertionError, match="checked again"):
        run("check", "harbour", "--no-cache")


def test_without_the_cache_nothing_is_written(run, here: Path, cache: Path) -> None:
    assert run("new", "game", "harbour").status == 0
    assert run("check", "harbour", "--no-cache").status == 0
    assert not cache.exists()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 5}', '{"a": {"id": "a b"}}', "[" * 100_000])
def test_a_cache_that_was_spoiled(text: str, run, harbour: Path, cache: Path) -> None:
    cache.write_text(text, encoding="utf-8")
    assert run("check", "harbour").out == "No problems.\n"
    assert isinstance(json.loads(cache.read_text(encoding="utf-8")), dict)


def test_a_link_in_the_folder_is_not_trusted(run, harbour: Path, cache: Path) -> None:
    (harbour / "more.yaml").symlink_to(harbour / "nowhere.yaml")
    kept = cache.read_text(encoding="utf-8")
    run("check", "harbour")
    assert cache.read_text(encoding="utf-8") == kept
