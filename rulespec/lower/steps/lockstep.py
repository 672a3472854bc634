"""A build beside one that was made before: what comes out as it did there is not made, and not even looked at.

Two builds of one game often differ in a few places that anything hangs on. It is known of each build which of its
blocks has read which place. So only the blocks that have read one which differs are looked at; as long as these do the
same to the rest (what they ask for, which numbers effects get), all others are as they were. What is found of a whole
program is found again where it has read no such place and goes by no block that is another one.

    pace = Pace(builder, versions, done)        # done: what earlier builds have done
    pace.block(wanted, make)                    # for each block in turn
    pace.round(reach)                           # asks for blocks of effects that are performed as values
    made = pace.finish()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec.lower.ir import Ask, Ir, Proc, Slot
from rulespec.lower.steps.builder import MOST_INSTRUCTIONS, Builder, ProcKey, Wanted
from rulespec.lower.steps.keeping import Kept, put_again, written_again
from rulespec.lower.versions import Versions
from rulespec.model.reads import MISSING, Notes, Place
from rulespec.program.ops import QUESTIONS

#: So many builds are remembered, and so many steps of them all.
MOST_DONE, MOST_STEPS = 64, 60_000

#: Entries of effects that were numbered.
Interned = tuple[tuple[str, tuple[int, ...], frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class First:
    """A block that was asked for the first time, as it was then."""

    wanted: Wanted
    slots: tuple[tuple[int, Slot], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A block that was made (`kept`), or a round of asking for others; with what it did to what comes after it."""

    key: ProcKey | None
    kept: Kept | None
    reads: frozenset[Place]
    firsts: tuple[First, ...]
    slots: tuple[tuple[int, Slot], ...] = ()
    proc: Proc | None = None
    performed: tuple[tuple[tuple[int, int], tuple[ProcKey, tuple[Ir, ...]] | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Beside:
    """What was found of a whole program, from what was read of the declarations and from some blocks (None: all)."""

    reads: frozenset[Place]
    blocks: frozenset[int] | None
    found: Any
    filters: tuple[tuple[Any, bool | None], ...]
    steps: int


@dataclass(slots=True)
class Done:
    """What making all blocks of a build did, step by step.

    `places` are those that were read before the build itself had written there, with the numbers of what was there.
    """

    steps: list[Step]
    places: dict[Place, int]
    interned: Interned
    beside: dict[str, Beside]


@dataclass(slots=True)
class Earlier:
    """The builds that were made before."""

    done: list[Done] = field(default_factory=list)
    room: int = MOST_STEPS

    def add(self, done: Done) -> None:
        """Remembers one more, where there is room."""
        if len(self.done) < MOST_DONE and self.room >= len(done.steps):
            self.room -= len(done.steps)
            self.done.append(done)


class Pace:
    """One build beside the earlier one that is most like it; `base` is None as soon as they go different ways."""

    def __init__(self, builder: Builder, versions: Versions, earlier: Earlier) -> None:
        self._builder, self._versions = builder, versions
        self._interned: Interned = tuple(builder.cx.world.interned)
        self.base, self.differs = _nearest(versions, self._interned, earlier.done)
        self._steps: list[Step] | None = []
        self._places: dict[Place, int] = {}
        if self.base is not None:
            self._places = {**self.base.places, **{place: versions.of(place) for place in self.differs}}
        self._written: set[tuple[str, Any]] = set()
        self._tables: set[str] = set()
        self._beside: dict[str, Beside] = {}
        #: the blocks that were made otherwise than in `base`, by number: what they were there, and what they are
        self.others: dict[int, tuple[Kept, Kept]] = {}
        #: what filters were before the first block was made
        self.filters = {span: set(values) for span, values in builder.cx.world.constant_filters.items()}

    # ---- blocks ----

    def block(self, wanted: Wanted, make: Callable[[], Kept | None]) -> None:
        """Makes a block, or does what making it did."""
        step = self._next(wanted.key)
        if step is not None and step.kept is not None and self._does(step, step.kept, wanted):
            return
        first = len(self._builder.queue)
        before = self._builder.taken.get(wanted.id, 0)
        kept = make()
        if step is not None and step.kept is not None and self.base is not None:
            if kept is None or not _does_the_same(step.kept, kept):
                self.base = None
            elif kept is not step.kept:
                if not _is_the_same(step.kept, kept):
                    self.others[wanted.id] = step.kept, kept
                self.differs |= _written_otherwise(step.kept, kept)
        if kept is None:
            self._steps = self.base = None
        elif self._steps is not None:
            mine = self._builder.slots_of(wanted.id, before)
            slots = tuple((slot, self._builder.slots[slot]) for slot in mine)
            reads = frozenset(place for place, _ in kept.reads)
            self._steps.append(
                Step(wanted.key, kept, reads, self._firsts(first), slots, self._builder.procs[wanted.id])
            )
            self._note(kept.reads, (key for key, _ in kept.written))

    def _next(self, key: ProcKey | None) -> Step | None:
        """What the other build did next; None where there is none, or it went another way."""
        if self.base is None or self._steps is None:
            return None
        at = len(self._steps)
        step = self.base.steps[at] if at < len(self.base.steps) else None
        if step is None or step.key != key:
            self.base = None
            return None
        return step

    def _does(self, step: Step, kept: Kept, wanted: Wanted) -> bool:
        """Does what making a block did, where nothing of what it read differs; False where something does."""
        builder, cx = self._builder, self._builder.cx
        first = len(builder.instrs)
        if not self.differs.isdisjoint(step.reads) or first + len(kept.instrs) > MOST_INSTRUCTIONS:
            return False
        for entry, number in kept.interned:
            self._versions.forget_effect(number)
            cx.world.intern(*entry)
        written_again(kept, cx, self._versions)
        self._ask_for(step.firsts)
        for wish in kept.wishes:
            if wish.fixed:
                builder.wanted[wish.key].names.update(wish.fixed)
        if step.slots:
            builder.slots.update(step.slots)
            builder.taken[wanted.id] += len(step.slots)
        put_again(kept, builder, wanted)
        builder.procs[wanted.id] = _moved_to(step.proc, first)
        self._go_on(step)
        return True

    # ---- rounds ----

    def round(self, reach: Callable[[], bool]) -> bool:
        """Asks for the blocks of all effects that are performed as values; whether there were new ones."""
        step = self._next(None)
        builder = self._builder
        if step is not None and self.differs.isdisjoint(step.reads):
            self._ask_for(step.firsts)
            for (level, value), found in step.performed:
                builder.performed[level, value] = None if found is None else (builder.wanted[found[0]], found[1])
            self._go_on(step)
            return bool(step.firsts)
        return self._round_anew(step, reach)

    def _round_anew(self, step: Step | None, reach: Callable[[], bool]) -> bool:
        builder, reads = self._builder, self._builder.cx.world.reads
        assert reads is not None
        first, known = len(builder.queue), len(builder.performed)
        with reads.noting() as notes:
            new = reach()
        firsts = self._firsts(first)
        performed = tuple(
            (at, None if found is None else (found[0].key, found[1]))
            for at, found in list(builder.performed.items())[known:]
        )
        if step is not None and (
            [f.wanted for f in step.firsts] != [f.wanted for f in firsts] or step.performed != performed
        ):
            self.base = None
        if notes.written or notes.interned:
            self._steps = self.base = None
        if self._steps is not None:
            self._steps.append(Step(None, None, frozenset(notes.read), firsts, performed=performed))
            self._note(((place, self._versions.of(place)) for place in notes.read), ())
        return new

    # ---- what was done ----

    def finish(self) -> Done | None:
        """What all steps did; None where that cannot be said."""
        if self._steps is None:
            return None
        if self.base is not None and len(self.base.steps) != len(self._steps):
            self.base = None
        return Done(self._steps, self._places, self._interned, self._beside)

    # ---- the whole program ----

    def again(
        self, what: str, make: Callable[[], tuple[Any, frozenset[int] | None]], read: Iterable[Place] = ()
    ) -> Any:
        """What `make` finds of the program, with the blocks that it goes by (None: all); as it was found for `base`,
        where none of these is another one, and nothing differs that was read. `read` is read beside what is noted.
        """
        known = self.known(what)
        if known is not None and self._builder.cx.evaluator.may_spend(known.steps):
            self._builder.cx.evaluator.steps += known.steps
            for span, fixed in known.filters:
                self._builder.cx.world.note_filter(span, fixed)
            self._keep(what, known)
            return known.found
        cx, reads = self._builder.cx, self._builder.cx.world.reads
        assert reads is not None
        steps = cx.evaluator.steps
        with reads.noting() as notes:
            found, blocks = make()
        if not notes.interned and all(table == "costs" for table, _ in notes.written):
            places = frozenset((*notes.read, *read))
            self._keep(what, Beside(places, blocks, found, tuple(notes.filters), cx.evaluator.steps - steps))
        return found

    def known(self, what: str) -> Beside | None:
        """What was found for `base`, where it would be found again."""
        found = None if self.base is None else self.base.beside.get(what)
        if found is None or not self.differs.isdisjoint(found.reads):
            return None
        is_same = not self.others if found.blocks is None else self.others.keys().isdisjoint(found.blocks)
        return found if is_same else None

    def earlier(self, what: str) -> Any:
        """What was found for `base`, whether or not it would be found again; None where nothing was."""
        found = None if self.base is None else self.base.beside.get(what)
        return None if found is None else found.found

    def is_as_earlier(self, what: str) -> bool:
        """Whether the same was found as for `base`; neither may have found anything."""
        mine = self._beside.get(what)
        return self.base is not None and self.earlier(what) == (None if mine is None else mine.found)

    def keep(self, what: str, found: Any, notes: Notes | None = None) -> None:
        """Notes what was found, for builds that come after, and what was read for it."""
        reads, filters = (frozenset(notes.read), tuple(notes.filters)) if notes is not None else (frozenset(), ())
        self._keep(what, Beside(reads, None, found, filters, 0))

    def forget(self, what: str) -> None:
        """Something was found that has to be found anew each time, as it is reported."""
        self._beside.pop(what, None)

    @property
    def touched(self) -> frozenset[int]:
        """The blocks of which it must be looked whether they are as in `base`: others, and those with loops."""
        slots = self._builder.slots
        return frozenset((*self.others, *(slots[loop.ask.left].proc for loop in self._builder.loops)))

    def _keep(self, what: str, found: Beside) -> None:
        self._beside[what] = found
        self._note(((place, self._versions.of(place)) for place in found.reads), ())

    @property
    def goes_the_same_way(self) -> bool:
        """Whether all blocks have the same form as in `base`: what they call and perform, and what chance decides."""
        return self.base is not None and all(_form(one) == _form(other) for one, other in self.others.values())

    def _go_on(self, step: Step) -> None:
        assert self._steps is not None
        self._steps.append(step)
        if step.kept is not None:
            self._has_written(key for key, _ in step.kept.written)

    def _note(self, reads: Iterable[tuple[Place, int]], written: Iterable[tuple[str, Any]]) -> None:
        """Notes what was read of what had been there before the first block was made."""
        for place, version in reads:
            how, table, key = place
            if how == "effect":
                is_own = key >= len(self._interned)
            elif how == "all":
                is_own = table in self._tables
            else:
                is_own = how in ("at", "in") and (table, key) in self._written
            if not is_own:
                self._places.setdefault(place, version)
        self._has_written(written)

    def _has_written(self, written: Iterable[tuple[str, Any]]) -> None:
        for entry in written:
            self._written.add(entry)
            self._tables.add(entry[0])

    def _ask_for(self, firsts: tuple[First, ...]) -> None:
        builder = self._builder
        for first in firsts:
            old = first.wanted
            wanted = Wanted(old.id, old.key, old.back, old.params, dict(old.names))
            builder.wanted[old.key] = wanted
            builder.queue.append(wanted)
            builder.slots.update(first.slots)
            builder.taken[old.id] = len(first.slots)

    def _firsts(self, since: int) -> tuple[First, ...]:
        """The blocks that were asked for first of all since the queue was so long."""
        builder = self._builder
        return tuple(
            First(
                Wanted(w.id, w.key, w.back, w.params, dict(w.names)),
                tuple((slot, builder.slots[slot]) for slot in (w.back, *w.params)),
            )
            for w in builder.queue[since:]
        )


def _nearest(versions: Versions, interned: Interned, done: list[Done]) -> tuple[Done | None, set[Place]]:
    """The build that differs in the fewest places, with these; None where there is none. Of two the one made last."""
    best: tuple[Done | None, set[Place]] = None, set()
    for each in reversed(done):
        most = None if best[0] is None else len(best[1]) - 1
        if each.interned == interned and (differs := _different(versions, each, most)) is not None:
            best = each, differs
            if not differs:
                break
    return best


def _different(versions: Versions, done: Done, most: int | None) -> set[Place] | None:
    """The places that are not as they were in a build; None where they are more than `most`, or all hangs on one."""
    differs: set[Place] = set()
    of = versions.of
    for place, version in done.places.items():
        if of(place) != version:
            differs.add(place)
            if place[0] == "frame" or (most is not None and len(differs) > most):
                return None
    return differs


def own_places(done: Done, places: Iterable[Place]) -> set[Place]:
    """Those of some places at which the blocks of a build have written themselves: what is there follows from them."""
    written = {entry for step in done.steps if step.kept is not None for entry, _ in step.kept.written}
    effects = len(done.interned)
    return {
        place
        for place in places
        if (place[0] in ("at", "in") and place[1:] in written and place not in done.places)
        or (place[0] == "effect" and place[2] >= effects)
    }


def found_of(
    pace: Pace | None, what: str, make: Callable[[], tuple[Any, frozenset[int] | None]], read: Iterable[Place] = ()
) -> Any:
    """What `make` finds of a program: as `Pace.again`, where builds go beside each other."""
    return make()[0] if pace is None else pace.again(what, make, read)


def _does_the_same(one: Kept, other: Kept) -> bool:
    """Whether two ways of making a block do the same to all that comes after them."""
    return one is other or (
        one.wishes == other.wishes
        and one.interned == other.interned
        and one.effects == other.effects
        and one.names == other.names
        and one.performing() == other.performing()
    )


def _is_the_same(one: Kept, other: Kept) -> bool:
    """Whether a block has come out the same, whatever was read for it: its functions may have become dearer."""
    places = [instr.span for instr in one.instrs] == [instr.span for instr in other.instrs]
    same = one.instrs == other.instrs and one.slots == other.slots and one.loops == other.loops
    return places and same and one.dearest == other.dearest


def _form(kept: Kept) -> list[tuple[Any, ...]]:
    """The instructions of a block, but for expressions and places."""
    found = []
    for instr in kept.instrs:
        chance = instr.op in QUESTIONS and instr.args[0].chance
        found.append((instr.op, chance, *(arg for arg in instr.args if not isinstance(arg, (Ir, Ask, tuple)))))
    return found


def _written_otherwise(one: Kept, other: Kept) -> frozenset[Place]:
    """The places at which two ways of making a block have not written the same."""
    a, b = dict(one.written), dict(other.written)
    keys = {entry for entry in a.keys() | b.keys() if a.get(entry, MISSING) != b.get(entry, MISSING)}
    return frozenset((how, table, None if how == "all" else key) for table, key in keys for how in ("at", "in", "all"))


def _moved_to(proc: Proc | None, entry: int) -> Proc:
    """The same block, where its instructions begin elsewhere."""
    assert proc is not None
    return proc if proc.entry == entry else replace(proc, entry=entry, end=entry + proc.end - proc.entry)
