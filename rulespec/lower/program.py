"""The whole program: every block that is reached from the flow, and the layout of the state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulespec.diagnostics.model import Related
from rulespec.expr import ast
from rulespec.expr.walk import free_names
from rulespec.lower import make
from rulespec.lower.circles import circles_in, way_back
from rulespec.lower.context import Context, bad
from rulespec.lower.declaring import declared_of
from rulespec.lower.horizons import check_horizons
from rulespec.lower.ir import Const, Ir, Load, Proc, Program, Region, Var
from rulespec.lower.last import lower_last
from rulespec.lower.offers.check import end_before_hidden
from rulespec.lower.operators import whole
from rulespec.lower.places import starting_pieces
from rulespec.lower.reads import reads_of
from rulespec.lower.repetition import regions
from rulespec.lower.scope import Scope, facts_of
from rulespec.lower.sizes import check_nesting, check_state, look_cap
from rulespec.lower.steps.builder import (
    MOST_INSTRUCTIONS,
    NO_SLOT,
    Block,
    Builder,
    Numbering,
    Wanted,
    base_scope,
    lower_steps,
)
from rulespec.lower.steps.calls import call_triggers, effect_proc, perform_value, track_body
from rulespec.lower.steps.commuting import leave_out, put_in
from rulespec.lower.steps.flow import as_player, close_unit, open_unit
from rulespec.lower.steps.lockstep import Pace, found_of
from rulespec.lower.steps.members import run_over
from rulespec.lower.steps.shared import Shared, make_shared, versions_of
from rulespec.lower.steps.telling import told_steps
from rulespec.lower.substitute import substitute
from rulespec.lower.versions import LAYOUT, Versions
from rulespec.model.reads import Reads
from rulespec.model.types import BOOLEAN, EFFECT, INTEGER, PLAYER, Boolean, EffectType, Integer, Member, Type, strip
from rulespec.model.world import Trigger, World
from rulespec.source.nodes import Mapping

SCORE_RANGE = (-1_000_000, 1_000_000)


def lower_program(cx: Context, shared: Shared | None = None) -> Program:
    """All instructions of a game, its state's regions, and what is evaluated at the end.

    Builds of one game for other players, options or variants may share their blocks: what comes out is the same but for
    the numbers of blocks and slots. The declarations are then to note what is read of them.
    """
    said = len(cx.problems)
    builder = begun(cx, shared)
    entries = {}
    for name in ("main", "end", "watch", "setup", "flow"):
        entries[name] = builder.want((name, frozenset(), 0), ()).id
    versions = versions_of(builder, shared)
    pace = _make_blocks(builder, shared, versions)
    if pace is None or not pace.goes_the_same_way:
        _refuse_cycles(builder)
    if not cx.problems.has_errors:
        _leave_out(builder, pace)
    effect_procs = _effect_procs(builder)  # here: what is lowered below for its faults alone is performed by nobody
    _check_unreached(cx, builder, pace)
    ranking, always, hints = lower_last(cx, pace)
    program = Program(
        declared=declared_of(cx.world),
        instrs=tuple(builder.instrs),
        procs=tuple(builder.procs[i] for i in sorted(builder.procs)),
        slots=tuple(builder.slots.get(i, NO_SLOT) for i in range(builder.numbering.used)),
        regions=regions_of(cx.world),
        streams=tuple(builder.streams),
        entries=entries,
        effect_procs=effect_procs,
        ranking=ranking,
        always=always,
        starts=found_of(pace, "starts", lambda: (starting_pieces(cx), frozenset()), [LAYOUT]),
        look_cap=found_of(pace, "look cap", lambda: (look_cap(builder), None)),
        hints=hints,
        unasked=bool(builder.loops),
    )
    check_state(cx, program)
    program = end_before_hidden(cx, program, versions, None if shared is None else shared.walks, pace)
    if pace is None or not (pace.goes_the_same_way and pace.is_as_earlier("ends")):
        check_horizons(cx, program)
    if shared is not None:
        shared.finish(pace if len(cx.problems) == said else None)
    return program


def begun(cx: Context, shared: Shared | None) -> Builder:
    """What makes blocks, before the first one."""
    builder = Builder(cx, shared.numbering if shared is not None else Numbering())
    cx.world.tables.update({f"room.{z.key}": z.fills for z in cx.world.zones.values()})
    watch_conditions(builder)
    return builder


def _leave_out(builder: Builder, pace: Pace | None) -> None:
    """Leaves out what need not be asked; what was found of that for a build that is the same in it is put in."""

    def find(level: int, value: int) -> int | None:
        return _number_of(builder, value, level)

    # what is found here is in already: it is put in once more for those that were found for another build
    put_in(builder, builder.loops, found_of(pace, "order", lambda: leave_out(builder, find)))


def _check_unreached(cx: Context, builder: Builder, pace: Pace | None) -> None:
    """Lowers what nothing performs too, for its faults alone. What was read for it is noted."""
    reached = {key[0].split("(", 1)[0] for key in builder.wanted}
    scratch = Builder(cx, checks=builder.checks)
    for name, effect in cx.world.effects.items():
        if name not in reached:
            scratch.want((name, frozenset(), min(effect.nests, 1)), effect.params)
    for trigger in cx.world.triggers:
        if trigger.kind == "emitted" and f"trigger {trigger.name}" not in reached:
            scratch.want((f"trigger {trigger.name}", frozenset(), 0), cx.world.events[trigger.what])
    with (cx.world.reads or Reads()).noting() as notes:
        while scratch.queue:
            make_block(scratch, scratch.queue.pop(0))
    if pace is not None:
        pace.keep("unreached", None, notes)


# ---- blocks -----------------------------------------------------------------------------------------


def _make_blocks(builder: Builder, shared: Shared | None, versions: Versions | None) -> Pace | None:
    """Makes all blocks that are reached: with what other builds have made already, where these are right."""
    if shared is None or versions is None:
        while builder.queue or _reach_values(builder):
            make_block(builder, builder.queue.pop(0))
        return None
    pace = Pace(builder, versions, shared.earlier)
    while builder.queue or pace.round(lambda: _reach_values(builder)):
        wanted = builder.queue.pop(0)
        pace.block(wanted, partial(make_shared, shared, versions, builder, wanted, make_block, close))
    return pace


def make_block(builder: Builder, wanted: Wanted) -> None:
    """The instructions of a block that something calls; others that it calls are asked for."""
    name, lifted, level = wanted.key
    entry = len(builder.instrs)
    kind, section = _kind(builder.cx.world, name)
    block = Block(builder, wanted.id, name, kind, lifted, level)
    with make.naming(str(wanted.id)):
        _BODIES[section](block, wanted)
    builder.emit("ret")
    close(builder, wanted, entry)


def close(builder: Builder, wanted: Wanted, entry: int) -> None:
    """Notes that a block is made, whose instructions begin at a number."""
    name, lifted, level = wanted.key
    kind, _ = _kind(builder.cx.world, name)
    made_for = tuple((name, ir) for name, ir in wanted.names.items() if isinstance(ir, Const))
    builder.procs[wanted.id] = Proc(
        wanted.id, name, kind, entry, len(builder.instrs), wanted.params, wanted.back, lifted, level, made_for
    )


def _kind(w: World, name: str) -> tuple[str, str]:
    if name in ("main", "watch", "setup", "flow", "end"):
        return name, name
    word, space, _ = name.partition(" ")
    if space and word in ("trigger", "check", "track", "effects"):  # without it, an action of the content may be so
        return word, word
    effect = w.effects.get(name.split("(", 1)[0])
    return ("action" if effect is not None and effect.section == "actions" else "effect"), "effect"


def _setup(block: Block, wanted: Wanted) -> None:
    cx = block.cx
    lower_steps(block, base_scope(cx), cx.part("setup"))
    call_triggers(block, "game", "set_up", {})


def _flow(block: Block, wanted: Wanted) -> None:
    lower_steps(block, base_scope(block.cx), block.cx.part("flow"))


def _main(block: Block, wanted: Wanted) -> None:
    """Set-up, then the flow; what finishes the game goes on in `end` from wherever it is."""
    for name in ("watch", "setup", "flow"):
        block.emit("call", block.builder.want((name, frozenset(), 0), ()).id, ())
    block.emit("finish")


def _watch(block: Block, wanted: Wanted) -> None:
    """Notes which conditions of `becomes` are true as things stand: only what turns true later sets them off."""
    for trigger in block.cx.world.triggers_on("becomes"):
        if trigger.name in block.builder.checks:
            _each_binding(block, trigger, *_condition(block.cx, trigger), sets_off=False)


def _end(block: Block, wanted: Wanted) -> None:
    cx = block.cx
    call_triggers(block, "game", "ended", {})
    lower_steps(block, base_scope(cx), cx.part("end"))
    block.emit("halt")


def _effect(block: Block, wanted: Wanted) -> None:
    """An effect's steps, with its line once its own choices are made; an action's are a unit."""
    effect = block.cx.world.effects[block.name.split("(", 1)[0]]
    scope = base_scope(block.cx, wanted.names)
    do = block.cx.steps_of("effects", effect.name, effect.node)
    if block.kind != "action":
        told_steps(block, scope, do, effect.name)
        return
    block.action = effect.name
    saved = open_unit(block)
    told_steps(block, scope, do, effect.name)
    close_unit(block, saved)


def _trigger(block: Block, wanted: Wanted) -> None:
    name = block.name.removeprefix("trigger ")
    trigger = block.cx.world.trigger(name)
    run_trigger(block, trigger, wanted.names)


def run_trigger(block: Block, trigger: Trigger, names: dict[str, Ir]) -> None:
    """A trigger's steps, where its `where` holds, for the player it names."""
    cx, node = block.cx, trigger.node
    if not isinstance(node, Mapping):
        return
    scope, do = base_scope(cx, names), cx.steps_of("triggers", trigger.name, node)
    where, who = node.get("where"), node.get("who")
    facts: tuple[ast.Expr, ...] = ()
    if where is not None:
        written = cx.expr(where)
        facts = facts_of(written) if written is not None else ()
        block.emit("if", block.lower(scope, where, BOOLEAN), span=where.span)
    inner = scope.knowing(*facts)
    if who is not None:
        player = block.lower(inner, who, PLAYER)
        if not bad(player):
            as_player(block, inner, player, lambda: told_steps(block, inner, do, trigger.name))
    else:
        told_steps(block, inner, do, trigger.name)
    if where is not None:
        block.emit("end")


# ---- conditions that turn true ----------------------------------------------------------------------


def watch_conditions(builder: Builder) -> None:
    """What each `becomes` condition reads, so that only steps that write it check it."""
    cx = builder.cx
    for trigger in cx.world.triggers:
        if trigger.kind == "becomes":
            bindings, test, _ = _condition(cx, trigger)
            if not bad(test):
                builder.checks[trigger.name] = reads_of(cx.world, test)
                cx.watched[trigger.name] = bindings


def _condition(cx: Context, trigger: Trigger) -> tuple[list[str], Ir, dict[str, Var]]:
    """The kinds that a condition speaks of (each is bound in turn), and the condition of their members."""
    node = cx.field(cx.field(trigger.node, "when"), "becomes")
    assert node is not None
    e = cx.expr(node)
    if e is None:
        return [], make.BAD, {}
    bindings = [n for n in dict.fromkeys(free_names(e)) if n in cx.world.domains]
    variables = {n: Var(type=Member(n), name=make.fresh(n)) for n in bindings}
    scope = Scope(cx.world, dict(variables))
    return bindings, cx.lower(node, scope, BOOLEAN), variables


def _check(block: Block, wanted: Wanted) -> None:
    """For each binding: if the condition has turned true, the trigger's steps."""
    cx = block.cx
    name = block.name.removeprefix("check ")
    trigger = cx.world.trigger(name)
    bindings, test, variables = _condition(cx, trigger)
    _each_binding(block, trigger, bindings, test, variables)


def _each_binding(
    block: Block,
    trigger: Trigger,
    bindings: list[str],
    test: Ir,
    variables: dict[str, Var],
    *,
    sets_off: bool = True,
) -> None:
    w = block.cx.world
    bound: dict[str, Ir] = {}

    def innermost() -> None:
        here = substitute(test, {variables[n].name: ir for n, ir in bound.items()})
        index: Ir = make.integer(0)
        for n in bindings:
            number = make.retype(bound[n], Integer(0, w.domains[n].size - 1))
            index = make.arith("+", make.arith("*", index, make.integer(w.domains[n].size)), number)
        if not sets_off:
            block.emit("store", f"was {trigger.name}", index, here)
            return
        was = Load(type=BOOLEAN, region=f"was {trigger.name}", index=index)
        now = block.local("now", BOOLEAN)
        before = block.local("before", BOOLEAN)
        block.set(now, here)
        block.set(before, was)
        block.emit("store", f"was {trigger.name}", index, now)
        block.emit("if", make.logic("and", [now, make.negate(before)]))
        run_trigger(block, trigger, dict(bound))
        block.emit("store", f"was {trigger.name}", index, here)
        block.emit("end")

    _over(block, bindings, bound, innermost)


def _over(block: Block, rest: list[str], bound: dict[str, Ir], innermost: Callable[[], None]) -> None:
    """Does something for each member of each of these kinds, which are bound in turn."""
    if not rest:
        innermost()
        return

    def body(item: Ir) -> None:
        bound[rest[0]] = item
        _over(block, rest[1:], bound, innermost)

    run_over(block, whole(Scope(block.cx.world), rest[0]), rest[0], body)


def _track(block: Block, wanted: Wanted) -> None:
    track_body(block, block.name.removeprefix("track "), wanted.names)


# ---- effects performed as values --------------------------------------------------------------------


def _reach_values(builder: Builder) -> bool:
    """Asks for the blocks of all effects that are performed as values; whether there were new ones."""
    before = len(builder.wanted)
    for name in builder.checks:
        builder.want((f"check {name}", frozenset(), 0), ())
    for level, values in _performed(builder):
        for value in values:
            _want_value(builder, value, level)
    return len(builder.wanted) > before


def _performed(builder: Builder) -> list[tuple[int, frozenset[int]]]:
    """The levels at which effects are performed as values, with those that these can be, in order, each once."""
    every = frozenset(range(len(builder.cx.world.interned)))
    return [(level, every if values is None else every & values) for level, values in builder.performing()]


def _want_value(builder: Builder, value: int, level: int) -> tuple[Wanted, tuple[Ir, ...]] | None:
    """The block that performing a value calls, with its arguments; None where it nests too deep."""
    if (level, value) not in builder.performed:
        builder.performed[level, value] = _block_of(builder, value, level)
    return builder.performed[level, value]


def _block_of(builder: Builder, value: int, level: int) -> tuple[Wanted, tuple[Ir, ...]] | None:
    w = builder.cx.world
    name, args, lifted = w.interned[value]
    if name == "*":
        return builder.want((f"effects {value}", frozenset(), level), ()), ()
    effect = w.effects[name]
    constants = tuple(make.const(a, t) for a, (_, t) in zip(args, effect.params, strict=True))
    block = Block(builder, 0, name, "effect", level=level)
    return effect_proc(block, effect, constants, lifted, level)


def _number_of(builder: Builder, value: int, level: int) -> int | None:
    """The number of the block that performing a value calls; None where it nests too deep."""
    found = _want_value(builder, value, level)
    return None if found is None else found[0].id


def _in_order(block: Block, wanted: Wanted) -> None:
    """A list of effects kept as one value: each in turn."""
    kept = block.cx.world.effect_at(int(block.name.removeprefix("effects ")))
    for part in kept[1] if kept is not None else ():
        perform_value(block, make.const(part, EFFECT), block.cx.tree.span)


_BODIES = {
    "main": _main,
    "watch": _watch,
    "setup": _setup,
    "flow": _flow,
    "end": _end,
    "effect": _effect,
    "trigger": _trigger,
    "check": _check,
    "track": _track,
    "effects": _in_order,
}


def _effect_procs(builder: Builder) -> dict[tuple[int, int], tuple[int, tuple[int, ...]] | None]:
    """For each level and value: the block it calls and its constant arguments; None where it nests too deep."""
    found: dict[tuple[int, int], tuple[int, tuple[int, ...]] | None] = {}
    for level, values in _performed(builder):
        for value in values:
            call = _want_value(builder, value, level)
            found[level, value] = None if call is None else (call[0].id, tuple(a.value for a in call[1]))  # type: ignore[attr-defined]
    return found


def _refuse_cycles(builder: Builder) -> None:
    """A block that reaches itself again would need a stack without bound: it needs `nests`."""
    calls = {p.id: _callees(builder, p) for p in builder.procs.values()}
    circular = {proc for circle in circles_in(calls) for proc in circle}
    for proc in builder.procs.values():
        path = way_back(calls, proc.id) if proc.id in circular else None
        if path is not None and proc.kind != "check":
            w = builder.cx.world
            names = [builder.procs[i].name for i in path]
            effect = w.effects.get(proc.name.split("(", 1)[0])
            trigger = next((t for t in w.triggers if f"trigger {t.name}" == proc.name), None)
            span = effect.span if effect is not None else trigger.span if trigger is not None else None
            if span is not None:
                others = [n for n in names[1:2] if n in w.effects and n != names[0]]
                related = [Related("it goes through this", w.effects[n].span) for n in others]
                shown = names if len(names) < 9 else [*names[:4], "...", *names[-3:]]
                builder.cx.problems.add("RS610", span, name=names[0], path=" -> ".join(shown), related=related)
                return
    if not circular and len(builder.instrs) <= MOST_INSTRUCTIONS:
        check_nesting(builder, calls)


def _callees(builder: Builder, proc: Proc) -> set[int]:
    found: set[int] = set()
    for instr in builder.instrs[proc.entry : proc.end]:
        if instr.op == "call":
            found.add(instr.args[0])
        elif instr.op == "callv":
            known = range(len(builder.cx.world.interned))
            for value in known if instr.args[2] is None else instr.args[2] & frozenset(known):
                wanted = _want_value(builder, value, instr.args[1])
                found |= set() if wanted is None else {wanted[0].id}
    return found


# ---- state ------------------------------------------------------------------------------------------


def limits(w: World, t: Type) -> tuple[int, int]:
    """The lowest and highest integer that a cell of the type holds; none is -1, and no number where numbers are."""
    inner = strip(t)
    low = -1 if inner != t else 0
    if isinstance(inner, Integer):
        return inner.low or 0, inner.high or 0
    if isinstance(inner, Boolean):
        return low, 1
    if isinstance(inner, EffectType):
        return low, max(len(w.interned) - 1, 0)
    assert isinstance(inner, Member)
    return low, w.domains[inner.domain].size - 1


def regions_of(w: World) -> tuple[Region, ...]:
    """The cells of a state."""
    n = w.players
    depth = 1 << 15
    found = [
        Region("me", 1, PLAYER, 0, n - 1, (0,)),
        Region("active", 1, PLAYER, 0, n - 1, (0,)),
        Region("units", 1, INTEGER, 0, depth, (0,)),
        Region("together", 1, INTEGER, 0, depth, (0,)),
        Region("over", 1, BOOLEAN, 0, 1, (0,)),
        Region("player.score", n, INTEGER, *SCORE_RANGE, (0,) * n),
    ]
    found += (Region(s.key, s.places, s.type, *limits(w, s.type), s.start) for s in w.states.values())
    for trigger in w.triggers:
        if trigger.kind == "becomes":
            size = 1
            for name in _bindings(w, trigger):
                size *= w.domains[name].size
            found.append(Region(f"was {trigger.name}", size, BOOLEAN, 0, 1, (0,) * size))
    return (*found, *regions(w))


def _bindings(w: World, trigger: Trigger) -> list[str]:
    watched: dict[str, list[str]] = w.watched
    return watched.get(trigger.name, [])
