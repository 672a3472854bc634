"""The page with the table of operations, made from their rows."""

from __future__ import annotations

from rulespec.program.ops import OPERATIONS, Operand, Operation

_HEAD = """\
# Operations of the instruction form

Made from `rulespec/program/ops.py` by `python -m rulespec.model.generate`; how they work together is on the page
[instruction form](../instruction_form.md). *Fails* says when an operation fails by itself; at a *horizon* a look-ahead
ends. *Changes* says what it may write: slots of its block or of the one that it begins, cells of the regions, registers
(`me`, `units`, `together`, `over`), where pieces lie and which way up. What a block that it calls does is not its own.

| operation | operands | meaning | fails | changes |
| --- | --- | --- | --- | --- |
"""


def operations_page() -> str:
    """The text of the page, as Markdown."""
    return _HEAD + "".join(map(_line, OPERATIONS.values()))


def _line(row: Operation) -> str:
    fails = f"where {row.missing}" if row.may_fail else "*horizon*" if row.horizon else ""
    cells = (f"`{row.name}`", ", ".join(map(_operand, row.operands)), row.does, fails, ", ".join(sorted(row.changes)))
    return f"| {' | '.join(cells)} |\n"


def _operand(operand: Operand) -> str:
    words = f" ({', '.join(f'`{word}`' for word in operand.words)})" if operand.words else ""
    return f"{operand.name}{words}{' or none' if operand.optional else ''}"
