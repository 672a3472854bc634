"""Conditions asked of all members of a kind at once: one bit for each member, in words of 64. See `plans`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter.middle.analysis.partition import speaks_of
from interpreter.native import sets, zones
from interpreter.native.code import WORD, Code
from interpreter.native.plans import (
    Known,
    Listed,
    Not,
    Off,
    Plan,
    Planner,
    Same,
    Several,
    Slots,
    looks,
    member_lists,
    size_mask,
)
from interpreter.native.wasm import I64, E, Local, bits_of_bytes, const, const64, load, select
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import walk_ir

LANES = 16  #: bytes that are looked at together

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
        address, at = zones.where_at(s, s.declared.zones[plan.zone], const(0))
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
        if plan is not None and looks(plan):
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
