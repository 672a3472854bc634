"""Players who are out: passed over in turns, asked nothing, and known as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, load
from rulespec.diagnostics.model import ContentError
from tests.engine.test_dice import problems_of

HEAD = """game: {id: g, language: 1, title: {en: G}, players: 3, seats: [red, blue, green]}
ranking: [{least: player.out}, {most: player.score}]
"""


def made(folder: Path, text: str, executor: str | None = None) -> Game:
    (folder / "g.yaml").write_text(HEAD + text, encoding="utf-8")
    return load(folder, executor=executor)


BOTH = pytest.mark.parametrize("executor", ["native", "reference"])


@BOTH
def test_turns_of_who_is_out_are_passed_over(tmp_path: Path, executor: str) -> None:
    """Blue goes out in red's first turn, red in its own second one: turns are red, green, red, green, green."""
    text = """
state: {player.turns: {type: 0..9, start: 0}}
flow:
  - repeat:
      - turns: player
        do:
          - {set: me.turns, to: me.turns + 1}
          - {score: 1, reason: turns}
          - if: me == red and me.turns == 1
            then: [{eliminate: blue}]
          - if: me == red and me.turns == 2
            then: [{eliminate: me}]
    times: 3
"""
    state = made(tmp_path, text, executor).start(0)
    assert state.result is not None
    assert state.result.scores == (2, 0, 3)
    assert state.result.ranking == ((2,), (0,), (1,))  # who is in comes first; of the others the most points
    assert state.view(0).to_json()["state"]["player.out"] == {"red": True, "blue": True, "green": False}


@BOTH
def test_who_is_out_is_asked_nothing(tmp_path: Path, executor: str) -> None:
    """`who`, `as` and `may`: blue has no candidates and declines, and red and green are asked."""
    text = """
setup: [{eliminate: blue}]
flow:
  - for_each: player
    do:
      - choose: number
        from: 1..2
        who: player
        then: [{score: number, for: player, reason: chosen}]
        else: [{score: 10, for: player, reason: nobody}]
      - as: player
        do:
          - may: [{score: 100, reason: yes_}]
            id: bonus
            else: [{score: 1000, reason: no_}]
"""
    game = made(tmp_path, text, executor)
    state, asked = game.start(0), []
    while state.decision is not None:
        asked.append((state.decision.player, state.decision.id))
        state = state.apply(state.options()[0])
    assert asked == [(0, "number"), (0, "bonus"), (2, "number"), (2, "bonus")]
    assert state.result is not None
    assert state.result.scores == (101, 1010, 101)


#: Steps whose order matters: what was taken last is kept.
DONE = "[{score: number, reason: taken}, {set: last, to: number}]"


@BOTH
@pytest.mark.parametrize("how", ["order: chosen", "order: chosen, optional: true", "optional: true"])
def test_who_is_out_is_not_asked_in_loops(tmp_path: Path, executor: str, how: str) -> None:
    """Blue is out and gets nothing; red and green take both numbers and have 3 points."""
    text = f"""
state: {{last: {{type: 0..2, start: 0}}}}
setup: [{{eliminate: blue}}]
flow:
  - for_each: player
    do:
      - as: player
        do:
          - {{for_each: number, in: 1..2, {how}, do: {DONE}}}
"""
    state, asked = made(tmp_path, text, executor).start(0), set()
    while state.decision is not None:
        asked.add(state.decision.player)
        yes = [option for option in state.options() if option.key not in ("stop", "number decline")]
        state = state.apply(yes[0])
    assert asked == {0, 2}
    assert state.result is not None
    assert state.result.scores == (3, 0, 3)


@BOTH
@pytest.mark.parametrize("how", ["order: chosen", "optional: true"])
def test_who_goes_out_in_a_loop_is_asked_no_more(tmp_path: Path, executor: str, how: str) -> None:
    """Red takes one number of three and is out: two passes are left out."""
    text = f"""
flow:
  - as: red
    do:
      - {{for_each: number, in: 4..6, {how}, do: [{{score: 1, reason: taken}}, {{eliminate: me}}]}}
"""
    state, asked = made(tmp_path, text, executor).start(0), 0
    while state.decision is not None:
        asked += 1
        state = state.apply(next(option for option in state.options() if "decline" not in option.key))
    assert asked == 1
    assert state.result is not None
    assert state.result.scores == (1, 0, 0)


@BOTH
def test_who_is_out_takes_no_part_in_turns_at_once(tmp_path: Path, executor: str) -> None:
    text = """
setup: [{eliminate: green}]
flow:
  - turns: player
    at_once: true
    do:
      - choose: number
        from: 1..2
      - {score: number, reason: chosen}
"""
    state, asked = made(tmp_path, text, executor).start(0), []
    while state.decision is not None:
        asked.append(state.decision.player)
        state = state.apply(state.options()[1])
    assert asked == [0, 1]
    assert state.result is not None
    assert state.result.scores == (2, 2, 0)


@BOTH
def test_the_rest_of_a_turn_that_would_ask_is_left_out(tmp_path: Path, executor: str) -> None:
    text = """
flow:
  - turns: player
    do:
      - {score: 1, reason: before}
      - if: me == blue
        then: [{eliminate: me}]
      - choose: number
        from: 1..1
      - {score: 5, reason: after}
"""
    state = made(tmp_path, text, executor).start(0)
    while state.decision is not None:
        state = state.apply(state.options()[0])
    assert state.result is not None
    assert state.result.scores == (6, 1, 6)


def test_chance_still_decides(tmp_path: Path) -> None:
    text = """
setup: [{eliminate: red}]
flow:
  - as: red
    do:
      - choose: number
        from: 1..1
        who: chance
      - {score: number, reason: luck}
"""
    state = made(tmp_path, text).start(0)
    assert state.result is not None
    assert state.result.scores == (1, 0, 0)


def test_a_game_without_it_has_no_such_state(tmp_path: Path) -> None:
    game = made(tmp_path, "state: {player.out: {type: 0..2, start: 2}}\nflow: [{score: 1, for: red, reason: a}]\n")
    assert game.start(0).view(0).to_json()["state"] == {"player.out": {"red": 2, "blue": 2, "green": 2}}


def test_its_state_cannot_be_declared_too(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="RS260"):
        made(tmp_path, "state: {player.out: {type: boolean, start: false}}\nflow: [{eliminate: red}]\n")


@pytest.mark.parametrize("name", ["eliminated", "alive", "out"])
def test_what_people_ask_first_leads_there(tmp_path: Path, name: str) -> None:
    found = problems_of(tmp_path, f"flow: [{{if: red.{name}, then: [{{finish: game}}]}}]\n")
    assert [problem for problem in found if problem[0] == "RS302" and "eliminate: P" in problem[1]], found


def test_what_is_no_player_cannot_be_out(tmp_path: Path) -> None:
    assert [code for code, _ in problems_of(tmp_path, "flow: [{eliminate: 3}]\n")] == ["RS303"]
