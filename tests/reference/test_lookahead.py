"""How far the reference looks ahead: bounds of its own, and none of Python's stack or of the memory that is there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter import load
from interpreter.game import Game
from interpreter.reference import lookahead
from interpreter.reference.doubt import failures
from interpreter.reference.machine import Reference
from rulespec.diagnostics.model import ContentError

#: A unit of so many choices out of three; it can be completed where the last of them is the second.
DEEP = """\
game: {id: deep, language: 1, title: {en: "Deep"}, players: 1, seats: [solo]}
state: {n: {type: 0..3, start: 0}}
actions:
  act:
    do:
      - choose: begin
        from: 1..3
      - repeat:
          - choose: number
            from: 1..3
          - set: n
            to: number
        times: TIMES
      - require: n == 2
flow:
  - perform: act
"""
#: The same where nothing completes it.
NEVER = DEEP.replace("n == 2", "n == 0")


@pytest.fixture
def little_stack() -> Iterator[None]:
    """Room for some calls beside those that there are already."""
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 150)
    yield
    sys.setrecursionlimit(before)


def made(text: str, times: int, tmp_path: Path, executor: str | None = "reference") -> Game:
    (tmp_path / "game.yaml").write_text(text.replace("TIMES", str(times)), encoding="utf-8")
    return load(tmp_path, executor=executor)


def numbers(game: Game) -> list[int]:
    """What may be chosen at the first decision."""
    cells = game.start(1).cells
    return game.machine.options(cells, cells[0])


def test_a_deep_unit_takes_none_of_pythons_stack(little_stack: None, tmp_path: Path) -> None:
    assert numbers(made(DEEP, 400, tmp_path)) == [1, 2, 3]


def test_why_a_deep_unit_fails_is_found_without_pythons_stack(little_stack: None, tmp_path: Path) -> None:
    game = made(NEVER, 400, tmp_path)
    reference = game.reference
    p = reference.begin(1)
    at = next(at for at, instr in enumerate(reference.game.instrs) if instr.op == "ask")
    p.at, ask = at, reference.game.instrs[at].args[0]
    found = failures(p, ask, 1)
    assert found, "what is required at the end is found"
    assert all(reference.game.instrs[at].op in ("require", "ask") for at in found)


def test_a_unit_that_is_too_deep_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Behind the first decision there are as many as the bound says, or one more."""
    monkeypatch.setattr(lookahead, "MOST_DEEP", 12)
    monkeypatch.setattr(lookahead, "SURELY_DEEP", 12)
    assert numbers(made(DEEP, 12, tmp_path)) == [1, 2, 3]
    with pytest.raises(ContentError) as caught:
        made(DEEP, 13, tmp_path).start(1)
    assert [problem.code for problem in caught.value.problems] == ["RS803"]


def test_positions_that_are_remembered_are_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a place for them the same options are found, by more work: of 3 ** 6 ways instead of 6 times 3."""
    with_all = made(DEEP.replace("n == 2", "n == 2 and begin == 3"), 5, tmp_path)
    wanted = numbers(with_all)
    assert wanted == [3]
    monkeypatch.setattr(lookahead, "MOST_KNOWN", lookahead.EMPTY)
    without = made(DEEP.replace("n == 2", "n == 2 and begin == 3"), 5, tmp_path)
    assert numbers(without) == wanted
    assert without.machine.worked > 5 * with_all.machine.worked


def test_a_fault_of_another_kind_is_not_tried_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The code is that of too much work, but it was not patience that ended."""
    monkeypatch.setattr(lookahead, "MOST_DEEP", 4)
    monkeypatch.setattr(lookahead, "SURELY_DEEP", 4)
    played: list[int] = []
    play = Reference.play

    def noted(reference: Reference, *args: object, **options: object) -> object:
        played.append(1)
        return play(reference, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Reference, "play", noted)
    game = made(DEEP, 20, tmp_path, executor=None)
    with pytest.raises(ContentError):
        game.start(1)
    assert len(played) == 1
    assert "native" not in game.__dict__
