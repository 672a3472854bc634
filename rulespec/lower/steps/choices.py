"""`choose`: what is asked, of whom, and how a set is picked one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rulespec.diagnostics.nearest import nearest
from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.context import bad
from rulespec.lower.cost import MOST_STEPS
from rulespec.lower.elimination import is_in
from rulespec.lower.ir import Ask, Compare, Ir, Local, Name, Var, walk_ir
from rulespec.lower.operators import lower_source, whole
from rulespec.lower.scope import Scope, facts_of
from rulespec.lower.steps.builder import ME, Block, lower_steps
from rulespec.lower.steps.naming import condition_name, filter_parts
from rulespec.lower.steps.sight import hidden_read, seen_test
from rulespec.lower.steps.telling import branch
from rulespec.lower.steps.writes import as_somebody_else
from rulespec.model.types import (
    BOOLEAN,
    PLAYER,
    Boolean,
    EffectType,
    Integer,
    ListType,
    Member,
    Piece,
    Record,
    Type,
    Unknown,
    may_be_none,
    strip,
)
from rulespec.source.nodes import Mapping, Node, Scalar
from rulespec.source.text import Span

MOST_CANDIDATES = 50_000
MOST_PICKS = 64


#: lowers what is done with an answer, given the scope that names it
WithAnswer = Callable[[Scope], None]


def step_choose(block: Block, scope: Scope, step: Mapping, node: Node, with_answer: WithAnswer | None = None) -> Scope:
    """`choose`: the question, and the names that its answer is bound to.

    What `with_answer` lowers is run where there is an answer alone: without a candidate it is left out.
    """
    names = _names(block, step, node)
    exactly = step.get("exactly") or step.get("up_to")
    by_another = step.get("who") is not None
    inner, asked = as_somebody_else(block, scope) if by_another else scope, []
    for name_node, name, fields in names:
        made = _one_name(block, inner, name_node, name, fields)
        if made is None:
            return _after_fault(scope, [n for _, n, _ in names], block, node, step)
        asked.append(made)
        inner = inner.with_names({name: Var(type=made.type, name=made.var)})
    if not _is_cheap(block, asked, node):
        return _after_fault(scope, [n for _, n, _ in names], block, node, step)
    if _is_impossible(block, scope, step, asked):
        return _after_fault(scope, [n for _, n, _ in names], block, node, step)
    chance, player = _who(block, scope, step)
    asked = asked if chance else of_who_is_in(block, asked)
    if _may_be_one_piece(block, asked, node, by_chance=chance):
        return _after_fault(scope, [n for _, n, _ in names], block, node, step)
    if exactly is not None:
        if _has_else(block, step):
            return _after_fault(scope, [n for _, n, _ in names], block, node, step)
        found = _set(block, scope, step, (node, asked, chance, player))
        if with_answer is not None:
            with_answer(found)
        return found
    ask = Ask(
        "one", _ask_id(block, step, node), tuple(asked), block.action, chance=chance, stream=_stream(block),
        owner=block.owner,
    )  # fmt: skip
    return _ask_with_branches(block, scope, step, ask, (player, with_answer))


def of_who_is_in(block: Block, asked: list[Name]) -> list[Name]:
    """The names of a question; who is out has nothing to choose from."""
    still, first = is_in(block.cx.world, ME), asked[0]
    if still is None:
        return asked
    where = still if first.where is None else make.logic("and", [still, first.where])
    return [replace(first, where=where), *asked[1:]]


def _is_impossible(block: Block, scope: Scope, step: Mapping, asked: list[Name]) -> bool:
    """Whether play comes here and nobody can ever choose, which is reported; in the set-up it is found otherwise.

    An action that has nothing to choose is not offered, and what is tried has another way: there it may be meant.
    """
    unguarded = block.kind in ("flow", "end") and block.units == block.listed
    if not unguarded or step.get("else") is not None or step.get("up_to") is not None:
        return False
    most = 1
    for name in asked:
        held = block.cx.costs.length(name.source)
        most *= held
        given = step.get("from")
        if held == 0 and given is not None:
            _impossible(block, given, f"{' '.join(given.span.text.split())} is empty")
            return True
    exactly = step.get("exactly")
    with block.cx.quietly():
        least, _ = make.bounds(block.cx.lower(exactly, scope, Integer()).type) if exactly is not None else (0, 0)
    if exactly is not None and least is not None and least > most:
        _impossible(block, exactly, f"{least} are wanted, and there are at most {most}")
    return exactly is not None and least is not None and least > most


def _has_else(block: Block, step: Mapping) -> bool:
    """Whether a set has an `else`, which is reported: a set is picked one by one, and has no moment for it."""
    otherwise = step.key_node("else")
    if otherwise is not None:
        tag = "up_to" if step.get("exactly") is None else "exactly"
        hint = "Ask with `if` whether there are enough."
        block.cx.problems.add("RS257", otherwise.span, hint=hint, name="else", tag=tag)
    return otherwise is not None


def _may_be_one_piece(block: Block, asked: list[Name], node: Node, *, by_chance: bool) -> bool:
    """Whether two names can be given one piece without anybody knowing, which is reported.

    Whoever sees the pieces is not offered one twice where a later step could not move it twice. Of backs, and where
    chance picks, that comes out only behind the horizon.
    """
    blind = [name for name in asked if isinstance(strip(name.type), Piece) and (by_chance or not _is_own(name))]
    for number, name in enumerate(blind):
        for other in blind[:number]:
            if name.source == other.source and not _speaks_of(name, other):
                hint = "Choose them together, as a set: `exactly: 2`."
                block.cx.problems.add("RS626", name.span or node.span, hint=hint, one=other.name, other=name.name)
                return True
    return False


def _is_own(name: Name) -> bool:
    """Whether the chooser certainly sees the fronts: of a place that is open, or one's own."""
    return name.seen is None or (isinstance(name.seen, Compare) and name.seen.left == name.seen.right)


def _speaks_of(name: Name, other: Name) -> bool:
    """Whether the filter of a name reads another one, as `b != a` does."""
    return name.where is not None and any(isinstance(n, Var) and n.name == other.var for n in walk_ir(name.where))


def _impossible(block: Block, node: Node, why: str) -> None:
    players = block.cx.world.noted("players")
    hint = f"So it is with {players} player{'s' * (players != 1)}. Say with `else` or `if` what is done then."
    block.cx.problems.add("RS622", node.span, why=why, hint=hint)


def _is_cheap(block: Block, asked: list[Name], node: Node) -> bool:
    """Whether listing the candidates of all names together needs no more steps than is allowed; else a report."""
    costs, combinations, cost = block.cx.costs, 1, 0
    for name in asked:
        filters = [test for test in (name.where, name.if_possible) if test is not None]
        each = 1 + sum(map(costs.of, filters))
        cost += combinations * (costs.of(name.source) + costs.length(name.source) * each)
        combinations *= max(1, costs.length(name.source))
    if combinations > MOST_CANDIDATES:
        block.cx.problems.add("RS617", node.span, count=f"{combinations:,}", most=f"{MOST_CANDIDATES:,}")
        return False
    if cost > MOST_STEPS:
        hint = f"There may be {combinations:,} candidates."
        block.cx.problems.add("RS611", node.span, hint=hint, cost=f"{cost:,}", most=f"{MOST_STEPS:,}")
    return cost <= MOST_STEPS


def _names(block: Block, step: Mapping, node: Node) -> list[tuple[Node, str, Mapping]]:
    """The names of a choose, each with the mapping that holds its fields."""
    each = step.get("each")
    if isinstance(each, Mapping):
        return [(k, k.text, v) for k, v in each.pairs if isinstance(v, Mapping)]
    if isinstance(node, Mapping):
        return [(k, k.text, v) for k, v in node.pairs if isinstance(v, Mapping)]
    return [(node, block.cx.text(node), step)]


def _ask_id(block: Block, step: Mapping, node: Node) -> str:
    """What the decision is called: its `id`, else its one name, else the action it stands in."""
    given = block.cx.text(step.get("id"))
    if given:
        return given
    return node.text if isinstance(node, Scalar) else (block.action or block.name)


def _stream(block: Block) -> str:
    name = "setup" if block.kind == "setup" else "chance"
    block.builder.stream(name)
    return name


def _who(block: Block, scope: Scope, step: Mapping) -> tuple[bool, Ir | None]:
    who = step.get("who")
    if who is None:
        return False, None
    if block.cx.text(who) == "chance":
        return True, None
    return False, block.lower(scope, who, PLAYER)


def _after_fault(scope: Scope, names: list[str], block: Block, node: Node, step: Mapping) -> Scope:
    """The names of a choose that was reported, known but of no type, so that their uses are not reported too."""
    every = [*names, block.cx.text(node), *(nearest(n, scope.world.domains) or "" for n in names)]
    found = scope.with_names({n: make.BAD for n in every if n})
    lower_steps(block, found, step.get("then"))
    lower_steps(block, scope, step.get("else"))
    return found


def _source(block: Block, scope: Scope, node: Node, name: str, fields: Mapping) -> Ir | None:
    given = fields.get("from")
    w = scope.world
    if given is None:
        if name in w.domains:
            return whole(scope, name)
        w.unknown("RS308", node.span, name, w.domains, "Say with `from:` where the candidates come from.")
        return None
    written = block.cx.expr(given)
    source = lower_source(scope, written) if written is not None else None
    if source is None or bad(source):
        return None
    of = make.element_type(w, source)
    if of is None:
        block.cx.problems.add("RS303", given.span, expected="list, set or zone", found=str(source.type))
        return None
    if may_be_none(source.type):
        block.cx.problems.add("RS305", given.span, type=str(strip(source.type)), hint=None)
        return None
    return source


def _one_name(block: Block, scope: Scope, node: Node, name: str, fields: Mapping) -> Name | None:
    """One name: where its candidates come from and what filters them."""
    if scope.is_taken(name):
        block.cx.problems.add("RS307", node.span, name=name)
        return None
    source = _source(block, scope, node, name, fields)
    if source is None:
        return None
    w = scope.world
    of = make.element_type(w, source)
    assert of is not None
    if bad(source) or isinstance(of, Unknown):
        return None
    if not isinstance(strip(of), (Boolean, Member, Piece, Integer, EffectType)):
        block.cx.problems.add("RS601", node.span, type=str(of))
        return None
    var = Var(type=of, name=make.fresh(name))
    inner = scope.with_names({name: var})
    where, parts = _filter(block, inner, fields.get("where")), filter_parts(block, inner, fields.get("where"))
    if (w_node := fields.get("where")) is not None and (written := block.cx.expr(w_node)) is not None:
        inner = inner.knowing(*facts_of(written))
    if_possible = _filter(block, inner, fields.get("if_possible"))
    seen = seen_test(w, source, ME)
    if seen is not None and not _is_fair(block, fields, var, (where, if_possible)):
        return None
    slot = block.local(name, of, hidden=seen is not None)
    block.holds(slot, source)
    return Name(
        name, slot.slot, var.name, source, where, if_possible, of, seen, node.span, parts,
        _condition_name(block, fields, "if_possible"), _span_of(fields, "if_possible"),
    )  # fmt: skip


def _condition_name(block: Block, fields: Mapping, word: str) -> str:
    node = fields.get(word)
    return condition_name(block.cx.expr(node)) if node is not None else ""


def _span_of(fields: Mapping, word: str) -> Span | None:
    node = fields.get(word)
    return node.span if node is not None else None


def _is_fair(block: Block, fields: Mapping, piece: Var, tests: tuple[Ir | None, ...]) -> bool:
    """Whether filters of pieces that are chosen by their backs read nothing else of them; else a report."""
    for word, test in zip(("where", "if_possible"), tests, strict=True):
        node = fields.get(word)
        name = hidden_read(block.cx.world, test, piece) if test is not None else None
        if name is not None and node is not None:
            shown = ", ".join(block.cx.world.pieces[strip(piece.type).kind].back or ())  # type: ignore[attr-defined]
            block.cx.problems.add("RS612", node.span, hint=f"The back shows: {shown or 'nothing'}.", name=name)
            return False
    return True


def _filter(block: Block, scope: Scope, node: Node | None) -> Ir | None:
    return None if node is None else block.filter(scope, node)


def _ask_with_branches(
    block: Block, scope: Scope, step: Mapping, ask: Ask, how: tuple[Ir | None, WithAnswer | None]
) -> Scope:
    """The ask itself; with `else`, or with what needs its answer, a branch for when there is no candidate."""
    player, with_answer = how
    either = step.get("else") is not None or with_answer is not None
    saved = None if player is None else _let_decide(block, player)
    if either:
        block.emit("if_any", ask, span=step.span)
    block.emit("ask", ask, span=step.span)
    for name in _chosen_by_backs(ask):
        block.emit("resolve", name.slot, _piece_stream(block, name), None, span=step.span)
    if saved is not None:
        block.emit("store", "me", make.integer(0), saved)
    known = {n.name: Local(type=n.type, slot=n.slot) for n in ask.names}
    found = scope.with_names(known)  # type: ignore[arg-type]
    facts = found.knowing(*_facts(block, step)).narrowed
    if player is not None:
        facts = as_somebody_else(block, found.knowing_only(*facts - scope.narrowed)).narrowed | scope.narrowed
    found = found.knowing_only(*facts)
    branch(block, found, step, "then")
    if with_answer is not None:
        with_answer(found)
    if either:
        if saved is not None or step.get("else") is not None:
            block.emit("else")
        if saved is not None:
            block.emit("store", "me", make.integer(0), saved)
        branch(block, scope, step, "else")
        block.emit("end")
        return scope
    return found


def _chosen_by_backs(ask: Ask) -> list[Name]:
    """The names whose pieces the chooser may know by their backs alone. Chance picks among the pieces themselves."""
    return [] if ask.chance else [name for name in ask.names if name.seen is not None]


def _let_decide(block: Block, player: Ir) -> Local:
    """Makes somebody else the one who decides; gives the name that keeps who was it."""
    saved = block.local("me", PLAYER)
    block.set(saved, ME)
    block.emit("store", "me", make.integer(0), player)
    return saved


def _facts(block: Block, step: Mapping) -> tuple[ast.Expr, ...]:
    where = step.get("where")
    written = block.cx.expr(where) if where is not None else None
    return facts_of(written) if written is not None else ()


def _piece_stream(block: Block, name: Name) -> str:
    key = make.zone_key(name.source) or "chance"
    block.builder.stream(key)
    return key


def check_amount(block: Block, amount: Ir, node: Node, most: int | None) -> None:
    """Reports a number of things to choose that is never right. One that is computed may be 0 with some options."""
    known = None if bad(amount) else make.known_number(amount)
    least = 1 if isinstance(node, Scalar) and isinstance(node.value, int) else 0
    if known is not None and (known < least or (most is not None and known > most)):
        block.cx.problems.add("RS314", node.span, value=known, low=least, high=MOST_PICKS)


def _warn_of_counting(block: Block, names: Sequence[Name], node: Node) -> None:
    """What is picked one by one can be counted by those who may not see how many pieces a zone holds."""
    for name in names:
        t = strip(name.type)
        zone = block.cx.world.zones.get(t.zone or "") if isinstance(t, Piece) else None
        if zone is not None and not zone.is_counted:
            block.cx.problems.add("RS648", node.span, zone=zone.key, hint=_BY_NUMBER)


_BY_NUMBER = "Choose how many, as in `from: 0..me.purse.count`, and then move so many: `move: take(amount, me.purse)`."


def _set(block: Block, scope: Scope, step: Mapping, parts: tuple[Node, list[Name], bool, Ir | None]) -> Scope:
    """`exactly: n`: a set, asked one by one in any order, and kept in the order of its candidates."""
    node, names, chance, player = parts
    name = block.cx.text(node)
    exactly, up_to = step.get("exactly"), step.get("up_to")
    amount = block.lower(scope, exactly or up_to or node, Integer())
    if bad(amount):
        return _after_fault(scope, [name], block, node, step)
    check_amount(block, amount, exactly or up_to or node, MOST_PICKS if exactly is not None else None)
    if not chance:
        _warn_of_counting(block, names, exactly or up_to or node)
    record = step.get("each") is not None
    of: Type = Record(tuple((n.name, n.type) for n in names)) if record else names[0].type
    _, high = make.bounds(amount.type)
    most = max(0, min(MOST_PICKS, high if high is not None else MOST_PICKS))
    if exactly is not None and (high is None or high > MOST_PICKS):  # there is no room for so many
        block.emit("require", make.compare("<=", amount, make.integer(MOST_PICKS)), "exactly", span=exactly.span)
    picked = block.local(name, ListType(of, most), hidden=any(n.seen is not None for n in names))
    saved = None if player is None else _let_decide(block, player)
    order = block.local("order", ListType(Integer(0, MOST_CANDIDATES - 1), most))
    wanted = block.local("wanted", Integer(0, most))
    block.set(wanted, make.clamped(amount, 0, most))
    block.set(picked, make.list_of([], of))
    block.set(order, make.list_of([], Integer(0, MOST_CANDIDATES - 1)))
    going = block.local("going", BOOLEAN)
    ask = Ask(
        "set", _ask_id(block, step, node), tuple(names), block.action, amount=wanted, picked=picked.slot,
        order=order.slot, optional=up_to is not None and exactly is None, chance=chance, stream=_stream(block),
        record=record, answer=going.slot, owner=block.owner,
    )  # fmt: skip
    block.emit("loop")
    block.emit("break_if", make.compare(">=", make.item_of("count", picked, Integer(0, most)), wanted))
    if ask.optional:
        block.emit("break_unless_any", ask, span=step.span)
    block.emit("ask", ask, span=step.span)
    if ask.optional:
        block.emit("break_if", make.negate(going))
    block.emit("end_loop")
    for number, each in enumerate(names):
        if each in _chosen_by_backs(ask):
            block.emit("resolve", picked.slot, _piece_stream(block, each), number if record else None, span=step.span)
    if saved is not None:
        block.emit("store", "me", make.integer(0), saved)
    for local in (order, wanted, going):
        block.forget(local.slot)
    found = scope.with_names({name: picked})
    branch(block, found, step, "then")
    return found
