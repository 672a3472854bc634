"""Whether a game goes well: plays many whole games with automatic seats and tells how they went.

    python -m bench.soundness tic_tac_toe --games 200 --seats random
    python -m bench.soundness agora_barcelona --players 4 --games 100 --within round=10..15

Told are: what the counters that belong to nobody show at the end, the winner's points, which actions were taken, which
events happened with which values in them (effects, members that have names), and what points were given for. Points are
also counted for the action or event that came last before them in the same decision. `--within NAME=LOW..HIGH` tells in
how many games a counter, or `winner`, the winner's points, lay between two figures. The same seed gives the same games.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import Any

from interpreter import Game, State, load
from interpreter.names import value_text
from interpreter.players import make_player
from rulespec.messages.decisions import log_names
from rulespec.model.types import EffectType, Member, Type, strip

#: Decisions after which a game counts as one that does not end.
PATIENCE = 20_000
#: The parts of all games, in hundredths, at which figures are told.
PARTS = (0, 5, 50, 95, 100)


@dataclass(slots=True)
class Course:
    """How one game went. `taken` counts by group and name; `points` by what they were for."""

    ended: bool = True
    decisions: int = 0
    scores: tuple[int, ...] = ()
    counters: dict[str, int] = field(default_factory=dict)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    points: Counter[tuple[str, str]] = field(default_factory=Counter)
    scorings: Counter[tuple[str, str]] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Table:
    """The players at a game."""

    game: Game
    seats: tuple[str, ...]

    def play(self, seed: int) -> Course:
        """One whole game."""
        course = Course()
        players = [make_player(name, seat, seed) for seat, name in enumerate(self.seats)]
        state = self.game.start(seed)
        while state.decision is not None and course.decisions < PATIENCE:
            option = players[state.decision.player].choose(state, state.options())
            state = state.apply(option, events=True)
            course.decisions += 1
            self._note(course, state)
        if state.result is None:
            course.ended = False
        else:
            course.scores = state.result.scores
        course.counters = dict(_counters(state))
        return course

    def _note(self, course: Course, state: State) -> None:
        behind: list[tuple[str, str]] = []
        for event in state.events or ():
            if event[0] in ("action", "event"):
                behind = list(self._values(event))
                course.taken[f"{event[0]}s", event[3]] += 1
                course.taken.update(behind)
            elif event[0] == "score":
                for key in [("points for", event[4]), *behind]:
                    course.points[key] += event[3]
                    course.scorings[key] += event[3] > 0

    def _values(self, event: Sequence[Any]) -> Iterator[tuple[str, str]]:
        """What an action or event names, of members and effects: under `EVENT.FIELD` the value."""
        kind, at, _, name, args = event[:5]
        instr, world = self.game.built.program.instrs[at], self.game.world
        if kind == "action":
            types, given = log_names(instr), dict(args)
        else:
            types = dict(world.events.get(name, ()))
            given = dict(zip(types, args, strict=False))
        for field_name, value in given.items():
            if self._is_name(types[field_name]):
                yield f"{name}.{field_name}", value_text(world, types[field_name], value)

    def _is_name(self, t: Type) -> bool:
        """Effects, and members that have names; sites with coordinates are too many."""
        inner = strip(t)
        if isinstance(inner, Member):
            return not self.game.world.domains[inner.domain].dims and inner.domain != "player"
        return isinstance(inner, EffectType)


def _counters(state: State) -> Iterator[tuple[str, int]]:
    for key, value in state.to_json()["state"].items():
        if isinstance(value, int) and not isinstance(value, bool):
            yield key, value


# ---- what is told -----------------------------------------------------------------------------------


def lines(courses: Sequence[Course], within: dict[str, range]) -> Iterator[str]:
    """The whole report."""
    ended = [c for c in courses if c.ended]
    yield f"{len(ended)} of {len(courses)} games ended."
    if not ended:
        return
    yield ""
    yield "at the end" + "".join(f"{p:>9} %" for p in PARTS)
    figures = {name: [c.counters[name] for c in ended] for name in ended[0].counters}
    figures |= {"winner": [max(c.scores) for c in ended], "last": [min(c.scores) for c in ended]}
    figures["decisions"] = [c.decisions for c in ended]
    for name, values in figures.items():
        yield (
            f"{name:<10}" + "".join(f"{_part(values, p):>11}" for p in PARTS) + _share_within(values, within.get(name))
        )
    yield from _tally_lines(ended)


def _part(values: Iterable[int], part: int) -> int:
    found = sorted(values)
    return found[min(len(found) * part // 100, len(found) - 1)]


def _share_within(values: Sequence[int], wanted: range | None) -> str:
    if wanted is None:
        return ""
    share = sum(v in wanted for v in values) / len(values)
    return f"   {share:.1%} within {wanted.start}..{wanted.stop - 1}"


def _tally_lines(courses: Sequence[Course]) -> Iterator[str]:
    taken, points, scorings = (_sum(c, n) for c, n in [(courses, "taken"), (courses, "points"), (courses, "scorings")])
    for group in dict.fromkeys(g for g, _ in [*taken, *points]):
        names = sorted({n for g, n in [*taken, *points] if g == group}, key=lambda n: -taken[group, n])
        total = sum(taken[group, n] for n in names)
        yield ""
        yield f"{group:<30}{'times a game':>14}{'share':>9}{'scored':>9}{'points a game':>15}"
        for name in names:
            times, scored = taken[group, name], scorings[group, name]
            share = f"{times / total:.1%}" if total else ""
            yield (
                f"  {name:<28}{times / len(courses):>14.2f}{share:>9}"
                f"{scored:>9}{points[group, name] / len(courses):>15.1f}"
            )


def _sum(courses: Sequence[Course], name: str) -> Counter[tuple[str, str]]:
    total: Counter[tuple[str, str]] = Counter()
    for course in courses:
        total.update(getattr(course, name))
    return total


# ---- the command ------------------------------------------------------------------------------------

_TABLE: list[Table] = []


def _sit_down(game: str, players: int | None, seats: str) -> None:
    loaded = load(game, players=players)
    names = seats.split(",")
    _TABLE[:] = [Table(loaded, tuple(names[i % len(names)] for i in range(loaded.players)))]


def _play(seed: int) -> Course:
    return _TABLE[0].play(seed)


def play_all(game: str, players: int | None, seats: str, seeds: range, jobs: int) -> list[Course]:
    """The games of these seeds, on so many cores."""
    if jobs == 1:
        _sit_down(game, players, seats)
        return [_play(seed) for seed in seeds]
    context = get_context("spawn")
    start = partial(_sit_down, game, players, seats)
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=start) as pool:
        return list(pool.map(_play, seeds, chunksize=4))


def _wanted(text: str) -> tuple[str, range]:
    found = re.fullmatch(r"([a-z_][a-z0-9_.]*)=(-?\d+)\.\.(-?\d+)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=LOW..HIGH")
    return found[1], range(int(found[2]), int(found[3]) + 1)


def main(argv: Sequence[str] | None = None) -> int:
    """Plays the games and prints the report; status 1 where a game did not end."""
    parser = argparse.ArgumentParser(prog="python -m bench.soundness", description=__doc__.splitlines()[0])
    parser.add_argument("game", metavar="GAME", help="a shipped id, or a folder")
    parser.add_argument("--players", type=int, help="how many play (the lowest number)")
    parser.add_argument("--games", type=int, default=1000, help="how many games (%(default)s)")
    parser.add_argument("--seats", default="greedy", help="kinds of automatic seats, with commas (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first game (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="how many games at once (%(default)s)")
    parser.add_argument("--within", type=_wanted, action="append", default=[], metavar="NAME=LOW..HIGH")
    args = parser.parse_args(argv)
    seeds = range(args.seed, args.seed + args.games)
    courses = play_all(args.game, args.players, args.seats, seeds, args.jobs)
    print("\n".join(lines(courses, dict(args.within))))
    return 0 if all(c.ended for c in courses) else 1


if __name__ == "__main__":
    sys.exit(main())
