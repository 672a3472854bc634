"""Goes through a set-up before anybody plays, as far as it does not hang on chance or on what a player chooses.

What chance decides is which pieces lie where, seldom how many: so the pieces are counted, and one that nobody can know
yet is `Hidden`. Where a step needs to know it, the rehearsal ends, and nothing is said: the start of a game tells it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rulespec.diagnostics.model import Problems
from rulespec.lint.stage import Endless, Hidden, NotDone, NotKnown, Passes, Stage, TooFew, Try
from rulespec.lower.context import Context
from rulespec.lower.evaluate import Evaluator, NotConstant, TooMuchWork
from rulespec.lower.ir import Ask, Instr, Ir, Name, Program, TakeIr, ZoneIr
from rulespec.lower.missing import missing, too_few_drawn
from rulespec.model.types import ListType, SetType, Zone, strip
from rulespec.program.effects import gained, paid
from rulespec.program.meaning import place_of
from rulespec.program.ops import MISSING, for_each

MOST_STEPS = 20_000
MOST_WORK = 400_000


class Rehearsal:
    """One set-up, gone through."""

    def __init__(self, cx: Context, program: Program):
        zones = {key: [list(codes) for codes in places] for key, places in program.starts.items()}
        regions = {r.key: list(r.start) for r in program.regions}
        self.stage = Stage(cx, program, regions, zones)
        self.passes = Passes(sum(map(len, regions.values())) + sum(map(len, zones.values())))
        self.world = cx.world
        self.procs = {p.id: p for p in program.procs}
        self.by_name = {p.name: p for p in program.procs}
        self.region_of = {r.key: r for r in program.regions}
        self.evaluator = Evaluator(cx.world, cx.body_of, self.stage)
        self.homes = {z.first + i: (z.key, i) for z in cx.world.zones.values() for i in range(z.places)}
        self.matched: set[int] = set()  #: the blocks that it came to

    def entry_of(self, number: int) -> int:
        """Where a block begins, of which it is known from now on which ends belong to which beginnings."""
        proc = self.procs[number]
        if number not in self.matched:
            self.matched.add(number)
            self.stage.match(proc.entry, proc.end)
        return proc.entry

    def run(self, problems: Problems) -> None:
        """Reports the first step that cannot be done."""
        stage = self.stage
        at: int | None = None
        try:
            for block in ("watch", "setup"):
                at = self.entry_of(stage.program.entries[block])
                steps = 0
                while at is not None:
                    steps += 1
                    if steps > MOST_STEPS or self.evaluator.steps > MOST_WORK:
                        return
                    at = self._step(at, problems)
        except (NotKnown, NotConstant, TooMuchWork, RecursionError):
            return

    def _step(self, at: int, problems: Problems) -> int | None:
        """Does one instruction; the number of the next one, or None where the block is done or the rehearsal ends."""
        instr = self.stage.program.instrs[at]
        try:
            return _DO[instr.op](self, at, instr)
        except NotDone as fault:
            if not self.stage.tries:
                self._report(at, fault, problems)
                return None
            return self._take_back()
        except Endless:
            span = self.stage.span(self.stage.start[at])
            if span is not None:
                problems.add("RS808", span)
            return None

    def _report(self, at: int, fault: NotDone, problems: Problems) -> None:
        span = self.stage.span(at)
        if span is None:
            return
        if isinstance(fault, TooFew):
            problems.add("RS804", span, wanted=fault.wanted, found=fault.found)
        else:
            problems.add("RS805", span, why=fault.why)

    def _take_back(self) -> int:
        """All is as before the innermost `try`, and its other way is gone. Not where chance had a part in it."""
        stage = self.stage
        opened = stage.tries.pop()
        if stage.by_chance:
            raise NotKnown
        stage.regions, stage.zones, stage.slots = opened.regions, opened.zones, opened.slots
        stage.back, stage.together, stage.by_chance = opened.back, opened.together, opened.by_chance
        return stage.middle[opened.at] + 1

    # ---- values ----

    def value(self, ir: Ir) -> Any:
        """An expression's value now."""
        return self.evaluator.value(ir)

    def as_kept(self, slot: int, ir: Ir) -> Any:
        """A value as a name of a block keeps it: a set as a list of its members where it keeps lists, and so on."""
        kept, given = strip(self.stage.program.slots[slot].type), strip(ir.type)
        if isinstance(kept, ListType) and isinstance(given, SetType | Zone):
            return tuple(self.evaluator.items(ir, {}))
        if isinstance(kept, SetType) and isinstance(given, ListType):
            return sum(1 << member for member in set(self.value(ir)))
        return self.value(ir)

    def known(self, ir: Ir) -> int:
        """An integer that must be known."""
        found = self.value(ir)
        if isinstance(found, Hidden):
            raise NotKnown
        assert isinstance(found, int)
        return found

    def place(self, zone: Ir) -> tuple[str, int]:
        """The zone and the place that an expression names."""
        key, at = place_of(self.evaluator, zone)
        if isinstance(at, Hidden):
            raise NotKnown
        return key, at

    # ---- pieces ----

    def room(self, goal: tuple[str, int]) -> int:
        """How many more pieces a place holds."""
        key, at = goal
        return self.world.zones[key].capacity[at] - len(self.stage.zones[key][at])

    def hide(self, home: tuple[str, int]) -> None:
        """Which pieces lie at a place, or in which order, is not known any more; unless they are all alike."""
        codes = self.stage.zones[home[0]][home[1]]
        if any(isinstance(c, Hidden) for c in codes) or len(set(codes)) > 1:
            codes[:] = [Hidden(home) for _ in codes]

    def take_away(self, piece: Any) -> Any:
        """Takes a piece from where it lies; its code, or Hidden."""
        if isinstance(piece, Hidden):
            if piece.home is None:
                raise NotKnown
            codes = self.stage.zones[piece.home[0]][piece.home[1]]
            if not codes:
                raise NotDone(MISSING["move"])
            self.hide(piece.home)
            return codes.pop()
        w = self.world
        key, at = self.homes[piece // w.codes // w.depth]
        codes = self.stage.zones[key][at]
        code, position = piece % w.codes, piece // w.codes % w.depth
        if any(isinstance(c, Hidden) for c in codes):
            raise NotKnown
        if code not in codes:
            raise NotDone(MISSING["move"])
        exact = w.zones[key].shape == "stack" and position < len(codes) and codes[position] == code
        return codes.pop(position if exact else codes.index(code))

    def put(self, code: Any, goal: tuple[str, int], where: str, face: int | None) -> None:
        """Puts a piece at a place."""
        if self.room(goal) <= 0:
            raise NotDone(MISSING["move"])
        decl = self.world.zones[goal[0]]
        if isinstance(code, Hidden):
            code = Hidden(goal)
        elif face is not None:
            code = self.world.pieces[decl.holds].with_face(code, face)
        codes = self.stage.zones[goal[0]][goal[1]]
        codes.insert(0 if where == "bottom" else len(codes), code)


# ---- instructions -----------------------------------------------------------------------------------


def _nothing(r: Rehearsal, at: int, instr: Instr) -> int:
    return at + 1


def _stop(r: Rehearsal, at: int, instr: Instr) -> int:
    raise NotKnown


def _set(r: Rehearsal, at: int, instr: Instr) -> int:
    slot, value = instr.args
    r.stage.slots[slot] = r.as_kept(slot, value)
    return at + 1


def _forget(r: Rehearsal, at: int, instr: Instr) -> int:
    r.stage.slots.pop(instr.args[0], None)
    return at + 1


def _store(r: Rehearsal, at: int, instr: Instr) -> int:
    region, index, value = instr.args
    r.stage.regions[region][r.known(index)] = r.value(value)
    return at + 1


def _gain(r: Rehearsal, at: int, instr: Instr) -> int:
    region, index, amount = instr.args[:3]
    cells, place = r.stage.regions[region], r.known(index)
    cells[place] = gained(r.region_of[region], cells[place], r.known(amount))
    return at + 1


def _pay(r: Rehearsal, at: int, instr: Instr) -> int:
    region, index, amount = instr.args[:3]
    cells, place = r.stage.regions[region], r.known(index)
    left = paid(r.region_of[region], cells[place], r.known(amount))
    if left is None:
        raise NotDone(MISSING["pay"])
    cells[place] = left
    return at + 1


def _score(r: Rehearsal, at: int, instr: Instr) -> int:
    player, amount = instr.args[:2]
    cells = r.stage.regions["player.score"]
    cells[r.known(player)] += r.known(amount)
    return at + 1


def _require(r: Rehearsal, at: int, instr: Instr) -> int:
    if not r.known(instr.args[0]):
        raise NotDone(missing(r.stage.program.instrs, at))
    return at + 1


def _together(r: Rehearsal, at: int, instr: Instr) -> int:
    r.stage.together += instr.args[0]
    return at + 1


def _chance(r: Rehearsal, at: int, instr: Instr) -> int:
    r.stage.by_chance = True
    return at + 1


# ---- pieces


def _move(r: Rehearsal, at: int, instr: Instr) -> int:
    mode, what, zone, face, where = instr.args
    goal = r.place(zone)
    turned = None if face is None else r.known(face)
    for piece in _moved(r, mode, what):
        r.put(r.take_away(piece), goal, where, turned)
    return at + 1


def _moved(r: Rehearsal, mode: str, what: Ir) -> list[Any]:
    """The pieces that are to be moved, in order."""
    if mode == "all":
        key, place = r.place(what)
        return r.stage.pieces(key, place)
    found = r.value(what)
    if mode == "one":
        found = [found]
    elif not isinstance(found, tuple | list):
        if isinstance(found, Hidden):
            raise NotKnown
        raise NotDone(_too_few_to_take(r, what))
    if any(not isinstance(piece, Hidden) and piece < 0 for piece in found):
        raise NotDone(MISSING["move"])
    return list(found)


def _too_few_to_take(r: Rehearsal, what: Ir) -> str:
    if not isinstance(what, TakeIr) or not isinstance(what.zone, ZoneIr):
        return MISSING["move"]
    key, place = r.place(what.zone)
    return f"{r.known(what.amount)} are to be taken, and {len(r.stage.zones[key][place])} are there"


def _flip(r: Rehearsal, at: int, instr: Instr) -> int:
    mode, what = instr.args[:2]
    pieces = _moved(r, mode, what)
    homes = {p.home if isinstance(p, Hidden) else r.homes[p // r.world.codes // r.world.depth] for p in pieces}
    for home in homes:
        if home is None:
            raise NotKnown
        codes = r.stage.zones[home[0]][home[1]]
        codes[:] = [Hidden(home) for _ in codes]
    return at + 1


def _roll(r: Rehearsal, at: int, instr: Instr) -> int:
    r.stage.by_chance = True
    return _flip(r, at, instr)


def _draw(r: Rehearsal, at: int, instr: Instr) -> int:
    amount, source, goal, renew, _ = instr.args
    r.stage.by_chance = True
    wanted, drawn = r.known(amount), 0
    home, to = r.place(source), r.place(goal)
    again = None if renew is None else r.place(renew)
    codes = r.stage.zones[home[0]][home[1]]
    while drawn < wanted:
        if not codes and again is not None:
            left = r.stage.zones[again[0]][again[1]]
            codes += left
            left.clear()
            r.hide(home)
        if not codes or r.room(to) <= 0:
            break
        if r.world.zones[home[0]].shape != "stack":
            r.hide(home)
        r.put(codes.pop(), to, "top", None)
        drawn += 1
    if drawn < wanted and not r.stage.tries:
        raise NotDone(too_few_drawn(wanted, drawn))
    return at + 1


def _shuffle(r: Rehearsal, at: int, instr: Instr) -> int:
    r.stage.by_chance = True
    r.hide(r.place(instr.args[0]))
    return at + 1


# ---- decisions


def _candidates(r: Rehearsal, name: Name, env: dict[str, Any]) -> list[Any]:
    """What may be chosen for a name, equal pieces one by one; at most these."""
    found = r.evaluator.items(name.source, env)
    if name.where is None:
        return found
    return [x for x in found if r.evaluator.value(name.where, {**env, name.var: x})]


def _ask(r: Rehearsal, at: int, instr: Instr) -> int:
    ask: Ask = instr.args[0]
    if ask.kind == "set" and not ask.optional and len(ask.names) == 1 and ask.amount is not None:
        return _ask_set(r, at, ask)
    if ask.kind != "one":
        raise NotKnown
    env: dict[str, Any] = {}
    for name in ask.names:
        found = _candidates(r, name, env)
        if not found:
            raise NotDone(MISSING["ask"])
        chosen = found[0] if len(found) == 1 else _one_of(r, name, env)
        env[name.var] = r.stage.slots[name.slot] = chosen
    r.stage.by_chance |= ask.chance
    return at + 1


def _one_of(r: Rehearsal, name: Name, env: dict[str, Any]) -> Hidden:
    """One of several: a piece lies where they all lie."""
    if not isinstance(strip(name.source.type), Zone):
        return Hidden()
    return Hidden(place_of(r.evaluator, name.source, env))


def _ask_set(r: Rehearsal, at: int, ask: Ask) -> int:
    """All picks of a set at once."""
    [name], amount = ask.names, ask.amount
    assert amount is not None
    wanted, found = r.known(amount), _candidates(r, name, {})
    if wanted > len(found):
        raise TooFew(wanted, len(found))
    r.stage.slots[ask.picked] = tuple(_one_of(r, name, {}) for _ in range(wanted))
    r.stage.by_chance |= ask.chance
    return at + 1


# ---- steering


def _if(r: Rehearsal, at: int, instr: Instr) -> int:
    stage = r.stage
    if instr.op == "if":
        true = r.known(instr.args[0])
    else:
        ask: Ask = instr.args[0]
        if ask.kind != "one" or len(ask.names) != 1:
            raise NotKnown
        true = len(_candidates(r, ask.names[0], {}))
    return at + 1 if true else stage.middle.get(at, stage.end[at]) + 1


def _over_the_other(r: Rehearsal, at: int, instr: Instr) -> int:
    """The end of one way: past the other one."""
    if instr.op == "orelse":
        r.stage.by_chance |= r.stage.tries.pop().by_chance
    return r.stage.end[r.stage.start[at]] + 1


def _loop(r: Rehearsal, at: int, instr: Instr) -> int:
    r.passes.begin(at)
    return at + 1


def _end_loop(r: Rehearsal, at: int, instr: Instr) -> int:
    r.passes.again(r.stage.start[at], r.stage)
    return r.stage.start[at] + 1


def _break_if(r: Rehearsal, at: int, instr: Instr) -> int:
    return r.stage.end[r.stage.start[at]] + 1 if r.known(instr.args[0]) else at + 1


def _try(r: Rehearsal, at: int, instr: Instr) -> int:
    s = r.stage
    zones = {key: [list(codes) for codes in places] for key, places in s.zones.items()}
    regions = {key: list(cells) for key, cells in s.regions.items()}
    s.tries.append(Try(at, regions, zones, dict(s.slots), list(s.back), s.together, s.by_chance))
    s.by_chance = False
    return at + 1


def _call(r: Rehearsal, at: int, instr: Instr) -> int:
    number, args = instr.args
    params = r.procs[number].params
    return _enter(r, number, [r.as_kept(slot, a) for slot, a in zip(params, args, strict=True)], at)


def _enter(r: Rehearsal, number: int, args: list[Any], at: int) -> int:
    entry = r.entry_of(number)
    r.stage.slots.update(zip(r.procs[number].params, args, strict=True))
    r.stage.back.append((number, at + 1))
    return entry


def _callv(r: Rehearsal, at: int, instr: Instr) -> int:
    value, level, _ = instr.args
    call = r.stage.program.effect_procs.get((level, r.known(value)))
    if call is None:
        raise NotDone(MISSING["callv"])
    return _enter(r, call[0], list(call[1]), at)


def _check(r: Rehearsal, at: int, instr: Instr) -> int:
    proc = r.by_name[f"check {instr.args[0]}"]
    if r.stage.together or any(number == proc.id for number, _ in r.stage.back):
        return at + 1
    return _enter(r, proc.id, [], at)


def _ret(r: Rehearsal, at: int, instr: Instr) -> int | None:
    return r.stage.back.pop()[1] if r.stage.back else None


_DO: dict[str, Callable[[Rehearsal, int, Instr], int | None]] = for_each(
    {
        "set": _set,
        "forget": _forget,
        "store": _store,
        "gain": _gain,
        "pay": _pay,
        "score": _score,
        "require": _require,
        "together": _together,
        "move": _move,
        "flip": _flip,
        "roll": _roll,
        "draw": _draw,
        "shuffle": _shuffle,
        "horizon": _chance,
        "ask": _ask,
        "if": _if,
        "if_any": _if,
        "else": _over_the_other,
        "orelse": _over_the_other,
        "loop": _loop,
        "end_loop": _end_loop,
        "break_if": _break_if,
        "break_unless_any": _stop,
        "try": _try,
        "call": _call,
        "callv": _callv,
        "check": _check,
        "ret": _ret,
        "finish": _stop,
        "halt": _stop,
        **dict.fromkeys(("look", "resolve", "end", "end_try", "unit", "unit_end", "log", "event"), _nothing),
    }
)


def rehearse(cx: Context, program: Program, problems: Problems) -> frozenset[int]:
    """Reports what a set-up cannot do, as far as that can be known before play: the first such step.

    Gives the blocks that it came to.
    """
    rehearsal = Rehearsal(cx, program)
    with suppress(TypeError, IndexError, KeyError):  # a fault of ours is no reason to check nothing: a start tells it
        rehearsal.run(problems)
    return frozenset(rehearsal.matched)
