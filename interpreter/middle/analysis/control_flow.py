"""The shape of a program: which ends match which beginnings, what leaves a block, what can fail, which slots last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rulespec.lower.ir import Ask, Instr, Ir, Local, Program, walk_ir
from rulespec.program.control_flow import Calls, ControlFlow
from rulespec.program.ops import (
    CALLS,
    CLOSES_UNIT,
    FAILING,
    OPENS_UNIT,
    OPERATIONS,
    QUESTIONS,
    such_as,
)

#: What leaves a function that is written for a block.
LEAVES = such_as(lambda row: row.flow in ("calls", "asks", "returns", "ends") or row.name in ("try", "orelse"))
KINDS_OF_THEIR_OWN = ("main", "setup", "flow", "end", "watch")
MOST_IN_LINE = 24  #: instructions of a block that is written where it is called
#: how many instructions one function holds before it returns at the next point where another begins
MOST_INLINE = 48
#: how many instructions are written with so many in each function; then it is fewer: large programs compile soon
MOST_WRITTEN, FEW_INLINE = 20_000, 4


@dataclass(slots=True)
class Structure:
    """`end` and `middle` (else, orelse) of each opener; `start` of each end; what is split at decisions.

    `inline` are the calls whose blocks are written where they are called: nothing in them leaves a function.
    """

    flow: ControlFlow
    end: dict[int, int] = field(default_factory=dict)
    middle: dict[int, int] = field(default_factory=dict)
    start: dict[int, int] = field(default_factory=dict)
    loops: dict[int, int] = field(default_factory=dict)
    split: set[int] = field(default_factory=set)
    proc_of: list[int] = field(default_factory=list)
    can_fail: set[int] = field(default_factory=set)
    temps: frozenset[int] = frozenset()
    outlive: frozenset[int] = frozenset()
    entries: set[int] = field(default_factory=set)
    clean: set[int] = field(default_factory=set)
    stops: set[int] = field(default_factory=set)
    loose: set[int] = field(default_factory=set)
    inline: set[int] = field(default_factory=set)


def analyse(program: Program) -> Structure:
    """The structure of a program."""
    flow = ControlFlow(program)
    st = Structure(flow, flow.end, flow.middle, flow.start, flow.loop, proc_of=flow.proc)
    st.loose = _loose(program)
    _failing(program, st)
    st.inline = _inline_calls(program, st)
    _split(program, st)
    _entries(program, st)
    st.stops = {flow_call(program)}
    _temporaries(program, st)
    st.clean = {at for at, i in enumerate(program.instrs) if i.op == "try" and _is_clean(program, st, at)}
    return st


def flow_call(program: Program) -> int:
    """The number of the instruction that begins the flow: set-up has run, and whoever runs blocks may stop there."""
    main = next(p for p in program.procs if p.id == program.entries["main"])
    begins = ("call", program.entries["flow"])
    return next(i for i in range(main.entry, main.end) if (program.instrs[i].op, *program.instrs[i].args[:1]) == begins)


def _is_clean(program: Program, st: Structure, at: int) -> bool:
    """Whether a `try` writes nothing before it first asks, so that nothing needs to be taken back.

    An ask that may pass by itself is none to stop at: what comes behind it may be done before the next one. So may
    what stands behind a loop that is left at once.
    """
    entries = {p.id: p.entry for p in program.procs}
    waiting, left = [at + 1], 40
    while waiting and left:
        at, left = waiting.pop(), left - 1
        instr = program.instrs[at]
        if instr.op == "ask" and instr.args[0].kind != "may" and not instr.args[0].optional:
            continue
        if instr.op == "call":
            waiting.append(entries[instr.args[0]])
        elif instr.op in ("unit", "loop"):
            waiting.append(at + 1)
        elif instr.op == "break_if":
            waiting += [at + 1, st.end[st.loops[at]] + 1]
        else:
            return False
    return not waiting


def _split(program: Program, st: Structure) -> None:
    """Compound instructions with something inside that leaves the block cannot be Python's own."""
    for opener, end in st.end.items():
        inside = program.instrs[opener : end + 1]
        if (
            program.instrs[opener].op == "try"
            or any(_leaves(i, st, at) for at, i in enumerate(inside, opener))
            or any(opener < at < end for at in st.loose)
        ):
            st.split.add(opener)


def _leaves(instr: Instr, st: Structure, at: int) -> bool:
    return instr.op in LEAVES and at not in st.inline


def _inline_calls(program: Program, st: Structure) -> set[int]:
    """The calls of blocks that are written in line; not where one can fail and play goes on behind the call."""
    blocks = _inline(program)
    found: set[int] = set()
    for proc in program.procs:
        units = 0
        for at in range(proc.entry, proc.end):
            op, args = program.instrs[at].op, program.instrs[at].args
            units += OPERATIONS[op].unit
            loose = not units and proc.kind in ("setup", "flow", "end")
            if op == "call" and args[0] in blocks and not (loose and args[0] in st.can_fail):
                found.add(at)
    return found


def _inline(program: Program) -> dict[int, int]:
    """Short blocks without decisions and units, which call none but such blocks; how long each is, written out."""
    found: dict[int, int] = {}
    short = [p for p in program.procs if p.kind not in KINDS_OF_THEIR_OWN and p.end - p.entry <= MOST_IN_LINE]
    while True:
        bodies = {p.id: program.instrs[p.entry : p.end] for p in short if p.id not in found}
        more = {number: _length(body, found) for number, body in bodies.items() if _stays(body, found)}
        more = {number: length for number, length in more.items() if length <= MOST_IN_LINE}
        if not more:
            return found
        found |= more


def _length(body: tuple[Instr, ...], inline: dict[int, int]) -> int:
    return len(body) + sum(inline[i.args[0]] for i in body if i.op == "call")


def _stays(body: tuple[Instr, ...], inline: dict[int, int]) -> bool:
    """Whether nothing in a block leaves it but its end."""
    ops = [i.op for i in body]
    calls = all(i.args[0] in inline for i in body if i.op == "call")
    return calls and ops.count("ret") == 1 and not set(ops) & (LEAVES - {"call", "ret"} | OPENS_UNIT | CLOSES_UNIT)


def _loose(program: Program) -> set[int]:
    """What can fail in set-up, flow and end outside every unit: it alone is skipped then, and play goes on."""
    found: set[int] = set()
    for proc in program.procs:
        units = 0
        for at in range(proc.entry, proc.end):
            op = program.instrs[at].op
            units += OPERATIONS[op].unit
            if op in FAILING and not units and proc.kind in ("setup", "flow", "end"):
                found.add(at)
    return found


def _failing(program: Program, st: Structure) -> None:
    """The blocks in which something can fail, directly or in what they call."""
    calls: dict[int, set[int]] = {}
    for proc in program.procs:
        body = program.instrs[proc.entry : proc.end]
        if any(i.op in FAILING for i in body):
            st.can_fail.add(proc.id)
        calls[proc.id] = {i.args[0] for i in body if i.op == "call"}
        if any(i.op in CALLS and i.op != "call" for i in body):
            st.can_fail.add(proc.id)
    changed = True
    while changed:
        more = {p for p, to in calls.items() if p not in st.can_fail and to & st.can_fail}
        st.can_fail |= more
        changed = bool(more)


def fails(program: Program, st: Structure, at: int) -> bool:
    """Whether one instruction can fail or ask."""
    instr = program.instrs[at]
    if instr.op == "call":
        return instr.args[0] in st.can_fail
    return instr.op in FAILING or instr.op in CALLS or instr.op == "try"


def _entries(program: Program, st: Structure) -> None:
    """The instructions at which a block of Python can begin."""
    for proc in program.procs:
        st.entries.add(proc.entry)
    for i, instr in enumerate(program.instrs):
        if i in st.inline:
            continue
        if OPERATIONS[instr.op].flow in ("calls", "asks") or instr.op in ("try", "orelse"):
            st.entries |= {i, i + 1}
        elif instr.op == "unit_end":
            st.entries.add(i + 1)  # where play goes on when a unit is left in the middle
    st.entries |= {at + 1 for at in st.loose}
    for opener in st.split:
        op = program.instrs[opener].op
        if op == "loop":
            st.entries |= {opener + 1, st.end[opener] + 1}
        else:
            st.entries.add(st.end[opener] + 1)
            if opener in st.middle:
                st.entries.add(st.middle[opener] + 1)


def only_callers(program: Program) -> dict[int, int]:
    """For each block that is called from one place only: the number of that call."""
    found: dict[int, list[int]] = {}
    for at, instr in enumerate(program.instrs):
        if instr.op == "call":
            found.setdefault(instr.args[0], []).append(at)
    values = {call[0] for call in program.effect_procs.values() if call is not None}
    values.add(program.entries["watch"])  # the machine runs it by itself too
    return {proc: calls[0] for proc, calls in found.items() if len(calls) == 1 and proc not in values}


# ---- slots ------------------------------------------------------------------------------------------


def slots_used(value: object) -> set[int]:
    """The slots that an operand mentions."""
    found: set[int] = set()
    if isinstance(value, Ir):
        found |= {n.slot for n in walk_ir(value) if isinstance(n, Local) and n.slot >= 0}
    elif isinstance(value, Ask):
        found |= {s for s in (value.picked, value.order, value.left, value.answer) if s >= 0}
        for name in value.names:
            found.add(name.slot)
            for part in (name.source, name.where, name.if_possible, name.seen):
                found |= slots_used(part)
        found |= slots_used(value.amount) | slots_used(value.alike)
    elif isinstance(value, (tuple, list)):
        for v in value:
            found |= slots_used(v)
    return found


def mentions(instrs: Sequence[Instr], slot: int) -> bool:
    """Whether instructions mention a slot."""
    return any(slot in slots_used(i.args) or i.args[:1] == (slot,) for i in instrs)


def _temporaries(program: Program, st: Structure) -> None:
    """Slots that live only between two points where a block leaves: Python variables.

    All others that are used outlive a function, and are cells, those of the state among them.
    """
    regions: dict[int, set[int]] = {}
    region = 0
    for i, instr in enumerate(program.instrs):
        if i in st.entries:
            region += 1
        if instr.op == "forget":
            continue  # what never leaves a function needs no forgetting
        slots = slots_used(instr.args)
        own = OPERATIONS[instr.op].at("slot")
        if own is not None and instr.args[own] is not None:
            slots.add(instr.args[own])
        for slot in slots:
            # what an ask reads or writes is read again when it is answered
            regions.setdefault(slot, set()).add(-1 if instr.op in QUESTIONS else region)
            if OPERATIONS[instr.op].unit:
                regions[slot].add(-1)
    fixed = {slot for proc in program.procs for slot in (proc.back, *proc.params)}
    fixed.update(program.state_slots)
    st.temps = frozenset(s for s, where in regions.items() if len(where) == 1 and -1 not in where and s not in fixed)
    st.outlive = frozenset(regions) - st.temps | fixed


def handlers_of(program: Program) -> list[int]:
    """For each instruction the innermost unit around it in its block: the number of its beginning, or -1."""
    return ControlFlow(program).unit


# ---- set-up -----------------------------------------------------------------------------------------


def set_up_blocks(program: Program) -> frozenset[int]:
    """The blocks that the set-up runs, itself among them."""
    return Calls(program).reached_from(program.entries["setup"])


NEEDED, TRIED = 1, 2


def needs(program: Program, handlers: Sequence[int]) -> bytes:
    """For each instruction: NEEDED where it stands in the set-up itself, TRIED where a `try` of its block is around it.

    What cannot be done in the set-up is a fault of the content, unless a `try` says what is done instead: in the block
    of the set-up, or in one on the way from there.
    """
    set_up = program.entries["setup"]
    found = bytearray(len(program.instrs))
    for proc in program.procs:
        for at in range(proc.entry, proc.end):
            found[at] = TRIED if _is_tried(program, handlers, at) else NEEDED if proc.id == set_up else 0
    return bytes(found)


def _is_tried(program: Program, handlers: Sequence[int], at: int) -> bool:
    while (at := handlers[at]) >= 0:
        if program.instrs[at].op == "try":
            return True
    return False


def needed_sets(program: Program, handlers: Sequence[int]) -> frozenset[int]:
    """The asks for a set of the set-up that can neither be smaller nor be left out, where no `try` is around them."""
    blocks = set_up_blocks(program)
    return frozenset(
        at
        for proc in program.procs
        if proc.id in blocks
        for at in range(proc.entry, proc.end)
        if program.instrs[at].op == "ask"
        and _is_exact(program.instrs[at].args[0])
        and not _is_tried(program, handlers, at)
    )


def needed_draws(program: Program) -> frozenset[int]:
    """The draws that the set-up may run, where no `try` of their block is around them."""
    blocks, handlers = set_up_blocks(program), handlers_of(program)
    draws = (at for p in program.procs if p.id in blocks for at in range(p.entry, p.end))
    return frozenset(at for at in draws if program.instrs[at].op == "draw" and not _is_tried(program, handlers, at))


def _is_exact(ask: Ask) -> bool:
    return ask.kind == "set" and not ask.optional
