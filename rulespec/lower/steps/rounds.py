"""Rounds: what begins anew in each pass of a `repeat`."""

from __future__ import annotations

from itertools import groupby

from rulespec.lower import make
from rulespec.lower.context import bad
from rulespec.lower.ir import Ir
from rulespec.lower.operators import whole
from rulespec.lower.scope import Scope
from rulespec.lower.steps.builder import Block
from rulespec.lower.steps.calls import after_writing
from rulespec.lower.steps.members import run_over
from rulespec.lower.steps.writes import anew_in, forgetting
from rulespec.model.world import StateVar
from rulespec.source.nodes import Mapping


def begin_round(block: Block, scope: Scope, step: Mapping) -> Scope:
    """Gives all that begins anew in this round its start; the scope without what was known of it."""
    begun = anew_in(block.cx.world, step)
    for domain, of_domain in groupby(sorted(begun, key=lambda var: var.domain or ""), key=lambda var: var.domain):
        _begin(block, scope, domain, list(of_domain))
    written = frozenset(var.key for var in begun)
    after_writing(block, written)
    return forgetting(block, scope, written)


def _begin(block: Block, scope: Scope, domain: str | None, begun: list[StateVar]) -> None:
    """The states on one kind, or on none, in one loop."""
    if domain is None:
        _store(block, Scope(scope.world, {}, constant=True), begun, make.integer(0))
        return

    def each(place: Ir) -> None:
        _store(block, Scope(scope.world, {domain: place}, constant=True), begun, place)

    run_over(block, whole(scope, domain), domain, each)


def _store(block: Block, scope: Scope, begun: list[StateVar], place: Ir) -> None:
    for var in begun:
        if var.written is None:
            continue
        value = block.cx.lower(var.written, scope, var.type)
        if not bad(value):
            block.emit("store", var.key, place, make.none_as(value, var.type), span=var.written.span)
