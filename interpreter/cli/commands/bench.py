"""Measure how fast games are played: random playouts through the public interface, options chosen evenly.

Per game: playouts and decisions per second of the processor's time, median and 99th percentile of `options()` and
`apply`, bytes per state and the time to load. `--beside FILE` runs a hand-written `playout(seed, players)` out of that
Python file in turn with the interpreter's, in rounds, and compares the medians. The file is run: use only one that you
trust.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import statistics
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from interpreter.bounds import MOST_SECONDS, clocked, in_time, not_over
from interpreter.cli.arguments import add_bounds, player_count
from interpreter.cli.common import UsageError, add_cache
from interpreter.cli.progress import Progress, progress
from interpreter.cli.seen_again import with_way_back
from rulespec.diagnostics.model import ContentError

if TYPE_CHECKING:
    from interpreter.game import Game

Playout = Callable[[int, int], Any]

#: After so many games in which nothing is asked, no question is waited for any more.
MOST_SILENT: Final = 20

#: Rounds in which both versions run in turn; the medians of the rounds are compared.
ROUNDS: Final = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Games and how they are measured."""
    parser.add_argument("games", metavar="GAME", nargs="*", help="shipped games' ids, or games' folders; all shipped")
    parser.add_argument(
        "--executor",
        choices=("any", "native", "reference"),
        default="any",
        help="native: whole games; reference: the plain evaluator; any (default): step by step, by whoever is to play",
    )
    parser.add_argument("--beside", metavar="FILE", help="a Python file with a hand-written `playout(seed, players)`")
    parser.add_argument("--players", type=player_count, metavar="N", help="how many play; the fewest when left out")
    parser.add_argument("--seconds", type=float, metavar="S", default=5.0, help="time for each game; 5 when left out")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")
    add_bounds(parser)
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    from rulespec.source.shipped import games

    if not 0 < arguments.seconds <= 3600:
        raise UsageError("--seconds takes a number of seconds, at most 3600.")
    names = arguments.games or list(games())
    if arguments.beside is not None and len(names) != 1:
        raise UsageError("--beside needs one GAME.")
    beside = None if arguments.beside is None else _hand_written(Path(arguments.beside))
    with progress() as line:
        found = [_measure(name, arguments, beside, line) for name in names]
    if arguments.format == "json":
        print(json.dumps({"executor": arguments.executor, "games": found}, indent=2))
    else:
        for measured in found:
            _print(measured)
    return 0


def _hand_written(path: Path) -> Playout:
    """The function `playout` of a Python file. Raises UsageError where there is none."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("beside", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise UsageError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    with _faults_of(path):
        spec.loader.exec_module(module)
    playout = getattr(module, "playout", None)
    if not callable(playout):
        raise UsageError(f"{path} has no function `playout(seed, players)`.")
    return playout  # type: ignore[no-any-return]


@contextmanager
def _faults_of(path: Path) -> Iterator[None]:
    """Whatever goes wrong in a hand-written file is told in a line: it is not a fault of this program."""
    try:
        yield
    except Exception as fault:
        steps = [step for step in traceback.extract_tb(fault.__traceback__) if Path(step.filename).name == path.name]
        line = f", line {steps[-1].lineno}" if steps else ""
        raise UsageError(f"{path}{line}: {type(fault).__name__}: {fault}") from fault


# ---- measuring -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Most:
    """When a game is left: after so many decisions, or seconds."""

    decisions: int
    seconds: float


@dataclass(slots=True)
class _Round:
    """Playouts in a stretch of time."""

    playouts: int = 0
    decisions: int = 0
    seconds: float = 0.0

    @property
    def per_second(self) -> float:
        return self.playouts / self.seconds


def _measure(name: str, arguments: argparse.Namespace, beside: Playout | None, line: Progress) -> dict[str, Any]:
    from interpreter.game import load

    begun = time.perf_counter()
    game = load(name, players=arguments.players)
    loading = time.perf_counter() - begun
    share = arguments.seconds / ROUNDS / (1 if beside is None else 2)
    rounds, others = [], []
    native = arguments.executor == "native"
    if native and game.native is None:
        raise UsageError(f"{game.id} has no native executor: {game.native_refused}.")
    if arguments.executor == "reference":
        game.play_by("reference")
    most = _Most(arguments.most_decisions, arguments.most_seconds or MOST_SECONDS)
    for number in range(ROUNDS):
        line.show(f"{game.id}: round {number + 1} of {ROUNDS}")
        if native:
            rounds.append(_natively(game, share, number, most))
        else:
            rounds.append(_for(share, lambda seed: _playout(game, seed, most), number))
        if beside is not None:
            with _faults_of(Path(arguments.beside)):
                others.append(_for(share, lambda seed: _counted(beside, seed, game.players), number))
    found: dict[str, Any] = {
        "game": game.id,
        "players": game.players,
        "load_ms": round(loading * 1000, 1),
        "playouts_per_second": round(statistics.median(r.per_second for r in rounds), 1),
        "decisions_per_second": round(statistics.median(r.decisions / r.seconds for r in rounds), 1),
        "state_bytes": len(game.start(0).to_bytes()),
        **_latencies(game, min(arguments.seconds / 2, 5.0), most),
    }
    if others:
        found["beside_playouts_per_second"] = round(statistics.median(r.per_second for r in others), 1)
        ratios = [own.per_second / other.per_second for own, other in zip(rounds, others, strict=True)]
        found["ratio"] = round(statistics.median(ratios), 4)
    return found


def _for(seconds: float, playout: Callable[[int], int], number: int) -> _Round:
    """Playouts with seeds of their own until the time is up; at least one."""
    found, begun = _Round(), time.process_time()
    while found.seconds < seconds or not found.playouts:
        found.decisions += playout(number * 1_000_000 + found.playouts)
        found.playouts += 1
        found.seconds = time.process_time() - begun
    return found


def _natively(game: Game, seconds: float, number: int, most: _Most) -> _Round:
    """As `_for`, many games at once."""
    from interpreter.playouts import play_out

    found, amount, begun = _Round(), 1, time.process_time()
    while found.seconds < seconds or not found.playouts:
        first = number * 1_000_000_000 + found.playouts
        with _seen_again(game, first), clocked(most.seconds * amount):
            played = play_out(game, None, amount, first)
        endless = next((at for at, decisions in enumerate(played.decisions) if decisions >= most.decisions), None)
        if endless is not None:
            _playout(game, first + endless, most)  # step by step, which says where
        found.decisions += sum(played.decisions)
        found.playouts += len(played)
        found.seconds = time.process_time() - begun
        amount = min(2 * amount, 8_192) if found.seconds < seconds / 8 else amount
    return found


def _playout(game: Game, seed: int, most: _Most) -> int:
    """One random game through the public interface; how many decisions it took. Raises ContentError."""
    rand = random.Random(seed).random  # noqa: S311 - measuring, not secrets
    count = 0
    with _seen_again(game, seed), clocked(most.seconds):
        state = game.start(seed)
        while state.decision is not None:
            if count == most.decisions:
                raise not_over(state, count)
            in_time(state)
            options = state.options()
            state = state.apply(options[int(rand() * len(options))])
            count += 1
    return count


@contextmanager
def _seen_again(game: Game, seed: int) -> Iterator[None]:
    """A fault of the content that comes up is told with the seed, and with what looks for such games."""
    try:
        yield
    except ContentError as fault:
        command = f"rulespec simulate {shlex.quote(str(game.source.folder))} --players {game.players} --games 1000"
        words = f"It came up with the seed {seed}; `{command}` looks for such games, and says how to see one."
        raise with_way_back(fault, words) from None


def _counted(playout: Playout, seed: int, players: int) -> int:
    playout(seed, players)
    return 0


def _latencies(game: Game, seconds: float, most: _Most) -> dict[str, float]:
    """Microseconds of single calls; `apply` finds the next options too, which `options` then has."""
    asked: list[int] = []
    applied: list[int] = []
    begun, seed = time.perf_counter(), 0
    last = begun + max(seconds, most.seconds)
    while time.perf_counter() - begun < seconds or (not asked and seed < MOST_SILENT):
        rand = random.Random(seed).random  # noqa: S311
        state, seed, count = game.start(seed), seed + 1, 0
        while state.decision is not None and count < most.decisions and not (asked and time.perf_counter() > last):
            count += 1
            start = time.perf_counter_ns()
            options = state.options()
            middle = time.perf_counter_ns()
            option = options[int(rand() * len(options))]
            before = time.perf_counter_ns()
            state = state.apply(option)
            asked.append(middle - start)
            applied.append(time.perf_counter_ns() - before)
    return {**_quantiles("options", asked), **_quantiles("apply", applied)}


def _quantiles(name: str, times: Sequence[int]) -> dict[str, float]:
    ordered = sorted(times) or [0]  # a game may ask nothing
    at = min(len(ordered) - 1, int(len(ordered) * 0.99))
    return {
        f"{name}_median_us": round(ordered[len(ordered) // 2] / 1000, 2),
        f"{name}_p99_us": round(ordered[at] / 1000, 2),
    }


def _print(measured: dict[str, Any]) -> None:
    print(f"{measured['game']}, {measured['players']} players")
    print(f"  {measured['playouts_per_second']:>12,} playouts/s   {measured['decisions_per_second']:,} decisions/s")
    for name in ("options", "apply"):
        median, last = measured[f"{name}_median_us"], measured[f"{name}_p99_us"]
        print(f"  {name:<8} {median:>12,} µs median   {last:,} µs 99th percentile")
    print(f"  {measured['state_bytes']:>12,} bytes per state   loaded in {measured['load_ms']:,} ms")
    if "ratio" in measured:
        other = measured["beside_playouts_per_second"]
        print(f"  {other:>12,} playouts/s by hand   {measured['ratio']:.1%} of its speed")
