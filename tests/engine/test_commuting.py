"""Orders that change nothing are not asked for, and all others are.

Each case is what stands in the passes of a chosen loop. Where nobody is asked, all orders of the same game with
`asks: everything` end in the state that comes without asking; where somebody is, two orders end differently, or could.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Game, State, load
from interpreter.game import load_source
from interpreter.log import GameLog
from interpreter.log_checking import check_log, game_of
from interpreter.log_reading import read_log
from rulespec.diagnostics.model import Problems

GAME = """
game: {{id: gifts, language: 1, title: {{en: "Gifts"}}, players: 2, seats: [oak, ash]{asks}}}
boards:
  land:
    cell:
      for: {{place: 0..2}}
      attributes: {{gives: {{type: effect, by: place, values: [{gives}]}}}}
pieces:
  token: {{count: 9}}
zones:
  heap: {{shape: pool, holds: token, start: true}}
  cell.tokens: {{shape: pool, holds: token}}
state:
  player.coins: {{type: 0..4, start: 0}}
  player.cloth: {{type: 0..9, start: 3}}
  noted: {{type: 0..9, start: 0}}
tracks:
  player.way:
    space: stone
    start: 1
    spaces: [{{}}, {{}}, {{}}]
    past_top: [{{score: 2, reason: way}}]
    past_bottom: []
events:
  told: {{}}
effects:
  coins: {{params: {{amount: 1..3}}, do: [{{gain: {{coins: amount}}}}]}}
  cloth: {{params: {{amount: 1..3}}, do: [{{gain: {{cloth: amount}}}}]}}
  points: {{params: {{amount: 1..9}}, do: [{{score: amount, reason: gifts}}]}}
  up: {{params: {{amount: 1..2}}, do: [{{advance: me.way, by: amount}}]}}
  down: {{params: {{amount: 1..2}}, do: [{{advance: me.way, by: -amount}}]}}
  double: {{do: [{{gain: {{coins: me.coins}}}}]}}
  by_cloth: {{do: [{{score: me.cloth, reason: gifts}}]}}
  fee: {{do: [{{pay: {{cloth: 1}}, rule: fee}}]}}
  note: {{params: {{amount: 1..9}}, do: [{{set: noted, to: amount}}]}}
  tell: {{do: [{{emit: told}}]}}
  ask: {{do: [{{may: [{{gain: {{coins: 1}}}}]}}]}}
  fetch: {{do: [{{move: heap.any, to: "cell[0].tokens"}}]}}
  lots: {{do: [{{draw: 1, from: heap, to: "cell[0].tokens"}}]}}
  both: {{do: [{{if: me.cloth > 1, then: [{{gain: {{coins: 1}}}}]}}]}}
{triggers}
flow:
  - turns: player
    do:
{loop}
ranking: [{{most: player.score}}]
"""
PLAIN = """
      - for_each: cell
        order: chosen
        do:
          - perform: cell.gives
"""
TOGETHER = """
      - together:
          - for_each: cell
            order: chosen
            alike: cell.gives
            do:
              - try: [{perform: cell.gives}]
"""
OVERFLOW = """
triggers:
  overflow:
    when: {becomes: player.coins > 2}
    do: [{score: 1, reason: gifts}]
"""
ON_THE_WAY = """
triggers:
  passing:
    when: {stepped: player.way}
    do: [{set: noted, to: player.coins}]
"""


def game(tmp_path: Path, gives: str, loop: str = PLAIN, triggers: str = "", *, everything: bool = False) -> Game:
    asks = ", asks: everything" if everything else ""
    text = GAME.format(gives=gives, loop=loop, triggers=triggers, asks=asks)
    folder = tmp_path / ("all" if everything else "some")
    folder.mkdir(exist_ok=True)
    (folder / "gifts.yaml").write_text(text, encoding="utf-8")
    return load(folder)


def seen(state: State) -> str:
    """What lies where, and every declared cell; not how the program keeps it."""
    told = state.to_json()
    return json.dumps([told["zones"], told["state"], state.result.scores])


def ends(state: State) -> set[str]:
    """All positions in which a game can end."""
    waiting, found, known = [state], set[str](), set[bytes]()
    while waiting:
        at = waiting.pop()
        if at.decision is None:
            found.add(seen(at))
        for option in at.options():
            after = at.apply(option)
            if after.to_bytes() not in known:
                known.add(after.to_bytes())
                waiting.append(after)
    return found


@pytest.mark.parametrize(
    ("gives", "loop", "triggers"),
    [
        ("coins(1), coins(2), coins(3)", PLAIN, ""),  # the counter is full at 4, in any order
        ("coins(1), cloth(2), points(5)", PLAIN, ""),
        ("up(1), up(2), points(1)", PLAIN, ""),  # 3 steps, of which 1 can be made: 4 points, in any order
        ("down(1), down(2), coins(1)", PLAIN, ""),
        ("nothing, coins(1), [coins(1), cloth(1)]", PLAIN, ""),
        ("coins(1), cloth(2), up(1)", TOGETHER, ""),
        ("coins(2), coins(1), cloth(1)", TOGETHER, OVERFLOW),  # looked at once, when all is gained
    ],
)
def test_nobody_is_asked(tmp_path: Path, gives: str, loop: str, triggers: str) -> None:
    start = game(tmp_path, gives, loop, triggers).start(0)
    assert start.decision is None
    asked = game(tmp_path, gives, loop, triggers, everything=True).start(0)
    assert asked.decision is not None
    assert ends(asked) == {seen(start)}


@pytest.mark.parametrize(
    ("gives", "triggers"),
    [
        ("up(1), down(1), up(2)", ""),  # a step up past the end gives points, one down before it makes room
        ("coins(1), double, coins(1)", ""),  # what is there is doubled
        ("cloth(1), by_cloth, coins(1)", ""),  # points by what is there
        ("note(1), note(2), coins(1)", ""),  # the last one stands
        ("tell, tell, coins(1)", ""),  # what is told is told in an order
        ("ask, coins(1), coins(2)", ""),  # a question inside
        ("fetch, coins(1), cloth(1)", ""),
        ("lots, coins(1), cloth(1)", ""),
        ("fee, cloth(1), coins(1)", ""),  # it can fail
        ("both, cloth(1), coins(1)", ""),  # a condition that the others write
        ("coins(2), coins(1), cloth(1)", OVERFLOW),  # looked at after each gain
        ("up(1), coins(1), up(1)", ON_THE_WAY),  # what is noted on the way
    ],
)
def test_somebody_is_asked(tmp_path: Path, gives: str, triggers: str) -> None:
    start = game(tmp_path, gives, PLAIN, triggers).start(0)
    assert start.decision is not None
    assert len(start.options()) >= 2


def test_once_what_matters_is_done_nobody_is_asked(tmp_path: Path) -> None:
    """Coins and cloth commute; the question does not. After it, the two that are left come by themselves."""
    state = game(tmp_path, "coins(1), ask, cloth(1)").start(0)
    assert [option.key for option in state.options()] == ["cell cell[0]", "cell cell[1]", "cell cell[2]"]
    state = state.apply(state.option("cell cell[1]"))
    state = state.apply(state.options()[0])
    assert state.decision is not None
    assert state.decision.player == 1


def test_what_is_forced_is_no_order(tmp_path: Path) -> None:
    """One cell alone, or several that are one option: a decision with one option, as any that is forced."""
    loop = PLAIN.replace("order: chosen", "order: chosen\n        where: cell.place == 1")
    assert len(game(tmp_path, "coins(1), cloth(1), points(1)", loop).start(0).options()) == 1
    assert len(game(tmp_path, "coins(1), coins(1), coins(1)", TOGETHER).start(0).options()) == 1


def test_a_loop_that_can_be_stopped_is_asked_for(tmp_path: Path) -> None:
    loop = PLAIN.replace("order: chosen", "order: chosen\n        optional: true")
    assert game(tmp_path, "coins(1), coins(1), coins(1)", loop).start(0).decision is not None


def test_a_loop_up_to_a_number_is_asked_for(tmp_path: Path) -> None:
    loop = PLAIN.replace("order: chosen", "order: chosen\n        up_to: 2")
    assert game(tmp_path, "coins(1), cloth(1), points(1)", loop).start(0).decision is not None


def test_which_are_left_must_not_depend_on_the_passes(tmp_path: Path) -> None:
    """Cells stand out while somebody has cloth: a pass that gives cloth brings others in."""
    loop = PLAIN.replace("order: chosen", "order: chosen\n        where: me.cloth > 3 or cell.place > 0")
    assert game(tmp_path, "coins(1), cloth(1), coins(2)", loop).start(0).decision is not None
    assert game(tmp_path, "coins(1), coins(3), coins(2)", loop).start(0).decision is None


def test_steps_of_the_pass_itself_count(tmp_path: Path) -> None:
    loop = PLAIN.replace("- perform: cell.gives", "- gain: {coins: 1}\n          - perform: cell.gives")
    assert game(tmp_path, "coins(1), cloth(1), points(1)", loop).start(0).decision is None
    loop = PLAIN.replace("- perform: cell.gives", "- set: noted\n            to: cell.place")
    assert game(tmp_path, "coins(1), cloth(1), points(1)", loop).start(0).decision is not None


@pytest.mark.parametrize("everything", [True, False])
def test_logs_of_before_and_of_now_are_played_again(tmp_path: Path, everything: bool) -> None:
    """The header says where choices were left out; a log that does not is of a game in which all was asked."""
    now = game(tmp_path, "coins(1), ask, cloth(1)")
    played = load_source(now.source, ask_everything=everything)
    log = GameLog.start(tmp_path / "game.log", played, seed=3)
    state = log.state
    while state.decision is not None:
        option = state.options()[-1]
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    log.finish(state)
    assert ("asks" in log.lines[0]) is not everything
    problems = Problems()
    read = read_log(tmp_path / "game.log", problems)
    assert read is not None
    again = game_of(read, problems, str(tmp_path / "some"))
    assert again is not None
    assert check_log(read, again, problems).is_true
    assert problems.items == ()


def test_both_executors_ask_for_the_same(tmp_path: Path) -> None:
    """The native executor gets the same instructions: the same options, and the same states."""
    for gives, triggers in (
        ("coins(1), ask, cloth(1)", ""),
        ("up(2), coins(3), up(1)", ""),
        ("coins(2), fee, coins(1)", OVERFLOW),
    ):
        one, other = (
            load(game(tmp_path, gives, TOGETHER, triggers).source.folder, executor=which)
            for which in ("reference", "native")
        )
        states = [one.start(1), other.start(1)]
        while states[0].decision is not None:
            assert [o.key for o in states[0].options()] == [o.key for o in states[1].options()]
            states = [state.apply(state.options()[-1]) for state in states]
            assert states[0].to_bytes() == states[1].to_bytes()
        assert states[1].decision is None


def test_a_game_with_everything_asked_is_another_one(tmp_path: Path) -> None:
    """It has the same content; its states are kept otherwise, also by the native executor and what that keeps."""
    now = game(tmp_path, "coins(1), ask, cloth(1)")
    before = load_source(now.source, ask_everything=True)
    assert now.fingerprint == before.fingerprint
    assert not now.same_as(before)
    for one in (now, before):  # each has a module of its own
        one.play_by("native")
        assert [option.key for option in one.start(1).options()][:1] == ["cell cell[0]"]
