"""What is told in play, for whoever counts it: a trail of numbers in memory, from one decision to the next.

An entry is three numbers of 32 bits: what it is (its place in `Made.told`), the seat, and the amount. Points are told
by the steps that score, actions where they are used: as the events `score` and `action` of the reference, in the
same order. A look-ahead tells nothing, and what a `try` takes back was not told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.wasm import E, Fn, const

if TYPE_CHECKING:
    from interpreter.native.blocks import Blocks

POINTS: Final = "points"
ACTIONS: Final = "actions"
ENTRY: Final = 12  #: bytes: what, seat, amount


def tell(b: Blocks, what: tuple[str, str], seat: E, amount: E) -> None:
    """Adds an entry to the trail, but in a look-ahead."""
    s = b.s
    number = s.told.setdefault(what, len(s.told))
    with s.fn.when(b.floor.eq(0)):
        s.fn.run(runtime(s, "tell", 3, _tell, result=None), const(number), seat, amount)


def _tell(s: Code, fn: Fn) -> None:
    at, g = fn.keep(s.globals.trail), s.globals
    s.bail_if((at + ENTRY).op("gt_u", g.trail_end), "memory")
    for place, value in enumerate(fn.params):
        fn.store(at, value, at=4 * place)
    fn.set(g.trail, at + ENTRY)
