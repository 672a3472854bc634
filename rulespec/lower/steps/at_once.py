"""`turns` with `at_once`: everybody chooses in secret first, then the effects happen in turn order."""

from __future__ import annotations

from dataclasses import replace

from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.ir import Ask, Ir, ItemAt, Join, ListIr, Local
from rulespec.lower.scope import Scope
from rulespec.lower.steps.builder import Block, forget_since, lower_step
from rulespec.lower.steps.choices import step_choose
from rulespec.lower.steps.members import forget, run_over, while_in
from rulespec.lower.steps.writes import as_somebody_else
from rulespec.model.types import PLAYER, Integer, ListType, Record
from rulespec.program.ops import QUESTIONS
from rulespec.source.nodes import Mapping, Node, Sequence


def turns_at_once(block: Block, scope: Scope, step: Mapping, source: Ir) -> None:
    """First pass: one choice each, kept hidden. Second pass: the steps after it, for each in the same order."""
    body = _body(block, scope, step)
    if body is None:
        block.cx.problems.add("RS603", (step.key_node("turns") or step).span)
        return
    action, choose, rest = body
    before, block.action = block.action, body[0] or block.action
    kept, names = _first_pass(block, scope, choose, source)
    _second_pass(block, scope, (action, rest), (kept, names))
    block.action = before


def _first_pass(block: Block, scope: Scope, choose: Mapping, source: Ir) -> tuple[Local, dict[str, Local]]:
    """Asks everybody; the answers are kept in a list of records, whose type is known once the choice is lowered.

    Who has nothing to choose is left out, as in other turns, where that leaves all that follows the choice.
    """
    most = max(1, make.most_of(block.cx.world, source))  # a list may name a seat twice
    kept = block.local("choices", ListType(Record(()), most), hidden=True)
    block.set(kept, make.const((), kept.type))
    names: dict[str, Local] = {}

    def ask(seat: Ir) -> None:
        inner = _seat(block, scope, seat)
        first = len(block.builder.instrs)

        def keep(found: Scope) -> None:
            names.update({n: ir for n, ir in found.names.items() if n not in inner.names and isinstance(ir, Local)})
            picked = ListIr(type=_record(names), items=(seat, *names.values()))
            one = ListIr(type=ListType(_record(names), 1), items=(picked,))
            block.set(kept, Join(type=kept.type, left=kept, right=one))
            forget(block, *names.values())

        if block.passes_over:
            step_choose(block, inner, choose, choose.get("choose"), keep)  # type: ignore[arg-type]
        else:
            keep(step_choose(block, inner, choose, choose.get("choose")))  # type: ignore[arg-type]
        _keep_secret(block, first)

    run_over(block, source, "player", while_in(block, ask))
    known = ListType(_record(names), most)
    block.builder.slots[kept.slot] = replace(block.builder.slots[kept.slot], type=known)
    return replace(kept, type=known), names


def _second_pass(
    block: Block, scope: Scope, body: tuple[str | None, list[Node]], answers: tuple[Local, dict[str, Local]]
) -> None:
    """The steps after the choice, for each player who has answered, with the answer that was kept."""
    (action, rest), (kept, names) = body, answers
    start = block.slots
    record = _record(names)
    assert isinstance(kept.type, ListType)
    at, seat = block.local("at", Integer(0, kept.type.most)), block.local("player", PLAYER)
    block.set(at, make.integer(0))
    block.emit("loop")
    block.emit("break_if", make.compare(">=", at, make.item_of("count", kept, at.type)))
    answer: Ir = ItemAt(type=record, what="at", items=kept, index=at)
    block.set(seat, ItemAt(type=PLAYER, what="field", items=answer, at=0))
    inner = _seat(block, scope, seat)
    for i, (name, local) in enumerate(names.items(), 1):
        shown = block.local(name, local.type, hidden=block.builder.slots[local.slot].hidden)
        block.set(shown, ItemAt(type=local.type, what="field", items=answer, at=i))
        inner = inner.with_names({name: shown})
    block.set(at, make.arith("+", at, make.integer(1)))
    if action is not None:
        block.emit("log", action, tuple(inner.names.items()), "whole")
    _rest(block, inner, rest)
    block.emit("end_loop")
    forget(block, kept)
    forget_since(block, start)


def _keep_secret(block: Block, first: int) -> None:
    """The answers asked for from an instruction on are known to nobody else before all have answered."""
    instrs = block.builder.instrs
    secret: dict[int, Ask] = {}
    for at in range(first, len(instrs)):
        if instrs[at].op in QUESTIONS:
            ask = instrs[at].args[0]
            kept = secret.setdefault(id(ask), replace(ask, secret=True))
            instrs[at] = replace(instrs[at], args=(kept,))


def _record(names: dict[str, Local]) -> Record:
    """An answer: who has given it, and what each name of the choice stands for."""
    return Record((("by", PLAYER), *((n, ir.type) for n, ir in names.items())))


def _seat(block: Block, scope: Scope, seat: Ir) -> Scope:
    block.emit("store", "active", make.integer(0), seat)
    block.emit("store", "me", make.integer(0), seat)
    scope = as_somebody_else(block, scope)
    return scope if "player" in scope.names else scope.with_names({"player": seat})


def _rest(block: Block, scope: Scope, rest: list[Node]) -> None:
    for item in rest:
        if isinstance(item, Mapping):
            scope = lower_step(block, scope, item)


def _body(block: Block, scope: Scope, step: Mapping) -> tuple[str | None, Mapping, list[Node]] | None:
    """The action performed (if any), its choose, and the steps after it."""
    steps = step.get("do")
    items = list(steps.items) if isinstance(steps, Sequence) else []
    action = None
    if len(items) == 1 and isinstance(items[0], Mapping) and items[0].get("perform") is not None:
        written = block.cx.expr(items[0].get("perform"))  # type: ignore[arg-type]
        name = written.name if isinstance(written, ast.Name) else ""
        effect = scope.world.effects.get(name)
        do = block.cx.steps_of("effects", name, effect.node) if effect is not None and not effect.params else None
        items = list(do.items) if isinstance(do, Sequence) else []
        action = name if effect is not None and effect.section == "actions" else None
    first = items[0] if items else None
    if not isinstance(first, Mapping) or first.get("choose") is None:
        return None
    if any(first.get(word) is not None for word in ("exactly", "up_to", "else", "then")) or _asks(items[1:]):
        return None  # what is done in `then` everybody would see before the others have chosen
    return action, first, items[1:]


def _asks(items: list[Node]) -> bool:
    """Whether a step asks something (in its own text)."""
    for item in items:
        if isinstance(item, Mapping):
            if item.get("choose") is not None or item.get("may") is not None:
                return True
            if any(isinstance(v, Sequence) and _asks(list(v.items)) for _, v in item.pairs):
                return True
    return False
