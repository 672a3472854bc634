"""What may be written at a position: keys, words, names by their type.

offered = complete(space, "islands/game.yaml", offset)
[item.label for item in offered.items][:3]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rulespec.expr.unfinished import HOLE, wanted_after
from rulespec.lower.scope import Scope
from rulespec.model.shapes import (
    Boolean,
    Data,
    Expression,
    MapOf,
    Name,
    Shape,
    Text,
    Type,
    Use,
    Word,
)
from rulespec.service.game import Declared, Game, Site
from rulespec.service.habits import Around, Habits
from rulespec.service.items import Item, ordered
from rulespec.service.keys import keys_for
from rulespec.service.moves import move_items
from rulespec.service.names import (
    EXPECTED,
    MANY,
    is_source,
    labels_at,
    loops_at,
    members_at,
    members_of_loops,
    names_at,
    rows_at,
    words_expected,
)
from rulespec.service.place import Place, place_at
from rulespec.service.reading import pairs_of
from rulespec.service.referred import OFFERED, REFERS, Known, names_of
from rulespec.service.scopes import hole_in, looked_at, message_site, parsed_with_hole, site_at, text_with_hole
from rulespec.service.shape_at import Held, held_at
from rulespec.service.types_offered import types_at
from rulespec.service.usage import entries_of, usage_of
from rulespec.service.workspace import Workspace
from rulespec.source.tree import Node, Scalar

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BRACE = re.compile(r"\{\{|\}\}|[{}]")
_DOTTED = frozenset({"any", "message", "read_as", "read_on"})
_BRACKETED = re.compile(r"[(\[][^()\[\]]*\Z")

#: The words that the grammar's terminals are, where they are one word each.
_KEYWORDS = (
    *("THEN", "ELSE", "OR", "AND", "NOT", "IN", "OTHERWISE", "WITHOUT", "FOR", "BY", "OF", "AROUND", "FROM"),
    *("STEP", "VIA", "COST", "WITHIN", "WHERE"),
)


@dataclass(frozen=True, slots=True)
class Offered:
    """What is offered, best first, and the stretch that is replaced by the one that is taken."""

    items: tuple[Item, ...]
    start: int
    end: int


def complete(space: Workspace, name: str, offset: int) -> Offered:
    """What may be written at an offset of a file. Whatever the text is, there is an answer, perhaps an empty one."""
    text = space.text(name)
    place = place_at(text, offset)
    if place.role == "none":
        return Offered((), place.offset, place.offset)
    asked = _Asked(space, name, text, place, held_at(place.way, place.around))
    found = list(asked.items())
    start = asked.start
    typed = text[start : place.offset]
    return Offered(
        ordered(found, typed, asked.habits(found).cost if found else None), start, max(place.end, place.offset)
    )


def habits_at(space: Workspace, name: str, offset: int) -> tuple[Habits, int] | None:
    """What is likely at an offset, and where what is replaced begins; None where nothing is offered."""
    text = space.text(name)
    place = place_at(text, offset)
    if place.role == "none":
        return None
    asked = _Asked(space, name, text, place, held_at(place.way, place.around))
    found = list(asked.items())
    return (asked.habits(found), asked.start) if found else None


class _Asked:
    """One question: a place, what may stand there, and the game around it."""

    def __init__(self, space: Workspace, name: str, text: str, place: Place, held: Held) -> None:
        self.space, self.name, self.text, self.place, self.held = space, name, text, place, held
        self.game: Game | None = space.game_of(name)
        self.start = place.start
        self._declared: Declared | None = None

    @property
    def declared(self) -> Declared | None:
        """What the game declares, as far as it can be read now."""
        if self._declared is None and self.game is not None:
            self._declared = self.game.declared(self.game.variants_at(self.hole, self.place.way), self.hole)
        return self._declared

    @cached_property
    def hole(self) -> tuple[str, str]:
        """The file without what is being typed: it stays the same from one character to the next."""
        word = "" if self.place.role == "key" else HOLE
        return self.name, text_with_hole(self.text, self.place, word)

    def habits(self, items: Sequence[Item]) -> Habits:
        """What is likely here, of what may stand here; what is typed by now does not count."""
        text = self.text[: self.start] + self.text[max(self.place.end, self.place.offset) :]
        others = [other for other in self.game.files if other != self.name] if self.game is not None else []
        entries = entries_of(text)
        here = [usage_of(entry.section, entry.text) for entry in entries]
        elsewhere = [self.space.usage(other) for other in others]
        topics = [self.space.topics(other) for other in others] if self.group == "reference" else []
        return Habits(Around(text, entries, self.start, self.group, here, elsewhere, topics), items)

    @property
    def group(self) -> str:
        """What kind of place it is, as its weights are kept."""
        shapes = self.held.shapes
        if self.place.role == "key":
            return "key"
        if any(isinstance(shape, Text) for shape in shapes) and placeholder(self.place.typed) is None:
            return "move"
        if any(isinstance(shape, Name) for shape in shapes):
            return "reference"
        return "expression" if any(isinstance(shape, (Expression, Data, Text)) for shape in shapes) else "key"

    def items(self) -> Iterator[Item]:
        """Everything that may stand here, in no order yet."""
        place = self.place
        if place.role in ("key", "item"):
            yield from self._keys()
        if place.role in ("value", "item"):
            for shape in self.held.shapes:
                yield from self._values(shape)

    # ---- keys ----

    def _keys(self) -> Iterator[Item]:
        keys = self.place.around[len(self.place.way)] if len(self.place.around) > len(self.place.way) else ()
        typed = self.place.typed.lstrip("\"'")
        for shape in self.held.shapes:
            is_dotted = isinstance(shape, MapOf) and shape.key.id in _DOTTED
            if is_dotted and "." in typed:
                self.start = self.place.first
            if isinstance(shape, (Use, MapOf, Data)) and (is_dotted or not typed or typed.isidentifier()):
                yield from keys_for(self, shape, keys)

    # ---- values ----

    def _values(self, shape: Shape) -> Iterator[Item]:
        match shape:
            case Word():
                yield from (Item(word, "word", meaning=meaning) for word, meaning in shape.words)
            case Boolean():
                yield from (Item(word, "word", "boolean") for word in ("true", "false"))
            case Name():
                yield from self._named()
            case Expression() | Data():
                yield from self._expression(shape)
            case Type():
                yield from self._type()
            case Text():
                yield from self._text_value(shape)

    def sections(self) -> Iterator[str]:
        """The sections that the game's files have."""
        for file in self.game.read(self.hole) if self.game is not None else ():
            yield from file.tree.keys() if file.tree is not None else ()

    def texts(self) -> Iterator[tuple[Scalar, Node]]:
        """The messages in all files of the game, each as often as it is written."""
        for file in self.game.read(self.hole) if self.game is not None else ():
            yield from pairs_of(file.tree.get("messages")) if file.tree is not None else ()

    def _named(self) -> Iterator[Item]:
        record, field = self.held.record, self.held.field
        at = (record.name if record is not None else "", field.name if field is not None else "")
        kind = OFFERED.get(at) or REFERS.get(at)
        known = self.known()
        if kind is None or known is None:
            return
        if kind in ("paths", "changed", "moments", "zones", "tracks", "codes"):
            self.start = self.place.first + (self.place.typed[:1] in "\"'" and bool(self.place.typed))
        yield from names_of(kind, known)

    def known(self) -> Known | None:
        """What names are looked for in."""
        if self.game is None or self.declared is None:
            return None
        variants = self.game.variants
        games = tuple(game.home.rpartition("/")[2] for game in self.space.games)
        return Known(self.declared.tree, self.declared.context.world, self.place, variants, games)

    def _type(self) -> Iterator[Item]:
        if self.declared is not None:
            before = unquoted_start(self.place.typed)
            yield from types_at(before[: len(before) - len(self.place.word)], self.declared.context.world)

    # ---- expressions ----

    def _expression(self, shape: Expression | Data) -> Iterator[Item]:
        if self.game is None:
            return
        site = site_at(self.game, self.name, self.place)
        if site is None and self.declared is not None:
            site = Site(Scope(self.declared.context.world, {}), None)
        if site is not None:
            before = unquoted_start(self.place.typed)
            after = _unquoted_end(self.text[self.place.end : max(self.place.last, self.place.end)], self.place.style)
            expects = shape.expects if isinstance(shape, Expression) else ""
            site = site if site.want is not None else replace(site, want=EXPECTED.get(expects))
            yield from expression_items(site, before, after, self.place.word, self.game, source=expects in MANY)
            if before == self.place.word:
                yield from words_expected(expects, site.scope.world)

    # ---- texts ----

    def _text_value(self, shape: Text) -> Iterator[Item]:
        typed = self.place.typed
        inside = placeholder(typed)
        if inside is not None:
            site = self._site_of_text()
            if site is not None:
                rest = self.text[self.place.end : self.place.last]
                after = rest[: rest.index("}")] if "}" in rest.partition("{")[0] else ""
                yield from expression_items(site, inside, after, self.place.word, self.game)
        elif not shape.sentence:
            yield from self._short_text()

    def _site_of_text(self) -> Site | None:
        way = self.place.way
        if self.game is None or self.declared is None:
            return None
        if way[0] == "messages" and len(way) > 1:
            found = message_site(self.game, self.name, str(way[1]), self.hole)
            if found is not None:
                return found
        return Site(Scope(self.declared.context.world, {}, constant=True), None)

    def _short_text(self) -> Iterator[Item]:
        record, field, known = self.held.record, self.held.field, self.known()
        if record is None or known is None:
            return
        if record.name in ("move", "refusal"):
            self.start = self.place.start
            yield from move_items(known, self.place)
            return
        at = (record.name, field.name if field is not None else "")
        kind = OFFERED.get(at) or REFERS.get(at)
        if kind is not None:
            yield from names_of(kind, known)


def expression_items(
    site: Site, before: str, after: str, word: str, game: Game | None, *, source: bool = False
) -> Iterator[Item]:
    """What may stand in an expression: `before` is its text up to the position, which ends with the typed `word`.

    `source`: the whole of it is what is gone through. The loops of the `game` say what one that follows may be.
    """
    head = before[: len(before) - len(word)]
    wanted = wanted_after(head)
    if wanted is None:  # something before is wrong: what is being typed is looked at by itself
        bracket = _BRACKETED.search(head)
        head = bracket.group()[1:] if bracket is not None else ""
        head = head.rpartition(",")[2]
        wanted = wanted_after(head) or frozenset({"INT"})
    yield from _keywords(wanted)
    if not wanted & {"INT", "MEMBER", "NAME"}:
        return
    e = parsed_with_hole(head, after)
    hole = hole_in(e) if e is not None else None
    if e is None or hole is None:
        if "INT" in wanted:
            yield from names_at(site, None)
        return
    loops = game.loops() if game is not None else ()
    seen = looked_at(site, e, game.runs() if game is not None else None)
    if "MEMBER" in wanted:
        yield from members_at(e, seen, site)
        yield from members_of_loops(e, site.scope.world, loops)
    elif "INT" in wanted:
        yield from names_at(site, seen.get(id(hole)), source=is_source(e) or (source and e is hole))
        yield from rows_at(e, site.scope.world)
        yield from loops_at(e, loops)
    else:
        yield from labels_at(e, site.scope.world)


def _keywords(wanted: frozenset[str]) -> Iterator[Item]:
    for terminal in _KEYWORDS:
        is_prefix = "INT" in wanted
        if terminal in wanted and not (is_prefix and terminal == "NOT"):  # which is among the words that begin a value
            yield Item(terminal.lower(), "word", rank=5 if is_prefix else 0)


def placeholder(typed: str) -> str | None:
    """What stands between the last open brace and the position; None where there is none."""
    opened: int | None = None
    for found in _BRACE.finditer(typed):
        if found.group() == "{":
            opened = found.end()
        elif found.group() == "}" or found.group() == "{{":
            opened = None
    return None if opened is None else typed[opened:]


def unquoted_start(typed: str) -> str:
    """An expression's text without the quote, or the mark of a block, before it."""
    if typed[:1] in ("|", ">"):
        return typed.partition("\n")[2]
    return typed[1:] if typed[:1] in ('"', "'") else typed


def _unquoted_end(rest: str, style: str) -> str:
    if style in ("single", "double") and rest.rstrip().endswith(("'", '"')):
        return rest.rstrip()[:-1]
    return rest
