"""Play, as functions of the module: to the next decision, and whole random games."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import rng
from interpreter.middle.limits import MOST_BLOCKS
from interpreter.native import chance, event_buffer
from interpreter.native.asks import STOP
from interpreter.native.code import Code
from interpreter.native.failing import Failing
from interpreter.native.picks import Picks
from interpreter.native.pieces import runtime
from interpreter.native.search import UNKNOWN, Search
from interpreter.native.tables import (
    ANSWER,
    BLOCK,
    CANDIDATES,
    CHANCE,
    CLEAN,
    DEEP,
    INCREMENT,
    KIND,
    KINDS,
    OPTIONAL,
    OPTIONS,
    OTHERWISE,
    STREAM,
    TRY,
    WORDS,
)
from interpreter.native.wasm import I32, I64, E, Fn, Global, Local, both, call, const, const64, load, select, share
from rulespec.lower.ir import Ir

#: the purpose of the stream out of which random games choose
PURPOSE = "playouts"
#: a random game that is longer than this is broken off
MOST_DECISIONS = 100_000


class Play:
    """The writing of these functions. `snapshot` is room for a state, `end` where the final scoring begins."""

    def __init__(self, search: Search, snapshot: Global, end: int):
        self.search, self.s, self.t = search, search.s, search.t
        self.snapshot, self.end = snapshot, end
        self.failing = Failing(search, snapshot)
        self.choices = self.s.module.room(8)
        self.going_on = self.s.module.room(4)
        self.done = self.s.module.global_(name="done")
        #: the function that tells what a position is worth, once it is written
        self.outlook: Fn | None = None

    # ---- options ----

    def options(self, c: E, pc: E) -> E:
        """How many options a decision has; they are written where candidates are."""
        return call(runtime(self.s, "options", 2, self._options), c, pc)

    def _options(self, s: Code, fn: Fn) -> None:
        c, pc = fn.params
        about = fn.keep(self.t.ask_at(pc))
        amount, alone = fn.local(), fn.keep(s.read_region("units"))
        with fn.when(load(about, at=KIND).eq(KINDS["one"])):
            with fn.when(alone.eq(0)):
                fn.give(self.search.indirect(load(about, at=CANDIDATES), c))
            with fn.when(both(load(about, at=OPTIONS), load(about, at=DEEP) | alone.eq(1))):
                fn.set(amount, self.search.indirect(load(about, at=OPTIONS), c))
                with fn.when(amount.ne(UNKNOWN)):
                    fn.give(amount)
        self.search.begin(c)
        with fn.when(load(about, at=KIND).eq(KINDS["set"]) & load(about, at=OPTIONAL).eq(0)):
            fn.give(Picks(self.search).options(c, pc))
        self._filtered(c, pc, about)

    def _filtered(self, c: E, pc: E, about: Local) -> None:
        """The answers that lead on, in place of all."""
        s, fn = self.s, self.s.fn
        start, size = fn.keep(s.globals.found), fn.keep(load(about, at=WORDS) << 2)
        amount = fn.keep(self.search.listed(c, pc))
        fn.set(s.globals.found, start + amount * size)
        out = fn.keep(start)
        with fn.count(amount) as i:
            x = fn.keep(start + i * size)
            with fn.when(self.search.leads_on(c, pc, x)):
                fn.copy(out, x, size)
                fn.set(out, out + size)
        fn.set(s.globals.found, start)
        self.search.counted(amount)
        fn.give((out - start).op("div_u", size))
        fn.trap()

    # ---- to the next decision ----

    def run(self, c: E, pc: E) -> E:
        """Runs to the next decision: how many options there are; -1 when the game is over."""
        return call(runtime(self.s, "run", 2, self._run), c, pc)

    def _run(self, s: Code, fn: Fn) -> None:
        c, pc = fn.params
        top = fn.keep(s.globals.temps)
        fn.set(s.globals.work, 0)
        fn.set(s.globals.trail, s.globals.trail_start)
        s.set_cell(s.layout.horizon, 0)
        blocks, tried, random, kind = fn.keep(0), fn.keep(0), fn.keep(0), fn.local()
        with fn.loop() as again:
            fn.set(blocks, blocks + 1)
            s.bail_if(blocks.gt(MOST_BLOCKS // 2), "stuck")
            fn.set(kind, self.t.kind_at(pc))
            with fn.when(kind.eq(BLOCK)):
                fn.set(pc, self.search.indirect(pc, c, 0))
                fn.set(s.globals.temps, top)
                fn.br_if(again, pc.ge(0))
            with fn.otherwise():
                with fn.when(kind.eq(TRY)):
                    self._try(c, pc, tried, random)
                    fn.br(again)
                amount = fn.keep(call(runtime(s, "asked", 2, self._asked), c, pc))
                with fn.when(amount.gt(0)):
                    s.set_cell(0, pc)
                    s.set_cell(s.layout.horizon, 0)
                    fn.give(amount)
                fn.set(pc, load(const(self.going_on), 4))
                fn.br_if(again, pc.ge(0))
            with fn.when(pc.eq(-2)):
                s.set_cell(0, 0)
                fn.give(-1)
            fn.set(pc, self.failing.on_from(c, const(-3) - pc, tried, random))
            fn.set(tried, 0)
            fn.br(again)
        fn.trap()

    def _try(self, c: E, pc: Local, tried: Local, random: Local) -> None:
        """A `try`: outside of every unit it is entered without looking ahead. It is noted, and what the flag was."""
        s, fn = self.s, self.s.fn
        about = fn.keep(self.t.unit_at(pc))
        with fn.when(s.read_region("units")):
            self.search.begin(c)
            inside = fn.keep(self.search.completes_alone(c, pc))
            self.search.counted(const(1))
            with fn.when(inside):
                fn.set(pc, self.search.enter_try(c, pc))
            with fn.otherwise():
                fn.set(pc, load(about, at=OTHERWISE))
        with fn.otherwise():
            with fn.when(load(about, at=CLEAN).eq(0)):
                self.search.copy(self.snapshot, c)
            fn.set(tried, pc)
            fn.set(s.globals.trail_mark, s.globals.trail)
            fn.set(s.globals.events_mark, s.globals.events)
            fn.set(random, s.cell(s.layout.horizon))
            s.set_cell(s.layout.horizon, 0)
            fn.set(pc, self.search.enter_try(c, pc))

    def _asked(self, s: Code, fn: Fn) -> None:
        """How many options there are; 0 where chance answers or nothing can be chosen: where to go on is noted."""
        c, pc = fn.params
        about = fn.keep(self.t.ask_at(pc))
        on = fn.local()
        with fn.when(load(about, at=CHANCE)):
            fn.store(const(self.going_on), call(runtime(s, "by_chance", 2, self._by_chance), c, pc))
            fn.give(0)
        amount = fn.keep(self.options(c, pc))
        first = fn.keep(load(s.globals.found))
        may = load(about, at=KIND).eq(KINDS["may"])
        nothing = select(may, amount.eq(0) | first.eq(0), load(about, at=OPTIONAL) & amount.eq(1) & first.eq(STOP))
        with fn.when(nothing.no() & amount.gt(0)):
            fn.give(amount)
        fn.set(on, const(-3) - pc)
        s.bail_if(self.t.is_needed(pc), "candidates")  # it may be a fault, which the reference reports
        with fn.when(nothing):
            fn.store(s.globals.found, select(may, const(0), const(STOP)))
            fn.set(on, self.search.indirect(load(about, at=ANSWER), c, s.globals.found))
        fn.store(const(self.going_on), on)
        fn.give(0)
        fn.trap()

    def _by_chance(self, s: Code, fn: Fn) -> None:
        c, pc = fn.params
        about = fn.keep(self.t.ask_at(pc))
        draw = runtime(s, "draw_at", 3, self._draw_at)
        with fn.when(load(about, at=KIND).eq(KINDS["set"])):
            fn.give(Picks(self.search).by_chance(c, pc, draw))
        amount = fn.keep(self.search.listed(c, pc))
        with fn.when(amount.eq(0)):
            fn.give(const(-3) - pc)
        x = fn.keep(s.globals.found + call(draw, c, pc, amount) * (load(about, at=WORDS) << 2))
        s.set_cell(s.layout.horizon, 1)
        fn.give(self.search.indirect(load(about, at=ANSWER), c, x))
        fn.trap()

    def _draw_at(self, s: Code, fn: Fn) -> None:
        """An even draw out of the stream of a decision by chance."""
        c, pc, bound = fn.params
        about = fn.keep(self.t.ask_at(pc))
        fn.give(chance.below(s, c + load(about, at=STREAM), load(about, 8, at=INCREMENT, kind=I64), bound))
        fn.trap()

    # ---- from outside ----

    def answer(self, c: E, number: E) -> E:
        """Gives an answer by its number among the options that are written; where to go on."""
        s, fn = self.s, self.s.fn
        about = fn.keep(self.t.ask_at(s.cell(0)))
        x = fn.keep(s.globals.found + number * (load(about, at=WORDS) << 2))
        return self.search.indirect(load(about, at=ANSWER), c, x)

    def exports(self) -> None:
        """The functions that are called from outside: with the address of a state."""
        s = self.s
        module = s.module
        with s.writing(module.function((I32, I32), I32, "advance", export=True)) as fn:
            c, number = fn.params
            fn.give(self.run(c, self.answer(c, number)))
            fn.trap()
        answer = module.function((I32, I32), I32, "answer", export=True)
        with s.writing(answer) as fn:
            c, x = fn.params
            about = fn.keep(self.t.ask_at(s.cell(0)))
            fn.give(self.run(c, self.search.indirect(load(about, at=ANSWER), c, x)))
            fn.trap()
        fresh = module.function((I32, I32, I64), I32, "fresh", export=True)
        with s.writing(fresh) as fn:
            start, s.c, seed = fn.params
            self.search.copy(s.c, start)
            self.seed(s.c, seed)
            fn.give(self.run(s.c, s.cell(0)))
            fn.trap()
        for name, of in (("answer_with_events", answer), ("fresh_with_events", fresh)):
            with s.writing(module.function([p.type for p in of.params], I32, name, export=True)) as fn:
                event_buffer.begun(s)
                fn.give(event_buffer.ended(s, call(of, *fn.params)))
                fn.trap()
        with s.writing(module.function((I32,), I32, "list", export=True)) as fn:
            fn.set(s.globals.work, 0)
            fn.give(self.options(fn.params[0], s.cell(0)))
            fn.trap()
        with s.writing(module.function((I32,), I32, "begin", export=True)) as fn:
            fn.give(self.run(fn.params[0], s.cell(0)))
            fn.trap()

    def searching(self, worth: Sequence[Ir]) -> None:
        """The functions that a search of many positions needs."""
        s = self.s
        with s.writing(s.module.function((I32, I32, I32, I32), I32, "wander", export=True)) as fn:
            self._wander(fn)
        self.outlook = s.module.function((I32, I32, I32), I32, "outlook", export=True)
        with s.writing(self.outlook) as fn:
            self._outlook(fn, worth)

    def _wander(self, fn: Fn) -> None:
        """Goes on at random for so many decisions, by fractions that lie in memory; how many options there are then.

        `amount` are the options that are written. How many decisions there were is left in `done`.
        """
        c, amount, decisions, dice = fn.params
        self.s.c = c
        fn.set(self.done, 0)
        counted = self.s.count_in_all()
        with fn.forever() as (out, _):
            fn.br_if(out, amount.lt(1) | self.done.ge(decisions))
            fn.set(amount, self.run(c, self.answer(c, share(dice + (self.done << 3), amount))))
            counted()
            fn.set(self.done, self.done + 1)
        fn.give(amount)
        fn.trap()

    def _outlook(self, fn: Fn, worth: Sequence[Ir]) -> None:
        """Writes the points by seat, as if the game ended here, and behind them what each hint says of each seat."""
        s, players = self.s, self.s.declared.players
        c, over, out = fn.params
        top = fn.keep(s.globals.temps)
        for number, ir in enumerate(worth):
            for seat in range(players):
                s.vars["player"] = const(seat)
                fn.store(out, s.scalar(ir), at=4 * ((number + 1) * players + seat))
        d = self.search.copied(c)
        s.c = d
        with fn.when(over.eq(0)):
            fn.fill(d + s.cells.slots, s.cells.size - s.cells.slots)
            s.write_region("units", 0, 0)
            s.write_region("together", 0, 0)
            fn.do(self.run(d, const(self.end)))
        for seat in range(players):
            fn.store(out, s.read_region("player.score", seat), at=4 * seat)
        fn.set(s.globals.temps, top)
        fn.give(0)
        fn.trap()

    # ---- random games ----

    def seed(self, c: E, seed: E) -> None:
        """Begins all streams of a state anew."""
        s = self.s
        for name, cell in s.layout.streams.items():
            begun = self.begun(name, seed)
            increment = const64(rng.increment(name))
            s.fn.store(c, chance.next_state(begun + increment, increment), 8, at=s.cells.offsets[cell])

    def begun(self, purpose: str, seed: E) -> E:
        """As `rng.seed_stream`; the streams of a game are started once more."""
        increment = const64(rng.increment(purpose))
        mixed = self._split_mix(self._split_mix(seed) ^ const64(rng.fnv1a_64(purpose.encode())))
        return chance.next_state(mixed + increment, increment)

    def random_games(self, ranking: Sequence[tuple[str, Ir]]) -> None:
        """The functions that play whole games at random, and tell how they ended."""
        s = self.s
        fn = s.module.function((I32, I32, I64, I32, I32, I32), I32, "playouts", export=True)
        with s.writing(fn):
            start, c, seed, amount, fresh, out = fn.params
            s.c = c
            with fn.count(amount) as i:
                fn.set(self.done, i)
                played = fn.keep(call(self._one_game(), c, start, seed + i.wide(), fresh))
                fn.run(self.outcome(ranking), c, out)
                fn.store(out, played, at=8 * s.declared.players)
                fn.set(out, out + 8 * s.declared.players + 4)
            fn.give(amount)
            fn.trap()

    def _one_game(self) -> Fn:
        return runtime(self.s, "one_game", 4, self._write_one_game, kinds=(I32, I32, I64, I32))

    def _write_one_game(self, s: Code, fn: Fn) -> None:
        """Plays on at random from a state whose streams are begun anew; how many decisions there were."""
        c, start, seed, fresh = fn.params
        increment = const64(rng.increment(PURPOSE))
        self.search.copy(c, start)
        self.seed(c, seed)
        fn.store(const(self.choices), self.begun(PURPOSE, seed), 8)
        played, amount = fn.keep(0), fn.local()
        with fn.when(fresh):
            fn.set(amount, self.run(c, s.cell(0)))
        with fn.otherwise():
            with fn.when(s.cell(0).eq(0)):
                fn.give(0)
            fn.set(s.globals.work, 0)
            fn.set(amount, self.options(c, s.cell(0)))
        counted = s.count_in_all()
        with fn.forever() as (over, _):
            fn.br_if(over, amount.lt(0) | played.ge(MOST_DECISIONS))
            chosen = fn.keep(chance.below(s, const(self.choices), increment, amount))
            fn.set(amount, self.run(c, self.answer(c, chosen)))
            counted()
            fn.set(played, played + 1)
        fn.give(played)
        fn.trap()

    def outcome(self, ranking: Sequence[tuple[str, Ir]]) -> Fn:
        """The function that writes the points and the places of a state."""
        return runtime(self.s, "outcome", 2, lambda s, fn: self._write_outcome(fn, ranking), result=None)

    def _write_outcome(self, fn: Fn, ranking: Sequence[tuple[str, Ir]]) -> None:
        """The points, then the place of each seat: how many different marks are better."""
        s, players = self.s, self.s.declared.players
        _, out = fn.params
        marks = []
        for seat in range(players):
            fn.store(out, s.read_region("player.score", seat), at=4 * seat)
            s.vars["player"] = const(seat)
            marks.append([fn.keep(s.scalar(ir)) for _, ir in ranking])
        better = [[_better(a, b, ranking) for b in marks] for a in marks]
        lost = fn.keep(_nobody_won(marks, ranking))
        for seat in range(players):
            place: E = lost
            for other in range(players):
                first = const(1)
                for before in range(other):
                    first = first & _equal(marks[other], marks[before]).no()
                place = place + (better[other][seat] & first)
            fn.store(out, place, at=4 * (players + seat))

    def _split_mix(self, seed: E) -> E:
        return call(runtime(self.s, "split_mix", 1, _split_mix, result=I64, kinds=(I64,)), seed)


def _equal(a: Sequence[E], b: Sequence[E]) -> E:
    same: E = const(1)
    for x, y in zip(a, b, strict=True):
        same = same & x.eq(y)
    return same


def _nobody_won(marks: Sequence[Sequence[E]], ranking: Sequence[tuple[str, Ir]]) -> E:
    """Whether there are conditions of winning, and no seat fulfils all of them: the first place stays empty."""
    conditions = [at for at, (word, _) in enumerate(ranking) if word == "won"]
    found: E = const(int(bool(conditions)))
    for mark in marks if conditions else ():
        fulfilled: E = const(1)
        for at in conditions:
            fulfilled = fulfilled & mark[at].ne(0)
        found = found & fulfilled.no()
    return found


def _better(a: Sequence[E], b: Sequence[E], ranking: Sequence[tuple[str, Ir]]) -> E:
    """Whether one seat's marks are before another's."""
    found: E = const(0)
    for i in range(len(ranking) - 1, -1, -1):
        ahead = a[i].lt(b[i]) if ranking[i][0] == "least" else a[i].gt(b[i])
        found = ahead | (a[i].eq(b[i]) & found)
    return found


def _split_mix(s: Code, fn: Fn) -> None:
    (mixed,) = fn.params
    fn.set(mixed, mixed + const64(0x9E3779B97F4A7C15))
    fn.set(mixed, (mixed ^ (mixed >> 30)) * const64(0xBF58476D1CE4E5B9))
    fn.set(mixed, (mixed ^ (mixed >> 27)) * const64(0x94D049BB133111EB))
    fn.give(mixed ^ (mixed >> 31))
