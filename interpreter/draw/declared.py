"""What the content says about drawing: which kinds of sites stand where, and what is shown at each site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.executor.expressions import Source
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.lower.context import Context
from rulespec.lower.domains import over_rows
from rulespec.lower.expressions import lower
from rulespec.lower.ir import Ir
from rulespec.lower.make import as_value, zone_at
from rulespec.messages.lowering import text_scope
from rulespec.model.types import INTEGER, Member, Type, Unknown, Zone, strip
from rulespec.model.world import Domain, ZoneDecl
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from interpreter.game import Game

Cells = list[Any]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is shown at each site of a kind.

    `value` gives it for a state and a site: for a zone (other than a slot) the number of its place, else a value of
    `type`, which for a slot is its piece or none.
    """

    type: Type
    zone: ZoneDecl | None
    value: Callable[[Cells, int], Any]


@dataclass(frozen=True, slots=True)
class DrawnKind:
    """A kind of sites that is drawn.

    `places` holds column and row of each site. `width` is declared, or None. A *small* site is drawn as its content
    alone, in one line; any other as a box with a title.
    """

    domain: Domain
    places: tuple[tuple[int, int], ...]
    width: int | None
    items: tuple[Item, ...]
    small: bool


Board = tuple[DrawnKind, ...]


def drawn_boards(game: Game) -> list[Board]:
    """The boards that have something to draw, each with its kinds. Raises ContentError for a faulty declaration."""
    context, problems = game.built.context, Problems()
    kept = context.problems, game.world.problems
    context.problems = game.world.problems = problems
    try:
        boards = [tuple(_drawn(game, context, names)) for names in _groups(context)]
    finally:
        context.problems, game.world.problems = kept
    if problems.has_errors:
        raise ContentError(problems.items)
    return [board for board in boards if board]


def shown_zones(boards: list[Board]) -> set[str]:
    """The keys of the zones that the drawing shows."""
    items = [item for board in boards for kind in board for item in kind.items]
    slots = {key for item in items if (key := getattr(strip(item.type), "zone", None)) is not None}
    return slots | {item.zone.key for item in items if item.zone is not None}


def _groups(context: Context) -> Iterator[list[str]]:
    """The names of the kinds that are drawn together."""
    for _, board in context.section("boards"):
        if isinstance(board, Mapping):
            yield [key.text for key, _ in board.pairs]
    for _, track in context.section("tracks"):
        space = track.get("space") if isinstance(track, Mapping) else None
        if isinstance(space, Scalar):
            yield [space.text]


def _drawn(game: Game, context: Context, names: list[str]) -> Iterator[DrawnKind]:
    for name in names:
        domain = game.world.domains.get(name)
        if domain is not None and isinstance(domain.draw, Mapping) and domain.size:
            kind = _kind(game, context, domain, domain.draw)
            if kind is not None:
                yield kind


def _kind(game: Game, context: Context, domain: Domain, draw: Mapping) -> DrawnKind | None:
    places = _places(context, domain, draw)
    items = _items(game, context, domain, draw)
    if places is None:
        return None
    width_node = draw.get("width")
    width = None if width_node is None else context.integer(width_node, 3)
    named = any(name is not None for name in domain.members)
    small = width is not None or (not named and len(items) <= 1)
    return DrawnKind(domain, places, width, tuple(items), small)


def _places(context: Context, domain: Domain, draw: Mapping) -> tuple[tuple[int, int], ...] | None:
    columns = _numbers(context, domain, draw.get("x"))
    rows = _numbers(context, domain, draw.get("y"))
    return None if columns is None or rows is None else tuple(zip(columns, rows, strict=True))


def _numbers(context: Context, domain: Domain, node: Node | None) -> list[int] | None:
    found = None if node is None else over_rows(context, domain, node, INTEGER)
    if found is None:
        return None
    values = [found(i) for i in range(domain.size)]
    return None if any(value is None for value in values) else values


# ---- what is shown ----------------------------------------------------------------------------------


def _items(game: Game, context: Context, domain: Domain, draw: Mapping) -> list[Item]:
    shows = draw.get("shows")
    if shows is None:
        return [_item(game, domain, ir) for ir in _what_lies_there(game, domain)]
    found = []
    for node in shows.items if isinstance(shows, Sequence) else ():
        expression = context.expr(node)
        if expression is not None:
            ir = lower(_scope(game, domain), expression)
            if not isinstance(ir.type, Unknown):
                found.append(_item(game, domain, as_value(game.world, ir)))
    return found


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
    return Item(ir.type, zone, _compiled(game, domain, ir))


def _compiled(game: Game, domain: Domain, ir: Ir) -> Callable[[Cells, int], Any]:
    """A lowered expression of a site as a function of a state's cells and the site."""
    compiled = game.compiled
    source = Source(compiled.world, compiled.layout, compiled.structure.temps)
    source.indent = 0
    source.line(f"def shown(c, {source.variable(domain.name)}):")
    source.indent = 1
    source.line(f"return {source.ex(ir)}")
    namespace = {**compiled.namespace, **source.constants}
    exec(compile("\n".join(source.lines), "<rulespec drawing>", "exec"), namespace)  # noqa: S102 - from the typed form
    return namespace["shown"]  # type: ignore[no-any-return]
