"""Steps that fail in play, as functions of the module: a `try` is taken back, or a unit is left in the middle."""

from __future__ import annotations

from interpreter.middle.analysis.control_flow import NEEDED, TRIED
from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.search import Search, put_any
from interpreter.native.tables import BACK, BACK_WIDTH, CLEAN, EMPTIED, LEFT, OTHERWISE, OUTERMOST, SLOT, WIDTH
from interpreter.native.wasm import E, Fn, Global, Local, both, call, const, load
from rulespec.program.ops import UNIT_ME


def get_any(fn: Fn, address: E, width: E) -> Local:
    """A value of a width that is found in play."""
    where, size, found = fn.keep(address), fn.keep(width), fn.keep(0)
    for each in (1, 2, 4):
        with fn.when(size.eq(each)):
            fn.set(found, load(where, each))
    return found


class Failing:
    """The writing of these functions. `snapshot` is the state before a `try` that was entered."""

    def __init__(self, search: Search, snapshot: Global):
        self.search, self.s, self.t = search, search.s, search.t
        self.snapshot = snapshot

    def on_from(self, c: E, at: E, tried: E, random: E) -> E:
        """Where play goes on after a step that cannot be done.

        `tried` is the `try` outside every unit that was entered last, or 0; `random` what the flag was then.
        """
        return call(runtime(self.s, "failed", 4, self._failed), c, at, tried, random)

    def _failed(self, s: Code, fn: Fn) -> None:
        """A `try` that is still open is taken back; else the innermost unit is left."""
        c, at, tried, random = fn.params
        still = call(runtime(s, "inside", 3, self._inside), c, at, tried)
        with fn.when(both(tried, s.cell(s.layout.horizon).eq(0))), fn.when(still):
            about = fn.keep(self.t.unit_at(tried))
            with fn.when(load(about, at=CLEAN)):
                self._back_to_try(c, at, tried)
                s.set_cell(s.layout.horizon, random)
            with fn.otherwise():
                self.search.copy(c, self.snapshot)
            fn.set(s.globals.trail, s.globals.trail_mark)
            fn.set(s.globals.events, s.globals.events_mark)
            fn.give(load(about, at=OTHERWISE))
        self._refuse_in_set_up(c, at)
        failed = fn.keep(at)
        with fn.loop() as again:
            unit = fn.keep(self._handler(at))
            with fn.when(unit.ge(0)):
                fn.run(self._close(), c, unit)
                fn.give(load(self.t.unit_at(unit), at=LEFT))
            proc = fn.keep(self.t.proc_at(at))
            back = get_any(fn, c + load(proc, at=BACK), load(proc, at=BACK_WIDTH))
            with fn.when(load(proc, at=OUTERMOST) | back.eq(0)):
                with fn.when(at.ne(failed)):
                    s.write_region("me", 0, s.read_region("active"))
                    s.write_region("together", 0, load((at << 2) + self.t.together))
                fn.give(at + 1)
            fn.run(self._emptied(), c, proc)
            fn.set(at, back - 1)
            fn.br(again)
        fn.trap()

    def _inside(self, s: Code, fn: Fn) -> None:
        """Whether a `try` is still open: an instruction stands in it, or in a block that it has called."""
        c, failed, tried = fn.params
        at = fn.keep(failed)
        with fn.loop() as again:
            unit = fn.keep(self._handler(at))
            with fn.when(unit.eq(tried)):
                fn.give(1)
            with fn.when(unit.ge(0)):
                fn.set(at, unit)
                fn.br(again)
            proc = fn.keep(self.t.proc_at(at))
            back = fn.keep(get_any(fn, c + load(proc, at=BACK), load(proc, at=BACK_WIDTH)))
            with fn.when(back.eq(0)):
                fn.give(0)
            fn.set(at, back - 1)
            fn.br(again)
        fn.trap()

    def _refuse_in_set_up(self, c: E, failed: E) -> None:
        """Gives up where the set-up cannot do a step, and no `try` says what is done instead: the other tells it."""
        fn = self.s.fn
        at = fn.keep(failed)
        with fn.forever() as (out, _):
            self.s.bail_if(self.t.needs_at(at).eq(NEEDED), "set-up")
            fn.br_if(out, self.t.needs_at(at).eq(TRIED))
            proc = fn.keep(self.t.proc_at(at))
            back = get_any(fn, c + load(proc, at=BACK), load(proc, at=BACK_WIDTH))
            fn.br_if(out, load(proc, at=OUTERMOST) | back.eq(0))
            fn.set(at, back - 1)

    def _handler(self, at: E) -> E:
        """The innermost unit around an instruction in its block, or -1."""
        return load((at << 2) + self.t.handlers)

    def _back_to_try(self, c: E, at: Local, tried: E) -> None:
        """Leaves every block and unit that was opened since a `try` began."""
        fn = self.s.fn
        with fn.forever() as (out, again):
            unit = fn.keep(self._handler(at))
            fn.br_if(out, unit.eq(tried))
            with fn.when(unit.ge(0)):
                about = fn.keep(self.t.unit_at(unit))
                put_any(self.s, c + load(about, at=SLOT), load(about, at=WIDTH), const(0))
                fn.set(at, unit)
                fn.br(again)
            proc = fn.keep(self.t.proc_at(at))
            fn.set(at, get_any(fn, c + load(proc, at=BACK), load(proc, at=BACK_WIDTH)) - 1)
            fn.run(self._emptied(), c, proc)
        fn.run(self._close(), c, tried)

    def _close(self) -> Fn:
        return runtime(self.s, "close", 2, self._write_close, result=None)

    def _write_close(self, s: Code, fn: Fn) -> None:
        """Puts back who decides and how deep things stand, as when a unit began."""
        c, unit = fn.params
        about = fn.keep(self.t.unit_at(unit))
        kept = get_any(fn, c + load(about, at=SLOT), load(about, at=WIDTH))
        s.write_region("me", 0, kept & (UNIT_ME - 1))
        s.write_region("units", 0, (kept >> 6) & (UNIT_ME - 1))
        s.write_region("together", 0, kept >> 12)
        put_any(s, c + load(about, at=SLOT), load(about, at=WIDTH), const(0))

    def _emptied(self) -> Fn:
        return runtime(self.s, "emptied", 2, self._write_emptied, result=None)

    def _write_emptied(self, s: Code, fn: Fn) -> None:
        """Empties all names of a block."""
        c, proc = fn.params
        runs = fn.keep(load(proc, at=EMPTIED))
        with fn.count(load(runs)) as i:
            part = fn.keep(runs + (i << 3))
            fn.fill(c + load(part, at=4), load(part, at=8))
