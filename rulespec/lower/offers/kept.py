"""What going through a block has found, kept for other builds of a check in which it would find the same.

It would where the block is the same, all that was read of the declarations is, and so is what was known where each
block ended that it calls, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

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

    facts: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    calls: dict[Call, Here | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptWalk:
    """A walk through a block: what it went by, what it found in the block itself, and what is known at its end."""

    block: tuple[Instr, ...]
    reads: tuple[tuple[Place, int], ...]
    facts: tuple[tuple[tuple[Any, ...], Any], ...]
    calls: tuple[tuple[Call, Here | None], ...]
    found: Findings
    left: Here


@dataclass(slots=True)
class Walks:
    """What the walks of the builds of one check have found, by call; and the parts of their blocks."""

    found: dict[Call, list[KeptWalk]] = field(default_factory=dict)
    room: int = 1_000_000  #: how many readings and calls more are kept
    parts: dict[int, tuple[tuple[Instr, ...], list[Part]]] = field(default_factory=dict)

    def keep(self, call: Call, walk: KeptWalk) -> None:
        """Keeps one more, where there are not many yet."""
        kept = self.found.setdefault(call, [])
        if len(kept) < MOST_KEPT and self.room > 0:
            self.room -= 1 + len(walk.reads) + len(walk.calls)
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
        self.instrs = {p.id: program.instrs[p.entry : p.end] for p in program.procs}

    def at(self, number: int) -> Instr:
        """The instruction with a number."""
        return self.instrs[number // SPAN][number % SPAN]

    def parts(self, proc: int) -> list[Part]:
        """The parts of a block."""
        block, kept = self.instrs[proc], self._walks.parts.get(proc)
        if kept is None or kept[0] != block:
            kept = self._walks.parts[proc] = block, parts_of(block, 0, len(block), proc * SPAN)
        return kept[1]

    def known(self, fact: tuple[Any, ...]) -> Any:
        """Something about the program: of a block its parameters or what keeps answers, which block checks a trigger,
        which ones perform one of some effects at a level.
        """
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

    def keep(self, call: Call, trail: Trail, versions: Versions, reads: Reads, found: Findings, left: Here) -> None:
        """Keeps a walk through a block, where nothing that it went by was still being gone through."""
        if reads.notes is None or None in trail.calls.values():
            return
        read = tuple((place, versions.of(place)) for place in reads.notes.read)
        facts, calls = tuple(trail.facts.items()), tuple(trail.calls.items())
        self._walks.keep(call, KeptWalk(self.instrs[call.proc], read, facts, calls, found, left))

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
