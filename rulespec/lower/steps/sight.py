"""Who sees what: which readings a chooser may not make, and which pieces are chosen by their backs."""

from __future__ import annotations

from rulespec.lower import make
from rulespec.lower.ir import (
    CallIr,
    CallRow,
    CodeOf,
    Compare,
    Comprehend,
    Const,
    Contains,
    Ir,
    ItemAt,
    Load,
    Table,
    TakeIr,
    Var,
    ZoneIr,
    ZoneRead,
    children,
    walk_ir,
)
from rulespec.lower.substitute import substitute
from rulespec.model.types import BOOLEAN, PLAYER, Piece, Zone, strip
from rulespec.model.world import World

COUNTING = ("count", "empty", "full")
#: Readings that are a piece or none: whether it is there is seen by the number of pieces.
PRESENT = ("slot", "top", "bottom", "any")

#: What can read the pieces of a place, by itself or by what it calls.
_READERS = frozenset({CallIr, CallRow, ZoneRead, Comprehend, Contains, ItemAt, TakeIr})


def is_me(ir: Ir) -> bool:
    """Whether an expression is `me` itself."""
    return isinstance(ir, Load) and ir.region == "me"


def shows_all(world: World, zone: Ir) -> bool:
    """Whether whoever decides sees all fronts of a place, whichever it is."""
    key = make.zone_key(zone)
    if key is None:
        return True
    decl = world.zones[key]
    if decl.front == "all":
        return True
    return decl.front == "owner" and isinstance(zone, ZoneIr) and is_me(zone.place)


def seen_test(world: World, zone: Ir, me: Ir) -> Ir | None:
    """Whether the chooser sees the fronts of a place: None for always, else a condition."""
    if shows_all(world, zone):
        return None
    key = make.zone_key(zone)
    decl = world.zones[key or ""]
    if decl.front == "owner" and isinstance(zone, ZoneIr) and decl.domain is not None:
        if decl.domain == "player":
            return make.compare("==", zone.place, me)
        owner = _owner_of(world, decl.domain, zone.place)
        if owner is not None:
            return make.compare("==", owner, me)
    return make.const(0, BOOLEAN)


def _owner_of(world: World, domain: str, place: Ir) -> Ir | None:
    """The player that a site belongs to: its coordinate of that kind."""
    if any(d.domain == "player" for d in world.domains[domain].dims):
        name = next(d.name for d in world.domains[domain].dims if d.domain == "player")
        return make.table_at(world, f"{domain}.{name}", place, PLAYER)
    return None


def hidden_read(world: World, test: Ir, piece: Var) -> str | None:
    """What a condition reads of a piece that its back does not show: an attribute's name, or the piece; else None."""
    kind = strip(piece.type)
    assert isinstance(kind, Piece)
    back = world.pieces[kind.kind].back
    return None if back is None else _hidden_in(world, test, piece.name, (kind.kind, back))


def _hidden_in(world: World, node: Ir, name: str, kind: tuple[str, tuple[str, ...]]) -> str | None:
    if isinstance(node, Table) and _is_code(node.index, name):
        attribute = node.table.removeprefix(f"piece.{kind[0]}.")
        return None if attribute in kind[1] else attribute
    if _is_code(node, name):
        return kind[0]
    if isinstance(node, CallIr):
        for arg, (param, _) in zip(node.args, world.functions[node.function].params, strict=True):
            body = world.functions[node.function].body
            if isinstance(arg, Var) and arg.name == name and body is not None:
                found = _hidden_in(world, body, f"{node.function}.{param}", kind)
                if found is not None:
                    return found
    return next((found for child in children(node) if (found := _hidden_in(world, child, name, kind))), None)


def _is_code(node: Ir, name: str) -> bool:
    return isinstance(node, CodeOf) and isinstance(node.piece, Var) and node.piece.name == name


def reads_hidden(world: World, ir: Ir, seen: frozenset[str] = frozenset()) -> bool:
    """Whether an expression reads which pieces lie where the chooser may not look."""
    counted: set[int] = set()  # readings of which only whether there is a piece matters, which everybody sees
    for node in walk_ir(ir):  # each before what it holds
        if isinstance(node, Compare) and _asks_for_presence(node) and is_counted(world, node.left.zone):  # type: ignore[attr-defined]
            counted.add(id(node.left))
        if type(node) not in _READERS or id(node) in counted:
            continue
        if isinstance(node, (CallIr, CallRow)) and _function_reads(world, node, seen):
            return True
        zone = _zone_read(node) or uncounted_read(world, node)
        if zone is not None and make.zone_key(zone) is not None and not shows_all(world, zone):
            return True
    return False


def _asks_for_presence(node: Compare) -> bool:
    """`exists spot.card`, `exists deck.top`: like the number of pieces, everybody sees it."""
    nothing = isinstance(node.right, Const) and node.right.value == make.none_value(node.right.type)
    return nothing and isinstance(node.left, ZoneRead) and node.left.what in PRESENT


def _zone_read(node: Ir) -> Ir | None:
    """The zone whose pieces (not their number) a node reads."""
    if isinstance(node, ZoneRead):
        return None if node.what in COUNTING else node.zone
    if isinstance(node, Comprehend):
        counts = node.op in ("count", "any") and node.where is None
        return node.source if isinstance(strip(node.source.type), Zone) and not counts else None
    if isinstance(node, Contains):
        return node.items if isinstance(strip(node.items.type), Zone) else None
    if isinstance(node, ItemAt):
        return node.items if isinstance(strip(node.items.type), Zone) and node.what not in COUNTING else None
    return node.zone if isinstance(node, TakeIr) else None


def is_counted(world: World, zone: Ir) -> bool:
    """Whether everybody sees how many pieces lie at a place."""
    key = make.zone_key(zone)
    return key is None or world.zones[key].is_counted


def uncounted_read(world: World, node: Ir) -> Ir | None:
    """The zone of which a node reads how many pieces there are, where not everybody sees that."""
    zone = node.zone if isinstance(node, ZoneRead) else None
    if isinstance(node, Comprehend):
        zone = node.source
    elif isinstance(node, ItemAt):
        zone = node.items
    return None if zone is None or is_counted(world, zone) else zone


def _function_reads(world: World, node: CallIr | CallRow, seen: frozenset[str]) -> bool:
    """Whether a call reads what is hidden, with its arguments in place: one's own hand handed on is still one's own."""
    names = (node.function,) if isinstance(node, CallIr) else node.functions
    for name in names:
        function = world.functions.get(name)
        if function is None or function.body is None or name in seen:
            continue
        given = {f"{name}.{p}": a for (p, _), a in zip(function.params, node.args, strict=False)}
        if reads_hidden(world, substitute(function.body, given), seen | {name}):
            return True
    return False
