"""The drawing declarations, checked: where sites stand on a picture, and what is shown there."""

from __future__ import annotations

from rulespec.lower import make
from rulespec.lower.context import Context
from rulespec.lower.ir import Var
from rulespec.lower.scope import Scope
from rulespec.model.types import INTEGER, Member
from rulespec.model.world import Domain
from rulespec.source.nodes import Mapping


def check_drawings(cx: Context) -> None:
    """Reports what is wrong in the expressions of every `draw`."""
    for domain in cx.world.domains.values():
        if isinstance(domain.draw, Mapping):
            _check(cx, domain, domain.draw)


def _check(cx: Context, domain: Domain, draw: Mapping) -> None:
    row = Var(type=Member(domain.name), name=make.fresh(domain.name))
    for name in ("x", "y"):
        node = draw.get(name)
        if node is not None:
            cx.lower(node, Scope(cx.world, {domain.name: row}, constant=True), INTEGER)
    for node in cx.steps(draw.get("shows")):
        cx.lower(node, Scope(cx.world, {domain.name: row}))
