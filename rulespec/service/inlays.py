"""What an editor may show between the words of a file: types of `let`, figures of named values, names of positions.

for inlay in inlays(space, "islands/game.yaml", 0, len(text)):
    print(inlay.at, inlay.words)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_span
from rulespec.expr.walk import parts
from rulespec.lower.context import reporting
from rulespec.lower.ir import NO_INTEGER, Const, Ir
from rulespec.lower.parts import lower_part
from rulespec.lower.scope import Scope
from rulespec.lower.watch import watching
from rulespec.model.types import Integer, Type, Unknown, strip
from rulespec.model.world import World
from rulespec.service.game import Declared, Game
from rulespec.service.leaves import Leaf, leaves
from rulespec.service.reading import pairs_of
from rulespec.service.workspace import Workspace
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, parts_of

#: Sections in which `let` stands.
_STEPS = frozenset({"setup", "flow", "end", "actions", "effects", "triggers", "tracks"})
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_VARYING = frozenset({"player_count", "option"})


@dataclass(frozen=True, slots=True)
class Inlay:
    """Words that are shown at an offset; `kind` is `type`, `value` or `parameter`, and `says` tells more of it."""

    at: int
    words: str
    kind: str
    says: str = ""


def inlays(space: Workspace, name: str, start: int, end: int) -> Iterator[Inlay]:
    """What is shown in a stretch of a file, in no order; nothing where the game cannot be read."""
    game, tree = space.game_of(name), space.file(name).tree
    if game is None or tree is None:
        return
    declared = game.declared(game.variants_of(name))
    if declared is None:
        return
    yield from _types(declared, tree, start, end)
    figures = _Figures(game, declared)
    for leaf in leaves(tree, start, end):
        for span in _expressions(leaf):
            e = parse_span(span, Problems()) if span.text.strip() else None
            if e is not None:
                yield from (each for each in figures.of(e) if start <= each.at <= end)


def _expressions(leaf: Leaf) -> Iterator[Span]:
    """The expressions in a value: itself, the placeholders of words for people, what a move says."""
    content = leaf.node.content
    if leaf.is_expression:
        yield content
    elif leaf.is_move:
        first = re.search(r"[ (\[]", content.text)
        if first is not None:
            at = content.start + first.start() + (first.group() == " ")
            yield Span(content.file, at, content.end)
    elif leaf.is_text:
        for found in _BRACES.finditer(content.text):
            if found.group(1) is not None:
                yield Span(content.file, content.start + found.start(1), content.start + found.end(1))


# ---- types of let ----------------------------------------------------------------------------------------------------


def _types(declared: Declared, tree: Mapping, start: int, end: int) -> Iterator[Inlay]:
    for section, node in tree.pairs:
        if section.text not in _STEPS or not _touches(node, start, end):
            continue
        entries = pairs_of(node) if isinstance(node, Mapping) else ()
        held = [(key.text, value) for key, value in entries] or [("", node)]
        for entry, value in held:
            named = dict(_lets(value, start, end)) if _touches(value, start, end) else {}
            if named:
                yield from _types_in(declared, section.text, entry, named)


def _touches(node: Node, start: int, end: int) -> bool:
    return node.span.start <= end and node.span.end >= start


def _lets(node: Node, start: int, end: int) -> Iterator[tuple[tuple[str, int], Scalar]]:
    """The names that `let` gives in a stretch, by the place of what they are."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Mapping):
            name, be = at.get("let"), at.get("be")
            if isinstance(name, Scalar) and be is not None and start <= name.span.end <= end:
                content = be.content if isinstance(be, Scalar) else be.span
                yield (content.file.name, content.start), name
        waiting += parts_of(at)


def _types_in(declared: Declared, section: str, entry: str, named: dict[tuple[str, int], Scalar]) -> Iterator[Inlay]:
    """Lowers one declaration and looks on: of several readings, as in a loop that is copied, the first counts."""
    found: dict[tuple[str, int], Type] = {}

    def watcher(scope: Scope, e: ast.Expr, want: Type | None, made: Ir) -> None:
        found[e.span.file.name, e.span.start] = made.type  # the whole is told after its first part

    with watching(watcher), reporting(declared.context, Problems()), suppress(RecursionError):
        lower_part(declared.context, section, entry)
    for place, name in named.items():
        t = found.get(place)
        if t is not None and not isinstance(t, Unknown):
            yield Inlay(name.content.end, f": {t}", "type")


# ---- figures and positions -------------------------------------------------------------------------------------------


class _Figures:
    """What the named values of a game are, and which of them are others with other players or options."""

    def __init__(self, game: Game, declared: Declared) -> None:
        self._world: World = declared.context.world
        self._most = self._world.player_range[1] if self._world.player_range[0] != self._world.player_range[1] else 0
        nodes = pairs_of(declared.tree.get("values"))
        self._words = {key.text: frozenset(_WORD.findall(node.span.text)) for key, node in nodes}

    def of(self, e: ast.Expr) -> Iterator[Inlay]:
        local = {each.name for part in parts(e) if isinstance(each := getattr(part, "each", None), ast.Each)}
        for part in parts(e):
            if isinstance(part, ast.Name) and part.name not in local:
                yield from self._value(part)
            elif isinstance(part, ast.Index) and isinstance(part.of, ast.Name) and part.of.name not in local:
                yield from self._position(part)
            elif isinstance(part, ast.Call) and isinstance(part.of, ast.Name):
                yield from self._arguments(part)

    def _value(self, e: ast.Name) -> Iterator[Inlay]:
        ir = self._world.values.get(e.name)
        if not isinstance(ir, Const) or not isinstance(strip(ir.type), Integer) or ir.value == NO_INTEGER:
            return
        if self._varies(e.name):
            says = "Other numbers of players, or other options, may make it another figure."
            with_most = f" with {self._most} players" if self._most else " as options start"
            yield Inlay(e.span.end, f"= {ir.value}{with_most}", "value", says)
        else:
            yield Inlay(e.span.end, f"= {ir.value}", "value")

    def _varies(self, name: str) -> bool:
        """Whether a value, or one that it is made of, depends on the number of players or on options."""
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            at = waiting.pop()
            if at in _VARYING:
                return True
            if at not in seen:
                seen.add(at)
                waiting += self._words.get(at, ())
        return False

    def _position(self, e: ast.Index) -> Iterator[Inlay]:
        """The names of the numbers of a site's position, where there are several."""
        assert isinstance(e.of, ast.Name)
        domain = self._world.domains.get(e.of.name)
        if domain is None or len(domain.dims) < 2 or len(domain.dims) != len(e.args):
            return
        for dimension, argument in zip(domain.dims, e.args, strict=True):
            if isinstance(argument, ast.Number):
                yield Inlay(argument.span.start, f"{dimension.name}:", "parameter")

    def _arguments(self, e: ast.Call) -> Iterator[Inlay]:
        """The parameters of numbers and truths that are given to functions and effects."""
        assert isinstance(e.of, ast.Name)
        call = self._world.functions.get(e.of.name) or self._world.effects.get(e.of.name)
        for (param, _), argument in zip(call.params if call is not None else (), e.args, strict=False):
            if isinstance(argument, (ast.Number, ast.Truth, ast.Nothing)):
                yield Inlay(argument.span.start, f"{param}:", "parameter")
