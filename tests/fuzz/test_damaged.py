"""Damaged inputs: nothing but problems comes of them. A million: `python -m bench.fuzz --damaged`."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from bench.fuzz import quick
from bench.fuzz.damage import damaged_files, large_games, sources
from bench.fuzz.grafts import Tree, grafted
from bench.fuzz.many import many
from bench.fuzz.run import Worker
from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_span
from rulespec.source.text import SourceFile, Span
from tests.fuzz.test_fuzz import faults_of

CORPUS: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("corpus.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    found = Worker()
    yield found
    found.close()


@pytest.mark.parametrize("count", [60, pytest.param(1_500, marks=pytest.mark.long)])
def test_some_inputs(count: int, tmp_path: Path) -> None:
    run = many(seed=7, first=count, count=count, seconds=3_600, out=tmp_path)
    assert faults_of(run.outcome) == []
    assert run.outcome.cases == count
    assert len(run.codes) > 10
    assert run.faultless < count / 2


@pytest.mark.parametrize("code", CORPUS)
def test_what_was_kept_has_problems_and_nothing_worse(code: str, worker: Worker) -> None:
    files = CORPUS[code]["files"]
    answer = worker.ask({"name": code, "kind": "damaged", "seed": 1, "number": 1, "game": "", "files": files})
    assert answer["fault"] is None, f"{answer['says']}\n{answer['trace']}"
    assert answer["codes"]


@pytest.mark.parametrize("code", CORPUS)
def test_what_was_kept_is_played_where_it_can_be(code: str, worker: Worker) -> None:
    answer = worker.ask({"name": code, "kind": "game", "seed": 5, "game": "", "files": CORPUS[code]["files"]})
    assert answer["fault"] is None, f"{answer['says']}\n{answer['trace']}"


# ---- the damage itself -----------------------------------------------------------------------------------------------


def test_an_input_is_the_same_again_and_one_file_of_it_is_damaged() -> None:
    changed = 0
    for number in range(60):
        made = damaged_files(2, number)
        assert made == damaged_files(2, number)
        whole = sources()[made.game]
        differing = [path for path in whole if made.files[path] != whole[path]]
        assert differing in ([], [made.path])
        changed += bool(differing)
    assert changed > 55


def test_large_games_are_damaged_too_but_seldom() -> None:
    games = [damaged_files(1, number).game for number in range(2_000)]
    seldom = [game for game in games if game in large_games()]
    assert 0 < len(seldom) < 30
    assert len(set(games)) > 20


# ---- being quick -----------------------------------------------------------------------------------------------------


def places(value: Any) -> Iterator[tuple[str, int, int]]:
    """The kind and the place of every part of an expression that has one."""
    if isinstance(value, Span):
        yield value.text, value.start, value.end
    for part in value if isinstance(value, tuple) else ():
        yield from places(part)
    if isinstance(value, (ast.Expr, ast.Each)):
        yield type(value).__name__, 0, 0
        for field in fields(value):
            yield from places(getattr(value, field.name))


@pytest.mark.parametrize(
    "text",
    [
        "1 + cell[2, 3].x otherwise none",
        "if exists k and not (a == -2 or f(b)) then [1, true] else sum(c.x for c in site where c.x > 1)",
        "first(c in cell where c in {d, e} by c.y)",
        "(effect without label)",
    ],
)
def test_an_expression_that_is_known_is_as_if_it_were_parsed_where_it_stands(text: str) -> None:
    calls: list[Span] = []

    def real(span: Span, start: str, problems: Problems) -> ast.Expr | None:
        calls.append(span)
        return parse_span(span, problems, start=start)

    def at(before: str) -> Span:
        return Span(SourceFile.of(before, before + text + " # end"), len(before), len(before) + len(text))

    known = quick.Known(real)
    known.run(at("x: "), "expr", Problems())
    found = Problems()
    moved = known.run(at("some\nlonger: "), "expr", found)
    whole = parse_span(at("some\nlonger: "), Problems())
    if whole is None:  # what is wrong is said again, by the parser itself
        assert moved is None
        assert found.has_errors
        assert len(calls) == 2
        return
    assert moved == whole
    assert [*places(moved)] == [*places(whole)]
    assert len(calls) == 1


def test_folders_that_stay_change_nothing(worker: Worker, tmp_path: Path) -> None:
    quickly = Worker()
    for number in range(40):
        case = {"name": "x", "kind": "damaged", "seed": 11, "number": number}
        plain = worker.ask({**case, "files": damaged_files(11, number).files, "game": damaged_files(11, number).game})
        found = quickly.ask({**case, "files": {}, "home": str(tmp_path)})
        assert plain["codes"] == found["codes"], number
    quickly.close()
    for game in tmp_path.iterdir():
        left = {path.relative_to(game).as_posix(): path.read_text("utf-8") for path in game.rglob("*.yaml")}
        assert left == sources()[game.name]


TEXT = "a: 1\nb: {c: 2, d: [x, y]}\nblock:\n  e: 3\n  f: 4\n"


def test_a_tree_knows_its_entries_and_values() -> None:
    tree = Tree.of(TEXT)
    parts = {TEXT[part.start : part.end] for part in tree.parts}
    assert {"a: 1", "1", "{c: 2, d: [x, y]}", "c: 2", "[x, y]", "x", "e: 3\n  f: 4", "f: 4"} <= parts
    assert Tree.of("a: [").parts == ()


def test_subtrees_are_lost_doubled_exchanged_and_put_in() -> None:
    tree, donor = Tree.of(TEXT), Tree.of("c: {own: 9}\n")
    made = {grafted(Random(seed), tree, [donor]) for seed in range(4_000)}
    assert TEXT.replace("a: 1\n", "\n") in made  # lost
    assert TEXT.replace("a: 1", "a: 1\na: 1") in made  # doubled
    assert TEXT.replace("x, y", "y, x") in made  # exchanged
    assert TEXT.replace("c: 2", "c: {own: 9}") in made  # put in from elsewhere, in the place of the same key


def test_a_process_that_holds_more_and_more_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The 200 MB of case 5 are what a large game fills, from the 50 of case 2 on; the 350 of case 8 are not."""
    held = iter(range(0, 1 << 40, 50 << 20))  # 50 MB more each time

    def ask(self: Worker, case: dict[str, Any]) -> dict[str, Any]:
        return {
            "fault": None,
            "codes": [],
            "played": False,
            "resident": next(held),
            "spent": 1.0,
            "how": "x",
            "game": "y",
        }

    monkeypatch.setattr(Worker, "ask", ask)
    monkeypatch.setattr("bench.fuzz.many.SETTLED", 2)
    run = many(seed=1, count=8, seconds=60, out=tmp_path)
    assert [kind for kind, _ in run.outcome.faults] == ["leak"]
    assert run.seconds == 8.0
    assert (tmp_path / "01_leak" / "fault.txt").is_file()


@pytest.mark.long
def test_what_commands_left_is_freed_in_a_process_that_lives_long() -> None:
    """Each ends as if its process did: circles that it made are not looked at any more."""

    class Circle:
        def __init__(self) -> None:
            self.own = self

    left = weakref.ref(Circle())
    gc.freeze()
    try:
        gc.collect()
        assert left() is not None
        quick.settle()
        assert left() is None
    finally:
        gc.unfreeze()
