"""What going through a block has found, kept for other builds of a check in which it would find the same.

It would where the block is the same, all that was read of the declarations is, and so is what was known where each
block ended that it calls, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from rulespec.lower.ir import Instr, Program
from rulespec.lower.offers.labels import Secrets
from rulespec.lower.offers.moving import keeps_answers
from rulespec.lower.offers.parts import Part, parts_of
from rulespec.lower.offers.state import Call, Here
from rulespec.lower.versions import Versions
from rulespec.model.reads import Place, Reads

#: The numbers of a block's instructions begin at a multiple of this: they are the same in every build.
SPAN = 1 << 15
MOST_KEPT = 8

#: A question about the program: what is asked, and of what.
Fact = tuple[Any, ...]
Thing = TypeVar("Thing")


@dataclass(slots=True)
class Findings:
    """What was found, by the number of the instruction.

    `asked`: what a decision's being asked tells; `offered`: what its options tell, by name and part; `ends`: where a
    look-ahead must have ended, since what comes is hidden from whoever decides; `whose`: where it hangs on something
    hidden who acts.
    """

    asked: dict[int, Secrets] = field(default_factory=dict)
    offered: dict[tuple[int, int, str], Secrets] = field(default_factory=dict)
    ends: set[int] = field(default_factory=set)
    whose: set[int] = field(default_factory=set)

    def take(self, other: Findings) -> None:
        """Adds what was found elsewhere."""
        for at, secrets in other.asked.items():
            self.asked[at] = self.asked.get(at, frozenset()) | secrets
        for key, secrets in other.offered.items():
            self.offered[key] = self.offered.get(key, frozenset()) | secrets
        self.ends |= other.ends
        self.whose |= other.whose


@dataclass(slots=True)
class Trail:
    """What a walk through a block goes by, as it is found; `facts` are about the program."""

    facts: dict[Fact, Any] = field(default_factory=dict)
    calls: dict[int, Here | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptWalk:
    """A walk through a block: what it went by, what it found in the block itself, and what is known at its end.

    Calls, and what was read and known together, are numbers of `Walks`: most walks go by what others go by, too.
    """

    block: tuple[Instr, ...]
    reads: int
    facts: int
    calls: tuple[tuple[int, Here | None], ...]
    found: Findings
    left: Here


@dataclass(slots=True)
class Walked:
    """A whole program that was gone through: the walk by which each call was, and in which it was come to first.

    A walk that came to a call which was still being gone through (its end is None) is right inside of that one alone.
    """

    used: dict[int, KeptWalk]
    inside: dict[int, int]
    blocks: dict[int, tuple[Instr, ...]]
    answers: frozenset[int]
    reads: frozenset[Place]

    def still(self, changed: AbstractSet[int], differs: Iterable[Place], walks: Walks) -> dict[int, KeptWalk]:
        """The walks that would find the same again, where only these blocks and places are others."""
        reads = set[int]().union(*(walks.reading.get(place, ()) for place in differs))
        bad = [
            number for number, kept in self.used.items() if kept.reads in reads or walks.call(number).proc in changed
        ]
        if not bad:
            return self.used
        callers: dict[int, list[int]] = {}
        for number, kept in self.used.items():
            for inner, _ in kept.calls:
                callers.setdefault(inner, []).append(number)
        gone = set(bad)
        while bad:
            more = [number for number in callers.get(bad.pop(), ()) if number not in gone]
            gone.update(more)
            bad += more
        return {number: kept for number, kept in self.used.items() if number not in gone}

    def within(
        self, number: int, still: Mapping[int, KeptWalk], left: Mapping[int, Here | None]
    ) -> dict[int, KeptWalk] | None:
        """The walks through a call and all that it calls, where these would be made again; else None.

        `still` are those that would be made again by themselves, `left` is what is known already where calls end.
        """
        if number not in still:
            return None
        taken: dict[int, KeptWalk] = {}
        waiting: list[tuple[int, Here | None]] = [(number, still[number].left)]
        while waiting:
            at, expected = waiting.pop()
            if at in taken or at in left:
                known = taken[at].left if at in taken else left[at]
                if known is not expected and known != expected:
                    return None
                continue
            kept = still.get(at)
            if kept is None or not self._is_inside(at, kept, number):
                return None
            taken[at] = kept
            waiting += [each for each in kept.calls if each[1] is not None]
        return taken

    def _is_inside(self, number: int, kept: KeptWalk, outer: int) -> bool:
        """Whether a walk was made inside of another one, with all that were still being gone through then."""
        open_ = {inner for inner, end in kept.calls if end is None}
        while open_:
            open_.discard(number)
            if number == outer or number not in self.inside:
                break
            number = self.inside[number]
        return not open_


@dataclass(slots=True)
class Numbers(Generic[Thing]):
    """Things by number, each once."""

    things: list[Thing] = field(default_factory=list)
    _of: dict[Thing, int] = field(default_factory=dict)

    def of(self, thing: Thing) -> int:
        """The number of a thing."""
        number = self._of.setdefault(thing, len(self.things))
        if number == len(self.things):
            self.things.append(thing)
        return number


@dataclass(slots=True)
class Walks:
    """What walks of the builds of one check have found, by the number of the call, and the parts of their blocks."""

    found: dict[int, list[KeptWalk]] = field(default_factory=dict)
    room: int = 1_000_000  #: how many readings and calls more are kept
    parts: dict[int, tuple[tuple[Instr, ...], list[Part]]] = field(default_factory=dict)
    calls: Numbers[Call] = field(default_factory=Numbers)
    reads: Numbers[frozenset[tuple[Place, int]]] = field(default_factory=Numbers)
    facts: Numbers[tuple[tuple[Fact, Any], ...]] = field(default_factory=Numbers)
    blocks: dict[int, list[tuple[Instr, ...]]] = field(default_factory=dict)
    #: which numbers of `reads` are of what holds a place
    reading: dict[Place, set[int]] = field(default_factory=dict)

    def number_of_reads(self, reads: frozenset[tuple[Place, int]]) -> int:
        """The number of what was read together."""
        number, before = self.reads.of(reads), len(self.reads.things)
        if number == before - 1:
            for place, _ in reads:
                self.reading.setdefault(place, set()).add(number)
        return number

    def number(self, call: Call) -> int:
        """The number of a call, the same in all builds."""
        return self.calls.of(call)

    def call(self, number: int) -> Call:
        """The call with a number."""
        return self.calls.things[number]

    def block(self, proc: int, instrs: tuple[Instr, ...]) -> tuple[Instr, ...]:
        """The same instructions of a block, as the one object that all builds have which have the same block."""
        known = self.blocks.setdefault(proc, [])
        for other in known:
            if other == instrs:
                return other
        if len(known) < MOST_KEPT:
            known.append(instrs)
        return instrs

    def keep(self, call: int, walk: KeptWalk, size: int) -> None:
        """Keeps one more, which takes so much room, where there are not many yet."""
        kept = self.found.setdefault(call, [])
        if len(kept) < MOST_KEPT and self.room > 0:
            self.room -= size
            kept.append(walk)


class Blocks:
    """The blocks of a program, whose instructions have numbers that hang on nothing but the block."""

    def __init__(self, program: Program, walks: Walks, before: Walked | None, touched: AbstractSet[int]) -> None:
        self._walks, self._program = walks, program
        self._checks = {p.name.removeprefix("check "): p.id for p in program.procs if p.kind == "check"}
        keeping = [(slot, kept.proc) for slot, kept in enumerate(program.slots) if keeps_answers(kept.type)]
        self._keeping = tuple(keeping)
        #: the slots that keep the answers of all players to one question
        self.answers = frozenset(slot for slot, _ in keeping)
        self.procs = {p.id: p for p in program.procs}
        known = {} if before is None else before.blocks
        self.instrs = {
            p.id: walks.block(p.id, program.instrs[p.entry : p.end])
            if p.id in touched or p.id not in known
            else known[p.id]
            for p in program.procs
        }
        self._known: dict[Fact, Any] = {}
        #: whether what some walk read, or knew of the program, is so here, by its number
        self._reads: dict[int, bool] = {}
        self._facts: dict[int, bool] = {}

    def at(self, number: int) -> Instr:
        """The instruction with a number."""
        return self.instrs[number // SPAN][number % SPAN]

    def parts(self, proc: int) -> list[Part]:
        """The parts of a block."""
        block, kept = self.instrs[proc], self._walks.parts.get(proc)
        if kept is None or (kept[0] is not block and kept[0] != block):
            kept = self._walks.parts[proc] = block, parts_of(block, 0, len(block), proc * SPAN)
        return kept[1]

    def known(self, fact: Fact) -> Any:
        """Something about the program: of a block its parameters or what keeps answers, which block checks a trigger,
        which ones perform one of some effects at a level.
        """
        if fact not in self._known:
            self._known[fact] = self._find(fact)
        return self._known[fact]

    def _find(self, fact: Fact) -> Any:
        what, *rest = fact
        if what == "params":
            return self.procs[rest[0]].params
        if what == "check":
            return self._checks.get(rest[0])
        if what == "answers":
            return frozenset(slot for slot, proc in self._keeping if proc == rest[0])
        level, values = rest
        every = range(len(self._program.declared.interned)) if values is None else values
        calls = (self._program.effect_procs.get((level, v)) for v in every)
        return tuple(sorted({call[0] for call in calls if call is not None}))

    def is_still(self, proc: int, kept: KeptWalk, versions: Versions) -> bool:
        """Whether a block, and all that a walk through it went by apart from what it calls, are as they were then."""
        block = self.instrs[proc]
        if kept.block is not block and kept.block != block:
            return False
        reads, facts = self._reads.get(kept.reads), self._facts.get(kept.facts)
        if reads is None:
            of = versions.of
            reads = all(of(place) == version for place, version in self._walks.reads.things[kept.reads])
            self._reads[kept.reads] = reads
        if facts is None:
            facts = all(self.known(fact) == value for fact, value in self._walks.facts.things[kept.facts])
            self._facts[kept.facts] = facts
        return reads and facts

    def keep(  # noqa: PLR0913, PLR0917  (all that a walk goes by and finds)
        self, number: int, proc: int, trail: Trail, versions: Versions, reads: Reads, found: Findings, left: Here
    ) -> KeptWalk | None:
        """Keeps a walk through a block for any build, where nothing that it went by was still being gone through."""
        if reads.notes is None:
            return None
        walks, calls = self._walks, tuple(trail.calls.items())
        read = walks.number_of_reads(frozenset((place, versions.of(place)) for place in reads.notes.read))
        facts = walks.facts.of(tuple(trail.facts.items()))
        size = 1 + len(reads.notes.read) + len(calls)
        kept = KeptWalk(self.instrs[proc], read, facts, calls, found, left)
        if None not in trail.calls.values():
            walks.keep(number, kept, size)
        return kept

    def changed(self, before: Walked, touched: AbstractSet[int]) -> set[int]:
        """The blocks that are not as they were before, or keep other answers. Only these may be others."""
        answers = {proc for slot, proc in self._keeping if slot not in before.answers}
        answers |= {self._program.slots[slot].proc for slot in before.answers - self.answers}
        return answers | {proc for proc in touched if self.instrs[proc] is not before.blocks.get(proc)}

    def absolute(self, number: int) -> int:
        """The number of an instruction in the whole program."""
        return self.procs[number // SPAN].entry + number % SPAN if number >= 0 else number


def absolute(blocks: Blocks, found: Findings) -> Findings:
    """What was found, by the numbers that instructions have in the whole program."""

    def moved(secrets: Secrets) -> Secrets:
        return frozenset(replace(secret, at=blocks.absolute(secret.at)) for secret in secrets)

    return Findings(
        {blocks.absolute(at): moved(secrets) for at, secrets in found.asked.items()},
        {(blocks.absolute(at), number, part): moved(s) for (at, number, part), s in found.offered.items()},
        {blocks.absolute(at) for at in found.ends},
    )
