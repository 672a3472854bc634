"""How far a seat can foresee what is tried: up to chance, and to whatever is read that it does not know.

That follows from what each instruction reads, never from how some states agree: hidden pieces, also those that only
whoever acts then may see, names that hold something of them, and choices that others have made in secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from interpreter.sight import zone_read
from rulespec.lower.ir import (
    CallIr,
    CallRow,
    Compare,
    Const,
    Instr,
    Ir,
    Local,
    TakeIr,
    Var,
    ZoneIr,
    ZoneRead,
    expressions_in,
    walk_ir,
)
from rulespec.lower.steps.sight import is_counted, uncounted_read
from rulespec.lower.substitute import substitute
from rulespec.model.types import ListType, Piece, Zone, strip
from rulespec.program.ops import HORIZONS, ONLY_TELLS, QUESTIONS, such_as

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.reference.position import Position

#: Readings that are a piece or none: whether it is there everybody sees by the number of pieces.
PRESENT: Final = ("slot", "top", "bottom", "any")
#: What neither changes points, counters or the places of pieces, nor fails, nor goes one way or another.
QUIET: Final = (
    ONLY_TELLS
    | such_as(lambda row: row.flow in ("divides", "closes", "returns"))
    | {"set", "forget", "roll", "look", "shuffle", "resolve", "horizon", "loop", "unit", "together", "call", "halt"}
)


@dataclass(frozen=True, slots=True)
class _Read:
    """Pieces of a place that are read: its top alone, or any."""

    zone: Ir
    top: bool


@dataclass(frozen=True, slots=True)
class _Needs:
    """What an instruction reads that may be hidden: pieces, slots; and the pieces that it only takes elsewhere."""

    reads: tuple[_Read, ...]
    slots: frozenset[int]
    taken: tuple[_Read, ...]


class Foresight:
    """Watches a run from an answer on, for the seat that gives it.

    `until` is how many of the events it can foresee, None where that is all of them. `more`: something comes behind
    them in the same action, as far as it knows; `others`: first of all others decide. `over`: the action is complete;
    `is_next_turn`: another turn has begun. `clean` are slots that hold what the seat knows: what it has answered, and
    what was read since.
    """

    def __init__(self, game: Game, seat: int, clean: set[int]):
        self._game, self._seat, self.clean = game, seat, clean
        self._clean_before = frozenset(clean)
        self._needs = _NEEDS.setdefault(game, {})
        self._instrs = game.built.program.instrs
        self._params = {proc.id: proc.params for proc in game.built.program.procs}
        self.until: int | None = None
        self.more = self.over = self.others = False
        self.is_next_turn = self._inside = self._takes_hidden = False

    def comes_to(self, p: Position, at: int, told: int) -> None:
        """Before an instruction; so many events were told until then."""
        instr = self._instrs[at]
        self.is_next_turn |= instr.op == "event" and instr.args[0] == "turn"
        self.over |= self.is_next_turn or (self._inside and not p.units)
        self._inside = instr.op != "finish" and (self._inside or p.units > 0)  # the end is part of what ends the game
        if self.is_next_turn:
            return
        if self.until is None and self._takes_hidden:
            self.until = told
        elif self.until is None:
            self._look(p, at, instr, told)
        if self.until is not None and self.until <= told and not self.over:
            self.more |= not self._is_quiet(p, instr)

    def taken_back(self, told: int) -> None:
        """Steps that failed are taken back, to so many events: that they failed may be what nobody could foresee."""
        if self.until is not None:
            self.until = min(self.until, told)
        self.clean = set(self._clean_before)
        self._inside = False

    def _look(self, p: Position, at: int, instr: Instr, told: int) -> None:
        """Whether the run is foreseen no further."""
        if instr.op in ONLY_TELLS:
            return
        needs = self.needs(at)
        if instr.op == "draw" and not self._is_unknown(p, needs) and self._belongs_to_nobody(instr.args[1]):
            self.until = told + 1  # how many are drawn everybody sees
        elif instr.op in HORIZONS or self._is_in_doubt(p, instr, needs):
            self.until = told
            self.others = instr.op == "ask" and not instr.args[0].chance
        else:
            self._takes_hidden = any(self.hides(p, read) for read in needs.taken)
            self._note(instr)

    def needs(self, at: int) -> _Needs:
        """What an instruction reads."""
        if at not in self._needs:
            self._needs[at] = _found_needs(self._game, self._instrs[at])
        return self._needs[at]

    def _is_in_doubt(self, p: Position, instr: Instr, needs: _Needs) -> bool:
        """Whether what an instruction does may hang on what the seat does not know.

        What is offered never tells its chooser of hidden pieces; others who choose may know more than the seat.
        """
        if instr.op in QUESTIONS and p.me == self._seat:
            return bool(instr.args[0].chance)
        if instr.op == "try" or (instr.op == "ask" and p.units):  # what can be completed is looked ahead at
            return p.me != self._seat and _hides_pieces(self._game)
        return (instr.op == "ask" and instr.args[0].chance) or self._is_unknown(p, needs)

    def _is_unknown(self, p: Position, needs: _Needs) -> bool:
        return any(not self._knows(p, slot) for slot in needs.slots - self.clean) or any(
            self.hides(p, read) for read in needs.reads
        )

    def _note(self, instr: Instr) -> None:
        """What is filled now, with what was foreseen."""
        if instr.op == "set":
            self.clean.add(instr.args[0])
        elif instr.op == "call":
            self.clean.update(self._params[instr.args[0]])

    # ---- what the seat knows ----

    def hides(self, p: Position, read: _Read) -> bool:
        """Whether pieces that are read lie where the seat may not look."""
        if not isinstance(read.zone, ZoneIr):  # a place that a name holds: any of its zone
            t = strip(read.zone.type)
            return not isinstance(t, Zone) or self._game.world.zones[t.key].front != "all"
        if self._game.world.zones[read.zone.zone].front == "all":
            return False
        if any(isinstance(node, Var) for node in walk_ir(read.zone.place)):  # each place of some
            return True
        place = p.place(read.zone)
        sight = self._game.knowledge.sight
        if not sight.counts(place, self._seat):
            return True
        return bool(p.zones[place]) and not sight.sees(place, self._seat, "front", top=read.top)

    def _knows(self, p: Position, slot: int) -> bool:
        """Whether a name that was given before holds pieces which the seat has seen where they lay."""
        t, content = strip(p.game.program.slots[slot].type), p.slots[slot]
        inner = strip(t.of) if isinstance(t, ListType) else t
        if slot in self._game.knowledge.secrets.choices or not isinstance(inner, Piece) or inner.zone == "-":
            return False
        return all(self._has_seen(p, piece) for piece in (content if isinstance(t, ListType) else (content,)))

    def _has_seen(self, p: Position, piece: int) -> bool:
        sight = self._game.knowledge.sight
        place, position, _ = sight.place_of(piece)
        top = position >= len(p.zones[place]) - 1 if piece >= 0 else False
        return piece >= 0 and sight.sees(place, self._seat, "front", top=top)

    def _belongs_to_nobody(self, zone: Ir) -> bool:
        return isinstance(zone, ZoneIr) and self._game.world.zones[zone.zone].domain is None

    def _is_quiet(self, p: Position, instr: Instr) -> bool:
        if instr.op == "store":
            return not p.game.is_declared(instr.args[0])
        return instr.op in QUIET


class Learning:
    """Watches a run for what may tell somebody of hidden pieces though none is seen: that none was found, or how many.

    `learnt` then. Pieces that are looked for among those that the seat may not see tell it something also where there
    are none; so does what hangs on a number of pieces that it may not see.
    """

    def __init__(self, game: Game, seat: int):
        self._game, self._seat = game, seat
        self._sees = Foresight(game, seat, set())
        self.learnt = self._is_next_turn = False

    def comes_to(self, p: Position, at: int, told: int) -> None:
        """Before an instruction."""
        instr = self._game.built.program.instrs[at]
        self._is_next_turn |= instr.op == "event" and instr.args[0] == "turn"
        if not self.learnt and not self._is_next_turn and instr.op not in ONLY_TELLS:
            self.learnt = self._tells(p, at, instr)

    def taken_back(self, told: int) -> None:
        """Steps that failed are taken back: what was learnt by them stays learnt."""

    def _tells(self, p: Position, at: int, instr: Instr) -> bool:
        if instr.op in QUESTIONS and p.me != self._seat:  # what is offered to another is not told
            return False
        needs = self._sees.needs(at)
        if instr.op != "look":
            return any(self._is_uncounted(p, read) for read in (*needs.reads, *needs.taken))
        what = instr.args[1]
        if not isinstance(what, (ZoneIr, ZoneRead, TakeIr, Local)):  # some that were looked for
            return any(self._sees.hides(p, read) for read in needs.reads)
        return any(self._is_uncounted(p, read) for read in (*needs.reads, *_taken(what)))

    def _is_uncounted(self, p: Position, read: _Read) -> bool:
        """Whether the seat may not see how many pieces lie where some are read."""
        t = strip(read.zone.type)
        if not isinstance(t, Zone) or self._game.world.zones[t.key].is_counted:
            return False
        if not isinstance(read.zone, ZoneIr) or any(isinstance(node, Var) for node in walk_ir(read.zone.place)):
            return True
        return not self._game.knowledge.sight.counts(p.place(read.zone), self._seat)


# ---- what instructions read ----


#: By instruction of a game, found once.
_NEEDS: WeakKeyDictionary[Game, dict[int, _Needs]] = WeakKeyDictionary()


def _found_needs(game: Game, instr: Instr) -> _Needs:
    """What an instruction reads that may be hidden."""
    secrets = game.knowledge.secrets
    kept = secrets.slots | secrets.choices
    reads: list[_Read] = []
    slots: set[int] = set()
    what = instr.args[1] if instr.op == "move" else None
    for ir in expressions_in(instr):
        only_taken = ir is what and isinstance(ir, (ZoneRead, TakeIr))
        reads += _reads_of(game, ir, skip=ir if only_taken else None)
        slots |= {node.slot for node in walk_ir(ir) if isinstance(node, Local) and node.slot in kept}
    return _Needs(tuple(reads), frozenset(slots), tuple(_taken(what)))


def _taken(what: Ir | None) -> list[_Read]:
    """The pieces that a step takes elsewhere."""
    if isinstance(what, (ZoneRead, TakeIr)):
        return [_Read(what.zone, top=isinstance(what, ZoneRead) and what.what == "top")]
    return [_Read(what, top=False)] if isinstance(what, ZoneIr) else []


def _reads_of(game: Game, ir: Ir, skip: Ir | None = None, called: frozenset[str] = frozenset()) -> list[_Read]:
    """Each reading of pieces in an expression, and in the functions that it calls. `skip` is no reading."""
    counted = {id(skip)}
    found: list[_Read] = []
    for node in walk_ir(ir):  # each before what it holds
        if isinstance(node, Compare) and _asks_for_presence(node) and is_counted(game.world, node.left.zone):  # type: ignore[attr-defined]
            counted.add(id(node.left))
        if id(node) in counted:
            continue
        zone = zone_read(node) or uncounted_read(game.world, node)
        if zone is not None and isinstance(strip(zone.type), Zone):
            found.append(_Read(zone, top=isinstance(node, ZoneRead) and node.what == "top"))
        if isinstance(node, (CallIr, CallRow)):
            for name in {node.function} if isinstance(node, CallIr) else {*node.functions}:
                found += _called(game, name, node.args, called)
    return found


def _called(game: Game, name: str, args: tuple[Ir, ...], called: frozenset[str]) -> list[_Read]:
    """What a function reads, with its arguments in place."""
    function = game.world.functions.get(name)
    if function is None or function.body is None or name in called:
        return []
    given = {f"{name}.{param}": arg for (param, _), arg in zip(function.params, args, strict=False)}
    return _reads_of(game, substitute(function.body, given), None, called | {name})


def _asks_for_presence(node: Compare) -> bool:
    """Whether there is a piece: like the number of pieces, everybody sees it."""
    nothing = isinstance(node.right, Const) and node.right.value == -1
    return nothing and isinstance(node.left, ZoneRead) and node.left.what in PRESENT


def _hides_pieces(game: Game) -> bool:
    return any(zone.front != "all" for zone in game.world.zones.values())
