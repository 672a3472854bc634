"""The hand-written games, compared with the plainest possible reading of the rules."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def load(name: str) -> ModuleType:
    """A module of this folder by its file, so that no package is needed."""
    spec = importlib.util.spec_from_file_location(f"bench_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


tic_tac_toe = load("tic_tac_toe")
agora = load("agora_barcelona")


def legal_pairs(table: Any, candidates: list[int]) -> set[tuple[int, int]]:
    """All unordered pairs of moves, tried out one by one on copies of the board."""
    found = set()
    for i, first in enumerate(candidates):
        for second in candidates[i:]:
            rows = [list(row) for row in table.rows]
            standing = list(table.standing)
            for hop in (first, second):
                home, colour, goal = table.hop[hop]
                standing[home * table.players + colour] -= 1
                rows[home][colour] -= 1
                rows[goal][colour] += 1
            if min(standing) >= 0 and not any(map(agora.tied, rows)):
                found.add((first, second))
    return found


def random_table(rand: random.Random, players: int) -> Any:
    """A board without ties, with a few standing and lying walkers."""
    table = agora.Table(players, [[] for _ in range(players)], ([], []), 0)
    for district in range(10):
        while True:
            row = [rand.choice((0, 0, 0, 1, 2, 3)) for _ in range(players)]
            if not agora.tied(row):
                break
        table.rows[district] = row
        for colour, count in enumerate(row):
            table.standing[district * players + colour] = rand.randint(0, count)
        table.note(district)
    return table


@pytest.mark.parametrize("players", [3, 4, 5])
def test_pairs_of_moves_are_those_found_by_trying_all(players: int) -> None:
    rand = random.Random(players)
    for number in range(25):
        table = random_table(rand, players)
        candidates = table.movable(0 if number % 5 == 0 else None)
        pairs = legal_pairs(table, candidates)
        firsts = table.firsts(candidates)
        assert firsts == sorted({first for first, _ in pairs})
        for at, first in enumerate(candidates):
            seconds = table.seconds(first, candidates, at, len(candidates))
            assert {(first, second) for second in seconds} == {pair for pair in pairs if pair[0] == first}


@pytest.mark.parametrize(("players", "passes"), [(3, 14), (4, 11), (5, 9)])
def test_every_round_has_its_decisions(players: int, passes: int) -> None:
    asked: list[str] = []

    def choose(seat: int, action: str, options: list[int]) -> int:
        asked.append(action)
        assert options == sorted(set(options))
        return options[-1]

    rounds = agora.ROUNDS[players]
    scores = agora.play(agora.set_up(random.Random(1), players), choose, lambda cards: cards[0])
    assert sum(scores) <= sum(agora.VALUES) == 76
    assert asked.count("pass_fountain") == passes
    assert asked.count("play_card") + asked.count("discard_card") == rounds * players == agora.IN_PLAY[players]
    assert asked.count("take_card") == asked.count("draw_card") == (rounds - 5) * players


def test_one_seed_gives_one_game() -> None:
    assert agora.playout_counted(7, 4) == agora.playout_counted(7, 4)
    assert len({agora.playout(seed, 4) for seed in range(10)}) > 5


def test_tic_tac_toe_ends_as_it_should() -> None:
    assert tic_tac_toe.replay([0, 3, 1, 4, 2])[1] == (1, 0)
    assert tic_tac_toe.replay([0, 2, 3, 5, 7, 8])[1] == (0, 1)
    assert tic_tac_toe.replay([0, 1, 2, 4, 3, 5, 7, 6, 8])[1] == (0, 0)
    assert tic_tac_toe.replay([4, 0])[1] is None
    assert tic_tac_toe.replay([4, 0, 8])[0][2] == [1, 2, 3, 5, 6, 7, 8]


def test_cross_wins_about_twice_as_often_at_random() -> None:
    """Known for uniformly random play: 58.5 %, 28.8 %, 12.7 %."""
    games = [tic_tac_toe.playout(seed, 2) for seed in range(4000)]
    assert 0.55 < games.count((1, 0)) / 4000 < 0.62
    assert 0.26 < games.count((0, 1)) / 4000 < 0.32
