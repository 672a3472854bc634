"""How much a game's scenarios notice: puts small faults into its declarations, one at a time, and runs them.

    python -m bench.mutate tic_tac_toe
    python -m bench.mutate agora_barcelona --jobs 2 --limit 200 --seed 1
    python -m bench.mutate metro --files modules/paris

The files of a game's variants are among its files; a fault in one of them is put before the scenarios in which the
variant is on.

A mutant that does not build is found by the checker and counted apart. One that builds must fail a scenario. Survivors
are listed with file and line; those that cannot be told from the game itself stand in `bench/mutants/GAME.yaml`, or in
a file of the folder `bench/mutants/GAME`, with the reason. The exit status is 1 when a survivor does not stand there,
when less than 90 % are killed, or when the engine itself breaks on a mutant.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import FrameType

from bench.mutants import Mutant, mutants_of, put_in
from interpreter import load
from interpreter.scenarios import Games, Scenario, game_key, run_scenario, scenarios_of
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import GameSource, needed, read_game
from rulespec.lower.context import Parsed
from rulespec.model.world import World
from rulespec.overlay.options import switched_on
from rulespec.source.nodes import Mapping, Scalar, read_yaml
from rulespec.source.nodes import Sequence as List
from rulespec.source.text import SourceFile

#: The least part of the mutants that build which must be killed.
LEAST = 0.9
#: Seconds of the processor for one scenario; a mutant that takes longer counts as killed: it does not end any more.
PATIENCE = 30

KILLED, SURVIVED, INVALID, HUNG, CRASHED = "killed", "survived", "invalid", "hung", "crashed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant. `by` is the scenario that noticed it, the checker's first word, or the crash."""

    number: int
    result: str
    by: str = ""


class Hung(Exception):
    """A mutant takes too long."""


@dataclass(slots=True)
class Bench:
    """One game with its mutants; scenarios that killed much are tried first."""

    source: GameSource
    mutants: tuple[Mutant, ...]
    parsed: Parsed = field(default_factory=Parsed)
    kills: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, game: str) -> Bench:
        """A game by its id or folder. Raises ContentError where its content has errors."""
        problems = Problems()
        source = read_game(game, problems)
        if source is None or problems.has_errors:
            raise ContentError(problems.items)
        _, most = load(game).world.player_range
        worlds = {name: world for name in source.variants if (world := _world_with(game, source, name, most))}
        return cls(source, mutants_of(source, load(game, players=most).world, worlds))

    def judge(self, number: int) -> Verdict:
        """Puts a mutant in and runs the scenarios until one fails."""
        previous = signal.signal(signal.SIGPROF, _too_long)
        try:
            return self._judge(number)
        except Hung:
            return Verdict(number, HUNG)
        except Exception as crash:
            return Verdict(number, CRASHED, f"{type(crash).__name__}: {crash}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, previous)

    def _judge(self, number: int) -> Verdict:
        problems = Problems()
        changed = put_in(self.source, self.mutants[number], problems)
        if problems.has_errors:
            return Verdict(number, INVALID, problems.errors[0].code)
        games = Games(changed, self.parsed)
        for scenario in self._in_order(_about(changed, self.mutants[number].variant)):
            signal.setitimer(signal.ITIMER_PROF, PATIENCE)
            try:
                games.game_of(scenario)
            except ContentError as error:
                return Verdict(number, INVALID, error.problems[0].code)
            if run_scenario(games, scenario):
                self.kills[scenario.name.text] += 1
                return Verdict(number, KILLED, scenario.name.text)
        return Verdict(number, SURVIVED)

    def _in_order(self, scenarios: Sequence[Scenario]) -> list[Scenario]:
        """Game by game, for building one takes longer than its scenarios; those of the most scenarios first."""
        many = Counter(map(game_key, scenarios))
        return sorted(scenarios, key=lambda s: (-many[game_key(s)], repr(game_key(s)), -self.kills[s.name.text]))


def _world_with(game: str, source: GameSource, name: str, most: int) -> World | None:
    """The declarations with a variant and those that it requires; None where it is not for that many, or not alone."""
    found = needed(source, [name])
    for players in (most, None):
        with suppress(ContentError):
            return load(game, players=players, variants=found).world
    return None


def _about(source: GameSource, variant: str | None) -> list[Scenario]:
    """The scenarios that a fault in a variant, or in the game itself, can make a difference to."""
    return [
        scenario
        for scenario in scenarios_of(source)
        if variant is None or variant in (*scenario.variants, *switched_on(source.base, scenario.options))
    ]


def _too_long(number: int, frame: FrameType | None) -> None:
    raise Hung


# ---- many ----------------------------------------------------------------------------------------------


_bench: Bench | None = None


def _begin(game: str) -> None:
    global _bench  # noqa: PLW0603 - each process of the pool holds its own
    _bench = Bench.of(game)


def _judge(number: int) -> Verdict:
    assert _bench is not None
    return _bench.judge(number)


def verdicts(game: str, numbers: Sequence[int], jobs: int) -> Iterator[Verdict]:
    """The verdicts on some mutants, as they come."""
    if jobs < 2:
        yield from map(Bench.of(game).judge, numbers)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), partial(_begin, game)) as pool:
        yield from pool.map(_judge, numbers, chunksize=4)


def chosen(count: int, limit: int | None, seed: int) -> list[int]:
    """The numbers of the mutants to try: all, or a sample that depends on the seed alone."""
    return _sample(list(range(count)), limit, seed)


def _sample(numbers: list[int], limit: int | None, seed: int) -> list[int]:
    if limit is None or limit >= len(numbers):
        return numbers
    return sorted(random.Random(seed).sample(numbers, limit))


# ---- survivors that are known --------------------------------------------------------------------------


def known_survivors(game: str) -> dict[str, str]:
    """The mutants that no scenario can tell from the game, by name, with the reason."""
    folder = Path(__file__).with_name("mutants")
    found: dict[str, str] = {}
    for path in (folder / f"{game}.yaml", *sorted((folder / game).glob("*.yaml"))):
        if path.is_file():
            found |= _survivors_in(path)
    return found


def _survivors_in(path: Path) -> dict[str, str]:
    problems = Problems()
    tree = read_yaml(SourceFile.of(path.name, path.read_text(encoding="utf-8")), problems)
    if tree is None or problems.has_errors:
        raise ContentError(problems.items)
    section = tree.get("equivalent")
    return dict(_entries(section.items if isinstance(section, List) else ()))


def _entries(items: Sequence[object]) -> Iterator[tuple[str, str]]:
    for item in items:
        if isinstance(item, Mapping):
            name, reason = item.get("mutant"), item.get("reason")
            if isinstance(name, Scalar) and isinstance(reason, Scalar):
                yield name.text, reason.text


# ---- report --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a game's mutants."""

    mutants: tuple[Mutant, ...]
    verdicts: tuple[Verdict, ...]
    known: dict[str, str]

    def count(self, *results: str) -> int:
        return sum(1 for verdict in self.verdicts if verdict.result in results)

    @property
    def built(self) -> int:
        return len(self.verdicts) - self.count(INVALID)

    @property
    def rate(self) -> float:
        """The part of the mutants that build which is killed."""
        return self.count(KILLED, HUNG) / self.built if self.built else 1.0

    @property
    def unexplained(self) -> list[Mutant]:
        """Survivors that do not stand in the list of those that must survive."""
        return [m for m in self._with(SURVIVED) if m.name not in self.known]

    @property
    def good(self) -> bool:
        """Whether enough is killed, every survivor is explained, and no fault of content became one of the engine."""
        return self.rate >= LEAST and not self.unexplained and not self.count(CRASHED)

    def _with(self, result: str) -> list[Mutant]:
        return [self.mutants[v.number] for v in self.verdicts if v.result == result]

    def lines(self) -> Iterator[str]:
        """The report as text."""
        yield (
            f"{len(self.verdicts)} mutants: {self.count(KILLED)} killed, {self.count(SURVIVED)} survived, "
            f"{self.count(INVALID)} do not build, {self.count(HUNG)} hung, {self.count(CRASHED)} crashed; "
            f"{self.rate:.1%} of those that build are killed."
        )
        for mutant in self._with(SURVIVED):
            reason = self.known.get(mutant.name, "NOT EXPLAINED")
            yield f"{mutant.span.file.name}:{mutant.span.line}: {mutant.name}: survived ({reason})"
        for verdict in self.verdicts:
            if verdict.result in (HUNG, CRASHED):
                mutant = self.mutants[verdict.number]
                yield f"{mutant.span.file.name}:{mutant.span.line}: {mutant.name}: {verdict.result} {verdict.by}"


def run(game: str, *, limit: int | None = None, seed: int = 0, jobs: int = 1, files: Sequence[str] = ()) -> Report:
    """Tries a game's mutants, or a sample of them: all, or those in files whose names contain one of `files`."""
    mutants = Bench.of(game).mutants
    numbers = _sample([n for n, m in enumerate(mutants) if _is_in(m, files)], limit, seed)
    return Report(mutants, tuple(verdicts(game, numbers, jobs)), known_survivors(game))


def _is_in(mutant: Mutant, files: Sequence[str]) -> bool:
    return not files or any(part in mutant.span.file.name for part in files)


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", metavar="GAME", help="a shipped game's id, or a game's folder")
    parser.add_argument("--limit", type=int, metavar="N", help="try a sample of N mutants")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which sample (0)")
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="processes at once (1)")
    parser.add_argument("--files", nargs="+", default=(), metavar="PART", help="only files with this in their names")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    arguments = parser.parse_args(argv)
    files = arguments.files
    if arguments.list:
        for mutant in Bench.of(arguments.game).mutants:
            if _is_in(mutant, files):
                print(f"{mutant.span.file.name}:{mutant.span.line}: {mutant.name}")
        return 0
    report = run(arguments.game, limit=arguments.limit, seed=arguments.seed, jobs=arguments.jobs, files=files)
    for line in report.lines():
        print(line)
    return 0 if report.good else 1


if __name__ == "__main__":
    sys.exit(main())
