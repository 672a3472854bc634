"""A set-up is done in full: what asks for too much is a fault at its place, unless the content says what then.

There are twelve seeds in a bag, six pits, a display for at most twenty and a shelf for at most five.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, load
from rulespec.check import check_game
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import read_game
from rulespec.lint.rehearsal import Rehearsal
from tests.engine.small import names, small
from tests.engine.walks import quick_settings, settings
from tests.lengths import long_where

GAME = """\
game: {id: short, language: 1, title: {en: "Short"}, players: 2, seats: [red, green]}
boards:
  land:
    pit: {for: {player: player, x: 0..2}}
pieces:
  seed: {count: 12}
  card: {count: 1, per: player, faces: [up, down]}
zones:
  pit.seeds: {shape: pool, holds: seed}
  bag: {shape: pool, holds: seed, start: true}
  spare: {shape: stack, holds: seed}
  heap: {shape: stack, holds: seed, renew: spare}
  display: {shape: pool, holds: seed, up_to: 20}
  shelf: {shape: pool, holds: seed, up_to: 5}
  stock: {shape: stack, holds: card, start: true}
  table: {shape: stack, holds: card}
state:
  player.coins: {type: 0..9, start: 3}
  player.wood: {type: 1..9, start: 2}
effects:
  deal:
    params: {amount: 1..20}
    do:
      - draw: amount
        from: bag
        to: display
  all_or_some:
    do:
      - try: [{perform: deal(14)}]
  pay_much:
    do:
      - pay: {coins: 4}
  pay_both:
    params: {wood: 0..9}
    do:
      - pay: {coins: 3, wood: wood}
actions:
  take_one:
    do:
      - move: heap.top
        to: display
"""
FLOW = """
flow:
  - turns: [red, green]
    do:
      - choose: pit
      - perform: deal(7)
"""

#: Steps of a set-up, what is said of them, and the text at whose line it is said.
SHORT = {
    "take": ("- for_each: pit\n  do: [{move: 'take(4, bag)', to: pit.seeds}]", "RS805", "a piece is not", "take(4"),
    "one by one": ("- for_each: i\n  in: 1..13\n  do: [{move: bag.any, to: display}]", "RS805", "a piece", "bag.any"),
    "draw": ("- draw: 14\n  from: bag\n  to: display", "RS805", "14 are to be drawn, and 12 can be", "draw: 14"),
    "draw to little room": ("- draw: 6\n  from: bag\n  to: shelf", "RS805", "6 are to be drawn, and 5", "draw: 6"),
    "draw from what is renewed": (
        "- draw: 4\n  from: bag\n  to: spare\n- draw: 5\n  from: heap\n  to: shelf",
        "RS805", "5 are to be drawn, and 4 can be", "draw: 5",
    ),
    "refill": ("- refill: display\n  from: bag", "RS805", "20 are to be drawn, and 12 can be", "refill"),
    "deal": ("- perform: deal(14)", "RS805", "14 are to be drawn, and 12 can be", "draw: amount"),
    "move to little room": ("- move: bag\n  to: shelf", "RS805", "a piece is not there, or has no room", "move: bag\n"),
    "nothing to move": ("- move: heap.top\n  to: display", "RS805", "a piece is not there", "- move: heap.top"),
    "an action": ("- perform: take_one", "RS805", "a piece is not there", "- move: heap.top"),
    "nothing to choose": (
        "- choose: s\n  from: heap\n  who: chance\n- move: s\n  to: display",
        "RS805", "there is nothing to choose", "choose: s",
    ),
    "a set": ("- choose: sites\n  from: pit\n  exactly: 7\n  who: chance", "RS804", "Exactly 7", "choose: sites"),
    "what is false": ("- require: spare.count > 0", "RS805", "what must be true is false", "require"),
    "what is too dear": ("- as: green\n  do: [{perform: pay_much}]", "RS805", "too little to pay with", "pay:"),
    "what is too dear of several": (
        "- as: green\n  do: [{perform: pay_both(2)}]", "RS805", "too little to pay with", "pay: {coins: 3",
    ),
    "a condition in front of a payment": (
        "- as: green\n  do: [{require: me.coins > 3}, {pay: {coins: 1, wood: 1}}]",
        "RS805", "what must be true is false", "require",
    ),
    "the second time": ("- perform: deal(7)\n- perform: deal(7)", "RS805", "7 are to be drawn, and 5", "draw: amount"),
    "the other way of a try": (
        "- try: [{move: heap.top, to: display}]\n  else:\n    - draw: 13\n      from: bag\n      to: display",
        "RS805", "13 are to be drawn, and 12 can be", "draw: 13",
    ),
}  # fmt: skip

#: Set-ups that say what is done where there are too few, and how many seeds lie in the display then.
ENOUGH = {
    "just enough": ("- draw: 12\n  from: bag\n  to: display", 12),
    "as many as there are": ("- draw: min(14, bag.count)\n  from: bag\n  to: display", 12),
    "a refill as far as it goes": ("- try: [{refill: display, from: bag}]", 12),
    "an effect as far as it goes": ("- perform: all_or_some", 12),
    "nothing instead": ("- try: [{move: 'take(14, bag)', to: display}]", 0),
    "something else instead": (
        "- try: [{move: 'take(14, bag)', to: display}]\n  else: [{move: 'take(3, bag)', to: display}]",
        3,
    ),
    "means for all that is to be paid": ("- as: green\n  do: [{perform: pay_both(1)}]", 0),
    "less than nothing is paid, up to the end of the range": (
        "- as: green\n  do: [{pay: {coins: me.coins - 11}}, {require: me.coins == 9}]",
        0,
    ),
    "a piece with its other face up": (
        "- move: stock\n  to: table\n  face: down\n- require: card(red) in table\n- require: card(green) in table",
        0,
    ),
    "only where there is one": ("- if: exists heap.top\n  then: [{move: heap.top, to: display}]", 0),
}


def game_of(steps: str, folder: Path) -> tuple[Game, str]:
    """The game with a set-up, and its text."""
    text = GAME + "setup:\n" + "".join(f"  {line}\n" for line in steps.splitlines()) + FLOW
    (folder / "short.yaml").write_text(text, encoding="utf-8")
    return load(str(folder)), text


@pytest.mark.parametrize("name", SHORT)
def test_a_shortage_is_told_by_all_executors(name: str, tmp_path: Path) -> None:
    steps, code, said, at = SHORT[name]
    game, text = game_of(steps, tmp_path)
    line = text[: text.rindex(at) if at in steps else text.index(at)].count("\n") + 1
    plain = load(str(tmp_path), executor="reference")
    for begin in (lambda: game.start(0), lambda: game.playouts(None, 1, 0), lambda: plain.start(0)):
        with pytest.raises(ContentError) as caught:
            begin()
        [problem] = caught.value.problems
        assert (problem.code, problem.span.line) == (code, line)
        assert said in problem.message


@pytest.mark.parametrize("name", ENOUGH)
def test_what_says_how_many_are_meant_is_played(name: str, tmp_path: Path) -> None:
    steps, shown = ENOUGH[name]
    game, _ = game_of(steps, tmp_path)
    state = game.start(0)
    assert state.cells  # the set-up is done
    assert len(game.facts.pieces.content(state.cells, game.world.zones["display"].first)) == shown
    assert game.playouts(None, 1, 0).decisions.tolist() == [2]


def test_a_draw_in_play_takes_as_many_as_there_are(tmp_path: Path) -> None:
    """Two turns draw seven each of twelve."""
    game, _ = game_of("- shuffle: heap", tmp_path)
    state = game.start(0)
    while state.decision is not None:
        state = state.apply(state.options()[0])
    assert len(game.facts.pieces.content(state.cells, game.world.zones["display"].first)) == 12


# ---- before play -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHORT)
def test_check_tells_what_a_start_would(name: str, tmp_path: Path) -> None:
    steps, code, said, at = SHORT[name]
    _, text = game_of(steps, tmp_path)
    line = text[: text.rindex(at) if at in steps else text.index(at)].count("\n") + 1
    [problem] = checked(tmp_path)
    assert (problem.code, problem.span.line) == (code, line)
    assert said in problem.message or (name, "4 are to be taken, and 0 are there") == ("take", problem.message[-35:-1])


@pytest.mark.parametrize("name", ENOUGH)
def test_check_tells_nothing_where_there_are_enough(name: str, tmp_path: Path) -> None:
    game_of(ENOUGH[name][0], tmp_path)
    assert checked(tmp_path) == ()


def checked(folder: Path) -> tuple[Any, ...]:
    """The errors that a check of a folder finds."""
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    check_game(source, [], problems)
    return problems.errors


#: What chance decides: a set-up that hangs on it, and whether it can be known that there are too few.
BY_CHANCE = {
    # whichever five of twelve are shown, seven are left
    "how many does not hang on it": (
        "- draw: 5\n  from: bag\n  to: shelf\n- draw: 8\n  from: bag\n  to: display",
        ["RS805"],
    ),
    # one of six pits gets two seeds, and all pits give two
    "which one does": (
        "- choose: pit\n  who: chance\n- move: take(2, bag)\n  to: pit.seeds\n"
        "- for_each: other\n  in: pit\n  where: other == pit\n  do: [{move: 'take(3, other.seeds)', to: display}]",
        [],
    ),
}


@pytest.mark.parametrize("name", BY_CHANCE)
def test_only_what_is_certain_is_told_before_play(name: str, tmp_path: Path) -> None:
    steps, codes = BY_CHANCE[name]
    game, _ = game_of(steps, tmp_path)
    assert [problem.code for problem in checked(tmp_path)] == codes
    with pytest.raises(ContentError):
        game.start(0)


QUICK = {*names(), *map(str, quick_settings())}


@pytest.mark.parametrize("name", long_where(lambda name: name not in QUICK, [*names(), *map(str, settings())]))
def test_what_starts_is_found_right(name: str) -> None:
    """Every game of the tests and every shipped one begins, so nothing is told of its set-up."""
    shipped = {str(setting): setting for setting in settings()}
    game = shipped[name].load() if name in shipped else small(name)
    problems = Problems()
    Rehearsal(game.built.context, game.built.program).run(problems)
    assert [(problem.code, problem.message) for problem in problems.items] == []
