"""What is kept of a build with which nothing was wrong: what its blocks read and did, and what else it went by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulespec.kept.bodies import Parts
from rulespec.kept.rows import Filter, Row
from rulespec.source.store import digest


@dataclass(slots=True)
class Seen:
    """What was found of a whole program: the places that were read for it, and what its filters were."""

    reads: frozenset[str]
    filters: tuple[Filter, ...] = ()


@dataclass(slots=True)
class Begun:
    """What was declared beside the places that are read by name, before the first block was made.

    `frame` is a digest of it, `sizes` one of how much a state holds and how it begins, `steps` how much work it was,
    and `spent` how much the whole build was, where that is known.
    """

    frame: str
    sizes: str
    steps: int
    spent: int


@dataclass(slots=True)
class Record:
    """A build with which nothing was wrong: its blocks, and what else it went by.

    `places` are those that were read of what is declared, `bodies` those steps that were read to find something of the
    whole program; `ordered` are the blocks that chosen loops go through (None: any), `ends` those in which a look-ahead
    ends, `set_up` those that a set-up comes to, `others` the filters that were decided while declaring, `beside` what
    was found of the whole program, `soft` what a walk through what is hidden goes by at places that hold figures,
    `facts` what was asked.
    """

    parts: Parts
    rows: list[Row]
    places: dict[str, str]
    bodies: dict[str, str]
    ordered: frozenset[str] | None
    ends: frozenset[str]
    set_up: frozenset[str]
    others: list[Filter]
    begun: Begun
    beside: dict[str, Seen]
    soft: dict[str, str]
    facts: dict[str, Any] = field(default_factory=dict)
    #: by what was asked of it: the places that were read to answer
    told: dict[str, frozenset[str]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)  #: the facts that were asked for in this check: others are not kept on

    @property
    def meaning(self) -> str:
        """A digest of the build wherever its entries stand, but for what is read of its declarations by place."""
        blocks = (f"{row.key} {row.names} {row.deeds} {row.told} {row.shown}" for row in self.rows)
        said = (f"{name} {text}" for name, text in self.parts.said.items())
        beside = (f"{name} {text}" for name, text in self.bodies.items())
        return digest(self.parts.declared, self.begun.frame, *said, *blocks, "beside", *beside)

    def filters(self) -> set[Filter]:
        """What each filter was before play."""
        blocks = (each for row in self.rows for each in row.filters)
        return {*self.others, *blocks, *(each for seen in self.beside.values() for each in seen.filters)}
