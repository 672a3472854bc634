"""The names in a file that lead to other places: rules and declarations that are bound, scenarios, books, files."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.overlay.paths import Found, find
from rulespec.service.game import Game
from rulespec.service.leaves import Leaf, leaves
from rulespec.service.symbol_at import SECTIONS, declarations
from rulespec.service.symbols import Symbol
from rulespec.service.workspace import Workspace
from rulespec.source.text import Span
from rulespec.source.tree import Mapping

_SCHEMA = re.compile(r"^#[ \t]*yaml-language-server:[ \t]*\$schema=(\S+)", re.MULTILINE)
_ADDRESS = re.compile(r"\bhttps?://[^\s\"'<>{}|\\^`\[\]]*[^\s\"'<>{}|\\^`\[\].,;:!?)]")

#: What a name in a field leads to: names that are read as words stand for a place elsewhere.
_LEADING = frozenset({"paths", "rules", "rulebooks", "scenarios", "variants"})


@dataclass(frozen=True, slots=True)
class Link:
    """A stretch of a file that leads to a place in a game, or to an address or a path (`file`)."""

    start: int
    end: int
    to: Span | None = None
    file: str = ""
    says: str = ""


def links(space: Workspace, name: str) -> Iterator[Link]:
    """All links of a file, in its order; those to what is not there are left out."""
    text, game, tree = space.text(name), space.game_of(name), space.file(name).tree
    if game is None:
        return
    schemas = list(_SCHEMA.finditer(text))
    for found in schemas:
        to = found.group(1)
        is_address = "://" in to
        path = to if is_address or posixpath.isabs(to) else posixpath.join(posixpath.dirname(name), to)
        yield Link(found.start(1), found.end(1), file=path if is_address else posixpath.normpath(path), says="schema")
    starts = [schema.start(1) for schema in schemas]
    for found in _ADDRESS.finditer(text):
        before = bisect_right(starts, found.start())
        if not before or schemas[before - 1].end(1) <= found.start():
            yield Link(found.start(), found.end(), file=found.group())
    if tree is not None:
        declared, whole = _declared(game), game.tree(game.variants_of(name))
        for leaf in leaves(tree):
            if leaf.refers in _LEADING:
                yield from _link(leaf, declared, whole)


def _declared(game: Game) -> dict[Symbol, Span]:
    found: dict[Symbol, Span] = {}
    for each in declarations(game):
        found.setdefault(each.symbol, each.key.content)
    return found


def _link(leaf: Leaf, declared: dict[Symbol, Span], tree: Mapping | None) -> Iterator[Link]:
    name, place = leaf.node.text, leaf.node.content
    if leaf.refers == "paths":
        found = find(tree, name) if tree is not None else None
        if isinstance(found, Found):
            yield Link(place.start, place.end, found.key, says=name)
        return
    symbol = Symbol(SECTIONS[leaf.refers], name)
    if symbol in declared:
        yield Link(place.start, place.end, declared[symbol], says=f"{symbol.kind} {name}")
