"""A program is held to the rows of its operations; what the lowering makes is well formed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from interpreter import load
from rulespec.lower.ir import Instr, Local, Program
from rulespec.model.types import INTEGER
from rulespec.program.verify import faults
from rulespec.source.shipped import games
from tests.engine.small import names, small


@pytest.mark.parametrize("name", names())
def test_the_small_games_are_well_formed(name: str) -> None:
    assert faults(small(name).built.program) == []


@pytest.mark.parametrize("name", games())
def test_the_shipped_games_are_well_formed(name: str) -> None:
    assert faults(load(name).built.program) == []


ONE = Local(type=INTEGER, slot=-1)
Change = Callable[[Instr], Instr]


def _changed(program: Program, op: str, change: Change) -> tuple[Program, int]:
    """The program with the first instruction of an operation changed, and the number of that."""
    at = next(i for i, instr in enumerate(program.instrs) if instr.op == op)
    return replace(program, instrs=(*program.instrs[:at], change(program.instrs[at]), *program.instrs[at + 1 :])), at


def _to(op: str, *args: object) -> Change:
    return lambda instr: Instr(op, args, instr.span)


def _with(number: int, value: object) -> Change:
    return lambda instr: replace(instr, args=(*instr.args[:number], value, *instr.args[number + 1 :]))


#: An operation of `market`, what is made of its first instruction, and what is said of it.
WRONG = {
    "no operation": ("store", _to("shout"), "no operation is called shout"),
    "too few operands": ("store", _to("store", "me"), "store takes 3 operands, not 1"),
    "a slot of no block": ("set", _with(0, 9_999), "the slot of set is no slot: 9999"),
    "a region that is not there": ("store", _with(0, "player.nothing"), "the region of store is no region"),
    "a number for an expression": ("store", _with(2, 7), "the value of store is no value: 7"),
    "a block that is not there": ("call", _with(0, 999), "the block of call is no block: 999"),
    "an argument too many": ("call", lambda i: replace(i, args=(i.args[0], (*i.args[1], ONE))), "arguments, not"),
    "a word that is none": ("log", _with(2, "later"), "the part of log is no word: 'later'"),
    "an end that closes nothing": ("log", _to("end_loop"), "end_loop closes nothing"),
    "an end of something else": ("end", _to("end_loop"), "end_loop closes nothing"),
    "another way of nothing": ("log", _to("orelse", 0, False), "orelse stands in no branch of its own"),
    "out of no loop": ("log", _to("break_if", ONE), "break_if stands in no loop"),
    "a loop that is not closed": ("end_loop", _to("end"), "end closes nothing"),
    "no end of the block": ("ret", _to("end_try"), "does not end with ret"),
}


@pytest.mark.parametrize(("op", "change", "said"), WRONG.values(), ids=WRONG)
def test_what_is_not_well_formed_is_told_with_its_number(op: str, change: Change, said: str) -> None:
    program, at = _changed(small("market").built.program, op, change)
    assert any(fault.startswith(f"{at}: ") and said in fault for fault in faults(program)), faults(program)


def test_what_may_be_none_may_and_nothing_else() -> None:
    program = small("lines").built.program
    at = next(i for i, instr in enumerate(program.instrs) if instr.op == "move")
    assert program.instrs[at].args[3] is None  # no face is named
    wrong, _ = _changed(program, "move", _with(2, None))
    assert faults(wrong) == [f"{at}: the goal of move is no zone: None"]
