"""Every construct of the registry, nested deep and repeated wide: it works, or a problem with a place is told.

A new construct joins by itself where its shape says how it nests; a word of the expression language needs a line in
`bench/deep/forms.yaml`, a section a chain in `bench/deep/links.py`. All sizes: `python -m bench.deep`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.deep.cases import Case, cases, constructs
from bench.deep.islands import NAMES, island, routes
from bench.deep.links import LINKS
from bench.deep.nested import WORDS, forms, holding
from bench.deep.run import ask
from bench.fuzz.run import Worker
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.model.registry import REGISTRY, SECTIONS
from rulespec.model.shapes import STEPS
from rulespec.source.stacked import Walking, walked

ALL = tuple(cases())


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    found = Worker("bench.deep.worker")
    yield found
    found.close()


# ---- the cases ------------------------------------------------------------------------------------------------------


def test_the_game_that_all_cases_change_is_good(tmp_path: Path) -> None:
    [text] = Case("the game", "as it is", 0, lambda _: island()).texts().values()
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    check_game(source, [], problems)
    assert problems.errors == ()


def test_every_construct_has_cases() -> None:
    """Words without anything inside, such as `me`, have none; they are listed as such."""
    plain = {f"{kind[:-1]} {word}" for kind in WORDS for word, ways in forms()[kind].items() if not ways}
    assert constructs() - {case.construct for case in ALL} == plain


@pytest.mark.parametrize("kind", WORDS)
def test_every_word_has_a_line(kind: str) -> None:
    assert set(forms()[kind]) == {word.name for word in WORDS[kind]}


def test_every_section_has_a_chain() -> None:
    assert set(LINKS) == set(SECTIONS)


def test_every_record_has_a_place_and_every_name_a_form() -> None:
    assert set(routes()) == {record.name for record in REGISTRY.records}
    assert "declared" in NAMES


def test_every_field_of_steps_is_nested() -> None:
    fields = {(form.tag, field.name) for form in REGISTRY.record("step").forms for field in form.fields}
    held = {(form.tag, field.name) for form, field in holding()}
    assert held == {
        (form.tag, field.name)
        for form in REGISTRY.record("step").forms
        for field in form.fields
        if field.shape == STEPS
    }
    assert held <= fields


# ---- what becomes of them -------------------------------------------------------------------------------------------

#: Chains that were a recursion once, and a name that is looked for among very many.
QUICK = ("effects, chain by perform x 400", "events, chain by emit x 400", "values, chain by tables x 400")
#: Which cases the long test takes: of each construct those that went furthest when they were tried.
LONG = 100
#: Of variants that need one another each is checked with all before it, so that a hundred take about ten seconds.
FEW = {"variant": 20}


@pytest.mark.parametrize("name", QUICK)
def test_nothing_but_problems(name: str, worker: Worker) -> None:
    [case] = (case for case in ALL if str(case) == name)
    assert_harmless(case, worker, all_commands=False)


def long_cases() -> list[Case]:
    """Chains of every section, every verb, and one form of every word of expressions."""
    found: dict[tuple[str, str], Case] = {}
    for case in ALL:
        if "chain" in case.what and case.size == FEW.get(case.construct, LONG):
            found[case.construct, case.what] = case
        elif case.size == 20 and " " in case.construct:
            found.setdefault((case.construct, ""), case)
        elif case.size == 20 and case.construct.startswith("step.") and "in " not in case.what:
            found[case.construct, case.what] = case
    return list(found.values())


@pytest.mark.long
@pytest.mark.parametrize("case", long_cases(), ids=str)
def test_nothing_but_problems_of_any_construct(case: Case, worker: Worker) -> None:
    assert_harmless(case, worker, all_commands=False)


def assert_harmless(case: Case, worker: Worker, *, all_commands: bool) -> None:
    answer = ask(worker, case, all_commands=all_commands)
    assert answer["fault"] is None, f"{answer['part']}: {answer['says']}\n{answer.get('trace', '')}"


def test_a_walk_has_a_stack_of_its_own() -> None:
    """As deep as a hundred thousand: Python's own stack ends at a thousand."""

    def depth(left: int) -> Walking[int]:
        return 0 if left == 0 else 1 + (yield depth(left - 1))

    assert walked(depth(100_000)) == 100_000


def test_a_worker_that_is_just_ending_is_followed_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that holds too much ends behind its answer, and may still be there when the next case comes."""
    worker = Worker("bench.deep.worker")
    with subprocess.Popen(
        [sys.executable, "-c", "import os, time; os.close(0); print(flush=True); time.sleep(60)"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as ending:
        assert ending.stdout is not None
        ending.stdout.readline()
        monkeypatch.setattr(worker, "_process", ending)
        try:
            answer = ask(worker, Case("the game", "as it is", 0, lambda _: island()), all_commands=False)
            assert answer["fault"] is None
            assert answer["played"]
        finally:
            worker.close()
            ending.kill()
