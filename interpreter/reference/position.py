"""A position of a game while it is played: what the state holds, as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.reference.definition import Definition
from interpreter.reference.faults import Fault, content_error, out_of_range
from rulespec.lower.ir import Ir, Value
from rulespec.model.types import Integer
from rulespec.program.meaning import DeclaredZone, Reader, place_of
from rulespec.source.text import Span

#: how many instructions and members of sources one decision may take: so many that what the native executor accepts is
#: accepted here too, which counts otherwise and stops sooner
MOST_WORK = 4_000_000
#: a position that is copied, with what is made of it, and a piece that is moved take about as long as so many
COPIED, HANDLED = 8, 3
#: so many cells or pieces that are only copied or looked through are as much work as one member of a source
CELLS_A_COUNT = 32
#: and so many pieces that are gone through one by one
LISTED_A_COUNT = 8


class Position(Reader):
    """All that a state holds.

    `at` is the instruction that asks (0: the game is over); `zones` the codes at each place, from the bottom up, in a
    pool sorted; `known` what players know of each place (see `memory`); `cells` all cells of the regions; `random`
    whether something random has happened since the last decision; `streams` the state of each stream; `slots` what
    the names of blocks hold. `work` is no part of the state: what was done since the last decision, counted for all
    copies together, and how much of it there may be.
    """

    __slots__ = ("at", "cells", "game", "known", "random", "slots", "streams", "work", "zones")

    def __init__(self, game: Definition):
        self.game = game
        self.at = 0
        self.zones: list[tuple[int, ...]] = []
        self.known: list[tuple[int, ...]] = []
        self.cells: list[int] = []
        self.random = 0
        self.streams: dict[str, int] = {}
        self.slots: list[Any] = []
        self.work = [0, MOST_WORK]

    def copy(self) -> Position:
        """Another position that is the same."""
        self.count(COPIED + (len(self.cells) + len(self.zones) + len(self.slots)) // CELLS_A_COUNT)
        other = Position(self.game)
        other.become(self)
        other.work = self.work
        return other

    def become(self, other: Position) -> None:
        """Makes this position the same as another one."""
        self.at, self.random = other.at, other.random
        self.zones, self.known, self.cells = other.zones[:], other.known[:], other.cells[:]
        self.streams, self.slots = other.streams.copy(), other.slots[:]

    def key(self) -> tuple[Any, ...]:
        """What is equal where positions at one decision are equal."""
        kept = tuple(self.slots[slot] for slot in self.game.state_slots)
        return (*self.zones, *self.known, *self.cells, self.random, *self.streams.values(), kept)

    def count(self, amount: int = 1) -> None:
        """Counts an instruction, a member of a source, or as much work. Raises Fault where that is too much (RS803)."""
        work = self.work
        work[0] += amount
        if work[0] > work[1]:
            raise Fault("RS803")

    # ---- cells ----

    def load(self, region: str, index: int = 0) -> int:
        """A cell of a region."""
        return self.cells[self.game.bases[region] + index]

    def store(self, region: str, index: int, value: int) -> None:
        """Fills a cell of a region, whatever its range."""
        self.cells[self.game.bases[region] + index] = value

    @property
    def me(self) -> int:
        """Who decides and gains."""
        return self.load("me")

    @property
    def units(self) -> int:
        """How many units are open."""
        return self.load("units")

    # ---- pieces and places ----

    def place(self, zone: Ir) -> int:
        """The number of a place of a zone among all places."""
        name, within = place_of(self, zone)
        number: int = self.game.first_place[name] + within
        return number

    def pieces_at(self, place: int) -> list[int]:
        """The pieces at a place, from the bottom up; of a pool by code. Only a stack has positions."""
        step = self.game.codes if self.game.places[place].shape == "stack" else 0
        first = place * self.game.depth * self.game.codes
        return [first + i * step + code for i, code in enumerate(self.zones[place])]

    def pieces(self, zone: str, place: int) -> list[int]:
        """The pieces at a place of a zone."""
        return self.pieces_at(self.game.first_place[zone] + place)

    def how_many(self, zone: str, place: int) -> int:
        """How many pieces lie at a place of a zone."""
        return len(self.zones[self.game.first_place[zone] + place])

    # ---- what is declared ----

    @property
    def codes(self) -> int:
        """How many codes a piece has room for."""
        return self.game.codes

    @property
    def depth(self) -> int:
        """How many positions a piece has room for."""
        return self.game.depth

    def table(self, name: str) -> tuple[Value, ...]:
        """The entries of a constant table."""
        return self.game.table(name)

    def function(self, name: str) -> tuple[tuple[str, ...], Ir]:
        """The parameters of a declared function, and its expression."""
        if self.game.ran is not None:
            self.game.ran.add(name)
        return self.game.function(name)

    def zone(self, name: str) -> DeclaredZone:
        """The declaration of a zone."""
        return self.game.zone(name)

    def faces(self, kind: str) -> int:
        """How many faces the pieces of a kind have."""
        return self.game.kinds[kind].faces

    def outside(self, value: int, declared: Integer, span: Span | None) -> Fault:
        """What is raised for a value outside its declared range."""
        return out_of_range(value, declared.low, declared.high, span)

    # ---- slots of blocks ----

    def slot(self, slot: int) -> Any:
        """What a slot holds."""
        return self.slots[slot]

    def empty(self, slot: int) -> None:
        """Empties a slot."""
        self.slots[slot] = self.game.empty_slots[slot]

    def empty_block(self, proc: int) -> None:
        """Empties the slots of a block."""
        for slot in self.game.slots_of[proc]:
            self.empty(slot)


@contextmanager
def faults_told(p: Position) -> Iterator[None]:
    """Around what is asked of a position: ContentError where the content is at fault."""
    p.work[0] = 0
    try:
        yield
    except RecursionError:
        raise content_error(Fault("RS803"), p.game.instrs, p.at) from None
    except Fault as fault:
        raise content_error(fault, p.game.instrs, p.at) from None


def start_of(game: Definition) -> Position:
    """The position before anything has run, with no stream seeded: all cells and zones at their start."""
    found = Position(game)
    found.zones = [()] * len(game.places)
    found.known = [(0,) * place.memory for place in game.places]
    for key, places in game.program.starts.items():
        for i, codes in enumerate(places):
            number = game.first_place[key] + i
            found.zones[number] = tuple(sorted(codes) if game.places[number].shape == "pool" else codes)
    found.cells = [value for region in game.program.regions for value in region.start]
    found.streams = dict.fromkeys(game.program.streams, 0)
    found.slots = list(game.empty_slots)
    return found
