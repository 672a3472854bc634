"""What cannot fail: whether everything from an instruction on, up to the end of the open units, is certain to go well.

A look-ahead that reaches such a place need not run it. The proof goes through the instructions once, for each game. It
knows nothing of values; where pieces are taken one by one from a supply, each into a slot that was just seen to be
empty, what remains to be asked of a state is whether the supply holds as many pieces as there are empty slots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.middle.analysis.control_flow import Structure
from interpreter.middle.analysis.partition import parts_of
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ask, Compare, Const, Instr, Ir, NotIr, Proc, Program, ZoneIr, ZoneRead, walk_ir
from rulespec.program.control_flow import Calls
from rulespec.program.ops import BRANCHES, DIVIDES, HORIZONS, OPERATIONS, such_as

HARMLESS = such_as(lambda row: not (row.may_fail or row.horizon) and row.flow not in ("calls", "asks"))
MOST_LOOKED_AT = 1_000_000
OUTSIDE = ("main", "setup", "flow", "end")  #: blocks whose outermost `try` is no part of another unit
WRITES_NOTHING = such_as(lambda row: row.is_plain)


@dataclass(frozen=True, slots=True)
class Taking:
    """Pieces taken from one place, each into an empty slot of a zone."""

    source: ZoneIr
    goal: str


@dataclass(slots=True)
class _Scan:
    """One proof: what was seen so far, and the zones that steps take from or put into otherwise."""

    takings: set[Taking] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)


class Infallibility:
    """Proofs for one program; `written` is it before it was made simpler, with the same calls."""

    def __init__(self, declared: Declared, program: Program, st: Structure, written: Program | None = None):
        self.declared = declared
        self.instrs = program.instrs
        self.program = program
        self.st = st
        self.procs = {p.id: p for p in program.procs}
        self._callers = _callers(written or program)
        #: how many more instructions are looked at, in all proofs together
        self._left = MOST_LOOKED_AT

    @property
    def has_looked_at_all(self) -> bool:
        """Whether no proof was given up since too much was looked at: then no order of proofs matters."""
        return self._left > 0

    def from_here(self, at: int, *, alone: bool) -> frozenset[Taking] | None:
        """What a state must hold so that nothing fails from an instruction on; None where that cannot be said.

        Up to the end of this block where it is `alone`, else up to the end of all units around.
        """
        scan = _Scan()
        if not self._rest(at, scan, alone):
            return None
        if any(t.source.zone in scan.taken or t.goal in scan.taken for t in scan.takings):
            return None
        return frozenset(scan.takings)

    def if_declined(self, at: int) -> bool:
        """Whether all goes well, in any state, where an answer is declined that may be."""
        scan = _Scan()
        return self._declined(at) is not None and self._rest(at, scan, False, declining=True) and not scan.takings

    # ---- blocks ----

    def _rest(self, at: int, scan: _Scan, alone: bool, *, declining: bool = False) -> bool:
        """From an instruction to the end of its block, and on in those that may have called it.

        A `declining` one is a decision whose loop or branch is left. Of a loop around it, what is left of this pass
        may follow, and then all of it.
        """
        proc = self.procs[self.st.proc_of[at]]
        if declining:
            at = self._declined(at) or at
        unit = self._outermost_unit(at, proc)
        loop = self._outermost_loop(at, proc, unit)
        again = self._straight(loop, proc, scan, unit) if loop < at else (0, True)
        at, ended = self._straight(at, proc, scan, unit, within=self.st.end[loop] if loop < at else -1)
        if at < 0 or again[0] < 0:
            return False
        if ended:
            return True
        if alone:
            return True
        calls = self._callers.get(proc.id, ())
        if not calls:  # nobody is known to have called it: then nothing is known of what follows
            return proc.kind in OUTSIDE
        return all(self._after_call(call, scan) for call in calls)

    def _after_call(self, call: int, scan: _Scan) -> bool:
        """What follows a call; inside a loop, all of the loop may follow."""
        if call in scan.seen:
            return True
        scan.seen.add(call)
        proc = self.procs[self.st.proc_of[call]]
        if self._is_outside(call, proc):
            return True
        return self._rest(call + 1, scan, False)

    def _is_outside(self, at: int, proc: Proc) -> bool:
        """Whether no unit is open around an instruction, as far as its block says: nothing fails as a whole with it."""
        return proc.kind in OUTSIDE and self._try_around(at, proc) is None and self._outermost_unit(at, proc) is None

    def _outermost_unit(self, at: int, proc: Proc) -> tuple[int, int] | None:
        """The outermost unit around an instruction of a block that no unit calls: where it begins and ends.

        None where there is none, or a `try` is around it.
        """
        if proc.kind not in OUTSIDE:
            return None
        ends = {self.instrs[e].args: e for e in range(at, proc.end) if self.instrs[e].op == "unit_end"}
        begins = (o for o in range(proc.entry, at) if self.instrs[o].op == "unit" and self.instrs[o].args in ends)
        unit = next(begins, None)
        if unit is None or self._try_around(unit, proc) is not None:
            return None
        return unit, ends[self.instrs[unit].args]

    def _outermost_loop(self, at: int, proc: Proc, unit: tuple[int, int] | None) -> int:
        """Where the outermost loop around an instruction begins, within the `try` and unit around it."""
        lowest = max(self._try_around(at, proc) or 0, proc.entry, -1 if unit is None else unit[0])
        loops = [o for o, e in self.st.end.items() if lowest <= o < at <= e and self.instrs[o].op == "loop"]
        return min(loops, default=at)

    def _try_around(self, at: int, proc: Proc) -> int | None:
        """The innermost `try` whose steps hold an instruction."""
        st = self.st
        self._left -= len(st.end) // 8
        around = [o for o in st.end if proc.entry <= o < at <= st.middle.get(o, -1) and self.instrs[o].op == "try"]
        return max(around, default=None)

    def _straight(
        self, at: int, proc: Proc, scan: _Scan, unit: tuple[int, int] | None = None, *, within: int = -1
    ) -> tuple[int, bool]:
        """To the end of a block: its end and False; 0 and True where all units end before; -1 where a step may fail.

        `within` is the end of a loop in which this begins: what is left of the pass may be left out.
        """
        depth, end = 0, proc.end if unit is None else unit[1]
        while at < end:
            self._left -= 1
            if self._left < 0:
                return -1, False
            instr = self.instrs[at]
            op = instr.op
            if depth == 0 and at > within and self._ends_all(instr):
                return 0, True
            if op in DIVIDES:
                if depth == 0:  # the way that was not taken
                    if op == "orelse" and at > within and self._is_outside(self.st.start[at], proc):
                        return 0, True
                    at = self.st.end[self.st.start[at]] + 1
                    continue
            elif op in BRANCHES and op != "try":
                depth += 1
            elif op in BRANCHES.values():
                depth = max(0, depth - 1)
            if op == "try":  # what it holds is entered only where it goes well
                depth += 1
                at = self.st.middle[at] + 1
                continue
            on = self._declined(at) if op == "ask" else None
            if on is not None:
                leaves_loop = self.instrs[at + 1].op == "break_if"
                depth = max(0, depth - 1) if leaves_loop else depth + (at + 1 in self.st.middle)
                at = on
                continue
            if not self._goes_well(at, instr, scan):
                return -1, False
            at += 1
        return (at, False) if unit is None else (0, True)

    def _ends_all(self, instr: Instr) -> bool:
        """Whether no look-ahead goes beyond an instruction."""
        return instr.op in HORIZONS or OPERATIONS[instr.op].flow == "ends" or self._by_chance(instr)

    def _declined(self, at: int) -> int | None:
        """Where play goes on when an answer is declined; None where it cannot be.

        What is done with another answer was looked at when that answer was offered.
        """
        ask, behind = self.instrs[at].args[0], at + 1
        if not (ask.optional or ask.kind == "may") or ask.chance:
            return None
        if self.instrs[behind].op == "break_if":
            return self.st.end[self.st.loops[behind]] + 1
        if self.instrs[behind].op == "if":
            return self.st.middle.get(behind, self.st.end[behind]) + 1
        return None

    def _goes_well(self, at: int, instr: Instr, scan: _Scan) -> bool:
        if instr.op in HORIZONS:
            scan.taken |= _zones_in(instr)
            return True
        if instr.op in HARMLESS:
            return True
        if instr.op == "move":
            return self._moves(at, instr, scan)
        if instr.op == "call":
            return self._block(instr.args[0], scan)
        return self._by_chance(instr)

    def _block(self, number: int, scan: _Scan) -> bool:
        proc = self.procs[number]
        key = -1 - number
        if key in scan.seen:
            return True
        scan.seen.add(key)
        at, ended = self._straight(proc.entry, proc, scan)
        return ended or at >= 0

    @staticmethod
    def _by_chance(instr: Instr) -> bool:
        return instr.op == "ask" and isinstance(instr.args[0], Ask) and instr.args[0].chance

    # ---- pieces ----

    def _moves(self, at: int, instr: Instr, scan: _Scan) -> bool:
        """Whether a move is certain: there is a piece, and room for it."""
        mode, what, goal, _, _ = instr.args
        decl = self.declared.zones[goal.zone]
        kind = self.declared.pieces[decl.holds]
        facts = list(self._facts(at))
        roomy = decl.shape != "slot" and min(decl.capacity, default=0) >= sum(kind.supply)
        if mode == "all":
            scan.taken |= _zones_in(Instr("move", (what,)))
            return roomy
        if mode != "one" or not isinstance(what, ZoneRead) or not isinstance(what.zone, ZoneIr):
            return False
        if roomy and _present(facts, what.zone):
            scan.taken.add(what.zone.zone)
            return True
        one_place = isinstance(what.zone.place, Const) and self.declared.zones[what.zone.zone].shape != "slot"
        if decl.shape != "slot" or not _empty(facts, goal) or not one_place:
            return False
        scan.takings.add(Taking(what.zone, goal.zone))
        return len(scan.takings) == 1

    def _facts(self, at: int) -> Iterator[Ir]:
        """What the condition right around an instruction says, if nothing was changed since."""
        at -= 1
        while self.instrs[at].op in WRITES_NOTHING:
            at -= 1
        if self.instrs[at].op == "if":
            yield from parts_of(self.instrs[at].args[0])


def _zones_in(instr: Instr) -> set[str]:
    return {n.zone for arg in instr.args if isinstance(arg, Ir) for n in walk_ir(arg) if isinstance(n, ZoneIr)}


def _empty(facts: list[Ir], zone: ZoneIr) -> bool:
    return any(says_empty(fact, zone) for fact in facts)


def says_empty(fact: Ir, zone: ZoneIr) -> bool:
    """Whether a condition says that a place is empty."""
    return _says(fact, zone, empty=True)


def _present(facts: list[Ir], zone: ZoneIr) -> bool:
    return any(_says(fact, zone, empty=False) for fact in facts)


def _says(fact: Ir, zone: ZoneIr, *, empty: bool) -> bool:
    """Whether a condition says that a place is empty, or that it is not."""
    while isinstance(fact, NotIr):
        fact, empty = fact.of, not empty
    if isinstance(fact, ZoneRead):
        return empty and fact.what == "empty" and _same_place(fact.zone, zone)
    if not isinstance(fact, Compare) or not isinstance(fact.right, Const) or fact.right.value != -1:
        return False
    read = fact.left.piece if isinstance(fact.left, I.CodeOf) else fact.left
    if not isinstance(read, ZoneRead) or read.what in ("count", "empty", "full", "all"):
        return False
    if not _same_place(read.zone, zone):
        return False
    return fact.op == ("==" if empty else "!=")


def _same_place(a: Ir, b: Ir) -> bool:
    if not isinstance(a, ZoneIr) or not isinstance(b, ZoneIr) or a.zone != b.zone:
        return False
    if isinstance(a.place, I.Var) and isinstance(b.place, I.Var):
        return a.place.name == b.place.name
    return a.place == b.place


def _callers(program: Program) -> dict[int, set[int]]:
    """By block: the instructions that may call it."""
    calls, found = Calls(program), dict[int, set[int]]()
    for at, instr in enumerate(program.instrs):
        for block in calls.of(instr):
            found.setdefault(block, set()).add(at)
    return found
