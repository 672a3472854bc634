"""What `simulate` adds to playing: random games bare, as counts, with `--detail games`, and with `--detail full`.

    python -m bench.many_games barcelona agora_barcelona --games 300
    python -m bench.many_games barcelona --players 2 --games 6000 --workers 2

In the processor's time of one process, in rounds in turn, the median of them: microseconds a game, of `game.playouts`
and of a process that plays for `simulate`, with counts alone or the line of each record. With `--workers` by the clock,
from the start of the processes to the last record: how much sooner so many are done than one. Then nothing else should.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from interpreter.game import load
from interpreter.simulate.plan import Plan, game_of, with_fingerprints
from interpreter.simulate.playing import count_stretches, play_stretches
from interpreter.simulate.records import to_counts, to_line
from interpreter.simulate.run import simulate
from interpreter.simulate.swift import Counted
from rulespec.source.shipped import games

ROUNDS = 5
STRETCH = 256
FULL_SHARE = 10  #: one game of so many is played with full detail, which takes longer


def main() -> None:
    """Measures what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.many_games", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="GAME", help="games; all shipped ones if none is named")
    parser.add_argument("--players", type=int, help="as many as a game has by itself")
    parser.add_argument("--games", type=int, default=300, help="games of each round")
    parser.add_argument("--workers", type=int, help="how much sooner so many processes are done than one")
    arguments = parser.parse_args()
    for name in arguments.names or games():
        plan = _plan(name, arguments.players, arguments.games)
        print(_workers(plan, arguments.workers) if arguments.workers else _details(plan), flush=True)


def _plan(name: str, players: int | None, amount: int, detail: str = "games") -> Plan:
    game = load(name, players=players)
    plan = Plan(game=name, players=game.players, seats=("random",) * game.players, games=amount, detail=detail)
    return with_fingerprints(plan, game)


def _details(plan: Plan) -> str:
    game, few = game_of(plan, 0), max(1, plan.games // FULL_SHARE)
    full = _plan(plan.game, plan.players, few, "full")
    if game.native is None:
        return f"{plan.game}: {game.native_refused}"
    ways: list[tuple[Callable[[], object], int]] = [
        (lambda: game.playouts(None, plan.games, 0), plan.games),
        (lambda: _count(plan), plan.games),
        (lambda: _play(plan), plan.games),
        (lambda: _play(full), few),
    ]
    took: list[list[float]] = [[] for _ in ways]
    for _ in range(ROUNDS + 1):  # the first round warms up
        for kept, (play, amount) in zip(took, ways, strict=True):
            begun = time.process_time()
            play()
            kept.append((time.process_time() - begun) / amount * 1e6)
    bare, counts, some, all_ = (statistics.median(kept[1:]) for kept in took)
    return (
        f"{plan.game}, {plan.players} seats: bare {bare:,.1f} µs, counts {counts:,.1f} µs ({counts / bare - 1:+.0%}), "
        f"games {some:,.1f} µs ({some / bare - 1:+.0%}), "
        f"full {all_:,.0f} µs"
    )


def _play(plan: Plan) -> None:
    """What a process of `simulate` does."""
    for first in range(0, plan.tasks, STRETCH):
        for records in play_stretches(plan, range(first, min(plan.tasks, first + STRETCH))):
            "\n".join(map(to_line, records))


def _count(plan: Plan) -> None:
    """What it does where no record is kept."""
    for some in count_stretches(plan, range(plan.tasks)):
        if isinstance(some, Counted):
            to_counts(some.first, some.behind, some.counts)


def _workers(plan: Plan, workers: int) -> str:
    alone: list[float] = []
    together: list[float] = []
    for _ in range(3):
        for jobs, kept in ((1, alone), (workers, together)):
            kept.append(simulate(plan, jobs=jobs).seconds)
    one, more = statistics.median(alone), statistics.median(together)
    return f"{plan.game}, {plan.games:,} games: {one:.1f} s by one process, {more:.1f} s by {workers}: {one / more:.2f}"


if __name__ == "__main__":
    main()
