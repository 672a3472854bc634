"""Orders that change nothing: whether the passes of a chosen loop lead to one state, in whatever order they come.

What a pass does is read from its instructions: what it reads, and how it writes. Two passes commute where neither reads
what the other writes, and where what both write comes out the same either way: counters that only grow, up to their
highest value, and markers that only go one way along their track. What can fail, asks, moves pieces, draws, says
something of its own (`emit`) or sets off a trigger that turns on a condition does not commute with anything. So a
proof may be missing where there is one, and never the other way round.

The proof is by effect: of the effects that the passes of a loop can perform, some commute with each other. In play it
is then enough to look whether all that are left are of these. What is forced from the beginning, as there is but one,
is no order, and stays a decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from rulespec.lower import make
from rulespec.lower.ir import Ask, Comprehend, Drop, Instr, Ir, Let, Local, Name, Var, expressions_in, walk_ir
from rulespec.lower.reads import reads_of
from rulespec.lower.steps.builder import Block, Builder
from rulespec.lower.substitute import replaced, substitute
from rulespec.model.types import BOOLEAN, Integer, Member, optional, strip
from rulespec.program.ops import CALLS, OPERATIONS, QUESTIONS, cell_of, such_as
from rulespec.source.text import Span

#: Of so many effects at most it is looked at, for each pair, whether they commute.
MOST_EFFECTS = 64
#: Instructions that only lead to others.
_LEADING = (
    such_as(
        lambda row: (
            not (row.reads or row.horizon or row.tells) and row.flow in ("on", "opens", "divides", "closes", "returns")
        )
    )
    - QUESTIONS
)
#: Instructions of which all is known by what they read and which cell they change. The line of an effect tells what is
#: done, in the order in which it is done; what says something of its own does not.
_KNOWN = (
    such_as(
        lambda row: (
            row.reads and not (row.may_fail or row.horizon or row.changes - {"slot", "cell"} or row.name == "event")
        )
    )
    - CALLS
)
#: Calls of what a condition sets off.
_CHECKS = such_as(lambda row: row.at("trigger") is not None)
#: Cells that are as they were when a pass is over.
_RESTORED = frozenset(("me", "active"))
_BOTH_WAYS = "both ways"

#: The block that performs an effect at a level: its number.
FindBlock = Callable[[int, int], int | None]


@dataclass(frozen=True, slots=True)
class Loop:
    """A chosen loop that need not be asked for: its question, the test before it (to be found), and its pass."""

    test: int
    begin: int
    end: int
    ask: Ask
    skipping: Local
    together: bool


@dataclass(slots=True)
class _Pass:
    """What some instructions read, and how they write: `up`, `down`, or in a way that depends on the order."""

    reads: set[str] = field(default_factory=set)
    writes: dict[str, str] = field(default_factory=dict)

    def write(self, region: str, way: str) -> None:
        self.writes[region] = way if self.writes.get(region, way) == way else _BOTH_WAYS

    def take(self, other: _Pass) -> None:
        self.reads |= other.reads
        for region, way in other.writes.items():
            self.write(region, way)

    def commutes(self, other: _Pass) -> bool:
        if self.writes.keys() & other.reads or other.writes.keys() & self.reads:
            return False
        both = self.writes.keys() & other.writes.keys()
        return all(self.writes[r] == other.writes[r] != _BOTH_WAYS for r in both)


# ---- while a loop is lowered ------------------------------------------------------------------------


def taking_unasked(block: Block, ask: Ask) -> Local | None:
    """A name that says, in a loop, that one was taken without asking; None where all is asked, as the game says.

    A loop that can be stopped is asked for: each pass may be declined.
    """
    everything = block.cx.word("game", "asks") == "everything"
    if ask.optional or everything or not isinstance(strip(ask.names[0].type), (Member, Integer)):
        return None
    skipping = block.local("skipping", BOOLEAN)
    block.set(skipping, make.boolean(False))
    return skipping


def ask_or_take(block: Block, ask: Ask, going: Local, skipping: Local | None, span: Span | None) -> Callable[[], None]:
    """Adds the question, and the way past it that takes the first that is left; gives what to call after the pass.

    Which of them is taken is not known before all blocks are made: until then, what is always asked. Once one was taken
    without asking (`skipping`), all that are left are.
    """
    if skipping is None:
        block.emit("ask", ask, span=span)
        block.emit("break_if", make.negate(going))
        return lambda: None
    name = ask.names[0]
    item, left = Local(type=name.type, slot=name.slot), name.source
    assert isinstance(left, Local)
    test = block.emit("if", make.boolean(True), span=span)
    block.emit("ask", ask, span=span)
    block.emit("else")
    block.emit("set", name.slot, make.retype(_first(name), name.type), span=span)
    block.emit("set", left.slot, Drop(type=left.type, items=left, item=item), span=span)
    for flag in (going, skipping):
        block.emit("set", flag.slot, make.boolean(True), span=span)
    block.emit("end")
    block.emit("break_if", make.negate(going), span=span)
    begin, together = len(block.builder.instrs), block.together > 0

    def passed() -> None:
        block.builder.loops.append(Loop(test, begin, len(block.builder.instrs), ask, skipping, together))

    return passed


def _first(name: Name) -> Ir:
    """The first that is left."""
    var = Var(type=name.type, name=make.fresh(name.name))
    where = _where(name, var)
    return Comprehend(type=optional(name.type), op="first", name=var.name, source=name.source, where=where)


def _several(ask: Ask) -> Ir:
    """Whether the question would have several options: some that is left is not like the first."""
    name = ask.names[0]
    var, first = (Var(type=name.type, name=make.fresh(name.name)) for _ in range(2))

    def same(of: Var) -> Ir:
        return of if ask.alike is None else substitute(ask.alike, {name.var: of})

    where = _where(name, var)
    test = make.logic("and", [*([where] if where is not None else []), make.compare("!=", same(var), same(first))])
    other = Comprehend(type=BOOLEAN, op="any", name=var.name, source=name.source, where=test)
    return Let(type=BOOLEAN, name=first.name, value=make.retype(_first(name), name.type), body=other)


def _where(name: Name, var: Var) -> Ir | None:
    return None if name.where is None else substitute(name.where, {name.var: var})


# ---- when all blocks are made -----------------------------------------------------------------------


def leave_out(builder: Builder, find: FindBlock) -> tuple[tuple[Ir | None, ...], frozenset[int]]:
    """Puts in before each such question whether its order can change anything; where that may be left out.

    Gives what it has put in for each of `builder.loops`, and the blocks that this goes by.
    """
    found: list[Ir | None] = []
    blocks: set[int] = set()
    for loop in builder.loops:
        proof = _Proof(builder, find, loop.together)
        with make.naming(f"(order {loop.ask.left})"):
            matters = proof.matters(loop)
            forced = make.logic("and", [make.negate(loop.skipping), make.negate(_several(loop.ask))])
        found.append(None if make.is_true(matters) else make.logic("or", [matters, forced]))
        put_in(builder, (loop,), found[-1:])
        blocks |= proof.blocks | {builder.slots[loop.ask.left].proc}
    return tuple(found), frozenset(blocks)


def put_in(builder: Builder, loops: Iterable[Loop], tests: Iterable[Ir | None]) -> None:
    """Puts in what stands before the questions of some loops, where something is to."""
    for loop, test in zip(loops, tests, strict=True):
        if test is not None:
            builder.instrs[loop.test] = replace(builder.instrs[loop.test], args=(test,))


class _Proof:
    """Looks at the passes of one loop. `together`: no condition of a trigger is looked at until the loop is over."""

    def __init__(self, builder: Builder, find: FindBlock, together: bool):
        self._builder, self._find, self._together = builder, find, together
        self.blocks: set[int] = set()  #: those that were looked at

    def matters(self, loop: Loop) -> Ir:
        """Whether the order of what is left can change anything, as an expression; true where nothing is proved."""
        always, never = make.boolean(True), make.boolean(False)
        performed, rest = self._parted(loop)
        fixed = self._of(rest, frozenset())
        if fixed is None or not fixed.commutes(fixed) or len(performed) > 1:
            return always
        name = loop.ask.names[0]
        fixed_reads = self._reads(name.where)
        if fixed.writes.keys() & fixed_reads:
            return always
        if not performed:
            return never
        value, level, possible = performed[0].args
        if possible is None or not 0 < len(possible) <= MOST_EFFECTS:
            return always
        good = self._commuting(sorted(possible), level, fixed, fixed_reads | self._reads(value))
        if len(good) == len(possible):
            return never
        return _any_other(name, value, good) if good else always

    def _parted(self, loop: Loop) -> tuple[list[Instr], list[Instr]]:
        """The instructions of a pass that perform what its member says, and the others."""
        instrs = self._builder.instrs[loop.begin : loop.end]
        slot = loop.ask.names[0].slot
        own = [i for i in instrs if i.op == "callv" and _mentions(i.args[0], slot)]
        return own, [i for i in instrs if i not in own]

    def _commuting(self, values: list[int], level: int, fixed: _Pass, read: set[str]) -> list[int]:
        """The effects that commute with each other, and change nothing of what decides which pass does what."""
        passes: dict[int, _Pass] = {}
        for value in values:
            found = self._performing(value, level, frozenset())
            if found is not None:
                found.take(fixed)
                if found.commutes(found) and not found.writes.keys() & read:
                    passes[value] = found
        good: list[int] = []
        for value, found in passes.items():
            if all(found.commutes(passes[other]) for other in good):
                good.append(value)
        return good

    # ---- what instructions do ----

    def _performing(self, value: int, level: int, inside: frozenset[int]) -> _Pass | None:
        proc = self._find(level, value)
        return None if proc is None else self._of_block(proc, inside)

    def _of_block(self, proc: int, inside: frozenset[int]) -> _Pass | None:
        self.blocks.add(proc)
        made = self._builder.procs.get(proc)
        if made is None or proc in inside:
            return None
        return self._of(self._builder.instrs[made.entry : made.end], inside | {proc})

    def _of(self, instrs: Iterable[Instr], inside: frozenset[int]) -> _Pass | None:
        """What they do; None where that is not known, or depends on what was done before."""
        done = _Pass()
        for instr in instrs:
            if not self._add(done, instr, inside):
                return None
        done.reads -= _RESTORED
        return done

    def _add(self, done: _Pass, instr: Instr, inside: frozenset[int]) -> bool:
        op, args = instr.op, instr.args
        if op in _LEADING:
            return True
        if op in CALLS - _CHECKS:
            return self._add_call(done, instr, inside)
        for ir in expressions_in(args):
            done.reads |= reads_of(self._builder.cx.world, ir)
        if op in _CHECKS:
            return self._together
        cell, added = cell_of(op, args), OPERATIONS[op].added
        if cell is not None and added is not None:
            done.write(cell, "up")
            return _grows(args[added])
        if cell is not None and cell not in _RESTORED:
            done.write(cell, _BOTH_WAYS)
        return op in _KNOWN

    def _add_call(self, done: _Pass, instr: Instr, inside: frozenset[int]) -> bool:
        for ir in expressions_in(instr.args):
            done.reads |= reads_of(self._builder.cx.world, ir)
        if instr.op == "callv":
            _, level, possible = instr.args
            every = None if possible is None else [self._performing(v, level, inside) for v in possible]
        else:
            track = self._builder.procs[instr.args[0]]
            every = [self._of_track(instr) if track.kind == "track" else self._of_block(instr.args[0], inside)]
        for found in every if every is not None else [None]:
            if found is None:
                return False
            done.take(found)
        return True

    def _of_track(self, call: Instr) -> _Pass | None:
        """Steps one way along a track, with all that they set off. The same steps are made in any order."""
        proc, amount = self._builder.procs[call.args[0]], call.args[1][-1]
        self.blocks.add(proc.id)
        region = proc.name.removeprefix("track ")
        instrs = self._builder.instrs[proc.entry : proc.end]
        found = self._of((i for i in instrs if i.op != "store" or i.args[0] != region), frozenset((proc.id,)))
        if found is None or region in found.writes or not (_grows(amount) or _shrinks(amount)):
            return None
        found.reads.discard(region)
        found.write(region, "up" if _grows(amount) else "down")
        return found

    def _reads(self, ir: Ir | None) -> set[str]:
        return set() if ir is None else set(reads_of(self._builder.cx.world, ir))


def _grows(amount: Ir) -> bool:
    """Whether an amount is known not to be below zero."""
    low, _ = make.bounds(amount.type)
    return low is not None and low >= 0


def _shrinks(amount: Ir) -> bool:
    """Whether an amount is known not to be above zero."""
    _, high = make.bounds(amount.type)
    return high is not None and high <= 0


def _mentions(ir: Ir, slot: int) -> bool:
    return any(isinstance(part, Local) and part.slot == slot for part in walk_ir(ir))


def _any_other(name: Name, value: Ir, good: list[int]) -> Ir:
    """Whether one of those left does something else than the effects that commute."""
    var = Var(type=name.type, name=make.fresh(name.name))
    does = replaced(value, lambda part: var if isinstance(part, Local) and part.slot == name.slot else part)
    others = [make.compare("!=", does, make.const(effect, value.type)) for effect in good]
    where = _where(name, var)
    test = make.logic("and", [*([where] if where is not None else []), *others])
    return Comprehend(type=BOOLEAN, op="any", name=var.name, source=name.source, where=test)
