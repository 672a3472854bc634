"""The exact output for the faulty example of every code of texts, and that its mend has no fault.

`outputs.txt` holds a section for each code, written as a person sees it. To add one: write the section, run this test.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.build import lowered
from rulespec.diagnostics.catalogue import all_entries
from rulespec.diagnostics.model import Problem, Problems
from rulespec.diagnostics.render import render_problem
from rulespec.lower.context import Parsed
from rulespec.messages.check import check_messages
from rulespec.messages.unwritten import note_unwritten
from rulespec.overlay.merge import merge
from tests.language.messages.test_cases import tree_of

ENTRIES = {entry.code: entry for entry in all_entries() if "RS500" <= entry.code < "RS540"}


def problems_of(text: str) -> tuple[Problem, ...]:
    """What checking the texts of an example reports; one without a game stands in that of frame.yaml."""
    example = tree_of("example.yaml", text)
    problems = Problems()
    trees = [example] if "game" in example else [tree_of("frame.yaml"), example]
    built = lowered(merge(trees, problems), 1, {}, problems, Parsed())
    assert problems.items == ()
    check_messages(built.context, built.context.tree, problems, built.program)
    note_unwritten(trees, problems)
    return tuple(p for p in problems.items if p.span.file.name == "example.yaml")


def outputs() -> dict[str, str]:
    """The sections of the file, by code."""
    text = Path(__file__).with_name("outputs.txt").read_text(encoding="utf-8")
    parts = re.split(r"^== (RS\d+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], (part.strip("\n") for part in parts[1::2]), strict=True))


OUTPUTS = outputs()


def test_every_code_has_a_section() -> None:
    assert OUTPUTS.keys() == ENTRIES.keys()


@pytest.mark.parametrize("code", ENTRIES)
def test_the_fault_is_shown_exactly_so(code: str) -> None:
    [problem] = problems_of(ENTRIES[code].bad)
    assert problem.code == code
    assert render_problem(problem) == OUTPUTS[code]


@pytest.mark.parametrize("code", ENTRIES)
def test_the_mended_example_has_no_fault(code: str) -> None:
    assert problems_of(ENTRIES[code].good) == ()
