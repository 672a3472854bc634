"""Whole random games with what is counted of them: points by reason and actions, by seat, as functions of the module.

Each seat chooses out of a stream of its own, as the player `random` does, so that it plays the same game here as there.

What became of a game is a row of numbers of 32 bits: for each seat its points, then for each its place (from 0); how
many decisions and turns there were, whether the game came to its end, and how many different things were told. Then for
each of `Made.told`: as the how manieth it was told first (0: never), and for each seat the sum of its amounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from interpreter import rng
from interpreter.native import chance
from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.play import MOST_DECISIONS, Play
from interpreter.native.trail import ENTRY
from interpreter.native.wasm import I32, I64, E, Fn, const, load
from rulespec.lower.ir import Ir

#: Where in a row, behind points and places, these stand.
DECISIONS, TURNS, ENDED, DIFFERENT, HEAD = range(5)


def row_size(players: int, told: int) -> int:
    """How many numbers a row has."""
    return 2 * players + HEAD + told * (players + 1)


def purpose_of(seat: int) -> str:
    """The purpose of the stream out of which a random player chooses (as `interpreter.players`)."""
    return f"player {seat}"


def write_tallied(play: Play, ranking: Sequence[tuple[str, Ir]]) -> None:
    """The function that plays games of given seeds, and writes a row for each."""
    tallies = _Tallies(play)
    s = play.s
    with s.writing(s.module.function((I32,) * 5, I32, "tallied", export=True)) as fn:
        start, c, seeds, amount, out = fn.params
        s.c = c
        size = 4 * row_size(s.declared.players, len(s.told))
        with fn.count(amount) as i:
            fn.set(play.done, i)
            fn.fill(out, size)
            fn.run(tallies.game(), c, start, load(seeds + (i << 3), 8, kind=I64), out)
            fn.run(play.outcome(ranking), c, out)
            fn.set(out, out + size)
        fn.give(amount)
        fn.trap()


class _Tallies:
    """The writing of what these games need beside `Play`."""

    def __init__(self, play: Play):
        self.play, self.s = play, play.s
        self.players = play.s.declared.players
        self.streams = self.s.module.room(8 * self.players)
        increments = (rng.increment(purpose_of(seat)).to_bytes(8, "little") for seat in range(self.players))
        self.increments = self.s.module.data(b"".join(increments), 8)
        self.head: Final = 8 * self.players  #: where in a row the numbers behind points and places begin, in bytes

    def game(self) -> Fn:
        """Plays one game of a seed, and counts into a row that is empty."""
        return runtime(self.s, "tallied_game", 4, self._game, result=None, kinds=(I32, I32, I64, I32))

    def _game(self, s: Code, fn: Fn) -> None:
        c, start, seed, out = fn.params
        play = self.play
        play.search.copy(c, start)
        play.seed(c, seed)
        for seat in range(self.players):
            fn.store(const(self.streams), play.begun(purpose_of(seat), seed), 8, at=8 * seat)
        amount = fn.keep(play.run(c, s.cell(0)))
        fn.run(self._counted(), c, out)
        played, turns, active = fn.keep(0), fn.keep(1), fn.local()
        counted = s.count_in_all()
        with fn.forever() as (over, _):
            fn.br_if(over, amount.lt(0) | played.ge(MOST_DECISIONS))
            fn.set(active, s.read_region("active"))
            fn.set(amount, play.run(c, play.answer(c, self._chosen(amount))))
            counted()
            fn.run(self._counted(), c, out)
            fn.set(turns, turns + (amount.ge(0) & s.read_region("active").ne(active)))
            fn.set(played, played + 1)
        for place, value in ((DECISIONS, played), (TURNS, turns), (ENDED, amount.lt(0))):
            fn.store(out, value, at=self.head + 4 * place)

    def _chosen(self, amount: E) -> E:
        """An even draw out of the stream of whoever decides."""
        s = self.s
        at = s.fn.keep(s.read_region("me") << 3)
        increment = load(at, 8, at=self.increments, kind=I64)
        return s.fn.keep(chance.below(s, at + self.streams, increment, amount))

    def _counted(self) -> Fn:
        return runtime(self.s, "counted", 2, self._write_counted, result=None)

    def _write_counted(self, s: Code, fn: Fn) -> None:
        """Adds what was told on the way to this decision to a row."""
        _, out = fn.params
        at, g = fn.keep(s.globals.trail_start), s.globals
        different = self.head + 4 * DIFFERENT
        with fn.forever() as (done, _):
            fn.br_if(done, at.op("ge_u", g.trail))
            kept = fn.keep(out + load(at) * (4 * (self.players + 1)) + (self.head + 4 * HEAD))
            with fn.when(load(kept).eq(0)):
                fn.store(out, load(out, at=different) + 1, at=different)
                fn.store(kept, load(out, at=different))
            seat = fn.keep(load(at, at=4))
            s.bail_if(seat.op("ge_u", const(self.players)), "range")
            cell = fn.keep(kept + (seat << 2))
            total = fn.keep(load(cell, at=4).wide() + load(at, at=8).wide())
            s.bail_if(total.ne(total.narrow().wide()), "number")
            fn.store(cell, total.narrow(), at=4)
            fn.set(at, at + ENTRY)
