"""How much work the parts of a program are, so that only costly ones count what they do.

Work is counted in passes of loops, in the list `work` that all functions of a game share and every decision begins
anew. What is cheap is counted together with what follows it, so that ordinary games pay next to nothing for it.

The reference counts each instruction and each member that it goes through. What is counted here is meant to be no less
than half of that: by bounds of the whole where a quicker way is taken than going through all members.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from rulespec.lower.cost import Costs
from rulespec.lower.declared import Declared
from rulespec.lower.ir import (
    Ask,
    CallIr,
    CallRow,
    Comprehend,
    Const,
    Instr,
    Ir,
    Name,
    Program,
    ReachIr,
    Table,
    WalkIr,
    ZoneIr,
    children,
)
from rulespec.lower.make import bounds, most_held
from rulespec.model.types import ListType, strip

#: Loops of expressions that may need so many steps count their passes.
COUNTED = 5_000
#: All other instructions count a share of the bound of their steps: those of a block together, where it is so much.
NOTABLE = 500
SHARE = 4
#: Steps that an instruction is taken for: of these alone, the reference does only so many.
INSTRUCTION = 25
#: What one pass of a loop over steps counts as; one that goes through fewer members than `FEW` is counted beforehand.
PASS = 40
FEW = 100
#: Candidates of a decision whose names count as less are not counted.
LISTED = 10
#: What a block counts as that is run while looking ahead: there nothing else bounds how many there are.
BLOCK = 20
#: Steps that chance, or handling one piece, is taken for.
HANDLED = 64
NO_BOUND = 1 << 31


@dataclass(slots=True)
class Work(Costs):
    """Bounds of what is done for an expression that was made simpler: tables stand for steps, `table_steps`."""

    table_steps: dict[str, int] = field(default_factory=dict)

    def of(self, node: Ir) -> int:
        """The bound of an expression."""
        found = Costs.of(self, node)
        return found + self.table_steps.get(node.table, 0) if isinstance(node, Table) else found


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


def counts_itself(costs: Costs, node: Comprehend | WalkIr) -> bool:
    """Whether a loop counts its passes: one that may be long, or is likely to be much shorter than it could be."""
    whole = costs.of(node)
    is_short = isinstance(node, WalkIr) or isinstance(strip(node.source.type), ListType)
    return whole >= (NOTABLE if is_short else COUNTED)


def uncounted(costs: Costs, node: Ir | None) -> int:
    """The bound of the steps of an expression beside what its loops count themselves."""
    if node is None:
        return 0
    whole = costs.of(node)
    if whole < NOTABLE:
        return whole
    if isinstance(node, Table):
        return whole - costs.of(node.index) + uncounted(costs, node.index)
    if isinstance(node, Comprehend):
        around = 1 + uncounted(costs, node.source) + uncounted(costs, node.around)
        if counts_itself(costs, node):
            return around
        each = uncounted(costs, node.where) + uncounted(costs, node.value)
        return around + costs.length(node.source) * (1 + each)
    if isinstance(node, WalkIr):
        return 1 + uncounted(costs, node.start)
    if isinstance(node, ReachIr):
        return 1 + uncounted(costs, node.start) + uncounted(costs, node.within)
    names = (node.function,) if isinstance(node, CallIr) else node.functions if isinstance(node, CallRow) else ()
    called = max((uncounted(costs, body) for name in names if (body := _body(costs, name)) is not None), default=0)
    return 1 + called + sum(uncounted(costs, part) for part in children(node))


def _body(costs: Costs, name: str) -> Ir | None:
    known = costs.world.functions.get(name)
    return None if known is None else known.body


def of_pass(costs: Costs, *parts: Ir | None) -> int:
    """What one pass of a loop counts as that computes these."""
    return 1 + sum(uncounted(costs, part) for part in parts) // SHARE


def of_name(costs: Costs, name: Name) -> int:
    """What it counts as to go through all members of one name of a decision."""
    each = sum(uncounted(costs, test) for test in (name.where, name.if_possible))
    return (uncounted(costs, name.source) + costs.length(name.source) * (1 + each)) // SHARE


def shares(costs: Costs, program: Program) -> Callable[[int], int]:
    """For each instruction: the bound of what it takes beside what loops and decisions count themselves."""

    @cache
    def share(at: int) -> int:
        instr = program.instrs[at]
        return INSTRUCTION + _operands(costs, instr.args) + _handling(costs, program.declared, instr)

    return share


def _operands(costs: Costs, value: object) -> int:
    if isinstance(value, Ir):
        return uncounted(costs, value)
    return sum(_operands(costs, part) for part in value) if isinstance(value, (tuple, list)) else 0


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
    if instr.op == "look":
        mode, what = args[:2]
        many = _room(declared, what) if mode == "all" else 1 if mode == "one" else costs.length(what)
        return many * (HANDLED + declared.depth // 4 + 2 * many)  # each is looked for among those before it too
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
