"""Steps that steer: if, repeat, let, require, try, may, together, as, turns, finish, for_each."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.diagnostics.nearest import nearest
from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.context import bad, holds_verb
from rulespec.lower.elimination import is_in
from rulespec.lower.expressions import value_of
from rulespec.lower.ir import Ask, Const, Ir, Local, Name, Var
from rulespec.lower.operators import lower_source, whole
from rulespec.lower.scope import Scope, denials_of, facts_of
from rulespec.lower.steps.builder import ACTIVE, ME, Block, bind, forget_since, lower_steps
from rulespec.lower.steps.choices import check_amount, of_who_is_in
from rulespec.lower.steps.commuting import ask_or_take, taking_unasked
from rulespec.lower.steps.members import as_list, forget, run_over, while_in
from rulespec.lower.steps.naming import condition_name, filter_parts
from rulespec.lower.steps.rounds import begin_round
from rulespec.lower.steps.sight import reads_hidden, shows_all
from rulespec.lower.steps.writes import as_somebody_else
from rulespec.model.types import (
    BOOLEAN,
    PLAYER,
    Boolean,
    EffectType,
    Integer,
    ListType,
    Member,
    NoneType,
    Piece,
    Record,
    SetType,
    Type,
    may_be_none,
    strip,
)
from rulespec.source.nodes import Mapping, Node, Sequence
from rulespec.source.text import Span

MOST_PASSES = 1_000_000


# ---- if, let, require -------------------------------------------------------------------------------


def step_if(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`if`: one of two lists of steps, or only that one where the condition is known."""
    test = block.lower(scope, node, BOOLEAN)
    written = block.cx.expr(node)
    yes = facts_of(written) if written is not None else ()
    no = denials_of(written) if written is not None else ()
    if isinstance(test, Const) and not bad(test):
        lower_steps(block, scope.knowing(*(yes if test.value else no)), step.get("then" if test.value else "else"))
        return scope
    block.emit("if", test, span=node.span)
    lower_steps(block, scope.knowing(*yes), step.get("then"))
    if step.get("else") is not None:
        block.emit("else")
        lower_steps(block, scope.knowing(*no), step.get("else"))
    block.emit("end")
    return scope


def storable_local(t: Type) -> bool:
    """Whether a name can keep a value of the type until its list of steps ends. Records are kept in lists alone."""
    inner = strip(t)
    if isinstance(inner, ListType):
        return isinstance(strip(inner.of), Record) or storable_local(inner.of)
    return isinstance(inner, (Integer, Boolean, Member, Piece, EffectType, SetType))


def step_let(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`let`: a name for a value, to the end of its list."""
    name = block.cx.text(node)
    be = step.get("be")
    if be is None:
        return scope
    written, value = block.cx.expr(be), block.lower(scope, be)
    value = value if written is None else value_of(scope, written, value)
    if isinstance(value, Const) and not bad(value) and not isinstance(value.type, NoneType):
        return bind(block, scope, node, name, value)
    if bad(value):
        return bind(block, scope, node, name, value)
    if not storable_local(value.type):
        hint = None
        if isinstance(strip(value.type), Record):
            hint = "Give a name to one of its parts, such as `be: pair[1].card`."
        block.cx.problems.add("RS601", be.span, hint=hint, type=str(value.type))
        return bind(block, scope, node, name, make.BAD)
    local = block.local(name, value.type, hidden=reads_hidden(scope.world, value))
    block.set(local, value, span=be.span)
    return bind(block, scope, node, name, local)


def step_require(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`require`: no way on where the condition is false, unless its label is lifted."""
    label = block.cx.text(step.get("rule"))
    written = block.cx.expr(node)
    facts = facts_of(written) if written is not None else ()
    test = block.lower(scope, node, BOOLEAN)
    if label and label in block.lifted:
        return scope
    if not make.is_true(test):
        block.emit("require", test, label or condition_name(written), span=node.span)
        if block.passes_over:
            return scope
    return scope.knowing(*facts)


# ---- units ------------------------------------------------------------------------------------------


def open_unit(block: Block) -> int:
    """Begins a unit: what cannot be completed inside it is not begun, or is left at its end."""
    saved = block.local("unit", Integer(0, 1 << 30))
    block.emit("unit", saved.slot)
    block.units += 1
    return saved.slot


def close_unit(block: Block, saved: int) -> None:
    """Ends the unit whose place is kept in this slot."""
    block.units -= 1
    block.emit("unit_end", saved)


def only_an_action(block: Block, node: Node) -> bool:
    """Whether steps do nothing but perform one named action, whose own unit then is theirs too."""
    step = node.items[0] if isinstance(node, Sequence) and len(node.items) == 1 else None
    performed = step.get("perform") if isinstance(step, Mapping) else None
    e = None if performed is None else block.cx.expr(performed)
    name = e.of if isinstance(e, ast.Call) else e
    effect = block.cx.world.effects.get(name.name) if isinstance(name, ast.Name) else None
    return effect is not None and effect.section == "actions"


def step_try(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`try`: its steps as a unit if that can be completed, else what `else` holds."""
    saved = block.local("unit", Integer(0, 1 << 30))
    start = block.slots
    thin = only_an_action(block, node)
    block.emit("try", saved.slot, thin, span=node.span)
    block.units += 1
    lower_steps(block, scope, node, forgets=False)
    block.units -= 1
    block.emit("orelse", saved.slot, thin)
    lower_steps(block, scope, step.get("else"), forgets=False)
    block.emit("end_try")
    forget_since(block, start)
    return scope


def _as_unit(block: Block, scope: Scope, node: Node) -> None:
    if only_an_action(block, node):
        lower_steps(block, scope, node)
        return
    start = block.slots
    saved = open_unit(block)
    lower_steps(block, scope, node, forgets=False)
    close_unit(block, saved)
    forget_since(block, start)


def step_may(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`may`: a question, then its steps as a unit."""
    answer = block.local("accepted", BOOLEAN)
    name = block.cx.text(step.get("id")) or "may"
    ask = Ask("may", name, (), block.action, answer=answer.slot, owner=block.owner)
    _ask_who_is_in(block, ask, answer, node.span)
    block.emit("if", answer)
    _as_unit(block, scope, node)
    if step.get("else") is not None:
        block.emit("else")
        lower_steps(block, scope, step.get("else"))
    block.emit("end")
    forget(block, answer)
    return scope


def _ask_who_is_in(block: Block, ask: Ask, answer: Local, span: Span) -> None:
    """Asks whether something is done; who is out declines unasked."""
    if is_in(block.cx.world, ME) is not None:
        block.set(answer, make.boolean(False))
    while_in(block, lambda _: block.emit("ask", ask, span=span))(ME)


def step_together(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`together`: conditions of triggers are looked at after the last of its steps."""
    block.emit("together", 1)
    block.together += 1
    lower_steps(block, scope, node)
    block.together -= 1
    block.emit("together", -1)
    for name in block.builder.checks:
        block.emit("check", name)
    return scope


# ---- repeat -----------------------------------------------------------------------------------------


def step_repeat(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`repeat`: a loop with its condition before or after each pass, or a number of passes."""
    until, while_, times = step.get("until"), step.get("while"), step.get("times")
    counter = limit = None
    if times is not None:
        limit = block.local("times", Integer(0, MOST_PASSES))
        passes = block.lower(scope, times, Integer())
        block.set(limit, passes if bad(passes) else make.clamped(passes, 0, MOST_PASSES))
        counter = block.local("pass", Integer(0, MOST_PASSES))
        block.set(counter, make.integer(0))
    block.emit("loop", span=(step.key_node("repeat") or node).span)
    if counter is not None and limit is not None:
        block.emit("break_if", make.compare(">=", counter, limit))
    if while_ is not None:
        block.emit("break_if", make.negate(block.lower(scope, while_, BOOLEAN)), span=while_.span)
    held = block.cx.expr(while_) if while_ is not None else None
    inner = scope.knowing(*(facts_of(held) if held is not None else ()))
    lower_steps(block, begin_round(block, inner, step), node)
    if counter is not None:
        block.set(counter, make.arith("+", counter, make.integer(1)))
    if until is not None:
        block.emit("break_if", block.lower(scope, until, BOOLEAN), span=until.span)
    block.emit("end_loop", span=node.span)
    if until is None and while_ is None and times is None and not _ends(block, node):
        block.cx.problems.add("RS602", (step.key_node("repeat") or node).span)
    return scope


def _ends(block: Block, node: Node) -> bool:
    """Whether a `finish` stands in the steps, or in what they perform and what that may trigger."""
    finishes = any(block.cx.holds(name, "finish") for name in ("actions", "effects", "triggers"))
    return holds_verb(node, "finish") or (finishes and holds_verb(node, "perform"))


# ---- players ----------------------------------------------------------------------------------------


def step_as(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`as`: another player is `me` meanwhile."""
    player = block.lower(scope, node, PLAYER)
    inner = as_somebody_else(block, scope)
    if bad(player):
        lower_steps(block, inner, step.get("do"))
    else:
        as_player(block, inner, player, lambda: lower_steps(block, inner, step.get("do")))
    return scope


def as_player(block: Block, scope: Scope, player: Ir, steps: Callable[[], object]) -> None:
    """Steps in which somebody else decides and gains; `steps` lowers them."""
    saved = block.local("me", PLAYER)
    block.set(saved, ME)
    block.emit("store", "me", make.integer(0), player)
    steps()
    block.emit("store", "me", make.integer(0), saved)


def step_turns(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`turns`: each player in turn is `active` and `me`."""
    written = block.cx.expr(node)
    if written is None:
        return scope
    source = lower_source(scope, written)
    if make.element_type(scope.world, source) != PLAYER or may_be_none(source.type):
        if not bad(source):
            block.cx.problems.add("RS303", node.span, expected="list of player", found=str(source.type))
        return scope
    at_once = step.get("at_once")
    together = at_once is not None and make.is_true(block.lower(scope, at_once, BOOLEAN))
    saved_me, saved_active = block.local("me", PLAYER), block.local("active", PLAYER)
    block.set(saved_me, ME)
    block.set(saved_active, ACTIVE)
    if together:
        from rulespec.lower.steps.at_once import turns_at_once

        turns_at_once(block, scope, step, source)
    else:
        _turns_in_order(block, scope, step, source)
    block.emit("store", "me", make.integer(0), saved_me)
    block.emit("store", "active", make.integer(0), saved_active)
    return scope


def _turns_in_order(block: Block, scope: Scope, step: Mapping, source: Ir) -> None:
    from rulespec.lower.steps.calls import call_triggers

    def turn(seat: Ir) -> None:
        inner = as_somebody_else(block, scope)
        inner = inner if "player" in scope.names else inner.with_names({"player": seat})
        block.emit("store", "active", make.integer(0), seat)
        block.emit("store", "me", make.integer(0), seat)
        block.emit("event", "turn", (seat,))
        call_triggers(block, "turn", "begins", {})
        lower_steps(block, inner, step.get("do"))
        call_triggers(block, "turn", "ends", {})

    run_over(block, source, "player", while_in(block, turn))


def step_finish(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`finish`: the game is over."""
    block.emit("finish", span=node.span)
    return scope


# ---- loops over members -----------------------------------------------------------------------------


def step_for_each(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`for_each`: a loop over members, in the given order or in one that is chosen."""
    name = block.cx.text(node)
    source = _loop_source(block, scope, step, node, name)
    if source is None:
        return _after_fault(block, scope, step, name)
    chosen = block.cx.text(step.get("order")) == "chosen"
    optional = step.get("optional") is not None and make.is_true(block.lower(scope, step.get("optional"), BOOLEAN))  # type: ignore[arg-type]
    if scope.is_taken(name):
        block.cx.problems.add("RS307", node.span, name=name)
        return _after_fault(block, scope, step, name)
    if chosen:
        _chosen(block, scope, step, (name, node, source, optional))
    else:
        _in_order(block, scope, step, (name, node, source, optional))
    return scope


def _after_fault(block: Block, scope: Scope, step: Mapping, name: str) -> Scope:
    """The steps of a loop that was reported: its name, or the one it is taken for, is known but of no type."""
    names = (name, nearest(name, scope.world.domains) or name)
    lower_steps(block, scope.with_names(dict.fromkeys(names, make.BAD)), step.get("do"))
    return scope


def _loop_source(block: Block, scope: Scope, step: Mapping, node: Node, name: str) -> Ir | None:
    within = step.get("in")
    if within is None and name not in scope.world.domains:
        scope.world.unknown(
            "RS308", node.span, name, scope.world.domains, "Say with `in:` where the members come from."
        )
        return None
    if within is None:
        return whole(scope, name)
    written = block.cx.expr(within)
    source = lower_source(scope, written) if written is not None else None
    if source is None or bad(source):
        return None
    if make.element_type(scope.world, source) is None:
        block.cx.problems.add("RS303", within.span, expected="list, set or zone", found=str(source.type))
        return None
    if may_be_none(source.type):
        block.cx.problems.add("RS305", within.span, type=str(strip(source.type)), hint=None)
        return None
    return source


def _in_order(block: Block, scope: Scope, step: Mapping, loop: tuple[str, Node, Ir, bool]) -> None:
    name, node, source, optional = loop
    limit, done = _limit(block, scope, step)

    def each(item: Ir) -> None:
        inner = scope.with_names({name: item})
        where = step.get("where")
        test = block.filter(inner, where) if where is not None else make.boolean(True)
        if where is not None and (written := block.cx.expr(where)) is not None:
            inner = inner.knowing(*facts_of(written))
        if limit is not None:
            test = make.logic("and", [make.compare("<", done, limit), test])
        if make.is_true(test):
            _pass(block, inner, step, optional, done if limit is not None else None)
            return
        block.emit("if", test, span=where.span if where is not None else node.span)
        _pass(block, inner, step, optional, done if limit is not None else None)
        block.emit("end")

    run_over(block, source, name, each)


def _limit(block: Block, scope: Scope, step: Mapping) -> tuple[Local | None, Local]:
    up_to = step.get("up_to")
    done = Local(type=Integer(0, 4096), slot=-1)
    if up_to is None:
        return None, done
    limit = block.local("up_to", Integer(0, 4096))
    most = block.lower(scope, up_to, Integer())
    check_amount(block, most, up_to, None)
    block.set(limit, most if bad(most) else make.clamped(most, 0, 4096))
    done = block.local("done", Integer(0, 4096))
    block.set(done, make.integer(0))
    return limit, done


def _pass(block: Block, scope: Scope, step: Mapping, optional: bool, done: Local | None) -> None:
    """One pass of a loop in order; with `optional` it is asked for and a unit."""
    if not optional:
        lower_steps(block, scope, step.get("do"))
        _count(block, done)
        return
    answer = block.local("accepted", BOOLEAN)
    name = block.cx.text(step.get("id")) or block.cx.text(step.get("for_each"))
    _ask_who_is_in(block, Ask("may", name, (), block.action, answer=answer.slot, owner=block.owner), answer, step.span)
    block.emit("if", answer)
    if (do := step.get("do")) is not None:
        _as_unit(block, scope, do)
    _count(block, done)
    block.emit("end")
    forget(block, answer)


def _count(block: Block, done: Local | None) -> None:
    if done is not None:
        block.set(done, make.arith("+", done, make.integer(1)))


def _chosen(block: Block, scope: Scope, step: Mapping, loop: tuple[str, Node, Ir, bool]) -> None:
    """A loop whose order the player chooses: each pass a unit, each member at most once."""
    name, node, source, optional = loop
    w = scope.world
    of = make.element_type(w, source)
    assert of is not None
    hidden = not shows_all(w, source)
    left = block.local("left", ListType(of, make.most_of(w, source)), hidden=hidden)
    item = block.local(name, of, hidden=hidden)
    block.set(left, as_list(block, source))
    limit, done = _limit(block, scope, step)
    going = block.local("going", BOOLEAN)
    var = Var(type=of, name=make.fresh(name))
    inner = scope.with_names({name: var})
    condition = step.get("where")
    where = None if condition is None else block.filter(inner, condition)
    alike = step.get("alike")
    same = block.lower(inner, alike) if alike is not None else None
    ask_name = Name(
        name, item.slot, var.name, left, where, None, of, None, node.span, filter_parts(block, inner, condition)
    )
    ask = Ask(
        "next", name, tuple(of_who_is_in(block, [ask_name])), block.action,
        left=left.slot, optional=optional, alike=same, answer=going.slot, owner=block.owner,
    )  # fmt: skip
    skipping = taking_unasked(block, ask) if limit is None else None
    block.emit("loop")
    if limit is not None:
        block.emit("break_if", make.compare(">=", done, limit))
    block.emit("break_unless_any", ask, span=step.span)
    passed = ask_or_take(block, ask, going, skipping, step.span)
    start = block.slots
    saved = open_unit(block)
    facts = facts_of(w_expr) if (w_node := step.get("where")) and (w_expr := block.cx.expr(w_node)) else ()
    lower_steps(block, scope.with_names({name: item}).knowing(*facts), step.get("do"), forgets=False)
    close_unit(block, saved)
    forget(block, item)
    forget_since(block, start)
    _count(block, done if limit is not None else None)
    passed()
    block.emit("end_loop")
    forget(block, left, item, going, *([] if skipping is None else [skipping]))
