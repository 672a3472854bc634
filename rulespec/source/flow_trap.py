"""The trap of YAML's flow style: inside `{ }` and `[ ]` a comma, or a `[`, ends an unquoted value.

`{amount: count(b in block where near(me, b))}` is two keys to YAML: `amount` with half an expression, and `b))` with
nothing. Such a cut is reported once, and the pieces are joined again where that gives balanced brackets, so that the
rest of the file is checked as it was meant.
"""

from __future__ import annotations

from rulespec.diagnostics.fixes import in_quotes
from rulespec.diagnostics.model import Problems
from rulespec.source.disguises import report_strange, strange_in
from rulespec.source.text import Span
from rulespec.source.tree import Broken, Node, Scalar

Pair = tuple[Node, Node]

_QUOTES = "A text with a comma in it, or one that begins with a brace, stands in quotes."

#: How many parts of a cut key are looked for.
_FARTHEST = 8


def mend_items(items: list[Node], problems: Problems) -> list[Node]:
    """The items of a flow list, with values that were cut at a comma reported and joined."""
    mended: list[Node] = []
    at = 0
    while at < len(items):
        item, at = items[at], at + 1
        if _opens_flow(item):
            item, at = _join(item, items, at, problems)
        mended.append(item)
    return mended


def mend_pairs(pairs: list[Pair], problems: Problems) -> list[Pair]:
    """The pairs of a flow map; a cut value is reported and joined with the keys without value that it left behind."""
    mended: list[Pair] = []
    at = 0
    while at < len(pairs):
        (key, value), at = pairs[at], at + 1
        if _opens_flow(value):
            value, used = _join(value, _leading_bare_keys(pairs, at), 0, problems)
            at += used
        elif _is_empty(value) or _opens_flow(key):
            _report_bare_key(key, problems)
            at += _leftovers(pairs, at) if _opens_flow(key) else 0
            value = Broken(key.span)
        mended.append((key, value))
    return mended


def _join(first: Node, rest: list[Node], at: int, problems: Problems) -> tuple[Node, int]:
    """`first` joined with as many of `rest` (from `at`) as close its brackets; and where to go on.

    Where they are never closed, all that might have belonged to it is passed over: one problem is enough.
    """
    file = first.span.file
    open_brackets = _balance(first.span.text)
    while at < len(rest) and _is_plain(rest[at]):
        open_brackets += _balance(rest[at].span.text)
        at += 1
        if open_brackets <= 0:
            whole = Span(file, first.span.start, rest[at - 1].span.end)
            problems.add("RS120", whole, text=whole.text, fixes=(in_quotes(whole),))
            return Scalar(whole, " ".join(whole.text.split()), "plain", whole.text, whole), at
    problems.add("RS120", first.span, text=first.span.text)
    return Broken(first.span), at


def _report_bare_key(key: Node, problems: Problems) -> None:
    if (strange := strange_in(key.span)) is not None and _is_plain(key):
        report_strange(key.span.file, strange, problems)
    elif _opens_flow(key):
        problems.add("RS120", key.span, text=key.span.text)
    else:
        problems.add("RS119", key.span, key=key.span.text, hint=_QUOTES)


def _leading_bare_keys(pairs: list[Pair], at: int) -> list[Node]:
    bare: list[Node] = []
    while at < len(pairs) and _is_empty(pairs[at][1]):
        bare.append(pairs[at][0])
        at += 1
    return bare


def _leftovers(pairs: list[Pair], at: int) -> int:
    """How many pairs from `at` on are the rest of a cut key: up to the one whose key closes its bracket."""
    for number, (key, _) in enumerate(pairs[at : at + _FARTHEST], 1):
        if _is_plain(key) and _balance(key.span.text) < 0:
            return number
    return 0


def _balance(text: str) -> int:
    return text.count("(") - text.count(")")


def _is_plain(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain"


def _opens_flow(node: Node) -> bool:
    return _is_plain(node) and _balance(node.span.text) > 0


def _is_empty(node: Node) -> bool:
    return _is_plain(node) and node.span.start == node.span.end
