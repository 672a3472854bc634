"""The engine's own words: they have no fault, stand in three languages, and are what the program asks for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import engine_trees
from rulespec.messages.check import check_engine
from rulespec.messages.engine import engine_messages, placeholders
from rulespec.messages.pattern import languages

PROJECT = Path(__file__).parents[3]
MESSAGES = engine_messages(engine_trees(Problems()))
KEY = re.compile(r"[\"'](engine\.[a-z_]+(?:\.[a-z_]+)*)[\"']")


def asked_for() -> set[str]:
    """The keys that stand in the program's files."""
    return {key for path in (PROJECT / "interpreter").rglob("*.py") for key in KEY.findall(path.read_text("utf-8"))}


def test_no_fault() -> None:
    problems = Problems()
    check_engine(engine_trees(problems), problems)
    assert problems.items == ()


@pytest.mark.parametrize("key", MESSAGES)
def test_three_languages(key: str) -> None:
    assert {"en", "fr", "ja"} <= {code.text for code, _ in languages(MESSAGES[key])}


def test_what_is_asked_for_is_there() -> None:
    assert asked_for() - MESSAGES.keys() == set()
    assert len(asked_for()) > 20


def test_placeholders_are_those_of_the_english_text() -> None:
    assert placeholders(MESSAGES["engine.place"]) == {"place", "player", "points"}
    assert placeholders(MESSAGES["engine.undone"]) == {"n"}
    assert placeholders(MESSAGES["engine.stop"]) == frozenset()
