"""The executor as the rest of the program sees it: bytes of states and numbers of answers go in and come out."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.middle.facts import Facts
from interpreter.native import engine, store
from interpreter.native.asks import STOP
from interpreter.native.build import make
from interpreter.native.code import NotCompiled
from interpreter.native.engine import Bailed, Engine
from interpreter.native.event_buffer import SIZES
from interpreter.native.event_reader import EventReader, KeptEvents
from interpreter.native.seeding import MOST_TEXT
from interpreter.native.tallies import row_size
from rulespec.built import Built

__all__ = ["Bailed", "Found", "Native", "NotCompiled", "Told"]


#: numbers of events that are read at once: most decisions have no more
USUAL_EVENTS = 96
#: What was told: `points` or `actions`, the reason or action, the seat, and the amount.
Told = tuple[str, str, int, int]


def signed(seed: int) -> int:
    """A number of 64 bits as the one with a sign that has the same bits."""
    return (seed + (1 << 63)) % (1 << 64) - (1 << 63)


class Found:
    """What is asked at a decision, of whom, and the options as numbers. Nothing of it is changed."""

    __slots__ = ("at", "chooser", "native", "numbers")

    def __init__(self, native: Native, at: int, chooser: int, numbers: array[int]):
        self.native = native
        self.at = at
        self.chooser = chooser
        self.numbers = numbers

    def candidates(self) -> list[Any]:
        """The options, as the reference writes them."""
        return self.native.as_candidates(self.at, self.numbers)


class Native:
    """One game's module, running. It holds one state at a time: what was run last is what `advance` goes on from."""

    def __init__(self, built: Built, facts: Facts, made_of: Iterable[object], *, cache: bool = True):
        """Raises NotCompiled where the game cannot be played by this executor, or this machine cannot run it."""
        if not engine.is_there():
            raise NotCompiled("the library `wasmtime` is not installed: `pip install wasmtime`, where it has a wheel")
        key = store.key_of(made_of) if cache else ""
        known = store.recall(key) if cache else None
        if known is None:
            made = make(built, facts)
            try:
                ready = engine.compiled(made.code)
            except engine.failures() as why:
                raise NotCompiled(f"wasmtime does not take it: {str(why).splitlines()[0]}") from why
            if cache:
                store.keep(key, made, ready)
        else:
            made, ready = known
        try:
            self.engine = Engine(made, ready)
        except engine.failures() as why:  # such as no room for its memory
            raise NotCompiled(f"wasmtime does not run it here: {str(why).splitlines()[0]}") from why
        self.made = made
        self._reader = EventReader(made, facts)
        self.players = facts.declared.players
        self.kinds = {at: (ask.kind, ask.optional, ask.record or len(ask.names) > 1) for at, ask in facts.asks.items()}

        self.hints = len(built.program.hints.worth)
        #: there is one memory: whoever uses it from several threads waits for the others
        self.alone = threading.RLock()
        rooms, layout = facts.rooms, facts.layout
        cell = layout.regions["me"]
        self.width, self.me_width = rooms[0].width, rooms[cell].width
        self.me = sum(room.size for room in rooms[:cell])

    # ---- states ----

    def write(self, place: int, state: bytes) -> None:
        """Puts a state at a place; what is behind it, and no part of it, is empty then."""
        self.engine.write(place, state.ljust(self.made.room, b"\0"))

    def begin(self, cells: bytes) -> int:
        """Runs from a state's own instruction: how many options there are, -1 when the game is over. Raises Bailed."""
        self.write(self.made.state, cells)
        return self.engine.call("begin", self.made.state)

    def options(self, cells: bytes) -> int:
        """Finds the options of a state at a decision; how many. Raises Bailed."""
        self.write(self.made.state, cells)
        return self.engine.call("list", self.made.state)

    def advance(self, number: int) -> int:
        """Goes on from the state that was run last with one of its options. Raises Bailed."""
        return self.engine.call("advance", self.made.state, number)

    @property
    def state(self) -> bytes:
        """The state that was run last."""
        return self.engine.read(self.made.state, self.made.size)

    def candidates(self, pc: int, amount: int) -> list[Any]:
        """The options that were found last, as the reference writes them."""
        return self.as_candidates(pc, self.engine.numbers(self.made.found, self.made.words[pc] * amount))

    def as_candidates(self, pc: int, flat: array[int]) -> list[Any]:
        """Options that are written as numbers."""
        words = self.made.words[pc]
        kind, optional, record = self.kinds[pc]
        if words == 1 and not record:
            return flat.tolist()
        found: list[Any] = []
        for i in range(0, len(flat), words):
            first = flat[i]
            if optional and first == STOP:
                found.append(STOP)
            elif kind == "set":
                found.append((first, tuple(flat[i + 1 : i + words]) if record else flat[i + 1]))
            else:
                found.append(tuple(flat[i : i + words]) if record else first)
        return found

    # ---- states that are kept elsewhere ----

    def after(self, data: bytes, at: int, candidate: Any) -> tuple[bytes, Found | None]:
        """The state after an answer to a decision, and what is asked then (None: the game is over). Raises Bailed."""
        with self.alone:
            self.write(self.made.state, data)
            self.engine.write(self.made.found, self.written(at, candidate))
            return self._outcome(self.engine.call("answer", self.made.state, self.made.found))

    def after_with_events(
        self, data: bytes, at: int, candidate: Any, first: tuple[Any, ...] | None = None
    ) -> tuple[bytes, Found | None, KeptEvents]:
        """As `after`, and what happened on the way, behind a first event. Raises Bailed."""
        with self.alone:
            if not self.made.keeps_events:
                raise Bailed("events")
            self.write(self.made.state, data)
            self.engine.write(self.made.found, self.written(at, candidate))
            amount = self.engine.call("answer_with_events", self.made.state, self.made.found)
            return *self._outcome(amount), self._events(first)

    def first_with_events(self, seed: int) -> tuple[bytes, Found | None, KeptEvents]:
        """As `first`, and what happened on the way. Raises Bailed."""
        with self.alone:
            if not self.made.keeps_events:
                raise Bailed("events")
            amount = self.engine.call("fresh_with_events", self.made.start, self.made.state, signed(seed))
            return *self._outcome(amount), self._events(None)

    def _events(self, first: tuple[Any, ...] | None) -> KeptEvents:
        """What was written on the way to the decision at which the state that was run last is."""
        made, engine = self.made, self.engine
        numbers = engine.numbers(made.events - SIZES, USUAL_EVENTS)
        size, states = (SIZES + numbers[0]) // 4, numbers[1]
        if size > USUAL_EVENTS:
            numbers = engine.numbers(made.events - SIZES, size)
        return KeptEvents(self._reader, numbers, size, engine.read(made.moments, states) if states else b"", first)

    def after_told(self, data: bytes, at: int, candidate: Any) -> tuple[bytes, Found | None, list[Told]] | None:
        """As `after`, and what was told on the way; None where the module gives up."""
        with self.alone:
            try:
                return *self.after(data, at, candidate), self.told
            except Bailed:
                return None

    def first(self, seed: int) -> tuple[bytes, Found | None]:
        """The first decision of a game. Raises Bailed."""
        with self.alone:
            return self._outcome(self.engine.call("fresh", self.made.start, self.made.state, signed(seed)))

    def imagined(self, data: bytes, seat: int, seed: int) -> tuple[bytes, Found | None]:
        """Another state that looks the same to a seat at a decision, and what is asked there. Raises Bailed."""
        with self.alone:
            self.write(self.made.state, data)
            self.engine.call("imagine", self.made.state, seat, signed(seed))
            return self._outcome(self.engine.call("list", self.made.state))

    def wander(self, amount: int, fractions: array[float]) -> tuple[int, int]:
        """Goes on at random from the state that was run last, which has so many options; once for each fraction.

        Of the options in order the one is taken at which a fraction of their number points: `int(fraction * amount)`.
        Gives how many options there are then (-1: the game is over), and how often it went on. Raises Bailed.
        """
        most = self.made.outcomes_room // 8
        self.engine.write(self.made.outcomes, fractions[:most].tobytes())
        amount = self.engine.call("wander", self.made.state, amount, min(len(fractions), most), self.made.outcomes)
        return amount, self.engine.variable("done")

    def outlook(self, *, over: bool) -> array[int]:
        """What the state that was run last is worth; its options are gone then. Raises Bailed.

        First the points by seat as if the game ended there, then what each of the content's hints says of each seat.
        """
        self.engine.call("outlook", self.made.state, int(over), self.made.outcomes)
        return self.engine.numbers(self.made.outcomes, self.players * (self.hints + 1))

    def written(self, at: int, candidate: Any) -> bytes:
        """An answer as the numbers that it is."""
        kind, _, record = self.kinds[at]
        if kind == "set" and candidate != STOP:
            number, value = candidate
            numbers = (number, *value) if record else (number, value)
        else:
            numbers = candidate if record and candidate != STOP else (candidate,)
        return array("i", numbers).tobytes()

    def _outcome(self, amount: int) -> tuple[bytes, Found | None]:
        data = self.state
        if amount < 0:
            return data, None
        at = int.from_bytes(data[: self.width], "little")
        chooser = int.from_bytes(data[self.me : self.me + self.me_width], "little")
        return data, Found(self, at, chooser, self.engine.numbers(self.made.found, self.made.words[at] * amount))

    @property
    def told(self) -> list[Told]:
        """What was told on the way to the decision at which the state that was run last is."""
        size = self.engine.variable("trail") - self.made.trail
        flat = self.engine.numbers(self.made.trail, size // 4)
        return [(*self.made.told[flat[i]], flat[i + 1], flat[i + 2]) for i in range(0, len(flat), 3)]

    # ---- random games ----

    def tallied(self, seeds: Sequence[int], out: array[int]) -> int:
        """Plays a random game for each seed, every seat out of a stream of its own, and adds to `out` a row for each.

        What is in a row: see `tallies`. Gives how many were played: fewer where the module gave up, or has no room for
        more rows.
        """
        amount, rows = self._room_for(len(seeds))
        with self.alone:
            self.engine.write(self.made.outcomes, array("Q", seeds[:amount]).tobytes())
            found = self._tallied(amount, rows)
        out.frombytes(found)
        return len(found) // self._row

    def tallied_by_number(self, text: bytes, first: int, amount: int) -> bytes:
        """The rows of `tallied` as bytes, for games of which each has its seed by a text and its number (`seeding`)."""
        assert len(text) <= MOST_TEXT
        amount, rows = self._room_for(amount)
        with self.alone:
            self.engine.write(rows, text)
            self.engine.call("seeds", rows, len(text), first, amount, self.made.outcomes)
            return self._tallied(amount, rows)

    @property
    def _row(self) -> int:
        """The bytes of a row of `tallied`."""
        return 4 * row_size(self.players, len(self.made.told))

    def _room_for(self, amount: int) -> tuple[int, int]:
        """How many seeds there is room for, and where the rows lie behind them."""
        amount = min(amount, self.made.outcomes_room // (8 + self._row) - 1)
        return amount, self.made.outcomes + 8 * amount

    def _tallied(self, amount: int, rows: int) -> bytes:
        """The rows of games whose seeds lie ready."""
        try:
            arguments = (self.made.start, self.made.state, self.made.outcomes, amount, rows)
            played = self.engine.call("tallied", *arguments)
        except Bailed:
            played = self.engine.variable("done")
        return self.engine.read(rows, self._row * played)

    def playouts(self, start: bytes | None, seed: int, amount: int, out: array[int]) -> int:
        """Plays random games with the seeds from `seed` on, and adds to `out` what became of each.

        From a state, or (None) from the very beginning. Gives how many were played: fewer where the module gave up.
        """
        row = 4 * (2 * self.players + 1)
        amount = min(amount, self.made.outcomes_room // row)
        place = self.made.start if start is None else self.made.given
        arguments = (place, self.made.state, signed(seed), amount, int(start is None), self.made.outcomes)
        with self.alone:
            if start is not None:
                self.write(place, start)
            try:
                played = self.engine.call("playouts", *arguments)
            except Bailed:
                played = self.engine.variable("done")
            out.frombytes(self.engine.read(self.made.outcomes, row * played))
        return played
