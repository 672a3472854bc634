"""Made-up and damaged content, logs and saves: nothing but problems comes of them. Longer: `python -m bench.fuzz`."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bench.fuzz.cases import holes, make_case, rich_text
from bench.fuzz.expressions import FORMS, Words, scope_of
from bench.fuzz.mutations import MUTATIONS
from bench.fuzz.run import Fault, Outcome, Worker, fuzz, shrunk
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.expr.parse import parse_text
from rulespec.game_source import read_game


def faults_of(outcome: Outcome) -> list[str]:
    return [f"{fault.kind} in {fault.where}: {fault.says}\n{fault.trace}" for fault in outcome.faults.values()]


def test_a_few_cases(tmp_path: Path) -> None:
    outcome = fuzz(seed=1, cases=15, out=tmp_path)
    assert faults_of(outcome) == []
    assert outcome.cases == 15


@pytest.mark.long
def test_many_cases(tmp_path: Path) -> None:
    outcome = fuzz(seed=2, cases=100, jobs=2, out=tmp_path)
    assert faults_of(outcome) == []
    assert outcome.cases == 100


# ---- the test itself ------------------------------------------------------------------------------------------------


def test_the_rich_game_is_faultless_and_full_of_holes(tmp_path: Path) -> None:
    (tmp_path / "rich.yaml").write_text(rich_text(), encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    check_game(source, [], problems)
    assert problems.items == ()
    kinds = {what for what, _ in holes()}
    assert len(holes()) > 35
    assert kinds <= FORMS.keys() | {"steps"}


def test_a_filling_stands_in_its_hole() -> None:
    number = next(i for i, (what, names) in enumerate(holes()) if what == "boolean" and names == ["card"])
    assert "where: 1 == 2\n" in rich_text({number: "1 == 2"})


def test_a_case_is_the_same_again() -> None:
    assert [make_case(3, n) for n in range(20)] == [make_case(3, n) for n in range(20)]
    assert make_case(3, 0) != make_case(4, 0)


@pytest.mark.parametrize("seed", range(30))
def test_what_the_grammar_derives_is_read(seed: int) -> None:
    """Whatever the grammar allows is an expression, unless it is too long, too deep or a number too large."""
    problems = Problems()
    text = Words(Random(seed)).anything(depth=4)
    parsed = parse_text(text, problems)
    assert parsed is not None or {p.code for p in problems.items} <= {"RS216", "RS217", "RS219", "RS230"}, text


@pytest.mark.parametrize("of", FORMS)
def test_forms_of_a_type_are_expressions(of: str) -> None:
    for seed in range(10):
        problems = Problems()
        text = Words(Random(seed)).expression(of, scope_of(["cell", "card"]), depth=2)
        assert parse_text(text, problems) is not None, (text, problems.items)


def test_every_mutation_changes_something() -> None:
    text = rich_text()
    for mutate in set(MUTATIONS):
        assert any(mutate(Random(seed), text, text.split("\n")) != text for seed in range(3)), mutate


def test_a_fault_is_found_and_made_small() -> None:
    """A worker that is asked for a kind of case that is none fails; every line of the file can go."""
    worker = Worker()
    try:
        case = {"name": "x", "kind": "none", "seed": 1, "files": {"text": "a\nb\nc\nd"}}
        answer = worker.ask(case)
        assert answer["fault"] is not None
        fault = Fault(answer["fault"], answer["says"], answer["where"], "", case)
        assert shrunk(worker, fault)["files"]["text"].count("\n") == 0
    finally:
        worker.close()
