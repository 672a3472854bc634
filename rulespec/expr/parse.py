"""Parsing expressions and types where they stand.

Lark reads a slice of the file's own text, so that every place is the file's:

    problems = Problems()
    tree = read_yaml(SourceFile.of("game.yaml", "total: coins + 1"), problems)
    expression = parse_expression(tree.get("total"), problems)

The parser and its tables are made once in a process, and the tables are kept in the user's cache folder; so is what was
read of good texts, where `keep_readings` is called.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.kept import KeptReadings
from rulespec.expr.moved import moved
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from lark import Lark

    from rulespec.expr.build import Builder

MAX_DEPTH = 64  #: nested operators and brackets of one expression
MAX_LENGTH = 4_000  #: characters of one expression
MOST_KEPT, MOST_KEPT_LENGTH = 5_000, 200  #: texts that were read and are kept, and characters of one

#: The file of what is kept.
_NOWHERE = SourceFile.of("", "")

_OPENING = {"(": 1, "[": 1, ")": -1, "]": -1}


def parse_expression(node: Node, problems: Problems) -> ast.Expr | None:
    """The expression that a scalar or a list of expressions says; None when it is faulty, which is then reported."""
    match node:
        case Scalar():
            return _parse_scalar(node, "expr", problems)
        case Sequence():
            items = [parse_expression(item, problems) for item in node.items]
            good = tuple(item for item in items if item is not None)
            return ast.ListOf(span=node.span, items=good) if len(good) == len(items) else None
        case _:
            problems.add("RS200", _first_line(node.span), expected="an expression", found=_found(node))
            return None


def parse_type(node: Node, problems: Problems) -> ast.Expr | None:
    """The type that a scalar says; None when it is faulty, which is then reported."""
    if isinstance(node, Scalar) and not isinstance(node.value, (bool, int)):
        return _parse_scalar(node, "type", problems)
    problems.add("RS200", _first_line(node.span), expected="a type", found=_found(node))
    return None


def parse_text(text: str, problems: Problems, name: str = "<expression>") -> ast.Expr | None:
    """The expression in a text that stands in no file, such as one typed at a prompt."""
    file = SourceFile.of(name, text)
    return parse_span(Span(file, 0, len(text)), problems)


def parse_span(span: Span, problems: Problems, *, start: str = "expr") -> ast.Expr | None:
    """The expression (with `start="type"`: the type) that stands at `span`, such as a placeholder in a message."""
    if not span.text.strip():
        _report_empty(span, start, problems)
        return None
    return _run(span, start, problems) if _is_within_bounds(span, problems) else None


def _parse_scalar(node: Scalar, start: str, problems: Problems) -> ast.Expr | None:
    value = node.value
    if isinstance(value, bool):
        return ast.Truth(span=node.span, value=value)
    if isinstance(value, int):
        number = ast.Number(span=node.span, value=abs(value))
        return ast.Negative(span=node.span, of=number) if value < 0 else number
    if node.style == "double":
        backslash = node.content.text.find("\\")
        if backslash >= 0:
            at = node.content.start + backslash
            from rulespec.expr.mends import without_escape  # here, since good content never needs it

            span = Span(node.span.file, at, at + 2)
            problems.add("RS218", span, escape=span.text, fixes=without_escape(span))
            return None
    if not node.content.text.strip():
        _report_empty(node.span, start, problems)
        return None
    return parse_span(node.content, problems, start=start)


def _report_empty(span: Span, start: str, problems: Problems) -> None:
    problems.add("RS201", _first_line(span), expected="A type" if start == "type" else "An expression")


def _is_within_bounds(span: Span, problems: Problems) -> bool:
    """A cheap look at length and brackets before anything is built."""
    if span.end - span.start > MAX_LENGTH:
        problems.add("RS217", _first_line(span), limit=f"{MAX_LENGTH:,}")
        return False
    depth = 0
    for offset, character in enumerate(span.text, span.start):
        depth += _OPENING.get(character, 0)
        if depth > MAX_DEPTH:
            problems.add("RS216", Span(span.file, offset, offset + 1), limit=MAX_DEPTH)
            return False
    return True


def _run(span: Span, start: str, problems: Problems) -> ast.Expr | None:
    reader = shared_reader()
    with reader.lock:
        known = reader.known.get((start, span.text))
        if known is not None:
            return moved(known, span.file, span.start)
        kept = reader.kept.get(start, span)
        if kept is not None:
            return kept
        from lark.exceptions import UnexpectedInput  # here, since what is kept needs no parser

        reader.builder.begin(span)
        try:
            # not as a part of the file: Lark would count its lines for each expression anew
            tree = reader.lark.parse(span.text, start=start)
        except UnexpectedInput as error:
            from rulespec.expr.mistakes import report_mistake  # here, since good content never needs it

            report_mistake(span, start, error, problems)
            return None
        too_large, made = reader.builder.too_large, reader.builder.made
    for place in too_large:
        from rulespec.expr.build import LARGEST_NUMBER  # here, as Lark

        problems.add("RS219", place, number=place.text, limit=f"{LARGEST_NUMBER:,}")
    if too_large or (made > MAX_DEPTH and _is_too_deep(tree, problems)):
        return None
    with reader.lock:
        reader.note(start, span, tree)  # type: ignore[arg-type]
    return tree  # type: ignore[return-value]  # Lark's stub says Tree; the builder makes expressions


def _is_too_deep(root: Any, problems: Problems) -> bool:
    """Whether operators are nested beyond the limit; walked without recursion, since the tree may be very deep."""
    waiting: list[tuple[Any, int]] = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MAX_DEPTH:
            problems.add("RS216", _first_line(node.span), limit=MAX_DEPTH)
            return True
        waiting.extend((child, depth + 1) for child in _children(node))
    return False


def _children(node: Any) -> list[Any]:
    """The expressions directly inside `node`."""
    found: list[Any] = []
    for field in fields(node):
        value = getattr(node, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, ast.Expr):
                found.append(part)
            elif isinstance(part, ast.Each):
                found.extend(_children(part))
    return found


# ---- the parser itself ------------------------------------------------------------------------------


class Reader:
    """The Lark parser with its builder. The lock is needed since the builder holds the file being read.

    The parser is made when there is something to be read that is not kept.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        #: good expressions and types by what they begin with in the grammar, and by their texts
        self.known: dict[tuple[str, str], ast.Expr] = {}
        self.kept = KeptReadings()  #: those that earlier processes have read

    @cached_property
    def builder(self) -> Builder:
        """What makes expressions of what the parser reads."""
        from rulespec.expr.build import Builder

        return Builder()

    @cached_property
    def lark(self) -> Lark:
        """The parser."""
        from rulespec.expr.tables import make_lark

        return make_lark(grammar_text(), self.builder)

    def note(self, start: str, span: Span, found: ast.Expr) -> None:
        """Keeps what was read, so that the same text need not be read again at another place, and not the file."""
        if len(span.text) > MOST_KEPT_LENGTH:
            return
        if len(self.known) >= MOST_KEPT:
            self.known.clear()
        self.known[start, span.text] = moved(found, _NOWHERE, -span.start)


@cache
def shared_reader() -> Reader:
    """The parser of this process."""
    return Reader()


def keep_readings() -> None:
    """Keeps the good texts that this process has read for those that come after it."""
    reader = shared_reader()
    with reader.lock:
        reader.kept.write(reader.known)


def grammar_text() -> str:
    """The grammar file, for the reference page."""
    return Path(__file__).with_name("expr.lark").read_text(encoding="utf-8")


def _found(node: Node) -> str:
    match node:
        case Mapping():
            return "a map"
        case Sequence():
            return "a list"
        case _:
            return f"'{node.span.text}'"


def _first_line(span: Span) -> Span:
    line_end = span.file.text.find("\n", span.start, span.end)
    return span if line_end < 0 else Span(span.file, span.start, line_end)
