"""A game's module: everything is written, and laid out in memory."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.hiding import find_hiding
from interpreter.middle.analysis.calls import repeated_calls
from interpreter.middle.analysis.control_flow import Structure
from interpreter.middle.analysis.cost import Work
from interpreter.middle.analysis.infallibility import Infallibility
from interpreter.middle.facts import Facts
from interpreter.middle.layout import to_bytes
from interpreter.middle.passes.simplify import Simplifier
from interpreter.native import lists
from interpreter.native.asks import Listing, answer_words, write_answer
from interpreter.native.blocks import Blocks
from interpreter.native.branches import Branches
from interpreter.native.code import Code, NotCompiled
from interpreter.native.deal import Dealing
from interpreter.native.dry import DryRuns, NotDry, stretch_of
from interpreter.native.event_buffer import HEAD, SIZES, Form, NotKept
from interpreter.native.guards import Guards
from interpreter.native.incremental_memo import kept_functions, write_kept
from interpreter.native.module import PAGE
from interpreter.native.picks import write_picks, write_tell
from interpreter.native.play import Play
from interpreter.native.rounds import Rounds
from interpreter.native.search import SLOTS, Search
from interpreter.native.seeding import write_seeding
from interpreter.native.tables import AskFunctions, Tables
from interpreter.native.tallies import write_tallied
from interpreter.native.wasm import Fn
from interpreter.reference.events import MOST_EVENTS
from rulespec.built import Built
from rulespec.lower.ir import Ask, Ir, Program

FOUND_ROOM = 8 << 20  #: bytes for candidates
TEMPS_ROOM = 24 << 20  #: bytes for lists and copies of states
KNOWN_ROOM = 64 << 20  #: bytes for the positions that a search remembers
OUTCOMES_ROOM = 1 << 20  #: bytes for what became of random games
TRAIL_ROOM = 1 << 20  #: bytes for what is told between two decisions
#: Bytes for the events between two decisions: not even the smallest ones are more than may be, which the reference
#: tells; of those that take more it goes on with fewer.
EVENTS_ROOM = MOST_EVENTS * HEAD
MOMENTS_ROOM = 16 << 20  #: bytes for the states at them
LARGEST_STATE = 1 << 16
MOST_INSTRUCTIONS = 10_000  #: a module of more would take seconds to make
MOST_OF_A_FUNCTION = 200_000  #: bytes: the time to compile one grows with more than its size, and nothing stops it


@dataclass(frozen=True, slots=True)
class Made:
    """A module, and where things lie in its memory.

    `size` are the bytes of a state, `room` those of a place for one; `state` is where one is run, `start` one that was
    not begun yet, `given` room for another one to start from; candidates are written from `found` on, what
    became of games from `outcomes` on. `words` are the numbers of an answer, by the instruction that asks. What is told
    on the way to a decision lies from `trail` on; `told` says what each number in it means (see `trail.py`). Events lie
    from `events` on, states at them from `moments` on, if it `keeps_events` (see `event_buffer.py`). A search
    begins at the state at `begun`; its branches lie from `branches` on, each of `branch` bytes, the usual lead at
    `spread`, and what all rounds have brought at `brought`.
    """

    code: bytes
    size: int
    room: int
    memory: int
    state: int
    start: int
    given: int
    temps: int
    found: int
    outcomes: int
    outcomes_room: int
    words: dict[int, int]
    trail: int
    told: tuple[tuple[str, str], ...]
    events: int
    moments: int
    keeps_events: bool
    event_forms: dict[int, tuple[Form, ...]]
    begun: int
    branches: int
    branch: int
    spread: int
    brought: int


def make(built: Built, facts: Facts) -> Made:
    """The module of a game. Raises NotCompiled where there is something in it that this executor has no code for."""
    if len(built.program.instrs) > MOST_INSTRUCTIONS:
        raise NotCompiled(f"more than {MOST_INSTRUCTIONS:,} instructions")
    try:
        return _made(built, facts, keeps_events=True)
    except NotKept:
        return _made(built, facts, keeps_events=False)


def _made(built: Built, facts: Facts, *, keeps_events: bool) -> Made:
    simplifier = Simplifier(built.program.declared, set())
    costs = Work(simplifier.declared, table_steps=simplifier.table_steps)
    s = Code(simplifier.declared, facts.layout, facts.rooms, costs)
    s.keeps_events = keeps_events
    keeping = kept_functions(s)
    simplifier.called = set(keeping)
    program = simplifier.program(built.program)
    s.body_of = lambda name: None if name in keeping else simplifier.body(name)
    s.temps, s.slot_types = facts.structure.temps, tuple(slot.type for slot in program.slots)
    tables = Tables(s, program, facts.structure, declinable=facts.shape.declinable)
    listing = Listing(s)
    _write_blocks(s, program, facts.structure, listing)
    infallibility = Infallibility(s.declared, program, facts.structure)
    asking = [at for at, i in enumerate(program.instrs) if i.op == "ask"]
    tables.make({at: _ask_functions(s, program, facts, infallibility, at, listing) for at in asking})
    search = Search(s, tables, program.look_cap)
    snapshot = s.module.global_()
    play = Play(search, snapshot, next(p.entry for p in program.procs if p.id == program.entries["end"]))
    play.exports()
    play.searching(program.hints.worth)
    play.random_games(program.ranking)
    write_tallied(play, program.ranking)
    write_seeding(s)
    words = {at: answer_words(program.instrs[at].args[0]) for at in asking}
    branches = Branches(s, tables, max(words.values(), default=1))
    rounds = Rounds(play, Dealing(play, find_hiding(facts)), branches, program)
    rounds.exports()
    _write_functions(s, simplifier, keeping)
    return _laid_out(s, search, rounds, facts, words)


def _guards(
    s: Code, program: Program, facts: Facts, infallibility: Infallibility, at: int, listing: Listing
) -> Guards | None:
    """How the options of an ask are found without a search, if they can be."""
    guard = facts.proof(at)
    if guard is not None:
        return Guards(s, program, at, guard, listing)
    stretch = stretch_of(program, infallibility, at)
    return None if stretch is None else DryRuns(s, program, at, stretch, infallibility, listing)


def _ask_functions(
    s: Code, program: Program, facts: Facts, infallibility: Infallibility, at: int, listing: Listing
) -> AskFunctions:
    ask: Ask = program.instrs[at].args[0]
    made = AskFunctions(listing.candidates(ask), write_answer(s, at, ask))
    guards = _guards(s, program, facts, infallibility, at, listing)
    if guards is not None:
        try:
            made.options, made.first = guards.write(f"ok{at}", every=True), guards.write(f"first{at}", every=False)
            made.deep = guards.guard.deep
        except NotDry:
            made.options = made.first = None
    if ask.kind == "set":
        made.tell, made.write = write_tell(s, at, ask), write_picks(s, at, ask)
    return made


def _write_blocks(s: Code, program: Program, structure: Structure, listing: Listing) -> None:
    """The table of functions begins with the blocks, by the number of their first instruction."""
    s.module.table = [None] * (len(program.instrs) + 1)
    blocks = Blocks(s, program, structure, listing.whether)
    for start in sorted(structure.entries):
        if start < len(program.instrs) and program.instrs[start].op not in ("ask", "try"):
            s.module.table[start] = blocks.write(start)


def _write_functions(s: Code, simplifier: Simplifier, keeping: dict[str, tuple[str, ...]]) -> None:
    """The declared functions that are called, and those that they call."""
    while s.waiting:
        name, noting = s.waiting.pop()
        if name in keeping and not noting:
            write_kept(s, name, keeping[name])
            continue
        s.noting = noting
        _write_function(s, name, s.noting_functions[name] if noting else s.functions[name], simplifier.body(name))
        s.noting = False


def _write_function(s: Code, name: str, fn: Fn, body: Ir) -> None:
    declared = s.declared.functions[name]
    assert declared.returns is not None
    with s.writing(fn):
        for (param, _), local in zip(declared.params, fn.params[1:], strict=True):
            s.vars[f"{name}.{param}"] = local
        for repeated in repeated_calls(body):
            if s.is_scalar(repeated.type):
                s.found[repeated] = fn.keep(s.ex(repeated))
        if s.is_scalar(declared.returns):
            found = fn.local(s.kind(declared.returns))
            with s.passing():
                fn.set(found, lists.as_type(s, body, declared.returns))
            fn.give(found)
        else:
            fn.give(lists.as_type(s, body, declared.returns))
        fn.trap()


#: What lies in memory that others ask for.
_NAMED = ("state", "start", "given", "temps", "found", "outcomes", "trail", "events", "moments", "begun", "branches")


def _bytes_for_memory(s: Code) -> int:
    """How many bytes of a state are there for what players know: no game is refused for their sake.

    They are bounded (`rulespec.program.memory`). Other cells can be twice as wide for them.
    """
    known = sum(cells * s.declared.zones[key].places for key, cells in s.layout.known_strides.items())
    widened = s.layout.piece_cells - known if known and s.declared.players > 8 else 0
    return known * s.cells.piece + widened


def _laid_out(s: Code, search: Search, rounds: Rounds, facts: Facts, words: dict[int, int]) -> Made:
    """Where the states, the stacks and the table of positions lie, behind all data."""
    if search.size - _bytes_for_memory(s) > LARGEST_STATE:
        raise NotCompiled("very large states")
    module = s.module
    at = (len(module.memory) + 63) // 64 * 64
    places: dict[str, int] = {}
    rooms = {
        "state": search.size,
        "start": search.size,
        "given": search.size,
        "snapshot": search.size,
        "slots": SLOTS * 12,
        "outcomes": OUTCOMES_ROOM,
        "trail": TRAIL_ROOM,
        "events": EVENTS_ROOM,
        "moments": MOMENTS_ROOM,
    }
    rooms |= {"found": FOUND_ROOM, "temps": TEMPS_ROOM, "known": KNOWN_ROOM, "begun": search.size}
    rooms |= rounds.branches.rooms()
    for name, size in rooms.items():
        places[name] = at
        at += (size + 63) // 64 * 64
    g = s.globals
    values = {g.temps: places["temps"], g.temps_end: places["temps"] + TEMPS_ROOM, g.found: places["found"]}
    values |= {g.found_end: places["found"] + FOUND_ROOM, search.slots_at: places["slots"]}
    values |= {search.known_start: places["known"], search.known_end: places["known"] + KNOWN_ROOM}
    values |= {rounds.play.snapshot: places["snapshot"], rounds.begun: places["begun"]}
    values |= {rounds.branches.root: places["branches"], rounds.branches.slots: places["slots_of_branches"]}
    values |= {g.trail_start: places["trail"], g.trail_end: places["trail"] + TRAIL_ROOM}
    places["events"] += SIZES
    values |= {g.events_start: places["events"], g.events_end: places["events"] - SIZES + EVENTS_ROOM}
    values |= {g.moments_start: places["moments"], g.moments_end: places["moments"] + MOMENTS_ROOM}
    for variable, value in values.items():
        module.globals[variable.index] = module.globals[variable.index][0], value
    module.pages = (at + PAGE - 1) // PAGE
    fresh = to_bytes([_entry(facts.program), *facts.empty[1:]], facts.rooms)
    module.memory += bytes(places["start"] - len(module.memory)) + fresh
    code = module.to_bytes()
    if module.largest > MOST_OF_A_FUNCTION:
        refused = NotKept if s.keeps_events else NotCompiled  # it may be short enough without events
        raise refused(f"functions of more than {MOST_OF_A_FUNCTION:,} bytes")
    return Made(
        code=code,
        size=s.cells.state,
        room=search.size,
        memory=module.pages * PAGE,
        outcomes_room=OUTCOMES_ROOM,
        words=words,
        told=tuple(s.told),
        keeps_events=s.keeps_events,
        event_forms=s.event_forms,
        branch=rounds.branches.size,
        spread=rounds.spread,
        brought=rounds.guide.brought,
        **{name: places[name] for name in _NAMED},
    )


def _entry(program: Program) -> int:
    return next(p.entry for p in program.procs if p.id == program.entries["main"])
