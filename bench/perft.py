"""How many sequences of so many turns a game has: known of many games, so that every rule of moving is tried by it.

    python -m bench.perft english_draughts --depth 7
    python -m bench.perft chess --scenario few_pieces --depth 3
    python -m bench.perft chess --known

A turn is all that one player decides before another one decides or the game ends: captures that go on are one turn.
Two turns of one player that come one after the other, since the others pass, count as one.

The name is that of chess programs ("performance test"); their tables of counts are what is compared with. Those that
are known stand in `bench/perft.yaml`, each with its source; `--known` counts them all again, and ends with exit status
1 where a count is another one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from interpreter import State, load
from interpreter.scenarios import Games, scenarios_of
from interpreter.scenarios.position import begin
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game

START = "start"  #: of a game, among the names of scenarios


def turns(state: State, depth: int) -> int:
    """How many sequences of `depth` turns lead on from a position; none of those in which the game ends before."""
    if depth == 0:
        return 1
    if state.decision is None:
        return 0
    player = state.decision.player
    return sum(_gone_on(state.apply(option), player, depth) for option in state.options())


def _gone_on(state: State, player: int, depth: int) -> int:
    """The same after a decision of this player, whose turn may not be over."""
    if state.decision is None or state.decision.player != player:
        return turns(state, depth - 1)
    return sum(_gone_on(state.apply(option), player, depth) for option in state.options())


def known() -> dict[str, dict[str, list[int]]]:
    """The counts that are known: by game, and by the position that they are of."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return {game: {name: v for name, v in given.items() if name != "source"} for game, given in found.items()}


def position(game: str, name: str) -> State:
    """The start of a game, or the position in which one of its scenarios begins."""
    if name == START:
        return load(game).start(0)
    problems = Problems()
    source = read_game(game, problems)
    scenario = None if source is None else next((s for s in scenarios_of(source) if s.name.text == name), None)
    if source is None or scenario is None:
        raise SystemExit(f"{game} has no scenario {name}.")
    state = begin(Games(source).game_of(scenario), scenario, problems)
    if state is None:
        raise SystemExit(f"{game}: the scenario {name} cannot begin.")
    return state


def _counted(game: str, name: str, depths: range) -> Iterator[int]:
    """Prints the count of each depth, with the seconds of the processor that it took."""
    start = position(game, name)
    for depth in depths:
        before = time.process_time()
        found = turns(start, depth)
        print(f"{depth}: {found:,}  ({time.process_time() - before:.1f} s)", flush=True)
        yield found


def _again(game: str) -> int:
    """Counts again what is known of a game."""
    differ = 0
    for name, counts in known().get(game, {}).items():
        print(name)
        found = list(_counted(game, name, range(1, len(counts) + 1)))
        if found != counts:
            differ += 1
            print(f"known is: {counts}")
    return int(differ > 0)


def main(argv: Sequence[str] | None = None) -> int:
    """Counts turns, or compares all that is known."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("game", help="a shipped game's id, or a game's folder")
    parser.add_argument("--depth", type=int, default=4, help="the highest number of turns (4)")
    parser.add_argument("--scenario", default=START, help="begin where this scenario of the game begins")
    parser.add_argument("--known", action="store_true", help="count again what bench/perft.yaml knows of the game")
    given = parser.parse_args(argv)
    if given.known:
        return _again(given.game)
    list(_counted(given.game, given.scenario, range(1, given.depth + 1)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
