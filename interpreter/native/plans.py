"""Plans of conditions that are asked of all members of a kind at once.

A condition of a member is a plan of masks where each part of it is known before play, is the same for all members, or
asks for the piece in one slot: the member's own, or that of a member which lies so and so far behind it in the order of
its kind. The slots of a zone are sixteen bytes at a time. What cannot be planned so is asked member by member.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from interpreter.middle.analysis.partition import fixed, parts_of, speaks_of
from interpreter.native import zones
from interpreter.native.code import Code
from interpreter.native.lookups import Leaf
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.evaluate import NotConstant, TooMuchWork
from rulespec.lower.ir import Ir, walk_ir
from rulespec.lower.substitute import substitute
from rulespec.model.types import Boolean, Integer, ListType, Member, SetType, strip
from rulespec.program.meaning import bits

MOST_MEMBERS = 256
FEWEST_MEMBERS = 9  #: of fewer, each is asked as quickly
MOST_OFFSETS = 8
MOST_LISTED = 1_024  #: sets of members that are known before play, one for each case
MOST_OTHERS = 2_000  #: members of another kind through which slots are asked for
MOST_CODES = 64


# ---- plans ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Known:
    """Members that are known before play."""

    bits: int


@dataclass(frozen=True, slots=True)
class Same:
    """A condition that is the same for all members."""

    test: Ir


@dataclass(frozen=True, slots=True)
class Listed:
    """Members that are known before play for each of the values that some leaves have together (see `lookups`)."""

    leaves: tuple[Leaf, ...]
    bits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Slots:
    """Members in whose slot lies a piece of which something holds: `values` by code, the last one for no piece.

    Without `other` a value other than 0 holds; else one that is equal to it, or (`apart`) that is not.
    """

    zone: str
    size: int
    values: tuple[int, ...]
    other: Ir | None = None
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Off:
    """Members for which it holds of another one: for each distance to that one, for which members it is asked."""

    of: Plan
    size: int
    asked: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Members for which it does not hold."""

    of: Plan


@dataclass(frozen=True, slots=True)
class Several:
    """Members for which all of them hold, or (`any`) one of them."""

    of: tuple[Plan, ...]
    any: bool = False


Plan = Known | Same | Listed | Slots | Off | Not | Several


class Planner:
    """Finds the plans of conditions."""

    def __init__(self, s: Code):
        self.s = s

    def narrowed(self, source: Ir, name: str, where: Ir | None) -> tuple[Plan, Ir | None] | None:
        """The plan of as much of a filter as can be planned, and what is left of it; None where none of it can."""
        if where is None or not isinstance(source, I.Whole) or not FEWEST_MEMBERS <= source.size <= MOST_MEMBERS:
            return None
        plans: list[Plan] = []
        left: list[Ir] = []
        while isinstance(where, I.Let) and _cheap(where.value):
            where = substitute(where.body, {where.name: where.value})
        for part in parts_of(where):
            plan = self.plan(part, name, source.size)
            if plan is None:
                left.append(part)
                plan = self.needed(part, name, source.size)
            if plan is not None:
                plans.append(plan)
        if not any(looks(plan) for plan in plans):
            return None
        rest = None if not left else left[0] if len(left) == 1 else I.Logic(type=Boolean(), op="and", items=tuple(left))
        return Several(tuple(plans)), rest

    def plan(self, test: Ir, name: str, size: int) -> Plan | None:
        """The plan of a condition of the members of a kind, each of which is called `name`."""
        if self.s.noting:
            return None
        if name not in speaks_of(test):
            return Same(test) if _cheap(test) else None
        known = self._known(test, name, size) or self._listed(test, name, size)
        if known is not None:
            return known
        if isinstance(test, I.Let):
            return self.plan(substitute(test.body, {test.name: test.value}), name, size)
        if isinstance(test, I.NotIr):
            inner = self.plan(test.of, name, size)
            return None if inner is None else Not(inner)
        if isinstance(test, I.Logic):
            parts = [self.plan(item, name, size) for item in test.items]
            found = tuple(part for part in parts if part is not None)
            return Several(found, any=test.op == "or") if len(found) == len(parts) else None
        if isinstance(test, I.Comprehend):
            return self._some(test, name, size)
        return self._slots(test, name, size)

    def needed(self, test: Ir, name: str, size: int) -> Plan | None:
        """The plan of something that holds wherever a condition does: so it is asked of fewer members."""
        if not isinstance(test, I.Comprehend) or test.op != "any" or test.where is None:
            return None
        for part in parts_of(_opened(self.s, test.where)):
            plan = self._some(replace(test, where=part), name, size)
            if plan is not None and looks(plan):
                return plan
        return None

    def _value(self, node: Ir, given: dict[str, int]) -> object:
        try:
            return self.s.grouping.evaluator.value(node, given)
        except (NotConstant, TooMuchWork, LookupError):
            return None

    def _each(self, node: Ir, name: str, size: int) -> list[object] | None:
        """What is known before play of each member."""
        if speaks_of(node) != {name} or not fixed(node):
            return None
        found = [self._value(node, {name: i}) for i in range(size)]
        return None if None in found else found

    def _known(self, test: Ir, name: str, size: int) -> Known | None:
        values = self._each(test, name, size)
        if values is None:
            return None
        return Known(sum(1 << i for i, value in enumerate(values) if value))

    def _listed(self, test: Ir, name: str, size: int) -> Listed | None:
        """A condition of the member and of a few small values that are the same for all."""
        shape = self.s.lookups.shape(test)
        if shape is None or len(shape.leaves) < 2:
            return None
        own = [i for i, leaf in enumerate(shape.leaves) if isinstance(leaf.node, I.Var) and leaf.node.name == name]
        others = [leaf for i, leaf in enumerate(shape.leaves) if i not in own]
        if len(own) != 1 or any(name in speaks_of(leaf.node) for leaf in others):
            return None
        at = own[0]
        if shape.leaves[at].low or shape.leaves[at].amount != size or prod(x.amount for x in others) > MOST_LISTED:
            return None
        values = self.s.lookups.entries(test, shape)
        if values is None:
            return None
        found: dict[tuple[int, ...], int] = {}
        for case, value in zip(product(*(range(leaf.amount) for leaf in shape.leaves)), values, strict=True):
            rest = case[:at] + case[at + 1 :]
            found[rest] = found.get(rest, 0) | bool(value) << case[at]
        return Listed(tuple(others), tuple(found[case] for case in product(*(range(x.amount) for x in others))))

    # ---- slots ----

    def _slots(self, test: Ir, name: str, size: int) -> Plan | None:
        """A condition of the piece in one slot."""
        found = self._slot(test, name)
        if found is None:
            return None
        slots, place = found
        if isinstance(place, I.Var) and place.name == name:
            return slots if slots.size == size else None
        return self._elsewhere(slots, self._each(place, name, size))

    def _slot(self, test: Ir, name: str) -> tuple[Slots, Ir] | None:
        """What is asked of the piece in one slot, and the slot's place."""
        found = self._of_piece(test, name)
        other, apart = None, False
        if found is None and isinstance(test, I.Compare) and test.op in ("==", "!="):
            for one, against in ((test.left, test.right), (test.right, test.left)):
                if found is None and name not in speaks_of(against) and _cheap(against) and self._byte(against):
                    found, other, apart = self._of_piece(one, name), against, test.op == "!="
        if found is None:
            return None
        read, values = found
        if other is not None and not all(-1 <= value < 128 for value in values):
            return None
        zone, place = read.zone.zone, read.zone.place  # type: ignore[attr-defined]
        return Slots(zone, self.s.declared.zones[zone].places, values, other, apart), place

    def _byte(self, node: Ir) -> bool:
        """Whether the values of an expression are told apart by their lowest byte, none too."""
        t = strip(node.type)
        if isinstance(t, Member):
            return self.s.declared.domains[t.domain].size <= 128
        if isinstance(t, Integer):
            return t == node.type and t.low is not None and t.low >= -1 and t.high is not None and t.high < 128
        return isinstance(t, Boolean)

    def _elsewhere(self, slots: Slots, places: list[object] | None) -> Plan | None:
        """A condition of the piece that lies with another member; with none there is no piece."""
        if places is None:
            return None
        pairs = [(at, to) for at, to in enumerate(places) if isinstance(to, int) and to >= 0]
        offsets = _offsets(pairs)
        if offsets is None:
            return None
        missing = Known(size_mask(len(places)) & ~sum(1 << at for at, _ in pairs))
        there = Off(slots, slots.size, offsets)
        if not missing.bits:
            return there
        if slots.other is None:
            return Several((there, missing), any=True) if slots.values[-1] else there
        none = I.Const(type=slots.other.type, value=slots.values[-1])
        same = I.Compare(type=Boolean(), op="!=" if slots.apart else "==", left=none, right=slots.other)
        return Several((there, Several((missing, Same(same)))), any=True)

    def _of_piece(self, node: Ir, name: str) -> tuple[I.ZoneRead, tuple[int, ...]] | None:
        """The slot whose piece a value depends on alone; the value for each code, the last one for no piece."""
        shape = self.s.lookups.shape(node) if self.s.is_scalar(node.type) else None
        known = None if shape is None else self.s.lookups.reduced(node, shape)
        if known is None or len(known[0]) != 1:
            return None
        leaf, values = known[0][0].node, known[1]
        if not isinstance(leaf, I.CodeOf) or not isinstance(leaf.piece, I.ZoneRead) or name not in speaks_of(leaf):
            return None
        if not self._readable(leaf.piece.zone.zone):  # type: ignore[attr-defined]
            return None
        return leaf.piece, (*values[1:], values[0])

    def _readable(self, zone: str) -> bool:
        """Whether the slots of a zone lie side by side, as they are."""
        s = self.s
        decl = s.declared.zones[zone]
        if s.shadow is not None and zone in s.shadow.written():
            return False
        alone = decl.shape == "slot" and s.cells.piece == 1 and s.layout.strides[zone] == 1
        return alone and decl.places <= MOST_MEMBERS and zones.kind_of(s, decl).count < MOST_CODES

    # ---- one of some others ----

    def _some(self, test: I.Comprehend, name: str, size: int) -> Plan | None:
        """Whether it holds of one, or of all, of the members that are known for each member."""
        inner = test.where if test.op == "any" else test.value
        if test.op not in ("any", "all") or inner is None or (test.op == "all" and test.where is not None):
            return None
        others = member_lists(self.s, test.source)
        if others is None or not isinstance(test.source, I.Table):
            return None
        lists, domain = others
        index = self._each(test.source.index, name, size)
        if index is None or name in speaks_of(inner):
            return None
        pairs = [(at, to) for at, row in enumerate(index) if isinstance(row, int) for to in lists[row]]
        if test.op == "any":
            there = self._there(inner, test.name, pairs, domain)
            if there is not None:
                return there
        offsets = _offsets(pairs)
        plan = self.plan(inner, test.name, domain) if domain <= MOST_MEMBERS else None
        if offsets is None or plan is None or not looks(plan):
            return None
        return Off(plan, domain, offsets) if test.op == "any" else Not(Off(Not(plan), domain, offsets))

    def _there(self, test: Ir, name: str, pairs: Sequence[tuple[int, int]], domain: int) -> Plan | None:
        """Whether it holds of the piece that lies where one of some others says, which none of them leaves open."""
        found = self._slot(test, name) if domain <= MOST_OTHERS else None
        if found is None or (isinstance(found[1], I.Var) and found[1].name == name):
            return None
        slots, place = found
        sure = slots.values[-1] == -1 and slots.other is not None and strip(slots.other.type) == slots.other.type
        if slots.values[-1] and not (sure and not slots.apart):
            return None  # where there is no place, it would hold
        places = self._each(place, name, domain)
        if places is None:
            return None
        offsets = _offsets([(at, x) for at, to in pairs if isinstance(x := places[to], int) and x >= 0])
        return None if offsets is None else Off(slots, slots.size, offsets)


def _opened(s: Code, test: Ir) -> Ir:
    """A condition that is a call, as the condition which the function asks."""
    if not isinstance(test, I.CallIr) or not all(isinstance(arg, _PLAIN) for arg in test.args):
        return test
    body = s.body_of(test.function)
    params = s.declared.functions[test.function].params
    given = {f"{test.function}.{param}": arg for (param, _), arg in zip(params, test.args, strict=True)}
    return test if body is None else substitute(body, given)


def member_lists(s: Code, source: Ir) -> tuple[list[tuple[int, ...]], int] | None:
    """The members of each entry of a constant table of lists or sets, the last for none, and how many there can be."""
    if not isinstance(source, I.Table):
        return None
    t = strip(source.type)
    if not isinstance(t, (ListType, SetType)) or not isinstance(strip(t.of), Member):
        return None
    found: list[tuple[int, ...]] = []
    for entry in (*s.declared.table(source.table), ()):
        row = bits(max(entry, 0)) if isinstance(t, SetType) and isinstance(entry, int) else entry
        if not isinstance(row, (list, tuple)) or any(not isinstance(each, int) or each < 0 for each in row):
            return None
        found.append(tuple(row))
    return found, s.declared.domains[strip(t.of).domain].size  # type: ignore[attr-defined]


def _offsets(pairs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...] | None:
    """For each distance the members from which another one lies so far on, as bits; None for too many distances."""
    found: dict[int, int] = {}
    for at, to in pairs:
        found[to - at] = found.get(to - at, 0) | 1 << at
    return tuple(sorted(found.items())) if 0 < len(found) <= MOST_OFFSETS else None


def looks(plan: Plan) -> bool:
    """Whether a plan looks at pieces at all."""
    if isinstance(plan, Several):
        return any(looks(each) for each in plan.of)
    return isinstance(plan, Slots) or (isinstance(plan, (Off, Not)) and looks(plan.of))


_PLAIN = (I.Const, I.Var, I.Local, I.Load, I.Table, I.Compare, I.Logic, I.NotIr)


def _cheap(node: Ir) -> bool:
    """Whether a value can be found in a few steps that cannot fail."""
    parts = list(walk_ir(node))
    return len(parts) <= 12 and all(isinstance(part, _PLAIN) for part in parts)


def size_mask(size: int) -> int:
    """The bits of all members."""
    return (1 << size) - 1
