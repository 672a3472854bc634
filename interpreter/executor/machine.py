"""Runs blocks until a decision, and looks ahead: an option exists only if it can be completed."""

from __future__ import annotations

from typing import Any, NamedTuple

from interpreter import rng
from interpreter.executor.asks import STOP, pieces_in
from interpreter.executor.chance import Gone, below
from interpreter.executor.compile import Compiled
from interpreter.executor.lookahead import LookAhead
from interpreter.executor.picks import Picks, wanted
from interpreter.executor.runtime import FAILED, HALTED
from interpreter.middle.analysis.control_flow import NEEDED, TRIED, flow_call, needed_sets, needs
from interpreter.middle.events import Events
from interpreter.middle.faults import Fault, NotDone, Overwork, Stuck, TooFew, content_error, not_drawn
from interpreter.middle.limits import MOST_BLOCKS
from interpreter.middle.pieces import copy_cells
from rulespec.lower.ir import Ask, Ir, Local, walk_ir
from rulespec.lower.missing import missing
from rulespec.program.ops import UNIT_ME, UNIT_TOGETHER
from rulespec.program.stuck import never_entered

Cells = list[Any]


class Snapshot(NamedTuple):
    """Before a `try` outside every unit: the cells (None where it writes none before it asks), whether something random
    had happened, where it stands, and how many events there were.
    """

    cells: Cells | None
    horizon: int
    at: int
    events: int


class Machine:
    """One game's executor. States are lists of cells; nothing of a game in progress is kept here."""

    def __init__(self, compiled: Compiled):
        self.compiled = compiled
        self.blocks = compiled.blocks
        self.looks = compiled.looks
        self.instrs = compiled.facts.program.instrs
        regions = compiled.facts.layout.regions
        self.me, self.units = regions["me"], regions["units"]
        self.active = regions["active"]
        self.together, self.over = regions["together"], regions["over"]
        self.horizon = compiled.facts.layout.horizon
        #: how many cells are the state
        self.lasting = compiled.facts.layout.lasting
        self.cap = compiled.facts.program.look_cap
        self.guards = compiled.guards
        self.declinable = compiled.facts.shape.declinable
        #: asks whose options are found without looking ahead, however many units are open
        self.quick = compiled.quick
        self.clean = compiled.facts.structure.clean
        #: for each `try`: the cell in which its unit is kept, and whether its one action's unit is its own
        self.tries = {
            at: (compiled.facts.layout.slots[i.args[0]], i.args[1]) for at, i in enumerate(self.instrs) if i.op == "try"
        }
        self.needed = needed_sets(compiled.facts.program, compiled.facts.handlers)
        self.needs = needs(compiled.facts.program, compiled.facts.handlers)
        compiled.namespace["short"] = self._drawn_short
        self.procs = {p.id: p for p in compiled.facts.program.procs}
        #: work since the last decision, counted by the blocks too
        self.work: list[int] = compiled.namespace["work"]

    # ---- play ----

    def begin(self, seed: int) -> Cells:
        """The cells of a new game, before anything has run."""
        c = copy_cells(self.compiled.facts.empty)
        for name, cell in self.compiled.facts.layout.streams.items():
            c[cell] = rng.start(rng.seed_stream(seed, name), rng.increment(name))
        c[0] = self.procs[self.compiled.facts.program.entries["main"]].entry
        return c

    def run(self, c: Cells, pc: int, sink: Events | None = None) -> list[Any] | None:
        """Runs from an instruction to the next decision, and gives its options; None when the game is over.

        Raises ContentError where the content is at fault: a value outside its range, or no end within bounds.
        """
        self.work[0] = 0
        snapshot: Snapshot | None = None
        c[self.horizon] = 0
        blocks, quick, units = self.blocks, self.quick, self.units
        try:
            for _ in range(MOST_BLOCKS):
                block = blocks[pc]
                if block is not None:
                    pc = block(c, 0, sink)
                elif pc in self.tries:
                    if c[self.units]:
                        pc = self.nested_try(c, pc)
                    else:
                        before = None if pc in self.clean else copy_cells(c)
                        snapshot = Snapshot(before, c[self.horizon], pc, 0 if sink is None else len(sink))
                        c[self.horizon] = 0
                        pc = self.enter_try(c, pc)
                elif pc in quick and c[units] and (options := quick[pc](c)):
                    c[0] = pc
                    c[self.horizon] = 0
                    return options
                else:
                    found = self._ask(c, pc, sink)
                    if isinstance(found, list):
                        c[0] = pc
                        c[self.horizon] = 0
                        return found
                    pc = found
                if pc < 0:
                    if pc == HALTED:
                        c[0] = 0
                        return None
                    pc, snapshot = self._failed(c, FAILED - pc, snapshot, sink)
        except RecursionError:  # sets in sets of decisions
            raise content_error(Overwork(pc), self.instrs) from None
        except Fault as fault:
            raise content_error(fault, self.instrs, pc) from None
        loop = never_entered(self.instrs, self.compiled.facts.structure.flow, pc, lambda test: self._holds(c, test))
        raise content_error(Stuck(pc, loop), self.instrs)

    def _holds(self, c: Cells, test: Ir) -> bool:
        """Whether a condition is true, as far as the cells tell: not of names that only a running block knows."""
        names = (node.slot for node in walk_ir(test) if isinstance(node, Local) and node.slot >= 0)
        slots = self.compiled.facts.layout.slots
        return all(slot in slots for slot in names) and bool(self.compiled.facts.values.of(test, c))

    def _ask(self, c: Cells, pc: int, sink: Events | None) -> list[Any] | int:
        """The options of a decision; or where to go on: chance has answered, nothing can be chosen."""
        ask = self.compiled.facts.asks[pc]
        if ask.chance:
            return self._by_chance(c, pc, ask)
        options = self._options(c, pc)
        if ask.kind == "may" and 1 not in options:
            return self.compiled.answers[pc](c, 0)
        if ask.optional and options == [STOP]:
            return self.compiled.answers[pc](c, STOP)
        if not options and ask.kind == "set" and not ask.optional:
            self._must_be_enough(c, pc, wanted(self, c, ask), self.picks(None, c, pc).most)
        return options or FAILED - pc

    def _must_be_enough(self, c: Cells, pc: int, amount: int, found: int) -> None:
        """Raises TooFew where the set-up chooses more than there are: what comes next would build on that."""
        if amount > found and pc in self.needed and self._is_needed(c, pc):
            raise TooFew(pc, amount, found)

    def _drawn_short(self, c: Cells, at: int, amount: int, drawn: int) -> None:
        """Raises NotDone where the set-up draws more than there are."""
        if drawn < amount and self._is_needed(c, at):
            raise not_drawn(at, amount, drawn)

    def _is_needed(self, c: Cells, at: int) -> bool:
        """Whether an instruction is run by the set-up, and no `try` on the way to it says what is done instead."""
        slots = self.compiled.facts.layout.slots
        while self.needs[at] not in (NEEDED, TRIED):
            proc = self.procs[self.compiled.facts.structure.proc_of[at]]
            back = c[slots[proc.back]] if proc.back in slots else 0
            if not back:
                return False
            at = back - 1
        return self.needs[at] == NEEDED

    def _stream(self, ask: Ask) -> tuple[int, int]:
        return self.compiled.facts.layout.streams[ask.stream], rng.increment(ask.stream)

    def _by_chance(self, c: Cells, pc: int, ask: Ask) -> int:
        if ask.kind == "set":
            return self._set_by_chance(c, pc, ask)
        candidates = self.candidates(c, pc)
        if not candidates:
            return FAILED - pc
        at = below(c, self._stream(ask), len(candidates))
        c[self.horizon] = 1
        return self.compiled.answers[pc](c, candidates[at])

    def _set_by_chance(self, c: Cells, pc: int, ask: Ask) -> int:
        """A set drawn by chance, one by one out of those that are left; goes on behind the loop that asks."""
        slots, structure = self.compiled.facts.layout.slots, self.compiled.facts.structure
        behind = structure.end[structure.loops[pc - 1]] + 1
        found = self.compiled.candidates[pc](c)
        amount = wanted(self, c, ask)
        is_short = amount > len(found) and not ask.optional
        picked = [] if is_short else self._picked_by_chance(c, ask, found, min(amount, len(found)))
        if len(picked) < amount and not ask.optional:  # outside every unit there is nothing to leave: nothing is chosen
            self._must_be_enough(c, pc, amount, len(found) if is_short else len(picked))
            return FAILED - pc if c[self.units] else behind
        c[slots[ask.picked]] = tuple(found[i] for i in sorted(picked))
        c[self.horizon] = 1
        return behind

    def _picked_by_chance(self, c: Cells, ask: Ask, found: list[Any], amount: int) -> list[int]:
        """The numbers of the candidates that chance picks; of several names each piece once. As the reference does."""
        stream = self._stream(ask)
        if len(ask.names) == 1:
            numbers = list(range(len(found)))
            for i in range(amount):
                k = i + below(c, stream, len(numbers) - i)
                numbers[i], numbers[k] = numbers[k], numbers[i]
            return numbers[:amount]
        gone = Gone(self.compiled.facts.pieces, c, pieces_in(ask))
        picked: list[int] = []
        first = 0  # those before it are gone, and never come back
        while len(picked) < amount:
            first = next((i for i in range(first, len(found)) if gone.leaves(found[i])), len(found))
            if first == len(found):
                break
            number = below(c, stream, len(found))
            counts = gone.of(found[number])
            if all(taken < n and (not taken or below(c, stream, n) >= taken) for taken, n in counts):
                picked.append(number)
                gone.take(found[number])
        return picked

    def answer(self, c: Cells, pc: int, candidate: Any) -> int:
        """Writes an answer; gives where to go on."""
        return self.compiled.answers[pc](c, candidate)

    def enter_try(self, c: Cells, pc: int) -> int:
        """Opens the unit of a `try`; the number of its first step."""
        cell, thin = self.tries[pc]
        c[cell] = c[self.me] + UNIT_ME * c[self.units] + UNIT_TOGETHER * c[self.together]
        if not thin:
            c[self.units] += 1
        return pc + 1

    def nested_try(self, c: Cells, pc: int) -> int:
        """Inside a unit: in if it can be completed by itself, else the other way."""
        if self._completes_alone(c, pc):
            return self.enter_try(c, pc)
        return self.compiled.facts.structure.middle[pc] + 1

    def completes_alone(self, c: Cells, pc: int) -> bool:
        """Whether what a `try` holds can be completed by itself. Raises ContentError, as `run`."""
        self.work[0] = 0
        try:
            return self._completes_alone(c, pc)
        except RecursionError:
            raise content_error(Overwork(pc), self.instrs) from None
        except Fault as fault:
            raise content_error(fault, self.instrs, pc) from None

    def _completes_alone(self, c: Cells, pc: int) -> bool:
        search = LookAhead(self, c[self.me])
        completes = search.completes_alone(c, pc)
        search.count(pc, 1)
        return completes

    def result(self, c: Cells) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """Points by seat, and seats by place, as if the game ended here."""
        base, seats = self.compiled.facts.layout.regions["player.score"], range(self.compiled.facts.declared.players)
        marks = [
            tuple(rank(c, seat) * (-1 if word == "most" else 1) for word, rank in self.compiled.ranking)
            for seat in seats
        ]
        places = tuple(tuple(seat for seat in seats if marks[seat] == mark) for mark in sorted(set(marks)))
        return tuple(int(x) for x in c[base : base + len(seats)]), places

    def set_up(self, c: Cells) -> None:
        """Runs the set-up and stops before the flow. What set-up asks is answered with the first option."""
        other = Machine(self.compiled)
        other.blocks = list(self.blocks)
        other.blocks[flow_call(self.compiled.facts.program)] = lambda c, floor, sink: HALTED
        options = other.run(c, c[0])
        while options is not None:
            options = other.run(c, other.answer(c, c[0], options[0]))

    def watch(self, c: Cells) -> None:
        """Notes which conditions are true as things stand, after cells were set from outside."""
        pc = self.procs[self.compiled.facts.program.entries["watch"]].entry
        while pc > 0:
            pc = self.blocks[pc](c, 0, None)

    # ---- failure ----

    def _failed(self, c: Cells, at: int, snapshot: Snapshot | None, sink: Events | None) -> tuple[int, None]:
        """Where play goes on after a step that cannot be done."""
        if snapshot is not None and not c[self.horizon] and self._is_inside(c, at, snapshot.at):
            if snapshot.cells is None:
                self._back_to_try(c, at, snapshot.at)
                c[self.horizon] = snapshot.horizon
            else:
                c[:] = snapshot.cells
            if sink is not None:
                del sink[snapshot.events :]
            return self.compiled.facts.structure.middle[snapshot.at] + 1, None
        if self._is_needed(c, at):
            raise NotDone(at, missing(self.instrs, at))
        return self._leave_unit(c, at), None

    def _leave_unit(self, c: Cells, at: int) -> int:
        """Skips to the end of the innermost open unit; what happened stays."""
        st = self.compiled.facts.structure
        failed = at
        while True:
            unit = self.compiled.facts.handlers[at]
            if unit >= 0:
                self._close(c, unit)
                return (st.end[unit] if self.instrs[unit].op == "try" else self._unit_end(unit)) + 1
            proc = self.procs[st.proc_of[at]]
            back = c[self.compiled.facts.layout.slots[proc.back]]
            if proc.kind in ("main", "setup", "flow", "end") or not back:
                if at != failed:
                    self._settle(c, proc.entry, at)
                return at + 1
            self._clear(c, proc.id)
            at = back - 1

    def _settle(self, c: Cells, entry: int, at: int) -> None:
        """Outside every unit, after blocks were left in the middle: whoever has the turn decides again."""
        c[self.me] = c[self.active]
        c[self.together] = sum(i.args[0] for i in self.instrs[entry:at] if i.op == "together")

    def _is_inside(self, c: Cells, at: int, tried: int) -> bool:
        """Whether a `try` is still open: an instruction stands in it, or in a block that it has called."""
        slots = self.compiled.facts.layout.slots
        while (unit := self.compiled.facts.handlers[at]) != tried:
            if unit >= 0:
                at = unit
                continue
            at = c[slots[self.procs[self.compiled.facts.structure.proc_of[at]].back]] - 1
            if at < 0:
                return False
        return True

    def _back_to_try(self, c: Cells, at: int, pc: int) -> None:
        """Leaves every block and unit that was opened since a `try` began."""
        slots = self.compiled.facts.layout.slots
        while (unit := self.compiled.facts.handlers[at]) != pc:
            if unit >= 0:
                at = unit
                if self.instrs[unit].args[0] in slots:
                    c[slots[self.instrs[unit].args[0]]] = 0
                continue
            proc = self.procs[self.compiled.facts.structure.proc_of[at]]
            at = c[slots[proc.back]] - 1
            self._clear(c, proc.id)
        self._close(c, pc)

    def _close(self, c: Cells, unit: int) -> None:
        """Puts back who decides and how deep things stand, as when a unit began."""
        cell = self.compiled.facts.layout.slots[self.instrs[unit].args[0]]
        c[self.me], rest = c[cell] % UNIT_ME, c[cell] // UNIT_ME
        c[self.units], c[self.together] = rest % UNIT_ME, rest // UNIT_ME
        c[cell] = 0

    def _unit_end(self, unit: int) -> int:
        slot = self.instrs[unit].args[0]
        return next(
            i
            for i in range(unit + 1, len(self.instrs))
            if self.instrs[i].op == "unit_end" and self.instrs[i].args[0] == slot
        )

    def _clear(self, c: Cells, proc: int) -> None:
        slots = self.compiled.facts.program.slots
        for slot, cell in self.compiled.facts.layout.slots.items():
            if slots[slot].proc == proc:
                c[cell] = self.compiled.facts.empty[cell]

    # ---- options ----

    def picks(self, search: LookAhead | None, c: Cells, pc: int) -> Picks:
        """The picks of the set that is asked for."""
        return Picks(self, c, pc, search)

    def candidates(self, c: Cells, pc: int) -> list[Any]:
        """Candidates before any look ahead; those of a set with their number."""
        ask = self.compiled.facts.asks[pc]
        if ask.kind == "set":
            found: list[Any] = list(self.picks(None, c, pc).next())
        else:
            found = self.compiled.candidates[pc](c)
        return [*found, STOP] if ask.optional else found

    def options(self, c: Cells, pc: int) -> list[Any]:
        """The candidates from which the open unit can be completed. Raises ContentError, as `run`."""
        self.work[0] = 0
        try:
            return self._options(c, pc)
        except RecursionError:  # sets in sets of decisions
            raise content_error(Overwork(pc), self.instrs) from None
        except Fault as fault:
            raise content_error(fault, self.instrs, pc) from None

    def _options(self, c: Cells, pc: int) -> list[Any]:
        ask = self.compiled.facts.asks[pc]
        if ask.kind == "one":
            if not c[self.units]:
                return self.compiled.candidates[pc](c)
            if pc in self.guards:
                options, _, deep = self.guards[pc]
                sure = options(c) if deep or c[self.units] == 1 else None
                if sure is not None:
                    return sure
        search = LookAhead(self, c[self.me])
        if ask.kind == "set" and not ask.optional:
            picks = self.picks(search, c, pc)
            found: list[Any] = picks.options()
            tried = len(picks.found)
        else:
            candidates = self.candidates(c, pc)
            found = [x for x in candidates if search.leads_on(c, pc, x)]
            tried = len(candidates)
        search.count(pc, tried)
        return found
