"""Where one value comes from: where it was declared, and every change to it since."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.overlay.apply import Applied
from rulespec.overlay.edits import Edit
from rulespec.overlay.merge import Addition, Locator
from rulespec.overlay.paths import Found, Lost, find
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node


@dataclass(frozen=True, slots=True)
class Origin:
    """One link of the chain. `variant` is None for the game itself; `value` is what stood there from then on, if known.

    `verb` is `declared`, `added`, or what a change does: `set`, `replaced`, `removed`, `wrapped`, `inserted into`.
    `path` is the path of the change, where that is not the value itself but something around it or in it.
    """

    verb: str
    variant: str | None
    span: Span
    path: str = ""
    value: Node | None = None


_VERBS = {"set": "set", "splice": "replaced", "remove": "removed", "wrap": "wrapped", "insert": "inserted into"}


def origins(base: Mapping, applied: Applied, path: str) -> list[Origin] | Lost:
    """The chain of origins of what `path` leads to, the first one first. It may be gone by the end of the chain."""
    now, before = find(applied.tree, path), find(base, path)
    if isinstance(now, Lost) and isinstance(before, Lost):
        return now
    chain = [Origin("declared", None, before.key, value=before.node)] if isinstance(before, Found) else []
    places = {found.locator for found in (now, before) if isinstance(found, Found)}
    for variant in applied.variants:
        chain += _edited([edit for edit in applied.edits if edit.variant == variant.id], places, path)
        for addition in applied.additions:
            if addition.variant == variant.id and any(_is_within(place, addition.locator) for place in places):
                chain.append(_added(addition, now))
    return chain


def _added(addition: Addition, now: Found | Lost) -> Origin:
    if isinstance(now, Lost):
        return Origin("added", addition.variant, addition.key)
    return Origin("added", addition.variant, now.key, value=_in(addition.value, now.locator[len(addition.locator) :]))


def _in(node: Node | None, rest: Locator) -> Node | None:
    """What stood at a place inside of what was added, before others changed it; None where that is not known."""
    for step in rest:
        node = node.get(step) if isinstance(node, Mapping) and isinstance(step, str) else None
    return node


def _edited(edits: list[Edit], places: set[Locator], path: str) -> Iterator[Origin]:
    for edit in edits:
        if any(_is_within(place, edit.locator) or _is_within(edit.locator, place) for place in places):
            is_it = edit.locator in places
            yield Origin(_VERBS[edit.kind], edit.variant, edit.span, "" if is_it else edit.path, edit.written)


def _is_within(inner: Locator, outer: Locator) -> bool:
    return inner[: len(outer)] == outer
