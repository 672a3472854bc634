"""What a seat may know of pieces and of values that came from them: one answer for views, logs and seats' logs.

A piece shows its front, its back, or only that it is there. Any other value may have been read off pieces that not
everybody sees: `Secrets` finds, once per game, the slots and expressions of which that is so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from interpreter.middle.facts import Facts
from interpreter.names import piece_text
from rulespec.lower.ir import (
    Ask,
    CallIr,
    CallRow,
    CodeOf,
    Comprehend,
    Contains,
    Instr,
    Ir,
    ItemAt,
    ListIr,
    Local,
    Name,
    Program,
    TakeIr,
    Var,
    ZoneIr,
    ZoneRead,
    walk_ir,
)
from rulespec.lower.steps.sight import uncounted_read
from rulespec.model.types import ListType, Piece, Record, Type, Zone, strip
from rulespec.model.world import ZoneDecl, owner_of

Cells = list[Any]
COUNTING = ("count", "empty", "full")


class Sight:
    """Which side of pieces a seat sees, and how they are then written."""

    def __init__(self, facts: Facts):
        self.world = facts.world
        self._pieces = facts.pieces
        self._zones = [zone for zone in facts.world.zones.values() for _ in range(zone.places)]

    def place_of(self, piece: int) -> tuple[int, int, int]:
        """Place (a number among all places of all zones), position in it, and code of a piece."""
        rest, code = divmod(piece, self._pieces.codes)
        place, position = divmod(rest, self._pieces.depth)
        return place, position, code

    def sees(self, place: int, seat: int, side: str, *, top: bool) -> bool:
        """Whether a seat sees this side (`front` or `back`) of a piece at a place; `top`: it lies on top."""
        zone = self._zones[place]
        rule = zone.front if side == "front" else zone.back
        if rule == "owner":
            return owner_of(self.world, zone, place - zone.first) == seat
        return rule == "all" or (rule == "top" and (top or zone.shape != "stack"))

    def counts(self, place: int, seat: int) -> bool:
        """Whether a seat sees how many pieces lie at a place."""
        zone = self._zones[place]
        return zone.is_counted or owner_of(self.world, zone, place - zone.first) == seat

    def told(self, event: Sequence[Any], seat: int | None) -> Sequence[Any] | None:
        """What a seat is told of an event; None for nothing.

        Of places of which it does not see how many pieces they hold it is told only what comes from, or goes to, where
        it does: else whether it is told at all would tell that there was something.
        """
        handle = _TOLD.get(event[0])
        return event if handle is None or seat is None else handle(self, event, seat)

    def _told_move(self, event: Sequence[Any], seat: int) -> Sequence[Any] | None:
        if self.counts(event[4], seat):
            return event
        pieces = tuple(piece for piece in event[3] if self.counts(self.place_of(piece)[0], seat))
        return (*event[:3], pieces, *event[4:]) if pieces else None

    def _told_draw(self, event: Sequence[Any], seat: int) -> Sequence[Any] | None:
        return event if self.world.zones[event[4]].is_counted or self.counts(event[6], seat) else None

    def _told_turn(self, event: Sequence[Any], seat: int) -> Sequence[Any] | None:
        kept = [at for at, piece in enumerate(event[3]) if self.counts(self.place_of(piece)[0], seat)]
        rest = (
            tuple(part[at] for at in kept) if isinstance(part, tuple) and len(part) == len(event[3]) else part
            for part in event[4:]
        )
        return (*event[:3], tuple(event[3][at] for at in kept), *rest) if kept else None

    def _told_look(self, event: Sequence[Any], seat: int) -> Sequence[Any] | None:
        return event if is_among(event[4], seat) else self._told_turn(event, seat)

    def side(self, cells: Cells, piece: int, seat: int) -> str:
        """`front`, `back` or `hidden`: what a seat sees of a piece that is said to lie somewhere in a state."""
        place, position, code = self.place_of(piece)
        zone = self._zones[place]
        if code >= self.world.pieces[zone.holds].count:
            return "back"
        held = self._pieces.content(cells, place)
        top = zone.shape != "stack" or position == len(held) - 1
        if self.sees(place, seat, "front", top=top):
            return "front" if code in held else "hidden"
        unseen = self.world.pieces[zone.holds].unseen  # whether it lies there still is told by the backs alone
        there = any(unseen[code] == unseen[other] for other in held)
        return "back" if there and self.sees(place, seat, "back", top=top) else "hidden"

    def text(self, piece: int, side: str) -> str:
        """A piece with what this side of it shows; of a hidden one only its kind."""
        place, _, code = self.place_of(piece)
        return self.code_text(self._zones[place].holds, code, side)

    def code_text(self, kind: str, code: int, side: str) -> str:
        """As `text`, for a code of a kind of pieces."""
        found = self.world.pieces[kind]
        if side == "hidden":
            return kind
        return piece_text(self.world, found, found.unseen[code] if side == "back" and code < found.count else code)

    def zone_at(self, place: int) -> ZoneDecl:
        """The zone that a place belongs to."""
        return self._zones[place]


_TOLD: Final[dict[str, Callable[[Sight, Sequence[Any], int], Sequence[Any] | None]]] = {
    "move": Sight._told_move,
    "draw": Sight._told_draw,
    "flip": Sight._told_turn,
    "roll": Sight._told_turn,
    "look": Sight._told_look,
}


def is_among(seats: int, seat: int) -> bool:
    """Whether a seat is among some, given as bits; whoever only watches has a seat below all, and never is."""
    return seat >= 0 and bool(seats >> seat & 1)


def holds_pieces(t: Type) -> bool:
    """Whether values of a type are, or are made of, pieces."""
    inner = strip(t)
    if isinstance(inner, ListType):
        return holds_pieces(inner.of)
    if isinstance(inner, Record):
        return any(holds_pieces(f) for _, f in inner.fields)
    return isinstance(inner, Piece)


class Knowledge:
    """What can be known of one game: which sides of pieces, which values, and from where on names hold something."""

    def __init__(self, facts: Facts):
        self.sight = Sight(facts)
        self.secrets = Secrets(facts)
        self._first = _first_writes(facts)

    def bound_at(self, slot: int, at: int) -> bool:
        """Whether a slot can have been filled when its block stands at an instruction."""
        return self._first.get(slot, at) < at


def _first_writes(facts: Facts) -> dict[int, int]:
    """The first instruction that fills each slot; a parameter is filled before its block begins."""
    found = {slot: proc.entry - 1 for proc in facts.program.procs for slot in proc.params}
    for at, instr in enumerate(facts.program.instrs):
        ask = instr.args[0] if instr.op == "ask" else None
        for slot in answered(ask) if ask is not None else (instr.args[0],) if instr.op == "set" else ():
            found.setdefault(slot, at)
    return found


def answered(ask: Ask) -> tuple[int, ...]:
    """The slots that an answer fills, and those that stay filled while a set is picked or a loop goes on."""
    return tuple(slot for slot in (*(n.slot for n in ask.names), ask.answer, ask.picked, ask.order) if slot >= 0)


class Secrets:
    """Which slots may hold something that was read off pieces that not everybody sees.

    `choices` are other slots: those that hold a secret choice, whatever was chosen, until all are told. What was chosen
    from hidden things is not told even then: `_kept` says where in which records of choices such values lie.
    """

    def __init__(self, facts: Facts):
        self._world = facts.world
        self._program = facts.program
        self._functions: dict[str, bool] = {}
        self.choices = secret_choices(facts.program)
        self._chosen: set[int] = set()
        self._kept: set[tuple[int, int]] = set()
        self.slots: set[int] = {i for i, slot in enumerate(facts.program.slots) if slot.hidden} - self.choices
        while self._spread():
            pass

    def _spread(self) -> bool:
        before = self._size()
        for instr in self._program.instrs:
            written = set(self._written(instr))
            self.slots |= written - self.choices
            self._chosen |= written & self.choices
            if instr.op == "set" and instr.args[0] in self.choices:
                self._kept.update((instr.args[0], at) for at in self._secret_fields(instr.args[1]))
        return self._size() > before

    def _size(self) -> int:
        return len(self.slots) + len(self._chosen) + len(self._kept)

    def _secret_fields(self, ir: Ir) -> Iterator[int]:
        """Where in the records that an expression makes of choices something secret lies."""
        for node in walk_ir(ir):
            if isinstance(node, ListIr) and isinstance(strip(node.type), Record):
                for at, item in enumerate(node.items):
                    if _mentions(item, self._chosen) or self.is_secret(item):
                        yield at

    def _reads_kept(self, node: Ir) -> bool:
        """Whether a node takes something secret out of a record of choices."""
        record = node.items if isinstance(node, ItemAt) and node.what == "field" else None
        kept = record.items if isinstance(record, ItemAt) else None
        return isinstance(kept, Local) and isinstance(node, ItemAt) and (kept.slot, node.at) in self._kept

    def _written(self, instr: Instr) -> Iterator[int]:
        """The slots that an instruction fills with something secret."""
        if instr.op == "set" and self.is_secret(instr.args[1]):
            yield instr.args[0]
        elif instr.op == "ask":
            yield from self._asked(instr.args[0])
        elif instr.op == "call":
            params = next(p.params for p in self._program.procs if p.id == instr.args[0])
            yield from (slot for slot, arg in zip(params, instr.args[1], strict=True) if self.is_secret(arg))

    def _asked(self, ask: Ask) -> Iterator[int]:
        found = {n.slot for n in ask.names if self.is_secret(n.source) or self._has_secret(n.source)}
        if found:
            yield from _tied(ask, found)
            yield from (slot for slot in (ask.picked, ask.order, ask.left) if slot >= 0)

    def _has_secret(self, source: Ir) -> bool:
        return isinstance(strip(source.type), Zone) and self._is_hidden_zone(source)

    def is_secret(self, ir: Ir) -> bool:
        """Whether an expression's value tells something of pieces that not everybody sees."""
        for node in walk_ir(ir):
            if isinstance(node, Local) and node.slot in self.slots:
                return True
            if isinstance(node, CodeOf) and isinstance(node.piece, (Local, Var)) and self._from_hidden(node.piece.type):
                return True
            if self._reads_kept(node) or (isinstance(node, (CallIr, CallRow)) and self._calls_secret(node)):
                return True
            zone = zone_read(node) or uncounted_read(self._world, node)
            if zone is not None and self._is_hidden_zone(zone) and not self._is_open_top(node):
                return True
        return False

    def _is_open_top(self, node: Ir) -> bool:
        """The top of a stack whose top everybody sees."""
        zone = node.zone if isinstance(node, ZoneRead) and node.what == "top" else None
        return isinstance(zone, ZoneIr) and self._world.zones[zone.zone].front == "top"

    def _from_hidden(self, t: Type) -> bool:
        inner = strip(t)
        return isinstance(inner, Piece) and inner.zone in self._world.zones and self._hides(inner.zone or "")

    def _is_hidden_zone(self, zone: Ir) -> bool:
        if isinstance(zone, ZoneIr):
            return self._hides(zone.zone)
        t = strip(zone.type)
        return isinstance(t, Zone) and self._hides(t.key)

    def _hides(self, key: str) -> bool:
        return self._world.zones[key].front != "all"

    def _calls_secret(self, node: CallIr | CallRow) -> bool:
        names = (node.function,) if isinstance(node, CallIr) else node.functions
        return any(self._function(name) for name in names)

    def _function(self, name: str) -> bool:
        if name not in self._functions:
            self._functions[name] = False
            body = self._world.functions[name].body
            self._functions[name] = body is not None and self.is_secret(body)
        return self._functions[name]


def secret_choices(program: Program) -> set[int]:
    """The slots of secret choices, and those that keep the choices until all are made."""
    found: set[int] = set()
    for instr in program.instrs:
        if instr.op == "ask" and instr.args[0].secret:
            found.update(answered(instr.args[0]))
        elif instr.op == "set" and isinstance(strip(instr.args[1].type), ListType) and _mentions(instr.args[1], found):
            found.add(instr.args[0])
    return found


def _mentions(ir: Ir, slots: set[int]) -> bool:
    return any(isinstance(n, Local) and n.slot in slots for n in walk_ir(ir))


def _tied(ask: Ask, slots: set[int]) -> set[int]:
    """Names of a decision, with all that a source or filter ties to one of them: a filter tells of what it reads."""
    groups = [{name.slot, *_names_read(ask, name)} for name in ask.names]
    found = set(slots)
    for _ in groups:  # a tie to a tie is one too
        found.update(*(group for group in groups if group & found))
    return found


def _names_read(ask: Ask, name: Name) -> Iterator[int]:
    """The names of a decision that the source and the filters of one of them read."""
    by_var = {n.var: n.slot for n in ask.names}
    own = {n.slot for n in ask.names}
    for ir in (name.source, name.where, name.if_possible):
        for node in walk_ir(ir) if ir is not None else ():
            if isinstance(node, Var) and node.name in by_var:
                yield by_var[node.name]
            elif isinstance(node, Local) and node.slot in own:
                yield node.slot


def zone_read(node: Ir) -> Ir | None:
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
