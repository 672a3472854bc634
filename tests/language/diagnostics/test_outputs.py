"""The exact output for the faulty example of every code that reading files and expressions can give.

`outputs.txt` holds a section for each code, written as a person sees it. To add one: write the section, run this test.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.diagnostics.catalogue import all_entries
from rulespec.diagnostics.model import Problem, Problems
from rulespec.diagnostics.render import render_problem
from rulespec.expr.parse import parse_expression, parse_type
from rulespec.source.nodes import Mapping, Node, Sequence, read_yaml
from rulespec.source.text import SourceFile

BAD = {entry.code: entry.bad for entry in all_entries() if entry.code < "RS250"}
GOOD = {entry.code: entry.good for entry in all_entries() if entry.code < "RS250"}

# Their examples are comments: the fault is in bytes, on the disk, or too large to print.
TOLD = {
    "RS101", "RS102", "RS103", "RS104", "RS105", "RS106", "RS107", "RS112", "RS113", "RS114", "RS148", "RS149", "RS150",
    "RS151", "RS154",
    "RS217",
}  # fmt: skip


def problems_of(text: str) -> tuple[Problem, ...]:
    """What reading a file and the expressions and types of its functions gives."""
    problems = Problems()
    tree = read_yaml(SourceFile.of("example.yaml", text), problems)
    if tree is not None:
        _parse_functions(tree, problems)
    return problems.items


def _parse_functions(node: Node, problems: Problems) -> None:
    if isinstance(node, Sequence):
        for item in node.items:
            _parse_functions(item, problems)
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        if key.text == "is":
            parse_expression(value, problems)
        elif key.text == "type":
            parse_type(value, problems)
        else:
            _parse_functions(value, problems)


def sections(name: str) -> dict[str, str]:
    """The sections of a file beside this one, by code."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    parts = re.split(r"^== (RS\d+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], (part.strip("\n") for part in parts[1::2]), strict=True))


OUTPUTS = sections("outputs.txt")


def test_every_code_has_a_section() -> None:
    assert OUTPUTS.keys() == BAD.keys() - TOLD


@pytest.mark.parametrize("code", OUTPUTS)
def test_the_fault_is_shown_exactly_so(code: str) -> None:
    [problem] = problems_of(BAD[code])
    assert problem.code == code
    assert render_problem(problem) == OUTPUTS[code]


@pytest.mark.parametrize("code", GOOD)
def test_the_mended_example_has_no_fault(code: str) -> None:
    assert problems_of(GOOD[code]) == ()
