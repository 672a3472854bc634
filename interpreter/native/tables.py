"""What the functions between the blocks know of a program: tables of data, by the number of an instruction."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from interpreter import rng
from interpreter.middle.analysis.control_flow import Structure, handlers_of, needed_sets, needs
from interpreter.native.asks import answer_words, pieces_in
from interpreter.native.code import Code
from interpreter.native.wasm import E, Fn, const, load
from rulespec.lower.ir import Ask, Program
from rulespec.program.ops import OPENS_UNIT

BLOCK, TRY, ASK = 0, 1, 2
KINDS = {"one": 0, "set": 1, "may": 2, "next": 3}

#: Where each part of the description of an ask lies; all are numbers of 32 bits but the increment.
KIND, OPTIONAL, CHANCE, DECLINABLE, WORDS, CANDIDATES, ANSWER, FIRST, OPTIONS, DEEP, STREAM = range(0, 44, 4)
INCREMENT, EXIT, TELL, WRITE, PIECES = 48, 56, 60, 64, 68
ASK_SIZE = 72
#: The same of a unit: where its slot lies, of how many bytes; whether it is thin; where to go on when it is left or
#: cannot be entered; whether nothing needs to be taken back.
SLOT, WIDTH, THIN, LEFT, OTHERWISE, CLEAN = range(0, 24, 4)
UNIT_SIZE = 24
#: The same of a block: where its slot of the way back lies, of how many bytes; whether it is one of the outermost; the
#: address of what is emptied.
BACK, BACK_WIDTH, OUTERMOST, EMPTIED = range(0, 16, 4)
PROC_SIZE = 16


@dataclass(slots=True)
class AskFunctions:
    """The functions of one ask."""

    candidates: Fn
    answer: Fn
    first: Fn | None = None
    options: Fn | None = None
    deep: bool = False
    tell: Fn | None = None
    write: Fn | None = None


@dataclass(slots=True)
class Tables:
    """The addresses of the tables, and the number of a function among those that can be called by number."""

    s: Code
    program: Program
    structure: Structure
    kinds: int = 0
    asks: int = 0
    units: int = 0
    needs: int = 0
    handlers: int = 0
    procs: int = 0
    together: int = 0
    declinable: frozenset[int] = frozenset()
    numbers: dict[int, int] = field(default_factory=dict)

    def number(self, fn: Fn | None) -> int:
        """The number of a function in the table of functions; 0 where there is none."""
        if fn is None:
            return 0
        if fn.index not in self.numbers:
            self.numbers[fn.index] = len(self.s.module.table)
            self.s.module.table.append(fn)
        return self.numbers[fn.index]

    def make(self, asks: dict[int, AskFunctions]) -> None:
        """Writes all tables; the blocks are in the table of functions already."""
        instrs, st = self.program.instrs, self.structure
        data = self.s.module.data
        special = {"ask": ASK, "try": TRY}
        self.kinds = data(bytes(special.get(i.op, BLOCK) for i in instrs) + b"\0", 1)
        self.asks = self._pointers(
            {at: self._ask(at, i.args[0], asks[at]) for at, i in enumerate(instrs) if i.op == "ask"}
        )
        units = {at: self._unit(at) for at, i in enumerate(instrs) if i.op in OPENS_UNIT}
        self.units = self._pointers(units)
        handlers = handlers_of(self.program)
        self.handlers = data(struct.pack(f"<{len(handlers)}i", *handlers), 4)
        self.needs = data(needs(self.program, handlers) + b"\0", 1)
        by_id = {p.id: self._proc(p.id) for p in self.program.procs}
        self.procs = self._pointers({at: by_id[p] for at, p in enumerate(st.proc_of) if p >= 0})
        self.together = data(struct.pack(f"<{len(instrs)}i", *self._together()), 4)

    def _pointers(self, known: dict[int, bytes]) -> int:
        size = len(self.program.instrs) + 1
        found = [self.s.module.data(known[at], 8) if at in known else 0 for at in range(size)]
        return self.s.module.data(struct.pack(f"<{size}i", *found), 4)

    def _ask(self, at: int, ask: Ask, fns: AskFunctions) -> bytes:
        st = self.structure
        s = self.s
        stream, increment = -1, 0
        if ask.chance:
            stream, increment = s.cells.offsets[s.layout.streams[ask.stream]], rng.increment(ask.stream)
        leaves = st.end[st.loops[at - 1]] + 1 if ask.kind == "set" else 0
        mask = sum(1 << i for i in pieces_in(ask))
        numbers = [self.number(f) for f in (fns.candidates, fns.answer, fns.first, fns.options)]
        head = (KINDS[ask.kind], ask.optional, ask.chance, at in self.declinable, answer_words(ask))
        rest = (leaves, self.number(fns.tell), self.number(fns.write), mask)
        return struct.pack("<11i4xQ4i", *head, *numbers, fns.deep, stream, increment, *rest)

    def _unit(self, at: int) -> bytes:
        instr, st = self.program.instrs[at], self.structure
        slot = instr.args[0]
        cell = self.s.layout.slots.get(slot)
        where = (0, 0) if cell is None else (self.s.cells.offsets[cell], self.s.cells.rooms[cell].width)
        if instr.op == "try":
            thin, left, otherwise = int(instr.args[1]), st.end[at] + 1, st.middle[at] + 1
        else:
            thin, left, otherwise = 0, self._unit_end(at) + 1, 0
        return struct.pack("<6i", *where, thin, left, otherwise, at in st.clean)

    def _unit_end(self, unit: int) -> int:
        instrs = self.program.instrs
        slot = instrs[unit].args[0]
        ends = (i for i in range(unit + 1, len(instrs)) if instrs[i].op == "unit_end" and instrs[i].args[0] == slot)
        return next(ends)

    def _proc(self, number: int) -> bytes:
        s = self.s
        proc = next(p for p in self.program.procs if p.id == number)
        cell = s.layout.slots.get(proc.back)
        back = (0, 0) if cell is None else (s.cells.offsets[cell], s.cells.rooms[cell].width)
        cells = [c for slot, c in s.layout.slots.items() if self.program.slots[slot].proc == number]
        runs = [x for c in cells for x in (s.cells.offsets[c], s.cells.rooms[c].size)]
        emptied = s.module.data(struct.pack(f"<{len(runs) + 1}i", len(cells), *runs), 4)
        return struct.pack("<4i", *back, proc.kind in ("main", "setup", "flow", "end"), emptied)

    def _together(self) -> list[int]:
        """For each instruction how many steps of its block before it are open together."""
        found = []
        total, before = 0, -1
        for at, instr in enumerate(self.program.instrs):
            proc = self.structure.proc_of[at]
            total, before = (total if proc == before else 0), proc
            found.append(total)
            total += instr.args[0] if instr.op == "together" else 0
        return found

    # ---- reading ----

    def kind_at(self, pc: E) -> E:
        """Whether an instruction begins a block, is a `try`, or asks."""
        return load(pc + self.kinds, 1)

    def ask_at(self, pc: E) -> E:
        """The address of the description of an ask."""
        return load((pc << 2) + self.asks)

    def is_needed(self, pc: E) -> E:
        """Whether an ask is for a set that the set-up cannot leave out."""
        found: E = const(0)
        for at in sorted(needed_sets(self.program, handlers_of(self.program))):
            found = found | pc.eq(at)
        return found

    def needs_at(self, pc: E) -> E:
        """Whether the set-up needs an instruction to be done: NEEDED, TRIED, or 0 where that hangs on what called."""
        return load(pc + self.needs, 1)

    def unit_at(self, pc: E) -> E:
        """The address of the description of a unit."""
        return load((pc << 2) + self.units)

    def proc_at(self, pc: E) -> E:
        """The address of the description of the block around an instruction."""
        return load((pc << 2) + self.procs)
