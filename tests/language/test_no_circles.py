"""What a check makes goes as soon as nobody needs it: no circle of it waits until Python looks for circles."""

from __future__ import annotations

import gc
from collections import Counter

import pytest

from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.source.memory import seldom_collected
from rulespec.source.shipped import games

#: One that computes tables and passes what may be none on, and one with conditions that turn true.
GAMES = ["agora_barcelona", pytest.param("metro", marks=pytest.mark.long)]


@pytest.mark.parametrize("name", GAMES)
def test_a_check_leaves_no_circles(name: str) -> None:
    flags = gc.get_debug()
    _check(name)  # what is made once for the process
    gc.collect()
    gc.disable()
    try:
        _check(name)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = Counter(type(each).__name__ for each in gc.garbage if type(each).__module__.startswith("rulespec"))
        gc.garbage.clear()
    finally:
        gc.set_debug(flags)
        gc.enable()
    assert not left


def test_what_a_check_made_is_not_looked_through_as_it_ends() -> None:
    with seldom_collected():
        made: list[list[int]] = [[number] for number in range(5_000)]
    old = {id(each) for each in gc.get_objects(generation=2)}  # what was looked through once is in none before
    assert old.issuperset(map(id, made))


def _check(name: str) -> None:
    problems = Problems()
    source = read_game(str(games()[name]), problems)
    assert source is not None
    check_game(source, [], problems)
    assert not problems.has_errors
