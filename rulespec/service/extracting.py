"""Giving a name to what stands in an expression: a figure becomes a named value, an expression a function.

    for offer in extractions(space, "islands/game.yaml", start, end):
        offer.title, offer.edits

The name is made of the declaration and the key around it, and is no word of the game yet: a rename makes it better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rulespec.diagnostics.fixes import Edit, quoted
from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_span
from rulespec.expr.walk import names_in, parts
from rulespec.model.registry.names import BUILTIN_NAMES, GRAMMAR_WORDS
from rulespec.model.types import Boolean, Integer, ListType, Member, Optional, Piece, SetType, Type
from rulespec.service.game import Game
from rulespec.service.leaves import Leaf, leaves
from rulespec.service.place import place_at
from rulespec.service.reading import pairs_of
from rulespec.service.scopes import PLAYED, Seen, looked_at, site_at
from rulespec.service.workspace import Workspace
from rulespec.source.entries import added_entry, added_section, in_flow
from rulespec.source.taking_out import line_break
from rulespec.source.text import SourceFile

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLAIN: Final = re.compile(r"(?!.*(?:: | #))[a-z(].*")  #: what needs no quotes in a line
#: Where a function can be called: what is read before play cannot call all of them.
_CALLING: Final = frozenset({*PLAYED, "functions", "checks"})
#: What is a name already, or one word.
_SINGLE: Final = (ast.Name, ast.Number, ast.Truth, ast.Nothing, ast.ListOf)


@dataclass(frozen=True, slots=True)
class Extraction:
    """A new name for what stands at a place, with all edits."""

    title: str
    name: str
    edits: tuple[Edit, ...]


def extractions(space: Workspace, name: str, start: int, end: int) -> Iterator[Extraction]:
    """What can be given a name in a stretch of a file: a figure, an expression that is selected, or all of one."""
    game, tree = space.game_of(name), space.file(name).tree
    if game is None or tree is None or start > end:
        return
    for leaf in leaves(tree, start, end):
        content = leaf.node.content
        if leaf.is_expression and content.start <= start and end <= content.end and content.text.strip():
            e = parse_span(content, Problems())
            if e is not None:
                yield from _figure(game, name, leaf, e, start, end)
                yield from _expression(game, name, leaf, e, start, end)


def _covering(e: ast.Expr, start: int, end: int) -> ast.Expr | None:
    """The smallest part of an expression around a stretch."""
    around = [p for p in parts(e) if isinstance(p, ast.Expr) and p.span.start <= start and end <= p.span.end]
    return min(around, key=lambda part: part.span.end - part.span.start, default=None)


# ---- a figure --------------------------------------------------------------------------------------------------------


def _figure(game: Game, name: str, leaf: Leaf, e: ast.Expr, start: int, end: int) -> Iterator[Extraction]:
    found = _covering(e, start, end)
    way = leaf.way
    if not isinstance(found, ast.Number) or way[:1] == ("scenarios",) or (way[:1] == ("values",) and found is e):
        return
    new = _new_name(game, way, "value")
    entry = _Entry("values", new, f"{new}: {found.value}", (f"{new}: {found.value}",))
    edits = (Edit(found.span, new), _placed(game, name, entry))
    yield Extraction(f"Make {found.value} the named value `{new}`", new, edits)


# ---- an expression ---------------------------------------------------------------------------------------------------


def _expression(game: Game, name: str, leaf: Leaf, e: ast.Expr, start: int, end: int) -> Iterator[Extraction]:
    found = e if start == end else _covering(e, start, end)
    if found is None or isinstance(found, _SINGLE) or leaf.way[:1] == () or leaf.way[0] not in _CALLING:
        return
    site = site_at(game, name, place_at(leaf.node.span.file.text, leaf.node.content.start))
    seen = None if site is None else looked_at(site, e).get(id(found))
    params = None if seen is None else _params(seen, found)
    if seen is None or params is None or not _is_written(seen.made.type):
        return
    new = _new_name(game, leaf.way, "of")
    call = ", ".join(params)
    body = _body(found, params)
    heads = {param.name: str(param.type) for param in params.values()}
    edits = (
        Edit(found.span, f"{new}({call})" if params else new),
        _placed(game, name, _function(new, heads, str(seen.made.type), body)),
    )
    yield Extraction(f"Make it the function `{new}`", new, edits)


@dataclass(frozen=True, slots=True)
class _Param:
    name: str
    type: Type


def _params(seen: Seen, e: ast.Expr) -> dict[str, _Param] | None:
    """The parameters of a function, by what stands for them where it is called; None where it cannot be one."""
    scope, used = seen.scope, names_in(e)
    if scope.constant or "active" in used or any(part in scope.narrowed for part in parts(e)):
        return None  # what is known around it would not be known in the function
    found = {n: _Param(n, ir.type) for n, ir in scope.names.items() if n in used}
    if "me" in used and scope.me is not None:
        name = next(each for each in ("p", "who", "seat_of_me") if not scope.is_taken(each) and each not in used)
        found["me"] = _Param(name, scope.me.type)
    return found if all(_is_written(param.type) for param in found.values()) else None


def _is_written(t: Type) -> bool:
    """Whether a type can be written as it prints, of a parameter and of what a function gives."""
    if isinstance(t, (Optional, ListType, SetType)):
        return _is_written(t.of)
    if isinstance(t, Member):  # the faces of pieces are a type that nobody writes
        return _WORD.fullmatch(t.domain) is not None
    return isinstance(t, (Boolean, Integer, Piece))


def _body(e: ast.Expr, params: dict[str, _Param]) -> str:
    """The expression with the parameter in the place of `me`, on one line."""
    text = e.span.text
    own = [part.span for part in parts(e) if isinstance(part, ast.Name) and part.name == "me" and "me" in params]
    for span in sorted(own, key=lambda each: -each.start):
        text = text[: span.start - e.span.start] + params["me"].name + text[span.end - e.span.start :]
    return " ".join(text.split())


# ---- names and places ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    """A declaration to be added to a section: on one line, and as lines."""

    section: str
    name: str
    flow: str
    lines: tuple[str, ...]


def _function(name: str, params: dict[str, str], of: str, body: str) -> _Entry:
    heads = "{" + ", ".join(f"{param}: {t}" for param, t in params.items()) + "}"
    held = [*([f"params: {heads}"] if params else []), f"type: {of}"]
    lines = (f"{name}:", *(f"  {each}" for each in held), f"  is: {body if _PLAIN.fullmatch(body) else quoted(body)}")
    return _Entry("functions", name, f"{name}: {{{', '.join([*held, f'is: {quoted(body)}'])}}}", lines)


def _new_name(game: Game, way: tuple[str | int, ...], kind: str) -> str:
    """A name of the declaration and the key around a place that no word of the game is."""
    words = [str(step).rpartition(".")[2] for step in way if isinstance(step, str)]
    ends = [words[1] if len(words) > 1 else words[0], words[-1] if words[-1] not in ("is", "be", "do") else kind]
    base = "_".join(dict.fromkeys(word for word in ends if _WORD.fullmatch(word))) or kind
    taken = {word for name in game.files for word in _WORD.findall(game.space.text(name))}
    taken |= BUILTIN_NAMES | GRAMMAR_WORDS
    if base not in taken and "_" in base:
        return base
    return next(
        new for number in range(1, 10_000) if (new := f"{base}_{kind}" + f"_{number}" * (number > 1)) not in taken
    )


def _placed(game: Game, name: str, entry: _Entry) -> Edit:
    """Where a declaration goes: behind the others of its section, in the same file where that has some."""
    space = game.space
    file = SourceFile.of(name, space.text(name))
    others = [each for each in game.files if each != name and space.file(each).variant is None]
    for each in [name] if space.file(name).variant is not None else [name, *others]:
        tree = space.file(each).tree
        pairs = () if tree is None else pairs_of(tree.get(entry.section))
        if pairs:
            key = pairs[-1][0]
            indent = " " * (key.span.column - 1)
            joint = line_break(key.span.file) + indent
            return added_entry(pairs[-1], entry.flow if in_flow(key) else joint.join(entry.lines))
    return added_section(file, entry.section, f"{line_break(file)}  ".join(entry.lines))
