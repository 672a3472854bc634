"""Changes as data, and making them in a tree. All changes of one variant happen at once: their order has no meaning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from rulespec.overlay.merge import Locator, as_members
from rulespec.overlay.paths import item_key
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

Kind = Literal["set", "splice", "remove", "wrap", "insert"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one variant, its path found.

    `locator` is what is changed; `path` is how the variant writes it, at `place`. `value` is what comes there, and
    `written` the same as it stands in the variant's file. `first` and `last` are the members that are put before and
    after: around a list (wrap), or before and after its member `anchor` (insert; no anchor: the end of the list);
    what takes a member's place (splice) is in `first`.
    """

    variant: str
    kind: Kind
    locator: Locator
    path: str
    place: Scalar
    old: Node
    value: Node | None = None
    written: Node | None = None
    first: tuple[Node, ...] = ()
    last: tuple[Node, ...] = ()
    anchor: tuple[str, int] | None = None
    rows: bool = False

    @property
    def writes(self) -> bool:
        """Whether what stands at the locator is written anew or taken away."""
        return self.kind in ("set", "splice", "remove")

    @property
    def span(self) -> Span:
        return self.place.span


@dataclass(slots=True)
class _Plan:
    """The edits of one place, by what they do."""

    own: list[Edit] = field(default_factory=list)
    below: bool = False


def make_edits(tree: Mapping, edits: Iterable[Edit]) -> Mapping:
    """`tree` with the edits made. An edit of a place that is no longer there does nothing."""
    plans: dict[Locator, _Plan] = {}
    for edit in edits:
        plans.setdefault(edit.locator, _Plan()).own.append(edit)
        for length in range(len(edit.locator)):
            plans.setdefault(edit.locator[:length], _Plan()).below = True
    made = _made(tree, (), plans)
    return made[0] if made and isinstance(made[0], Mapping) else tree


def _made(node: Node, at: Locator, plans: dict[Locator, _Plan]) -> tuple[Node, ...]:
    """What stands at `at` after the edits: nothing, one node, or for a member of a list several."""
    plan = plans.get(at)
    if plan is None:
        return (node,)
    for edit in plan.own:
        if edit.kind == "remove":
            return ()
        if edit.kind == "splice":
            return edit.first
        if edit.kind == "set" and edit.value is not None:
            node = edit.value
            break
    else:
        node = _inside(node, at, plans, plan)
    return (_wrapped(node, plan),)


def _inside(node: Node, at: Locator, plans: dict[Locator, _Plan], plan: _Plan) -> Node:
    """The node with the edits further down made, and members inserted."""
    if plan.below and at[:1] == ("enums",):
        node = as_members(node, at)
    inserts = [edit for edit in plan.own if edit.kind == "insert"]
    if isinstance(node, Sequence) and (plan.below or inserts):
        return _list(node, at, plans, inserts)
    if isinstance(node, Mapping) and plan.below:
        pairs = [(key, made) for key, value in node.pairs for made in _made(value, (*at, key.text), plans)]
        return Mapping(node.span, tuple(pairs), node.broken)
    return node


def _list(node: Sequence, at: Locator, plans: dict[Locator, _Plan], inserts: list[Edit]) -> Sequence:
    items: list[Node] = []
    for item in node.items:
        key = item_key(item)
        here = [edit for edit in inserts if edit.anchor == key]
        items += [each for edit in here for each in edit.first]
        items += _made(item, (*at, key), plans)
        items += [each for edit in here for each in edit.last]
    items += [each for edit in inserts if edit.anchor is None for each in edit.last]
    return Sequence(node.span, tuple(items))


def _wrapped(node: Node, plan: _Plan) -> Node:
    for edit in plan.own:
        if edit.kind == "wrap" and isinstance(node, Sequence):
            node = Sequence(node.span, (*edit.first, *node.items, *edit.last))
    return node
