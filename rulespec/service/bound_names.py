"""Names that a loop of an expression, a `let` or a parameter of a function binds: where each is read, and other names.

They are read in one declaration. What is chosen, and the parameters of effects, are also named by messages, scenarios
and keys of messages: those are not renamed.
"""

from __future__ import annotations

import re

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_span
from rulespec.expr.walk import parts
from rulespec.service.game import Game
from rulespec.service.leaves import leaves
from rulespec.service.occurrences import Index
from rulespec.service.place import place_at
from rulespec.service.symbol_at import local_place, meant_at
from rulespec.service.usage import entries_of
from rulespec.service.workspace import Workspace
from rulespec.source.text import SourceFile, Span


def bound_at(space: Workspace, game: Game, name: str, offset: int) -> tuple[Span, ...] | str:
    """All places of the bound name at an offset, in order; else why it is not renamed, nothing where it is none."""
    text = space.text(name)
    loop = _loop(space, name, offset)
    if loop:
        return loop
    found = _binding(space, game, name, offset)
    if found is None:
        return ""
    word = text[slice(*found)]
    if not _is_renamed(text, found):
        return f"`{word}` is also named by messages, scenarios or keys of messages."
    if _is_let(text, found) and _is_shown(space, game, name, word):
        return f"`{word}` is also named in a message."
    entry = next(each for each in reversed(entries_of(text)) if each.start <= found[0])
    file, places = SourceFile.of(name, text), []
    for each in re.finditer(rf"(?<![A-Za-z0-9_]){word}(?![A-Za-z0-9_])", entry.text):
        start, end = entry.start + each.start(), entry.start + each.end()
        if (start, end) == found or _binding(space, game, name, end) == found:
            places.append(Span(file, start, end))
    return tuple(places)


def _loop(space: Workspace, name: str, offset: int) -> tuple[Span, ...]:
    """The places of the name of a loop in the expression at an offset: where it is bound, and where it is read."""
    tree = space.file(name).tree
    for leaf in leaves(tree, offset, offset) if tree is not None else ():
        content = leaf.node.content
        e = parse_span(content, Problems()) if leaf.is_expression and content.text.strip() else None
        for part in parts(e) if e is not None else ():
            each = getattr(part, "each", None)
            if isinstance(part, ast.Expr) and isinstance(each, ast.Each):
                places = _places_of(part, each)
                if any(span.start <= offset <= span.end for span in places):
                    return places
    return ()


def _places_of(whole: ast.Expr, each: ast.Each) -> tuple[Span, ...]:
    """What a loop runs over is read outside of it."""
    outside = {id(part) for part in parts(each.source)}
    read = [
        part.span
        for part in parts(whole)
        if isinstance(part, ast.Name) and part.name == each.name and id(part) not in outside
    ]
    return tuple(sorted((each.name_span, *read), key=lambda span: span.start))


def is_bound_as(index: Index, text: str, places: tuple[Span, ...], new: str) -> str | None:
    """What has a new name for a bound one already; None where that is free."""
    entry = next(each for each in reversed(entries_of(text)) if each.start <= places[0].start)
    if re.search(rf"(?<![A-Za-z0-9_.]){re.escape(new)}(?![A-Za-z0-9_])", entry.text):
        return "something in this declaration"
    kinds = sorted(each.kind for each in index.declared if each.last == new)
    return f"one of the {kinds[0]}" if kinds else None


def _binding(space: Workspace, game: Game, name: str, offset: int) -> tuple[int, int] | None:
    """Where the name at an offset is bound, if it is one that steps or loops bind."""
    text = space.text(name)
    place = place_at(text, offset)
    if place.way[-1:] == ("let",) or (place.role == "key" and place.way[-1:] == ("params",)):
        return (place.start, place.end) if place.start < place.end else None
    meant = meant_at(space, name, offset)
    if meant is None or meant.symbol is not None:
        return None
    found = local_place(game, name, place, text[meant.start : meant.end])
    if found is None:
        return None
    return found.content.start, found.content.end


def _is_renamed(text: str, found: tuple[int, int]) -> bool:
    place = place_at(text, found[0])
    if place.role == "key":
        return place.way[:1] == ("functions",) and place.way[-1:] == ("params",)
    return _is_let(text, found)


def _is_let(text: str, found: tuple[int, int]) -> bool:
    return place_at(text, found[0]).way[-1:] == ("let",)


def _is_shown(space: Workspace, game: Game, name: str, word: str) -> bool:
    """Whether a message that may see a name of that word says it."""
    seen = any(word in names for names in game.message_names(game.variants_of(name)).values())
    shown = re.compile(rf"\{{[^{{}}]*(?<![A-Za-z0-9_.]){word}(?![A-Za-z0-9_])")
    return seen and any(shown.search(space.text(each)) for each in game.files)
