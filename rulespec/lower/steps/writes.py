"""What steps may write: after it is written, nothing that was found out about it before is known any more."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.expr import ast
from rulespec.expr.walk import words_in
from rulespec.lower.elimination import OUT
from rulespec.lower.expressions import lower
from rulespec.lower.reads import reads_of
from rulespec.lower.repetition import BEFORE
from rulespec.lower.scope import Scope
from rulespec.lower.steps.builder import Block, verb_of
from rulespec.model.world import StateVar, Trigger, World, ZonePlace
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

#: Stands for every cell and zone: what an effect that is only known in play may write.
ANYTHING = "*"

#: Begins what stands for a name of a block.
_NAME = "name "

_LOOPS = ("for_each", "repeat", "turns")
_WHO = frozenset({"me", "active"})


def forgetting(block: Block, scope: Scope, written: frozenset[str]) -> Scope:
    """The scope without the facts that read something written."""
    if not scope.narrowed or not written:
        return scope
    renamed = {word.removeprefix(_NAME) for word in written if word.startswith(_NAME)}
    kept = [
        fact
        for fact in scope.narrowed
        if not (_is_touched(_reads(block, scope, fact), written) or (renamed and words_in(fact) & renamed))
    ]
    return scope if len(kept) == len(scope.narrowed) else scope.knowing_only(*kept)


def before_step(block: Block, scope: Scope, step: Mapping) -> Scope:
    """What is known where a step begins: in a loop, what no pass of it may write."""
    verb = verb_of(step)
    if not scope.narrowed or verb is None or verb.text not in _LOOPS:
        return scope
    return forgetting(block, scope, written_by(block, step))


def after_step(block: Block, scope: Scope, step: Mapping) -> Scope:
    """What is still known after a step."""
    return forgetting(block, scope, written_by(block, step)) if scope.narrowed else scope


def written_by(block: Block, step: Mapping) -> frozenset[str]:
    """What a step may write: found once, however often its block is made."""
    known, reads = block.builder.written.get(id(step)), block.cx.world.reads
    if known is None and reads is None:
        known = step, Writes(block).of(step), None
    elif known is None and reads is not None:
        with reads.noting() as notes:
            known = step, Writes(block).of(step), notes
    elif known is not None and reads is not None and reads.notes is not None and known[2] is not None:
        reads.notes.take(known[2])
    assert known is not None
    block.builder.written[id(step)] = known
    return known[1]


def as_somebody_else(block: Block, scope: Scope) -> Scope:
    """What is known where another player is `me`: nothing that was about the one before."""
    return forgetting(block, scope, _WHO)


def anew_in(world: World, step: Mapping) -> list[StateVar]:
    """The states that begin anew in each pass of a `repeat`, in the order in which they are declared."""
    name = step.get("round")
    if not isinstance(name, Scalar):
        return []
    return [var for var in world.states.values() if var.anew == name.text]


def _is_touched(reads: frozenset[str], written: frozenset[str]) -> bool:
    return bool(reads & written) or (ANYTHING in written and bool(reads - _WHO))


def _reads(block: Block, scope: Scope, fact: ast.Expr) -> frozenset[str]:
    with block.cx.quietly():
        return reads_of(block.cx.world, lower(scope, fact))


class Writes:
    """The cells and zones that steps may write, by the keys of their declarations."""

    def __init__(self, block: Block):
        self.cx = block.cx
        self.world = block.cx.world
        self.checks = block.builder.checks
        self.seen: set[str] = set()

    def of(self, node: Node | None) -> frozenset[str]:
        """Everything that a step or a list of steps may write, by what it sets off too."""
        found: set[str] = set()
        for step in _steps_in(node):
            verb = verb_of(step)
            if verb is not None:
                found |= self._step(verb.text, step)
        return frozenset(found)

    def _step(self, verb: str, step: Mapping) -> set[str]:
        value = step.get(verb)
        direct = set(self._direct(verb, step, value))
        found = set(direct)
        for trigger in self._set_off(verb, value, direct):
            found |= self._once(f"trigger {trigger.name}", self.cx.steps_of("triggers", trigger.name, trigger.node))
        if verb == "perform":
            found |= self._performed(value)
        elif verb == "advance":
            for key in direct & self.world.tracks.keys():
                track = self.world.tracks[key]
                for end in ("past_top", "past_bottom"):
                    found |= self._once(f"{end} {key}", self.cx.field(track, end))
        return found

    def _direct(self, verb: str, step: Mapping, value: Node | None) -> Iterator[str]:
        if verb in ("set", "advance"):
            yield from self._cells(value)
        elif verb in ("gain", "pay") and isinstance(value, Mapping):
            yield from (f"player.{key.text}" for key, _ in value.pairs)
        elif verb == "score":
            yield "player.score"
        elif verb == "eliminate":
            yield OUT
        elif verb == "record":
            yield BEFORE
        elif verb == "repeat":
            yield from (var.key for var in anew_in(self.world, step))
        elif verb in ("move", "draw", "refill", "shuffle", "flip", "roll"):
            yield from self._zones(verb, step, value)
            if verb == "roll":  # a name follows the dice that it holds: it says another face
                yield from (f"{_NAME}{word}" for word in self._words(value))

    def _words(self, node: Node | None) -> set[str]:
        written = self.cx.expr(node) if node is not None else None
        return set() if written is None else words_in(written)

    def _cells(self, node: Node | None) -> Iterator[str]:
        words = self._words(node)
        yield from (key for key, name in self.world.noted("cells") if name in words)

    def _zones(self, verb: str, step: Mapping, value: Node | None) -> Iterator[str]:
        """Zones by their names in the text; pieces held by a local may come from any zone of their kind."""
        zones = self.world.noted("places")
        named = {zone.key for part in (value, step.get("from"), step.get("to")) for zone in self._named(part)}
        yield from named
        yield from (zone.renew for zone in zones if zone.key in named and zone.renew is not None)
        if verb in ("move", "flip", "roll") and not self._named(value):
            kinds = {zone.holds for zone in zones if zone.key in named} or set(self.world.pieces)
            yield from (zone.key for zone in zones if zone.holds in kinds)

    def _named(self, node: Node | None) -> list[ZonePlace]:
        words = self._words(node)
        return [zone for zone in self.world.noted("places") if zone.name in words]

    # ---- what follows ----

    def _set_off(self, verb: str, value: Node | None, written: set[str]) -> Iterator[Trigger]:
        emitted = self._words(value) if verb == "emit" else set()
        for trigger in self.world.noted("triggers"):
            if (
                (trigger.kind == "emitted" and trigger.what in emitted)
                or (trigger.kind in ("emptied", "stepped") and trigger.what in written)
                or (trigger.kind == "becomes" and self.checks.get(trigger.name, frozenset()) & written)
                or (trigger.kind == "turn" and verb == "turns")
            ):
                yield trigger

    def _performed(self, value: Node | None) -> set[str]:
        effect = self.cx.expr(value) if value is not None else None
        while isinstance(effect, ast.Without):
            effect = effect.effect
        if isinstance(effect, ast.Call):
            effect = effect.of
        known = self.world.effects.get(effect.name) if isinstance(effect, ast.Name) else None
        if known is None:
            return {ANYTHING}
        return self._once(known.name, self.cx.steps_of("effects", known.name, known.node))

    def _once(self, name: str, steps: Node | None) -> set[str]:
        if name in self.seen:
            return set()
        self.seen.add(name)
        return set(self.of(steps))


def _steps_in(node: Node | None) -> Iterator[Mapping]:
    """A step with all steps inside it, or all those of a list."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _steps_in(item)
    elif isinstance(node, Mapping):
        if verb_of(node) is not None:
            yield node
        for _, value in node.pairs:
            if not isinstance(value, Scalar):
                yield from _steps_in(value)
