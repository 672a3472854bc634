"""Brings a machine to the place in the flow where a seat is asked in an action, without running what lies before it.

On the way only what steers is followed: names, who decides, units, and the loops that lead there (a loop over players
at the pass of the seat; the others follow as usual). Conditions on the way are taken as met, all other steps are left
out: nothing is moved, scored or counted. The way ends at the outermost `try` or call of an action; from there the game
runs as usual.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interpreter.game import Game
from interpreter.middle.analysis.control_flow import flow_call
from interpreter.scenarios.values import Cells, WideValues
from rulespec.lower.ir import Ask, Compare, Instr, Ir, Local, Proc
from rulespec.model.types import ListType
from rulespec.program.meaning import bits
from rulespec.program.ops import UNIT_ME, UNIT_TOGETHER

MOST_WAYS = 100_000  #: how many blocks are looked into and followed, for all ways together


@dataclass(frozen=True, slots=True)
class Stop:
    """One instruction of a way through the program: the call of `callee` there, or (None) its end."""

    at: int
    callee: int | None = None
    value: int | None = None


def _is_action(proc: Proc, action: str) -> bool:
    return proc.kind == "action" and proc.name.split("(", 1)[0] == action


class Placing:
    """Ways through one game's program."""

    def __init__(self, game: Game):
        self.game = game
        self.program = game.facts.program
        self.st = game.facts.structure
        self.procs = {p.id: p for p in self.program.procs}
        self.values = WideValues(game.facts)
        regions = game.facts.layout.regions
        self.me, self.active = regions["me"], regions["active"]
        self.units, self.together = regions["units"], regions["together"]
        self.tries = 0
        self.leading: set[int] = set()

    def place(self, cells: Cells, seat: int, action: str) -> int | None:
        """The instruction to go on from, with the cells changed to be there; None where no way leads there."""
        flow = self.procs[self.program.entries["flow"]]
        self.tries = MOST_WAYS
        self.leading = self._blocks_leading_to(action)
        for way in self._ways(flow, action, frozenset()):
            found = self._follow(self._begun(cells, flow), flow.entry, way, seat)
            if found is not None:
                cells[:] = self.values.narrow(found[1])
                return found[0]
        return None

    def _begun(self, cells: Cells, flow: Proc) -> Cells:
        wide = self.values.widen(cells)
        wide[self.values.layout.slots[flow.back]] = flow_call(self.program) + 1
        return wide

    # ---- ways ----

    def _ways(self, proc: Proc, action: str, above: frozenset[int]) -> Iterator[tuple[Stop, ...]]:
        """Ways from the start of a block to a place where the action asks, the first in the program first."""
        self.tries -= 1
        if self.tries < 0:
            return
        for at in range(proc.entry, proc.end):
            instr = self.program.instrs[at]
            if instr.op == "ask" and self._asks(instr, action):
                yield (Stop(at),)
            for callee, value in self._callees(instr):
                inner = self.procs[callee]
                if _is_action(inner, action):
                    yield (Stop(at, callee, value),)
                elif callee in self.leading and callee not in above:
                    for way in self._ways(inner, action, above | {proc.id, callee}):
                        yield (Stop(at, callee, value), *way)

    def _blocks_leading_to(self, action: str) -> set[int]:
        """The blocks from which one comes to where the action asks; no way leads through any other."""
        found = {p.id for p in self.procs.values() if _is_action(p, action) or self._holds_ask(p, action)}
        while more := {number for number, called in self._called.items() if number not in found and called & found}:
            found |= more
        return found

    @cached_property
    def _called(self) -> dict[int, frozenset[int]]:
        """By block: the blocks that it calls."""
        return {
            p.id: frozenset(callee for i in self._instrs(p) for callee, _ in self._callees(i))
            for p in self.procs.values()
        }

    def _instrs(self, proc: Proc) -> tuple[Instr, ...]:
        return self.program.instrs[proc.entry : proc.end]

    def _holds_ask(self, proc: Proc, action: str) -> bool:
        return any(i.op == "ask" and self._asks(i, action) for i in self._instrs(proc))

    def _asks(self, instr: Instr, action: str) -> bool:
        ask: Ask = instr.args[0]
        return not ask.chance and action in (ask.action, ask.id)

    def _callees(self, instr: Instr) -> Iterator[tuple[int, int | None]]:
        if instr.op == "call":
            yield instr.args[0], None
        elif instr.op == "callv":
            for (level, value), call in self.program.effect_procs.items():
                if level == instr.args[1] and call is not None and (instr.args[2] is None or value in instr.args[2]):
                    yield call[0], value

    # ---- following a way ----

    def _follow(self, c: Cells, at: int, way: tuple[Stop, ...], seat: int) -> tuple[int, Cells] | None:
        """Goes on to the first stop of a way, and from there on; gives where it ends, with the cells there."""
        self.tries -= 1
        if self.tries < 0:
            return None
        goal = way[0].at
        while at < goal:
            instr = self.program.instrs[at]
            if instr.op == "try" and at < goal <= self.st.end[at]:
                return self._arrived(c, at, seat)
            if instr.op == "loop" and goal <= self.st.end[at]:
                return self._into_loop(c, at, way, seat)
            if instr.op == "ask":
                return self._through_ask(c, at, way, seat)
            at = self._step(c, at, goal, instr)
        return self._at_stop(c, way, seat)

    def _arrived(self, c: Cells, at: int, seat: int) -> tuple[int, Cells] | None:
        return (at, c) if c[self.me] == seat else None

    def _at_stop(self, c: Cells, way: tuple[Stop, ...], seat: int) -> tuple[int, Cells] | None:
        stop, rest = way[0], way[1:]
        if not rest or stop.callee is None or self.procs[stop.callee].kind == "action":
            return self._arrived(c, stop.at, seat)
        return self._follow(c, self._enter(c, stop), rest, seat)

    def _enter(self, c: Cells, stop: Stop) -> int:
        """Opens the block that a stop calls."""
        instr = self.program.instrs[stop.at]
        assert stop.callee is not None
        proc = self.procs[stop.callee]
        if stop.value is None:
            args = [self.values.of(a, c) for a in instr.args[1]]
        else:
            call = self.program.effect_procs[instr.args[1], stop.value]
            args = list(call[1]) if call is not None else []
        slots = self.values.layout.slots
        for slot, value in zip(proc.params, args, strict=True):
            c[slots[slot]] = value
        c[slots[proc.back]] = stop.at + 1
        return proc.entry

    def _step(self, c: Cells, at: int, goal: int, instr: Instr) -> int:
        """One instruction that steers; compound ones that do not lead to the goal are left out whole."""
        if at in self.st.end:
            if goal > self.st.end[at]:
                return self.st.end[at] + 1
            middle = self.st.middle.get(at)
            return middle + 1 if middle is not None and goal > middle else at + 1
        slots = self.values.layout.slots
        if instr.op == "set":
            c[slots[instr.args[0]]] = self._local_value(instr, c)
        elif instr.op == "store" and instr.args[0] in ("me", "active"):
            c[self.me if instr.args[0] == "me" else self.active] = self.values.of(instr.args[2], c)
        elif instr.op == "unit":
            c[slots[instr.args[0]]] = c[self.me] + UNIT_ME * c[self.units] + UNIT_TOGETHER * c[self.together]
            c[self.units] += 1
        elif instr.op == "unit_end":
            c[self.units] -= 1
            c[slots[instr.args[0]]] = 0
        elif instr.op == "together":
            c[self.together] += instr.args[0]
        return at + 1

    def _local_value(self, instr: Instr, c: Cells) -> Any:
        value = self.values.of(instr.args[1], c)
        if isinstance(self.program.slots[instr.args[0]].type, ListType):
            return () if value == 0 else tuple(bits(value) if isinstance(value, int) else value)
        return value

    def _into_loop(self, c: Cells, at: int, way: tuple[Stop, ...], seat: int) -> tuple[int, Cells] | None:
        """A loop over members is tried at each of them; any other at its first pass."""
        counter = self._counter(at)
        if counter is None:
            return self._follow(c, at + 1, way, seat)
        cell, size = self.values.layout.slots[counter[0].slot], self.values.of(counter[1], c)
        for number in range(min(size, 1) if self._at_once(at) else size):
            d = c.copy()
            d[cell] = number
            found = self._follow(d, at + 2, way, seat)
            if found is not None:
                return found
        return None

    def _at_once(self, at: int) -> bool:
        """Whether a loop gathers choices that are carried out together: it cannot begin in its middle."""
        inside = self.program.instrs[at : self.st.end[at]]
        return any(i.op == "set" and self.program.slots[i.args[0]].name == "choices" for i in inside)

    def _counter(self, at: int) -> tuple[Local, Ir] | None:
        """The name that counts the passes of a loop over members, and how many members there are."""
        test = self.program.instrs[at + 1]
        if test.op != "break_if" or not isinstance(test.args[0], Compare):
            return None
        left = test.args[0].left
        if test.args[0].op != ">=" or not isinstance(left, Local) or self.program.slots[left.slot].name != "at":
            return None
        return left, test.args[0].right

    def _through_ask(self, c: Cells, at: int, way: tuple[Stop, ...], seat: int) -> tuple[int, Cells] | None:
        """A choice on the way: what is asked is taken, else the first candidate that leads there."""
        ask = self.game.facts.asks[at]
        candidates = [1] if ask.kind == "may" else self.values.candidates(c, at)
        for number, candidate in enumerate(candidates):
            d = c.copy()
            self.values.answer(d, at, (number, candidate) if ask.kind == "set" else candidate)
            found = self._follow(d, at + 1, way, seat)
            if found is not None:
                return found
        return None
