"""What each instruction does: one function an operation, in the order of `rulespec/program/ops.py`.

A function changes the position, and gives the number of the instruction to go on with where that is not the next one.
It raises `Fails` where there is no way on, `CanBeCompleted` where a look-ahead may stop (in one `floor` is not 0), and
`Fault` where the content is wrong.
`ask`, `try` and `halt` are done in `machine` and `lookahead`: playing and looking ahead differ there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.condition_parts import parts
from interpreter.reference import chance, memory
from interpreter.reference.decisions import candidates, fill
from interpreter.reference.events import Events
from interpreter.reference.faults import CanBeCompleted, Fails, Fault, out_of_range
from interpreter.reference.pieces import flip_pieces, move_pieces, set_content, show_pieces, split
from interpreter.reference.position import Position
from interpreter.reference.setup import is_setting_up, must_be_drawn
from rulespec.lower.ir import NO_INTEGER, Ask, Ir
from rulespec.model.types import ListType, Piece, SetType, strip
from rulespec.program.control_flow import ControlFlow
from rulespec.program.effects import gained, paid
from rulespec.program.meaning import MEANING, bits
from rulespec.program.ops import OPERATIONS, UNIT_ME, UNIT_TOGETHER, for_each


class Run:
    """Instructions being run: in play (`floor` is 0), or in a look-ahead that ends where so many units are open."""

    __slots__ = ("at", "events", "floor", "p")

    def __init__(self, p: Position, floor: int = 0, events: Events | None = None):
        self.p, self.floor, self.events = p, floor, events
        self.at = 0

    def step(self, at: int) -> int:
        """Does one instruction; the number of the one to go on with."""
        self.at = at
        instr = self.p.game.instrs[at]
        try:
            self.p.count()
            if self.p.game.ran is not None and not self.floor:
                self.p.game.ran.add(at)
            to = DO[instr.op](self, *instr.args)
        except Fault as fault:
            fault.at = at
            raise
        return at + 1 if to is None else to

    @property
    def blocks(self) -> ControlFlow:
        """The shape of the program."""
        return self.p.game.blocks

    def value(self, node: Ir) -> Any:
        """The value of an operand."""
        return self.p.value(node)

    def tell_condition(self, *values: Any) -> None:
        """Notes what a condition was made of, where that is kept."""
        if self.events is not None and self.events.conditions:
            self.tell("condition", values)

    def tell_horizon(self) -> None:
        """Notes that nobody could foresee what comes, where that is kept."""
        if self.events is not None and self.events.conditions:
            self.events.append(("horizon", self.at))

    def tell(self, word: str, *what: Any) -> None:
        """Notes an event, where events are kept."""
        if self.events is not None:
            self.events.append((word, self.at, self.p.me, *what))


# ---- slots and cells -------------------------------------------------------------------------------------------------


def set_slot(run: Run, slot: int, node: Ir) -> None:
    """Fills a slot. A set that goes into a slot of a list is listed."""
    found = run.value(node)
    if isinstance(run.p.game.program.slots[slot].type, ListType) and isinstance(strip(node.type), SetType):
        found = tuple(bits(found))
    fill(run.p, slot, () if found == 0 and isinstance(run.p.game.program.slots[slot].type, ListType) else found)


def forget(run: Run, slot: int) -> None:
    """Empties a slot: 0, or an empty list."""
    run.p.empty(slot)


def store(run: Run, region: str, index: Ir, node: Ir) -> None:
    """Fills a cell; a value outside its range is a fault of the content."""
    found, place, of = run.value(node), run.value(index), run.p.game.regions[region]
    if not of.low <= found <= of.high and not (of.may_be_none and found == NO_INTEGER):
        raise out_of_range(found, of.low, of.high)
    before = run.p.load(region, place)
    run.p.store(region, place, found)
    if run.p.game.is_declared(region) and before != found:
        run.tell("set", region, place, before, found)


def gain(run: Run, region: str, index: Ir, amount: Ir) -> None:
    """Adds; stops at both ends of the range."""
    place, of = run.value(index), run.p.game.regions[region]
    before = run.p.load(region, place)
    after = gained(of, before, run.value(amount))
    run.tell("gain", region, after - before)
    run.p.store(region, place, after)


def pay(run: Run, region: str, index: Ir, amount: Ir, label: object) -> None:
    """Takes; below the lower end it fails."""
    place, of = run.value(index), run.p.game.regions[region]
    before = run.p.load(region, place)
    price = run.value(amount)
    after = paid(of, before, price)
    if after is None:
        raise Fails
    run.tell_condition(before, price)
    run.tell("pay", region, before - after)
    run.p.store(region, place, after)


def score(run: Run, player: Ir, amount: Ir, reason: str) -> None:
    """Adds to a player's points."""
    seat, points, of = run.value(player), run.value(amount), run.p.game.regions["player.score"]
    total = run.p.load("player.score", seat) + points
    if not of.low <= total <= of.high:
        raise out_of_range(total, of.low, of.high)
    run.p.store("player.score", seat, total)
    if run.events is not None:
        run.events.append(("score", run.at, seat, points, reason))


def require(run: Run, condition: Ir, *label: object) -> None:
    """Fails where it is false."""
    if not run.value(condition):
        raise Fails
    if run.events is not None and run.events.conditions:
        run.tell_condition(*map(run.value, parts(condition)))


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _pieces(run: Run, mode: str, what: Ir) -> tuple[int, ...]:
    """The pieces that a step speaks of: one, a list (of none: it fails), or all of a place."""
    if mode == "all":
        return tuple(run.p.pieces_at(run.p.place(what)))
    found = run.value(what)
    if mode == "list" and found == -1:
        raise Fails
    return (found,) if mode == "one" else found


def move(run: Run, mode: str, what: Ir, goal: Ir, face: Ir | None, end: str) -> None:
    """Moves pieces one by one; fails where one is not there or does not fit, and moves none then."""
    place, pieces = run.p.place(goal), _pieces(run, mode, what)
    before = None if run.events is None else run.events.moment(run.p)
    kind = run.p.game.places[place].kind
    turned = None if face is None else run.value(face)
    move_pieces(run.p, pieces, place, lambda c: c if turned is None else kind.turned(c, turned), bottom=end == "bottom")
    if pieces:
        run.tell("move", pieces, place, before)


def flip(run: Run, mode: str, what: Ir, face: Ir) -> None:
    """Turns pieces where they lie; fails where one is not there, and turns none then."""
    pieces, turned = _pieces(run, mode, what), run.value(face)
    before = None if run.events is None else run.events.moment(run.p)
    if mode == "all":
        place = run.p.place(what)
        kind = run.p.game.places[place].kind
        memory.all_turned(run.p, place, lambda code: kind.turned(code, turned))
        set_content(run.p, place, [kind.turned(code, turned) for code in run.p.zones[place]])
    else:
        t = strip(what.type)
        piece = t if isinstance(t, Piece) else t.of  # type: ignore[attr-defined]
        kind = run.p.game.kinds[piece.kind]
        flip_pieces(run.p, pieces, lambda code: kind.turned(code, turned))
    if pieces:
        run.tell("flip", pieces, turned, before)


def roll(run: Run, mode: str, what: Ir, stream: str, name: int | None) -> None:
    """Turns each piece that is there to a face, each face equally likely; a name follows its pieces. A horizon."""
    horizon(run)
    found: Any = tuple(run.p.pieces_at(run.p.place(what))) if mode == "all" else run.value(what)
    pieces: tuple[int, ...] = (found,) if mode == "one" else () if found == -1 else found
    rolled, now = chance.roll(run.p, pieces, stream)
    if name is not None and now:
        run.p.slots[name] = now[0] if mode == "one" else tuple(now)
    if rolled:
        run.tell("roll", *zip(*rolled, strict=True))


def look(run: Run, mode: str, what: Ir, seers: Ir) -> None:
    """Shows each piece that is there to some players, who know it then. A horizon."""
    horizon(run)
    found: Any = tuple(run.p.pieces_at(run.p.place(what))) if mode == "all" else run.value(what)
    pieces: tuple[int, ...] = (found,) if mode == "one" else () if found == -1 else found
    players: int = run.value(seers)
    there = show_pieces(run.p, pieces, players) if players else []
    if there:
        run.tell("look", tuple(there), players, None if run.events is None else run.events.moment(run.p))


# ---- chance and horizons ---------------------------------------------------------------------------------------------


def horizon(run: Run, *reason: object) -> None:
    """What the chooser may not see was read: a look-ahead ends here, and in play what happened so far stays."""
    if run.floor:
        raise CanBeCompleted
    run.tell_horizon()
    run.p.random = 1


def draw(run: Run, amount: Ir, source: Ir, goal: Ir, renewed_from: Any, stream: str) -> None:
    """Moves as many as there are and fit; in the set-up fewer than the amount are a fault."""
    horizon(run)
    p = run.p
    here, there, wanted = p.place(source), p.place(goal), run.value(amount)
    ready = None if renewed_from is None else p.place(renewed_from)
    drawn = chance.draw(p, wanted, here, there, ready, stream)
    must_be_drawn(p, run.at, wanted, len(drawn))
    run.tell("draw", len(drawn), source.zone, tuple(drawn), there, is_setting_up(p))  # type: ignore[attr-defined]


def shuffle(run: Run, stack: Ir, stream: str) -> None:
    """A random order."""
    horizon(run)
    chance.shuffle(run.p, run.p.place(stack), stream)
    run.tell("shuffle")


def resolve(run: Run, slot: int, stream: str, field: int | None) -> None:
    """Where a piece was chosen by its back, chance picks one of those that look like it; for each member of a list.

    It is a horizon whatever was chosen: whether the chooser sees what lies there may hang on the state.
    """
    horizon(run)
    p, content = run.p, run.p.slots[slot]
    listed = isinstance(strip(p.game.program.slots[slot].type), ListType)
    members = list(content) if listed else [content]
    pieces = [member if field is None else member[field] for member in members]
    taken = [piece for piece in pieces if not _is_back(p, piece)]
    for i, piece in enumerate(pieces):
        if _is_back(p, piece):
            found = chance.resolve(p, piece, stream, taken)
            taken.append(found)
            members[i] = found if field is None else (*members[i][:field], found, *members[i][field + 1 :])
    p.slots[slot] = tuple(members) if listed else members[0]


def _is_back(p: Position, piece: int) -> bool:
    """Whether all that is known of a piece is its back."""
    if piece < 0:
        return False
    place, _, code = split(p, piece)
    return code >= p.game.places[place].kind.count


# ---- branches and loops ----------------------------------------------------------------------------------------------


def _holds(run: Run, condition: Ir | Ask) -> bool:
    """Whether a condition is true; of a decision: whether it would have a candidate."""
    return bool(candidates(run.p, condition) if isinstance(condition, Ask) else run.value(condition))


def branch(run: Run, condition: Ir | Ask) -> int | None:
    """`if`, `if_any`: on, or to `else` or `end`."""
    return None if _holds(run, condition) else run.blocks.middle.get(run.at, run.blocks.end[run.at]) + 1


def otherwise(run: Run) -> int:
    """`else`: the branch is done."""
    return run.blocks.behind(run.blocks.start[run.at])


def on(run: Run) -> None:
    """`end`, `loop`, `end_try`: nothing by itself."""


def end_loop(run: Run) -> int:
    """Again."""
    return run.blocks.start[run.at] + 1


def break_if(run: Run, condition: Ir) -> int | None:
    """To the end of the loop around, where a condition is true."""
    return run.blocks.behind(run.blocks.loop[run.at]) if _holds(run, condition) else None


def break_unless_any(run: Run, ask: Ask) -> int | None:
    """The same where the decision would have no candidate."""
    return None if _holds(run, ask) else run.blocks.behind(run.blocks.loop[run.at])


# ---- units -----------------------------------------------------------------------------------------------------------


def _note_unit(p: Position, slot: int) -> None:
    """Keeps `me`, `units` and `together` as they are, in one number."""
    p.slots[slot] = p.me + UNIT_ME * p.units + UNIT_TOGETHER * p.load("together")


def unit(run: Run, slot: int) -> None:
    """Opens a unit; the slot keeps how things stood."""
    _note_unit(run.p, slot)
    run.p.store("units", 0, run.p.units + 1)


def unit_end(run: Run, slot: int) -> None:
    """Closes a unit. A look-ahead that began in it has been completed."""
    if run.p.units == run.floor:
        raise CanBeCompleted
    run.p.store("units", 0, run.p.units - 1)
    run.p.slots[slot] = 0


def enter_try(p: Position, at: int) -> int:
    """Opens the unit of a `try`; that of a thin one is its one action's own."""
    slot, thin = p.game.instrs[at].args
    _note_unit(p, slot)
    if not thin:
        p.store("units", 0, p.units + 1)
    return at + 1


def orelse(run: Run, slot: int, thin: bool) -> int:
    """What a `try` holds is done: its unit ends."""
    if thin:
        run.p.slots[slot] = 0
    else:
        unit_end(run, slot)
    return run.blocks.behind(run.blocks.start[run.at])


def close_unit(p: Position, at: int) -> int:
    """A unit is left in the middle: `me`, `units` and `together` are as they were when it was opened.

    Gives the instruction behind it.
    """
    slot = p.game.instrs[at].args[0]
    rest, me = divmod(p.slots[slot], UNIT_ME)
    together, units = divmod(rest, UNIT_TOGETHER // UNIT_ME)
    for region, found in (("me", me), ("units", units), ("together", together)):
        p.store(region, 0, found)
    p.slots[slot] = 0
    return p.game.blocks.behind(at)


def together(run: Run, more: int) -> None:
    """Opens and closes steps after which conditions are looked at once."""
    run.p.store("together", 0, run.p.load("together") + more)


# ---- blocks ----------------------------------------------------------------------------------------------------------


def call(run: Run, proc: int, args: tuple[Ir, ...]) -> int:
    """Runs a block."""
    called = run.p.game.procs[proc]
    for slot, found in zip(called.params, [run.value(arg) for arg in args], strict=True):
        run.p.slots[slot] = found
    run.p.slots[called.back] = run.at + 1
    return called.entry


def callv(run: Run, effect: Ir, level: int, *possible: object) -> int:
    """Runs the block of an effect value; fails where it nests too deep."""
    found = run.p.game.program.effect_procs.get((level, run.value(effect)))
    if found is None:
        raise Fails
    called = run.p.game.procs[found[0]]
    for slot, given in zip(called.params, found[1], strict=True):
        run.p.slots[slot] = given
    run.p.slots[called.back] = run.at + 1
    return called.entry


def check(run: Run, condition: str) -> int | None:
    """Not inside `together` and not inside its own steps: for each binding, if it has turned true, its steps."""
    called = run.p.game.by_name[f"check {condition}"]
    if run.p.load("together") or run.p.slots[called.back]:
        return None
    run.p.slots[called.back] = run.at + 1
    return called.entry


def ret(run: Run) -> int:
    """Ends a block: empties its slots, and goes on behind its call."""
    called = run.p.game.procs[run.blocks.proc[run.at]]
    back: int = run.p.slots[called.back]
    run.p.empty_block(called.id)
    return back


# ---- lines of the log ------------------------------------------------------------------------------------------------


def log(run: Run, name: str, names: tuple[tuple[str, Ir], ...], part: str) -> None:
    """A line of the log: an action's, effect's or trigger's own choices are made."""
    if run.events is not None:
        word = part if part == "late" else "action" if run.p.game.is_action(name) else "effect"
        given = tuple((key, run.value(node)) for key, node in names if type(node) in MEANING)
        run.tell(word, name, given, run.events.moment(run.p))


def event(run: Run, name: str, args: tuple[Ir, ...]) -> None:
    """A line of the log."""
    if run.events is not None:
        run.tell("event", name, tuple(map(run.value, args)), run.events.moment(run.p))


def finish(run: Run) -> int:
    """Leaves everything that is open and goes on with the block `end`."""
    if run.floor:
        raise CanBeCompleted
    run.p.slots[:] = run.p.game.empty_slots
    run.p.store("units", 0, 0)
    run.p.store("together", 0, 0)
    return run.p.game.procs[run.p.game.program.entries["end"]].entry


#: Done where decisions are: playing and looking ahead differ there.
ELSEWHERE = ("ask", "try", "halt")
_DO: dict[str, Callable[..., int | None]] = {
    "set": set_slot,
    "forget": forget,
    "store": store,
    "gain": gain,
    "pay": pay,
    "score": score,
    "require": require,
    "move": move,
    "flip": flip,
    "roll": roll,
    "look": look,
    "draw": draw,
    "shuffle": shuffle,
    "resolve": resolve,
    "horizon": horizon,
    "if_any": branch,
    "if": branch,
    "else": otherwise,
    "end": on,
    "loop": on,
    "end_loop": end_loop,
    "break_if": break_if,
    "break_unless_any": break_unless_any,
    "unit": unit,
    "unit_end": unit_end,
    "orelse": orelse,
    "end_try": on,
    "together": together,
    "call": call,
    "callv": callv,
    "check": check,
    "ret": ret,
    "log": log,
    "event": event,
    "finish": finish,
}

DO = for_each(_DO, known=OPERATIONS.keys() - set(ELSEWHERE))
