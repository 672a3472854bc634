"""Compiles a program once per game: Python source is written from the typed form, and becomes functions.

The blocks are written later, each when it is first called (`first_call`).
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from threading import RLock
from typing import Any

from interpreter import rng
from interpreter.executor import chance, kept, memo, runtime, shapes
from interpreter.executor.asks import write_answer, write_candidates
from interpreter.executor.blocks import Blocks
from interpreter.executor.effort import COSTLY, effort
from interpreter.executor.faults import MOST_WORK, OutOfRange, Overwork
from interpreter.executor.first_call import FirstCalls, Later
from interpreter.executor.groups import Grouping
from interpreter.executor.guards import Guard, find_guard, write_guard
from interpreter.executor.layout import PIECES, Layout, Room, lay_out, no_pieces, rooms
from interpreter.executor.numbering import number_asks
from interpreter.executor.simplify import Simplifier
from interpreter.executor.structure import Structure, analyse, handlers_of
from interpreter.executor.sure import Sure
from interpreter.executor.writing import Source, function_name, plain_name
from rulespec.build import Built
from rulespec.lower.cost import Costs
from rulespec.lower.declared import Declared
from rulespec.lower.ir import (
    Arith,
    Ask,
    CallIr,
    CallRow,
    Compare,
    Const,
    If,
    Ir,
    Let,
    Logic,
    NotIr,
    Program,
    Table,
    Var,
    walk_ir,
)
from rulespec.model.types import ListType, Piece, strip
from rulespec.model.world import World
from rulespec.program.ops import QUESTIONS

#: By ask: its options, how many candidates it takes to find one, and whether both hold however many units are open.
Guarded = tuple[Callable[[list[Any]], list[Any] | None], Callable[[list[Any]], int | None], bool]
Lock = AbstractContextManager[bool]


@dataclass(slots=True)
class Compiled:
    """A game's functions: blocks by instruction, candidates and answers by ask, and what a fresh state holds."""

    built: Built
    declared: Declared
    program: Program
    structure: Structure
    layout: Layout
    rooms: tuple[Room, ...]
    handling: runtime.Handling
    blocks: list[Any]
    looks: list[Any]
    asks: dict[int, Ask]
    candidates: dict[int, Callable[[list[Any]], list[Any]]]
    answers: dict[int, Callable[[list[Any], Any], int]]
    handlers: list[int]
    empty: list[Any]
    ranking: tuple[tuple[str, Callable[[list[Any], int], int]], ...]
    always: tuple[tuple[Any, Callable[[list[Any]], bool]], ...]
    hints: tuple[Callable[[list[Any], int], int], ...]
    namespace: dict[str, Any] = field(default_factory=dict)
    guards: dict[int, Guarded] = field(default_factory=dict)
    quick: dict[int, Callable[[list[Any]], list[Any] | None]] = field(default_factory=dict)
    """The options of asks that are found without looking ahead, however many units are open."""
    find_proof: Callable[[int], Guard | None] = lambda at: None
    lock: Lock = field(default_factory=RLock)  #: held by whoever writes functions or seeks what they are made from
    _proofs: dict[int, Guard | None] = field(default_factory=dict)
    declinable: set[int] = field(default_factory=set)  #: asks that may be declined, after which nothing can fail
    _declared_now: Declared | None = None

    def proof(self, at: int) -> Guard | None:
        """What the functions of `guards` are made from; None where an ask has none."""
        with self.lock:
            if at not in self._proofs:
                self._proofs[at] = self.find_proof(at)
            return self._proofs[at]

    @property
    def world(self) -> World:
        """The declarations."""
        return self.built.world

    @property
    def declared_now(self) -> Declared:
        """What is declared, with the tables of what is lowered later: expressions of texts, scenarios, drawings."""
        if self._declared_now is None:
            tables = ChainMap(dict(self.declared.tables), self.world.tables)
            self._declared_now = replace(self.declared, tables=tables)
        return self._declared_now


def compile_game(built: Built, ran: set[str | int] | None = None, *, conditions: bool = False) -> Compiled:
    """All functions of a built game. With `ran`, they note there which instructions and functions run.

    What a look-ahead tries does not count as run. With `conditions`, the events tell what conditions were made of.
    """
    program, declared = built.program, built.program.declared
    structure = analyse(program)
    simplifier = None
    if ran is None and not conditions:  # what is to be told is told of the program as it was written
        simplifier = Simplifier(declared, remembering(declared))
        program, declared = simplifier.later(program), simplifier.declared
    layout = lay_out(declared, program, structure.outlive)
    source = Source(declared, layout, structure.temps)
    source.ask_numbers = number_asks(program.instrs) if simplifier is None else simplifier.ask_numbers
    source.pieces = "z"
    source.conditions = conditions
    source.grouping = Grouping(declared) if ran is None else None
    source.lows = {r.key: r.low for r in program.regions}
    source.places = {r.key: r.places for r in program.regions}
    source.slot_types = tuple(slot.type for slot in program.slots)
    source.costs = costs = Costs(declared)
    namespace = _namespace(declared, program, layout, source)
    if ran is not None:
        namespace["ran"] = ran.add
    later = Later(source, namespace)
    _functions(later, ran is not None, simplifier)
    blocks = _blocks(Blocks(source, program, structure, costs, built.program, ran is not None), later)
    compiled = _collect(built, source, structure, blocks, later)
    _asks(later, program, compiled)
    _guards(later, program, compiled, Sure(declared, program, structure, built.program), simplifier)
    return compiled


def _asks(later: Later, program: Program, compiled: Compiled) -> None:
    """What asks offer, and what answers write, in the places where they are looked for."""
    s, numbers = later.source, number_asks(compiled.program.instrs)
    costs = s.costs
    assert costs is not None
    places: dict[int, list[int]] = {}
    for at, instr in enumerate(compiled.program.instrs):
        if instr.op in QUESTIONS:
            places.setdefault(numbers[id(instr.args[0])], []).append(at)
    for number, ats in places.items():
        name, asking = f"cand{number}", [at for at in ats if at in compiled.asks]

        def write(at: int = ats[0]) -> None:
            ask = program.instrs[at].args[0]
            s.counting = effort(costs, ask) >= COSTLY
            write_candidates(s, ask)

        def made(name: str = name, asking: list[int] = asking) -> None:
            compiled.candidates.update(dict.fromkeys(asking, later.namespace[name]))

        later.add([name], write, made)
    for at in compiled.asks:
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


def _guards(later: Later, program: Program, compiled: Compiled, sure: Sure, simplifier: Simplifier | None) -> None:
    """Where options are found without looking ahead, and what may be declined: known from before, or sought."""
    s = later.source
    assert s.costs is not None
    costs = s.costs
    compiled.find_proof = lambda at: find_guard(s, program, sure, at)
    known = shapes.recalled(compiled) if simplifier is not None else None
    if known is None:
        for instr in program.instrs:
            assert instr.args is not None  # made simpler in this order
        found = {at: guard for at in compiled.asks if (guard := compiled.proof(at)) is not None}
        known = shapes.Shape(
            {at: guard.deep for at, guard in found.items()}, frozenset(filter(sure.if_declined, compiled.asks))
        )
        if simplifier is not None:
            simplifier.all_bodies()
            if simplifier.has_found_all and sure.has_looked_at_all:
                shapes.keep(compiled, known)
    compiled.declinable |= known.declinable
    for at, deep in known.guards.items():

        def write(at: int = at) -> None:
            guard = compiled.proof(at)
            assert guard is not None
            write_guard(s, program, guard, costs, at)

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


def called_by(node: Ir) -> set[str]:
    """The functions that an expression calls itself."""
    found: set[str] = set()
    for n in walk_ir(node):
        if isinstance(n, CallIr):
            found.add(n.function)
        elif isinstance(n, CallRow):
            found.update(n.functions)
    return found


def remembering(declared: Declared) -> set[str]:
    """The functions that remember values, and those that call them."""
    keys = {name for name in declared.functions if memo.key_in(declared, name) is not None}
    return kept.callers_of(declared, kept.worth_keeping(declared).keys() | keys) | kept.known_for_good(declared)


def _functions(later: Later, traced: bool, simplifier: Simplifier | None) -> None:
    """The declared functions; those that remember values know what these depend on before anything is written."""
    s = later.source
    keeping = {} if traced or s.layout.wide else kept.worth_keeping(s.declared)
    keys = {name: key for name in s.declared.functions if (key := memo.key_of(s, name)) is not None}
    for_good = set() if traced else kept.known_for_good(s.declared) - keeping.keys() - keys.keys()
    s.twins = kept.callers_of(s.declared, keeping.keys() | keys.keys()) if keeping else set(keys)
    s.remembered = dict(keys)
    later.namespace.update((f"{function_name(name)}_known", {}) for name in keys)
    for name in s.declared.functions:
        wrapped = name in keys or name in keeping or name in for_good

        def write(name: str = name) -> None:
            _write_declared(s, name, simplifier, keys.get(name), keeping, for_good, traced)

        plain = [plain_name(name)] if wrapped or name in s.twins else []
        later.add([function_name(name), *plain], write)


def _write_declared(  # noqa: PLR0913, PLR0917  (how a function is written)
    s: Source,
    name: str,
    simplifier: Simplifier | None,
    key: memo.Key | None,
    keeping: dict[str, tuple[str, ...]],
    for_good: set[str],
    traced: bool,
) -> None:
    assert s.costs is not None
    s.counting = s.costs.function(name) >= COSTLY
    function = s.declared.functions[name]
    params = [s.variable(f"{name}.{p}") for p, _ in function.params]
    assert function.body is not None
    body = function.body if simplifier is None else simplifier.body(name)
    if name in s.twins:
        s.plainly = bool(keeping)
        _write_function(s, plain_name(name), params, body, name if traced else "")
        s.plainly = False
    if key is not None:
        memo.write(s, function_name(name), params, key)
    elif name in keeping:
        _write_keeping(s, name, params, keeping[name])
    elif name in for_good:
        _write_function(s, plain_name(name), params, body, "")
        _write_known(s, name, params)
    else:
        _write_function(s, function_name(name), params, body, name if traced else "")
    s.counting = False


def _write_function(s: Source, written: str, params: list[str], body: Ir, ran: str) -> None:
    s.line(f"def {written}({', '.join(['c', *params])}):")
    s.indent = 1
    if ran:
        s.line(f"ran({ran!r})")
    for call in repeated_calls(body):
        s.found[call] = s.atom(call)
    s.line(f"return {s.ex(body)}")
    s.found.clear()
    s.indent = 0


def repeated_calls(body: Ir) -> list[CallIr]:
    """The calls that come more than once in an expression and are made in any case, with nothing but parameters."""
    amounts = Counter(n for n in walk_ir(body) if isinstance(n, CallIr))
    certain = [n for n in _certain(body) if isinstance(n, CallIr) and all(isinstance(a, (Var, Const)) for a in n.args)]
    return [n for n in dict.fromkeys(certain) if amounts[n] > 1]


def _certain(node: Ir) -> Iterator[Ir]:
    """The parts of an expression that are found in any case, the inner ones first."""
    match node:
        case Logic(items=items):
            parts = [items[0]]
        case If(condition=condition):
            parts = [condition]
        case Compare(left=left, right=right) | Arith(left=left, right=right):
            parts = [left, right]
        case NotIr(of=of):
            parts = [of]
        case Let(value=value):
            parts = [value]
        case Table(index=index):
            parts = [index]
        case CallIr(args=args):
            parts = list(args)
        case _:
            parts = []
    for part in parts:
        yield from _certain(part)
    yield node


def _write_keeping(s: Source, name: str, params: list[str], zones: tuple[str, ...]) -> None:
    """A function that looks at what is kept of it first."""
    declared = [s.declared.zones[zone] for zone in zones]
    base = min(s.layout.zones[z.key] for z in declared)
    end = max(s.layout.zones[z.key] + z.places * s.layout.strides[z.key] for z in declared)
    sizes = kept.sizes_of(s.declared, name)
    store = f"{function_name(name)}_kept"
    s.line(f"{store} = Kept({plain_name(name)}, {base}, {end}, {prod(sizes)})")
    s.line(f"def {function_name(name)}({', '.join(['c', *params])}):")
    s.indent = 1
    number = params[0]
    for param, size in zip(params[1:], sizes[1:], strict=True):
        number = f"({number}) * {size} + {param}"
    s.line(f"now = {s.pieces}[{base}:{end}]")
    s.line(f"if now != {store}.now: {store}.refresh(now)")
    s.line(f"x = {store}.values[{number}]")
    s.line(f"return x if x is not None else {store}.find({', '.join(['c', number, *params])})")
    s.indent = 0


def _write_known(s: Source, name: str, params: list[str]) -> None:
    """A function that finds each value once."""
    types = [strip(t) for _, t in s.declared.functions[name].params]
    keys = [f"{p} % {s.declared.codes}" if isinstance(t, Piece) else p for p, t in zip(params, types, strict=True)]
    known = f"{function_name(name)}_known"
    s.line(f"{known} = {{}}")
    s.line(f"def {function_name(name)}({', '.join(['c', *params])}):")
    s.indent = 1
    key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
    s.line(f"x = {known}.get({key})")
    with s.block("if x is None:"):
        s.line(f"x = {known}[{key}] = {plain_name(name)}({', '.join(['c', *params])})")
    s.line("return x")
    s.indent = 0


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


def _namespace(declared: Declared, program: Program, layout: Layout, s: Source) -> dict[str, Any]:
    handling = make_handling(declared, layout)
    slots = sorted(layout.slots)
    clear = tuple((layout.slots[i], () if isinstance(program.slots[i].type, ListType) else 0) for i in slots)
    units, together = layout.regions["units"], layout.regions["together"]

    def unwind(c: list[Any]) -> None:
        """Leaves every block that is open."""
        for cell, empty in clear:
            c[cell] = empty
        c[units] = c[together] = 0

    work = [0]

    def spend(amount: int, at: int) -> None:
        """Counts work that is done at an instruction."""
        work[0] += amount
        if work[0] > MOST_WORK:
            raise Overwork(at)

    return {
        "Kept": kept.Kept,
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
        "take_from_stack": runtime.take_from_stack,
        "put_on_stack": runtime.put_on_stack,
        "flip_pieces": chance.flip_pieces,
        "draw": chance.draw,
        "shuffle_stack": chance.shuffle_stack,
        "pick_unseen": chance.pick_unseen,
        "handling": handling,
        "unwind": unwind,
        "OutOfRange": OutOfRange,
        "Overwork": Overwork,
        "work": work,
        "spend": spend,
        "STREAMS": {name: (layout.streams[name], rng.increment(name)) for name in program.streams},
        "EFFECTS": _effects(program, layout),
        **s.constants,
    }


def make_handling(declared: Declared, layout: Layout) -> runtime.Handling:
    """Taking and putting for all places of all zones."""
    places = []
    for zone in declared.zones.values():
        count = declared.pieces[zone.holds].count
        for i in range(zone.places):
            base = layout.zones[zone.key] + i * layout.strides[zone.key]
            places.append((zone.shape, base, layout.strides[zone.key], zone.capacity[i], count))
    return runtime.Handling(places, declared.codes, declared.depth, _never_full(declared))


def _never_full(declared: Declared) -> frozenset[int]:
    """The places, but for slots, of zones that have room for all pieces of their kind."""
    return frozenset(
        zone.first + i
        for zone in declared.zones.values()
        if zone.shape != "slot" and min(zone.capacity, default=0) >= sum(declared.pieces[zone.holds].supply)
        for i in range(zone.places)
    )


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


def _collect(built: Built, s: Source, structure: Structure, blocks: FirstCalls, later: Later) -> Compiled:
    program, namespace = built.program, later.namespace
    ranks = [f"rank{i}" for i, _ in enumerate(program.ranking)]
    always = [f"always{i}" for i, _ in enumerate(program.always)]
    hints = [f"hint{i}" for i, _ in enumerate(program.hints.worth)]
    later.write(lambda: _write_ends(s, program))
    return Compiled(
        built=built,
        declared=s.declared,
        program=program,
        structure=structure,
        layout=s.layout,
        rooms=rooms(s.declared, program, s.layout),
        handling=namespace["handling"],
        blocks=blocks.blocks,
        looks=blocks.looks,
        asks={at: i.args[0] for at, i in enumerate(program.instrs) if i.op == "ask"},
        candidates={},
        answers={},
        handlers=handlers_of(program),
        empty=_fresh(s.declared, program, s.layout, namespace["handling"]),
        ranking=tuple((word, namespace[r]) for (word, _), r in zip(program.ranking, ranks, strict=True)),
        always=tuple((span, namespace[name]) for (span, _), name in zip(program.always, always, strict=True)),
        hints=tuple(namespace[name] for name in hints),
        namespace=namespace,
        lock=later.lock,
    )


def _fresh(declared: Declared, program: Program, layout: Layout, handling: runtime.Handling) -> list[Any]:
    """The cells before set-up: regions and zones at their start, no generator seeded."""
    cells: list[Any] = [0] * layout.size
    cells[PIECES] = no_pieces(layout)
    for region in program.regions:
        base = layout.regions[region.key]
        cells[base : base + region.places] = region.start
    for slot, cell in layout.slots.items():
        if isinstance(program.slots[slot].type, ListType):
            cells[cell] = ()
    for zone in declared.zones.values():
        for i, codes in enumerate(program.starts.get(zone.key, [])):
            for code in codes:
                handling.put(cells, zone.first + i, code)
    return cells
