"""What a rehearsal of a set-up knows: cells, pieces and names, some of which are hidden."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulespec.lower.context import Context
from rulespec.lower.ir import Program
from rulespec.model.types import ListType, strip


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
