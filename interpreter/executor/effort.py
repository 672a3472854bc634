"""How much work the parts of a program are, so that only costly ones count what they do.

Work is counted in passes of loops, in the list `work` that all functions of a game share and every decision begins
anew. What is cheap is not counted, so that ordinary games pay nothing for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespec.lower.cost import Costs
from rulespec.lower.ir import Ask, Ir

if TYPE_CHECKING:
    from interpreter.executor.writing import Source

#: Expressions that may need so many steps count the passes of their loops.
COSTLY = 20_000
#: Instructions that may need so many steps, but fewer than those, count a share of that bound instead.
NOTABLE = 500
SHARE = 64
#: How a line begins that look-aheads go without.
IN_PLAY = "if not floor:"
#: What one pass of a loop over steps counts as; one that goes through fewer members than `FEW` is not counted.
PASS = 40
FEW = 100


def effort(costs: Costs, value: object) -> int:
    """The bound of the steps that the operands of an instruction can need."""
    if isinstance(value, Ir):
        return costs.of(value)
    if isinstance(value, Ask):
        return _of_ask(costs, value)
    return sum(effort(costs, part) for part in value) if isinstance(value, (tuple, list)) else 0


def _of_ask(costs: Costs, ask: Ask) -> int:
    """What it takes to list the candidates of all names together."""
    total, combinations = 0, 1
    for name in ask.names:
        each = 1 + sum(costs.of(test) for test in (name.where, name.if_possible) if test is not None)
        total += combinations * (costs.of(name.source) + costs.length(name.source) * each)
        combinations *= max(1, costs.length(name.source))
    return total


def count_share(s: Source, at: int, cost: int) -> None:
    """Writes that something is begun whose bound is known, where that is worth counting.

    In play alone: a look-ahead counts its positions, and is cut short where they may be costly.
    """
    if NOTABLE <= cost < COSTLY:
        s.line(f"{IN_PLAY} spend({cost // SHARE}, {at})")
