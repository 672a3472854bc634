"""What is kept of a program's proofs is what would be found anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, load
from interpreter.middle import shapes
from interpreter.middle.facts import Facts
from interpreter.middle.passes import simplify
from rulespec.source import store
from tests.shipped import shipped


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, with nothing in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    return tmp_path


def known(facts: Facts) -> Any:
    """What is known of each ask: whether options are found without looking ahead, and what may be declined."""
    return facts.shape.guards, facts.shape.declinable


def proved(facts: Facts) -> dict[int, bool]:
    """Of each ask, whether there is a proof."""
    return {at: facts.proof(at) is not None for at in facts.asks}


@pytest.mark.parametrize("name", ["tic_tac_toe", "reversi", "metro", "agora_barcelona"])
def test_what_was_kept_is_what_would_be_found(name: str, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(name)
    found = known(first.facts)
    assert proved(first.facts), "there are asks"
    monkeypatch.setattr(shapes, "keep", lambda *_: pytest.fail("it is known"))
    again = load(name)
    assert known(again.facts) == found
    assert proved(again.facts) == proved(first.facts)
    assert walked(again) == walked(first)


def walked(game: Game) -> list[bytes]:
    """The states of a game in which the options are taken by turns."""
    state, found = game.start(4), []
    for number in range(60):
        if state.decision is None:
            break
        options = state.options()
        state = state.apply(options[number % len(options)])
        found.append(state.to_bytes())
    return found


@pytest.mark.parametrize(
    "bad",
    [{"guards": [], "declinable": [10**6]}, {"guards": [[10**6, True]], "declinable": []}, {"guards": [[0, 1]]}, []],
)
def test_what_is_no_shape_of_the_program_is_not_used(bad: Any, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = known(load("reversi").facts)
    read = store.read
    monkeypatch.setattr(store, "read", lambda name: bad if name.startswith("shape-") else read(name))
    assert known(load("reversi").facts) == first


def test_what_depends_on_the_order_of_seeking_is_not_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With too little work allowed for values, those that are found hang on which are sought first."""
    monkeypatch.setattr(simplify, "MOST_FOUND", 10)
    assert load("agora_barcelona").facts.shape
    assert list(kept.rglob("program-*"))
    assert not list(kept.rglob("shape-*"))


def test_nothing_is_known_of_a_program_that_is_kept_nowhere() -> None:
    game = shipped("reversi")
    other = game.built.with_program(game.built.program)
    assert other.key is None
    facts = Facts(other)
    assert shapes.recalled(facts) is None
    assert known(facts) == known(game.facts)
