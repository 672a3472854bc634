"""Names that a loop of an expression binds: where each is read, and other names. They are read in one expression."""

from __future__ import annotations

import re

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_span
from rulespec.expr.walk import loop_of, parts
from rulespec.service.leaves import leaves
from rulespec.service.occurrences import Index
from rulespec.service.step_names import StepNames
from rulespec.service.usage import entries_of
from rulespec.service.workspace import Workspace
from rulespec.source.text import Span


def loop_at(space: Workspace, name: str, offset: int) -> tuple[Span, ...]:
    """The places of the name of a loop in the expression at an offset, in order: where it is bound, and is read."""
    tree = space.file(name).tree
    for leaf in leaves(tree, offset, offset) if tree is not None else ():
        content = leaf.node.content
        e = parse_span(content, Problems()) if leaf.is_expression and content.text.strip() else None
        for part in parts(e) if e is not None else ():
            places = _places_of(part) if isinstance(part, ast.Expr) else ()
            if any(span.start <= offset <= span.end for span in places):
                return places
    return ()


def _places_of(loop: ast.Expr) -> tuple[Span, ...]:
    bound, inside, _ = loop_of(loop)
    if bound is None:
        return ()
    each = getattr(loop, "each", loop)
    assert isinstance(each, (ast.Each, ast.Walk, ast.Reach))
    read = [part.span for inner in inside for part in parts(inner) if isinstance(part, ast.Name) and part.name == bound]
    return tuple(sorted((each.name_span, *read), key=lambda span: span.start))


def taken_around(index: Index, text: str, places: tuple[Span, ...], new: str) -> str | None:
    """What has a new name for that of a loop already; None where that is free."""
    entry = next(each for each in reversed(entries_of(text)) if each.start <= places[0].start)
    if re.search(rf"(?<![A-Za-z0-9_.]){re.escape(new)}(?![A-Za-z0-9_])", entry.text):
        return "something in this declaration"
    loop = {(word.span.file.name, word.span.start): word.owner for word in index.free}
    owner = loop.get((places[0].file.name, places[0].start))
    # what variants change stands elsewhere, and reads the names of what they change
    if owner is not None and any(new in index.said.get(each, ()) for each in StepNames(index).around((owner,))):
        return "something in this declaration"
    kinds = sorted(each.kind for each in index.declared if each.last == new)
    return f"one of the {kinds[0]}" if kinds else None
