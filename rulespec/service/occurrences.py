"""Where each declaration of a game is named: every place of every file, in block and in flow style."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Mapped
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.lower.attributes import LIST_WORDS
from rulespec.service.files_read import DEEP, union
from rulespec.service.meanings import BOUND, Meanings
from rulespec.service.reading import pairs_of
from rulespec.service.stopping import go_on
from rulespec.service.symbols import Declaration, Symbol, declared_in
from rulespec.service.words import Owner, Word, words_in
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Scalar

if TYPE_CHECKING:
    from rulespec.service.game import Game

K = TypeVar("K")

#: Names of a game in all its files: a large one of ours has 20,000. Of more, none is told where it is used.
MOST_NAMES: Final = 100_000

#: Kinds of declarations that are read by their bare names: no two of them are called alike.
BARE: Final = ("values", "functions", "effects", "actions", "zones", "state", "kinds")
#: Kinds of what is read after a dot.
DOTTED: Final = ("zones", "state", "tracks", "relations", "attributes", "members", "options", "plurals")
_CELLS: Final = ("zones", "state", "tracks", "relations")
#: Names that the language gives to what is read after a dot.
OF_LANGUAGE: Final = frozenset({*LIST_WORDS, "owner", "face", "index", "left", "right", "score", "place", "name"})

#: Roles of names that nobody declares: those of steps and loops, labels, reasons, rounds.
_FREE: Final = frozenset({"name", "binds", "dot", "choice", "source", "label", "reason", "round"})

#: Roles of bare names that may be those of steps.
_BY_STEPS: Final = frozenset({"name", "binds", "choice", "source", "asks"})

#: Roles that have one kind of declaration.
_OWN: Final = {
    "event": "events",
    "kind": "kinds",
    "rule": "rules",
    "scenario": "scenarios",
    "term": "terms",
    "variant": "variants",
    "rulebook": "rulebooks",
    "option": "options",
}


@dataclass(frozen=True)
class Index:
    """What a game declares, and where each of it is named. `unsure` are places that may name a declaration or not.

    `bound` are the names that nobody declares, `keys` the keys of messages, `plurals` those of kinds,
    `made` the plurals that the language makes, as nobody writes another one;
    `free` are the names that nobody declares, where they stand; `doubtful` may name a declaration or not;
    `said` are all bare names of a declaration, and `heard` the events that triggers wait for, in any variant;
    `hidden` are names that may stand in texts where they have no stretch of their own.
    `broken` is the first file that cannot be read or is no YAML. `is_too_much`: there are too many names to look at.
    """

    declared: frozenset[Symbol]
    places: dict[Symbol, tuple[Span, ...]]
    unsure: dict[Symbol, tuple[Span, ...]]
    bound: dict[str, tuple[Span, ...]]
    groups: dict[Symbol, frozenset[Symbol]] = field(default_factory=dict)
    keys: dict[str, Span] = field(default_factory=dict)
    plurals: dict[str, str] = field(default_factory=dict)
    made: frozenset[Symbol] = frozenset()
    free: tuple[Word, ...] = ()
    doubtful: tuple[Word, ...] = ()
    said: Mapped[Owner, frozenset[str]] = field(default_factory=dict)
    heard: Mapped[str, frozenset[str]] = field(default_factory=dict)
    hidden: Mapped[str, Span] = field(default_factory=dict)
    broken: str = ""
    is_too_much: bool = False

    def together(self, symbol: Symbol) -> frozenset[Symbol]:
        """The declarations that are called alike because one is made of the other's name."""
        return self.groups.get(symbol, frozenset({symbol}))

    def plural(self, symbol: Symbol) -> str:
        """The plural of a kind."""
        return self.plurals.get(symbol.name, "")


def index_of(game: Game) -> Index:
    """The index of a game as it stands; names that only types tell apart are found by a check of the whole game.

    Raises Stopped.
    """
    trees = [file.tree for file in game.read() if file.tree is not None]
    whole = union(trees, DEEP)
    if whole is None:
        return Index(frozenset(), {}, {}, {})
    names = list(islice((word for tree in trees for word in _words(tree, whole)), MOST_NAMES + 1))
    if len(names) > MOST_NAMES:
        return Index(frozenset(), {}, {}, {}, is_too_much=True)
    broken = next(_broken(game), "")
    return replace(_Finder(trees, whole, game.meanings).index(names), broken=broken)


def _words(tree: Mapping, whole: Mapping) -> Iterator[Word]:
    go_on()
    yield from words_in(tree, whole)


def _broken(game: Game) -> Iterator[str]:
    """The files that may name more than what is known of them."""
    yield from (problem.span.file.name for problem in game.space.lost_of(game.home))
    for name in game.files:
        go_on()
        if not _is_readable(name, game.space.text(name)):
            yield name


def _is_readable(name: str, text: str) -> bool:
    problems = Problems()
    return read_yaml(SourceFile.of(name, text), problems) is not None and not problems.has_errors


class _Finder:
    def __init__(self, trees: list[Mapping], whole: Mapping, meanings: Callable[[], Meanings]) -> None:
        self._whole, self._meanings = whole, meanings
        found = [each for tree in trees for each in (*declared_in(tree), *also_declared(tree, whole))]
        self._found = found
        self.declared = frozenset(each.symbol for each in found)
        self._at: dict[tuple[str, int], Symbol] = {}
        for each in found:
            for span in (each.key.span, each.key.content):
                self._at.setdefault((span.file.name, span.start), each.symbol)
        self._binders: set[str] = set()
        self._parts: set[str] = set()
        self._bare: dict[str, list[Symbol]] = {}
        self._dotted: dict[str, list[Symbol]] = {}
        for symbol in sorted(self.declared, key=lambda each: (each.kind, each.name)):
            self._note(symbol)

    def _note(self, symbol: Symbol) -> None:
        if symbol.kind in BARE and "." not in symbol.name:
            self._bare.setdefault(symbol.name, []).append(symbol)
        if symbol.kind in ("members", "rows"):
            self._bare.setdefault(symbol.last, []).append(symbol)
        if symbol.kind == "plurals":
            self._dotted.setdefault(_plural_of(self._whole, symbol.name), []).append(symbol)
        elif symbol.kind in DOTTED and ("." in symbol.name or symbol.kind == "options"):
            self._dotted.setdefault(symbol.last, []).append(symbol)

    def index(self, words: list[Word]) -> Index:
        """The index, where these are all the names that stand in the files."""
        places: dict[Symbol, list[Span]] = {}
        unsure: dict[Symbol, list[Span]] = {}
        bound: dict[str, list[Span]] = {}
        free: list[Word] = []
        free_at: dict[tuple[str, int], Word] = {}
        doubtful: list[Word] = []
        self._binders = {word.span.text for word in words if word.role == "binds"}
        self._parts = {word.span.text for word in words if word.role == "binds" and word.of == "each"}
        hidden = {word.of: word.span for word in words if word.role == "hidden"}
        for each in sorted(words, key=lambda one: one.role == "at"):
            meant, is_sure = self._meant(each)
            bound_here = free_at.get(_place_in(each)) if each.role == "at" and not meant else None
            # a path leads to where steps, parameters or events bind a name
            word = each if bound_here is None else replace(bound_here, span=each.span, expr=None)
            if meant and is_sure and word.role != "at":
                self._at.setdefault((word.span.file.name, word.span.start), meant[0])
            for symbol in meant:
                (places if is_sure else unsure).setdefault(symbol, []).append(word.span)
            if not meant and word.role in _FREE:
                bound.setdefault(word.span.text, []).append(word.span)
            if not meant and word.role in _FREE | {"asks"}:
                free.append(word)
                free_at.setdefault((word.span.file.name, word.span.start), word)
            elif not is_sure:
                doubtful.append(word)
        keys = {each.symbol.name: each.key.content for each in self._found if each.symbol.kind == "messages"}
        plurals = {each.name: _plural_of(self._whole, each.name) for each in self.declared if each.kind == "plurals"}
        groups = _groups(self._whole, self.declared)
        made = frozenset(each.symbol for each in self._found if each.symbol == Symbol("plurals", each.key.text))
        return Index(
            self.declared, _sorted(places), _sorted(unsure), _sorted(bound), groups, keys, plurals, made,
            tuple(free), tuple(doubtful), _said(words), _heard(words), hidden,
        )  # fmt: skip

    # ---- what a word means ----

    def _known(self, *symbols: Symbol) -> tuple[Symbol, ...]:
        return tuple(each for each in symbols if each in self.declared)[:1]

    def _meant(self, word: Word) -> tuple[tuple[Symbol, ...], bool]:
        go_on()
        text = word.span.text
        if word.symbol is not None:
            return (word.symbol,), True
        if word.role in ("binds", "choice"):
            return self._known(Symbol("kinds", text)), True
        if word.role in ("name", "source"):
            return self._named(word, text)
        if word.role == "dot":
            return self._after_dot(word, text)
        if word.role == "at":
            found = self._at.get(_place_in(word))
            return (() if found is None else (found,)), True
        return self._by_role(word, text), True

    def _by_role(self, word: Word, text: str) -> tuple[Symbol, ...]:  # noqa: PLR0911  (one for each role)
        role, of = word.role, word.of
        if role in _OWN:
            return self._known(Symbol(_OWN[role], text))
        if role == "board":
            return self._known(Symbol("boards", text), Symbol("kinds", text))
        if role == "label":
            return self._known(Symbol("functions", text))
        if role == "seat":
            return self._known(Symbol("members", f"player.{text}"))
        if role == "cell":
            return self._known(*(Symbol(kind, f"{of}.{text}") for kind in _CELLS))
        if role == "attribute":
            own = Symbol("attributes", f"{of}.{text}")
            return self._known(own, Symbol("kinds", text))
        if role == "of":
            return self._of(of, text)
        if role == "inverse":
            return self._known(Symbol("relations", f"{_to(self._whole, of)}.{text}"))
        if role == "value":
            return self._known(Symbol("members", f"{_type_of_option(self._whole, of)}.{text}"))
        if role == "asks":
            return self._known(*(Symbol(kind, text) for kind in ("actions", "effects", "triggers", "kinds")))
        if role in ("owner", "type"):
            return self._known(*(Symbol(kind, text) for kind in ("kinds", *BARE)))
        return ()

    def _of(self, owner: str, text: str) -> tuple[Symbol, ...]:
        key = f"{owner}.{text}"
        members = Symbol("members", key), Symbol("members", f"{owner}.face.{text}")
        return self._known(*members, Symbol("attributes", key), *(Symbol(kind, key) for kind in _CELLS))

    def _named(self, word: Word, text: str) -> tuple[tuple[Symbol, ...], bool]:
        known = self._bare.get(text, [])
        if word.owner[:1] == ("messages",) and word.owner[1].startswith("engine."):
            return (), True  # the engine gives what its own messages name
        is_one = len(known) == 1 and (text not in self._binders or known[0].kind == "kinds")
        if not known or is_one:
            return tuple(known), True
        found = self._by_types(word, known)
        if found is not None:
            return found, True
        own = [each for each in known if each.kind not in ("members", "rows")]
        if own and (word.expr is None or word.role == "source"):
            return tuple(own[:1]), True
        fitting = [each for each in known if each.name.rpartition(".")[0] in self._types_in(word.of)]
        return (tuple(fitting), True) if len(fitting) == 1 else (tuple(known), False)

    def _types_in(self, of: str) -> frozenset[str]:
        """Whose members can stand in the brackets of a piece, behind the name of an enum, or as an option's value."""
        if of.startswith("option."):
            return frozenset({_type_of_option(self._whole, of.removeprefix("option."))})
        types = {of}
        for node in _kinds(self._whole, of):
            for _, value in (*pairs_of(node.get("attributes")), *pairs_of(node.get("for"))):
                written = value.get("type") if isinstance(value, Mapping) else value
                types.add(written.text.split(" ")[0] if isinstance(written, Scalar) else "")
        return frozenset(types)

    def _after_dot(self, word: Word, text: str) -> tuple[tuple[Symbol, ...], bool]:
        kind = self._known(Symbol("kinds", text))
        known = [*self._dotted.get(text, []), *kind]
        of = word.expr.of if isinstance(word.expr, ast.Get) else None
        if isinstance(of, ast.Name) and of.name == "box":
            return self._known(Symbol("kinds", text)), True
        is_part = text in self._parts  # of what is chosen as a set: types tell it from what else is called so
        if not known or (len(known) == 1 and not kind and text not in OF_LANGUAGE and not is_part):
            return tuple(known), True
        if isinstance(of, ast.Name) and of.name == "option":
            return self._known(Symbol("options", text)), True
        found = self._by_types(word, known)
        if found is not None:
            is_both = is_part and BOUND in self._meanings().at((word.span.file.name, word.span.start))
            return found, not is_both or all(each in kind for each in found)
        own = [each for each in known if isinstance(of, ast.Name) and each.name == f"{of.name}.{text}"]
        rest = [each for each in known if each not in kind]
        return (tuple(own), True) if own else (tuple(rest), len(rest) < 2 and not is_part)

    def _by_types(self, word: Word, known: list[Symbol]) -> tuple[Symbol, ...] | None:
        found = self._meanings().at((word.span.file.name, word.span.start))
        if not found:
            return None
        kinds = (each for each in known if each.kind == "kinds" and BOUND in found)  # called after its kind
        ways_back = {
            Symbol("relations", each.name) for each in found if each.kind == "attributes"
        }  # read as attributes
        return tuple(dict.fromkeys((*(each for each in known if each in found or each in ways_back), *kinds)))


def _place_in(word: Word) -> tuple[str, int]:
    """The place to which the end of a path leads."""
    name, _, start = word.of.partition("\0")
    return name, int(start)


def _sorted(found: Mapped[K, list[Span]]) -> dict[K, tuple[Span, ...]]:
    return {
        key: tuple(sorted(set(spans), key=lambda span: (span.file.name, span.start))) for key, spans in found.items()
    }


def _said(words: Iterable[Word]) -> dict[Owner, frozenset[str]]:
    found: dict[Owner, set[str]] = {}
    for word in words:
        if word.role in _BY_STEPS:
            found.setdefault(word.owner, set()).add(word.span.text)
    return {owner: frozenset(names) for owner, names in found.items()}


def _heard(words: Iterable[Word]) -> dict[str, frozenset[str]]:
    """The events that each trigger waits for, of those that wait for one: variants may change which."""
    found: dict[str, set[str]] = {}
    for word in words:
        if (word.role, word.of) == ("event", "emitted") and word.owner[:1] == ("triggers",):
            found.setdefault(word.owner[1], set()).add(word.span.text)
    return {trigger: frozenset(events) for trigger, events in found.items()}


def also_declared(tree: Mapping, whole: Mapping) -> Iterator[Declaration]:
    """What is declared beside a name that has a section or kind of its own: groups, rows, ways back and plurals."""
    for key, group in pairs_of(tree.get("boards")):
        yield Declaration(Symbol("boards", key.text), key, group)
        for name, kind in pairs_of(group):
            plural = kind.get("plural") if isinstance(kind, Mapping) else None
            yield Declaration(Symbol("plurals", name.text), plural if isinstance(plural, Scalar) else name, None)
    for key, piece in pairs_of(tree.get("pieces")):
        for name, row in pairs_of(piece.get("rows") if isinstance(piece, Mapping) else None):
            yield Declaration(Symbol("rows", f"{key.text}.{name.text}"), name, row)
    for key, relation in pairs_of(tree.get("relations")):
        inverse = relation.get("inverse") if isinstance(relation, Mapping) else None
        names = [inverse] if isinstance(inverse, Scalar) else [each for each, _ in pairs_of(inverse)]
        for name in names:
            yield Declaration(Symbol("relations", f"{_to(whole, key.text)}.{name.text}"), name, None)


def _kinds(whole: Mapping, name: str) -> Iterator[Mapping]:
    """The declarations of pieces and sites of a name."""
    for section in (whole.get("pieces"), *(group for _, group in pairs_of(whole.get("boards")))):
        node = section.get(name) if isinstance(section, Mapping) else None
        if isinstance(node, Mapping):
            yield node


def _to(whole: Mapping, relation: str) -> str:
    section = whole.get("relations")
    node = section.get(relation) if isinstance(section, Mapping) else None
    to = node.get("to") if isinstance(node, Mapping) else None
    return to.text if isinstance(to, Scalar) else ""


def _type_of_option(whole: Mapping, option: str) -> str:
    node: object = whole
    for key in ("game", "options", option, "type"):
        node = node.get(key) if isinstance(node, Mapping) else None
    return node.text.split(" ")[0] if isinstance(node, Scalar) else ""


def _plural_of(whole: Mapping, kind: str) -> str:
    from rulespec.lower.domains import plural

    for _, group in pairs_of(whole.get("boards")):
        node = group.get(kind) if isinstance(group, Mapping) else None
        written = node.get("plural") if isinstance(node, Mapping) else None
        if isinstance(written, Scalar):
            return written.text
    return plural(kind)


def _groups(whole: Mapping, declared: frozenset[Symbol]) -> dict[Symbol, frozenset[Symbol]]:
    """An attribute that rows are made for each member of is called as the enum or kind is."""
    found: dict[Symbol, set[Symbol]] = {}
    for key, piece in pairs_of(whole.get("pieces")):
        attributes = piece.get("attributes") if isinstance(piece, Mapping) else None
        for name, _ in pairs_of(attributes):
            kind = Symbol("kinds", name.text)
            if kind in declared:
                found.setdefault(kind, {kind}).add(Symbol("attributes", f"{key.text}.{name.text}"))
    return {symbol: frozenset(group) for group in found.values() for symbol in group}
