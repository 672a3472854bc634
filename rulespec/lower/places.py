"""Pieces, zones, state and tracks: what there is, where it can lie, and what the cells of a state are."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from rulespec.lower import make
from rulespec.lower.attributes import key_range
from rulespec.lower.context import Context, bad
from rulespec.lower.domains import site_text
from rulespec.lower.faces import faces_of
from rulespec.lower.ir import NO_INTEGER, Ir, Value, Var
from rulespec.lower.scope import Scope
from rulespec.lower.tables import cell_values, check_cells, rule_of
from rulespec.model.types import (
    BOOLEAN,
    INTEGER,
    PLAYER,
    UNKNOWN,
    Boolean,
    EffectType,
    Integer,
    MapType,
    Member,
    Optional,
    Piece,
    Type,
    Unknown,
    strip,
)
from rulespec.model.world import Attribute, PieceKind, StateVar, ZoneDecl
from rulespec.model.world import owner_of as owner_at
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span

MOST_COPIES = 1000
MOST_CODES = 1024
MOST_PIECES = 4096
SEEN_BY_ALL = "all"
OWNER = "owner"


# ---- pieces -----------------------------------------------------------------------------------------


def name_pieces(cx: Context) -> None:
    """The kinds of pieces by name, with their faces, so that types and attributes may speak of them."""
    for key, node in cx.section("pieces"):
        faces, of = faces_of(cx, key, cx.field(node, "faces"))
        per_player = cx.text(cx.field(node, "per")) == "player"
        cx.world.pieces[key.text] = PieceKind(key.text, per_player, faces=faces, face_type=of, span=key.span)


def type_pieces(cx: Context) -> None:
    """The types of the pieces' attributes."""
    for key, node in cx.section("pieces"):
        kind = cx.world.pieces[key.text]
        declared = cx.field(node, "attributes")
        for name, spec in declared.pairs if isinstance(declared, Mapping) else ():
            t = cx.type(spec.get("type") if isinstance(spec, Mapping) else spec)
            word = rule_of(spec)
            if word is not None:
                cx.problems.add("RS725", name.span, name=name.text, kind=key.text, word=word)
                t = UNKNOWN  # nothing more is said of its values
            kind.attributes[name.text] = Attribute(name.text, t, f"piece.{key.text}.{name.text}", span=name.span)
        back = cx.field(node, "back")
        kind.back = None if back is None else tuple(cx.text(b) for b in cx.steps(back))
        for item in cx.steps(back):
            if cx.text(item) not in (*kind.attributes, "owner"):
                cx.world.unknown("RS302", item.span, cx.text(item), [*kind.attributes, "owner"], type=key.text)
                kind.back = (*kind.attributes, "owner")  # told once: nothing is said of what the back may not show


def declare_pieces(cx: Context) -> None:
    """The codes of every kind of pieces, and how many pieces of each code there are."""
    for key, node in cx.section("pieces"):
        if isinstance(node, Mapping):
            _declare_kind(cx, cx.world.pieces[key.text], node)


def _declare_kind(cx: Context, kind: PieceKind, node: Mapping) -> None:
    rows = _rows(cx, kind, node)
    owners = range(cx.world.players) if kind.per_player else [None]
    faces = range(max(len(kind.faces), 1))
    codes: dict[tuple[Any, ...], int] = {}
    names: list[str | None] = []
    supply: list[int] = []
    for owner, (values, count, name) in product(owners, rows):
        key = (() if owner is None else (owner,)) + values
        if key in codes:
            supply[codes[key]] += count
            continue
        codes[key] = len(supply)
        for face in faces:
            supply.append(count if face == 0 else 0)
            names.append(name)
    kind.codes = tuple(k + ((f,) if kind.faces else ()) for k in codes for f in faces)
    kind.supply, kind.row_names = tuple(supply), tuple(names)
    if len(kind.codes) > MOST_CODES or sum(supply) > MOST_PIECES:
        cx.problems.add("RS716", kind.span or node.span, name=kind.name, codes=len(kind.codes), pieces=sum(supply))
        kind.codes, kind.supply, kind.row_names = kind.codes[:1], (1,), (None,)
    _unseen(kind)
    _piece_tables(cx, kind)


def _rows(cx: Context, kind: PieceKind, node: Mapping) -> list[tuple[tuple[Any, ...], int, str | None]]:
    """Attribute values, count and name of each row; `each` makes a row for every member."""
    rows = node.get("rows")
    if rows is None:
        only = Mapping((kind.span or node.span), (), ("rows",) if "rows" in node.broken else ())
        return [(_values(cx, kind, only, {}), _count(cx, node.get("count")), None)]
    found: list[tuple[tuple[Any, ...], int, str | None]] = []
    entries = [(None, r) for r in rows.items] if isinstance(rows, Sequence) else []
    if isinstance(rows, Mapping):
        entries = [(k, v) for k, v in rows.pairs]  # type: ignore[misc]
    for key, row in entries:
        if isinstance(row, Mapping):
            check_cells(cx, kind.name, row, ["count", "each", *kind.attributes])
            count, name = row.get("count"), cx.text(key) or None
            found += ((_values(cx, kind, row, fixed), _count(cx, count, fixed), name) for fixed in _each(cx, row))
    return found


def _count(cx: Context, node: Node | None, fixed: dict[str, int] | None = None) -> int:
    count = cx.integer(node, 1, _members(fixed or {}))
    if node is not None and not 0 <= count <= MOST_COPIES:
        cx.problems.add("RS314", node.span, value=count, low=0, high=MOST_COPIES)
        return 0
    return count


def _each(cx: Context, row: Mapping) -> list[dict[str, int]]:
    each = row.get("each")
    if each is None:
        return [{}]
    names = [n for n in (each.items if isinstance(each, Sequence) else (each,)) if isinstance(n, Scalar)]
    ranges = []
    for n in names:
        domain = cx.world.domains.get(n.text)
        if domain is None:
            cx.world.unknown("RS308", n.span, n.text, cx.world.domains)
            return []
        ranges.append(range(domain.size))
    return [dict(zip([n.text for n in names], combo, strict=True)) for combo in product(*ranges)]


def _members(fixed: dict[str, int]) -> dict[str, Ir]:
    """The members that `each` goes through, under the names of their kinds."""
    return {n: make.const(i, Member(n)) for n, i in fixed.items()}


def _values(cx: Context, kind: PieceKind, row: Mapping, fixed: dict[str, int]) -> tuple[Any, ...]:
    values: list[Any] = []
    names = _members(fixed)
    for a in kind.attributes.values():
        t = strip(a.type)
        cell = row.get(a.name)
        if cell is None and isinstance(t, Member) and t.domain in fixed:
            values.append(fixed[t.domain])
        elif cell is None:
            if not isinstance(a.type, (Optional, Unknown)) and not row.broken:
                cx.problems.add("RS709", row.span, name=kind.name, attribute=a.name)
            missing = make.missing_value(t.value if isinstance(t, MapType) else t)
            values.append((missing,) * key_range(cx.world, t.key)[1] if isinstance(t, MapType) else missing)
        elif isinstance(a.type, MapType):
            values.append(tuple(cell_values(cx, a.type, cell, names)))
        else:
            values.append(cell_values(cx, a.type, cell, names)[0])
    return tuple(values)


def _unseen(kind: PieceKind) -> None:
    """Which codes look alike from behind: a kind without `back` shows everything on both sides."""
    if kind.back is None:
        kind.unseen = tuple(kind.count for _ in kind.codes)
        kind.shown = (tuple(None for _ in kind.codes[0]),) if kind.codes else ()
        return
    names = (["owner"] if kind.per_player else []) + list(kind.attributes)
    classes: dict[tuple[Any, ...], int] = {}
    unseen: list[int] = []
    for code in kind.codes:
        shown = tuple(v if n in kind.back else None for n, v in zip(names, code, strict=False))
        unseen.append(kind.count + classes.setdefault(shown, len(classes)))
    kind.unseen, kind.shown = tuple(unseen), tuple(classes)


def _piece_tables(cx: Context, kind: PieceKind) -> None:
    """A table for each attribute by code; behind the codes stand the backs, with none for what they hide."""
    w, prefix = cx.world, f"piece.{kind.name}"
    names = (["owner"] if kind.per_player else []) + list(kind.attributes)
    for at, name in enumerate(names):
        attribute = kind.attributes.get(name)
        if attribute is not None and isinstance(attribute.type, MapType):
            w.tables[f"{prefix}.{name}"] = tuple(v for c in kind.codes for v in c[at])
            continue
        values = [c[at] for c in kind.codes]
        shown = [-1 if v is None else v for v in (s[at] for s in kind.shown)]
        w.tables[f"{prefix}.{name}"] = (*values, *shown)
    if kind.faces:
        lowest = kind.lowest_face
        w.tables[f"{prefix}.face"] = tuple(lowest + c[-1] for c in kind.codes) + (lowest,) * len(kind.shown)
        step = len(kind.faces)
        w.tables[f"{prefix}.plain"] = tuple(i - i % step for i in range(kind.count)) + (-1,) * len(kind.shown)
    w.tables[f"{prefix}.unseen"] = kind.unseen


# ---- zones ------------------------------------------------------------------------------------------


def owner_of(cx: Context, key: Scalar) -> tuple[str | None, str, int] | None:
    """Domain, name and number of places of a key such as `site.tokens` or `bag`; None after a report."""
    owner, dot, name = key.text.rpartition(".")
    if not dot:
        return None, key.text, 1
    domain = cx.world.domains.get(owner)
    if domain is None:
        cx.world.unknown("RS308", key.span, owner, cx.world.domains)
        cx.world.spoil(key.text)
        return None
    return owner, name, domain.size


def declare_zones(cx: Context) -> None:
    """All zones, and a box for each kind of pieces; then how much each place can hold."""
    for key, node in cx.section("zones"):
        home = owner_of(cx, key)
        if home is not None and isinstance(node, Mapping):
            _declare_zone(cx, key, node, home)
    _check_renewals(cx)
    hidden = {z.holds for z in cx.world.zones.values() if z.front != SEEN_BY_ALL}
    for kind in cx.world.pieces:
        front = "nobody" if kind in hidden else SEEN_BY_ALL
        box = ZoneDecl(f"box.{kind}", "box", None, "stack", kind, front, front, 1)
        cx.world.zones[box.key] = box
    first = 0
    for zone in cx.world.zones.values():
        every = sum(cx.world.pieces[zone.holds].supply)
        zone.fills = _fills(cx, zone, every)
        zone.capacity = tuple(min(every, n) if zone.shape != "slot" else n for n in zone.fills)
        zone.first = first
        first += zone.places


def _declare_zone(cx: Context, key: Scalar, node: Mapping, home: tuple[str | None, str, int]) -> None:
    domain, name, places = home
    holds = node.get("holds")
    if cx.text(holds) not in cx.world.pieces:
        cx.world.unknown("RS308", (holds or key).span, cx.text(holds), cx.world.pieces)
        cx.world.spoil(key.text)
        return
    is_counted = cx.text(node.get("count"), SEEN_BY_ALL) == SEEN_BY_ALL
    seen_by = SEEN_BY_ALL if is_counted else OWNER
    front, back = cx.text(node.get("front"), seen_by), cx.text(node.get("back"), seen_by)
    shape, renew = cx.text(node.get("shape")), cx.text(node.get("renew")) or None
    if shape != "stack":  # there is no order: what lies on top is all of it
        front, back = (SEEN_BY_ALL if who == "top" else who for who in (front, back))
    zone = ZoneDecl(key.text, name, domain, shape, cx.text(holds), front, back, places)
    zone.renew, zone.node, zone.span = renew, node, key.span
    memory = node.get("memory")
    zone.memory = memory is None and is_counted
    if memory is not None and front == SEEN_BY_ALL:
        cx.problems.add("RS644", memory.span, hint=_NOTHING_HIDDEN, zone=key.text)
    cx.world.zones[key.text] = zone
    if not is_counted:
        zone.is_counted = _check_uncounted(cx, zone, node)


def _check_uncounted(cx: Context, zone: ZoneDecl, node: Mapping) -> bool:
    """Whether a zone is still counted by all, since nobody could hide how many pieces it holds: that is reported."""
    written = next((node.get(side) for side in ("front", "back") if cx.text(node.get(side), OWNER) != OWNER), None)
    is_owned = zone.places > 0 and all(owner_at(cx.world, zone, place) is not None for place in range(zone.places))
    if written is None and zone.shape == "pool" and is_owned:
        return False
    at = written if written is not None else node.get("count")
    assert at is not None
    cx.problems.add("RS647", at.span, zone=zone.key, hint=_FOR_UNCOUNTED)
    return True


_FOR_UNCOUNTED = (
    "Behind a screen lies a pool of a player, of which the others see nothing: "
    "`player.purse: {shape: pool, holds: coin, count: owner}`."
)
_NOTHING_HIDDEN = "Leave it out, or say who sees the fronts, as in `front: nobody`."
_RENEWED = "Name a zone that is there once, or one on the same things, as in `player.deck: {renew: player.discard}`."


def _check_renewals(cx: Context) -> None:
    """What a zone is renewed from is another zone of the same pieces, with one place or on the same things."""
    w = cx.world
    for zone in w.zones.values():
        written = cx.field(zone.node, "renew")
        if zone.renew is None or written is None:
            continue
        source = w.zones.get(zone.renew)
        homes = (None, zone.domain)
        if source is None:
            known = [z.key for z in w.zones.values() if z.holds == zone.holds and z.domain in homes and z is not zone]
            w.unknown("RS301", written.span, zone.renew, known)
        elif source.domain not in homes:
            cx.problems.add("RS627", written.span, hint=_RENEWED, zone=source.key, renewed=zone.key)
        elif source.holds != zone.holds:
            cx.problems.add("RS604", written.span, zone=source.key, holds=source.holds, kind=zone.holds)


def _fills(cx: Context, zone: ZoneDecl, every: int) -> tuple[int, ...]:
    """How many pieces each place is filled up to: `up_to`, one for a slot, else all there are."""
    if zone.shape == "slot":
        return (1,) * zone.places
    up_to = cx.field(zone.node, "up_to")
    if up_to is None:
        return (every,) * zone.places
    row = Var(type=Member(zone.domain or "player"), name=make.fresh("place"))
    names: dict[str, Ir] = {zone.domain: row} if zone.domain else {}
    ir = cx.lower(up_to, Scope(cx.world, names, constant=True), INTEGER)
    if bad(ir):
        return (every,) * zone.places
    found = [cx.evaluate(ir, up_to.span, {row.name: i}) for i in range(zone.places)]
    return tuple(max(0, min(MOST_PIECES, n)) if isinstance(n, int) else every for n in found)


def start_codes(cx: Context, zone: ZoneDecl) -> list[list[int]]:
    """For each place, the codes (in declared order) that its `start` lets begin there."""
    kind = cx.world.pieces[zone.holds]
    start = cx.field(zone.node, "start")
    every = list(range(kind.count))
    if start is None:
        return [[] for _ in range(zone.places)]
    row = Var(type=Member(zone.domain or "player"), name=make.fresh("place"))
    piece = Var(type=Piece(kind.name), name=make.fresh("piece"))
    names: dict[str, Ir] = {kind.name: piece}
    if zone.domain:
        names[zone.domain] = row
    test = cx.lower(start, Scope(cx.world, names, constant=True), BOOLEAN)
    if bad(test):
        return [[] for _ in range(zone.places)]
    return [
        [c for c in every if cx.evaluate(test, start.span, {row.name: p, piece.name: c})] for p in range(zone.places)
    ]


def starting_pieces(cx: Context) -> dict[str, list[list[int]]]:
    """Where every piece begins: the zones with `start` filled in order to capacity, the rest in the box."""
    left = {k.name: list(k.supply) for k in cx.world.pieces.values()}
    found: dict[str, list[list[int]]] = {}
    for zone in cx.world.zones.values():
        if zone.name == "box" and zone.domain is None and zone.key.startswith("box."):
            continue
        before, codes = list(left[zone.holds]), start_codes(cx, zone)
        found[zone.key] = [_fill(left[zone.holds], of_place, zone.capacity[p]) for p, of_place in enumerate(codes)]
        _tell_all_at_first(cx, zone, before, codes, found[zone.key])
    for name, counts in left.items():
        found[f"box.{name}"] = [[c for c, n in enumerate(counts) for _ in range(n)]]
    return found


def _tell_all_at_first(
    cx: Context, zone: ZoneDecl, before: list[int], codes: list[list[int]], begins: list[list[int]]
) -> None:
    """Reports pieces that may begin at several places of a zone, when several all begin at one and another is empty.

    `before` has how many of each code were left, `codes` what may begin at each place, and `begins` what does.
    """
    start, kind = cx.field(zone.node, "start"), cx.world.pieces[zone.holds]
    empty = {code for of_place, pieces in zip(codes, begins, strict=True) if not pieces for code in of_place}
    for place, pieces in enumerate(begins):
        for code, amount in Counter(pieces).items():
            if start is not None and amount > 1 and amount == before[code] and code in empty:
                by_owner = kind.per_player and zone.domain == "player"
                mine = f", as in `start: {kind.name}.owner == player`" if by_owner else ""
                hint = f"Say which begin where{mine}, or how many each may have, with `up_to`."
                where = site_text(cx.world, zone.domain or "player", place)
                cx.problems.add("RS628", start.span, hint=hint, kind=kind.name, zone=zone.key, place=where)
                return


def _fill(left: list[int], codes: list[int], room: int) -> list[int]:
    taken: list[int] = []
    for code in codes:
        amount = min(left[code], room - len(taken))
        taken += [code] * amount
        left[code] -= amount
    return taken


# ---- state and tracks -------------------------------------------------------------------------------


def storable(t: Type) -> bool:
    """Whether a cell can hold values of the type: finite, and known in size."""
    inner = strip(t)
    if isinstance(inner, Integer):
        return inner.low is not None and inner.high is not None
    return isinstance(inner, (Boolean, Member, EffectType))


def declare_state(cx: Context) -> None:
    """All declared cells, and a cell for each track."""
    for key, node in cx.section("state"):
        home = owner_of(cx, key)
        if home is not None and isinstance(node, Mapping):
            t = cx.type(node.get("type"))
            if not storable(t):
                if not isinstance(strip(t), Unknown):
                    cx.problems.add("RS717", (node.get("type") or node).span, type=str(t))
                cx.world.spoil(key.text)
                continue
            var = _declare_cell(cx, key, t, node.get("start"), home, None)
            var.anew, var.written = cx.text(node.get("anew")), node.get("start")
    for key, node in cx.section("tracks"):
        home = owner_of(cx, key)
        space = cx.text(cx.field(node, "space"))
        if home is not None and space in cx.world.domains and isinstance(node, Mapping):
            cx.world.tracks[key.text] = node
            _declare_cell(cx, key, Member(space), node.get("start"), home, key.text)


def _declare_cell(
    cx: Context, key: Scalar, t: Type, start: Node | None, home: tuple[str | None, str, int], track: str | None
) -> StateVar:
    domain, name, places = home
    var = StateVar(key.text, name, domain, t, places, track=track, span=key.span)
    cx.world.states[key.text] = var
    var.start = _starts(cx, var, start)
    return var


def _starts(cx: Context, var: StateVar, node: Node | None) -> tuple[int, ...]:
    default = make.none_value(var.type) if isinstance(var.type, Optional) else make.bounds(var.type)[0] or 0
    if node is None:
        return (default,) * var.places
    want: Type = INTEGER if var.track else var.type
    names: dict[str, Ir] = {}
    row = Var(type=Member(var.domain) if var.domain else PLAYER, name=make.fresh("place"))
    if var.domain:
        names[var.domain] = row
    ir = cx.lower(node, Scope(cx.world, names, constant=True), want)
    if bad(ir):
        return (default,) * var.places
    found: list[Value] = [cx.evaluate(ir, node.span, {row.name: i}) for i in range(var.places)]
    held = _held(cx, var.type)
    return tuple(_legal(cx, v, held, default, node.span) for v in found)


def _held(cx: Context, t: Type) -> Integer | None:
    """The numbers that a cell of the type may hold at the start; None for what cannot be wrong."""
    if isinstance(t, Member):
        return Integer(0, cx.world.domains[t.domain].size - 1)
    inner = strip(t)
    return inner if isinstance(inner, Integer) else None


def _legal(cx: Context, value: Value | None, held: Integer | None, default: int, span: Span) -> int:
    if not isinstance(value, int):
        return default
    if held is not None and value != NO_INTEGER and not held.holds(value):
        cx.problems.add("RS314", span, value=value, low=held.low, high=held.high)
        return default
    return value
