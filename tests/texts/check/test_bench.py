"""The benchmark of `texts check`: what is harmed is caught in a copy of the game, and placeholders stay."""

from __future__ import annotations

from pathlib import Path

from bench.texts.check import HARM, HARMLESS, measured, read
from tests.texts.check.small import game


def test_harm_is_counted_where_it_is_told(tmp_path: Path) -> None:
    game(tmp_path / "small")
    before = (tmp_path / "small" / "game.yaml").read_bytes()
    source = read(str(tmp_path / "small"))
    found = measured(source, "en", dict.fromkeys(("must_to_may", "may_to_must"), 1), 1, 1)
    assert found.made == {"may_to_must": 1}  # one text says may, and none says must
    assert found.caught == found.made
    assert {rule for rule, _, _ in found.told} == {"levels"}
    assert (tmp_path / "small" / "game.yaml").read_bytes() == before


def test_a_harmless_edit_is_no_alarm(tmp_path: Path) -> None:
    game(tmp_path / "small")
    found = measured(read(str(tmp_path / "small")), "en", {"other_words": 1}, 1, 1)
    assert found.made["other_words"] >= 1
    assert found.caught == {}


def test_all_kinds_have_their_words() -> None:
    """Each language of the benchmark makes every kind of edit somewhere in the rules of a shipped game."""
    source = read("metro")
    for language in ("en", "fr", "es"):
        made = measured(source, language, {**HARM, **HARMLESS}, 1, 60).made
        assert set(HARM) - set(made) <= {"must_to_may", "number_word"}, language
