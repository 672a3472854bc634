"""The label of an expression: which hidden places it was read from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rulespec.lower import make
from rulespec.lower.ir import (
    CallIr,
    CallRow,
    CodeOf,
    Compare,
    Comprehend,
    Const,
    Drop,
    If,
    Ir,
    ItemAt,
    Join,
    Let,
    ListIr,
    Load,
    Local,
    PlaceOf,
    ReachIr,
    Table,
    TakeIr,
    Var,
    WalkIr,
    Whole,
    ZoneIr,
    ZoneRead,
    children,
    walk_ir,
)
from rulespec.lower.offers.labels import NONE, OPEN, OWN, Label, Seat, Secret, Secrets, of
from rulespec.model.reads import Notes, again, begin, end
from rulespec.model.types import ListType, Member, Piece, Type, strip
from rulespec.model.world import World, ZoneDecl

COUNTING = ("count", "empty", "full")


@dataclass(slots=True)
class Point:
    """What is known where play stands: labels of slots, who `me` and `active` are, and what tells who they are."""

    me: Seat
    active: Seat
    labels: dict[int, Label] = field(default_factory=dict)
    same: dict[int, Seat] = field(default_factory=dict)
    owners: dict[int, Seat] = field(default_factory=dict)
    whose: Secrets = NONE
    opened: dict[str, Secrets] = field(default_factory=dict)
    """By zone: what lay hidden and was moved there since somebody decided, whose look-ahead may come by."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a variable stands for: its label, the seat that it is, and the seat that it belongs to."""

    label: Label = OPEN
    seat: Seat | None = None
    owner: Seat | None = None


Names = Mapping[str, Bound]
NOBODY: frozenset[Seat] = frozenset()


class Readings:
    """Reads expressions of one game."""

    def __init__(self, world: World, answers: frozenset[int]):
        self.world = world
        self._answers = answers
        #: what was found before, with notes of what was read to find it
        self._functions: dict[tuple[object, ...], tuple[Label, Notes | None]] = {}
        self._plain: dict[int, tuple[Ir, frozenset[int] | None, Notes | None]] = {}
        self._quiet: dict[str, tuple[bool, Notes | None]] = {}
        #: whether what was moved into the open counts as hidden still, as it does in a look-ahead
        self.ahead = False

    def _is_open(self, key: str) -> bool:
        """Whether everybody knows what lies in a zone."""
        zone = self.world.zones[key]
        return zone.is_counted and (zone.front == "all" or self.world.pieces[zone.holds].count < 2)

    # ---- who somebody is ----

    def seat(self, ir: Ir, point: Point, names: Names) -> Seat | None:
        """Where a player or a site comes from, if that is simple."""
        if isinstance(ir, Load):
            return point.me if ir.region == "me" else point.active if ir.region == "active" else None
        if isinstance(ir, Const):
            return ("player", ir.value) if _is_player(ir.type) else None
        if isinstance(ir, Var):
            return names[ir.name].seat if ir.name in names else None
        if isinstance(ir, Local):
            return point.same.get(ir.slot, ("slot", ir.slot))
        if isinstance(ir, Table):
            inner = self.seat(ir.index, point, names)
            return None if inner is None else ("of", ir.table, inner)
        return None

    def owner(self, ir: Ir, point: Point, names: Names) -> Seat | None:
        """The player that a site belongs to, or each member of a source: as its text shows it."""
        if isinstance(ir, Var):
            return names[ir.name].owner if ir.name in names else None
        if isinstance(ir, Local):
            return point.owners.get(ir.slot)
        if isinstance(ir, Comprehend):
            return self.owner(ir.source, point, names) if ir.op in ("first", "most", "least", "sort", "list") else None
        if isinstance(ir, ItemAt):
            return self.owner(ir.items, point, names)
        if isinstance(ir, Table) and _is_player(ir.index.type) and self._gives_own(ir):
            return self.seat(ir.index, point, names)
        return None

    def _gives_own(self, ir: Table) -> bool:
        """Whether a table gives each player nothing but sites of that player's own."""
        inner = strip(ir.type)
        of_ = inner if isinstance(inner, Member) else getattr(inner, "of", None)
        domain = self.world.domains.get(of_.domain) if isinstance(of_, Member) else None
        at = next((i for i, d in enumerate(domain.dims) if d.domain == "player"), None) if domain else None
        if domain is None or at is None:
            return False
        rows = self.world.table(ir.table)[: self.world.noted("players")]
        return all(domain.coords[m][at] == p for p, row in enumerate(rows) for m in _members(row, inner))

    # ---- zones ----

    def zone(self, zone: Ir, point: Point, names: Names, *, top: bool = False) -> Label:
        """What pieces at a place tell; `top`: the one that lies on top."""
        place = (
            self.read(zone.place, point, names).all() if isinstance(zone, ZoneIr) else self._whole(zone, point, names)
        )
        key = make.zone_key(zone)
        opened = point.opened.get(key or "", NONE) if self.ahead else NONE
        if key is None or self._is_open(key):
            return Label(place, place | opened, place | opened)
        decl = self.world.zones[key]
        seer = self._seer(decl, zone, point, names)
        if not decl.is_counted:
            place |= {Secret(key, _seers(decl, "owner", seer, top=top) or NOBODY)}
        fronts = _seers(decl, decl.front, seer, top=top)
        backs = _seers(decl, decl.back, seer, top=top)
        front = NONE if fronts is None else frozenset({Secret(key, fronts)})
        back = NONE if fronts is None or backs is None else frozenset({Secret(key, fronts | backs)})
        if len(set(self.world.pieces[decl.holds].unseen)) < 2:
            back = NONE
        return Label(place, place | opened | back, place | opened | front)

    def _seer(self, decl: ZoneDecl, zone: Ir, point: Point, names: Names) -> Seat | None:
        if not isinstance(zone, ZoneIr) or decl.domain is None:
            return None
        if decl.domain == "player":
            return self.seat(zone.place, point, names)
        dim = next((d.name for d in self.world.domains[decl.domain].dims if d.domain == "player"), None)
        if dim is None:
            return None
        owner = self.owner(zone.place, point, names)
        inner = self.seat(zone.place, point, names)
        return owner or (None if inner is None else ("of", f"{decl.domain}.{dim}", inner))

    # ---- expressions ----

    def value(self, ir: Ir, point: Point) -> Label:
        """The label of a whole expression: as `read`, and at once where it reads nothing hidden."""
        slots = self._plain_slots(ir)
        if slots is None or point.whose or self.ahead or not point.labels.keys().isdisjoint(slots):
            return self.read(ir, point, {})
        return OPEN

    def _plain_slots(self, ir: Ir) -> frozenset[int] | None:
        """The slots that an expression reads, where nothing else in it can be hidden; else None."""
        found = self._plain.get(id(ir))
        if found is None:
            before = begin(self.world.reads)
            slots = self._slots(ir)
            found = self._plain[id(ir)] = (ir, slots, end(self.world.reads, before))
        again(self.world.reads, found[2])
        return found[1]

    def _slots(self, ir: Ir) -> frozenset[int] | None:
        slots = set()
        for node in walk_ir(ir):
            if isinstance(node, Local):
                slots.add(node.slot)
            elif isinstance(node, (CallIr, CallRow)):
                called = (node.function,) if isinstance(node, CallIr) else node.functions
                if not all(self._is_plain(name) for name in called):
                    return None
            key = make.zone_key(node)
            if key is not None and not self._is_open(key):
                return None
        return frozenset(slots)

    def _is_plain(self, function: str) -> bool:
        """Whether a function reads no place that not everybody sees."""
        if function not in self._quiet:
            self._quiet[function] = False, None
            before = begin(self.world.reads)
            body = self.world.functions[function].body
            is_plain = body is None or self._slots(body) is not None
            self._quiet[function] = is_plain, end(self.world.reads, before)
        is_plain, notes = self._quiet[function]
        again(self.world.reads, notes)
        return is_plain

    def read(self, ir: Ir, point: Point, names: Names) -> Label:
        """The label of an expression's value, with what its variables stand for."""
        handler = _HANDLERS.get(type(ir))
        return of(self._whole(ir, point, names)) if handler is None else handler(self, ir, point, names)

    def _whole(self, ir: Ir, point: Point, names: Names) -> Secrets:
        found: Secrets = NONE
        for child in children(ir):
            found |= self.read(child, point, names).all()
        return found

    def _var(self, ir: Var, point: Point, names: Names) -> Label:
        return names[ir.name].label if ir.name in names else OPEN

    def _local(self, ir: Local, point: Point, names: Names) -> Label:
        label = point.labels.get(ir.slot, OPEN)
        if ir.slot in self._answers:
            return label.renamed(lambda seat: point.me if seat == OWN else seat)
        return label

    def _load(self, ir: Load, point: Point, names: Names) -> Label:
        told = point.whose if ir.region in ("me", "active") else NONE
        return of(told | self.read(ir.index, point, names).all())

    def _table(self, ir: Table, point: Point, names: Names) -> Label:
        if not isinstance(ir.index, CodeOf):
            return of(self._whole(ir, point, names))
        label = self.read(ir.index.piece, point, names)
        kind = strip(ir.index.piece.type)
        shown = self.world.pieces[kind.kind].back if isinstance(kind, Piece) else None
        attribute = ir.table.rpartition(".")[2]
        return of(label.outer | (label.back if shown is not None and attribute in shown else label.all()))

    def _compare(self, ir: Compare, point: Point, names: Names) -> Label:
        if isinstance(ir.right, Const) and ir.right.value == make.none_value(ir.right.type):
            return of(self.read(ir.left, point, names).outer)
        return of(self._whole(ir, point, names))

    def _if(self, ir: If, point: Point, names: Names) -> Label:
        then, other = self.read(ir.then, point, names), self.read(ir.otherwise, point, names)
        return then.joined(other).with_all(self.read(ir.condition, point, names).all())

    def _let(self, ir: Let, point: Point, names: Names) -> Label:
        return self.read(ir.body, point, {**names, ir.name: self.bound(ir.value, point, names)})

    def bound(self, ir: Ir, point: Point, names: Names) -> Bound:
        """What a name for a value stands for."""
        return Bound(
            self.read(ir, point, names) if names else self.value(ir, point),
            self.seat(ir, point, names),
            self.owner(ir, point, names),
        )

    def _call(self, ir: CallIr, point: Point, names: Names) -> Label:
        return self._function(ir.function, ir.args, point, names)

    def _row(self, ir: CallRow, point: Point, names: Names) -> Label:
        found = of(self.read(ir.row, point, names).all())
        for name in ir.functions:
            found = found.joined(self._function(name, ir.args, point, names))
        return found

    def _function(self, name: str, args: tuple[Ir, ...], point: Point, names: Names) -> Label:
        """A call: its arguments in place, so that one's own hand handed on is still one's own."""
        function = self.world.functions[name]
        given = {f"{name}.{p}": self.bound(a, point, names) for (p, _), a in zip(function.params, args, strict=False)}
        opened = tuple(point.opened.items()) if self.ahead else ()
        key = (name, tuple(given.values()), point.me, point.active, point.whose, opened)
        if key not in self._functions:
            self._functions[key] = OPEN, None
            if function.body is not None:
                before = begin(self.world.reads)
                label = self.read(function.body, point, given)
                self._functions[key] = label, end(self.world.reads, before)
        label, notes = self._functions[key]
        again(self.world.reads, notes)
        return label

    def _each(self, ir: Ir, point: Point, names: Names) -> Label:
        """Lists, joins and what is left of them: the label of their members."""
        found = OPEN
        for child in children(ir):
            found = found.joined(self.read(child, point, names))
        return found

    def _drop(self, ir: Drop, point: Point, names: Names) -> Label:
        items, item = self.read(ir.items, point, names), self.read(ir.item, point, names)
        return items.with_all(item.outer)

    def _item(self, ir: ItemAt, point: Point, names: Names) -> Label:
        label = self.read(ir.items, point, names)
        if ir.what in COUNTING:
            return of(label.outer)
        return label if ir.index is None else label.with_all(self.read(ir.index, point, names).all())

    def _zone(self, ir: ZoneIr, point: Point, names: Names) -> Label:
        return self.zone(ir, point, names)

    def _zone_read(self, ir: ZoneRead, point: Point, names: Names) -> Label:
        label = self.zone(ir.zone, point, names, top=ir.what == "top")
        return of(label.outer) if ir.what in COUNTING else label

    def _take(self, ir: TakeIr, point: Point, names: Names) -> Label:
        return self.zone(ir.zone, point, names).with_all(self.read(ir.amount, point, names).all())

    def _code(self, ir: CodeOf, point: Point, names: Names) -> Label:
        return self.read(ir.piece, point, names)

    def _place(self, ir: PlaceOf, point: Point, names: Names) -> Label:
        return of(self.read(ir.piece, point, names).outer)

    def _comprehend(self, ir: Comprehend, point: Point, names: Names) -> Label:
        source = self.read(ir.source, point, names)
        inner = {**names, ir.name: self.member(ir.source, source, point, names)}
        kept = self.read(ir.where, point, inner).all() if ir.where is not None else NONE
        value = self.read(ir.value, point, inner) if ir.value is not None else source
        if ir.op in ("count", "any"):
            return of(source.outer | kept)
        if ir.op in ("list", "set", "min", "max"):
            shown = value.with_all(source.outer | kept)
            whole = ir.op == "set" or not isinstance(strip(_member_type(ir)), Piece)
            return Label(source.outer | kept, shown.all(), shown.all()) if whole else shown
        if ir.op == "first":
            return source.with_all(kept)
        if ir.op in ("most", "least", "sort"):
            by = kept | (value.all() if ir.value is not None else NONE)
            return source.with_all(by)
        return of(self._around(ir, point, names) | source.all() | kept | value.all())

    def _around(self, ir: Comprehend, point: Point, names: Names) -> Secrets:
        return self.read(ir.around, point, names).all() if ir.around is not None else NONE

    def member(self, source: Ir, label: Label, point: Point, names: Names) -> Bound:
        """What a member of a source stands for."""
        return Bound(label, None, self.owner(source, point, names))

    def _walk(self, ir: WalkIr | ReachIr, point: Point, names: Names) -> Label:
        parts = children(ir)
        first = of(self.read(ir.start, point, names).all())
        inner = {**names, ir.name: Bound(first)}
        for _ in range(2):
            for part in parts:
                first = first.with_all(self.read(part, point, inner).all())
            inner = {**names, ir.name: Bound(first)}
        return first


def _members(row: object, t: Type) -> list[int]:
    """The members that an entry of a table stands for."""
    if isinstance(t, Member):
        return [row] if isinstance(row, int) and row >= 0 else []
    if isinstance(row, tuple):
        return list(row)
    return [i for i in range(row.bit_length()) if row >> i & 1] if isinstance(row, int) and row > 0 else []


def _member_type(ir: Comprehend) -> Type:
    found = strip(ir.type)
    return found.of if isinstance(found, ListType) else found


def _is_player(t: Type) -> bool:
    inner = strip(t)
    return isinstance(inner, Member) and inner.domain == "player"


def _seers(decl: ZoneDecl, rule: str, seer: Seat | None, *, top: bool) -> frozenset[Seat] | None:
    """The seats that surely see a side of a place, or how many lie there; None for everybody."""
    if rule == "all" or (rule == "top" and (top or decl.shape != "stack")):
        return None
    return frozenset({seer}) if rule == "owner" and seer is not None else frozenset()


_HANDLERS: dict[type[Ir], Callable[..., Label]] = {
    Const: lambda *_: OPEN,
    Whole: lambda *_: OPEN,
    Var: Readings._var,
    Local: Readings._local,
    Load: Readings._load,
    Table: Readings._table,
    Compare: Readings._compare,
    If: Readings._if,
    Let: Readings._let,
    CallIr: Readings._call,
    CallRow: Readings._row,
    ListIr: Readings._each,
    Join: Readings._each,
    Drop: Readings._drop,
    ItemAt: Readings._item,
    ZoneIr: Readings._zone,
    ZoneRead: Readings._zone_read,
    TakeIr: Readings._take,
    CodeOf: Readings._code,
    PlaceOf: Readings._place,
    Comprehend: Readings._comprehend,
    WalkIr: Readings._walk,
    ReachIr: Readings._walk,
}
