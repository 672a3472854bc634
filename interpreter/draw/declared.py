"""What the content says about drawing: which kinds of sites stand where, and what is shown at each site."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.draw.computed import Cells, computed, lowered
from interpreter.draw.looks import PLAIN, Looks, looks_of
from interpreter.sight import holds_pieces
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.lower.context import Context
from rulespec.lower.domains import over_rows
from rulespec.lower.drawings import CORNERS, PORT, SIDES, joined_nodes, shown_nodes
from rulespec.lower.expressions import lower
from rulespec.lower.ir import CallIr, Ir, ZoneIr, walk_ir
from rulespec.lower.make import as_value, zone_at
from rulespec.messages.lowering import text_scope
from rulespec.model.groups import kinds_in
from rulespec.model.types import (
    BOOLEAN,
    INTEGER,
    PLAYER,
    ListType,
    Member,
    Optional,
    Piece,
    Type,
    Unknown,
    Zone,
    strip,
)
from rulespec.model.world import Domain, ZoneDecl
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from interpreter.game import Game

SMALL_WIDTH = 3
MOST_PORTS = 4


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is shown at each site of a kind.

    `value` gives it for a state and a site: for a zone (other than a slot) the number of its place, else a value of
    `type`, which for a slot is its piece or none.
    """

    type: Type
    zone: ZoneDecl | None
    value: Callable[[Cells, int], Any]
    mentions: frozenset[str] = frozenset()
    """The keys of all zones that it is computed from."""
    secret: bool = False
    """Whether it tells something of pieces that not everybody sees, other than by showing a piece."""


@dataclass(frozen=True, slots=True)
class Strokes:
    """The lines of a picture: between which ports there is one, for a state and a site or piece."""

    ports: int
    joins: tuple[tuple[int, Callable[[Cells, int], Any]], ...]
    double: Callable[[Cells, int], Any] | None
    mentions: frozenset[str] = frozenset()
    secret: bool = False

    def pairs(self, cells: Cells, at: int) -> tuple[tuple[int, int], ...]:
        """The ports that are joined, each pair once; a line from or to no port is none."""
        last = SIDES * self.ports + CORNERS - 1
        found: dict[frozenset[int], tuple[int, int]] = {}
        for port, other in ((port, join(cells, at)) for port, join in self.joins):
            if other is not None and 0 <= other <= last and other != port:
                found.setdefault(frozenset({port, other}), (port, other))
        return tuple(found.values())

    def is_double(self, cells: Cells, at: int) -> bool:
        """Whether the lines are drawn double."""
        return self.double is not None and self.double(cells, at) == 1


@dataclass(frozen=True, slots=True)
class Form:
    """The size that a site, or a piece, is drawn in: by each site; with what is shown there line by line."""

    sizes: tuple[tuple[int, int], ...]
    rows: tuple[tuple[Item, ...], ...]
    framed: tuple[bool, ...]
    strokes: Strokes | None


@dataclass(frozen=True, slots=True)
class DrawnKind:
    """A kind of sites that is drawn.

    `places` holds column and row of each site, or nothing where `beside` says whose it is. `width` is declared, or
    None. A *small* site is drawn as its content alone, in one line; one with a `form` in just that size; any other as
    a box with a title.
    """

    domain: Domain
    places: tuple[tuple[int, int], ...]
    width: int | None
    items: tuple[Item, ...]
    small: bool
    form: Form | None = None
    beside: tuple[int, ...] | None = None
    looks: Looks = PLAIN
    pictured: tuple[tuple[int, int], ...] = ()
    """The size of each site in pictures, where that is another one than in text."""


@dataclass(frozen=True, slots=True)
class Board:
    """Kinds that are drawn on one picture, and the key of the message that stands above it."""

    title: str
    kinds: tuple[DrawnKind, ...]

    def __iter__(self) -> Iterator[DrawnKind]:
        return iter(self.kinds)


@dataclass(frozen=True, slots=True)
class Drawings:
    """All drawing declarations of a game. Pieces that have a picture, or an icon, are found by their kind."""

    boards: tuple[Board, ...]
    beside: tuple[DrawnKind, ...]
    pictures: dict[str, Form]
    figures: dict[str, Looks]
    icons: dict[str, str]
    """By the character that they stand for in pictures."""

    def kinds(self) -> Iterator[DrawnKind]:
        """All kinds of sites that are drawn."""
        yield from (kind for board in self.boards for kind in board)
        yield from self.beside

    def zones(self) -> set[str]:
        """The keys of the zones that the drawing shows."""
        shown = {key for kind in self.kinds() for item in kind.items for key in item.mentions}
        drawn = [kind.form.strokes for kind in self.kinds() if kind.form is not None]
        return shown.union(*(strokes.mentions for strokes in drawn if strokes is not None))


def drawings(game: Game) -> Drawings:
    """What the content says about drawing. Raises ContentError for a faulty declaration."""
    context, problems = game.built.context, Problems()
    kept = context.problems, game.world.problems
    context.problems = game.world.problems = problems
    try:
        boards = [Board(title, tuple(_drawn(game, context, names))) for title, names in _groups(context)]
        pictures, figures = dict(_pictures(game, context)), dict(_figures(game, context))
    finally:
        context.problems, game.world.problems = kept
    if problems.has_errors:
        raise ContentError(problems.items)
    on_boards = [Board(b.title, tuple(kind for kind in b if kind.beside is None)) for b in boards]
    beside = tuple(kind for board in boards for kind in board if kind.beside is not None)
    icons = {key.text: node.text for key, node in context.section("icons") if isinstance(node, Scalar)}
    return Drawings(tuple(board for board in on_boards if board.kinds), beside, pictures, figures, icons)


def _groups(context: Context) -> Iterator[tuple[str, list[str]]]:
    """What stands above each picture, and the names of the kinds that are drawn on it."""
    for group, board in context.section("boards"):
        yield f"board.{group.text}", [key.text for key, _ in kinds_in(board)]
    for key, track in context.section("tracks"):
        space = track.get("space") if isinstance(track, Mapping) else None
        if isinstance(space, Scalar):
            yield f"state.{key.text}", [space.text]


def _drawn(game: Game, context: Context, names: list[str]) -> Iterator[DrawnKind]:
    for name in names:
        domain = game.world.domains.get(name)
        if domain is not None and isinstance(domain.draw, Mapping) and domain.size:
            kind = _kind(game, context, domain, domain.draw)
            if kind is not None:
                yield kind


def _kind(game: Game, context: Context, domain: Domain, draw: Mapping) -> DrawnKind | None:
    rows = _rows(game, context, domain, draw)
    items = tuple(item for row in rows for item in row)
    if (whose := draw.get("beside")) is not None:
        owners = _each(context, domain, whose, Optional(PLAYER))
        return None if owners is None else DrawnKind(domain, (), None, items, True, None, tuple(owners))
    places = _places(context, domain, draw)
    if places is None:
        return None
    form = _form(game, context, domain, draw, rows)
    widths = _numbers(context, domain, draw.get("width"))
    width = None if widths is None else max(widths)
    named = any(name is not None for name in domain.members)
    small = width is not None or (not named and len(items) <= 1)
    looks = looks_of(game, context, domain.name, Member(domain.name), draw)
    pictured = _pictured_sizes(context, domain, draw, form)
    return DrawnKind(domain, places, width, items, small, form, None, looks, pictured)


def _places(context: Context, domain: Domain, draw: Mapping) -> tuple[tuple[int, int], ...] | None:
    columns = _numbers(context, domain, draw.get("x"))
    rows = _numbers(context, domain, draw.get("y"))
    return None if columns is None or rows is None else tuple(zip(columns, rows, strict=True))


def _numbers(context: Context, domain: Domain, node: Node | None) -> list[int] | None:
    return None if node is None else _each(context, domain, node, INTEGER)


def _each(context: Context, domain: Domain, node: Node, want: Type) -> list[int] | None:
    """An expression's value for each site; None after a report."""
    found = over_rows(context, domain, node, want)
    if found is None:
        return None
    values = [found(i) for i in range(domain.size)]
    return None if any(value is None for value in values) else [int(value) for value in values]


# ---- sizes and lines --------------------------------------------------------------------------------


def _form(
    game: Game, context: Context, domain: Domain, draw: Mapping, rows: tuple[tuple[Item, ...], ...]
) -> Form | None:
    strokes = _strokes(game, context, domain.name, Member(domain.name), draw)
    in_lines = any(isinstance(item, Sequence) for item in context.steps(draw.get("shows")))
    if strokes is None and not in_lines and draw.get("height") is None and draw.get("frame") is None:
        return None
    wide, high = _needs(strokes)
    rim = 0 if draw.get("frame") is None else 2
    widths = _numbers(context, domain, draw.get("width")) or [max(wide, SMALL_WIDTH + rim)] * domain.size
    heights = _numbers(context, domain, draw.get("height")) or [max(high, len(rows) + rim)] * domain.size
    frame = draw.get("frame")
    framed = [0] * domain.size if frame is None else _each(context, domain, frame, BOOLEAN) or [0] * domain.size
    return Form(_sizes(widths, heights), rows, tuple(value == 1 for value in framed), strokes)


def _pictured_sizes(context: Context, domain: Domain, draw: Mapping, form: Form | None) -> tuple[tuple[int, int], ...]:
    """The sizes in pictures of a kind that has sizes of its own."""
    fields = draw.get("picture_width"), draw.get("picture_height")
    if form is None or fields == (None, None):
        return ()
    own = [list(axis) for axis in zip(*form.sizes, strict=True)]
    wide, high = (_numbers(context, domain, node) or size for node, size in zip(fields, own, strict=True))
    return _sizes(wide, high)


def _needs(strokes: Strokes | None) -> tuple[int, int]:
    """The size in which the lines of a picture have room."""
    return (1, 1) if strokes is None else (4 * strokes.ports + 1, 2 * strokes.ports + 1)


def _sizes(widths: list[int], heights: list[int]) -> tuple[tuple[int, int], ...]:
    return tuple(zip(widths, heights, strict=True))


def _strokes(game: Game, context: Context, name: str, of: Type, draw: Mapping) -> Strokes | None:
    ports = context.integer(draw.get("ports"), 0)
    if not ports:
        return None
    double = draw.get("double")
    ends = [(port, lowered(game, context, name, of, node, PORT)) for _, port, node in joined_nodes(draw)]
    strokes = [(port, ir) for port, ir in ends if ir is not None]
    whether = None if double is None else lowered(game, context, name, of, double, BOOLEAN)
    every = [ir for _, ir in strokes] + ([] if whether is None else [whether])
    return Strokes(
        min(ports, MOST_PORTS),
        tuple((port, computed(game, name, ir)) for port, ir in strokes),
        None if whether is None else computed(game, name, whether),
        _mentioned(game, every),
        any(game.knowledge.secrets.is_secret(ir) for ir in every),
    )


def _pictures(game: Game, context: Context) -> Iterator[tuple[str, Form]]:
    """The kinds of pieces that have a picture."""
    for key, node in context.section("pieces"):
        draw = node.get("draw") if isinstance(node, Mapping) else None
        if isinstance(draw, Mapping) and key.text in game.world.pieces:
            strokes = _strokes(game, context, key.text, Piece(key.text), draw)
            if strokes is None:  # an icon alone
                continue
            wide, high = _needs(strokes)
            size = _sizes([context.integer(draw.get("width"), wide)], [context.integer(draw.get("height"), high)])
            yield key.text, Form(size, (), (False,), strokes)


def _figures(game: Game, context: Context) -> Iterator[tuple[str, Looks]]:
    """The kinds of pieces that have an icon."""
    for key, node in context.section("pieces"):
        draw = node.get("draw") if isinstance(node, Mapping) else None
        if isinstance(draw, Mapping) and draw.get("icon") is not None and key.text in game.world.pieces:
            yield key.text, looks_of(game, context, key.text, Piece(key.text), draw)


# ---- what is shown ----------------------------------------------------------------------------------


def _rows(game: Game, context: Context, domain: Domain, draw: Mapping) -> tuple[tuple[Item, ...], ...]:
    """What is shown, line by line."""
    rows = [[item for node in line if (item := _shown(game, context, domain, node))] for line in shown_nodes(draw)]
    if domain.form == "track":
        rows[-1] += list(_markers(game, domain))
    elif draw.get("shows") is None:
        rows = [[_item(game, domain, ir) for ir in _what_lies_there(game, domain)]]
    return tuple(tuple(row) for row in rows)


def _shown(game: Game, context: Context, domain: Domain, node: Node) -> Item | None:
    expression = context.expr(node)
    if expression is None:
        return None
    ir = lower(_scope(game, domain), expression)
    return None if isinstance(ir.type, Unknown) else _item(game, domain, as_value(game.world, ir))


def _markers(game: Game, domain: Domain) -> Iterator[Item]:
    """Whose markers stand on a space of a track."""
    for var in game.world.states.values():
        if strip(var.type) == Member(domain.name) and var.domain is not None:
            base, n = game.facts.layout.regions[var.key], game.world.domains[var.domain].size
            yield Item(ListType(Member(var.domain), n), None, _standing(base, n))


def _standing(base: int, n: int) -> Callable[[Cells, int], Any]:
    return lambda cells, site: [i for i in range(n) if cells[base + i] == site]


def _scope(game: Game, domain: Domain) -> Any:
    return text_scope(game.world, {domain.name: Member(domain.name)})


def _what_lies_there(game: Game, domain: Domain) -> list[Ir]:
    """All zones of the kind."""
    row = _scope(game, domain).names[domain.name]
    keys = [zone.key for zone in game.world.zones.values() if zone.domain == domain.name]
    return [as_value(game.world, zone_at(game.world, key, row)) for key in keys]


def _item(game: Game, domain: Domain, ir: Ir) -> Item:
    inner = strip(ir.type)
    zone = game.world.zones[inner.key] if isinstance(inner, Zone) else None
    secret = zone is None and not holds_pieces(ir.type) and game.knowledge.secrets.is_secret(ir)
    return Item(ir.type, zone, computed(game, domain.name, ir), _mentioned(game, [ir]), secret)


def _mentioned(game: Game, expressions: Iterable[Ir]) -> frozenset[str]:
    """The keys of the zones that expressions read, also by way of functions."""
    found: set[str] = set()
    called: set[str] = set()
    waiting = list(expressions)
    while waiting:
        for part in walk_ir(waiting.pop()):
            if isinstance(part, ZoneIr):
                found.add(part.zone)
            elif isinstance(part, CallIr) and part.function not in called:
                called.add(part.function)
                body = game.world.functions[part.function].body
                waiting += [] if body is None else [body]
    return frozenset(found)
