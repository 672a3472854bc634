"""The names inside texts that are no expressions: keys of messages, paths, types, and options of scenarios."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulespec.expr import ast
from rulespec.expr.walk import parts
from rulespec.expr.words import WORDS
from rulespec.source.text import Span
from rulespec.source.tree import Scalar

_WORD = re.compile(r"(\.?)\b([a-z][a-z0-9_]*)")

#: The last parts of keys that say what a message is for.
_SAID: Final = frozenset({"prompt", "option", "accept", "decline", "stop", "log"})
#: First parts of keys, with what the next part names.
_HEADS: Final = {"event": "event", "score": "reason", "rule": "label", "board": "board", "option": "option"}
#: First parts of keys that no step, choice or action gives.
HEADS: Final = frozenset({"engine", "drawn", "zone", "state", *_HEADS})

#: A name in a text: its place, its role, and for a role `of` what it belongs to.
Part = tuple[Span, str, str]


def within(node: Scalar, start: int, end: int) -> Span:
    """A stretch of a value, where it stands in the file: its text has no escapes."""
    base = node.content.start
    return Span(node.span.file, base + start, base + end)


def is_plain(node: Scalar) -> bool:
    """Whether each character of a value stands in the file as it is."""
    return node.content.text == node.text


def words_of(node: Scalar) -> Iterator[Part]:
    """The names in the key of an option, or in a type: bare ones, and those behind a dot.

    What stands in the brackets of a piece belongs to that kind, and what stands behind a name may belong to it.
    """
    before, around, at = "", [""], 0
    for found in _WORD.finditer(node.text):
        for mark in node.text[at : found.start()]:
            if mark in "([":
                around.append(before)
            elif mark in ")]" and len(around) > 1:
                around.pop()
        if found[1] or found[2] not in WORDS:
            place = within(node, found.start(2), found.end(2))
            yield place, "dot" if found[1] else "name", around[-1] or before
        before, at = found[2], found.end()


def key_parts(node: Scalar) -> Iterator[Part]:
    """The names that the key of a message is made of."""
    names = node.text.split(".")
    places: list[Span] = []
    at = 0
    for name in names:
        places.append(within(node, at, at + len(name)))
        at += len(name) + 1
    yield from _of_key(names, places)


def _of_key(names: list[str], places: list[Span]) -> Iterator[Part]:
    if len(names) < 2:
        yield from ((place, "owner", "") for place in places)
    elif names[-1] in _SAID:
        yield places[0], "asks", ""
        yield from ((place, "choice", "") for place in places[1:-1])
    elif names[0] == "drawn":
        yield from _of_key(names[1:], places[1:])
    elif names[0] == "option":
        yield places[1], "option", ""
        yield from ((place, "value", names[1]) for place in places[2:])
    elif names[0] in ("zone", "state"):
        yield from _of_state(names[1:], places[1:])
    elif names[0] in _HEADS:
        yield places[1], _HEADS[names[0]], ""
    else:
        yield places[0], "owner", ""
        if names[1] not in ("name", "back"):
            yield places[1], "of", names[0]


def _of_state(names: list[str], places: list[Span]) -> Iterator[Part]:
    if len(names) > 1:
        yield places[0], "owner", ""
        yield places[1], "cell", names[0]
    else:
        yield places[0], "owner", ""


def dotted_parts(node: Scalar) -> Iterator[Part]:
    """The two names of a key such as `cell.token`; of a bare one itself."""
    names = node.text.split(".")
    ends = len(names[0])
    yield from _of_state(names, [within(node, 0, ends), within(node, ends + 1, len(node.text))][: len(names)])


def expression_parts(e: ast.Expr, *, event: bool = False) -> Iterator[tuple[Span, str, str, ast.Expr | None]]:
    """The names in an expression: place, role, the kind that it is an argument of, and the part that it names."""
    heads = {id(e.of if isinstance(e, ast.Call) else e)} if event else set()
    within_call: dict[int, str] = {}
    sources: set[int] = set()
    for part in parts(e):
        if isinstance(part, ast.Call) and isinstance(part.of, ast.Name):
            within_call |= {id(each): part.of.name for each in part.args}
        if isinstance(part, ast.Each):
            sources.add(id(part.source))
        if isinstance(part, ast.Name):
            role = "event" if id(part) in heads else "source" if id(part) in sources else "name"
            is_label = within_call.get(id(part)) == "waived"
            yield part.span, "label" if is_label else role, within_call.get(id(part), ""), part
        elif isinstance(part, ast.Get):
            yield part.name_span, "dot", "", part
        elif isinstance(part, ast.Without):
            yield part.label_span, "label", "", None
        elif isinstance(part, (ast.Each, ast.Walk, ast.Reach)):
            yield part.name_span, "binds", "", None
