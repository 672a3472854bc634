"""Both executors play the same games: the same options in the same order, the same bytes after every choice.

A quick sample of what `python -m bench.differential` does for longer.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from bench.differential import Difference, Pair, Setting, Tally, follow, settings, shrink, visit
from bench.differential import replay as again
from interpreter import Game, load
from interpreter.by_reference import ByReference
from interpreter.middle.facts import Facts
from interpreter.native.executor import Native
from rulespec.source.shipped import games
from tests.engine.small import folder_of, names, small
from tests.lengths import long_where
from tests.shipped import every_setting

DECISIONS = 120
SAMPLE = random.Random(1).sample(every_setting(), 10)


def same(game: Game, seed: int, most: int = DECISIONS) -> int:
    """How many decisions were the same."""
    assert game.native is not None, game.native_refused
    pair = Pair(game, game.native)
    found = follow(pair, seed, most)
    assert not isinstance(found, Difference), found
    assert pair.gave_up == {}
    return found


@pytest.mark.parametrize("name", list(games()))
def test_shipped_games(name: str) -> None:
    assert same(load(name), 1) > 4


@pytest.mark.long
@pytest.mark.parametrize("setting", SAMPLE, ids=str)
def test_some_options_and_variants(setting: Setting) -> None:
    tally = Tally()
    assert visit(setting, range(1), float("inf"), tally) is None
    assert not tally.not_compiled


@pytest.mark.long
@pytest.mark.parametrize("name", names())
def test_small_games_with_all_options(name: str) -> None:
    """They hold whatever the shipped games use seldom."""
    tally = Tally()
    for setting in settings([str(folder_of(name))]):
        assert visit(setting, range(2), float("inf"), tally) is None
    assert not tally.not_compiled
    assert tally.games


@pytest.mark.parametrize("name", names())
def test_small_games(name: str) -> None:
    for seed in range(3):
        same(small(name), seed, 60)


@pytest.mark.parametrize("task", ["bids", "taking", "drawing", "lots"])
def test_what_is_hidden(task: str) -> None:
    """Pieces that are chosen by their backs come in the order of the backs, and chance picks one."""
    game = small("secrets", task=task)
    for seed in range(6):
        same(game, seed, 60)


# ---- the cap of a look-ahead ----------------------------------------------------------------------------------------


CAPS = list(product(("market", "bags", "yard"), (1, 2, 5, 20)))


@pytest.mark.parametrize(("name", "cap"), long_where(lambda name, cap: name == "market" and cap != 5, CAPS))
def test_the_same_options_where_the_look_ahead_is_cut_short(name: str, cap: int) -> None:
    """Past the cap an option is offered unexamined: both executors meet it at the same place."""
    _cut_short(load(str(folder_of(name))), cap, range(4))


@pytest.mark.parametrize("cap", [3, 20, 150])
def test_the_same_sets_where_the_look_ahead_is_cut_short(cap: int) -> None:
    """Late in this game pairs of steps are sought of which few leave a position that is allowed."""
    _cut_short(load("agora_barcelona"), cap, range(1))


def cut_short(game: Game, cap: int) -> Pair:
    """Both executors with another cap."""
    game.built = game.built.with_program(replace(game.built.program, look_cap=cap))
    game.facts = Facts(game.built)
    game.machine = ByReference(game.facts)
    return Pair(game, Native(game.built, game.facts, (), cache=False))


def _cut_short(game: Game, cap: int, seeds: range) -> None:
    pair = cut_short(game, cap)
    for seed in seeds:
        found = follow(pair, seed)
        assert not isinstance(found, Difference), found
        assert pair.gave_up == {}


# ---- differences are found and made small ---------------------------------------------------------------------------


def test_a_difference_is_found_and_made_short() -> None:
    """A module that takes the first cell of each line for no part of it: two marks in a row end its game.

    The first player makes two in a row with the third choice at the earliest.
    """
    game, other = load("tic_tac_toe"), load("tic_tac_toe")
    program = other.built.program
    lines = tuple(cells[1:] for cells in program.declared.table("line.cells.items") if isinstance(cells, tuple))
    declared = replace(program.declared, tables={**program.declared.tables, "line.cells.items": lines})
    built = other.built.with_program(replace(program, declared=declared))
    pair = Pair(game, Native(built, other.facts, (), cache=False))
    found = next(f for f in (follow(pair, seed) for seed in range(50)) if isinstance(f, Difference))
    short = shrink(pair, found.seed, found)
    assert short.what.startswith("the states: ")
    assert len(short.choices) == len(short.keys) == 3
    assert short.place == "tic_tac_toe/tic_tac_toe.yaml:24"  # where a cell is chosen
    assert again(pair, short.seed, short.choices[:-1]) is None


BACKS = """\
game: {id: backs, language: 1, title: {en: "Backs"}, players: 2, seats: [ivy, jon]}
enums: {suit: [sun, moon, star]}
pieces:
  card:
    attributes: {worth: 1..3, suit: suit}
    back: [suit]
    rows:
      - {each: suit, worth: 1}
      - {each: suit, worth: 2}
      - {each: suit, worth: 3}
zones:
  deck: {shape: stack, holds: card, front: nobody, back: nobody, start: true}
  player.hand: {shape: pool, holds: card, front: owner, back: all}
  player.row: {shape: stack, holds: card, front: nobody, back: all}
actions:
  steal:
    do:
      - {choose: card, from: me.left.hand}
      - {move: card, to: me.row}
  look:
    do:
      - {choose: card, from: me.left.row}
      - {move: card, to: me.hand}
setup:
  - shuffle: deck
  - for_each: player
    do: [{draw: 4, from: deck, to: player.hand}]
flow:
  - repeat: [{turns: player, do: [{try: [{perform: steal}]}, {try: [{perform: look}]}]}]
    times: 4
"""


def test_cards_are_offered_in_the_order_of_their_backs(tmp_path: Path) -> None:
    """That of the fronts would tell what is hidden: from a hand without order, and from a row with one.

    Four rounds of two players with two choices each, but for the very first look: there is nothing yet to look at.
    """
    (tmp_path / "backs.yaml").write_text(BACKS, encoding="utf-8")
    game = load(str(tmp_path))
    for seed in range(8):
        assert same(game, seed) == 15


LONG_PASS = """
game: {id: long, language: 1, title: {en: Long}, players: 2, seats: [red, blue]}
state: {round: {type: 0..99, start: 0}}
flow:
  - repeat:
      - turns: player
        do:
          - for_each: p
            in: player
            optional: true
            do:
STEPS
      - set: round
        to: round + 1
    until: round >= 3
ranking: [{most: round}]
"""


def test_a_long_unit_inside_a_branch_is_written_whole(tmp_path: Path) -> None:
    """Play may go on behind a unit in a function of its own; inside a branch that does not leave, it does not."""
    steps = "              - {set: round, to: round}\n" * 50
    (tmp_path / "long.yaml").write_text(LONG_PASS.replace("STEPS\n", steps), "utf-8")
    assert same(load(str(tmp_path)), 1) > 3
