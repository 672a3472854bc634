"""Which declaration the name at a position means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_span
from rulespec.expr.walk import parts
from rulespec.lower.ir import Const
from rulespec.lower.scope import Scope
from rulespec.model.shapes import Data, Expression, MapOf, Name, Text, Use
from rulespec.model.shapes import Type as TypeShape
from rulespec.model.types import Member, Piece, Type, Unknown, Zone, strip
from rulespec.model.world import World
from rulespec.overlay.paths import Found, find
from rulespec.service.files_read import DEEP, union
from rulespec.service.game import Game, Site
from rulespec.service.place import Place, place_at
from rulespec.service.reading import pairs_of
from rulespec.service.referred import REFERS
from rulespec.service.scopes import Seen, looked_at, message_site, site_at
from rulespec.service.shape_at import Held, held_at
from rulespec.service.symbols import PLAIN, Declaration, Symbol, alone, declared_in, kept_under
from rulespec.service.workspace import Workspace
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar


@dataclass(frozen=True, slots=True)
class Meant:
    """A name at a position: the stretch that it takes, what it is, and for a value its type."""

    start: int
    end: int
    symbol: Symbol | None
    type: Type | None = None
    value: Const | None = None
    world: World | None = None


def declarations(game: Game) -> Iterator[Declaration]:
    """All that a game and its variants declare, in the order of the files."""
    for file in game.read():
        if file.tree is not None:
            yield from declared_in(file.tree)


def meant_at(space: Workspace, name: str, offset: int) -> Meant | None:
    """What the name at an offset means; None where there is no name, or nothing is known of it."""
    game, text = space.game_of(name), space.text(name)
    place = place_at(text, offset)
    if game is None or place.role == "none" or place.start == place.end:
        return None
    own = _declared_here(game, name, place)
    if own is not None:
        return own
    held = held_at(place.way, place.around)
    if place.role == "key":
        return _key(game, name, place, held)
    for shape in held.shapes:
        found = None
        if isinstance(shape, (Expression, Data)):
            found = _in_expression(game, name, place, (place.first, place.last), _site(game, name, place))
        elif isinstance(shape, Text):
            found = _in_text(game, name, place)
        elif isinstance(shape, (Name, TypeShape)):
            found = _named(game, name, place, held, is_type=isinstance(shape, TypeShape))
        if found is not None:
            return found
    return None


def _declared_here(game: Game, name: str, place: Place) -> Meant | None:
    """The name of a declaration, where it is declared."""
    tree = game.space.file(name).tree
    for each in declared_in(tree) if tree is not None else ():
        span = each.key.content
        if span.start <= place.offset <= span.end:
            return Meant(span.start, span.end, each.symbol)
    return None


def _key(game: Game, name: str, place: Place, held: Held) -> Meant | None:
    """A key that names something: a counter, an option, an attribute, a seat, a place of a scenario."""
    way = [str(step) for step in place.way]
    word = game.space.text(name)[place.start : place.end]
    for shape in held.shapes:
        if isinstance(shape, MapOf) and way[-1:] == ["options"]:
            return Meant(place.start, place.end, Symbol("options", word))
        if isinstance(shape, MapOf) and way[-1:] in (["gain"], ["pay"]):
            return Meant(place.start, place.end, Symbol("state", f"player.{word}"))
        if isinstance(shape, MapOf) and way[-1:] == ["given"]:
            frame = _site(game, name, place)
            return _in_expression(game, name, place, (place.first, place.last), frame)
        if isinstance(shape, Use) and shape.record in ("enum_value", "site_row", "piece_row") and len(way) > 1:
            owner = way[2] if way[0] == "boards" and len(way) > 2 else way[1]
            return Meant(place.start, place.end, Symbol("attributes", f"{owner}.{word}"))
        if isinstance(shape, Use) and shape.record == "move":
            return Meant(place.start, place.end, Symbol("members", f"player.{word}"))
    return None


def _site(game: Game, name: str, place: Place) -> Site | None:
    """The names at a place; where the lowering does not come there, what is declared."""
    frame = game.frame(game.variants_of(name))
    return site_at(game, name, place) or (None if frame is None else Site(Scope(frame.context.world, {}), None))


# ---- in expressions --------------------------------------------------------------------------------------------------


def _in_text(game: Game, name: str, place: Place) -> Meant | None:
    text = game.space.text(name)
    start = text.rfind("{", place.first, place.start) + 1
    end = text.find("}", place.end, place.last)
    if start <= 0 or end < 0 or "}" in text[start : place.start]:
        return _option_of_move(game, name, place)
    frame = game.frame(game.variants_of(name))
    site = message_site(game, name, str(place.way[1])) if place.way[0] == "messages" and len(place.way) > 1 else None
    if site is None and frame is not None:
        site = Site(Scope(frame.context.world, {}, constant=True), None)
    return _in_expression(game, name, place, (start, end), site)


def _option_of_move(game: Game, name: str, place: Place) -> Meant | None:
    """A word of an option's key: an action, or a member."""
    frame = game.frame(game.variants_of(name))
    word = game.space.text(name)[place.start : place.end]
    if frame is None or place.way[:1] != ("scenarios",):
        return None
    return _bare(frame.context.world, word, None, place.start, place.end)


def _in_expression(game: Game, name: str, place: Place, stretch: tuple[int, int], site: Site | None) -> Meant | None:
    if site is None:
        return None
    start, end = stretch
    text = game.space.text(name)
    if text[start : start + 1] in ("|", ">"):
        start = text.find("\n", start, end) + 1 or start
    elif text[start : start + 1] in ("'", '"'):
        start, end = start + 1, end - (text[end - 1 : end] == text[start])
    e = parse_span(Span(SourceFile.of(name, text), start, max(start, end)), Problems())
    if e is None:
        return None
    seen = looked_at(site, e)
    for part in parts(e):
        if isinstance(part, ast.Get) and part.name_span.start <= place.offset <= part.name_span.end:
            return _after_dot(site, part, seen)
        if isinstance(part, ast.Name) and part.span.start <= place.offset <= part.span.end:
            known = seen.get(id(part))
            scope = known.scope if known is not None else site.scope
            if part.name in scope.names or (part.name in ("me", "active") and known is not None):
                at = known or Seen(scope, None, scope.names[part.name])
                return _of_seen(part.span, None, at, scope.world)
            found = _bare(scope.world, part.name, known.made.type if known else None, part.span.start, part.span.end)
            return found if known is None or found is None else _of_seen(part.span, found.symbol, known, scope.world)
    return None


def _of_seen(span: Span, symbol: Symbol | None, seen: Seen | None, world: World) -> Meant:
    made = seen.made if seen is not None else None
    value = made if isinstance(made, Const) and not isinstance(made.type, Unknown) else None
    return Meant(span.start, span.end, symbol, made.type if made is not None else None, value, world)


def _after_dot(site: Site, e: ast.Get, seen: dict[int, Seen]) -> Meant | None:
    whole = seen.get(id(e))
    scope = whole.scope if whole is not None else site.scope
    w = scope.world
    if isinstance(e.of, ast.Name) and e.of.name not in scope.names:
        if e.of.name == "option":
            return _of_seen(e.name_span, Symbol("options", e.name), whole, w)
        if e.of.name == "box":
            return _of_seen(e.name_span, Symbol("kinds", e.name), whole, w)
        if e.of.name in w.domains and e.name in w.domains[e.of.name].members:
            return _of_seen(e.name_span, Symbol("members", f"{e.of.name}.{e.name}"), whole, w)
    of = seen.get(id(e.of))
    symbol = _member_of(w, strip(of.made.type), e.name) if of is not None else None
    return _of_seen(e.name_span, symbol, whole, w)


def _member_of(w: World, t: Type, name: str) -> Symbol | None:
    """What is read of a value of a type after a dot."""
    if isinstance(t, Zone):
        t = Piece(w.zones[t.key].holds)
    owner = t.domain if isinstance(t, Member) else t.kind if isinstance(t, Piece) else ""
    key = f"{owner}.{name}"
    kept = kept_under(w, key)
    if kept is not None:
        return kept
    if isinstance(t, Member) and name in w.domains[t.domain].relations:
        return Symbol("relations", key)
    return Symbol("attributes", key) if owner else None


def _bare(w: World, name: str, t: Type | None, start: int, end: int) -> Meant | None:
    """What a name means that is no local one."""
    symbol: Symbol | None = None
    homes = w.members.get(name, [])
    if isinstance(t, Member) and any(home == t.domain for home, _ in homes):
        symbol = Symbol("members", f"{t.domain}.{name}")
    elif (declared := alone(w, name)) is not None:
        symbol = declared
    elif name in w.events:
        symbol = Symbol("events", name)
    elif len(homes) == 1:
        symbol = Symbol("members", f"{homes[0][0]}.{name}")
    return None if symbol is None else Meant(start, end, symbol, world=w)


# ---- names in fields -------------------------------------------------------------------------------------------------

#: The kinds of symbols that names of a kind of field stand for.
SECTIONS = {
    **{name: name for name in PLAIN},
    "domains": "kinds",
    "kinds": "kinds",
    "kinds_to_choose": "kinds",
    "pieces": "kinds",
    "variants": "variants",
}

#: Kinds of declarations whose keys name their owners before a dot.
OWNED = frozenset({"zones", "state", "tracks", "relations"})

_PART_END = re.compile(r"(?<=\])|[.\[]")


def _named(game: Game, name: str, place: Place, held: Held, *, is_type: bool) -> Meant | None:
    text = game.space.text(name)
    word = text[place.start : place.end]
    if is_type:
        return Meant(place.start, place.end, Symbol("kinds", word))
    kind = REFERS.get((held.record.name if held.record else "", held.field.name if held.field else ""), "")
    if kind == "paths":
        return _in_path(game, text, place)
    if kind in ("zones", "tracks"):
        return Meant(place.first, place.last, Symbol(kind, text[place.first : place.last]))
    if kind == "seats":
        return Meant(place.start, place.end, Symbol("members", f"player.{word}"))
    section = SECTIONS.get(kind)
    return None if section is None else Meant(place.start, place.end, Symbol(section, word))


def _in_path(game: Game, text: str, place: Place) -> Meant | None:
    """A part of a path: the declaration to which the path leads there, or the owner that is named in its key."""
    whole = union((file.tree for file in game.read() if file.tree is not None), DEEP)
    first = place.first + (text[place.first : place.first + 1] in ("'", '"'))
    ends = [place.end + found.start() for found in _PART_END.finditer(text[place.end : place.last])]
    paths = (
        text[first:end] for end in (*ends, place.last)
    )  # a key may hold dots: the shortest path that leads somewhere
    led = (find(whole, path.rstrip("\"'")) for path in paths) if whole is not None else iter(())
    found = next((each for each in led if isinstance(each, Found)), None)
    if found is None:
        return None
    at = found.key.file.name, found.key.start
    named = (each.symbol for each in declarations(game) if (each.key.span.file.name, each.key.span.start) == at)
    return _in_key(next(named, None), text[place.start : place.end], place)


def _in_key(symbol: Symbol | None, word: str, place: Place) -> Meant | None:
    """What a word means in a path that leads to a declaration."""
    if symbol is None or word not in symbol.name.split("."):
        return None
    is_owner = symbol.kind in OWNED and word != symbol.last
    return Meant(place.start, place.end, Symbol("kinds", word) if is_owner else symbol)


def local_place(game: Game, name: str, place: Place, word: str) -> Scalar | None:
    """Where a name of the steps around a place is bound: the nearest before it in its declaration."""
    tree = game.space.file(name).tree
    node = tree.get(str(place.way[0])) if tree is not None and place.way else None
    if isinstance(node, Mapping) and len(place.way) > 1:
        node = node.get(str(place.way[1])) or node
    return _bound_before(node, word, place.offset)


def place_of_message(game: Game, key: str, word: str) -> Scalar | None:
    """Where a name that a message sees is bound: in the declaration by whose name the message goes."""
    name = key.removeprefix("drawn.").removeprefix("event.").partition(".")[0]
    for each in declarations(game):
        if each.symbol.kind in ("actions", "effects", "triggers", "events") and each.symbol.name == name:
            own = pairs_of(each.node) if each.symbol.kind == "events" else ()
            found = next((field for field, _ in own if field.text == word), None)
            found = found or _bound_before(each.node, word, each.node.span.end if each.node is not None else 0)
            if found is not None:
                return found
    return None


def _bound_before(node: Node | None, word: str, offset: int) -> Scalar | None:
    """The last place before an offset where steps bind a name."""
    found: Scalar | None = None
    waiting = [node] if node is not None else []
    while waiting:
        at = waiting.pop()
        for key, value in pairs_of(at):
            is_binding = key.text in ("choose", "for_each", "let", "params", "each", "as")
            names = [value] if isinstance(value, Scalar) else [k for k, _ in pairs_of(value)]
            for each in names if is_binding else ():
                is_nearer = found is None or each.span.start > found.span.start
                if each.text == word and each.span.start <= offset and is_nearer:
                    found = each
            waiting.append(value)
        waiting += list(getattr(at, "items", ()))
    return found
