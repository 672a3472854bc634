"""What each word and sign inside the expressions of a file is, for editors that colour them.

for token in tokens(space, "islands/game.yaml"):
    print(token.start, token.end, token.kind)

A name is told by what the game declares under it, and by what its own expression and declaration bind; that is known
without finding types, so that a file is coloured while it is typed. What cannot be parsed is coloured by its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_span
from rulespec.expr.scan import Piece, pieces_of
from rulespec.expr.walk import parts
from rulespec.expr.words import VALUE_WORDS, WORDS
from rulespec.lower.names import BUILTINS
from rulespec.model.world import World
from rulespec.service.leaves import Leaf, leaves
from rulespec.service.reading import pairs_of, texts_of
from rulespec.service.workspace import Workspace
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, parts_of

#: The kinds of tokens, by the names that editors know; their order is part of what is told to an editor.
KINDS = (
    *("variable", "parameter", "property", "enumMember", "enum", "class", "type", "function", "method", "event"),
    *("number", "keyword", "operator"),
)
#: What may be said besides: a constant, and a name of the language itself.
MODIFIERS = ("readonly", "defaultLibrary")

READONLY, DEFAULT = 1, 2

_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_TYPE_WORDS = frozenset({"list", "set", "of", "or", "by", "none"})
_PLAIN_TYPES = frozenset({"integer", "boolean", "effect", "player"})
_BINDING = frozenset({"let", "choose", "for_each", "as", "each"})


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of one line with its kind, one of `KINDS`, and a sum of `READONLY` and `DEFAULT`."""

    start: int
    end: int
    kind: str
    modifiers: int = 0


def tokens(space: Workspace, name: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of a file, or of a stretch of it, in order."""
    game, tree = space.game_of(name), space.file(name).tree
    if game is None or tree is None:
        return
    frame = game.frame(game.variants_of(name))
    reader = _Reader(tree, None if frame is None else frame.context.world)
    last = len(space.text(name)) if end is None else end
    for leaf in leaves(tree, start, last):
        yield from (token for token in reader.of(leaf) if token.start < last and token.end > start)


class _Reader:
    """Reads the values of one file. `_bound` are the names that each declaration's steps bind, and its parameters."""

    def __init__(self, tree: Mapping, world: World | None) -> None:
        self._tree, self._world = tree, world
        self._bound: dict[tuple[str, str], tuple[dict[str, int], frozenset[str]]] = {}

    def of(self, leaf: Leaf) -> Iterator[Token]:
        content = leaf.node.content
        if leaf.is_type:
            yield from self._type(content)
        elif leaf.is_expression or leaf.is_move:
            yield from self._expression(content, leaf)
        elif leaf.is_text:
            for found in _BRACES.finditer(content.text):
                if found.group(1) is not None:
                    at = content.start + found.start(1)
                    inner = Span(content.file, at, content.start + found.end(1))
                    yield from self._expression(inner, leaf)
        elif leaf.refers in _REFERRING:
            yield Token(content.start, content.end, _REFERRING[leaf.refers])

    def _type(self, span: Span) -> Iterator[Token]:
        for piece in pieces_of(span):
            if piece.kind == "word" and piece.text in _TYPE_WORDS:
                yield _token(piece, "keyword")
            elif piece.kind == "word":
                is_own = piece.text in _PLAIN_TYPES or piece.text == "player_count"
                kind = "type" if is_own else self._kind(piece.text) if self._knows(piece.text) else "type"
                yield _token(piece, kind, DEFAULT if is_own else 0)
            else:
                yield from _plain(piece)

    def _expression(self, span: Span, leaf: Leaf) -> Iterator[Token]:
        e = parse_span(span, Problems()) if span.text.strip() else None
        loops = list(_loops(e)) if e is not None else []
        wholes = _sources(e) if e is not None else frozenset()
        before: Piece | None = None
        for piece in pieces_of(span):
            if piece.kind == "member":
                yield self._member(piece, before)
            elif piece.kind == "word" and piece.text in WORDS:
                yield _token(piece, "keyword", DEFAULT if piece.text in VALUE_WORDS else 0)
            elif piece.kind == "word" and piece.span.start in wholes and self._is_kind(piece.text):
                yield _token(piece, self._kind(piece.text))
            elif piece.kind == "word":
                yield self._name(piece, leaf, loops)
            else:
                yield from _plain(piece)
            if piece.text != ".":
                before = piece

    def _member(self, piece: Piece, before: Piece | None) -> Token:
        world = self._world
        if before is not None and before.kind == "word" and world is not None:
            domain = world.domains.get(before.text)
            if domain is not None and piece.text in domain.members:
                return _token(piece, "enumMember", READONLY)
            if before.text == "option":
                return _token(piece, "property", READONLY)
        return _token(piece, "property")

    def _name(self, piece: Piece, leaf: Leaf, loops: list[tuple[str, int, int]]) -> Token:
        word, at = piece.text, piece.span.start
        if any(name == word and first <= at < last for name, first, last in loops):
            return _token(piece, "variable")
        names, params = self._names_of(leaf)
        if word in params:
            return _token(piece, "parameter")
        if names.get(word, at + 1) <= at or word in self._owners(leaf):
            return _token(piece, "variable")
        if word in ("me", "active", "option", "box"):
            return _token(piece, "variable", DEFAULT)
        if self._knows(word):
            kind = self._kind(word)
            constant = self._world is not None and word in self._world.values
            return _token(piece, kind, READONLY if kind == "enumMember" or constant else 0)
        if word in BUILTINS or word in ("nothing", "player_count", "chance"):
            return _token(piece, "function" if word in BUILTINS else "variable", DEFAULT)
        return _token(piece, "variable")

    def _knows(self, word: str) -> bool:
        w = self._world
        if w is None:
            return False
        places = (w.values, w.functions, w.effects, w.zones, w.states, w.domains, w.pieces, w.events, w.members)
        return any(word in place for place in places) or self._is_action(word)

    def _is_kind(self, word: str) -> bool:
        return self._world is not None and (word in self._world.domains or word in self._world.pieces)

    def _is_action(self, word: str) -> bool:
        actions = self._tree.get("actions")
        return isinstance(actions, Mapping) and word in actions

    def _kind(self, word: str) -> str:
        w = self._world
        assert w is not None
        if word in w.values:
            return "variable"
        if word in w.functions:
            return "function"
        if word in w.effects:
            return "method"
        if word in w.zones or word in w.states:
            return "property"
        if word in w.domains:
            return "enum" if w.domains[word].form == "enum" else "class"
        if word in w.pieces:
            return "class"
        if word in w.events:
            return "event"
        return "enumMember" if word in w.members else "method"

    def _names_of(self, leaf: Leaf) -> tuple[dict[str, int], frozenset[str]]:
        """The names that the steps of a declaration bind, each with where it is bound first; and its parameters."""
        key = str(leaf.way[0]), str(leaf.way[1]) if len(leaf.way) > 1 else ""
        if key not in self._bound:
            section = self._tree.get(key[0])
            entry = section.get(key[1]) if isinstance(section, Mapping) else None
            self._bound[key] = _bound_in(section if entry is None else entry, self._world)
        return self._bound[key]

    def _owners(self, leaf: Leaf) -> tuple[str, ...]:
        """The names that a declaration has of itself: `cell` in what is said of cells, `token` where tokens are put."""
        section = leaf.way[0] if leaf.way else ""
        way = [str(step) for step in leaf.way]
        if section == "boards" and len(way) > 2:
            return (way[2],)
        if section in ("pieces", "enums") and len(way) > 1:
            return (way[1],)
        if section == "ranking":
            return ("player",)
        if section not in ("zones", "state", "tracks", "relations") or len(way) < 2:
            return ()
        owner = (way[1].partition(".")[0],) if "." in way[1] else ()
        node = self._tree.get(way[0])
        entry = node.get(way[1]) if isinstance(node, Mapping) else None
        return (*owner, *texts_of(entry.get("holds"))) if isinstance(entry, Mapping) else owner


#: What names in fields are, by what they refer to.
_REFERRING = {
    "actions": "method",
    "domains": "class",
    "events": "event",
    "kinds": "class",
    "kinds_to_choose": "class",
    "labels": "property",
    "pieces": "class",
    "seats": "enumMember",
    "tracks": "property",
    "zones": "property",
}


def _token(piece: Piece, kind: str, modifiers: int = 0) -> Token:
    return Token(piece.span.start, piece.span.end, kind, modifiers)


def _plain(piece: Piece) -> Iterator[Token]:
    """Numbers, and signs other than brackets, commas and dots."""
    if piece.kind == "number":
        yield _token(piece, "number")
    elif piece.kind == "sign" and piece.text not in tuple("()[]{},.;"):
        yield _token(piece, "operator")


def _loops(e: ast.Expr) -> Iterator[tuple[str, int, int]]:
    """The names that closed operators bind, each with the stretch in which it is bound."""
    for part in parts(e):
        if isinstance(part, (ast.Walk, ast.Reach)):
            yield part.name, part.span.start, part.span.end
        each = getattr(part, "each", None)
        if isinstance(part, ast.Expr) and isinstance(each, ast.Each):
            source = each.source.span
            yield each.name, part.span.start, source.start  # what a loop runs over is read outside of it
            yield each.name, source.end, part.span.end


def _sources(e: ast.Expr) -> frozenset[int]:
    """Where the bare names are that closed operators run over: a kind there is all its members, whatever is bound."""
    found = (getattr(part, "each", None) for part in parts(e))
    return frozenset(
        each.source.span.start for each in found if isinstance(each, ast.Each) and isinstance(each.source, ast.Name)
    )


def _bound_in(node: Node | None, world: World | None) -> tuple[dict[str, int], frozenset[str]]:
    """The names that are bound inside a declaration: by steps, with where that is first, and as parameters."""
    names: dict[str, int] = {}
    params: set[str] = set()
    waiting = [node] if node is not None else []
    while waiting:
        at = waiting.pop()
        for key, value in pairs_of(at):
            if key.text == "params":
                params.update(each.text for each, _ in pairs_of(value))
            elif key.text == "emitted" and isinstance(value, Scalar) and world is not None:
                params.update(field for field, _ in world.events.get(value.text, ()))
            elif key.text in ("emptied", "stepped") and isinstance(value, Scalar):
                params.add(value.text.partition(".")[0])
            elif key.text in _BINDING:
                for each in [value] if isinstance(value, Scalar) else [name for name, _ in pairs_of(value)]:
                    names[each.text] = min(names.get(each.text, each.span.end), each.span.end)
        waiting += parts_of(at)
    return names, frozenset(params)
