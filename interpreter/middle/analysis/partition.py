"""Filters that are known before play: the members of a kind are put into groups once, and a loop takes its group.

In `s in station where s.start.square == square and ...` the stations of each square never change; only the group of
the square at hand is gone through.
"""

from __future__ import annotations

from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Declared
from rulespec.lower.evaluate import MOST_STEPS, Evaluator, NotConstant, TooMuchWork
from rulespec.lower.ir import Compare, Ir, Logic, walk_ir
from rulespec.model.types import Boolean, Integer, Member, strip

MOST_MEMBERS = 2_000
MOST_FOUND = 1_000_000  #: steps of finding values, for all expressions of a game together
MOST_GROUPS = 2_000

Groups = tuple[tuple[int, ...], ...]


class Grouping:
    """Groups of members, found by evaluating filters for each member."""

    def __init__(self, declared: Declared):
        self.declared = declared
        self.evaluator = Evaluator(declared, self.body_of)
        self.evaluator.steps = MOST_STEPS - MOST_FOUND

    def body_of(self, name: str) -> tuple[tuple[str, ...], Ir]:
        """The parameters of a declared function, as variables, and its expression."""
        function = self.declared.functions[name]
        assert function.body is not None
        return tuple(f"{name}.{p}" for p, _ in function.params), function.body

    def narrowed(self, source: Ir, name: str, where: Ir | None) -> tuple[Groups, Ir | None, Ir | None] | None:
        """The groups, what picks one of them (None: there is only one), and what is left of the filter.

        None where no part of the filter is known before play.
        """
        if not isinstance(source, I.Whole) or where is None or not 1 < source.size <= MOST_MEMBERS:
            return None
        known: list[Ir] = []
        left: list[Ir] = []
        for part in parts_of(where):
            (known if speaks_of(part) == {name} and fixed(part) else left).append(part)
        members = tuple(i for i in range(source.size) if all(self._values(p, name, source.size)[i] for p in known))
        picked = next((p for p in left if self._sides(p, name) is not None), None)
        if picked is None:
            return ((members,), None, _joined(left, where)) if len(members) < source.size else None
        left.remove(picked)
        key, by = self._sides(picked, name)  # type: ignore[misc]
        values = self._values(key, name, source.size)
        groups = tuple(tuple(i for i in members if values[i] == k) for k in (*range(self._most(by) + 1), -1))
        return groups, by, _joined(left, where)

    def _sides(self, part: Ir, name: str) -> tuple[Ir, Ir] | None:
        """Of `==`: the side that is known for each member, and the other one, which speaks of no member."""
        if not isinstance(part, Compare) or part.op != "==":
            return None
        for key, by in ((part.left, part.right), (part.right, part.left)):
            known = speaks_of(key) == {name} and fixed(key)
            if known and name not in speaks_of(by) and 0 <= self._most(by) < MOST_GROUPS:
                return key, by
        return None

    def _values(self, node: Ir, name: str, size: int) -> list[int]:
        return [self.evaluator.value(node, {name: i}) for i in range(size)]

    def _most(self, by: Ir) -> int:
        """The highest value of what picks a group, all from 0 on (or none); below zero where that is not known."""
        t = strip(by.type)
        if isinstance(t, Boolean):
            return 1
        if isinstance(t, Member):
            return self.declared.domains[t.domain].size - 1
        if isinstance(t, Integer) and by.type == t and t.low is not None and t.low >= 0 and t.high is not None:
            return t.high
        return -1

    def try_narrowed(self, source: Ir, name: str, where: Ir | None) -> tuple[Groups, Ir | None, Ir | None] | None:
        """As `narrowed`; None too where the filter cannot be evaluated."""
        try:
            return self.narrowed(source, name, where)
        except (NotConstant, TooMuchWork, LookupError):
            return None


def parts_of(node: Ir) -> list[Ir]:
    """What a condition demands, each part by itself."""
    if isinstance(node, Logic) and node.op == "and":
        return [part for item in node.items for part in parts_of(item)]
    return [node]


def _joined(parts: list[Ir], whole: Ir) -> Ir | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return Logic(type=whole.type, op="and", items=tuple(parts))


def speaks_of(node: Ir) -> set[str]:
    """The variables that an expression reads and does not bind itself."""
    bound = {n.name for n in walk_ir(node) if isinstance(n, (I.Comprehend, I.Let, I.WalkIr, I.ReachIr))}
    return {n.name for n in walk_ir(node) if isinstance(n, I.Var)} - bound


def fixed(node: Ir) -> bool:
    """Whether an expression reads nothing of the state; functions are found out about when they are evaluated."""
    return not any(isinstance(n, (I.Local, I.Load, I.ZoneIr, I.CallRow)) for n in walk_ir(node))
