"""Blocks that several builds of one check share: made once for all builds in which they come out the same.

A block is made from its text and from what it reads of the declarations. What it read is noted when it is made; in
another build in which all of that is the same, it is not made again: what making it has done is done again instead
(its instructions and slots, the blocks that it asked for, the numbers that effects got).

    shared = Shared()
    versions = Versions(shared.known, cx, builder.checks)           # of one build
    make_shared(shared, versions, builder, wanted, make, close)     # for each of its blocks

Only what reports nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulespec.diagnostics.model import Problems
from rulespec.lower.context import reporting
from rulespec.lower.offers.kept import Walks
from rulespec.lower.redeclared import Remembered
from rulespec.lower.sizes import dearest
from rulespec.lower.steps.builder import MOST_INSTRUCTIONS, Builder, Numbering, ProcKey, Wanted
from rulespec.lower.steps.keeping import Kept, put_again, shifted, written_again
from rulespec.lower.steps.lockstep import Earlier, Pace
from rulespec.lower.versions import Known, Versions, noted_tables

#: So many ways of making one block are kept: each more takes time to compare. So many instructions in all.
MOST_KEPT, MOST_INSTRUCTIONS_KEPT = 16, 80_000

Make = Callable[[Builder, Wanted], None]
Close = Callable[[Builder, Wanted, int], None]


@dataclass(slots=True)
class Shared:
    """What the builds of one check share."""

    numbering: Numbering = field(default_factory=Numbering)
    blocks: dict[ProcKey, list[Kept]] = field(default_factory=dict)
    room: int = MOST_INSTRUCTIONS_KEPT
    walks: Walks = field(default_factory=Walks)
    known: Known = field(default_factory=Known)
    earlier: Earlier = field(default_factory=Earlier)
    declared: dict[tuple[int, int], Remembered] = field(default_factory=dict)  #: by the tree and the number of players
    pace: Pace | None = None  #: the last build, where nothing was wrong with it

    def finish(self, pace: Pace | None) -> None:
        """A build is made, which others may go by where nothing is wrong with it (else None)."""
        done = None if pace is None else pace.finish()
        self.pace = None if done is None else pace
        if done is not None:
            self.earlier.add(done)


def versions_of(builder: Builder, shared: Shared | None) -> Versions | None:
    """What tells whether something comes out as in another build; None where nothing is shared, or is wrong."""
    cx = builder.cx
    if shared is None or cx.world.reads is None or cx.world.broken or cx.problems.has_errors:
        return None
    for name in dict.keys(cx.world.functions):
        cx.costs.function(name)  # now, so that no block hangs on whether another one has asked before
    noted_tables(cx)
    cx.versions = Versions(shared.known, cx, builder.checks)
    return cx.versions


def make_shared(
    shared: Shared, versions: Versions, builder: Builder, wanted: Wanted, make: Make, close: Close
) -> Kept | None:
    """Makes a block (`make`), or does again what making it did where all that it read was the same; gives what is kept.

    `close` notes that the block is made, whose instructions begin at a number. Once something is wrong nothing is
    shared any more: what is wrong twice at one place is reported once, so that nobody could say what a block reports.
    """
    if builder.cx.problems.has_errors:
        make(builder, wanted)
        return None
    for kept in shared.blocks.get(wanted.key, ()):
        if _fits(kept, versions, builder, wanted):
            if _again(kept, versions, builder, wanted, close):
                return kept
            break
    found = _made(versions, builder, wanted, make)
    blocks = shared.blocks.setdefault(wanted.key, [])
    if found is not None and len(blocks) < MOST_KEPT and len(found.instrs) <= shared.room:
        shared.room -= len(found.instrs)
        blocks.append(found)
    return found


# ---- making -----------------------------------------------------------------------------------------


def _made(versions: Versions, builder: Builder, wanted: Wanted, make: Make) -> Kept | None:
    """Makes a block; what it was made from and what that did, where nothing was reported."""
    cx = builder.cx
    reads = cx.world.reads
    assert reads is not None
    said, first, loops = Problems(), len(builder.instrs), len(builder.loops)
    names, slots, effects = dict(wanted.names), builder.taken.get(wanted.id, 0), len(cx.world.interned)
    builder.wishes.clear()
    streams, builder.streams = builder.streams, {}
    with reporting(cx, said), reads.noting() as notes:
        make(builder, wanted)
        most = dearest(cx.costs, builder.instrs[first:])  # here, so that what this reads is noted too
    builder.dearest[wanted.id] = most
    cx.problems.extend(said)
    own, builder.streams = builder.streams, {**streams, **builder.streams}
    found = versions.of_all(notes, effects)
    if len(said) or found is None:
        return None
    mine = builder.slots_of(wanted.id, slots)
    return Kept(
        reads=found,
        names=names,
        slots=tuple(builder.slots[slot] for slot in mine),
        instrs=tuple(builder.instrs[first:]),
        wishes=tuple(builder.wishes),
        interned=tuple(notes.interned),
        written=tuple(notes.written.items()),
        filters=tuple(notes.filters),
        streams=tuple(own),
        effects=tuple((slot, builder.effects[slot]) for slot in mine if slot in builder.effects),
        loops=tuple(shifted(loop, -first) for loop in builder.loops[loops:]),
        dearest=most,
    )


# ---- doing it again ---------------------------------------------------------------------------------


def _fits(kept: Kept, versions: Versions, builder: Builder, wanted: Wanted) -> bool:
    """Whether making the block would do again what it did then."""
    if len(builder.instrs) + len(kept.instrs) > MOST_INSTRUCTIONS or kept.names != wanted.names:
        return False
    return all(versions.of(place) == version for place, version in kept.reads)


def _again(kept: Kept, versions: Versions, builder: Builder, wanted: Wanted, close: Close) -> bool:
    """Does what making the block did; False where effects have got other numbers meanwhile."""
    cx, first = builder.cx, len(builder.instrs)
    for entry, number in kept.interned:
        versions.forget_effect(number)
        if cx.world.intern(*entry) != number:
            return False
    for wish in kept.wishes:
        builder.want(wish.key, wish.params, dict(wish.fixed))
    written_again(kept, cx, versions)
    for slot in kept.slots:
        builder.slot(slot.name, slot.type, wanted.id, hidden=slot.hidden)
    put_again(kept, builder, wanted)
    close(builder, wanted, first)
    return True
