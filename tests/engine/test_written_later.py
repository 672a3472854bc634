"""Functions of the Python executor that are written when they are called, and what is kept of a program's proofs."""

from __future__ import annotations

from pathlib import Path
from threading import Barrier, RLock, Thread
from typing import Any

import pytest

from interpreter import Game, load
from interpreter.executor.compile import compile_game
from interpreter.executor.first_call import Later
from interpreter.executor.writing import Source
from interpreter.middle import shapes
from interpreter.middle.layout import Layout
from interpreter.middle.passes import simplify
from rulespec.source import store
from tests.shipped import shipped


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, with nothing in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    return tmp_path


def known(compiled: Any) -> Any:
    """What is known of each ask: whether options are found without looking ahead, from what, what may be declined."""
    guards = {at: deep for at, (_, _, deep) in compiled.guards.items()}
    facts = compiled.facts
    return guards, sorted(compiled.quick), {at: facts.proof(at) for at in facts.asks}, facts.shape.declinable


@pytest.mark.parametrize("name", ["tic_tac_toe", "reversi", "metro", "agora_barcelona"])
def test_what_was_kept_is_what_would_be_found(name: str, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(name)
    assert known(first.compiled)[2], "there are asks"
    monkeypatch.setattr(shapes, "keep", lambda *_: pytest.fail("it is known"))
    again = load(name)
    guards, quick, proofs, declinable = known(again.compiled)
    assert (guards, quick, declinable) == (
        known(first.compiled)[0],
        known(first.compiled)[1],
        first.compiled.facts.shape.declinable,
    )
    assert {at: proof is None for at, proof in proofs.items()} == {
        at: proof is None for at, proof in known(first.compiled)[2].items()
    }
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
    first = known(load("reversi").compiled)
    read = store.read
    monkeypatch.setattr(store, "read", lambda name: bad if name.startswith("shape-") else read(name))
    again = known(load("reversi").compiled)
    assert (again[0], again[1], again[3]) == (first[0], first[1], first[3])


def test_what_depends_on_the_order_of_seeking_is_not_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With too little work allowed for values, those that are found hang on which are sought first."""
    monkeypatch.setattr(simplify, "MOST_FOUND", 10)
    load("agora_barcelona")
    assert list(kept.rglob("program-*"))
    assert not list(kept.rglob("shape-*"))


def test_nothing_is_known_of_a_program_that_is_kept_nowhere() -> None:
    game = shipped("reversi")
    other = game.built.with_program(game.built.program)
    assert other.key is None
    compiled = compile_game(other)
    assert shapes.recalled(compiled.facts) is None
    assert known(compiled)[0] == known(game.compiled)[0]


def test_a_function_is_written_once_whoever_calls_it_first() -> None:
    source = Source.__new__(Source)
    source.lines, source.indent, source.constants = [], 0, {}
    later = Later(source, {}, RLock())
    written: list[str] = []
    both = Barrier(2)

    def write() -> None:
        written.append("one")
        source.lines += ["def one(c):", "    return c + 1", "def two(c):", "    return one(c) + 1"]

    held: dict[str, Any] = {}
    later.add(["one", "two"], write, lambda: held.update(one=later.namespace["one"]))
    before = held["one"]
    found: list[int] = []

    def call(name: str) -> None:
        both.wait()
        found.append(later.namespace[name](1))

    threads = [Thread(target=call, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [2, 3]
    assert written == ["one"]
    assert held["one"] is later.namespace["one"] is not before
    assert before(5) == 6  # whoever holds the first one reaches the other


def test_layouts_do_not_hang_on_what_was_made_simpler() -> None:
    game = shipped("agora_barcelona", 3)
    told: Layout = compile_game(game.built, set()).facts.layout
    assert told == game.facts.layout
