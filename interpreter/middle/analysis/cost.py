"""How much work the parts of a program are, so that only costly ones count what they do.

Work is counted in passes of loops, in the list `work` that all functions of a game share and every decision begins
anew. What is cheap is counted together with what follows it, so that ordinary games pay next to nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from rulespec.lower.cost import Costs
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ask, Const, Instr, Ir, Program, ZoneIr
from rulespec.lower.make import bounds, most_held

#: Expressions that may need so many steps count the passes of their loops.
COSTLY = 20_000
#: Instructions that may need so many steps together count a share of that bound instead.
NOTABLE = 1_000
SHARE = 8
#: What one pass of a loop over steps counts as; one that goes through fewer members than `FEW` is counted beforehand.
PASS = 40
FEW = 100
#: What a block counts as that is run while looking ahead: there nothing else bounds how many there are.
BLOCK = 20
#: Steps that chance, or handling one piece, is taken for.
HANDLED = 64
NO_BOUND = 1 << 31


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


def shares(costs: Costs, program: Program) -> Callable[[int], int]:
    """For each instruction: the bound of what it takes beside passes that are counted one by one."""

    @cache
    def share(at: int) -> int:
        instr = program.instrs[at]
        operands = effort(costs, instr.args)
        return (operands if operands < COSTLY else 0) + _handling(costs, program.declared, instr)

    return share


def small_together(share: Callable[[int], int], start: int, end: int) -> int:
    """What the instructions of one pass of a loop take that is too little to be counted by itself."""
    return sum(each for each in map(share, range(start, end)) if each < NOTABLE)


def _handling(costs: Costs, declared: Declared, instr: Instr) -> int:
    """The bound of what moving, turning and mixing pieces takes, by how many there can be."""
    args = instr.args
    if instr.op == "shuffle":
        return HANDLED * _room(declared, args[0])
    if instr.op == "draw":
        return _drawing(declared, *args[:4])
    if instr.op in ("flip", "roll"):
        mode, what = args[:2]
        many = _room(declared, what) if mode == "all" else 1 if mode == "one" else costs.length(what)
        return many * (HANDLED + (0 if mode == "all" else declared.depth // 4))
    if instr.op == "move":
        mode, what, goal = args[:3]
        many = 1 if mode == "one" else _room(declared, what) if mode == "all" else costs.length(what)
        return _moving(declared, min(many, _supply(declared, goal)))
    return 0


def _moving(declared: Declared, many: int) -> int:
    """A list is gone through for each of its pieces, and so is the stack from which it is taken."""
    return 0 if many <= 1 and declared.depth < FEW else many * (HANDLED + declared.depth + 2 * many)


def _drawing(declared: Declared, amount: Ir, source: Ir, goal: Ir, renew: Ir | None) -> int:
    """Each piece by itself, out of a pool by going through it; and mixing what lies ready once or twice."""
    ready = 0 if renew is None else _room(declared, renew)
    most = min(_supply(declared, source), _room(declared, goal), max(0, _high(amount)))
    assert isinstance(source, ZoneIr)
    pool = _supply(declared, source) // 2 if declared.zones[source.zone].shape == "pool" else 0
    return most * (HANDLED + pool) + HANDLED * ready


def _high(amount: Ir) -> int:
    if isinstance(amount, Const) and isinstance(amount.value, int):
        return amount.value
    high = bounds(amount.type)[1]
    return NO_BOUND if high is None else high


def _supply(declared: Declared, zone: Ir) -> int:
    assert isinstance(zone, ZoneIr)
    return sum(declared.pieces[declared.zones[zone.zone].holds].supply)


def _room(declared: Declared, zone: Ir) -> int:
    """How many pieces a place can hold."""
    assert isinstance(zone, ZoneIr)
    return most_held(declared, zone.zone)
