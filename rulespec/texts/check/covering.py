"""What rules leave out: declarations that none binds, books that they do not name, parts of our own book."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from rulespec.diagnostics.nearest import near_to
from rulespec.messages.book import maps_in, names_in, parts_of
from rulespec.model.groups import kinds_in
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence
from rulespec.texts.check.entries import Entry, Texts, maps
from rulespec.texts.check.reports import Reports, short

#: Sections whose entries rules tell; and those that rules tell as a whole.
_ENTRIES = ("values", "enums", "pieces", "tracks", "actions", "effects", "events", "triggers", "functions", "relations")
_PLACES = ("zones", "state")
_WHOLE = ("setup", "flow", "end", "ranking")
#: What is told with whatever uses it: it says how something is done, and not what.
_WITH_USERS = frozenset({"functions", "relations", "events", "zones", "state", "effects", "triggers", "boards"})
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_FOR_READERS = frozenset({"about", "source", "title", "draw"})  # where `draw` is a drawing, and not the verb


def check_covering(texts: Texts, reports: Reports) -> None:
    """Reports rules that bind nothing, and declarations that no rule covers."""
    for entry in texts.rules:
        binds = entry.rule.get("binds") if entry.rule is not None else None
        if isinstance(binds, Sequence) and not binds.items and not reports.suppressed(entry, "RS554", None):
            reports.problems.add("RS554", binds.span, rule=entry.name)
    trees = [texts.source.base, *(variant.tree for variant in texts.source.variants.values())]
    if all(entry.variant is not None for entry in texts.rules):
        return
    paths = {path.text for entry in texts.rules for path in entry.binds()}
    paths |= _placeholders(texts)
    paths |= {path.text for tree in trees for path in _without_rule(tree)}
    bound = {each for path in paths for each in _with_those_above(path)}
    told = _by_users(trees, [path for tree in trees for path, _, _ in declared(tree) if _is_bound(path, bound)])
    for tree in trees:
        for path, span, _ in declared(tree):
            if path not in told:
                reports.problems.add("RS555", span, path=path)


def _placeholders(texts: Texts) -> set[str]:
    """The values that texts show: who reads a figure is told of it."""
    words = {
        word
        for entry in texts.rules
        for forms in entry.texts.values()
        for text in forms.values()
        for start, end in text.holes
        for word in _WORD.findall(text.node.text[start:end])
    }
    return {f"values.{word}" for word in words}


def _without_rule(tree: Mapping) -> Iterator[Scalar]:
    book = tree.get("book")
    for each in maps_in(book.get("without_rule")) if isinstance(book, Mapping) else ():
        path = each.get("path")
        if isinstance(path, Scalar):
            yield path


def _is_bound(path: str, bound: Collection[str]) -> bool:
    """Whether a path is bound, or something above it; what is bound below it has put all paths above itself there."""
    parts = path.split(".")
    return any(".".join(parts[:end]) in bound for end in range(len(parts), 0, -1))


def _with_those_above(path: str) -> Iterator[str]:
    """A path that is bound binds what it is in, too: `pieces.card.rows[cost=3]` is of `pieces.card`."""
    parts = re.split(r"[.\[]", path)
    yield path
    for end in range(len(parts), 0 if parts[0] in _WHOLE else 1, -1):
        yield ".".join(parts[:end])


def declared(tree: Mapping) -> Iterator[tuple[str, Span, Node]]:
    """The declarations that rules should tell, each with its path, its name's place, and what it says."""
    for section in (*_ENTRIES, *_PLACES):
        node = tree.get(section)
        for key, value in node.pairs if isinstance(node, Mapping) else ():
            yield f"{section}.{key.text}", key.span, value
    for board, group in maps(tree.get("boards")):
        for key, value in kinds_in(group):
            yield f"boards.{board.text}.{key.text}", key.span, value
    game = tree.get("game")
    for key, value in maps(game.get("options")) if isinstance(game, Mapping) else ():
        yield f"game.options.{key.text}", key.span, value
    for section in _WHOLE:
        name, whole = tree.key_node(section), tree.get(section)
        if name is not None and whole is not None:
            yield section, name.span, whole


def _by_users(trees: Iterable[Mapping], told: Iterable[str]) -> set[str]:
    """What is told with something that uses it, and what is told with that."""
    every = {path: node for tree in trees for path, _, node in declared(tree)}
    by_name: dict[str, list[str]] = {}
    for path in every:
        if path.split(".")[0] in _WITH_USERS:
            by_name.setdefault(path.rpartition(".")[2], []).append(path)
    found, waiting = set(told), list(told)
    while waiting:
        path = waiting.pop()
        words = set(_words(every[path])) if path in every else set()
        for other in (other for word in words for other in by_name.get(word, ())):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _words(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _words(item)
    elif isinstance(node, Mapping):
        for key, value in node.pairs:
            if key.text not in _FOR_READERS or (key.text == "draw" and not isinstance(value, Mapping)):
                yield from _WORD.findall(key.text)
                yield from _words(value)


# ---- books ------------------------------------------------------------------------------------------------


def check_books(texts: Texts, reports: Reports) -> None:
    """Reports rules that do not say where each published rulebook says them, and books that are not declared."""
    books = dict(maps(texts.source.base.get("rulebooks")))
    named = {key.text: node for key, node in books.items()}
    if not named:
        return
    everywhere = {book for book, node in named.items() if "language" not in node}
    for entry in texts.rules:
        _check_books(entry, named, everywhere, reports)


def _check_books(entry: Entry, named: dict[str, Mapping], everywhere: set[str], reports: Reports) -> None:
    sources = list(_sources(entry))
    ids = [name for source in sources if isinstance(name := source.get("book"), Scalar)]
    for name in ids:
        if name.text not in named:
            reports.problems.add("RS557", name.span, near=near_to(name.text, named), book=name.text)
    told = {name.text for name in ids}
    is_ruling = bool(sources) and not told
    for book in named:
        if not (is_ruling or told & everywhere or book in told or book in everywhere):
            _report_book(entry, book, reports)


def _report_book(entry: Entry, book: str, reports: Reports) -> None:
    if not reports.suppressed(entry, "RS556", None):
        reports.problems.add("RS556", entry.key.span, rule=entry.name, book=book)


def _sources(entry: Entry) -> Iterator[Mapping]:
    source = entry.rule.get("source") if entry.rule is not None else None
    for item in source.items if isinstance(source, Sequence) else (source,):
        if isinstance(item, Mapping):
            yield item


def check_layout(texts: Texts, reports: Reports) -> None:
    """Reports rules of the game itself that have no place in its book."""
    book = texts.source.base.get("book")
    if not isinstance(book, Mapping):
        return
    parts = list(parts_of(book))
    placed = {name.text for part in parts for name in names_in(part.get("rules"))}
    kinds = {name.text for part in parts for name in names_in(part.get("kinds"))}
    for entry in texts.rules:
        kind = entry.rule.get("kind") if entry.rule is not None else None
        is_placed = entry.name in placed or (isinstance(kind, Scalar) and kind.text in kinds)
        if entry.variant is None and not is_placed and not reports.suppressed(entry, "RS558", None):
            reports.problems.add("RS558", short(entry.key.span), rule=entry.name)
