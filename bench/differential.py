"""Plays random games by the native executor and the reference side by side: options in order, states, events, results.

    python -m bench.differential --minutes 2
    python -m bench.differential agora_barcelona barcelona --games 1000

Now and then a state is read back from its bytes, too.

Games, numbers of players, options and variants take turns. Of a difference the shortest game is told that still shows
it, what differs, and the declaration's line where it came up. Logs are made of the same states by one program, so that
they cannot differ where these do not.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter import Game, State, load
from interpreter.middle.events import Moment
from interpreter.middle.layout import to_bytes
from interpreter.middle.pieces import copy_cells
from interpreter.native.event_reader import KeptEvents
from interpreter.native.executor import Bailed, Native
from rulespec.build import declare
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import read_game
from rulespec.lower.constants import option_nodes, option_values
from rulespec.lower.context import Parsed
from rulespec.settle import player_range
from rulespec.source.shipped import games

MOST_DECISIONS = 5_000
OTHERS = 100  #: games that are tried to show a difference sooner
AT_ONCE = 3  #: games of a setting before the next one has its turn
ROUND_TRIP = 16  #: of so many positions one is read back from its bytes, and asked for its options again
Cells = list[Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """A game with a number of players, options and variants."""

    game: str
    players: int
    options: tuple[tuple[str, str | int | bool], ...] = ()
    variants: tuple[str, ...] = ()

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options]
        return " ".join([self.game, f"for {self.players}", *chosen, *self.variants])

    def load(self) -> Game:
        """The game. Raises ContentError where it cannot be played so."""
        return load(self.game, players=self.players, options=dict(self.options), variants=self.variants)


def settings(names: Sequence[str]) -> Iterator[Setting]:
    """Every number of players; for each, every value of every option and every variant by itself."""
    for name in names:
        problems = Problems()
        source = read_game(name, problems)
        assert source is not None, problems.items
        low, high = player_range(source.base, problems)
        for players in range(low, high + 1):
            yield Setting(name, players)
            context = declare(source.base, players, {}, Problems(), Parsed())
            for key, node in option_nodes(context):
                for value in option_values(context, context.type(node.get("type"))):
                    yield Setting(name, players, ((key.text, value),))
            yield from (Setting(name, players, variants=(variant,)) for variant in source.variants)


# ---- side by side ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Difference:
    """Where two executors went different ways: after which choices, and what is not the same."""

    seed: int
    choices: list[int]
    keys: list[str]
    what: str
    place: str


@dataclass(slots=True)
class Pair:
    """The native executor and the reference at the same position."""

    game: Game
    native: Native
    cells: Cells = field(default_factory=list)
    options: list[Any] | None = None
    amount: int | None = 0
    gave_up: dict[str, int] = field(default_factory=dict)
    at: int = 0
    seen: int = 0

    def begin(self, seed: int) -> str:
        """Both begin a game; what differs, or nothing."""
        machine = self.game.machine
        self.cells = machine.begin(seed)
        before = self.bytes()
        self.at = 0
        told: list[Any] = []
        self.options = machine.run(self.cells, self.cells[0], told)
        what = self._check(lambda: self.native.begin(before))
        what = what or self._check_events(lambda: self.native.first_with_events(seed), told)
        return what or self._read_back()

    def advance(self, number: int) -> str:
        """Both go on with one of the options; what differs, or nothing."""
        assert self.options is not None
        machine, before, lost = self.game.machine, self.bytes(), self.amount is None
        self.at = self.cells[0]
        cells, given = copy_cells(self.cells), self.options[number]
        told: list[Any] = []
        self.options = machine.run(cells, machine.answer(cells, cells[0], given), told)
        self.cells = cells
        if lost:
            self.native.options(before)
        what = self._check(lambda: self.native.advance(number))
        what = what or self._check_events(lambda: self.native.after_with_events(before, self.at, given), told)
        return what or self._read_back()

    def _read_back(self) -> str:
        """Now and then: whether bytes are read back as what they were, by the reference's own layout too."""
        self.seen += 1
        if self.options is None or self.seen % ROUND_TRIP:
            return ""
        data, reference = self.bytes(), self.game.machine.reference
        position = reference.from_bytes(data)
        if reference.to_bytes(position) != data or reference.options(position) != self.options:
            return "what the reference reads back from bytes"
        return "" if self.game.state_from_bytes(data).candidates == self.options else "what is read back from bytes"

    def bytes(self) -> bytes:
        """The state of the reference."""
        return to_bytes(self.cells, self.game.facts.rooms)

    def _check(self, run: Any) -> str:
        try:
            self.amount = run()
        except Bailed as why:
            self.amount = None
            self.gave_up[str(why)] = self.gave_up.get(str(why), 0) + 1
            return ""
        if self.native.state != self.bytes():
            return "the states: " + ", ".join(self._cells())
        if self.options is None or self.amount is None or self.amount < 0:
            return "" if (self.options is None) == (self.amount == -1) else "whether the game is over"
        found = self.native.candidates(self.cells[0], self.amount)
        return "" if found == self.options else f"the options: {self.options[:9]} and {found[:9]}"

    def _check_events(self, run: Callable[[], tuple[Any, Any, KeptEvents]], told: list[Any]) -> str:
        """The same step once more, with its events. Nothing is compared where the module gave up."""
        if self.amount is None:
            return ""
        try:
            data, _, found = run()
        except Bailed as why:
            self.amount = None
            self.gave_up[f"{why}, with events"] = self.gave_up.get(f"{why}, with events", 0) + 1
            return ""
        if data != self.bytes():
            return "the states, with events: " + ", ".join(self._cells())
        for i, (own, other) in enumerate(zip(told, found, strict=False)):
            if self._plain(own) != self._plain(other):
                return f"the events: {own[:5]} and {other[:5]}, number {i}"
        return "" if len(told) == len(found) else f"how many events: {len(told)} and {len(found)}"

    def _plain(self, event: Sequence[Any]) -> list[Any]:
        """An event with its moment as bytes."""
        rooms = self.game.facts.rooms
        return [
            to_bytes(part[:], rooms)
            if isinstance(part, (list, Moment))
            else tuple(part)
            if isinstance(part, range)
            else part
            for part in event
        ]

    def _cells(self) -> Iterator[str]:
        """The names of the cells that differ, with both values."""
        facts, at = self.game.facts, 0
        names = {cell: facts.program.slots[slot].name for slot, cell in facts.layout.slots.items()}
        names |= {cell: key for key, cell in facts.layout.regions.items()}
        own, other = self.bytes(), self.native.state
        for cell, room in enumerate(facts.rooms):
            a, b = own[at : at + room.size], other[at : at + room.size]
            if a != b:
                yield f"{names.get(cell, f'cell {cell}')} ({a.hex()[:40]} and {b.hex()[:40]})"
            at += room.size

    def place(self) -> str:
        """The line of the declaration that was asked last."""
        instrs = self.game.facts.program.instrs
        spans = [i.span for i in reversed(instrs[: self.at + 1]) if i.span is not None]
        return f"{spans[0].file.name}:{spans[0].line}" if spans else "the set-up"


def follow(pair: Pair, seed: int, most: int = MOST_DECISIONS) -> Difference | int:
    """A random game by both; where they differ, or how many decisions were the same."""
    dice, choices = random.Random(seed), list[int]()
    what = pair.begin(seed)
    while not what and pair.options and len(choices) < most:
        chosen = dice.randrange(len(pair.options))
        choices.append(chosen)
        what = pair.advance(chosen)
    return Difference(seed, choices, [], what, pair.place()) if what else len(choices)


def replay(pair: Pair, seed: int, choices: Sequence[int]) -> Difference | None:
    """The same choices again, as far as they are offered; where the executors differ."""
    made, keys = list[int](), list[str]()
    what = pair.begin(seed)
    for number in choices:
        if what or not pair.options:
            break
        chosen = number % len(pair.options)
        keys.append(State(pair.game, pair.cells, pair.options).options()[chosen].key)
        made.append(chosen)
        what = pair.advance(chosen)
    return Difference(seed, made, keys, what, pair.place()) if what else None


def shrink(pair: Pair, seed: int, found: Difference) -> Difference:
    """The shortest game that still shows a difference: parts of the choices are left out, ever smaller ones.

    Then other games that are shorter still are tried for a while.
    """
    best = _without_parts(pair, seed, replay(pair, seed, found.choices) or found)
    for other in range(OTHERS):
        less = follow(pair, other, len(best.choices) - 1)
        if isinstance(less, Difference):
            best = _without_parts(pair, other, replay(pair, other, less.choices) or less)
    return best


def _without_parts(pair: Pair, seed: int, best: Difference) -> Difference:
    size = len(best.choices)
    while size:
        at = 0
        while at < len(best.choices):
            less = replay(pair, seed, best.choices[:at] + best.choices[at + size :])
            if less is not None and len(less.choices) < len(best.choices):
                best = less
            else:
                at += size
        size //= 2
    return best


# ---- the command -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """What was played, and where the native executor gave up or had no code."""

    settings: set[str] = field(default_factory=set)
    games: int = 0
    decisions: int = 0
    gave_up: dict[str, dict[str, int]] = field(default_factory=dict)
    not_compiled: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        same = f"{len(self.settings)} settings, {self.games} games, {self.decisions} decisions: the same."
        return f"{same} Given up: {self.gave_up or 'never'}. Not compiled: {self.not_compiled or 'none'}."


def visit(setting: Setting, seeds: range, end: float, tally: Tally, *, most: int = MOST_DECISIONS) -> Difference | None:
    """Some games of a setting by both executors; what differs first, in its shortest form."""
    try:
        game = setting.load()
    except ContentError:  # this value does not go with the others
        return None
    if game.native is None:
        tally.not_compiled[str(setting)] = game.native_refused
        return None
    pair = Pair(game, game.native)
    for seed in seeds:
        if time.monotonic() > end:
            break
        found = follow(pair, seed, most)
        if isinstance(found, Difference):
            return shrink(pair, seed, found)
        tally.settings.add(str(setting))
        tally.games, tally.decisions = tally.games + 1, tally.decisions + found
    if pair.gave_up:
        tally.gave_up[str(setting)] = pair.gave_up
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays and compares; 1 where there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m bench.differential", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", metavar="GAME", nargs="*", help="shipped games' ids or games' folders; all shipped")
    parser.add_argument("--minutes", type=float, default=None, metavar="M", help="go round until so much time is over")
    parser.add_argument("--games", type=int, default=None, metavar="N", help="so many games of each setting")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the first seed")
    parser.add_argument("--decisions", type=int, default=MOST_DECISIONS, metavar="N", help="at most so many of a game")
    given = parser.parse_args(arguments)
    for name in given.names:
        if read_game(name, Problems()) is None:
            parser.error(f"There is no game {name}.")
    end = time.monotonic() + 60 * given.minutes if given.minutes else float("inf")
    each = given.games or (AT_ONCE if given.minutes else 1)
    # shuffled, so that a short time meets settings of all games
    places = random.Random(given.seed).sample(found := list(settings(given.names or list(games()))), len(found))
    tally, seed = Tally(), given.seed
    while True:
        for setting in places:
            if time.monotonic() > end:
                break
            seeds = range(seed, seed + each)
            different = visit(setting, seeds, end, tally, most=given.decisions)
            if different is not None:
                _tell(setting, different)
                return 1
        seed += each
        if not given.minutes or time.monotonic() > end:
            print(tally)
            return 0


def _tell(setting: Setting, found: Difference) -> None:
    print(f"{setting}, seed {found.seed}: different after {len(found.choices)} choices, at {found.place}")
    for key in found.keys:
        print(f"  {key}")
    print(f"  {found.what}")


if __name__ == "__main__":
    sys.exit(main())
