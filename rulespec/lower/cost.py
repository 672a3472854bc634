"""How many steps an expression can need at most, from the declared domains: no position can make it more.

The bound is of one evaluation, in every position. It lets a game be refused that would take for ever to play or to
load, before anything is run.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.diagnostics.model import Problems
from rulespec.lower import make
from rulespec.lower.ir import (
    PARTS_OF,
    CallIr,
    CallRow,
    Comprehend,
    Contains,
    Ir,
    Join,
    RangeIr,
    ReachIr,
    WalkIr,
    children,
)
from rulespec.model.types import ListType, SetType, Zone, strip
from rulespec.model.world import Declarations
from rulespec.source.text import Span

#: An expression that may need more steps is refused.
MOST_STEPS = 2_000_000

#: Loops inside loops of one expression: whatever runs them nests them too.
MOST_LOOPS = 8

#: What is computed for a whole table when content is loaded may need so many.
MOST_AT_LOAD = 2_000_000


#: What may have no parts and be dear nevertheless.
_CALLS = frozenset({CallIr, CallRow})


@dataclass(slots=True)
class Costs:
    """Bounds of the functions of one game; functions that are refused count as one step, so that one fault is one."""

    world: Declarations
    functions: dict[str, int] = field(default_factory=dict)

    def of(self, node: Ir) -> int:
        """The bound of an expression."""
        if not PARTS_OF[type(node)] and type(node) not in _CALLS:
            return 1
        if isinstance(node, Comprehend):
            return self._loop(node)
        if isinstance(node, WalkIr):
            return 1 + self.of(node.start) + node.size * (1 + self.of(node.step))
        if isinstance(node, ReachIr):
            return self._reach(node)
        inner = 1 + sum(map(self.of, children(node)))
        if isinstance(node, CallIr):
            return inner + self.function(node.function)
        if isinstance(node, CallRow):
            return inner + max((self.function(name) for name in node.functions), default=0)
        if isinstance(node, (Join, RangeIr)):  # they are written out where a name keeps them
            return inner + self.length(node)
        return inner + self.length(node.items) if isinstance(node, Contains) else inner

    def function(self, name: str) -> int:
        """The bound of a function's body."""
        known = self.world.functions.get(name)
        if name not in self.functions and known is not None and known.body is not None:
            self.functions[name] = 1  # one in a circle is refused elsewhere
            self.functions[name] = self.of(known.body)
        return self.functions.get(name, 1)

    def length(self, source: Ir) -> int:
        """How many members a source has at most."""
        t = strip(source.type)
        if isinstance(t, (ListType, SetType, Zone)):
            return make.most_of(self.world, source)
        return 1

    def _loop(self, node: Comprehend) -> int:
        each = sum(self.of(part) for part in (node.where, node.value) if part is not None)
        around = 0 if node.around is None else self.of(node.around)
        return 1 + self.of(node.source) + around + self.length(node.source) * (1 + each)

    def _reach(self, node: ReachIr) -> int:
        """Every member is left once, by each way out of it."""
        around = self.of(node.start) + self.of(node.within)
        return 1 + around + node.size * (1 + self.of(node.via) + self.length(node.via) * (1 + self.of(node.cost)))

    def worst(self, node: Ir) -> str | None:
        """What most of the work is for: the function that is called, or the innermost loop."""
        named: str | None = None
        at: Ir | None = node
        while at is not None:
            if isinstance(at, CallIr):
                return f"Most of them are in the function `{at.function}`."
            if isinstance(at, (Comprehend, WalkIr, ReachIr)):
                named = at.name.partition("$")[0]
            at = max(filter(_loops, children(at)), key=self.of, default=None)
        return None if named is None else f"Most of them are in the loop over `{named}`."


def _loops(node: Ir) -> bool:
    """Whether there is a loop or a call in an expression."""
    return isinstance(node, (CallIr, Comprehend, WalkIr, ReachIr)) or any(map(_loops, children(node)))


def loops_deep(node: Ir) -> int:
    """How many loops stand inside one another."""
    if not PARTS_OF[type(node)]:
        return 0
    inside = max(map(loops_deep, children(node)), default=0)
    return inside + isinstance(node, (Comprehend, WalkIr, ReachIr))


def check_cost(costs: Costs, ir: Ir, span: Span, problems: Problems, times: int = 1, most: int = MOST_STEPS) -> bool:
    """Whether an expression that is read `times` times needs at most so many steps; else a report (RS611)."""
    cost = costs.of(ir) * times
    if cost > 2 and loops_deep(ir) > MOST_LOOPS:
        problems.add("RS616", span, most=MOST_LOOPS)
        return False
    if cost > most:
        problems.add("RS611", span, hint=costs.worst(ir), cost=f"{cost:,}", most=f"{most:,}")
    return cost <= most
