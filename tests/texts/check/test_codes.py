"""The exact output for the faulty example of every code that `texts check` gives, and that its mend has no such fault.

`outputs.txt` holds a section for each code, written as a person sees it. To add one: write the section, run this test.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.diagnostics.catalogue import all_entries
from rulespec.diagnostics.model import Problem, Problems
from rulespec.diagnostics.render import render_problem
from rulespec.game_source import read_game
from rulespec.texts.check.everything import check_texts
from tests.language.diagnostics.fragments import FLOW, GAME

ENTRIES = {entry.code: entry for entry in all_entries() if "RS540" <= entry.code < "RS580"}
FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)

#: An example shows one thing: that its translations are not accepted, or nothing tells its flow, is told elsewhere.
BESIDES = {"RS543", "RS555"}


def problems_of(example: str, folder: Path, code: str) -> tuple[Problem, ...]:
    """What `texts check` says of an example in a small game, as its code's page shows it."""
    folder.mkdir()
    parts = FILE.split(example)
    files = dict(zip(parts[1::2], parts[2::2], strict=True)) or {"example.yaml": example}
    files = {"game_of_the_example.yaml": GAME + FLOW, **files}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    assert not problems.has_errors
    check_texts(source, problems)
    return tuple(problem for problem in problems.items if problem.code == code or problem.code not in BESIDES)


def outputs() -> dict[str, str]:
    """The sections of the file, by code."""
    text = Path(__file__).with_name("outputs.txt").read_text(encoding="utf-8")
    parts = re.split(r"^== (RS\d+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], (part.strip("\n") for part in parts[1::2]), strict=True))


OUTPUTS = outputs()


def test_every_code_has_a_section() -> None:
    assert OUTPUTS.keys() == ENTRIES.keys()


@pytest.mark.parametrize("code", ENTRIES)
def test_the_fault_is_shown_exactly_so(code: str, tmp_path: Path) -> None:
    [problem] = problems_of(ENTRIES[code].bad, tmp_path / "example", code)
    assert problem.code == code
    assert render_problem(problem) == OUTPUTS[code]


@pytest.mark.parametrize("code", ENTRIES)
def test_the_mended_example_has_no_fault(code: str, tmp_path: Path) -> None:
    assert problems_of(ENTRIES[code].good, tmp_path / "example", code) == ()
