"""The drawing declarations, checked: where sites stand on a picture, what is shown there, which lines are drawn."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lower import make
from rulespec.lower.context import Context
from rulespec.lower.domains import over_rows
from rulespec.lower.ir import Var
from rulespec.lower.scope import Scope
from rulespec.model.types import BOOLEAN, INTEGER, PLAYER, Member, Optional, Piece, Type
from rulespec.model.world import Domain
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

#: What cannot change in play, with its type; and what may.
_FIXED: dict[str, Type] = {
    "x": INTEGER, "y": INTEGER, "width": INTEGER, "height": INTEGER, "frame": BOOLEAN, "beside": Optional(PLAYER),
    "picture_width": INTEGER, "picture_height": INTEGER,
}  # fmt: skip
PORT = Optional(INTEGER)
#: The largest picture of a site or piece, in characters and lines.
MOST_SIZE = {"width": 200, "height": 60, "picture_width": 200, "picture_height": 60}
#: Characters of all sites of a kind together.
MOST_DRAWN = 1_000_000
#: Sides of a picture, and corners.
SIDES = CORNERS = 4


def check_drawings(cx: Context) -> None:
    """Reports what is wrong in the expressions of every `draw`."""
    for domain in cx.world.domains.values():
        if isinstance(domain.draw, Mapping):
            _check_fixed(cx, domain, domain.draw)
            _check(cx, domain.name, Member(domain.name), domain.draw)
    for key, node in cx.section("pieces"):
        draw = node.get("draw") if isinstance(node, Mapping) else None
        if isinstance(draw, Mapping) and key.text in cx.world.pieces:
            for field in ("width", "height"):
                if (size := draw.get(field)) is not None:
                    _check_size(cx, size, field, cx.integer(size, 1))
            _check(cx, key.text, Piece(key.text), draw)


def _check_fixed(cx: Context, domain: Domain, draw: Mapping) -> None:
    """Reports what cannot be known before play, up to the first site of which that is so."""
    sizes: dict[str, list[int]] = {}
    for field, want in _FIXED.items():
        node = draw.get(field)
        if node is None or (found := over_rows(cx, domain, node, want)) is None:
            continue
        for value in map(found, range(domain.size)):
            if value is None or (field in MOST_SIZE and not _check_size(cx, node, field, value)):
                break
            if field in MOST_SIZE:
                sizes.setdefault(field, []).append(value)
    _check_together(cx, domain, draw, sizes)


def _check_together(cx: Context, domain: Domain, draw: Mapping, sizes: dict[str, list[int]]) -> None:
    """Reports sites whose pictures are too much together, one over the other or not."""
    ones = [1] * domain.size
    characters = sum(w * h for w, h in zip(sizes.get("width", ones), sizes.get("height", ones), strict=False))
    if characters > MOST_DRAWN:
        cx.problems.add("RS726", draw.span, name=domain.name, count=f"{characters:,}", most=f"{MOST_DRAWN:,}")


def _check_size(cx: Context, node: Node, field: str, value: int) -> bool:
    """Whether a width or height can be drawn, else it is reported."""
    fits = 1 <= value <= MOST_SIZE[field]
    if not fits:
        cx.problems.add("RS303", node.span, expected=f"a number from 1 to {MOST_SIZE[field]}", found=str(value))
    return fits


def shown_nodes(draw: Mapping) -> list[list[Node]]:
    """What `shows` lists: by lines where it has lines, else one line of everything."""
    shows = draw.get("shows")
    items = shows.items if isinstance(shows, Sequence) else ()
    if any(isinstance(item, Sequence) for item in items):
        return [list(item.items) if isinstance(item, Sequence) else [item] for item in items]
    return [list(items)]


#: Fields that a player fills, or conditions of colours; and those that a word fills, or conditions of words.
TINTS = ("fill", "edge")
CHOICES = ("shape", "icon")
OWNER = Optional(PLAYER)


def looked_up(draw: Mapping) -> Iterator[tuple[Node, Type]]:
    """The expressions that decide how something looks in pictures, with their types."""
    for field in (*TINTS, *CHOICES):
        node = draw.get(field)
        if isinstance(node, Mapping):
            yield from ((value, BOOLEAN) for _, value in node.pairs)
        elif node is not None and field in TINTS:
            yield node, OWNER


def joined_nodes(draw: Mapping, field: str = "joins") -> Iterator[tuple[Scalar, int, Node]]:
    """What `joins` or `inks` says: the key, its port, and the rest. A key that is no port has been reported."""
    joins = draw.get(field)
    for key, value in joins.pairs if isinstance(joins, Mapping) else ():
        if key.text.isdecimal():
            yield key, int(key.text), value


def port_count(draw: Mapping, cx: Context) -> int:
    """How many ports a picture has on its sides and corners together; 0 where it has no lines."""
    each = cx.integer(draw.get("ports"), 0)
    return SIDES * each + CORNERS if each else 0


def _check(cx: Context, name: str, t: Type, draw: Mapping) -> None:
    row = Var(type=t, name=make.fresh(name))
    free = Scope(cx.world, {name: row})
    for line in shown_nodes(draw):
        for node in line:
            cx.lower(node, free)
    if (double := draw.get("double")) is not None:
        cx.lower(double, free, BOOLEAN)
    for node, want in looked_up(draw):
        cx.lower(node, free, want)
    own = port_count(draw, cx)
    for field, want, count in (("inks", OWNER, own or _ports_of_pieces(cx)), ("joins", PORT, own)):
        for key, port, value in joined_nodes(draw, field):
            cx.lower(value, free, want)
            if port >= count:
                ports = f"a port from 0 to {count - 1}" if count else f"`ports` beside `{field}`"
                cx.problems.add("RS303", key.span, expected=ports, found=key.text)


def _ports_of_pieces(cx: Context) -> int:
    """How many ports the lines of pieces have at most, whose colours the site says where they lie."""
    draws = (node.get("draw") for _, node in cx.section("pieces") if isinstance(node, Mapping))
    return max((port_count(draw, cx) for draw in draws if isinstance(draw, Mapping)), default=0)
