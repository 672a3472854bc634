"""What going through a block has found, kept for other builds of a check in which it would find the same.

It would where the block is the same, all that was read of the declarations is, and so is what was known where each
block ended that it calls, one after the other.
"""

from __future__ import annotations

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
    look-ahead must have ended, since what comes is hidden from whoever decides.
    """

    asked: dict[int, Secrets] = field(default_factory=dict)
    offered: dict[tuple[int, int, str], Secrets] = field(default_factory=dict)
    ends: set[int] = field(default_factory=set)

    def take(self, other: Findings) -> None:
        """Adds what was found elsewhere."""
        for at, secrets in other.asked.items():
            self.asked[at] = self.asked.get(at, frozenset()) | secrets
        for key, secrets in other.offered.items():
            self.offered[key] = self.offered.get(key, frozenset()) | secrets
        self.ends |= other.ends


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

    def __init__(self, program: Program, walks: Walks) -> None:
        self._walks, self._program = walks, program
        self._checks = {p.name.removeprefix("check "): p.id for p in program.procs if p.kind == "check"}
        keeping = [(slot, kept.proc) for slot, kept in enumerate(program.slots) if keeps_answers(kept.type)]
        self._keeping = tuple(keeping)
        #: the slots that keep the answers of all players to one question
        self.answers = frozenset(slot for slot, _ in keeping)
        self.procs = {p.id: p for p in program.procs}
        self.instrs = {p.id: walks.block(p.id, program.instrs[p.entry : p.end]) for p in program.procs}
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
    ) -> None:
        """Keeps a walk through a block, where nothing that it went by was still being gone through."""
        if reads.notes is None or None in trail.calls.values():
            return
        walks, calls = self._walks, tuple(trail.calls.items())
        read = walks.reads.of(frozenset((place, versions.of(place)) for place in reads.notes.read))
        facts = walks.facts.of(tuple(trail.facts.items()))
        size = 1 + len(reads.notes.read) + len(calls)
        walks.keep(number, KeptWalk(self.instrs[proc], read, facts, calls, found, left), size)

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
