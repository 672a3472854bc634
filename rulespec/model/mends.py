"""Fixes of the form of declarations: steps that were begun wrongly, single values in another form than is wanted."""

from __future__ import annotations

import re

from rulespec.diagnostics.fixes import Edit, Fix, in_quotes, replaced
from rulespec.model.shapes import NAME, Boolean, Integer, ListOf, Shape, Text, Type, Use
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar

#: What other formats call the two values of a boolean.
WORDS_OF_TRUTH = {"yes": "true", "on": "true", "no": "false", "off": "false", "True": "true", "False": "false"}
_IN_BRACKETS = frozenset(",[]{}#:\"'\n")


def without_dash(key: Scalar) -> tuple[Fix, ...]:
    """A step that belongs to the one above without the dash before it."""
    before = _before(key, 2)
    return () if before.text != "- " else (replaced(before, "  ", "Take the `- ` away"),)


def with_dash(key: Scalar) -> tuple[Fix, ...]:
    """A second verb as the beginning of a new step."""
    before = _before(key, 2)
    start = key.span.file.line_starts[key.span.line - 1]
    is_first = not key.span.file.text[start : key.span.start].strip()
    return (replaced(before, "- ", "Begin a new step"),) if before.text == "  " and is_first else ()


def _before(key: Scalar, length: int) -> Span:
    return Span(key.span.file, max(0, key.span.start - length), key.span.start)


def in_shape(shape: Shape, node: Node) -> tuple[Fix, ...]:
    """What is there in the shape that is wanted, where that is plain."""
    match shape, node:
        case (Type(least=least), Scalar(value=int())) if not isinstance(node.value, bool):
            return (replaced(node.span, f"{least}..{node.text}", is_certain=False),)
        case (Text() | Type(), Scalar(style="plain")):
            return (in_quotes(node.span),)
        case (Integer(), Scalar(style="single" | "double")) if re.fullmatch(r"-?[0-9]{1,9}", node.text):
            return (replaced(node.span, node.text, "Write it without quotes"),)
        case (Boolean(), Scalar(style="single" | "double")) if node.text in ("true", "false"):
            return (replaced(node.span, node.text, "Write it without quotes"),)
        case (Boolean(), Scalar(style="plain")) if node.text in WORDS_OF_TRUTH:
            return (replaced(node.span, WORDS_OF_TRUTH[node.text]),)
        case (ListOf(item=Use(record="step")), Mapping()):
            return _as_step(node)
        case (ListOf(item=Use(record="step")), Scalar(style="plain")):
            is_name = isinstance(node.value, str) and re.fullmatch(NAME, node.text) is not None
            return (replaced(node.span, f"[{{perform: {node.text}}}]", is_certain=False),) if is_name else ()
        case (ListOf(item=Use()), Scalar()):
            return ()
        case (ListOf(), Scalar(style="plain")) if not _IN_BRACKETS & {*node.span.text}:
            return (replaced(node.span, f"[{node.span.text}]", "Write it as a list"),)
        case _:
            return ()


def _as_step(node: Mapping) -> tuple[Fix, ...]:
    """A single step as a list of one: in brackets, or with a dash before it and all of it two blanks further right."""
    file, span = node.span.file, node.span
    title = "Put `- ` before the step"
    if file.text[span.start : span.start + 1] == "{":
        edits = [Edit(Span(file, span.start, span.start), "["), Edit(Span(file, span.end, span.end), "]")]
        return (Fix("Write it as a list", tuple(edits)),)
    edits = [Edit(Span(file, span.start, span.start), "- ")]
    last = file.line_and_column(span.end)[0]
    for line in range(span.line + 1, last + 1):
        at = file.line_starts[line - 1]
        if at < span.end and file.line_text(line).strip():
            edits.append(Edit(Span(file, at, at), "  "))
    return (Fix(title, tuple(edits)),)
