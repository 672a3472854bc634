"""What guides a search, as functions of the module: what came of a choice wherever in the search it was made.

They do what `interpreter.players.guide` does, in the same order and with the same figures.
"""

from __future__ import annotations

from interpreter.native import chance
from interpreter.native.branches import CHOICE, EVERYWHERE, GAINED, LEAN, OFFERED, ROUND, SEAT, TAKEN, Branches
from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.play import Play
from interpreter.native.reals import Real, RealLocal, kept_real, load_real, picked, real, store_real
from interpreter.native.reals import of_whole as whole
from interpreter.native.tables import WORDS
from interpreter.native.wasm import E, Fn, Local, call, const, load, select
from interpreter.reckoning import (
    BELIEF,
    DOUBT,
    GUIDED_CURIOSITY,
    LEANING,
    LOGARITHM_OF_2,
    LOGARITHMS,
    MOST_LEAD,
    MOST_NOTED,
)


class Figures:
    """The formulas of `interpreter.reckoning`."""

    def __init__(self, s: Code):
        self.s = s
        self.logarithms = s.module.data(b"".join(real(x).code[1:] for x in LOGARITHMS), 8)

    def logarithm(self, number: Local) -> Real:
        """As `reckoning.logarithm`."""
        fn = self.s.fn
        length = fn.keep(const(32) - number.unary("clz"))
        left = fn.keep(select(length.gt(10), length - 10, const(0)))
        found = load_real(((number >> left) << 3) + self.logarithms)
        return found + whole(left) * real(LOGARITHM_OF_2)

    def squash(self, lead: Real) -> Real:
        """As `reckoning.squash`."""
        fn = self.s.fn
        x = kept_real(fn, real(-MOST_LEAD).most(real(MOST_LEAD).least(lead)))
        square = kept_real(fn, x * x)
        return real(0.5) + real(0.5) * (x * (real(27.0) + square) / (real(27.0) + real(9.0) * square))


class Guide:
    """The writing of these functions."""

    def __init__(self, play: Play, branches: Branches, figures: Figures, dice: int, increment: E):
        self.play, self.s, self.branches, self.figures = play, play.s, branches, figures
        self.dice, self.increment, self.players = dice, increment, play.s.declared.players
        room, variable = self.s.module.room, self.s.module.global_
        #: whether the search at hand is guided; the branch that was chosen last, or 0; in how many positions leads
        #: were seen, and the usual lead
        self.is_on, self.branch = variable(), variable()
        self.valued, self.spread = variable(name="valued"), room(8)
        #: what all rounds have brought to each seat, and that on the average
        self.brought, self.usual = room(8 * self.players), room(8 * self.players)
        self.noted, self.noting = room(4 * MOST_NOTED), variable()

    def begin(self, most: E) -> None:
        """A new search, in which nothing is known; so many choices may come to be. With none of them nothing guides."""
        fn = self.s.fn
        fn.set(self.is_on, most.gt(0))
        fn.set(self.branches.most_known, most)
        fn.fill(self.branches.root, CHOICE)
        for seat in range(self.players):
            store_real(fn, const(self.brought), real(0.0), at=8 * seat)
            store_real(fn, const(self.usual), real(0.5), at=8 * seat)

    def begin_round(self) -> None:
        """Nothing is noted of it yet."""
        self.s.fn.set(self.noting, const(self.noted))

    # ---- what is known of a choice ----

    def _mean(self, entry: Local, usual: Real) -> Real:
        """What a choice brings wherever it is made: the usual, until it was made some times."""
        gained = picked(entry, load_real(entry, GAINED), real(0.0))
        return (gained + real(DOUBT) * usual) / (self._taken(entry) + real(DOUBT))

    def _taken(self, branch: Local) -> Real:
        return whole(select(branch, load(branch, at=TAKEN), const(0)))

    def _note(self, entry: Local, x: E) -> None:
        """The choice is made in this round; `entry` is what is known of it, or 0."""
        fn = self.s.fn
        with fn.when(self.noting.below(const(self.noted + 4 * MOST_NOTED))):
            with fn.when(entry.eq(0)):
                fn.set(entry, self.branches.known(x))
            with fn.when(entry):
                fn.store(self.noting, entry)
                fn.set(self.noting, self.noting + 4)

    def tell(self, rewards: int) -> None:
        """What the round at hand has brought."""
        fn, at = self.s.fn, self.s.fn.keep(const(self.noted))
        with fn.forever() as (told, _):
            fn.br_if(told, at.eq(self.noting))
            entry = fn.keep(load(at))
            fn.store(entry, load(entry, at=TAKEN) + 1, at=TAKEN)
            reward = load_real((load(entry, at=SEAT) << 3) + rewards)
            store_real(fn, entry, load_real(entry, GAINED) + reward, at=GAINED)
            fn.set(at, at + 4)
        for seat in range(self.players):
            brought = kept_real(fn, load_real(const(self.brought), 8 * seat) + load_real(const(rewards), 8 * seat))
            store_real(fn, const(self.brought), brought, at=8 * seat)
            store_real(fn, const(self.usual), brought / whole(self.valued), at=8 * seat)

    # ---- choosing ----

    def choose(self, s: Code, fn: Fn) -> None:
        """The number of the option that is tried; its branch is noted. See `GuidedTree._chosen`."""
        _, above, amount, stamp = fn.params
        start, size = fn.keep(s.globals.found), fn.keep(load(self.play.t.ask_at(s.cell(0)), at=WORDS) << 2)
        first = fn.keep(0)
        with fn.when(amount.gt(1)):
            fn.set(first, chance.below(s, const(self.dice), self.increment, amount))
        usual = kept_real(fn, load_real((s.read_region("me") << 3) + self.usual))
        spread = kept_real(fn, load_real(const(self.spread)))
        visits = fn.keep(select(above.eq(self.branches.root), self.valued, load(above, at=TAKEN)) + 1)
        best, hope = kept_real(fn, real(-1.0e9)), kept_real(fn, real(0.0))
        chosen, i, found = fn.keep(0), fn.local(), fn.local()
        entry, known = fn.local(), fn.keep(0)
        with fn.count(amount) as passed:
            fn.set(i, first + passed)
            fn.set(i, select(i.ge(amount), i - amount, i))
            x = fn.keep(start + i * size)
            fn.set(found, self.branches.find(above, x))
            with fn.when(found):
                self.branches.offered(found, stamp)
            fn.set(entry, self.branches.find(const(EVERYWHERE), x))
            hope.set(fn, self._hope(found, entry, usual, spread, visits))
            with fn.when(hope.compared("gt", best)):
                best.set(fn, hope)
                fn.set(chosen, i)
                fn.set(known, entry)
        x = fn.keep(start + chosen * size)
        fn.set(self.branch, self.branches.grow(above, x, stamp))
        with fn.when(amount.gt(1)):
            self._note(known, x)
        fn.give(chosen)
        fn.trap()

    def _hope(self, branch: Local, entry: Local, usual: RealLocal, spread: RealLocal, visits: Local) -> Real:
        fn = self.s.fn
        guess = kept_real(fn, self._mean(entry, usual))
        with fn.when(branch):
            lean = kept_real(fn, load_real(branch, LEAN))
            with fn.when(lean.compared("eq", real(0.0)).no() & spread.compared("gt", real(0.0))):
                guess.set(fn, guess + real(LEANING) * (self.figures.squash(lean / spread) - real(0.5)))
        offered = fn.keep(select(branch, load(branch, at=OFFERED) + 1, visits))
        taken, gained = kept_real(fn, self._taken(branch)), picked(branch, load_real(branch, GAINED), real(0.0))
        mean = kept_real(fn, (gained + real(BELIEF) * guess) / (taken + real(BELIEF)))
        return mean + real(GUIDED_CURIOSITY) * (self.figures.logarithm(offered) / (taken + real(1.0))).root()

    # ---- on at random ----

    def drawn(self, amount: Local) -> Local:
        """An option of a position of random play: of two that are drawn the one of which more is known to come."""
        return self.s.fn.keep(call(runtime(self.s, "guided_draw", 2, self._drawn), self.s.c, amount))

    def _drawn(self, s: Code, fn: Fn) -> None:
        _, amount = fn.params
        with fn.when(amount.eq(1)):
            fn.give(0)
        start, size = fn.keep(s.globals.found), fn.keep(load(self.play.t.ask_at(s.cell(0)), at=WORDS) << 2)
        one = fn.keep(chance.below(s, const(self.dice), self.increment, amount))
        other = fn.keep(chance.below(s, const(self.dice), self.increment, amount))
        first = fn.keep(self.branches.find(const(EVERYWHERE), start + one * size))
        with fn.when(one.ne(other)):
            usual = kept_real(fn, load_real((s.read_region("me") << 3) + self.usual))
            second = fn.keep(self.branches.find(const(EVERYWHERE), start + other * size))
            with fn.when(self._mean(second, usual).compared("gt", self._mean(first, usual))):
                fn.set(one, other)
                fn.set(first, second)
        self._note(first, start + one * size)
        fn.give(one)
        fn.trap()

    # ---- leaning ----

    def lean(self, trials: E) -> None:
        """Makes of the leads that options of the root have led to how much better than on the average they are."""
        fn, branches = self.s.fn, self.branches
        total, amount = kept_real(fn, real(0.0)), fn.keep(0)
        for branch in branches.each():
            total.set(fn, total + load_real(branch, GAINED))
            fn.set(amount, amount + 1)
        mean = kept_real(fn, total / whole(amount))
        for branch in branches.each():
            store_real(fn, branch, (load_real(branch, GAINED) - mean) / whole(trials), at=LEAN)
            store_real(fn, branch, real(0.0), at=GAINED)
            fn.store(branch, 0, at=OFFERED)
            fn.store(branch, 0, at=ROUND)
