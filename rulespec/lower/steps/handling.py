"""Steps that handle pieces: move, draw, refill, shuffle, flip, roll, look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.attributes import face_number
from rulespec.lower.context import bad
from rulespec.lower.expressions import condition
from rulespec.lower.expressions import lower as lower_expr
from rulespec.lower.ir import Const, Ir, ItemAt, Local, PlaceOf, Table, TakeIr, ZoneIr, ZoneRead
from rulespec.lower.operators import lower_source
from rulespec.lower.scope import Scope, denials_of, facts_of
from rulespec.lower.steps.builder import ME, Block
from rulespec.lower.steps.calls import after_emptying, after_writing
from rulespec.lower.steps.sight import is_counted, reads_hidden, shows_all
from rulespec.lower.taking import as_many_as_asked
from rulespec.model.types import (
    BOOLEAN,
    PLAYER,
    AnyZone,
    Integer,
    ListType,
    Member,
    Piece,
    SetType,
    Zone,
    may_be_none,
    strip,
)
from rulespec.source.nodes import Mapping, Node

_PIECES = "piece, list of pieces or zone"
_OF_DICE = (
    "Dice are pieces: declare `die: {count: 2, faces: 1..6}` and a zone that holds them, and roll what lies in it, as "
    "in `roll: dice`."
)


def with_zone(block: Block, scope: Scope, node: Node, kind: str | None, body: Callable[[Scope, Ir], None]) -> None:
    """Runs `body` with the zone that a node names; a conditional zone becomes a branch."""
    e = block.cx.expr(node)
    if e is not None:
        _with_zone(block, scope, e, kind, body)


def _with_zone(block: Block, scope: Scope, e: ast.Expr, kind: str | None, body: Callable[[Scope, Ir], None]) -> None:
    if isinstance(e, ast.IfElse):
        test = condition(scope, e.condition)
        block.emit("if", test, span=e.condition.span)
        _with_zone(block, scope.knowing(*facts_of(e.condition)), e.then, kind, body)
        block.emit("else")
        _with_zone(block, scope.knowing(*denials_of(e.condition)), e.otherwise, kind, body)
        block.emit("end")
        return
    zone = lower_expr(scope, e)
    if isinstance(zone.type, AnyZone) and kind is not None:
        zone = make.zone_at(scope.world, f"box.{kind}", make.integer(0))
    if bad(zone):
        return
    key = make.zone_key(zone)
    if key is None or may_be_none(zone.type):
        found = str(zone.type)
        block.cx.problems.add("RS303", e.span, expected="zone", found=found)
        return
    held = scope.world.zones[key].holds
    if kind is not None and held != kind:
        block.cx.problems.add("RS604", e.span, zone=key, holds=held, kind=kind)
        return
    body(scope, zone)


# ---- move -------------------------------------------------------------------------------------------


def step_move(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`move`: a piece, or each one of a list or zone."""
    to = step.get("to")
    what = block.cx.lower(node, scope)
    if bad(what) or to is None:
        return scope
    mode, kind, what = _what(block, scope, node, what)
    if kind is None:
        return scope
    face = _face(block, scope, step, kind)
    at = block.cx.text(step.get("at"), "top")
    origin = _origin(block, what) if mode != "all" else (what if isinstance(what, ZoneIr) else None)

    def move(inner: Scope, zone: Ir) -> None:
        _warn_of_many(block, mode, what, zone, node)
        kept = _keep_place(block, origin)
        block.emit("move", mode, what, zone, face, at, span=node.span)
        if not _chooser_knows(scope, what, mode):
            block.emit("horizon", "hidden", span=node.span)
        _afterwards(block, kept, make.zone_key(zone) or "")

    with_zone(block, scope, to, kind, move)
    return scope


def _warn_of_many(block: Block, mode: str, what: Ir, zone: Ir, node: Node) -> None:
    """Several pieces never fit into a slot."""
    w = block.cx.world
    most = make.most_of(w, what) if mode != "one" else 1
    if most > 1 and make.is_slot(w, zone):
        block.cx.problems.add("RS621", node.span, zone=make.zone_key(zone), text=node.span.text, most=most)


def _what(block: Block, scope: Scope, node: Node, what: Ir) -> tuple[str, str | None, Ir]:
    """How to move (`one`, `list`, `all`), the kind of the pieces, and the lowered source."""
    w = scope.world
    if make.is_slot(w, what):
        what = make.read_zone(w, what, "slot")
    t = strip(what.type)
    if isinstance(t, Piece):
        if t.zone == "-":
            block.cx.problems.add("RS605", node.span, text=node.span.text)
            return "one", None, what
        return "one", t.kind, what
    if isinstance(t, ListType) and isinstance(t.of, Piece):
        if isinstance(what, TakeIr) and not is_counted(w, what.zone) and not shows_all(w, what.zone):
            block.emit("horizon", "hidden", span=node.span)  # where there are fewer, the step cannot be done
        return "list", t.of.kind, as_many_as_asked(what)
    if isinstance(t, Zone):
        return "all", w.zones[t.key].holds, what
    block.cx.problems.add("RS303", node.span, expected=_PIECES, found=str(what.type))
    return "one", None, what


def _face(block: Block, scope: Scope, step: Mapping, kind: str) -> Ir | None:
    face = step.get("face")
    if face is None:
        return None
    if not scope.world.pieces[kind].faces:
        block.cx.problems.add("RS606", face.span, kind=kind)
        return None
    of = scope.world.pieces[kind]
    given = block.lower(scope, face, of.face_type)
    value = make.within(given, of.face_type, face.span)
    if value is given:
        return face_number(of, value)
    looked_at = block.local("face", of.face_type)  # before any piece is taken up
    block.set(looked_at, value)
    return face_number(of, looked_at)


def _origin(block: Block, what: Ir) -> Ir | None:
    """The place that pieces leave, where the text shows it."""
    if isinstance(what, (ZoneRead, TakeIr)):
        return what.zone
    t = strip(what.type)
    t = t.of if isinstance(t, ListType) else t
    if isinstance(t, Piece) and t.zone is not None and isinstance(what, Local):
        decl = block.cx.world.zones[t.zone]
        place = make.integer(0)
        if decl.domain is not None:
            if not isinstance(strip(what.type), Piece):
                return None
            first = block.cx.world.first_place(t.zone)
            place = PlaceOf(type=Member(decl.domain), piece=what, first=first)  # type: ignore[assignment]
        return make.zone_at(block.cx.world, t.zone, place)
    return None


@dataclass(frozen=True, slots=True)
class Left:
    """The place that pieces leave, and where something listens to its running empty whether anything lay there."""

    zone: ZoneIr
    filled: Ir | None = None


def _keep_place(block: Block, origin: Ir | None, renewed: Ir | None = None) -> Left | None:
    """The place that may run empty, kept while the pieces move; None where the text does not show it.

    `renewed` is whether a place that is empty is filled before it is drawn from.
    """
    key = make.zone_key(origin) if origin is not None else None
    if key is None:
        return None
    w = block.cx.world
    if not isinstance(origin, ZoneIr) or not w.triggers_on("emptied", key):
        return Left(ZoneIr(type=Zone(key), zone=key, place=make.integer(0)))
    if not isinstance(origin.place, Const):
        place = block.local("place", origin.place.type)
        block.set(place, origin.place)
        origin = ZoneIr(type=origin.type, zone=origin.zone, place=place)
    filled = make.negate(make.read_zone(w, origin, "empty"))
    kept = block.local("filled", BOOLEAN)
    block.set(kept, filled if renewed is None else make.logic("or", [filled, renewed]))
    return Left(origin, kept)


def _afterwards(block: Block, left: Left | None, entered: str) -> None:
    """What listens: zones that ran empty, conditions that read either zone."""
    key = make.zone_key(left.zone) if left is not None else None
    if left is not None and left.filled is not None:
        after_emptying(block, left.zone, left.filled)
    after_writing(block, frozenset(k for k in (key, entered) if k))


def _chooser_knows(scope: Scope, what: Ir, mode: str) -> bool:
    """Whether whoever decides may know which pieces are moved."""
    w = scope.world
    if isinstance(what, (ZoneRead, TakeIr)):
        return shows_all(w, what.zone)
    if mode == "all":
        return shows_all(w, what)
    if isinstance(what, (Local, ItemAt, Table)):
        return True
    return not reads_hidden(w, what)


# ---- draw, refill, shuffle, flip, roll, look --------------------------------------------------------------------


def step_draw(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`draw`: pieces from the top of a stack, or at random from a pool."""
    amount = block.lower(scope, node, Integer())
    from_, to = step.get("from"), step.get("to")
    if from_ is None or to is None or bad(amount):
        return scope

    def draw(inner: Scope, source: Ir) -> None:
        kind = scope.world.zones[make.zone_key(source) or ""].holds
        with_zone(block, inner, to, kind, lambda _, goal: _draw(block, amount, source, goal, node))

    with_zone(block, scope, from_, None, draw)
    return scope


def _draw(block: Block, amount: Ir, source: Ir, goal: Ir, node: Node) -> None:
    """Draws at random from a pool, from the top of a stack; a stack that runs short is renewed first."""
    w = block.cx.world
    key = make.zone_key(source) or ""
    decl = w.zones[key]
    renew = None
    if decl.renew is not None and decl.renew in w.zones:
        renew = make.zone_at(w, decl.renew, _same_place(source) if w.zones[decl.renew].domain else make.integer(0))
    block.builder.stream(key)
    kept = _keep_place(block, source, _is_renewed(block, amount, goal, renew))
    block.emit("draw", amount, source, goal, renew, key, span=node.span)
    if decl.shape == "stack" and not shows_all(w, source):
        block.emit("horizon", "hidden", span=node.span)
    _afterwards(block, kept, make.zone_key(goal) or "")


def _same_place(zone: Ir) -> Ir:
    """The place of a zone, for another zone that lies on the same things."""
    assert isinstance(zone, ZoneIr)
    return zone.place


def _is_renewed(block: Block, amount: Ir, goal: Ir, renew: Ir | None) -> Ir | None:
    """Whether a stack that is empty gets pieces before it is drawn from, and one at least then leaves it."""
    if renew is None:
        return None
    w = block.cx.world
    ready = make.negate(make.read_zone(w, renew, "empty"))
    wanted = make.compare(">", amount, make.integer(0))
    fits = make.negate(make.read_zone(w, goal, "full"))
    same = make.zone_key(goal) == make.zone_key(renew)  # what lies there makes room when it is taken
    return make.logic("and", [wanted, ready] if same else [wanted, ready, fits])


def step_refill(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`refill`: as many pieces as a zone has room for."""
    from_ = step.get("from")
    if from_ is None:
        return scope

    def refill(inner: Scope, goal: Ir) -> None:
        kind = scope.world.zones[make.zone_key(goal) or ""].holds
        key = make.zone_key(goal) or ""
        room = make.table_at(
            scope.world, f"room.{key}", goal.place if isinstance(goal, ZoneIr) else goal, Integer(0, 4096)
        )
        free = make.arith("-", room, make.read_zone(scope.world, goal, "count"))
        with_zone(block, inner, from_, kind, lambda _, source: _draw(block, free, source, goal, node))

    with_zone(block, scope, node, None, refill)
    return scope


def step_shuffle(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """`shuffle`: the pieces of a stack in random order."""

    def shuffle(inner: Scope, zone: Ir) -> None:
        key = make.zone_key(zone) or ""
        if scope.world.zones[key].shape != "stack":
            block.cx.problems.add("RS607", node.span, zone=key, shape=scope.world.zones[key].shape)
            return
        block.builder.stream(key)
        block.emit("shuffle", zone, key, span=node.span)
        after_writing(block, frozenset((key,)))

    with_zone(block, scope, node, None, shuffle)
    return scope


def step_flip(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """Turns one piece, or all pieces of a zone, to a face."""
    what = block.cx.lower(node, scope)
    if bad(what):
        return scope
    mode, kind, what = _what(block, scope, node, what)
    if kind is None:
        return scope
    face = _face(block, scope, step, kind)
    if face is not None:
        block.emit("flip", mode, what, face, span=node.span)
        _after_turning(block, mode, what)
    return scope


def _after_turning(block: Block, mode: str, what: Ir) -> None:
    """What listens to pieces that show another face now: those of one zone, or of any that they may lie in."""
    origin = make.zone_key(what) if mode == "all" else strip(what.type).zone if mode == "one" else None  # type: ignore[attr-defined]
    after_writing(block, frozenset((origin,)) if origin else frozenset(block.cx.world.zones))


def _require_there(block: Block, what: Ir, label: str, node: Node) -> None:
    """Where a piece may be missing, or fewer lie in a zone than are taken, the step cannot be done."""
    if isinstance(what, TakeIr):
        there = make.read_zone(block.cx.world, what.zone, "count")
        block.emit("require", make.compare("<=", what.amount, there), label, span=node.span)
    elif may_be_none(what.type):
        block.emit("require", make.exists_value(what), label, span=node.span)


def step_roll(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """Turns one piece, or each piece of a list or zone, to a face at random. Each kind has a stream of its own."""
    what = block.cx.lower(node, scope)
    if bad(what):
        return scope
    if isinstance(strip(what.type), Integer):
        block.cx.problems.add("RS303", node.span, expected=_PIECES, found=str(what.type), hint=_OF_DICE)
        return scope
    mode, kind, what = _what(block, scope, node, what)
    if kind is None:
        return scope
    if not scope.world.pieces[kind].faces:
        block.cx.problems.add("RS606", node.span, kind=kind, hint=f"Say it at the kind: `{kind}: {{faces: 1..6}}`.")
        return scope
    _require_there(block, what, f"roll {kind}", node)
    key = f"roll {kind}"
    block.builder.stream(key)
    name = what.slot if isinstance(what, Local) and mode != "all" else None
    block.emit("roll", mode, what, key, name, span=node.span)
    _after_turning(block, mode, what)
    return scope


def step_look(block: Block, scope: Scope, step: Mapping, node: Node) -> Scope:
    """Shows one piece, or each piece of a list or zone, to `me` or to others."""
    what = block.cx.lower(node, scope)
    if bad(what):
        return scope
    mode, kind, what = _what(block, scope, node, what)
    seers = _seers(block, scope, step.get("for"))
    if kind is not None and not bad(seers):
        _require_there(block, what, f"look {kind}", node)
        block.emit("look", mode, what, seers, span=node.span)
    return scope


def _seers(block: Block, scope: Scope, node: Node | None) -> Ir:
    """The players who are shown something, as a set: `me`, one, or several."""
    if node is None:
        return _set_of_players(block, make.list_of([ME], PLAYER))
    e = block.cx.expr(node)
    if e is None:
        return make.BAD
    found = make.as_value(scope.world, lower_source(scope, e))
    t = strip(found.type)
    many = t.of == PLAYER if isinstance(t, (ListType, SetType)) else False
    if bad(found):
        return make.BAD
    if not many and t != PLAYER:
        block.cx.problems.add("RS303", node.span, expected="player or players", found=str(found.type))
        return make.BAD
    if may_be_none(found.type):
        block.cx.problems.add("RS305", node.span, type=str(t), hint="Ask with `exists` first whether there is one.")
        return make.BAD
    return _set_of_players(block, found if many else make.list_of([found], PLAYER))


def _set_of_players(block: Block, found: Ir) -> Ir:
    return make.as_collection(block.cx.world, found, SetType(PLAYER))
