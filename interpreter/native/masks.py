"""Conditions asked of all members of a kind at once: one bit for each member, in words of 64.

A condition of a member is a plan of masks where each part of it is known before play, is the same for all members, or
asks for the piece in one slot: the member's own, or that of a member which lies so and so far behind it in the order of
its kind. The slots of a zone are sixteen bytes at a time. What cannot be planned so is asked member by member.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from math import prod

from interpreter.executor.groups import fixed, parts_of, speaks_of
from interpreter.native import sets, zones
from interpreter.native.code import WORD, Code
from interpreter.native.lookups import Leaf
from interpreter.native.wasm import I64, E, Local, bits_of_bytes, const, const64, load, select
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.evaluate import NotConstant, TooMuchWork, bits
from rulespec.lower.ir import Ir, walk_ir
from rulespec.lower.substitute import substitute
from rulespec.model.types import Boolean, ListType, Member, SetType, strip

MOST_MEMBERS = 256
FEWEST_MEMBERS = 9  #: of fewer, each is asked as quickly
MOST_OFFSETS = 8
MOST_LISTED = 1_024  #: sets of members that are known before play, one for each case
MOST_CODES = 64
LANES = 16  #: bytes that are looked at together


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
        for part in parts_of(where):
            plan = self.plan(part, name, source.size)
            if plan is None:
                left.append(part)
            else:
                plans.append(plan)
        if not any(_looks(plan) for plan in plans):
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
        found = self._of_piece(test, name)
        other, apart = None, False
        if found is None and isinstance(test, I.Compare) and test.op in ("==", "!="):
            for one, against in ((test.left, test.right), (test.right, test.left)):
                if found is None and name not in speaks_of(against) and _cheap(against):
                    found, other, apart = self._of_piece(one, name), against, test.op == "!="
        if found is None:
            return None
        read, values = found
        if other is not None and not all(-1 <= value < 128 for value in values):
            return None
        zone, place = read.zone.zone, read.zone.place  # type: ignore[attr-defined]
        slots = Slots(zone, self.s.world.zones[zone].places, values, other, apart)
        if isinstance(place, I.Var) and place.name == name:
            return slots if slots.size == size else None
        return self._elsewhere(slots, self._each(place, name, size))

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
        if shape is None or len(shape.leaves) != 1:
            return None
        leaf = shape.leaves[0].node
        if not isinstance(leaf, I.CodeOf) or not isinstance(leaf.piece, I.ZoneRead) or name not in speaks_of(leaf):
            return None
        values = self.s.lookups.entries(node, shape)
        if values is None or not self._readable(leaf.piece.zone.zone):  # type: ignore[attr-defined]
            return None
        return leaf.piece, (*values[1:], values[0])

    def _readable(self, zone: str) -> bool:
        """Whether the slots of a zone lie side by side, as they are."""
        s = self.s
        decl = s.world.zones[zone]
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
        if index is None or domain > MOST_MEMBERS or name in speaks_of(inner):
            return None
        pairs = [(at, to) for at, row in enumerate(index) if isinstance(row, int) for to in lists[row]]
        offsets = _offsets(pairs)
        plan = self.plan(inner, test.name, domain)
        if offsets is None or plan is None or not _looks(plan):
            return None
        return Off(plan, domain, offsets) if test.op == "any" else Not(Off(Not(plan), domain, offsets))


def member_lists(s: Code, source: Ir) -> tuple[list[tuple[int, ...]], int] | None:
    """The members of each entry of a constant table of lists or sets, the last for none, and how many there can be."""
    if not isinstance(source, I.Table):
        return None
    t = strip(source.type)
    if not isinstance(t, (ListType, SetType)) or not isinstance(strip(t.of), Member):
        return None
    found: list[tuple[int, ...]] = []
    for entry in (*s.world.table(source.table), ()):
        row = bits(max(entry, 0)) if isinstance(t, SetType) and isinstance(entry, int) else entry
        if not isinstance(row, (list, tuple)) or any(not isinstance(each, int) or each < 0 for each in row):
            return None
        found.append(tuple(row))
    return found, s.world.domains[strip(t.of).domain].size  # type: ignore[attr-defined]


def _offsets(pairs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...] | None:
    """For each distance the members from which another one lies so far on, as bits; None for too many distances."""
    found: dict[int, int] = {}
    for at, to in pairs:
        found[to - at] = found.get(to - at, 0) | 1 << at
    return tuple(sorted(found.items())) if 0 < len(found) <= MOST_OFFSETS else None


def _looks(plan: Plan) -> bool:
    """Whether a plan looks at pieces at all."""
    if isinstance(plan, Several):
        return any(_looks(each) for each in plan.of)
    return isinstance(plan, Slots) or (isinstance(plan, (Off, Not)) and _looks(plan.of))


_PLAIN = (I.Const, I.Var, I.Local, I.Load, I.Table, I.Compare, I.Logic, I.NotIr)


def _cheap(node: Ir) -> bool:
    """Whether a value can be found in a few steps that cannot fail."""
    parts = list(walk_ir(node))
    return len(parts) <= 12 and all(isinstance(part, _PLAIN) for part in parts)


def size_mask(size: int) -> int:
    """The bits of all members."""
    return (1 << size) - 1


# ---- writing --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Writer:
    """Writes plans; a zone that is asked for the same thing twice is looked at once."""

    s: Code
    _seen: dict[Slots, list[E]] = field(default_factory=dict)

    def words(self, plan: Plan, size: int) -> list[E]:
        """The words of a plan, each in a variable; no other bits are set than those of members."""
        found = self._of(plan, size)
        whole = size_mask(size)
        return [self._keep(word & _word(whole, w) if not _full(whole, w) else word) for w, word in enumerate(found)]

    def _keep(self, value: E) -> E:
        return value if value.value is not None or isinstance(value, Local) else self.s.fn.keep(value)

    def _of(self, plan: Plan, size: int) -> list[E]:
        count = (size + WORD - 1) // WORD
        if isinstance(plan, Known):
            return [_word(plan.bits, w) for w in range(count)]
        if isinstance(plan, Same):
            holds = self._keep(select(self.s.ex(plan.test), const64(-1), const64(0)))
            return [holds] * count
        if isinstance(plan, Listed):
            return self._listed(plan, count)
        if isinstance(plan, Not):
            return [word ^ -1 for word in self._of(plan.of, size)]
        if isinstance(plan, Slots):
            return self._slots(plan)
        if isinstance(plan, Off):
            return self._off(plan, count)
        return self._several(plan, size)

    def _listed(self, plan: Listed, count: int) -> list[E]:
        s = self.s
        content = b"".join(bits.to_bytes(8 * count, "little") for bits in plan.bits)
        at = s.fn.keep(s.lookups.number(plan.leaves) * (8 * count))
        data = s.module.data(content, 8)
        return [load(at, 8, at=data + 8 * w, kind=I64) for w in range(count)]

    def _several(self, plan: Several, size: int) -> list[E]:
        found = self._of(plan.of[0], size)
        for each in plan.of[1:]:
            other = self._of(each, size)
            found = [a | b if plan.any else a & b for a, b in zip(found, other, strict=True)]
        return found

    def _slots(self, plan: Slots) -> list[E]:
        if plan not in self._seen:
            self._seen[plan] = [self._keep(word) for word in self._looked_at(plan)]
        return self._seen[plan]

    def _looked_at(self, plan: Slots) -> list[E]:
        s = self.s
        address, at = zones.where_at(s, s.world.zones[plan.zone], const(0))
        other = None if plan.other is None else s.fn.keep(s.scalar(plan.other))
        table = bytes(_byte(plan, value) for value in (plan.values[-1], *plan.values[:-1]))
        words: list[E] = []
        for w in range((plan.size + WORD - 1) // WORD):
            word: E = const64(0)
            for lane in range(0, min(WORD, plan.size - w * WORD), LANES):
                part = bits_of_bytes(address, at + w * WORD + lane, table, other, apart=plan.apart)
                word = (part << lane) if word.value == 0 else word | (part << lane)
            words.append(word)
        return words

    def _off(self, plan: Off, count: int) -> list[E]:
        source = [self._keep(word) for word in self._of(plan.of, plan.size)]
        found: list[E] = [const64(0)] * count
        for distance, asked in plan.asked:
            for w in range(count):
                if not asked >> w * WORD & size_mask(WORD):
                    continue
                moved = _moved(source, w, distance) & _word(asked, w)
                found[w] = moved if found[w].value == 0 else found[w] | moved
        return found


def _byte(plan: Slots, value: int) -> int:
    """What stands in the table of bytes for a value."""
    if plan.other is None:
        return 0xFF if value else 0
    return value & 0xFF


def _word(bits: int, w: int) -> E:
    return const64(bits >> w * WORD & size_mask(WORD))


def _full(bits: int, w: int) -> bool:
    return bits >> w * WORD & size_mask(WORD) == size_mask(WORD)


def _moved(source: Sequence[E], w: int, distance: int) -> E:
    """The word of which each bit is the one of the member so far on."""
    first, shift = divmod(w * WORD + distance, WORD)

    def at(i: int) -> E:
        return source[i] if 0 <= i < len(source) else const64(0)

    if not shift:
        return at(first)
    low, high = at(first), at(first + 1)
    if high.value == 0:
        return low >> shift
    if low.value == 0:
        return high << (WORD - shift)
    return (low >> shift) | (high << (WORD - shift))


@contextmanager
def members(s: Code, plan: Plan, size: int, preferred: Plan | None = None) -> Iterator[Local]:
    """A loop over the members of a plan, in order; where some of them are preferred, over those alone."""
    writer = Writer(s)
    words = writer.words(plan, size)
    if preferred is not None:
        words = _preferred(s, words, writer.words(preferred, size))
    if len(words) == 1:
        with sets.members(s, words[0], size) as at:
            yield at
        return
    room = s.module.room(8 * len(words), 8)
    for w, word in enumerate(words):
        s.fn.store(const(room), word, 8, at=8 * w)
    with sets.members(s, const(room), size) as at:
        yield at


def _preferred(s: Code, words: list[E], preferred: list[E]) -> list[E]:
    both = [s.fn.keep(a & b) for a, b in zip(words, preferred, strict=True)]
    some: E = both[0]
    for word in both[1:]:
        some = some | word
    found = s.fn.keep(some.ne(const64(0)))
    return [s.fn.keep(select(found, a, b)) for a, b in zip(both, words, strict=True)]


# ---- the same for every pass of a loop ------------------------------------------------------------------------------


def found_before(s: Code, loop: I.Comprehend) -> None:
    """Finds, before a loop, of which members something holds that its passes ask of some of them."""
    parts = [part for part in (loop.where, loop.value) if part is not None]
    bound = {loop.name} | {n.name for part in parts for n in walk_ir(part) if isinstance(n, _BINDS)}
    for node in {n for part in parts for n in walk_ir(part) if isinstance(n, I.Comprehend)}:
        test = node.where if node.op == "any" else node.value
        if node.op not in ("any", "all") or test is None or (node.op == "all" and node.where is not None):
            continue
        lists = member_lists(s, node.source)
        if lists is None or lists[1] > WORD or (speaks_of(test) - {node.name}) & bound:
            continue
        plan = Planner(s).plan(test, node.name, lists[1])
        if plan is not None and _looks(plan):
            s.masks[node] = Writer(s).words(plan, lists[1])[0]


def by_mask(s: Code, node: I.Comprehend) -> E | None:
    """Whether something holds of one, or of all, of the members of an entry of a table, where `found_before` knows."""
    mask = s.masks.get(node)
    lists = member_lists(s, node.source)
    if mask is None or lists is None:
        return None
    rows = [sum(1 << member for member in row) for row in lists[0]]
    row = s.set_entry(rows, lists[1], s.scalar(node.source.index))  # type: ignore[attr-defined]
    if node.op == "any":
        return (row & mask).ne(const64(0))
    return (row & (mask ^ -1)).eq(0)


_BINDS = (I.Comprehend, I.Let, I.WalkIr, I.ReachIr)
