"""The examples of the catalogue: the fault gives its code and nothing else, the mended text nothing."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.catalogue import all_entries, entry
from rulespec.diagnostics.model import Problems
from rulespec.model.validate import validate_file
from rulespec.overlay.variant import is_variant
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile
from tests.language.overlays.overlay_cases import run

# From RS431 on: options and arguments of commands, which are looked at elsewhere.
TOLD = {"RS409"}  # a thousand changes fill no page: test_bounds.py
CODES = [item.code for item in all_entries() if "RS400" <= item.code < "RS431" and item.code not in TOLD]


def test_there_are_codes() -> None:
    assert len(CODES) > 10


@pytest.mark.parametrize("code", CODES)
def test_the_fault_gives_its_code_only(code: str) -> None:
    case = run(entry(code).bad)
    assert [problem.code for problem in case.problems] == [code]


@pytest.mark.parametrize("code", CODES)
def test_the_mended_text_gives_nothing(code: str) -> None:
    assert run(entry(code).good).problems == ()


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("which", ["bad", "good"])
def test_the_structure_is_right_in_both(code: str, which: str) -> None:
    """An example shows one fault: it has no other of its form."""
    for name, text in run(getattr(entry(code), which)).files.items():
        problems = Problems()
        tree = read_yaml(SourceFile.of(name, text), problems)
        assert tree is not None
        validate_file(tree, problems, variant=is_variant(tree))
        assert problems.items == ()
