"""Which blocks a walk through a program comes to, in which ways; and what of that need not be gone through again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, cast

from rulespec.lower.ir import Ir, Program
from rulespec.lower.offers.kept import Blocks, Findings, KeptWalk, Trail, Walked, Walks
from rulespec.lower.offers.labels import ACTIVE, LOST, NONE, Seat, Secrets, renamed
from rulespec.lower.offers.readings import Readings
from rulespec.lower.offers.state import Call, Here, moved, names_for
from rulespec.lower.steps.lockstep import Pace
from rulespec.lower.versions import Versions
from rulespec.model.reads import Place, begin, end
from rulespec.model.world import World
from rulespec.source.stacked import Walking, walked


class Calls(ABC):
    """The calls of a walk through a program: each way of calling a block is gone through once, or as it was before."""

    def __init__(
        self,
        world: World,
        program: Program,
        versions: Versions | None = None,
        walks: Walks | None = None,
        pace: Pace | None = None,
    ):
        self.world = world
        self.program = program
        #: what is found in the block that is gone through, and in all
        self.found, self._all = Findings(), Findings()
        self._versions, self._walks, self._trail = versions, Walks() if walks is None else walks, Trail()
        before: Walked | None = None if pace is None else pace.earlier("walk")
        touched = frozenset[int]() if pace is None else pace.touched
        self.blocks = Blocks(program, self._walks, before, touched)
        #: the walks that would find the same again, and those by which it was gone through, by the number of the call
        self._still: Mapping[int, KeptWalk] = {}
        self._used: dict[int, KeptWalk] = {}
        #: the calls that are being gone through, and in which of them each was come to first
        self._open: list[int] = []
        self._inside: dict[int, int] = {}
        self._before = before
        if before is not None and pace is not None:
            self._still = before.still(self.blocks.changed(before, touched), pace.differs, self._walks)
        self._procs, self._answers = self.blocks.procs, self.blocks.answers
        self.readings = Readings(world, self._answers)
        #: what is known where a call ends, by its number; None as long as it is gone through
        self._left: dict[int, Here | None] = {}
        self._unknown = Here(LOST, LOST)

    def all(self) -> Findings:
        """What is found from every entry of the program."""
        for name in ("main", "end"):
            walked(self._enter(_from_nothing(self.program.entries[name])))
        return self._all

    def walked(self) -> Walked:
        """How it was gone through, for builds that come after."""
        before = {} if self._before is None else self._before.used
        others = {kept.reads for number, kept in self._used.items() if before.get(number) is not kept}
        places = (place for number in others for place, _ in self._walks.reads.things[number])
        known = frozenset[Place]() if self._before is None else self._before.reads
        return Walked(self._used, self._inside, self.blocks.instrs, self._answers, known.union(places))

    # ---- blocks ----

    def _enter(self, call: Call) -> Walking[Here | None]:
        """What is known where a block ends, in its own names; None inside itself, which is never run."""
        number = self._walks.number(call)
        left = self._left.get(number, self._unknown)
        if left is self._unknown:
            left = self._left[number] if self._again(number) else (yield self._left_by(number, call))
        self._trail.calls[number] = left
        return left

    def _again(self, number: int) -> bool:
        """Takes over how a call was gone through in another build; False where that may come out otherwise here."""
        taken = None if self._before is None else self._before.within(number, self._still, self._left)
        if taken is None or self._before is None:
            return False
        if self._open:
            self._inside[number] = self._open[-1]
        for at, kept in taken.items():
            self._left[at] = kept.left
            self._all.take(kept.found)
            if at != number and at in self._before.inside:
                self._inside[at] = self._before.inside[at]
        self._used.update(taken)
        return True

    def _left_by(self, number: int, call: Call) -> Walking[Here | None]:
        self._left[number] = None
        if self._open:
            self._inside[number] = self._open[-1]
        self._open.append(number)
        left: Here | None = yield self._gone_through(number, call)
        self._open.pop()
        return left

    def _gone_through(self, number: int, call: Call) -> Walking[Here | None]:
        for kept in self._walks.found.get(number, ()) if self._versions is not None else ():
            if (yield self._is_still(call, kept)):
                self._all.take(kept.found)
                self._left[number] = kept.left
                self._used[number] = kept
                return kept.left
        outer, before = (self.found, self._trail), begin(self.world.reads)
        self.found, self._trail = Findings(), Trail()
        self._fact("answers", call.proc)
        here = cast("Here", (yield self._through(call)))
        if self._versions is not None and self.world.reads is not None:
            new = self.blocks.keep(number, call.proc, self._trail, self._versions, self.world.reads, self.found, here)
            self._used.update({} if new is None else {number: new})
        self._all.take(self.found)
        self._left[number] = here
        self.found, self._trail = outer
        end(self.world.reads, before)
        return here

    # ---- what other builds of a check have found ----

    def _is_still(self, call: Call, kept: KeptWalk) -> Walking[bool]:
        """Whether going through a block would find the same again."""
        if self._versions is None or not self.blocks.is_still(call.proc, kept, self._versions):
            return False
        for inner, expected in kept.calls:
            left = self._left.get(inner, self._unknown)
            if left is self._unknown:
                again = self._again(inner)
                left = self._left[inner] if again else (yield self._left_by(inner, self._walks.call(inner)))
            if left is not expected and left != expected:
                return False
        return True

    def _fact(self, *fact: Any) -> Any:
        """Something about the program, on which what is found depends."""
        if fact not in self._trail.facts:
            self._trail.facts[fact] = self.blocks.known(fact)
        return self._trail.facts[fact]

    def _call(self, proc: int, args: tuple[Ir, ...], here: Here, why: Secrets) -> Walking[None]:
        bound = [self.readings.bound(a, here, {}) for a in args]
        params = self._fact("params", proc)
        names = names_for(here, tuple(zip(params, (b.seat for b in bound), strict=True)))
        seats = tuple(None if b.seat is None else names.into(b.seat) for b in bound)
        call = Call(
            proc,
            tuple(b.label.renamed(names.into) for b in bound),
            tuple(s if s != ("slot", p) else None for s, p in zip(seats, params, strict=True)),
            tuple(None if b.owner is None else names.into(b.owner) for b in bound),
            names.into(here.active) or ACTIVE,
            renamed(here.whose, names.into),
            renamed(why, names.into),
            moved(here.deciders, names, inward=True),
            frozenset(s for x in here.asked if (s := names.into(x))),
            renamed(here.failed, names.into),
            tuple((zone, renamed(secrets, names.into)) for zone, secrets in sorted(here.opened.items())),
            here.spoken,
            here.inside,
        )
        left = yield self._enter(call)
        if left is None:
            return
        here.deciders = moved(left.deciders, names, inward=False)
        here.asked |= frozenset(s for x in left.asked if (s := names.out(x)))
        here.failed = renamed(left.failed, names.out)
        here.fails |= renamed(left.fails, names.out)
        here.opened = {zone: renamed(secrets, names.out) for zone, secrets in left.opened.items()}
        here.spoken = left.spoken

    @abstractmethod
    def _through(self, call: Call) -> Walking[Here]:
        """Goes through a block that is called."""


def _from_nothing(proc: int) -> Call:
    """A block that begins with nobody asked and nothing open."""
    nobody: frozenset[Seat] = frozenset()
    return Call(proc, (), (), (), ACTIVE, NONE, NONE, nobody, nobody, NONE, (), spoken=False, inside=False)
