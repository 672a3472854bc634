"""Examples of names, types, overlays, steps and tables: the fault is shown exactly so, the mended text has no problem.

`outputs_checked.txt` holds a section for each code, written as a person sees it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.catalogue import all_entries, entry
from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.render import render_problem
from rulespec.game_source import read_game
from rulespec.lower import evaluate
from tests.language.diagnostics.fragments import files_of, problems_of
from tests.language.diagnostics.test_outputs import sections

# RS409, RS437, RS634, RS701, RS720: no page holds an example of such a size. RS440 to RS442: arguments of commands.
TOLD = {"RS409", "RS437", "RS440", "RS441", "RS442", "RS634", "RS701", "RS720"}
CODES = [
    item.code
    for item in all_entries()
    if ("RS300" <= item.code < "RS500" or "RS600" <= item.code < "RS800") and item.code not in TOLD
]
OUTPUTS = sections("outputs_checked.txt")


def test_every_code_has_a_section() -> None:
    assert list(OUTPUTS) == CODES


@pytest.mark.parametrize("code", CODES)
def test_the_fault_is_shown_exactly_so(code: str, tmp_path: Path) -> None:
    [problem] = problems_of(entry(code).bad, tmp_path / "example", code)
    assert problem.code == code
    assert render_problem(problem) == OUTPUTS[code]
    assert not (problem.fixes and entry(code).fix.startswith("none"))


@pytest.mark.parametrize("code", CODES)
def test_the_mended_example_has_no_fault(code: str, tmp_path: Path) -> None:
    assert problems_of(entry(code).good, tmp_path / "example", code) == ()


# ---- what is too large for a page ------------------------------------------------------------------------------------


def test_tables_that_are_too_much_work_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the two tables needs fewer steps than one may, and the two together more than all may."""
    monkeypatch.setattr(evaluate, "MOST_STEPS", 2_000_000)
    codes = [problem.code for problem in problems_of(entry("RS701").bad, tmp_path / "example", "RS701")]
    assert codes == ["RS701"]


def test_more_names_than_may_be_in_force(tmp_path: Path) -> None:
    """500 names may be, and the 501st is still given; at the step behind it there are too many."""
    steps = "".join(f"      - {{let: x{n}, be: {n}}}\n" for n in range(502))
    flow = f"flow:\n  - as: north\n    do:\n{steps}"
    found = [problem for problem in problems_of(flow, tmp_path / "example", "RS634") if problem.code == "RS634"]
    assert [problem.span.line for problem in found] == [flow[: flow.index("x501")].count("\n") + 1]


def test_a_chain_of_values_that_is_too_long(tmp_path: Path) -> None:
    lines = [f"  v{n:03}: {{is: v{n + 1:03} + 1}}\n" for n in range(150)]
    chain = f"values:\n{''.join(lines)}  v150: 1\n"
    assert [problem.code for problem in problems_of(chain, tmp_path / "example", "RS720")] == ["RS720"]


def test_depth_is_told_by_the_bound_that_was_met(tmp_path: Path) -> None:
    """A chain of 151 values passes 100 declarations; 30 functions of ten brackets each pass 200 expressions."""
    lines = [f"  v{n:03}: {{is: v{n + 1:03} + 1}}\n" for n in range(150)]
    [chained] = problems_of(f"values:\n{''.join(lines)}  v150: 1\n", tmp_path / "chain", "RS720")
    assert "more than 100 other declarations" in chained.message
    sums = [f"  f{n}: {{type: integer, is: {'(' * 10}f{n + 1}{' + 1)' * 10}}}\n" for n in range(30)]
    last = "  f30: {type: integer, is: count(player)}\n"
    nested, *_ = problems_of(f"functions:\n{''.join(sums)}{last}", tmp_path / "nested", "RS720")
    assert "more than 200 expressions" in nested.message


def test_a_fragment_is_made_a_game(tmp_path: Path) -> None:
    assert sorted(files_of("values: {hand_size: 5}\n")) == [
        "example.yaml",
        "flow_of_the_example.yaml",
        "game_of_the_example.yaml",
    ]
    assert problems_of("values: {hand_size: 5}\n", tmp_path / "example", "") == ()
    assert read_game(str(tmp_path / "example"), Problems()) is not None
