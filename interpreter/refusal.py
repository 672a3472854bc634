"""Why something is not offered: the first condition that forbids it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter.executor.asks import STOP, write_candidates
from interpreter.executor.runtime import FAILED, HALTED, LOOKED, copy_cells
from interpreter.executor.writing import Source
from interpreter.options import loose_forms, squeeze, stops
from rulespec.lower.ir import Ask, FilterPart, Instr
from rulespec.program.ops import LABELS
from rulespec.source.text import Span

if TYPE_CHECKING:
    from interpreter.executor.compile import Compiled
    from interpreter.state import State

Cells = list[Any]
#: The number of a name among those of a decision, a part of its filter, and the test of that part.
PartTest = tuple[int, FilterPart, Callable[..., Any]]
MOST_RAW = 100_000


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why: `rule` is the label of the failed condition, else the function it calls or its text.

    `reason` is one of `over`, `unknown` (no such thing to choose here), `picked` (it is in the set already), `later`
    (all that is left is taken, in one order), `condition` and `completion` (the choice could be made, and then the
    action could not be carried through); `span` is the condition's place. Where what follows fails by one condition or
    by another, `others` are the other ones: each forbids some way to go on, and none forbids all.
    """

    reason: str
    rule: str
    span: Span | None
    others: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """All conditions that forbid the option together."""
        return (self.rule, *self.others)


class IllegalOption(Exception):
    """An option that is not offered. `key` is what was asked for, `refusal` says which condition failed."""

    def __init__(self, key: str, refusal: Refusal):
        self.key = key
        self.refusal = refusal
        place = f" ({refusal.span.file.name}:{refusal.span.line})" if refusal.span is not None else ""
        super().__init__(f"{key!r} is not offered: {refusal.rule}{place}")


def refuse(state: State, key: str) -> IllegalOption:
    """The reason why a key is not among a state's options."""
    if state.decision is None:
        return IllegalOption(key, Refusal("over", "the game is over", None))
    return IllegalOption(key, why_not(state, key))


def why_not(state: State, key: str) -> Refusal:
    """The first condition that forbids an option, written as a person writes it."""
    wanted = squeeze(key)
    raw = Raw(state)
    for candidate in raw.candidates():
        if wanted in loose_forms(state, candidate):
            return raw.refusal(candidate)
    ask = state.ask
    return Refusal("unknown", f"no such choice in {ask.action or ask.id}", ask.names[0].span if ask.names else None)


class Raw:
    """A decision's candidates before any condition, and each condition by itself."""

    def __init__(self, state: State):
        self.state = state
        self.pc = state.cells[0]
        self.ask = state.ask

    @cached_property
    def _functions(self) -> tuple[Callable[[Cells], list[Any]], list[PartTest]]:
        return _compile_raw(self.state.game.compiled, self.ask)

    def candidates(self) -> list[Any]:
        """All that could be meant, conditions aside."""
        if self.ask.kind == "may":
            return [1, 0]
        found = self._functions[0](self.state.cells)[:MOST_RAW]
        if self.ask.kind == "set":
            found = list(enumerate(found))
        return [*found, STOP] if self.ask.optional else found

    def refusal(self, candidate: Any) -> Refusal:
        """The first thing that forbids a candidate."""
        condition = self._failed_condition(candidate)
        if condition is not None:
            return Refusal("condition", condition.name, condition.span)
        return self._not_completed(candidate)

    def _failed_condition(self, candidate: Any) -> FilterPart | None:
        if self.ask.kind == "may" or stops(self.ask, candidate):
            return None
        value = candidate[1] if self.ask.kind == "set" else candidate
        values = value if len(self.ask.names) > 1 or self.ask.record else (value,)
        for at, part, test in self._functions[1]:
            if not test(self.state.cells, *values[: at + 1]):
                return part
        return None

    def _not_completed(self, candidate: Any) -> Refusal:
        """Looks ahead along the candidate, and tells the condition that stopped it last."""
        machine = self.state.game.machine
        offered = machine.compiled.candidates[self.pc](self.state.cells)
        in_set = self.ask.kind == "set" and not stops(self.ask, candidate)
        plain = candidate[1] if in_set else candidate
        if not stops(self.ask, candidate) and self.ask.kind != "may" and plain not in offered:
            preferred = next((n for n in self.ask.names if n.if_possible is not None), None)
            if preferred is not None:
                return Refusal("condition", preferred.preferred_name, preferred.preferred_span)
        if in_set and plain in offered:
            candidate = offered.index(plain), plain
            picks = machine.picks(None, self.state.cells, self.pc)
            if not picks.may_come(candidate[0]):
                return Refusal("picked", "picked already", None)
            if picks.is_taken_later(candidate[0]):
                return Refusal("later", "all that is left is taken, this later", None)
        cells = copy_cells(self.state.cells)
        start = machine.answer(cells, self.pc, candidate)
        failed = failures(self.state.game.compiled, machine, cells, start)
        if not failed:
            return Refusal("unknown", "no way to go on was found", None)
        instrs = [self.state.game.built.program.instrs[at] for at in failed]
        first, *others = dict.fromkeys(failure_name(instr) for instr in instrs)
        return Refusal("completion", first, instrs[0].span, tuple(others))


def failure_name(instr: Instr) -> str:
    """What a step that can fail is called."""
    if instr.op in LABELS:
        return str(instr.args[LABELS[instr.op]])
    return {"move": "no piece or no room", "ask": "nothing to choose later"}.get(instr.op, instr.op)


def failures(compiled: Compiled, machine: Any, cells: Cells, start: int) -> list[int]:
    """The numbers of the steps that fail on the ways to go on, each once; a labelled condition tells most, and where
    there is one the rest is left out.
    """
    found: list[int] = []
    _gather(machine, cells, start, cells[machine.me], found, [2000])
    labelled = [f for f in found if compiled.program.instrs[f].op in LABELS]
    return list(dict.fromkeys(labelled or found))


def _gather(machine: Any, c: Cells, pc: int, me: int, found: list[int], budget: list[int]) -> None:
    while budget[0] > 0:
        budget[0] -= 1
        block = machine.blocks[pc]
        if block is not None:
            pc = block(c, 1, None)
            if pc < 0:
                if pc not in (LOOKED, HALTED):
                    found.append(FAILED - pc)
                return
        elif machine.instrs[pc].op == "try":
            pc = machine.nested_try(c, pc)
        else:
            _gather_ask(machine, c, pc, me, found, budget)
            return


def _gather_ask(machine: Any, c: Cells, pc: int, me: int, found: list[int], budget: list[int]) -> None:
    ask = machine.compiled.asks[pc]
    if ask.chance or c[machine.me] != me:
        return
    candidates = machine.candidates(c, pc)
    if not candidates:
        found.append(pc)
    for x in candidates:
        d = copy_cells(c)
        _gather(machine, d, machine.answer(d, pc, x), me, found, budget)


def _compile_raw(compiled: Compiled, ask: Ask) -> tuple[Callable[[Cells], list[Any]], list[PartTest]]:
    bare = replace(ask, names=tuple(replace(n, where=None, if_possible=None) for n in ask.names), alike=None)
    source = Source(compiled.declared_now, compiled.layout, compiled.structure.temps)
    source.ask_numbers = {id(bare): 0}
    source.indent = 0
    source.grouping = None  # nothing of the game's own functions is at hand here
    write_candidates(source, bare)
    tests: list[tuple[int, FilterPart, str]] = []
    for i, name in enumerate(ask.names):
        for part in name.where_parts:
            variables = [source.variable(n.var) for n in ask.names[: i + 1]]
            source.codes_of.clear()
            source.line(f"def part{len(tests)}({', '.join(['c', *variables])}):")
            source.indent = 1
            source.line(f"return {source.ex(part.test)}")
            source.indent = 0
            tests.append((i, part, f"part{len(tests)}"))
    namespace = {**compiled.namespace, **source.constants}
    # constants are numbered anew: the functions of the game keep their own
    exec(compile("\n".join(source.lines), "<rulespec refusal>", "exec"), namespace)  # noqa: S102 - from the typed form
    return namespace["cand0"], [(at, part, namespace[f]) for at, part, f in tests]
