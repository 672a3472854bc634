"""Every place in a file where a name stands, with what kind of name it is: found beside the registry.

A role says what a word names there: `name` (bare, in expressions), `binds` (a name of steps or loops), `dot` (read
after a dot), `is` (it belongs to a declaration that is known from the place alone: `symbol`), `hidden` (a name may be
in this text, `of` says which, but has no stretch of its own in the file), or one of the roles of keys and fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_expression, parse_span
from rulespec.expr.walk import bound_in
from rulespec.expr.words import WORDS
from rulespec.messages.pattern import read_words
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import Anything, Data, Expression, Field, ListOf, MapOf, Name, Record, Shape, Text, Type, Use
from rulespec.model.walk import FILE, shape_for
from rulespec.overlay.paths import Found, find, parse_path
from rulespec.service.referred import REFERS
from rulespec.service.shape_at import field_of
from rulespec.service.symbols import Symbol, declared_in
from rulespec.service.written import dotted_parts, expression_parts, is_plain, key_parts, within, words_of
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

_ITEM = re.compile(r"[a-z][a-z0-9_]*")
_DATA_KEY = re.compile(r"(?<![a-z0-9_])([a-z][a-z0-9_]*)\s*=(?!=)")

#: Sections that are lists of steps.
_STEPS = (("setup",), ("flow",), ("end",))
#: Records whose texts say what an option is called.
_MOVES = frozenset({"move", "refusal"})
#: Sections whose keys have several names each.
_IN_PARTS = frozenset({("zones",), ("state",), ("tracks",), ("relations",), ("messages",)})

_NOT_DATA = frozenset({"about", "id"})

#: Fields of names, by what they name, that are of one role.
_ROLES = {
    "domains": "kind",
    "kinds": "kind",
    "pieces": "kind",
    "kinds_to_choose": "binds",
    "new": "binds",
    "events": "event",
    "groups": "board",
    "labels": "label",
    "reasons": "reason",
    "rounds": "round",
    "rulebooks": "rulebook",
    "rules": "rule",
    "scenarios": "scenario",
    "terms": "term",
    "variants": "variant",
}


#: A declaration by its section and name, or a list of steps.
Owner = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """A name in a file. `of` is what it belongs to, `expr` the part of an expression that it is the name of.

    `owner` is the declaration in which it stands, by section and name, or a list of steps such as the flow; for what
    variants change, the declaration that is changed. `is_inner`: a loop of its own expression binds it.
    """

    span: Span
    role: str
    of: str = ""
    symbol: Symbol | None = None
    expr: ast.Expr | None = None
    owner: Owner = ()
    is_inner: bool = False


@dataclass(frozen=True, slots=True)
class At:
    """Where a walk is: the shape there, the record and field that said so, and the keys that lead there."""

    shape: Shape | None
    record: Record | None = None
    field: Field | None = None
    way: tuple[str, ...] = ()
    changed: Owner = ()  #: what a variant's change around it changes

    @property
    def owner(self) -> Owner:
        """The declaration, or list of steps, that is written here."""
        return self.changed or owner_in(self.way)

    @property
    def refers(self) -> str:
        """What a name here is a name of."""
        key = (self.record.name if self.record else "", self.field.name if self.field else "")
        return REFERS.get(key, "")


def words_in(tree: Mapping, whole: Mapping) -> Iterator[Word]:
    """Every name in a file; `whole` is all that the game and its variants declare, for paths to lead through."""
    declared = {each.key.content.start: each.symbol for each in declared_in(tree)}
    yield from _Walk(declared, whole).node(tree, At(FILE))


#: How far inside a file the rows of a kind of pieces stand: `pieces`, the kind, `rows`.
_ROWS_OF_PIECES = 3


@dataclass(frozen=True, slots=True)
class _Walk:
    declared: dict[int, Symbol]
    whole: Mapping

    def node(self, node: Node, at: At) -> Iterator[Word]:
        at = replace(at, shape=shape_for(node, at.shape))
        if isinstance(node, Mapping):
            yield from self._map(node, at)
        elif isinstance(node, Sequence):
            shape = at.shape.item if isinstance(at.shape, ListOf) else at.shape
            for item in node.items:
                yield from self.node(item, replace(at, shape=shape))
        elif isinstance(node, Scalar):
            yield from _owned(self._scalar(node, at), at.owner)

    # ---- maps ----

    def _map(self, node: Mapping, at: At) -> Iterator[Word]:
        keys = node.keys()
        place = _place_of_change(node) if at.record is not None and isinstance(at.shape, Use) else None
        path = self._path_of_change(place) if place is not None else None
        if path is not None:
            owner = owner_in(tuple(part for part in path.locator if isinstance(part, str)))
            at = replace(at, changed=owner if len(owner) > 1 or owner in _STEPS else ())  # not of a whole section
        for key, value in node.pairs:
            inner = replace(at, way=(*at.way, key.text))
            if isinstance(at.shape, Use):
                record = REGISTRY.record(at.shape.record)
                field = field_of(record, keys, key.text)
                if field is None:
                    yield from _owned(self._key(key, at), inner.owner)
                    inner = replace(inner, shape=record.others.value if record.others else None, record=record)
                else:
                    inner = replace(inner, shape=field.shape, record=record, field=field)
                    if isinstance(field.shape, (Anything, Data)) or _of_anything(field.shape):
                        inner = self._at_path(path, inner) if path is not None else inner
                        if path is None and place is not None:
                            yield from _all_hidden(value)
            elif isinstance(at.shape, MapOf):
                yield from _owned(self._key(key, at), inner.owner)
                inner = replace(inner, shape=at.shape.value)
            else:
                yield from _owned(self._key(key, at), inner.owner)
            yield from self.node(value, inner)

    def _path_of_change(self, place: Scalar) -> Found | None:
        found = find(self.whole, place.text)
        return found if isinstance(found, Found) else None

    def _at_path(self, found: Found | None, inner: At) -> At:
        """What may stand where a change writes: what may stand at the end of its path."""
        if found is None:
            return inner
        at = At(FILE)
        for above, node in zip(found.chain, found.chain[1:], strict=False):
            at = _below(above, node, at)
        return replace(at, changed=inner.changed)

    def _key(self, key: Scalar, at: At) -> Iterator[Word]:
        """A key that content gives."""
        symbol = self.declared.get(key.content.start)
        is_whole = at.way == ("boards",) or (symbol is not None and at.way not in _IN_PARTS)
        if not is_whole and not is_plain(key):
            yield from _hidden(key)
        elif at.way in _IN_PARTS and at.way != ("messages",):
            for span, role, of in dotted_parts(key):
                yield Word(span, role, of, symbol if role == "cell" or "." not in key.text else None)
        elif at.way == ("messages",):
            yield from (Word(span, role, of) for span, role, of in key_parts(key))
        elif at.way == ("boards",):
            yield Word(key.content, "is", "", Symbol("boards", key.text))
        elif symbol is not None:
            yield Word(key.content, "is", "", symbol)
        else:
            yield from self._other_key(key, at)

    def _other_key(self, key: Scalar, at: At) -> Iterator[Word]:
        record = at.record.name if at.record else ""
        field = at.field.name if at.field else ""
        here = at.shape.record if isinstance(at.shape, Use) else ""
        if here in ("enum_value", "site_row", "piece_row") or field == "defaults":
            yield Word(key.content, "attribute", owner_of(at.way, self.whole))
        elif field in ("gain", "pay"):
            yield Word(key.content, "cell", "player")
        elif (record, field) == ("scenario", "options"):
            yield Word(key.content, "option")
        elif here == "move":
            yield Word(key.content, "seat")
        elif field == "switches":
            yield Word(key.content, "value", at.way[-2] if len(at.way) > 1 else "")
        elif field in ("params", "each", "choose") or at.way[:1] == ("events",):
            yield Word(key.content, "binds", "part" if field == "choose" else field)
        elif field == "inverse":
            yield Word(key.content, "inverse", at.way[1])
        elif field == "rows" and at.way[:1] == ("pieces",) and len(at.way) == _ROWS_OF_PIECES:
            yield Word(key.content, "is", "", Symbol("rows", f"{at.way[1]}.{key.text}"))
        elif isinstance(at.shape, Data) or field in ("given", "rows"):  # the last: of a value that is a map by key
            e = parse_span(key.content, Problems())
            yield from _in_expression(e, ()) if e is not None else ()

    # ---- single values ----

    def _scalar(self, node: Scalar, at: At) -> Iterator[Word]:
        symbol = self.declared.get(node.content.start)
        if symbol is not None and isinstance(at.shape, Name):
            yield Word(node.content, "is", "", symbol)
        elif isinstance(at.shape, (Expression, Data)):
            e = parse_expression(node, Problems())
            is_event = at.field is not None and at.field.name == "emit"
            yield from _in_expression(e, at.way, event=is_event) if e is not None else ()
        elif isinstance(at.shape, Text) and at.record is not None and at.record.name == "message":
            for place in read_words(node, Problems()).places:
                yield from _in_expression(place.expression, at.way)
        elif isinstance(at.shape, (Type, Name)) or (isinstance(at.shape, Text) and _has_names(at)):
            yield from self._names(node, at) if is_plain(node) else _hidden(node)

    def _names(self, node: Scalar, at: At) -> Iterator[Word]:
        """The names in a value of which each character stands in the file as it is."""
        if isinstance(at.shape, Type):
            yield from (Word(span, "type") for span, _, _ in words_of(node))
        elif isinstance(at.shape, Text):
            yield from self._text(node, at)
        else:
            yield from self._name(node, at)

    def _text(self, node: Scalar, at: At) -> Iterator[Word]:
        record = at.record.name if at.record else ""
        if at.refers == "rulebooks":
            yield Word(node.content, "rulebook")
        elif record in _MOVES:
            head = _ITEM.match(node.text)
            if head is not None and head.group() in WORDS:  # ids of steps may be words of the language
                yield Word(within(node, 0, head.end()), "asks")
            yield from (Word(span, role, of) for span, role, of in words_of(node))
        else:
            yield Word(node.content, "seat")

    def _name(self, node: Scalar, at: At) -> Iterator[Word]:  # noqa: C901  (a line for each kind of name)
        kind = at.refers
        record, field = at.record.name if at.record else "", at.field.name if at.field else ""
        if kind in _ROLES:
            yield Word(node.content, _ROLES[kind], field)
        elif kind == "paths":
            yield from self._path(node)
        elif kind in ("zones", "tracks"):
            yield from (Word(span, role, of) for span, role, of in dotted_parts(node))
        elif kind in ("attributes", "coordinates"):
            yield Word(node.content, "attribute", owner_of(at.way, self.whole))
        elif kind == "moments":
            for (span, _, _), role in zip(words_of(node), ("seat", "asks"), strict=False):
                yield Word(span, role)
        elif kind == "steps":
            yield from _in_step(node, node.text, 0)
        elif field == "let" or (record, field) == ("relation", "as"):
            yield Word(node.content, "binds", field)
        elif (record, field) == ("relation", "inverse"):
            yield Word(node.content, "inverse", at.way[1])
        elif (record, field) == ("kind", "plural"):
            yield Word(node.content, "is", "", Symbol("plurals", at.way[2] if len(at.way) > 2 else ""))
        elif (record, field) == ("pack", "game"):
            yield Word(node.content, "game")
        elif (record, field) == ("step", "id"):
            yield Word(node.content, "choice", field)

    # ---- paths ----

    def _path(self, node: Scalar) -> Iterator[Word]:
        steps = parse_path(node.text)
        if isinstance(steps, tuple):
            yield from _names_of_path(node, self.whole)


def _has_names(at: At) -> bool:
    """Whether a text is no words for people, but has names in it."""
    record, field = at.record.name if at.record else "", at.field.name if at.field else ""
    return at.refers == "rulebooks" or record in _MOVES or (record, field) == ("secret", "seen_by")


def _hidden(node: Scalar) -> Iterator[Word]:
    """All that may be a name in a value that is written with escapes, or on several lines."""
    yield from (Word(node.content, "hidden", name) for name in _ITEM.findall(node.text))


def _all_hidden(node: Node) -> Iterator[Word]:
    """All that may be a name in what is written at a place that is not found."""
    if isinstance(node, Mapping):
        for key, value in node.pairs:
            yield from (*_hidden(key), *_all_hidden(value))
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _all_hidden(item)
    elif isinstance(node, Scalar):
        yield from _hidden(node)


def _place_of_change(node: Mapping) -> Scalar | None:
    places = (node.get(verb) for verb in ("set", "replace", "insert"))
    return next((place for place in places if isinstance(place, Scalar)), None)


def _of_anything(shape: Shape) -> bool:
    return isinstance(shape, ListOf) and isinstance(shape.item, Anything)


def _below(above: Node, node: Node, at: At) -> At:
    """One step down a chain of nodes, beside the registry."""
    shape = shape_for(above, at.shape)
    if isinstance(above, Mapping):
        key = next((key.text for key, value in above.pairs if value is node), "")
        way = (*at.way, key)
        if isinstance(shape, Use):
            record = REGISTRY.record(shape.record)
            field = field_of(record, above.keys(), key)
            if field is None:
                return At(record.others.value if record.others else None, record, at.field, way)
            return At(field.shape, record, field, way)
        return replace(at, shape=shape.value if isinstance(shape, MapOf) else shape, way=way)
    return replace(at, shape=shape.item if isinstance(shape, ListOf) else shape)


def owner_in(way: tuple[str, ...]) -> Owner:
    """The declaration, or the list of steps, into which a way leads."""
    return way[: 1 if way[:1] in _STEPS else 2]


def _owned(words: Iterable[Word], owner: Owner) -> Iterator[Word]:
    for word in words:
        yield word if word.owner else replace(word, owner=owner)


def owner_of(way: tuple[str, ...], whole: Mapping) -> str:
    """The kind, enum or piece whose declaration a way leads into; of a track its spaces."""
    if way[:1] == ("tracks",) and len(way) > 1:
        tracks = whole.get("tracks")
        track = tracks.get(way[1]) if isinstance(tracks, Mapping) else None
        space = track.get("space") if isinstance(track, Mapping) else None
        return space.text if isinstance(space, Scalar) else ""
    if way[:1] == ("boards",):
        return way[2] if len(way) > 2 else ""
    return way[1] if len(way) > 1 else ""


def _in_expression(e: ast.Expr, way: tuple[str, ...], *, event: bool = False) -> Iterator[Word]:
    option = way[-1] if way[-2:-1] == ("options",) else way[2] if way[:2] == ("game", "options") else ""
    inner = bound_in(e)
    for span, role, of, part in expression_parts(e, event=event):
        is_inner = role == "binds" or id(part) in inner
        yield Word(span, role, f"option.{option}" if option and not of else of, expr=part, is_inner=is_inner)


def _in_step(node: Scalar, text: str, start: int) -> Iterator[Word]:
    """The names in what picks a step: a verb and its value, or the step's id."""
    verb, gap, value = text.partition(" ") if " " in text else text.partition("=")
    if not gap:
        yield Word(within(node, start, start + len(text)), "choice")
        return
    at = start + len(verb) + 1
    role = _OF_STEP.get(verb, "name")
    for number, found in enumerate(re.finditer(r"(\.?)([a-z][a-z0-9_]*)", value)):
        if role == "choice" or found[2] not in WORDS:
            is_first = role if number == 0 or role == "choice" else "name"
            place = within(node, at + found.start(2), at + found.end(2))
            yield Word(place, "dot" if found[1] else is_first)


def _names_of_path(node: Scalar, whole: Mapping) -> Iterator[Word]:
    text, steps = node.text, parse_path(node.text)
    assert isinstance(steps, tuple)
    way: tuple[str, ...] = ()
    began = 0
    for number, step in enumerate(steps):
        if step.picked:
            yield from _in_brackets(node, step.text, step.start, way, whole)
            began = number + 1
            continue
        found = find(whole, text[: step.end])
        if not isinstance(found, Found):
            continue
        stretch = within(node, steps[began].start, step.end)
        yield from _at_end(node, steps[began].start, step.end, found, stretch)
        way = tuple(part for part in found.locator if isinstance(part, str))
        began = number + 1


#: What the value of a verb or field names, where a path picks a step by it.
_OF_STEP = {"id": "choice", "emit": "event", "reason": "reason", "round": "round", "rule": "label"}


def _at_end(node: Scalar, start: int, end: int, found: Found, stretch: Span) -> Iterator[Word]:
    way = tuple(part for part in found.locator if isinstance(part, str))
    if len(way) == 2 and way[0] in ("zones", "state", "tracks", "relations"):
        names = stretch.text.split(".")
        yield Word(within(node, start, start + len(names[0])), "owner")
        if len(names) > 1:
            yield Word(within(node, start + len(names[0]) + 1, end), "cell", names[0])
    elif len(way) == 2 and way[0] == "messages":
        inner = Scalar(stretch, stretch.text, "plain", stretch.text, stretch)
        yield from (Word(span, role, of) for span, role, of in key_parts(inner))
    else:
        is_quoted = found.key.text[:1] in ("'", '"')
        yield Word(stretch, "at", found.key.file.name + "\0" + str(found.key.start + is_quoted))


def _in_brackets(node: Scalar, text: str, start: int, way: tuple[str, ...], whole: Mapping) -> Iterator[Word]:
    raw = node.text[start:]
    start += len(raw) - len(raw.lstrip())
    data = list(_DATA_KEY.finditer(text))
    if not data or way[-1:] in (("do",), ("setup",), ("flow",), ("end",)):
        if way[:2] == ("game", "seats") or way[-1:] == ("faces",) or (way and way[0] == "enums"):
            yield Word(within(node, start, start + len(text)), "of", "player" if way[0] == "game" else way[1])
        else:
            yield from _owned(_in_step(node, text, start), owner_in(way))
        return
    if data[0][1] in _NOT_DATA:
        return
    for found in data:
        yield Word(within(node, start + found.start(1), start + found.end(1)), "attribute", owner_of(way, whole))
    keys = {found.start(1) for found in data}
    for found in _ITEM.finditer(text):
        if found.start() not in keys:
            yield Word(within(node, start + found.start(), start + found.end()), "name")
