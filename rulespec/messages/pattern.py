"""A message's text: literal stretches and placeholders, read where it stands in its file.

    "{me} pays {cost(site)} coins."   ->   (place me), " pays ", (place cost(site)), " coins."

Doubled braces stand for themselves. Placeholders are parsed out of the file's own text, so that every place is
the file's in all five scalar styles; the stretches between them are taken from the value, after YAML's escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.mends import without_escape
from rulespec.expr.parse import parse_span
from rulespec.source.nodes import Mapping, Node, Scalar
from rulespec.source.text import Span

_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")

#: What stands among the languages of a message and is none.
NOT_LANGUAGES = frozenset({"select", "note", "suppress", "about", "source", "parent"})


@dataclass(frozen=True, slots=True)
class Place:
    """A placeholder. `span` is the stretch between the braces."""

    expression: ast.Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """One text: what stands in it, in order. `whole` is False where a placeholder was faulty and is left out."""

    parts: tuple[str | Place, ...]
    span: Span
    whole: bool = True

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(part for part in self.parts if isinstance(part, Place))


@dataclass(frozen=True, slots=True)
class Variants:
    """A message in one language: texts by exact number or plural category. `node` is what stands in the file."""

    texts: dict[int | str, Text]
    node: Node
    by_number: bool


def read_words(node: Scalar, problems: Problems) -> Text:
    """The parts of a text; what is wrong with it is reported."""
    places = list(_places(node, problems))
    literals = _literals(node.text)
    whole = None not in places
    if len(literals) != len(places) + 1:
        if whole and not _has_fault(node.text):
            problems.add("RS503", node.span)
        return Text((node.text,), node.span, whole=False)
    parts: list[str | Place] = []
    for literal, place in zip(literals, [*places, None], strict=True):
        parts += [literal] if literal else []
        parts += [place] if place is not None else []
    return Text(tuple(parts), node.span, whole)


def _places(node: Scalar, problems: Problems) -> Iterator[Place | None]:
    """The placeholders in the file's own text; None for a faulty one."""
    base, raw, file = node.content.start, node.content.text, node.span.file
    for match in _BRACES.finditer(raw):
        if match[1] is not None:
            yield _place(node, Span(file, base + match.start(1), base + match.end(1)), problems)
        elif match[0] in ("{", "}"):  # what follows cannot be told apart
            code = "RS501" if match[0] == "{" else "RS502"
            problems.add(code, Span(file, base + match.start(), base + match.end()))
            yield None
            return


def _place(node: Scalar, span: Span, problems: Problems) -> Place | None:
    slash = span.text.find("\\") if node.style == "double" else -1
    if slash >= 0:
        at = span.start + slash
        escape = Span(span.file, at, at + 2)
        problems.add("RS218", escape, escape=escape.text, fixes=without_escape(escape))
        return None
    if not span.text.strip():
        problems.add("RS504", Span(span.file, span.start - 1, span.end + 1))
        return None
    expression = parse_span(span, problems)
    return None if expression is None else Place(expression, span)


def _literals(value: str) -> list[str]:
    """The stretches around the placeholders of a value, doubled braces made single; one more than placeholders."""
    found, at = [""], 0
    for match in _BRACES.finditer(value):
        found[-1] += value[at : match.start()]
        at = match.end()
        if match[1] is not None:
            found.append("")
        elif len(match[0]) == 2:
            found[-1] += match[0][0]
    found[-1] += value[at:]
    return found


def _has_fault(value: str) -> bool:
    return any(match[0] in ("{", "}") for match in _BRACES.finditer(value))


def read_variants(node: Node, problems: Problems) -> Variants:
    """The texts of a message in one language."""
    if isinstance(node, Scalar):
        return Variants({"other": read_words(node, problems)}, node, by_number=False)
    texts: dict[int | str, Text] = {}
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        if isinstance(value, Scalar):
            texts[int(key.text) if key.text.isdigit() else key.text] = read_words(value, problems)
    return Variants(texts, node, by_number=True)


def languages(message: Mapping) -> list[tuple[Scalar, Node]]:
    """The languages of a message, each with its text or texts."""
    return [(key, value) for key, value in message.pairs if key.text not in NOT_LANGUAGES]
