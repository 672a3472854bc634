"""Each fault of a file gives exactly one problem, with its code, at its place, by the C parser and by the other one."""

from __future__ import annotations

import pytest
import yaml

from rulespec.diagnostics.catalogue import all_entries
from rulespec.source import nodes
from tests.language.cases import expected, found, load_cases, read

CASES = load_cases(__file__, "faults.yaml")


@pytest.mark.parametrize("name", CASES)
def test_one_problem_at_its_place(name: str) -> None:
    assert found(read(CASES[name]["text"])[1]) == expected(CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_the_pure_parser_says_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "_LOADER", yaml.SafeLoader)
    assert found(read(CASES[name]["text"])[1]) == expected(CASES[name])


def test_every_code_of_a_text_has_a_case() -> None:
    """Those without one need a real file or a large one, and are tested with these."""
    elsewhere = {
        "RS101",
        "RS102",
        "RS103",
        "RS104",
        "RS105",
        "RS112",
        "RS113",
        "RS114",
        "RS139",
        "RS148",
        "RS149",
        "RS150",
        "RS151",
        "RS154",
    }
    codes = {entry.code for entry in all_entries() if entry.code.startswith("RS1")}
    assert {case["code"] for case in CASES.values()} == codes - elsewhere


def test_a_form_that_no_other_code_knows() -> None:
    assert [problem.code for problem in read("values: ? [\n")[1]] == ["RS139"]
