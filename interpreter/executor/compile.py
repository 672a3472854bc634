"""Compiles a program once per game: Python source is written from the typed form, and becomes functions.

The blocks are written later, each when it is first called (`first_call`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from interpreter import rng
from interpreter.executor import chance, incremental_memo, runtime
from interpreter.executor.asks import write_answer, write_candidates
from interpreter.executor.blocks import Blocks
from interpreter.executor.first_call import FirstCalls, Later
from interpreter.executor.functions import write_functions
from interpreter.executor.guards import write_guard
from interpreter.executor.writing import Source
from interpreter.middle import pieces
from interpreter.middle.analysis.cost import COSTLY, effort
from interpreter.middle.analysis.partition import Grouping
from interpreter.middle.facts import Facts
from interpreter.middle.faults import MOST_WORK, OutOfRange, Overwork
from interpreter.middle.layout import Layout
from interpreter.middle.passes.numbering import number_asks
from rulespec.built import Built
from rulespec.lower.cost import Costs
from rulespec.lower.ir import (
    Ir,
    Program,
)
from rulespec.program.ops import QUESTIONS

#: By ask: its options, how many candidates it takes to find one, and whether both hold however many units are open.
Guarded = tuple[Callable[[list[Any]], list[Any] | None], Callable[[list[Any]], int | None], bool]
Lock = AbstractContextManager[bool]


@dataclass(slots=True)
class Compiled:
    """A game's functions: blocks by instruction, candidates and answers by ask, and what they know."""

    facts: Facts
    blocks: list[Any]
    looks: list[Any]
    candidates: dict[int, Callable[[list[Any]], list[Any]]]
    answers: dict[int, Callable[[list[Any], Any], int]]
    ranking: tuple[tuple[str, Callable[[list[Any], int], int]], ...]
    always: tuple[tuple[Any, Callable[[list[Any]], bool]], ...]
    hints: tuple[Callable[[list[Any], int], int], ...]
    namespace: dict[str, Any] = field(default_factory=dict)
    guards: dict[int, Guarded] = field(default_factory=dict)
    quick: dict[int, Callable[[list[Any]], list[Any] | None]] = field(default_factory=dict)
    """The options of asks that are found without looking ahead, however many units are open."""


def compile_game(built: Built, ran: set[str | int] | None = None) -> Compiled:
    """All functions of a built game. With `ran`, they note there which instructions and functions run.

    What a look-ahead tries does not count as run.
    """
    facts = Facts(built, is_simplified=ran is None)  # what is noted is noted of the program as it was written
    program, declared, structure, layout = facts.simple, facts.declared, facts.structure, facts.layout
    source = Source(declared, layout, structure.temps)
    source.ask_numbers = number_asks(program.instrs) if facts.simplifier is None else facts.simplifier.ask_numbers
    source.pieces = "z"
    source.grouping = Grouping(declared) if ran is None else None
    source.lows = {r.key: r.low for r in program.regions}
    source.places = {r.key: r.places for r in program.regions}
    source.slot_types = tuple(slot.type for slot in program.slots)
    source.costs = costs = Costs(declared)
    namespace = _namespace(facts, source)
    if ran is not None:
        namespace["ran"] = ran.add
    later = Later(source, namespace, facts.lock)
    write_functions(later, ran is not None, facts.simplifier)
    blocks = _blocks(Blocks(source, program, structure, costs, built.program, ran is not None), later)
    compiled = _collect(facts, source, blocks, later)
    _asks(later, program, compiled)
    _guards(later, facts, compiled)
    return compiled


def _asks(later: Later, program: Program, compiled: Compiled) -> None:
    """What asks offer, and what answers write, in the places where they are looked for."""
    s, numbers = later.source, number_asks(compiled.facts.program.instrs)
    costs = s.costs
    assert costs is not None
    places: dict[int, list[int]] = {}
    for at, instr in enumerate(compiled.facts.program.instrs):
        if instr.op in QUESTIONS:
            places.setdefault(numbers[id(instr.args[0])], []).append(at)
    for number, ats in places.items():
        name, asking = f"cand{number}", [at for at in ats if at in compiled.facts.asks]

        def write(at: int = ats[0]) -> None:
            ask = program.instrs[at].args[0]
            s.counting = effort(costs, ask) >= COSTLY
            write_candidates(s, ask)

        def made(name: str = name, asking: list[int] = asking) -> None:
            compiled.candidates.update(dict.fromkeys(asking, later.namespace[name]))

        later.add([name], write, made)
    for at in compiled.facts.asks:
        later.add(
            [f"answer{at}"],
            partial(_write_answer, s, program, at),
            partial(_take, later.namespace, f"answer{at}", compiled.answers, at),
        )


def _write_answer(s: Source, program: Program, at: int) -> None:
    write_answer(s, at, program.instrs[at].args[0])


def _take(namespace: dict[str, Any], name: str, places: dict[int, Any], at: int) -> None:
    """Puts the function of a name where it is looked for."""
    places[at] = namespace[name]


def _guards(later: Later, facts: Facts, compiled: Compiled) -> None:
    """Where options are found without looking ahead."""
    s = later.source
    assert s.costs is not None
    costs = s.costs
    for at, deep in facts.shape.guards.items():

        def write(at: int = at) -> None:
            guard = facts.proof(at)
            assert guard is not None
            write_guard(s, facts.simple, guard, costs, at)

        def made(at: int = at, deep: bool = deep) -> None:
            ok, first = later.namespace[f"ok{at}"], later.namespace[f"first{at}"]
            compiled.guards[at] = ok, first, deep
            if deep:
                compiled.quick[at] = ok

        later.add([f"ok{at}", f"first{at}"], write, made)


def _blocks(writer: Blocks, later: Later) -> FirstCalls:
    """The blocks, written when they are called; where the machine itself does something, there is none."""
    instrs = writer.program.instrs
    starts = {at for at in writer.st.entries if at < len(instrs) and instrs[at].op not in ("ask", "try")}
    return FirstCalls(writer, later, starts, len(instrs))


def _write_ends(s: Source, program: Program) -> None:
    """The functions that rank players and test what must always hold."""
    for i, (_, ir) in enumerate(program.ranking):
        s.line(f"def rank{i}(c, {s.variable('player')}):")
        _returning(s, ir)
    for i, (_, ir) in enumerate(program.always):
        s.line(f"def always{i}(c):")
        _returning(s, ir)
    for i, ir in enumerate(program.hints.worth):
        s.line(f"def hint{i}(c, {s.variable('player')}):")
        _returning(s, ir)


def _returning(s: Source, ir: Ir) -> None:
    s.indent = 1
    s.line(f"return {s.ex(ir)}")
    s.indent = 0


def _namespace(facts: Facts, s: Source) -> dict[str, Any]:
    program, layout = facts.simple, facts.layout
    work = [0]

    def spend(amount: int, at: int) -> None:
        """Counts work that is done at an instruction."""
        work[0] += amount
        if work[0] > MOST_WORK:
            raise Overwork(at)

    return {
        "Kept": incremental_memo.Kept,
        "bits": runtime.bits,
        "divide": runtime.divide,
        "within": runtime.within,
        "remainder": runtime.remainder,
        "longest": runtime.longest,
        "stretch": runtime.stretch,
        "reach": runtime.reach,
        "drop": runtime.drop,
        "drop_piece": runtime.drop_piece,
        "with_pick": runtime.with_pick,
        "take_from_stack": pieces.take_from_stack,
        "put_on_stack": pieces.put_on_stack,
        "flip_pieces": chance.flip_pieces,
        "draw": chance.draw,
        "shuffle_stack": chance.shuffle_stack,
        "pick_unseen": chance.pick_unseen,
        "pick_each_unseen": chance.pick_each_unseen,
        "handling": facts.pieces,
        "unwind": facts.unwind,
        "OutOfRange": OutOfRange,
        "Overwork": Overwork,
        "work": work,
        "spend": spend,
        "STREAMS": {name: (layout.streams[name], rng.increment(name)) for name in program.streams},
        "EFFECTS": _effects(program, layout),
        **s.constants,
    }


def _effects(program: Program, layout: Layout) -> list[dict[int, Any]]:
    """For each nesting level: by effect, the cells of its parameters, their values, where back goes, the entry."""
    levels = max((level for level, _ in program.effect_procs), default=0) + 1
    found: list[dict[int, Any]] = [{} for _ in range(levels)]
    by_id = {p.id: p for p in program.procs}
    for (level, value), call in program.effect_procs.items():
        if call is not None:
            proc = by_id[call[0]]
            cells = tuple(layout.slots[s] for s in proc.params)
            found[level][value] = (cells, call[1], layout.slots[proc.back], proc.entry)
    return found


def _collect(facts: Facts, s: Source, blocks: FirstCalls, later: Later) -> Compiled:
    program, namespace = facts.program, later.namespace
    ranks = [f"rank{i}" for i, _ in enumerate(program.ranking)]
    always = [f"always{i}" for i, _ in enumerate(program.always)]
    hints = [f"hint{i}" for i, _ in enumerate(program.hints.worth)]
    later.write(lambda: _write_ends(s, program))
    return Compiled(
        facts=facts,
        blocks=blocks.blocks,
        looks=blocks.looks,
        candidates={},
        answers={},
        ranking=tuple((word, namespace[r]) for (word, _), r in zip(program.ranking, ranks, strict=True)),
        always=tuple((span, namespace[name]) for (span, _), name in zip(program.always, always, strict=True)),
        hints=tuple(namespace[name] for name in hints),
        namespace=namespace,
    )
