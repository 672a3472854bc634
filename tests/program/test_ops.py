"""Each operation has one row, and whoever lists operations is found out where a row is missing or too many."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from interpreter.native import blocks as native_blocks
from interpreter.reference import instructions as reference
from rulespec.lint import rehearsal
from rulespec.program import control_flow, liveness, ops
from rulespec.program.page import operations_page

#: The tables that say something of every operation.
TABLES: dict[str, Mapping[str, object]] = {
    "WebAssembly": native_blocks._EMIT,
    "rehearsal": rehearsal._DO,
}


@pytest.mark.parametrize("name", ops.OPERATIONS)
@pytest.mark.parametrize("entries", TABLES.values(), ids=TABLES)
def test_a_row_that_is_taken_away_is_missed(entries: Mapping[str, object], name: str) -> None:
    with pytest.raises(LookupError, match=f"no operation: {name}"):
        ops.for_each(entries, known=ops.OPERATIONS.keys() - {name})


@pytest.mark.parametrize("entries", TABLES.values(), ids=TABLES)
def test_a_row_that_is_added_wants_an_entry(entries: Mapping[str, object]) -> None:
    with pytest.raises(LookupError, match="no entry for shout"):
        ops.for_each(entries, known=ops.OPERATIONS.keys() | {"shout"})


#: The tables that say something of every operation of which something is so.
OF_SOME: dict[str, tuple[Mapping[str, object], frozenset[str]]] = {
    "what is run": (control_flow.CALLED, ops.CALLS),
    "what becomes of a slot": (liveness.ON_SLOT, ops.such_as(lambda row: row.at("slot") is not None)),
    "the reference": (reference.DO, ops.such_as(lambda row: row.name not in reference.ELSEWHERE)),
}


@pytest.mark.parametrize(("entries", "known"), OF_SOME.values(), ids=OF_SOME)
def test_a_row_of_some_that_is_taken_away_or_added_is_seen(
    entries: Mapping[str, object], known: frozenset[str]
) -> None:
    assert entries.keys() == known
    for name in known:
        with pytest.raises(LookupError, match=f"no operation: {name}"):
            ops.for_each(entries, known=known - {name})
    with pytest.raises(LookupError, match="no entry for shout"):
        ops.for_each(entries, known=known | {"shout"})


def test_a_table_of_some_knows_no_others() -> None:
    assert ops.for_some({"set": 1, "move": 2}) == {"set": 1, "move": 2}
    with pytest.raises(LookupError, match="no operation: shout"):
        ops.for_some({"set": 1, "shout": 2})


def test_the_page_has_a_line_for_each_row() -> None:
    lines = [line for line in operations_page().splitlines() if line.startswith("| `")]
    assert [line.split("`")[1] for line in lines] == list(ops.OPERATIONS)


#: What the page on the instruction form says in words, by hand: each group of operations of which something is so.
SAID = {
    "a look-ahead ends there": (ops.HORIZONS, "roll look draw shuffle resolve horizon"),
    "fails by itself": (ops.FAILING, "require pay move flip ask"),
    "opens a unit": (ops.OPENS_UNIT, "unit try"),
    "closes a unit": (ops.CLOSES_UNIT, "unit_end orelse"),
    "looks at candidates": (ops.QUESTIONS, "ask if_any break_unless_any"),
    "runs another block": (ops.CALLS, "call callv check"),
    "leads to its end or its other way": (ops.BRANCHES, "if if_any loop try"),
    "writes lines and nothing else": (ops.ONLY_TELLS, "log event"),
    "moves or turns pieces": (ops.such_as(lambda row: "pieces" in row.changes), "move flip roll draw shuffle"),
    "writes a cell": (ops.such_as(lambda row: "cell" in row.changes), "store gain pay score"),
    "is over": (ops.such_as(lambda row: row.flow == "ends"), "finish halt"),
    "may be lifted by its label": (ops.LABELS, "require pay"),
}


@pytest.mark.parametrize(("found", "said"), SAID.values(), ids=SAID)
def test_what_the_rows_say_is_what_the_page_says(found: Mapping[str, object] | frozenset[str], said: str) -> None:
    assert set(found) == set(said.split())


@pytest.mark.parametrize(
    ("op", "args", "cell"),
    [
        ("store", ("player.coins", None, None), "player.coins"),
        ("score", (None, None, "longest road"), "player.score"),
        ("set", (3, None), None),
        ("move", ("one", None, None, None, "top"), None),
    ],
)
def test_the_cell_that_an_instruction_changes(op: str, args: tuple[object, ...], cell: str | None) -> None:
    assert ops.cell_of(op, args) == cell


def test_each_opener_has_its_own_end_and_its_own_other_way() -> None:
    ends = {"if": "end", "if_any": "end", "loop": "end_loop", "unit": "unit_end", "try": "end_try"}
    assert ends == ops.CLOSED_BY
    divided = {row.name: row.divided_by for row in ops.OPERATIONS.values() if row.divided_by}
    assert divided == {"if": "else", "if_any": "else", "try": "orelse"}
    assert set(divided.values()) == ops.DIVIDES


@pytest.mark.parametrize("row", ops.OPERATIONS.values(), ids=ops.OPERATIONS)
def test_a_row_prints_its_operands_and_no_others(row: ops.Operation) -> None:
    printed = {part.partition("}")[0] for part in row.shown.split("{")[1:]}
    silent = {"index"}  # printed with its region
    assert printed == {operand.name for operand in row.operands} - silent
