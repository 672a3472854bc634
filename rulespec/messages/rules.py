"""The rules that people read: their figures are constants, what they are bound to exists, what shows them too."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.nearest import did_you_mean
from rulespec.lower.context import Context
from rulespec.lower.ir import NO_INTEGER
from rulespec.lower.scope import Scope
from rulespec.messages.lowering import lower_place
from rulespec.messages.pattern import Place
from rulespec.messages.places import has_words
from rulespec.messages.wording import Texts, place_text, read_message
from rulespec.model.types import INTEGER, Integer, Unknown, may_be_none, strip
from rulespec.overlay.paths import Lost, find
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span

_LEDGER_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)*-[0-9]+[a-z]?")


def check_rules(cx: Context, tree: Mapping, problems: Problems, *, whole: bool) -> None:
    """Reports what is wrong with the rules. Unless `tree` is `whole` nothing is said of names that it lacks."""
    for _, rule in cx.section("rules"):
        if not isinstance(rule, Mapping):
            continue
        text = rule.get("text")
        if isinstance(text, Mapping):
            _check_text(cx, read_message(text, problems), problems)
            if (select := text.get("select")) is not None:
                cx.lower(select, Scope(cx.world, constant=True), INTEGER)
        for item in _items(rule.get("ledger")):
            if not _LEDGER_ID.fullmatch(item.text):
                problems.add("RS522", item.span, id=item.text)
        if whole:
            _check_bound(tree, rule, problems)


def _items(node: Node | None) -> list[Scalar]:
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


# ---- figures ----------------------------------------------------------------------------------------


def _check_text(cx: Context, texts: Texts, problems: Problems) -> None:
    for variants in texts.values():
        for text in variants.texts.values():
            for place in text.places:
                _check_figure(cx, place, problems)


def _check_figure(cx: Context, place: Place, problems: Problems) -> None:
    """A figure in a rule is known before play, and there."""
    ir = lower_place(Scope(cx.world, constant=True), place.expression)
    if isinstance(ir.type, Unknown) or not has_words(place, ir, problems):
        return
    value = cx.evaluate(ir, place.span)
    none = NO_INTEGER if isinstance(strip(ir.type), Integer) else -1
    if value is not None and may_be_none(ir.type) and value == none:
        problems.add("RS523", place.span, text=place_text(place))


# ---- what it is bound to ----------------------------------------------------------------------------


def _check_bound(tree: Mapping, rule: Mapping, problems: Problems) -> None:
    check_paths(tree, _items(rule.get("binds")), problems)
    scenarios = tree.get("scenarios")
    known = scenarios.keys() if isinstance(scenarios, Mapping) else ()
    for item in _items(rule.get("shown_by")):
        if item.text not in known:
            problems.add("RS521", item.span, name=item.text, hint=did_you_mean(item.text, known))


def check_paths(tree: Mapping, paths: Iterable[Scalar], problems: Problems) -> None:
    """Reports paths that lead to no declaration."""
    for path in paths:
        found = find(tree, path.text)
        if isinstance(found, Lost):
            hint = f"Did you mean `{found.near}`?" if found.near else None
            problems.add("RS520", _part(path, found), path=path.text, hint=hint)


def _part(item: Scalar, lost: Lost) -> Span:
    """The part of a path that leads nowhere."""
    if item.content.text != item.text:
        return item.span
    start = item.content.start
    return Span(item.span.file, start + lost.start, max(start + lost.end, start + lost.start + 1))
