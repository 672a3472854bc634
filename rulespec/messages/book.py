"""How the rulebook is laid out: the rules, boards and kinds that it names are there, and its tables can be computed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from rulespec.diagnostics.fixes import Fix
from rulespec.diagnostics.model import Problems, Related
from rulespec.diagnostics.nearest import near_to
from rulespec.lower import make
from rulespec.lower.context import Context
from rulespec.lower.ir import Ir, Var
from rulespec.lower.scope import Scope
from rulespec.messages.pattern import Place
from rulespec.messages.places import has_words
from rulespec.messages.rules import check_paths
from rulespec.messages.wording import check_language, check_words
from rulespec.model.types import BOOLEAN, Member, Piece, Type, Unknown
from rulespec.model.world import World
from rulespec.source.entries import without_item
from rulespec.source.tree import Mapping, Node, Scalar, Sequence


@dataclass(slots=True)
class _Known:
    """The names that a book can use, by what they are called in messages; and the rules that a part has named."""

    names: dict[str, Collection[str]]
    told: dict[str, Scalar] = field(default_factory=dict)


def check_book(cx: Context, tree: Mapping, problems: Problems, *, whole: bool) -> None:
    """Reports what is wrong with the book. Unless `tree` is `whole` nothing is said of names that it lacks."""
    book = tree.get("book")
    if not isinstance(book, Mapping):
        return
    known = _Known({what: _keys(tree.get(section)) for what, section in _SECTIONS.items()} if whole else {})
    for part in parts_of(book):
        _check_part(cx, part, known, problems)
    words = book.get("words")
    for _, texts in words.pairs if isinstance(words, Mapping) else ():
        _check_languages(texts, problems)
    if whole:
        untold = (each.get("path") for each in maps_in(book.get("without_rule")))
        check_paths(tree, [path for path in untold if isinstance(path, Scalar)], problems)


_SECTIONS = {"rule": "rules", "group of boards": "boards", "scenario": "scenarios"}


def _keys(node: Node | None) -> Collection[str]:
    return node.keys() if isinstance(node, Mapping) else ()


def maps_in(node: Node | None) -> list[Mapping]:
    """The maps of a list."""
    return [item for item in node.items if isinstance(item, Mapping)] if isinstance(node, Sequence) else []


def names_in(node: Node | None) -> list[Scalar]:
    """One name, or the names of a list."""
    items = node.items if isinstance(node, Sequence) else [node]
    return [item for item in items if isinstance(item, Scalar)]


def parts_of(node: Mapping) -> Iterator[Mapping]:
    """All parts, each before the smaller ones in it."""
    for part in maps_in(node.get("parts")):
        yield part
        yield from parts_of(part)


def titles_of(book: Mapping) -> Iterator[Mapping]:
    """The titles of all parts, tables and pictures, and of lines and columns, by language."""
    for part in parts_of(book):
        yield from _title_of(part)
        for show in maps_in(part.get("shows")):
            yield from _title_of(show)
            for line in (*maps_in(show.get("columns")), *maps_in(show.get("by_players"))):
                yield from _title_of(line)


def _title_of(node: Mapping) -> Iterator[Mapping]:
    title = node.get("title")
    if isinstance(title, Mapping):
        yield title


def words_for(book: Mapping, title: Mapping, language: str) -> Scalar | None:
    """A title in a language: where it stands itself, else among the book's words, under its first text."""
    own = title.get(language)
    words = book.get("words")
    first = next((text for _, text in title.pairs if isinstance(text, Scalar)), None)
    known = words.get(first.text) if isinstance(words, Mapping) and first is not None else None
    found = own if own is not None or not isinstance(known, Mapping) else known.get(language)
    return found if isinstance(found, Scalar) else None


def row_type(world: World, name: str) -> Type | None:
    """The type of what a table with a line for each `name` tells of; None where there is no such kind."""
    if name in world.pieces:
        return Piece(name)
    return Member(name) if name in world.domains else None


# ---- parts ------------------------------------------------------------------------------------------


def _check_part(cx: Context, part: Mapping, known: _Known, problems: Problems) -> None:
    _check_title(part, problems)
    rules = part.get("rules")
    for rule in names_in(rules):
        first = known.told.setdefault(rule.text, rule)
        if first is not rule:
            edit = without_item(rules, rule) if isinstance(rules, Sequence) else None
            fixes = () if edit is None else (Fix(f"Delete `{rule.text}`", (edit,)),)
            there = Related("named first here", first.span)
            problems.add("RS531", rule.span, rule=rule.text, related=[there], fixes=fixes)
        _check_name("rule", rule, known, problems)
    for show in maps_in(part.get("shows")):
        _check_show(cx, show, known, problems)


def _check_title(node: Mapping, problems: Problems) -> None:
    _check_languages(node.get("title"), problems)


def _check_languages(title: Node | None, problems: Problems) -> None:
    for language, words in title.pairs if isinstance(title, Mapping) else ():
        check_language(language, problems)
        check_words(words, problems)


def _check_name(what: str, name: Scalar, known: _Known, problems: Problems) -> None:
    names = known.names.get(what)
    if names is not None and name.text not in names:
        problems.add("RS530", name.span, what=what, name=name.text, near=near_to(name.text, names))


# ---- tables and pictures ----------------------------------------------------------------------------


def _check_show(cx: Context, show: Mapping, known: _Known, problems: Problems) -> None:
    _check_title(show, problems)
    for group in names_in(show.get("board")):
        _check_name("group of boards", group, known, problems)
    for scenario in names_in(show.get("scenario")):
        _check_name("scenario", scenario, known, problems)
    for line in maps_in(show.get("by_players")):
        _check_column(cx, line, Scope(cx.world, constant=True), problems)
    for kind in names_in(show.get("each")):
        scope = _row_scope(cx, kind, known, problems)
        if scope is not None:
            _check_table(cx, show, scope, problems)


def _row_scope(cx: Context, kind: Scalar, known: _Known, problems: Problems) -> Scope | None:
    of = row_type(cx.world, kind.text)
    if of is not None:
        return Scope(cx.world, {kind.text: Var(type=of, name=make.fresh(kind.text))}, constant=True)
    if known.names:
        names = (*cx.world.domains, *cx.world.pieces)
        problems.add("RS530", kind.span, what="kind", name=kind.text, near=near_to(kind.text, names))
    return None


def _check_table(cx: Context, show: Mapping, scope: Scope, problems: Problems) -> None:
    where = show.get("where")
    if where is not None:
        cx.lower(where, scope, BOOLEAN)
    for column in maps_in(show.get("columns")):
        _check_column(cx, column, scope, problems)


def _check_column(cx: Context, column: Mapping, scope: Scope, problems: Problems) -> None:
    _check_title(column, problems)
    node = column.get("is")
    expression = None if node is None else cx.expr(node)
    if node is None or expression is None:
        return
    ir: Ir = cx.lower(node, scope)
    if not isinstance(ir.type, Unknown):
        has_words(Place(expression, node.span), ir, problems)
