"""Many random games: by the native executor where it can, else by the reference; the games are the same."""

from __future__ import annotations

import time
import warnings
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter import rng
from interpreter.bounds import in_time
from interpreter.middle.pieces import copy_cells
from interpreter.native.play import MOST_DECISIONS, PURPOSE

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

MOST_SEEDS = 1 << 64
MOST_AT_ONCE = 1 << 13
AT_ONCE = 0.1  #: seconds that one call may take, about: it cannot be interrupted


@dataclass(frozen=True, slots=True)
class Playouts:
    """How random games ended: for each game and seat (`game * players + seat`) points and place, and how long it was.

    Places count from 0, as in `Result.ranking`; `decisions` has one number for each game. A game of `MOST_DECISIONS`
    decisions is left there: it is among the `unfinished`, and counts as a victory of nobody.
    `teams` are as in `Result`.
    """

    players: int
    scores: array[int]
    places: array[int]
    decisions: array[int]
    teams: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.decisions)

    @property
    def unfinished(self) -> tuple[int, ...]:
        """The games, from 0, that were left after so many decisions; their points and places are those of then."""
        return tuple(number for number, decisions in enumerate(self.decisions) if decisions >= MOST_DECISIONS)

    def wins(self, seat: int) -> float:
        """The share of games that a seat won; a place shared by several counts as their share of it.

        A team has its part as one, and so has each of its members.
        """
        total, left = 0.0, frozenset(self.unfinished)
        side_of = self.teams or range(self.players)
        for number, at in enumerate(range(0, len(self.places), self.players)):
            if number in left:
                continue
            winners = {side_of[i] for i in range(self.players) if self.places[at + i] == 0}
            total += 1 / len(winners) if side_of[seat] in winners else 0
        return total / max(1, len(self))


def play_out(game: Game, state: State | None, amount: int, seed: int) -> Playouts:
    """Plays from a state, or from the beginning, as often as wanted; see `Game.playouts`."""
    rows: array[int] = array("i")
    native, played = game.native, 0
    start = None if state is None else state.to_bytes()
    at_once = 1
    while played < amount:
        begun = time.perf_counter()
        wanted = min(at_once, amount - played, MOST_AT_ONCE)
        done = 0 if native is None else native.playouts(start, (seed + played) % MOST_SEEDS, wanted, rows)
        if done < wanted:  # one that is too much for it
            rows.extend(by_reference(game, state, (seed + played + done) % MOST_SEEDS))
            done += 1
        played += done
        if time.perf_counter() - begun < AT_ONCE:
            at_once *= 2
    return _in_columns(rows, game.players, game.facts.program.declared.teams)


def warn_of_unfinished(found: Playouts) -> None:
    """Says how many games were left, if any, to whoever called what calls this."""
    if found.unfinished:
        left = f"{len(found.unfinished):,} of {len(found):,} games were not over after {MOST_DECISIONS:,} decisions"
        warnings.warn(f"{left} and were left; `unfinished` says which", RuntimeWarning, stacklevel=3)


def _in_columns(rows: array[int], players: int, teams: tuple[int, ...]) -> Playouts:
    width = 2 * players + 1
    decisions = rows[2 * players :: width]
    scores = array("i", bytes(rows.itemsize * players * len(decisions)))
    places = array("i", scores)
    for seat in range(players):
        scores[seat::players] = rows[seat::width]
        places[seat::players] = rows[players + seat :: width]
    return Playouts(players, scores, places, decisions, teams)


def by_reference(game: Game, state: State | None, seed: int) -> list[int]:
    """One random game, step by step: points and place of each seat, and how many decisions there were."""
    now = game.start(seed) if state is None else _seeded(game, state, seed)
    chosen, increment, played = rng.seed_stream(seed, PURPOSE), rng.increment(PURPOSE), 0
    while now.candidates and played < MOST_DECISIONS:
        in_time(now)
        chosen, at = rng.below(chosen, increment, len(now.candidates))
        now = game.advance(now, now.candidates[at])
        played += 1
    result = game.result_of(now)
    places = [next(k for k, seats in enumerate(result.ranking) if seat in seats) for seat in range(game.players)]
    return [*result.scores, *places, played]


def _seeded(game: Game, state: State, seed: int) -> State:
    """The state with all of its streams begun anew."""
    cells = copy_cells(state.cells)
    for name, cell in game.facts.layout.streams.items():
        cells[cell] = rng.start(rng.seed_stream(seed, name), rng.increment(name))
    return type(state)(game, cells, state.candidates)
