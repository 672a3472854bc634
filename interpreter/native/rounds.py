"""Searches, as functions of the module: whole rounds of a tree search, and each option tried once.

`grow` does what `interpreter.players.tree.Tree.round` does, in the same order and with the same figures, and `tries`
what the greedy player does.
"""

from __future__ import annotations

from interpreter import rng
from interpreter.native import chance
from interpreter.native.branches import GAINED, OFFERED, ROUND, SEAT, TAKEN, Branches
from interpreter.native.code import Code
from interpreter.native.deal import Dealing
from interpreter.native.guiding import Figures, Guide
from interpreter.native.pieces import runtime
from interpreter.native.play import Play
from interpreter.native.reals import Real, RealLocal, kept_real, load_real, of_whole, picked, real, store_real
from interpreter.native.tables import ANSWER, WORDS
from interpreter.native.wasm import I32, I64, E, Fn, Local, call, const, const64, load, select
from interpreter.reckoning import BY_POINTS, CURIOSITY, MOST_DECISIONS, MOST_OF_A_TURN, MOST_ROUNDS, TRYING
from rulespec.lower.ir import Program


class Rounds:
    """The writing of these functions. `begun` is room for the state from which all rounds begin."""

    def __init__(self, play: Play, dealing: Dealing, branches: Branches, program: Program):
        self.play, self.s, self.dealing, self.branches = play, play.s, dealing, branches
        hints = self.hints = program.hints
        self.ranking, self.players = program.ranking, play.s.declared.players
        #: of each seat the first of its team
        self.teams = play.s.declared.teams or tuple(range(self.players))
        room, variable = self.s.module.room, self.s.module.global_
        self.dice = room(8)
        self.increment = const64(rng.increment(TRYING))
        self.worth, self.ended = room(4 * self.players * (len(hints.worth) + 1)), room(8 * self.players)
        self.rewards = room(8 * self.players)
        self.begun = variable()
        self.figures = Figures(self.s)
        self.guide = Guide(play, branches, self.figures, self.dice, self.increment)
        #: the usual lead, and in how many positions it was seen; the branch that was chosen last, or 0
        self.spread, self.valued, self.branch = self.guide.spread, self.guide.valued, self.guide.branch

    # ---- figures ----

    def _leads(self, c: E, over: E) -> list[RealLocal]:
        """How far each seat is ahead of the best other one, or its team of the best other team, by the outlook."""
        fn, seats = self.s.fn, range(self.players)
        assert self.play.outlook is not None
        fn.do(call(self.play.outlook, c, over, const(self.worth)))
        values = [kept_real(fn, of_whole(load(const(self.worth), at=4 * seat))) for seat in seats]
        with fn.when(over.no()):
            for hint in range(1, len(self.hints.worth) + 1):
                for seat, value in enumerate(values):
                    said = of_whole(load(const(self.worth), at=4 * (hint * self.players + seat)))
                    value.set(fn, value + said / real(float(self.hints.unit)))
        for seat in seats:  # what a team has is added up where its first seat has it
            if self.teams[seat] != seat:
                values[self.teams[seat]].set(fn, values[self.teams[seat]] + values[seat])
        firsts = sorted({*self.teams})
        ahead = {s: kept_real(fn, values[s] - _best([values[o] for o in firsts if o != s])) for s in firsts}
        return [ahead[self.teams[seat]] for seat in seats]

    # ---- a round ----

    def _reward(self, s: Code, fn: Fn) -> None:
        """Writes what a position is worth to each seat, between 0 and 1."""
        c, over = fn.params
        leads = self._leads(c, over)
        with fn.when(over):
            fn.run(self.play.outcome(self.ranking), c, const(self.ended))
        fn.set(self.valued, self.valued + 1)
        spread = kept_real(fn, load_real(self.spread))
        largest = leads[0].size()
        for lead in leads[1:]:
            largest = largest.most(lead.size())
        spread.set(fn, spread + (largest - spread) / of_whole(self.valued))
        store_real(fn, self.spread, spread)
        flat, winners = spread.compared("eq", real(0.0)), fn.keep(0)
        for seat in sorted({*self.teams}):
            fn.set(winners, winners + self._place(seat).eq(0))
        for seat, lead in enumerate(leads):
            led = kept_real(fn, self.figures.squash(picked(flat, real(0.0), lead / spread)))
            won = picked(self._place(seat).eq(0), real(1.0) / of_whole(winners), real(0.0))
            ended = real(1.0 - BY_POINTS) * won + real(BY_POINTS) * led
            store_real(fn, self.rewards, picked(over, ended, led), at=8 * seat)

    def _place(self, seat: int) -> E:
        """The place of a seat when the game is over, from 0."""
        return load(const(self.ended), at=4 * (self.players + seat))

    def _choose(self, s: Code, fn: Fn) -> None:
        """The number of the option that is tried; its branch is noted. See `Tree._chosen`."""
        _, above, amount, stamp = fn.params
        start, size = fn.keep(s.globals.found), fn.keep(load(self._about(), at=WORDS) << 2)
        top = fn.keep(s.globals.temps)
        new = s.allocate(amount << 2)
        end, chosen, found = fn.keep(new), fn.keep(0), fn.local()
        best = kept_real(fn, real(-1.0))
        with fn.count(amount) as i:
            fn.set(found, self.branches.find(above, start + i * size))
            with fn.when(found):
                self.branches.offered(found, stamp)
            with fn.when(select(found, load(found, at=TAKEN), const(0))):
                hope = kept_real(fn, self._hope(found))
                with fn.when(hope.compared("gt", best)):
                    best.set(fn, hope)
                    fn.set(chosen, i)
                    fn.set(self.branch, found)
            with fn.otherwise():
                fn.store(end, i)
                fn.set(end, end + 4)
        fn.set(s.globals.temps, top)
        with fn.when(end.ne(new)):
            drawn = chance.below(s, const(self.dice), self.increment, (end - new) >> 2)
            fn.set(chosen, load(new + (drawn << 2)))
            fn.set(self.branch, self.branches.grow(above, start + chosen * size, stamp))
        fn.give(chosen)
        fn.trap()

    def _about(self) -> E:
        return self.play.t.ask_at(self.s.cell(0))

    def _hope(self, branch: Local) -> Real:
        fn = self.s.fn
        offered, taken = fn.keep(load(branch, at=OFFERED)), kept_real(fn, of_whole(load(branch, at=TAKEN)))
        return load_real(branch, GAINED) / taken + real(CURIOSITY) * (self.figures.logarithm(offered) / taken).root()

    def _round(self, s: Code, fn: Fn) -> None:
        """A round from an imagined state, which is used up."""
        c, seed, stamp = fn.params
        fn.store(const(self.dice), self.play.begun(TRYING, seed), 8)
        fn.set(s.globals.work, 0)
        last, amount = fn.keep(self.branches.root), fn.local()
        fn.set(amount, self.play.options(c, s.cell(0)))
        choose = runtime(s, "choose", 4, self._choose)
        guided = runtime(s, "choose_guided", 4, self.guide.choose)
        self.guide.begin_round()
        counted = s.count_in_all()
        with fn.forever() as (down, _):
            fn.br_if(down, amount.lt(0))
            chosen = fn.local()
            with fn.when(self.guide.is_on):
                fn.set(chosen, call(guided, c, last, amount, stamp))
            with fn.otherwise():
                fn.set(chosen, call(choose, c, last, amount, stamp))
            found = fn.keep(self.branch)
            fn.set(amount, self.play.run(c, self.play.answer(c, chosen)))
            counted()
            with fn.when(found):
                fn.set(last, found)
            fn.br_if(down, select(found, load(found, at=TAKEN), const(0)).eq(0))
        self._wander(c, amount)
        fn.run(runtime(s, "reward", 2, self._reward, result=None), c, amount.lt(0))
        with fn.forever() as (told, _):
            fn.br_if(told, last.eq(self.branches.root))
            fn.store(last, load(last, at=TAKEN) + 1, at=TAKEN)
            reward = load_real((load(last, at=SEAT) << 3) + self.rewards)
            store_real(fn, last, load_real(last, GAINED) + reward, at=GAINED)
            fn.set(last, load(last))
        with fn.when(self.guide.is_on):
            self.guide.tell(self.rewards)

    def _wander(self, c: E, amount: Local) -> None:
        """On at random, to the end or the horizon; a guided search ends no turn in the middle. See `GuidedTree`."""
        s, fn = self.s, self.s.fn
        horizon = MOST_DECISIONS if self.hints.horizon is None else self.hints.horizon
        left, mover, drawn = fn.keep(horizon), fn.keep(-1), fn.local()
        counted = s.count_in_all()
        with fn.forever() as (out, _):
            fn.br_if(out, amount.lt(0))
            with fn.when(self.guide.is_on):
                me = fn.keep(s.read_region("me"))
                fn.br_if(out, left.le(0) & (me.ne(mover) | left.le(-MOST_OF_A_TURN)))
                fn.set(mover, me)
                fn.set(drawn, self.guide.drawn(amount))
            with fn.otherwise():
                fn.br_if(out, left.eq(0))
                fn.set(drawn, chance.below(s, const(self.dice), self.increment, amount))
            fn.set(amount, self.play.run(c, self.play.answer(c, drawn)))
            counted()
            fn.set(left, left - 1)

    # ---- trying each option once ----

    def _try_each(self, s: Code, fn: Fn) -> None:
        """Adds to the branches of those options that an imagined state offers how far ahead the seat is after them."""
        c, origin, seat, stamp = fn.params
        fn.set(s.globals.work, 0)
        amount = fn.keep(self.play.options(c, s.cell(0)))
        self.play.search.copy(origin, c)
        start, about = fn.keep(s.globals.found), fn.keep(self._about())
        size = fn.keep(load(about, at=WORDS) << 2)
        fn.set(s.globals.found, start + amount * size)
        found = fn.local()
        counted = s.count_in_all()
        with fn.count(amount) as i:
            self.play.search.copy(c, origin)
            x = fn.keep(start + i * size)
            fn.set(found, self.branches.find(self.branches.root, x))
            with fn.when(select(found, load(found, at=ROUND).ne(stamp), const(0))):
                fn.store(found, stamp, at=ROUND)
                on = self.play.search.indirect(load(about, at=ANSWER), c, x)
                over = fn.keep(self.play.run(c, on).lt(0))
                counted()
                for number, lead in enumerate(self._leads(c, over)):
                    with fn.when(seat.eq(number)):
                        store_real(fn, found, load_real(found, GAINED) + lead, at=GAINED)
        fn.set(s.globals.found, start)

    # ---- from outside ----

    def exports(self) -> None:
        """The functions that are called from outside."""
        function = self.s.module.function
        for name, params, write in (
            ("sow", (I32, I32, I64, I32, I32, I32), self._sow),
            ("lean", (I32,), self._lean),
            ("plant", (I32,), self._plant),
            ("grow", (I32, I32, I64, I32, I32), self._grow),
            ("tries", (I32, I32, I64, I32), self._tries),
            ("gathered", (I32, I32, I32, I32), self._gathered),
            ("imagine", (I32, I32, I64), self._imagine),
        ):
            with self.s.writing(function(params, I32, name, export=True)) as fn:
                write(fn)
                fn.trap()

    def _sow(self, fn: Fn) -> None:
        """Begins a new tree, with a table of so many slots, guided by what of so many choices is known.

        With trials each option of the real state is tried so often.
        """
        c, seat, seed, slots, known, trials = fn.params
        self.branches.begin(slots)
        self.guide.begin(known)
        fn.set(self.valued, 0)
        store_real(fn, self.spread, real(0.0))
        with fn.when(trials):
            plant = runtime(self.s, "planted", 1, lambda s, fn: self._plant(fn))
            fn.do(call(plant, c))
            with fn.count(trials) as i:
                self._try(c, seat, seed + const64(MOST_ROUNDS - 1) - i.wide(), i + 1)
            self.guide.lean(trials)
        fn.give(0)

    def _real_options(self, fn: Fn, c: E) -> Local:
        """Finds the options of the real state; how many."""
        self.play.search.copy(c, self.begun)
        fn.set(self.s.globals.work, 0)
        return fn.keep(self.play.options(c, self.s.cell(0)))

    def _plant(self, fn: Fn) -> None:
        """Makes a branch of each option of the real state."""
        amount = self._real_options(fn, fn.params[0])
        size = fn.keep(load(self._about(), at=WORDS) << 2)
        with fn.count(amount) as i:
            fn.do(self.branches.grow(self.branches.root, self.s.globals.found + i * size, const(0)))
        fn.give(0)

    def _grow(self, fn: Fn) -> None:
        """Rounds from a number on."""
        c, seat, seed, first, amount = fn.params
        one = runtime(self.s, "round", 3, self._round, result=None, kinds=(I32, I64, I32))
        with fn.count(amount) as i:
            fn.set(self.play.done, i)
            number = fn.keep(first + i)
            mine = fn.keep(seed + number.wide())
            self.play.search.copy(c, self.begun)
            self.dealing.imagine(c, seat, mine)
            fn.run(one, c, mine, number + 1)
        fn.give(amount)

    def _tries(self, fn: Fn) -> None:
        self._try(*fn.params)
        fn.give(0)

    def _try(self, c: E, seat: E, seed: E, stamp: E) -> None:
        """Tries each option once, in a state imagined by a seed."""
        fn = self.s.fn
        top = fn.keep(self.s.globals.temps)
        origin = self.s.allocate(self.play.search.size)
        self.play.search.copy(c, self.begun)
        self.dealing.imagine(c, seat, seed)
        fn.run(runtime(self.s, "try_each", 4, self._try_each, result=None), c, origin, seat, stamp)
        fn.set(self.s.globals.temps, top)

    def _lean(self, fn: Fn) -> None:
        self.guide.lean(fn.params[0])
        fn.give(0)

    def _gathered(self, fn: Fn) -> None:
        """Writes of options of the real state, from one on, how often each was taken, and what it brought (64 bits)."""
        c, first, amount, out = fn.params
        fn.do(self._real_options(fn, c))
        size, found = fn.keep(load(self._about(), at=WORDS) << 2), fn.local()
        with fn.count(amount) as i:
            fn.set(found, self.branches.find(self.branches.root, self.s.globals.found + (first + i) * size))
            fn.store(out, select(found, load(found, at=TAKEN), const(0)))
            store_real(fn, out, picked(found, load_real(found, GAINED), real(0.0)), at=8)
            fn.set(out, out + 16)
        fn.give(0)

    def _imagine(self, fn: Fn) -> None:
        self.dealing.imagine(*fn.params)
        fn.give(0)


def _best(others: list[RealLocal]) -> Real:
    """The largest of some figures; 0 of none."""
    found: Real = others[0] if others else real(0.0)
    for other in others[1:]:
        found = found.most(other)
    return found
