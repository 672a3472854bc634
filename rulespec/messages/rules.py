"""The rules that people read: their figures are constants, what they are bound to exists, what shows them too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from itertools import chain

from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.lower.context import Context
from rulespec.lower.ir import NO_INTEGER, Ir
from rulespec.lower.scope import Scope
from rulespec.lower.versions import check_once
from rulespec.messages.forms import Chooser, check_numbers
from rulespec.messages.lowering import lower_place
from rulespec.messages.pattern import Place
from rulespec.messages.places import has_words
from rulespec.messages.wording import Texts, place_text, read_message
from rulespec.model.types import INTEGER, Integer, Unknown, may_be_none, strip
from rulespec.overlay.paths import Found, Lost, find, path_fixes
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span

_LEDGER_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)*-[0-9]+[a-z]?")


def check_rules(cx: Context, tree: Mapping, problems: Problems, *, whole: bool) -> None:
    """Reports what is wrong with the rules. Unless `tree` is `whole` nothing is said of names that it lacks."""
    rules = [rule for _, rule in cx.section("rules") if isinstance(rule, Mapping)]
    for rule in rules:
        text = rule.get("text")
        if isinstance(text, Mapping):
            check_once(cx, "rule", text, problems, partial(_check_rule, cx, text))
        for item in _items(rule.get("ledger")):
            if not _LEDGER_ID.fullmatch(item.text):
                problems.add("RS522", item.span, id=item.text)
    if whole:
        check_paths(tree, chain.from_iterable(_items(rule.get("binds")) for rule in rules), problems)
        _check_shown(tree, rules, problems)


def _check_rule(cx: Context, text: Mapping, problems: Problems) -> None:
    texts = read_message(text, problems)
    _check_text(cx, texts, problems)
    _check_forms(cx, texts, text.get("select"), problems)


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


# ---- plural forms -----------------------------------------------------------------------------------


def _check_forms(cx: Context, texts: Texts, select: Node | None, problems: Problems) -> None:
    """Reports forms that hide their number or are missing, for the number that the figure is."""
    scope = Scope(cx.world, constant=True)
    if select is not None:
        ir = cx.lower(select, scope, INTEGER)
        written = cx.expr(select)
        number = None if written is None else _constant(cx, ir, select.span)
        if written is not None and number is not None:
            _check_numbers(texts, Chooser(written, number), problems)
        return
    for language, variants in texts.items():
        other = variants.texts.get("other")
        found = {} if other is None else {place.expression: place for place in other.places}
        numbers = [(e, number) for e, place in found.items() if (number := _figure(cx, scope, place)) is not None]
        if len(numbers) == 1:
            check_numbers(language, variants, Chooser(*numbers[0]), problems)


def _check_numbers(texts: Texts, chooser: Chooser, problems: Problems) -> None:
    for language, variants in texts.items():
        check_numbers(language, variants, chooser, problems)


def _figure(cx: Context, scope: Scope, place: Place) -> Integer | None:
    """The number that a placeholder is; its faults are reported already."""
    kept, cx.world.problems = cx.world.problems, Problems()
    try:
        return _constant(cx, lower_place(scope, place.expression), place.span)
    finally:
        cx.world.problems = kept


def _constant(cx: Context, ir: Ir, span: Span) -> Integer | None:
    """The one number that something known before play comes to."""
    if not isinstance(strip(ir.type), Integer):
        return None
    value = cx.evaluate(ir, span)
    return None if value is None or value == NO_INTEGER else Integer(int(value), int(value))


# ---- what it is bound to ----------------------------------------------------------------------------


def _check_shown(tree: Mapping, rules: Iterable[Mapping], problems: Problems) -> None:
    scenarios = tree.get("scenarios")
    known = dict.fromkeys(scenarios.keys()) if isinstance(scenarios, Mapping) else {}
    for item in chain.from_iterable(_items(rule.get("shown_by")) for rule in rules):
        if item.text not in known:
            problems.add("RS521", item.span, name=item.text, near=near_to(item.text, known))


def check_paths(tree: Mapping, paths: Iterable[Scalar], problems: Problems) -> None:
    """Reports paths that lead to no declaration. Many rules are about one: each is looked for once."""
    found_by: dict[str, Found | Lost] = {}
    for path in paths:
        found = found_by.get(path.text)
        if found is None:
            found = found_by[path.text] = find(tree, path.text)
        if isinstance(found, Lost):
            hint = f"Did you mean `{found.near}`?" if found.near else None
            mends = path_fixes(path, path.text, found)
            problems.add("RS520", _part(path, found), path=path.text, hint=hint, fixes=mends)


def _part(item: Scalar, lost: Lost) -> Span:
    """The part of a path that leads nowhere."""
    if item.content.text != item.text:
        return item.span
    start = item.content.start
    return Span(item.span.file, start + lost.start, max(start + lost.end, start + lost.start + 1))
