"""Performing effects, emitting events, and everything that listens: triggers and tracks."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Mapping_

from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.context import bad
from rulespec.lower.expressions import lower_as
from rulespec.lower.ir import (
    Arith,
    CallIr,
    CallRow,
    Comprehend,
    Const,
    EffectValue,
    If,
    Ir,
    ItemAt,
    Let,
    ListIr,
    Load,
    Local,
    Table,
    ZoneIr,
)
from rulespec.lower.labels import labels_of
from rulespec.lower.scope import Scope
from rulespec.lower.steps.builder import ACTIVE, ME, Block, Wanted
from rulespec.lower.steps.sight import reads_hidden
from rulespec.model.types import EFFECT, INTEGER, EffectType, Integer, Member, Type
from rulespec.model.world import Procedure, Trigger, World
from rulespec.source.nodes import Mapping, Node
from rulespec.source.text import Span

# ---- perform ----------------------------------------------------------------------------------------


def step_perform(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`perform`: the call of the effect, or of whichever one the value turns out to be."""
    e = block.cx.expr(node)
    if e is None:
        return scope
    direct = _direct(block, scope, e)
    if direct is not None:
        effect, args, lifted = direct
        if not any(bad(a) for a in args):
            call_effect(block, effect, args, lifted, node.span)
        return scope
    value = block.lower(scope, node, EFFECT)
    if not bad(value):
        perform_value(block, value, node.span)
    return scope


def _direct(block: Block, scope: Scope, e: ast.Expr) -> tuple[Procedure, tuple[Ir, ...], frozenset[str]] | None:
    """An effect named in the text, with its arguments: called without being made a value."""
    lifted: frozenset[str] = frozenset()
    arguments: tuple[ast.Expr, ...] = ()
    inner = e
    while isinstance(inner, ast.Without):
        lifted |= {inner.label}
        inner = inner.effect
    if isinstance(inner, ast.Call):
        arguments = inner.args
        inner = inner.of
    if not isinstance(inner, ast.Name) or inner.name in scope.names:
        return None
    effect = scope.world.effects.get(inner.name)
    if effect is None or len(arguments) != len(effect.params):
        return None
    if lifted - set(labels_of(effect.node)):
        return None
    args = tuple(
        make.within(lower_as(scope, a, t), t, a.span) for a, (_, t) in zip(arguments, effect.params, strict=True)
    )
    if any(reads_hidden(scope.world, a) for a in args):
        block.emit("horizon", "hidden", span=e.span)
    return effect, args, lifted


def call_effect(block: Block, effect: Procedure, args: tuple[Ir, ...], lifted: frozenset[str], span: Span) -> None:
    """A call of an effect; past its declared nesting it cannot be completed."""
    wanted = effect_proc(block, effect, args, lifted, block.level)
    if wanted is None:
        block.emit("require", make.boolean(False), "nests", span=span)
        return
    proc, rest = wanted
    block.emit("call", proc.id, rest, span=span)


def effect_proc(
    block: Block, effect: Procedure, args: tuple[Ir, ...], lifted: frozenset[str], level: int
) -> tuple[Wanted, tuple[Ir, ...]] | None:
    """The block of an effect, made for the effects among its constant arguments; and the arguments left."""
    if effect.nests:
        level += 1
        if level > effect.nests:
            return None
    fixed = {
        name: a
        for a, (name, t) in zip(args, effect.params, strict=True)
        if isinstance(t, EffectType) and isinstance(a, Const)
    }
    name = effect.name
    if fixed:
        name += "(" + ",".join(f"{k}={v.value}" for k, v in fixed.items()) + ")"
    params = tuple((n, t) for n, t in effect.params if n not in fixed)
    wanted = block.builder.want((name, lifted, level), params, fixed)
    return wanted, tuple(a for a, (n, _) in zip(args, effect.params, strict=True) if n not in fixed)


def perform_value(block: Block, value: Ir, span: Span) -> None:
    """Performs an effect kept as a value: directly where it is constant, else picked when it is known."""
    if isinstance(value, Const):
        assert isinstance(value.value, int)
        _perform_constant(block, value.value, span)
        return
    values = possible_effects(block.cx.world, value, block.builder.effects)
    block.emit("callv", value, block.level, values, span=span)


def _perform_constant(block: Block, value: int, span: Span) -> None:
    w = block.cx.world
    kept = w.effect_at(value)
    if kept is None:
        return  # what it was to be has a fault, which was reported
    name, args, lifted = kept
    if name == "*":
        for part in args:
            _perform_constant(block, part, span)
        return
    effect = w.effects[name]
    constants = tuple(make.const(a, t) for a, (_, t) in zip(args, effect.params, strict=True))
    call_effect(block, effect, constants, lifted, span)


def possible_effects(
    world: World, ir: Ir, kept: Mapping_[int, frozenset[int] | None], seen: frozenset[str] = frozenset()
) -> frozenset[int] | None:
    """Every effect that an expression can be; None where any effect of the game is possible.

    `kept` says what the names of the block can hold, by slot.
    """
    if isinstance(ir, Const):
        return frozenset((ir.value,)) if isinstance(ir.value, int) else frozenset(ir.value)
    if isinstance(ir, (Table, EffectValue)):
        return frozenset(v for v in world.table(ir.table) if isinstance(v, int) and v >= 0)
    if isinstance(ir, Local):
        return kept.get(ir.slot)
    if isinstance(ir, (CallIr, CallRow)):
        names = (ir.function,) if isinstance(ir, CallIr) else ir.functions
        bodies = tuple(b for n in names if n not in seen and (b := world.functions[n].body) is not None)
        return _all_of(world, bodies, kept, seen | set(names))
    parts = _parts_that_count(ir)
    return None if parts is None else _all_of(world, parts, kept, seen)


def _parts_that_count(ir: Ir) -> tuple[Ir, ...] | None:
    """The parts of an expression that its value comes from."""
    if isinstance(ir, If):
        return (ir.then, ir.otherwise)
    if isinstance(ir, Let):
        return (ir.body,)
    if isinstance(ir, ListIr):
        return ir.items
    if isinstance(ir, ItemAt):
        return (ir.items,)
    if isinstance(ir, Comprehend):
        return (ir.value,) if ir.op == "list" and ir.value is not None else (ir.source,)
    return None


def _all_of(
    world: World, items: Iterable[Ir], kept: Mapping_[int, frozenset[int] | None], seen: frozenset[str]
) -> frozenset[int] | None:
    found: frozenset[int] = frozenset()
    for item in items:
        more = possible_effects(world, item, kept, seen)
        if more is None:
            return None
        found |= more
    return found


# ---- events and triggers ----------------------------------------------------------------------------


def step_emit(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`emit`: the event, and the calls of the triggers that wait for it."""
    e = block.cx.expr(node)
    w = scope.world
    name = e.of.name if isinstance(e, ast.Call) and isinstance(e.of, ast.Name) else getattr(e, "name", "")
    if name not in w.events:
        w.unknown("RS301", e.of.span if isinstance(e, ast.Call) else node.span, name, w.events)
        return scope
    written = e.args if isinstance(e, ast.Call) else ()
    params = w.events[name]
    if len(written) != len(params):
        w.problems.add("RS304", node.span, name=name, expected=len(params), found=len(written))
        return scope
    args = {n: make.within(lower_as(scope, a, t), t, a.span) for a, (n, t) in zip(written, params, strict=True)}
    if not any(bad(a) for a in args.values()):
        block.emit("event", name, tuple(args.values()), span=node.span)
        call_triggers(block, "emitted", name, args, dict(params))
    return scope


def call_triggers(
    block: Block, kind: str, what: str, args: dict[str, Ir], declared: dict[str, Type] | None = None
) -> None:
    """Calls everything that listens: the active player's first, then clockwise, then as declared.

    `declared` are the types of what an event brings. A trigger has one block for all that emit the event, so that what
    one of them brings says nothing of the others.
    """
    found = block.cx.world.triggers_on(kind, what)
    if not found:
        return
    kept = _keep(block, args)
    if len(found) == 1 or not any(t.node.get("who") is not None for t in found if isinstance(t.node, Mapping)):
        for trigger in found:
            _call_trigger(block, trigger, kept, declared)
        return
    _in_seat_order(block, found, kept, declared)


def _keep(block: Block, args: dict[str, Ir]) -> dict[str, Ir]:
    kept: dict[str, Ir] = {}
    for name, ir in args.items():
        if isinstance(ir, (Const, Local)):
            kept[name] = ir
        else:
            local = block.local(name, ir.type)
            block.set(local, ir)
            kept[name] = local
    return kept


def _in_seat_order(block: Block, found: list[Trigger], args: dict[str, Ir], declared: dict[str, Type] | None) -> None:
    n = block.cx.world.noted("players")
    at = block.local("seat", Integer(0, n))
    block.set(at, make.integer(0))
    block.emit("loop")
    block.emit("break_if", make.compare(">=", at, make.integer(n)))
    active = make.retype(ACTIVE, Integer(0, n - 1))
    seat = Arith(type=Integer(0, n - 1), op="%", left=make.arith("+", active, at), right=make.integer(n))
    for trigger in found:
        who = trigger.node.get("who") if isinstance(trigger.node, Mapping) else None
        scope = Scope(block.cx.world, args, me=ME, active=ACTIVE)
        decides = block.cx.lower(who, scope, None) if who is not None else ME
        block.emit("if", make.compare("==", make.retype(decides, Integer(-1, n - 1)), seat))
        _call_trigger(block, trigger, args, declared)
        block.emit("end")
    block.set(at, make.arith("+", at, make.integer(1)))
    block.emit("end_loop")


def trigger_proc(block: Block, trigger: Trigger, params: tuple[tuple[str, Type], ...], level: int) -> Wanted:
    """The block of a trigger, at one depth of nesting."""
    return block.builder.want((f"trigger {trigger.name}", frozenset(), level), params)


def _call_trigger(block: Block, trigger: Trigger, args: dict[str, Ir], declared: dict[str, Type] | None) -> None:
    params = tuple((name, (declared or {}).get(name, ir.type)) for name, ir in args.items())
    wanted = trigger_proc(block, trigger, params, block.level)
    block.emit("call", wanted.id, tuple(args.values()), span=trigger.span)


def after_emptying(block: Block, zone: ZoneIr, filled: Ir) -> None:
    """After pieces left a place: what listens to its running empty. `filled` is whether anything lay there before."""
    w = block.cx.world
    domain = w.zones[zone.zone].domain
    block.emit("if", make.logic("and", [filled, make.read_zone(w, zone, "empty")]))
    call_triggers(block, "emptied", zone.zone, {domain: zone.place} if domain else {})
    block.emit("end")


def after_writing(block: Block, written: frozenset[str]) -> None:
    """After a step that wrote regions or zones: the conditions that read one of them."""
    for name, reads in block.builder.checks.items():
        if reads & written:
            block.emit("check", name)


# ---- tracks -----------------------------------------------------------------------------------------


def call_track(block: Block, region: str, place: Ir, amount: Ir, span: Span) -> None:
    """Moves a marker along its track in a block of the track's own."""
    domain = block.cx.world.states[region].domain
    params: tuple[tuple[str, Type], ...] = (("by", INTEGER),)
    args: tuple[Ir, ...] = (amount,)
    if domain is not None:
        params = ((domain, Member(domain)), *params)
        args = (place, amount)
    wanted = block.builder.want((f"track {region}", frozenset(), block.level), params)
    block.emit("call", wanted.id, args, span=span)


def track_body(block: Block, region: str, names: dict[str, Ir]) -> None:
    """One step at a time: past an end its own steps run, else the marker moves and what listens is called."""
    w = block.cx.world
    var = w.states[region]
    node = w.tracks[region]
    place: Ir = names[var.domain] if var.domain is not None else make.integer(0)
    size = w.domains[var.type.domain].size  # type: ignore[attr-defined]
    here = Load(type=Integer(0, size - 1), region=region, index=place)
    by = names["by"]
    assert isinstance(by, Local)
    zero, one = make.integer(0), make.integer(1)
    _steps(
        block, names, node, (make.compare(">", by, zero), make.compare(">=", here, make.integer(size - 1))), (by, one)
    )
    _steps(block, names, node, (make.compare("<", by, zero), make.compare("<=", here, zero)), (by, make.integer(-1)))


def _steps(block: Block, names: dict[str, Ir], node: Node, tests: tuple[Ir, Ir], move: tuple[Local, Ir]) -> None:
    from rulespec.lower.steps.builder import base_scope, lower_steps
    from rulespec.lower.steps.flow import as_player

    w = block.cx.world
    region = block.name.removeprefix("track ")
    var = w.states[region]
    by, step = move
    going, at_end = tests
    up = isinstance(step, Const) and step.value == 1
    block.emit("loop")
    block.emit("break_if", make.negate(going))
    block.set(by, make.arith("-", by, step))
    block.emit("if", at_end)
    scope = base_scope(block.cx, {k: v for k, v in names.items() if k != "by"})
    past = block.cx.field(node, "past_top" if up else "past_bottom")
    if var.domain == "player":
        as_player(block, scope, names["player"], lambda: lower_steps(block, scope, past))
    else:
        lower_steps(block, scope, past)
    block.emit("else")
    place: Ir = names[var.domain] if var.domain is not None else make.integer(0)
    here = Load(type=INTEGER, region=region, index=place)
    block.emit("store", region, place, make.arith("+", here, step))
    after_writing(block, frozenset((region,)))
    call_triggers(block, "stepped", region, {var.domain: place} if var.domain is not None else {})
    block.emit("end")
    block.emit("end_loop")
