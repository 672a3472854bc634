"""What stands after a dot: attributes, relations, zones, state and the few built-in properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulespec.diagnostics.fixes import changed
from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.guesses import form_of
from rulespec.lower.ir import CallIr, Ir, Load, Whole
from rulespec.lower.make import BAD
from rulespec.lower.scope import Scope, is_declared
from rulespec.model.types import (
    BOOLEAN,
    PLAYER,
    Formula,
    Integer,
    ListType,
    MapType,
    Member,
    NoneType,
    Piece,
    Record,
    SetType,
    Type,
    Unknown,
    Zone,
    may_be_none,
    optional,
    strip,
)
from rulespec.model.world import Attribute, Domain, PieceKind, StateVar, World

_MADE_LATER = "Relations are made of the sites that stay, so what says which sites stay cannot read them."
_OF_TEAMS = ("team", "teams", "partner", "partners", "teammate", "teammates", "ally", "allies")
_SAY_TEAMS = (
    "`teams` of `game` says who belongs together, as in `teams: player.index % 2`. "
    "Then there are `.team` and `.partners`."
)
_OF_OUT = ("out", "eliminated", "is_out", "alive", "active", "dead", "is_eliminated")
LIST_WORDS = ("count", "empty", "first", "last", "top", "bottom", "any")


@dataclass(frozen=True, slots=True, kw_only=True)
class MapAt(Ir):
    """A total map that belongs to `row`: entry `row * size + key - low` of a table. Never executed: it is indexed."""

    table: str
    row: Ir
    low: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaRow(Ir):
    """A formula of a row, to be called. Never executed itself."""

    functions: tuple[str, ...]
    row: Ir


def state_at(var: StateVar, place: Ir) -> Ir:
    """A declared cell."""
    return make.guarded(place, lambda p: Load(type=var.type, region=var.key, index=p))


def get(scope: Scope, e: ast.Get) -> Ir:
    """`e.of.name`, or a report that names the nearest good attribute."""
    from rulespec.lower.expressions import lower

    special = _special(scope, e)
    if special is not None:
        return special
    of = lower(scope, e.of)
    if isinstance(of.type, Unknown):
        return BAD
    if isinstance(of.type, NoneType):
        return make.NOTHING
    owner = describe(of.type)
    if scope.constant and f"{owner}.{e.name}" in scope.world.in_play:
        scope.world.problems.add("RS315", e.name_span, what=f"'{e.name}'")
        return BAD
    found = _of_type(scope, e, of)
    if found is not None:
        return found
    known = attribute_names(scope.world, strip(of.type))
    later = _MADE_LATER if scope.constant and f"{owner}.{e.name}" in scope.world.later else None
    meant = form_of(e.name, of=e.of) if isinstance(strip(of.type), (ListType, SetType, Zone)) else None
    if strip(of.type) == PLAYER and e.name in _OF_TEAMS:
        meant = _SAY_TEAMS
    if strip(of.type) == PLAYER and e.name in _OF_OUT:
        meant = "`eliminate: P` takes a player out of the game; then `P.out` is true."
    scope.world.unknown("RS302", e.name_span, e.name, known if meant is None else [], later or meant, type=owner)
    return BAD


def describe(t: Type) -> str:
    """A type as people read it, whether the value may be none or not."""
    return str(strip(t))


def _special(scope: Scope, e: ast.Get) -> Ir | None:
    """`option.x`, `box.kind`, `enum.member`."""
    if not isinstance(e.of, ast.Name) or e.of.name in scope.names:
        return None
    w, name = scope.world, e.of.name
    if name == "option":
        return _option(scope, e)
    if name == "box":
        return _box(scope, e)
    if name == "position" and e.name == "repeated" and not is_declared(w, name):
        return _repeated(scope, e)
    if name in w.domains and name not in w.values:
        for domain, index in w.members.get(e.name, []):
            if domain == name:
                return make.const(index, Member(name))
        if e.name not in LIST_WORDS:
            return _no_member(scope, e, name)
    return None


def _option(scope: Scope, e: ast.Get) -> Ir:
    w = scope.world
    if e.name in w.options:
        return w.options[e.name]
    listed = f"The options are {', '.join(w.options)}." if w.options else "The game declares no options."
    w.unknown("RS302", e.name_span, e.name, w.options, listed, type="option")
    return BAD


def _box(scope: Scope, e: ast.Get) -> Ir:
    w = scope.world
    if e.name in w.pieces:
        counted = f"box.{e.name}" in w.zones
        if scope.constant and (counted or w.pieces[e.name].supply):
            return _all_pieces(w.pieces[e.name])
        if not counted:
            w.problems.add("RS315", e.span, what="what lies in a box")
            return BAD
        return make.zone_at(w, f"box.{e.name}", make.integer(0))
    w.unknown("RS302", e.name_span, e.name, w.pieces, type="box")
    return BAD


def _repeated(scope: Scope, e: ast.Get) -> Ir:
    """How often the position was recorded as it is now: a function, in games that say what counts."""
    w = scope.world
    if scope.constant:
        w.problems.add("RS315", e.span, what="how often a position was there")
        return BAD
    counts = w.functions.get("position.repeated")
    if counts is None or counts.returns is None:
        if "repetition" not in w.broken:
            w.problems.add("RS652", e.span)
        return BAD
    return CallIr(type=counts.returns, function=counts.name, args=())


def _all_pieces(kind: PieceKind) -> Ir:
    """All pieces of a kind, as they lie in the box before anything is set up: a constant list."""
    found = tuple(code for code, count in enumerate(kind.supply) for _ in range(count))
    return make.const(found, ListType(Piece(kind.name), len(found)))


def _no_member(scope: Scope, e: ast.Get, name: str) -> Ir:
    """Reports what is asked of a whole kind by its bare name, and what of its like is known here by another one."""
    w = scope.world
    domain = w.domains[name]
    members = [m for m in domain.members if m]
    if e.name in _member_names(w, domain):
        ones = [own for own, ir in scope.names.items() if strip(ir.type) == Member(name)]
        ones += ["me"] * (name == "player" and scope.me is not None)
        if ones:
            shown = " or ".join(f"`{one}.{e.name}`" for one in ones)
            hint = f"`{name}` alone is the whole kind here; of one of it write {shown}."
        else:
            hint = f"`{name}` alone is the whole kind here, and no one of it is known by a name in this place."
        fixes = [changed(e.of.span, one, f"Change to `{one}.{e.name}`", is_certain=False) for one in ones]
        w.problems.add("RS302", e.name_span, name=e.name, type=name, hint=hint, fixes=fixes)
    else:
        known = [*members, *_member_names(w, domain)]
        hint = f"`{name}` alone is the whole kind here; name one of it."
        w.unknown("RS302", e.name_span, e.name, known, hint, type=name)
    return BAD


def _of_type(scope: Scope, e: ast.Get, of: Ir) -> Ir | None:
    w, t = scope.world, strip(of.type)
    if isinstance(t, Zone):
        return _of_zone(scope, e, of)
    if isinstance(t, Piece):
        return _part_of(w, t, of, e.name) if _has(w, t, e.name) else None
    if isinstance(t, Member):
        return of_member(w, w.domains[t.domain], of, e.name)
    if isinstance(t, (ListType, SetType)):
        return _of_list(w, of, e.name)
    if isinstance(t, Record):
        at = t.at(e.name)
        return None if at is None else make.item_of("field", of, t.fields[at][1], at=at)
    return None


def _has(w: World, t: Piece, name: str) -> bool:
    kind = w.pieces[t.kind]
    return name in kind.attributes or (name == "owner" and kind.per_player) or (name == "face" and bool(kind.faces))


# ---- zones, lists -----------------------------------------------------------------------------------


def _of_zone(scope: Scope, e: ast.Get, of: Ir) -> Ir | None:
    w = scope.world
    slot = make.is_slot(w, of)
    if e.name in LIST_WORDS and not (slot and e.name in ("first", "last", "any")):
        what = {"first": "bottom", "last": "top"}.get(e.name, e.name)
        return make.read_zone(w, of, what)
    if not slot:
        return None
    piece = make.as_value(w, of)
    t = strip(piece.type)
    if not isinstance(t, Piece):  # what the slot holds is wrong, which is reported
        return BAD
    if not _has(w, t, e.name):
        return None
    known = ast.Get(of=e.of, name=e.name, span=e.span, name_span=e.name_span).of in scope.narrowed
    if known:
        piece = make.retype(piece, t)
    return _part_of(w, t, piece, e.name)


def _part_of(w: World, t: Piece, piece: Ir, name: str) -> Ir:
    """An attribute of a piece that may be none; a map or formula is guarded where it is indexed or called."""
    kind = w.pieces[t.kind]
    attribute = kind.attributes.get(name)
    if attribute is not None and isinstance(attribute.type, (MapType, Formula)):
        return attribute_at(w, attribute, make.code_of(piece), f"piece.{kind.name}")
    return make.guarded(piece, lambda v: of_piece(w, kind, v, name) or BAD)


def _of_list(w: World, of: Ir, name: str) -> Ir | None:
    if name not in LIST_WORDS:
        return None
    element = make.element_type(w, of)
    assert element is not None
    most = make.most_of(w, of)
    types: dict[str, Type] = {"count": Integer(most if isinstance(of, Whole) else 0, most), "empty": BOOLEAN}
    what = {"top": "last", "bottom": "first", "any": "first"}.get(name, name)
    type = types.get(name, optional(element))
    return make.guarded(of, lambda v: make.item_of(what, v, type))


# ---- pieces -----------------------------------------------------------------------------------------


def of_piece(w: World, kind: PieceKind, piece: Ir, name: str) -> Ir | None:
    """An attribute, the owner or the face of a piece that is there."""
    code = make.retype(make.code_of(piece), Integer(0, None))
    if name in kind.attributes:
        return attribute_at(w, kind.attributes[name], code, f"piece.{kind.name}")
    if name == "owner" and kind.per_player:
        return make.table_at(w, f"piece.{kind.name}.owner", code, PLAYER)
    if name == "face" and kind.faces:
        return make.table_at(w, f"piece.{kind.name}.face", code, kind.face_type)
    return None


def face_number(kind: PieceKind, value: Ir) -> Ir:
    """The number of a face among those of its kind, of the value that stands for it. It may lie outside of them."""
    if isinstance(value.type, Unknown) or not kind.lowest_face:
        return value
    return make.arith("-", value, make.integer(kind.lowest_face))


def attribute_at(w: World, attribute: Attribute, row: Ir, of: str) -> Ir:
    """An attribute's value for a row: from its table, or a map or formula to be indexed or called."""
    t = attribute.type
    if isinstance(t, MapType):
        low, size = key_range(w, t.key)
        type: Type = optional(t) if may_be_none(row.type) else t
        return MapAt(type=type, table=attribute.table, row=row, low=low, size=size)
    if isinstance(t, Formula):
        return FormulaRow(type=t, functions=attribute.functions, row=row)
    if isinstance(t, (ListType, SetType)) and may_be_none(row.type):
        return make.guarded(row, lambda r: make.table_at(w, attribute.table, r, t))
    return make.table_at(w, attribute.table, row, t)


def key_range(w: World, key: Type) -> tuple[int, int]:
    """The lowest key of a total map, and how many keys there are."""
    if isinstance(key, Member):
        return 0, w.domains[key.domain].size
    if isinstance(key, Integer) and key.low is not None and key.high is not None:
        return key.low, key.high - key.low + 1
    return 0, 2


# ---- members ----------------------------------------------------------------------------------------


def of_member(w: World, domain: Domain, of: Ir, name: str) -> Ir | None:
    """Whatever is declared on a member of a domain."""
    for find in (_built_in, _dimension, _declared, _zone_or_state, _counterpart):
        found = find(w, domain, of, name)
        if found is not None:
            return found
    return None


def _built_in(w: World, domain: Domain, of: Ir, name: str) -> Ir | None:
    if name == "index" or (name == "place" and domain.form == "track"):
        return make.guarded(of, lambda v: make.retype(v, Integer(0, domain.size - 1)))
    if domain.form != "player":
        return None
    if name in ("left", "right"):
        return make.table_at(w, f"player.{name}", of, PLAYER)
    if name == "team" and w.team_type is not None:
        return make.table_at(w, "player.team", of, w.team_type)
    if name == "partners" and w.team_type is not None:
        return make.guarded(of, lambda v: make.table_at(w, "player.partners", v, ListType(PLAYER, w.players)))
    if name == "score":
        return make.guarded(of, lambda v: Load(type=Integer(), region="player.score", index=v))
    return None


def _dimension(w: World, domain: Domain, of: Ir, name: str) -> Ir | None:
    for dim in domain.dims:
        if dim.name == name:
            t: Type = Member(dim.domain) if dim.domain else Integer(dim.low, dim.low + dim.size - 1)
            return make.table_at(w, f"{domain.name}.{name}", of, t)
    return None


def _declared(w: World, domain: Domain, of: Ir, name: str) -> Ir | None:
    w.make_relation(f"{domain.name}.{name}")
    attribute = domain.attributes.get(name)
    if attribute is not None:
        return attribute_at(w, attribute, of, domain.name)
    relation = domain.relations.get(name)
    return None if relation is None else related(w, domain, of, name)


def related(w: World, domain: Domain, of: Ir, name: str) -> Ir:
    """The members that a relation gives: a list where it has an order, else a set."""
    relation = domain.relations[name]
    target = Member(relation.target)
    if relation.ordered:
        return make.guarded(of, lambda v: make.table_at(w, relation.items, v, ListType(target, relation.most)))
    return make.guarded(of, lambda v: make.table_at(w, relation.bits, v, SetType(target)))


def _zone_or_state(w: World, domain: Domain, of: Ir, name: str) -> Ir | None:
    key = f"{domain.name}.{name}"
    if key in w.zones:
        return make.zone_at(w, key, of)
    if key in w.states:
        return state_at(w.states[key], of)
    return None


def _counterpart(w: World, domain: Domain, of: Ir, name: str) -> Ir | None:
    """The sites that have this member as a coordinate, read by their plural: `player.seats`."""
    for kind in w.domains.values():
        if kind.plural == name and any(d.domain == domain.name for d in kind.dims):
            return related(w, domain, of, name) if name in domain.relations else None
    return None


def attribute_names(w: World, t: Type) -> Iterator[str]:
    """Every name that can follow a value of the type."""
    if isinstance(t, Member):
        yield from _member_names(w, w.domains[t.domain])
    elif isinstance(t, Piece):
        kind = w.pieces[t.kind]
        yield from kind.attributes
        yield from ["owner"] * kind.per_player + ["face"] * bool(kind.faces)
    elif isinstance(t, Zone):
        yield from LIST_WORDS
        if w.zones[t.key].shape == "slot":
            yield from attribute_names(w, Piece(w.zones[t.key].holds))
    elif isinstance(t, (ListType, SetType)):
        yield from LIST_WORDS
    elif isinstance(t, Record):
        yield from (name for name, _ in t.fields)


def _member_names(w: World, domain: Domain) -> Iterator[str]:
    yield "index"
    yield from (d.name for d in domain.dims)
    yield from domain.attributes
    yield from domain.relations
    keys: Callable[[], Iterator[str]] = lambda: iter([*w.zones, *w.states])  # noqa: E731
    yield from (k.split(".", 1)[1] for k in keys() if k.startswith(f"{domain.name}."))
    if domain.form == "player":
        yield from ("left", "right", "score", *(("team", "partners") if w.team_type is not None else ()))
    if domain.form == "track":
        yield "place"
