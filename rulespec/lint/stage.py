"""What a rehearsal of a set-up knows: cells, pieces and names, some of which are hidden."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulespec.lower.context import Context
from rulespec.lower.ir import Program
from rulespec.model.types import ListType, strip
from rulespec.program.ops import BRANCHES, BREAKS, DIVIDES
from rulespec.source.text import Span


class NotKnown(Exception):
    """The set-up goes on by what cannot be known yet."""


class NotDone(Exception):
    """A step cannot be done; `why` says what is missing."""

    def __init__(self, why: str):
        super().__init__(why)
        self.why = why


class TooFew(NotDone):
    """More are to be chosen than there are."""

    def __init__(self, wanted: int, found: int):
        super().__init__("")
        self.wanted, self.found = wanted, found


class Endless(Exception):
    """A loop comes to a position again at which it was before: it goes on so for ever."""


class Hidden:
    """A value that is not known yet. A piece has a home: a zone and a place of it where it lies; it is not none."""

    def __init__(self, home: tuple[str, int] | None = None):
        self.home = home

    def __lt__(self, other: object) -> bool:
        """Whether it is none, as far as that can be told; nothing else can."""
        if self.home is None or other != 0:
            raise NotKnown
        return False

    def __eq__(self, other: object) -> bool:
        if self.home is None or not isinstance(other, int) or other >= 0:
            raise NotKnown
        return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


def _refuse(*_: object) -> Any:
    raise NotKnown


for _word in (
    "le gt ge bool index int add radd sub rsub mul rmul mod rmod floordiv rfloordiv neg and rand or ror invert lshift "
    "rlshift rshift rrshift iter len getitem contains"
).split():
    setattr(Hidden, f"__{_word}__", _refuse)


@dataclass(slots=True)
class Try:
    """An open `try`: where it stands, and all as it was then."""

    at: int
    regions: dict[str, list[Any]]
    zones: dict[str, list[list[Any]]]
    slots: dict[int, Any]
    back: list[tuple[int, int]]
    together: int
    by_chance: bool


@dataclass(slots=True)
class Stage:
    """All that a state holds, and where the set-up is."""

    cx: Context
    program: Program
    regions: dict[str, list[Any]]
    zones: dict[str, list[list[Any]]]
    slots: dict[int, Any] = field(default_factory=dict)
    #: for each open call: the block, and where it goes on
    back: list[tuple[int, int]] = field(default_factory=list)
    tries: list[Try] = field(default_factory=list)
    together: int = 0
    by_chance: bool = False
    end: dict[int, int] = field(default_factory=dict)
    middle: dict[int, int] = field(default_factory=dict)
    start: dict[int, int] = field(default_factory=dict)

    def match(self, entry: int, end: int) -> None:
        """Notes which ends belong to which beginnings, from one instruction to before another."""
        open_ones = list[int]()
        for at in range(entry, end):
            op = self.program.instrs[at].op
            if op in BRANCHES:
                open_ones.append(at)
            elif op in DIVIDES:
                self.middle[open_ones[-1]] = at
                self.start[at] = open_ones[-1]
            elif op in BRANCHES.values():
                self.start[at] = open_ones.pop()
                self.end[self.start[at]] = at
            elif op in BREAKS:
                self.start[at] = next(k for k in reversed(open_ones) if self.program.instrs[k].op == "loop")

    # ---- what the evaluator reads ----

    def load(self, region: str, index: int) -> Any:
        """The value of one cell of a region."""
        return self.regions[region][index]

    def pieces(self, zone: str, place: int) -> list[Any]:
        """The pieces at a place, as expressions know them."""
        w = self.cx.world
        decl, codes = w.zones[zone], self.zones[zone][place]
        if any(isinstance(code, Hidden) for code in codes):
            return [Hidden((zone, place)) for _ in codes]
        if decl.shape != "stack":
            codes = sorted(codes)
        number = decl.first + place
        return [(number * w.depth + (at if decl.shape == "stack" else 0)) * w.codes + c for at, c in enumerate(codes)]

    def local(self, slot: int) -> Any:
        """What a name of an open block holds."""
        if slot < 0:
            return 0
        emptied = () if isinstance(strip(self.program.slots[slot].type), ListType) else 0
        return self.slots.get(slot, emptied)

    def span(self, at: int) -> Span | None:
        """Where an instruction comes from, or the nearest before it of which that is known."""
        instrs = self.program.instrs
        return next((instrs[k].span for k in range(at, -1, -1) if instrs[k].span is not None), None)

    # ---- loops ----

    def names(self) -> tuple[Any, ...]:
        """What comes next depends on this and on `cells`: what is hidden counts as alike where it lies at one place,
        since a rehearsal ends where a step needs to know more of it.
        """
        return (
            tuple((slot, _kept(value)) for slot, value in sorted(self.slots.items())),
            tuple(self.back),
            tuple(id(opened) for opened in self.tries),
            self.together,
            self.by_chance,
        )

    def cells(self) -> tuple[Any, ...]:
        """The rest of it: all cells and zones."""
        return (
            tuple(tuple(_kept(cell) for cell in cells) for cells in self.regions.values()),
            tuple(tuple(_kept(code) for code in codes) for places in self.zones.values() for codes in places),
        )


def _kept(value: Any) -> Any:
    """A value as it can be compared, whatever is hidden in it."""
    if isinstance(value, Hidden):
        return ("hidden", value.home)
    return tuple(map(_kept, value)) if isinstance(value, tuple | list) else value


@dataclass(slots=True)
class Passes:
    """The positions to which loops have come: of each loop one, which is kept for twice as many passes each time."""

    size: int
    most: int = 400_000
    kept: dict[int, tuple[tuple[Any, ...], tuple[Any, ...]]] = field(default_factory=dict)
    passes: dict[int, int] = field(default_factory=dict)

    def begin(self, at: int) -> None:
        """A loop is entered: where it was when it was entered before is no matter, it came out of it then."""
        self.kept.pop(at, None)
        self.passes.pop(at, None)

    def again(self, at: int, stage: Stage) -> None:
        """Notes the end of a pass. Raises Endless where the loop was there before; `most` cells are compared."""
        self.most -= self.size
        if self.most < 0:
            return
        names, passed, kept = stage.names(), self.passes.get(at, 0) + 1, self.kept.get(at)
        is_noted = passed & (passed - 1) == 0
        may_be_there = kept is not None and kept[0] == names  # most loops count: then the rest need not be looked at
        cells = stage.cells() if is_noted or may_be_there else ()
        if kept is not None and may_be_there and kept[1] == cells:
            raise Endless
        self.passes[at] = passed
        if is_noted:
            self.kept[at] = names, cells
