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
connect_four = load("connect_four")
metro = load("metro")


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
        assert firsts == sorted({hop for pair in pairs for hop in pair})
        for first in candidates:
            seconds = table.seconds(first, candidates, len(candidates))
            assert {tuple(sorted((first, second))) for second in seconds} == {pair for pair in pairs if first in pair}


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


#: A full board with known figures: tile, row and column, in order of play. The last line of a station by one tile is
#: forced: at that time the tile can go nowhere else.
METRO_BOARD = (
    "cccc76dddd66bcbc56acba75aacb67cbaa07aaaa20badb27ddbc65cbcb50dada64bcbc51aaaa37acba54aacb74acba01bbbb47accd21baac63"
    "ccda36dbcd62dbcd35adbb31bbad57ccda61cbcb72baac26bcdd04dddd45cdac53dbba16cdac11badb52cbcb32bbad42baac46aaaa00cddb15"
    "aacb03dbba17cccc55ddbc71aacb06dada13cbaa30baac12bcbc02adbb22dacc25bbbb41adad73dacc23cbaa70aaaa40cbaa14cddb60bcdd24"
    "adad05accd77acba10"
)
METRO_CROSSINGS = [
    4, 4, 2, 6, 3, 14, 4, 4, 3, 2, 20, 7, 2, 3, 19, 2, 1, 16, 6, 3, 3, 3, 2, 3, 2, 11, 5, 6, 7, 3, 11, 8,
]  # fmt: skip
METRO_SCORES = {
    2: [108, 95],
    3: [98, 50, 52],
    4: [50, 69, 49, 35],
    5: [21, 52, 40, 29, 58],
    6: [20, 49, 30, 61, 12, 28],
}


def metro_lines() -> tuple[Any, dict[int, int]]:
    """The full board, and what each line pays by its first entry, at a station or at the centre."""
    board, paid = metro.Board(), dict[int, int]()
    for at in range(0, len(METRO_BOARD), 6):
        tile = metro.TILES.index(METRO_BOARD[at : at + 4])
        square = metro.SQUARE[int(METRO_BOARD[at + 4]), int(METRO_BOARD[at + 5])]
        assert square in board.squares(tile)
        for entry, points in board.lay(tile, square):
            if entry in metro.STARTS + metro.CENTRAL_STARTS:
                assert entry not in paid
                paid[entry] = points
    return board, paid


def test_metro_pays_what_is_known_of_a_full_board() -> None:
    board, paid = metro_lines()
    crossings = [board.crossings[entry] for entry in metro.STARTS]
    assert crossings == METRO_CROSSINGS
    doubled = [number for number, entry in enumerate(metro.STARTS, 1) if paid[entry] != board.crossings[entry]]
    assert doubled == [21, 31]
    assert all(paid[metro.STARTS[number - 1]] == 2 * METRO_CROSSINGS[number - 1] for number in doubled)
    assert [board.crossings[entry] for entry in metro.CENTRAL_STARTS] == [5, 1, 1, 1, 15, 5, 7, 2]
    assert 240 - sum(board.crossings[entry] for entry in (*metro.STARTS, *metro.CENTRAL_STARTS)) == 14
    assert len(paid) == 40
    assert board.legal == []


@pytest.mark.parametrize("players", METRO_SCORES)
def test_metro_scores_of_a_full_board(players: int) -> None:
    _, paid = metro_lines()
    owner = metro.owners(players)
    assert [sum(p for e, p in paid.items() if owner[e] == seat) for seat in range(players)] == METRO_SCORES[players]


def traced(laid: dict[int, int], start: int) -> tuple[int, int]:
    """A line followed tile by tile: how many, and where it comes out, an entry of a free square or an end."""
    at, crossings = start, 0
    while at < metro.ENTRIES and at // 4 in laid:
        at = dict(metro.LINKS[laid[at // 4]][at // 4])[at]
        crossings += 1
    return crossings, at


def ban_kept(tile: int, square: int) -> bool:
    """The ban by its own words: no station's line may come to another station by this tile alone."""
    ends = [traced({square: tile}, entry)[1] for entry in metro.STARTS if entry // 4 == square]
    return not any(metro.ENTRIES <= end < metro.CENTRE for end in ends)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_metro_offers_and_pays_what_a_look_at_the_whole_board_finds(players: int) -> None:
    """At every decision the squares are those found by asking each one; lines are followed from each station."""
    rand = random.Random(players)
    laid, finished, scores, tiles = dict[int, int](), set[int](), [0] * players, list[int]()
    tower, owner = list(metro.DECK), metro.owners(players)
    rand.shuffle(tower)
    hands = [tower.pop() for _ in range(players)]
    holding, before = list(hands), list(tower)

    def choose(seat: int, action: str, options: list[int]) -> int:
        chosen = rand.choice(options)
        if action == metro.PLAN:
            assert options == ([0, 1] if before else [0])
            if chosen == metro.IN_HAND:
                tiles.append(holding[seat])
                holding[seat] = before.pop() if before else -1
            else:
                tiles.append(before.pop())
            return chosen
        tile = tiles[-1]
        near = {other for square in laid for other in beside(square)}
        free = [s for s in range(60) if s not in laid and (s in metro.RIM or s in near)]
        assert sorted(options) == ([s for s in free if ban_kept(tile, s)] or free)
        laid[chosen] = tile
        for entry in metro.STARTS:
            crossings, end = traced(laid, entry)
            if end >= metro.ENTRIES and entry not in finished:
                finished.add(entry)
                if owner[entry] >= 0:
                    scores[owner[entry]] += crossings * (2 if end >= metro.CENTRE else 1)
        return chosen

    assert metro.play(tower, hands, 0, choose) == scores
    assert sorted(tiles) == sorted(metro.DECK)
    assert len(finished) == 32


def beside(square: int) -> list[int]:
    """The squares that have an edge in common with this one."""
    row, col = metro.PLACES[square]
    places = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return [metro.SQUARE[place] for place in places if place in metro.SQUARE]


def test_connect_four_ends_as_it_should() -> None:
    assert connect_four.replay([0, 1, 0, 1, 0, 1, 0])[1] == (1, 0)
    assert connect_four.replay([6, 0, 0, 1, 1, 2, 2, 3])[1] == (0, 1)
    assert connect_four.replay([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3])[1] == (1, 0)  # a rising diagonal
    assert connect_four.replay([3, 2, 2, 1, 1, 0, 1, 0, 0, 6, 0])[1] == (1, 0)  # a falling one
    assert connect_four.replay([0, 1, 2])[1] is None
    assert connect_four.replay([0, 0, 0, 0, 0, 0, 1])[0][-1] == [6, 12, 18, 24, 30, 36]  # column 0 is full


def test_a_full_rack_without_four_in_a_row_is_a_draw() -> None:
    """Each column alternates; the bottom row is YYYRRRY, so that diagonals alternate too, or change within four."""
    moves = [0] * 6 + [1] * 6 + [2] * 6 + [6] + [3] * 6 + [4] * 6 + [5] * 6 + [6] * 5
    assert connect_four.replay(moves[:-1])[1] is None
    assert connect_four.replay(moves)[1] == (0, 0)
    assert len(connect_four.LINES) == 24 + 21 + 12 + 12


def test_yellow_wins_more_often_at_random() -> None:
    """Known for uniformly random play: about 55.6 %, 44.2 %, 0.25 %."""
    games = [connect_four.playout(seed, 2) for seed in range(4000)]
    assert 0.53 < games.count((1, 0)) / 4000 < 0.58
    assert 0.42 < games.count((0, 1)) / 4000 < 0.47
