"""The outline of a file as editors show it, and names that are looked for in all games.

for each in document_symbols(space, "islands/game.yaml"):
    print(each.name, [inner.name for inner in each.inside])
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulespec.service.items import fit_of
from rulespec.service.reading import pairs_of, text_under
from rulespec.service.symbol_at import declarations
from rulespec.service.symbols import Declaration, Symbol, declared_in
from rulespec.service.workspace import Workspace
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar

#: How many names are found at most.
MOST = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a file's outline: `kind` is a section's name, as that of a `Symbol`, or `section`.

    `whole` is all of it and `name_at` its name; `detail` is what is said of it in a few words.
    """

    name: str
    kind: str
    name_at: Span
    whole: Span
    detail: str = ""
    inside: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A declaration that was looked for, with the game that it belongs to."""

    symbol: Symbol
    at: Span
    game: str


def document_symbols(space: Workspace, name: str) -> tuple[Entry, ...]:
    """The sections of a file, what each declares, and what belongs to that."""
    tree = space.file(name).tree
    if tree is None or space.game_of(name) is None:
        return ()
    found = sorted(declared_in(tree), key=_start)
    return tuple(_section(key, node, found) for key, node in tree.pairs)


def _section(key: Scalar, node: Node, found: list[Declaration]) -> Entry:
    whole = _both(key, node)
    own = found[bisect_left(found, whole.start, key=_start) : bisect_left(found, whole.end, key=_start)]
    inside = _nested([_entry(each) for each in own if each.key is not key])
    return Entry(key.text, "section", key.content, whole, inside=inside)


def _start(declaration: Declaration) -> int:
    return declaration.key.span.start


def _entry(declaration: Declaration) -> Entry:
    key, node = declaration.key, declaration.node
    inside = node is not None and node.span.start <= key.span.start < node.span.end
    whole = key.span if node is None or inside else _both(key, node)
    return Entry(key.text, declaration.symbol.kind, key.content, whole, _detail(node))


def _nested(entries: list[Entry]) -> tuple[Entry, ...]:
    """Entries inside those that hold them, in the order of the file."""
    found: list[Entry] = []
    around: list[tuple[Entry, int, list[Entry]]] = []  # those not over yet: each with its end, and what it holds so far

    def close() -> None:
        entry, _, inside = around.pop()
        (around[-1][2] if around else found).append(replace(entry, inside=tuple(inside)))

    for entry in sorted(entries, key=lambda each: (each.whole.start, -each.whole.end)):
        while around and entry.whole.start >= around[-1][1]:
            close()
        end = min(entry.whole.end, around[-1][1]) if around else entry.whole.end  # nothing goes on after what holds it
        around.append((entry, end, []))
    while around:
        close()
    return tuple(found)


def _both(key: Scalar, node: Node) -> Span:
    return Span(key.span.file, key.span.start, max(key.span.end, node.span.end))


def _detail(node: Node | None) -> str:
    if isinstance(node, Scalar):
        return _short(node.text)
    about = text_under(node, "about") or text_under(node, "type") or text_under(node, "shape")
    if about:
        return _short(about)
    params = pairs_of(node.get("params")) if isinstance(node, Mapping) else ()
    return f"({', '.join(key.text for key, _ in params)})" if params else ""


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def workspace_symbols(space: Workspace, query: str) -> Iterator[Found]:
    """What is declared in any game under a name like this, best first: it begins so, a part of it does, or its letters
    follow one another. An empty query finds all; at most `MOST`.
    """
    found: list[tuple[int, int, Found]] = []
    for game in space.games:
        for number, each in enumerate(declarations(game)):
            fits = [rank for word in (each.symbol.last, each.symbol.name) if (rank := fit_of(word, query)) is not None]
            if fits:
                found.append((min(fits), number, Found(each.symbol, each.key.content, game.home)))
    found.sort(key=lambda each: each[:2])
    yield from (each for _, _, each in found[:MOST])
