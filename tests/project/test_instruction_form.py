"""The page on the instruction form names every class of expressions, and the printing knows them all."""

from __future__ import annotations

import re

import pytest

from interpreter import load
from rulespec.lower import attributes, ir, show_ir
from rulespec.lower.ir import Ir
from rulespec.program.meaning import MEANING
from tests.engine.small import names, small
from tests.project.modules import ROOT

PAGE = (ROOT / "docs" / "instruction_form.md").read_text(encoding="utf-8")
KNOWN = [c for module in (ir, attributes) for c in vars(module).values() if isinstance(c, type)]
CLASSES = sorted({c.__name__ for c in KNOWN if issubclass(c, Ir)} - {"Ir"})
CODES = set(re.findall(r"`([^`\n]+)`", PAGE))


def test_every_class_of_expressions_is_on_the_page() -> None:
    assert len(CLASSES) > 30
    assert [name for name in CLASSES if name not in CODES] == []


def test_every_kind_of_decision_is_on_the_page() -> None:
    assert {"one", "set", "may", "next"} <= CODES


def test_every_class_that_runs_can_be_shown() -> None:
    shown = {c.__name__ for c in show_ir._EX}
    assert {c.__name__ for c in MEANING} - shown == set()
    assert set(CLASSES) - shown == set()


def test_the_page_gives_the_cap_of_the_program() -> None:
    assert f"({load('tic_tac_toe').built.program.look_cap:,})" in PAGE


@pytest.mark.parametrize("name", names())
def test_every_instruction_of_the_small_games_is_shown_with_its_number(name: str) -> None:
    game = small(name)
    lines = show_ir.show_program(game.built.program, game.world).splitlines()
    numbers = [int(found[1]) for line in lines if (found := re.match(r" +(\d+)  +(\w+)", line))]
    assert numbers == list(range(len(game.built.program.instrs)))
    places = [line for line in lines if line.endswith(tuple("0123456789")) and f"{name}/{name}.yaml:" in line]
    assert len(places) >= sum(1 for i in game.built.program.instrs if i.span is not None) // 2


@pytest.mark.parametrize("name", names())
def test_functions_effects_and_tables_are_shown_whole(name: str) -> None:
    """A program is printed with all that it speaks of: each entry of each table, however its line is broken."""
    game = small(name)
    declared = game.built.program.declared
    shown = show_ir.show_program(game.built.program, game.world)
    heads = [
        line.partition("(")[0].strip() for line in shown.partition("\nfunctions\n")[2].splitlines() if "->" in line
    ]
    assert heads[: len(declared.functions)] == list(declared.functions)
    tables = " ".join(shown.partition("\ntables\n")[2].partition("\n\n")[0].split())
    for table, values in declared.tables.items():
        entries = (f"[{','.join(map(str, v))}]" if isinstance(v, tuple) else str(v) for v in values)
        assert f"{table}: {' '.join(entries)}".strip() in tables
    assert len(declared.interned) == len(
        re.findall(r"(?m)^  \d+: ", shown.partition("\neffects\n")[2].partition("\ntables\n")[0])
    )
