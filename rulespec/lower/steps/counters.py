"""Steps on counters, state and tracks: set, gain, pay, advance, score."""

from __future__ import annotations

from rulespec.lower import make
from rulespec.lower.context import bad
from rulespec.lower.elimination import OUT
from rulespec.lower.ir import Ir, Load
from rulespec.lower.reads import reads_of
from rulespec.lower.repetition import REPEATED, stores
from rulespec.lower.scope import Scope
from rulespec.lower.steps.builder import ME, Block
from rulespec.lower.steps.calls import after_writing, call_track
from rulespec.lower.steps.sight import reads_hidden
from rulespec.model.types import INTEGER, PLAYER, Integer, may_be_none, strip
from rulespec.source.nodes import Mapping, Node, Scalar


def step_set(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`set`: a state, a track or a counter is given a value."""
    target = block.cx.lower(node, scope.knowing_only())
    to = step.get("to")
    if bad(target) or to is None:
        return scope
    if not isinstance(target, Load) or target.region not in scope.world.states:
        block.cx.problems.add("RS608", node.span, text=node.span.text)
        return scope
    value = block.lower(scope, to, target.type)
    if bad(value):
        return scope
    block.emit("store", target.region, target.index, make.none_as(value, target.type), span=to.span)
    _note_range(block, target, value, to)
    after_writing(block, frozenset((target.region,)))
    return scope


def step_eliminate(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`eliminate`: a player is out from now on: no turns, no decisions."""
    who = block.lower(scope, node, PLAYER)
    if not bad(who) and OUT in scope.world.states:
        block.emit("store", OUT, who, make.boolean(True), span=node.span)
        after_writing(block, frozenset((OUT,)))
    return scope


def step_record(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`record`: what counts is remembered as it is now."""
    w = scope.world
    if w.functions.get(REPEATED) is None:  # the block hangs on it: how much is remembered is in it, too
        if "repetition" not in w.broken:
            block.cx.problems.add("RS652", node.span)
        return scope
    written = list(stores(w))
    for region, index, value in written:
        block.emit("store", region, index, value, span=node.span)
    after_writing(block, frozenset(region for region, _, _ in written))
    return scope


def _note_range(block: Block, target: Load, value: Ir, node: Node) -> None:
    """A value whose bounds are known to lie wholly outside is a fault; one that may leave them is checked in play."""
    low, high = make.bounds(value.type)
    t = strip(target.type)
    if not isinstance(t, Integer) or low is None or high is None or t.low is None or t.high is None:
        return
    if high < t.low or low > t.high:
        block.cx.problems.add("RS314", node.span, value=f"{low}..{high}", low=t.low, high=t.high)


def _counters(block: Block, scope: Scope, node: Node) -> list[tuple[Scalar, str, Ir]]:
    """The counters of `me` that a gain or pay names, with the amounts."""
    w = scope.world
    found: list[tuple[Scalar, str, Ir]] = []
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        region = f"player.{key.text}"
        var = w.states.get(region)
        if var is None or not isinstance(var.type, Integer):
            names = [s.name for s in w.states.values() if s.domain == "player" and isinstance(s.type, Integer)]
            listed = f"A player's counters are {', '.join(names)}." if names else "A player has no counters."
            if key.text in w.states and isinstance(w.states[key.text].type, Integer):
                listed = f"`{key.text}` belongs to no player: write `set: {key.text}` with `to: {key.text} + …`."
            w.unknown("RS302", key.span, key.text, names, listed, type="player")
            continue
        amount = block.lower(scope, value, INTEGER)
        if not bad(amount):
            found.append((key, region, amount))
    return found


def step_gain(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`gain`: each counter is raised, to its upper bound at most."""
    counters = _as_they_stand(block, _counters(block, scope, node))
    for key, region, amount in counters:
        block.emit("gain", region, ME, amount, span=key.span)
    after_writing(block, frozenset(r for _, r, _ in counters))
    return scope


def step_pay(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`pay`: each counter is lowered, or there is no way on and none is."""
    label = block.cx.text(step.get("rule"))
    counters = _counters(block, scope, node)
    if label and label in block.lifted:
        return scope
    counters = _as_they_stand(block, counters)
    enough = [_is_enough(block, region, amount) for _, region, amount in counters] if len(counters) > 1 else []
    for (key, _, _), test in zip(counters, enough, strict=False):
        block.emit("require", test, label or f"pay {key.text}", span=key.span)
    if enough and block.passes_over:  # what follows a false condition is done there: nothing is paid in part
        block.emit("if", make.logic("and", enough))
    for key, region, amount in counters:
        block.emit("pay", region, ME, amount, label or f"pay {key.text}", span=key.span)
    if enough and block.passes_over:
        block.emit("end")
    after_writing(block, frozenset(r for _, r, _ in counters))
    return scope


def _is_enough(block: Block, region: str, amount: Ir) -> Ir:
    """Whether a counter of `me` stays at its lower end or above it."""
    of = block.cx.world.states[region].type
    low, _ = make.bounds(of)
    left = make.arith("-", Load(type=of, region=region, index=ME), amount)
    return make.compare(">=", left, make.integer(low or 0))


def _as_they_stand(block: Block, counters: list[tuple[Scalar, str, Ir]]) -> list[tuple[Scalar, str, Ir]]:
    """The amounts, kept where they would be others once the counters in front of them have changed."""
    written: set[str] = set()
    found = []
    for key, region, amount in counters:
        kept = amount
        if written & reads_of(block.cx.world, amount):
            kept = block.local(key.text, amount.type, hidden=reads_hidden(block.cx.world, amount))
            block.set(kept, amount, span=key.span)
        found.append((key, region, kept))
        written.add(region)
    return found


def step_score(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`score`: points for a player, with their reason."""
    amount = block.lower(scope, node, INTEGER)
    for_ = step.get("for")
    player: Ir = ME
    if for_ is not None:
        player = make.as_value(scope.world, block.cx.lower(for_, scope, None))
        player = _required_player(block, player, for_)
    if not bad(amount) and not bad(player):
        block.emit("score", player, amount, block.cx.text(step.get("reason"), "points"), span=node.span)
        after_writing(block, frozenset(("player.score",)))
    return scope


def _required_player(block: Block, player: Ir, node: Node) -> Ir:
    if bad(player):
        return player
    if strip(player.type) != PLAYER:
        block.cx.problems.add("RS303", node.span, expected="player", found=str(player.type))
        return make.BAD
    if may_be_none(player.type):
        block.cx.problems.add("RS305", node.span, type="player", hint="Ask with `exists` first whether there is one.")
        return make.BAD
    return player


def step_advance(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """Moves a marker step by step: each step is an event, and past the ends the track's own steps run."""
    target = block.cx.lower(node, scope)
    by = step.get("by")
    if bad(target):
        return scope
    var = scope.world.states.get(target.region) if isinstance(target, Load) else None
    if not isinstance(target, Load) or var is None or var.track is None:
        tracks = ", ".join(scope.world.tracks) or "none"
        block.cx.problems.add("RS609", node.span, text=node.span.text, tracks=tracks)
        return scope
    amount = block.lower(scope, by, INTEGER) if by is not None else make.integer(1)
    if not bad(amount):
        call_track(block, target.region, target.index, amount, node.span)
    return scope
