"""Positions that come again: how often they were there, what counts of them, and how many are remembered."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from interpreter import State, load
from interpreter.imagine import imagine
from interpreter.players import make_player
from tests.engine.small import folder_of, keys, play
from tests.engine.test_dice import made, problems_of

BOTH = pytest.mark.parametrize("executor", ["native", "reference"])

#: A man on a ring of three cells goes to either of the two others, turn by turn.
RING = """
boards: {map: {cell: {for: {x: 0..2}}}}
pieces: {man: {count: 1}}
zones: {cell.man: {shape: slot, holds: man}}
state: {seen: {type: 0..9, start: 0}}
setup: [{move: box.man.top, to: "cell[0].man"}]
actions:
  go:
    do:
      - choose: cell
        where: not exists cell.man
      - for_each: old
        in: list(c for c in cell where exists c.man)
        do: [{move: old.man, to: cell.man}]
"""
THREEFOLD = """
repetition: {of: [cell.man, active], up_to: 50}
flow:
  - repeat:
      - turns: player
        do:
          - {set: seen, to: position.repeated}
          - if: position.repeated == 2
            then: [{finish: game}]
          - record: position
          - perform: go
"""
KO = """
repetition: {of: [cell.man], up_to: UP_TO}
flow:
  - repeat:
      - turns: player
        do:
          - record: position
          - try:
              - perform: go
              - require: position.repeated == 0
                rule: ko
            else: [{finish: game}]
"""


def seen(state: State) -> int:
    found = state.view(0).to_json()["state"]["seen"]
    assert isinstance(found, int)
    return found


@BOTH
def test_the_third_time_the_same_position_ends_the_game(tmp_path: Path, executor: str) -> None:
    """Red is to move with the man on 0: at first, after 2 moves (0 1 0), and after 4. Blue has it on 1 twice."""
    state = made(tmp_path, RING + THREEFOLD, executor).start(0)
    found = [seen(state)]
    for cell in (1, 0, 1, 0):
        state = play(state, f"go cell[{cell}]")
        found.append(seen(state))
    assert found == [0, 0, 1, 1, 2]
    assert state.result is not None


@BOTH
def test_whose_turn_it_is_may_count(tmp_path: Path, executor: str) -> None:
    """0 1 2 0: the man is on 0 again, with blue to move: another position where the turn counts."""
    with_turn = play(
        made(tmp_path / "a", RING + THREEFOLD, executor).start(0), "go cell[1]", "go cell[2]", "go cell[0]"
    )
    without = THREEFOLD.replace(", active", "")
    state = play(made(tmp_path / "b", RING + without, executor).start(0), "go cell[1]", "go cell[2]", "go cell[0]")
    assert (seen(with_turn), seen(state)) == (0, 1)


@BOTH
def test_no_position_comes_again(tmp_path: Path, executor: str) -> None:
    """0, then 1: back to 0 is forbidden, so 2; from there nothing is left."""
    state = made(tmp_path, RING + KO.replace("UP_TO", "50"), executor).start(0)
    assert keys(state) == ["go cell[1]", "go cell[2]"]
    state = play(state, "go cell[1]")
    assert keys(state) == ["go cell[2]"]
    assert play(state, "go cell[2]").result is not None


@BOTH
def test_the_earliest_is_forgotten(tmp_path: Path, executor: str) -> None:
    """Two are remembered: 0 1, then 1 2, when 0 may come again; then 2 0, when 1 may; one way each time."""
    state = made(tmp_path, RING + KO.replace("UP_TO", "2"), executor).start(0)
    state = play(state, "go cell[1]")
    for cell in (2, 0, 1, 2, 0, 1):
        assert keys(state) == [f"go cell[{cell}]"]
        state = play(state, f"go cell[{cell}]")


@BOTH
def test_kept_with_the_state_and_told_to_nobody(tmp_path: Path, executor: str) -> None:
    """Bytes hold it, a state before is as it was, searches and imagined positions go on from it."""
    game = made(tmp_path, RING + KO.replace("UP_TO", "50"), executor)
    first = game.start(0, events=True)
    second = first.apply(first.option("go cell[1]"), events=True)
    assert keys(game.state_from_bytes(second.to_bytes())) == ["go cell[2]"]
    assert keys(imagine(second, 0, 1)) == ["go cell[2]"]
    assert keys(first) == ["go cell[1]", "go cell[2]"]
    assert make_player("mcts:30", 1, 0).choose(second, second.options()).key == "go cell[2]"
    assert "there" not in str(second.view(0).to_json()) + str(second.events)


def test_both_executors_come_to_the_same_bytes() -> None:
    """What is played in one is played again in the other."""
    rng, game = random.Random(3), load(folder_of("repetition"), executor="native")
    state, played = game.start(5), []
    while state.decision is not None and len(played) < 40:
        played.append(rng.choice(keys(state)))
        state = play(state, played[-1])
    other = play(load(folder_of("repetition"), executor="reference").start(5), *played)
    assert other.to_bytes() == state.to_bytes()
    assert len(played) > 9


# ---- against an account of one's own --------------------------------------------------------------------------------


def _counts(state: State, mover: int) -> tuple[Any, ...]:
    """All that counts in the small game, as a seat sees it, with whose turn it was."""
    view = state.view(0).to_json()
    states = {name: value for name, value in view["state"].items() if name != "seen"}
    return str(view["zones"]), str(states), mover


@pytest.mark.parametrize("short", [False, True])
@BOTH
def test_as_an_account_of_what_is_seen(executor: str, short: bool) -> None:
    """After each turn the game has counted as often as whoever writes all positions down, and forgets as many."""
    game = load(folder_of("repetition"), executor=executor, options={"short": short})
    again = 0
    for seed in range(12 if executor == "native" else 4):
        rng, state = random.Random(seed), game.start(seed)
        written = [_counts(state, 0)]
        while state.decision is not None and len(written) < 100:
            mover = state.decision.player
            state = state.apply(rng.choice(state.options()))
            if state.decision is not None and state.decision.id != "way":
                continue
            now = _counts(state, mover)
            assert seen(state) == written[-3 if short else -40 :].count(now), (seed, len(written))
            again += seen(state)
            written.append(now)
    assert again > 10  # that there was something to count


# ---- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["ko", "superko", "threefold", "history", "positions"])
def test_words_of_the_field_as_sections(word: str, tmp_path: Path) -> None:
    [(code, hint)] = problems_of(tmp_path, f"{word}: true\nflow: [{{score: 1, for: red, reason: end}}]\n")
    assert code == "RS250"
    assert "record: position" in hint


@pytest.mark.parametrize("word", ["ko", "superko", "remember"])
def test_words_of_the_field_as_steps(word: str, tmp_path: Path) -> None:
    [(_, hint)] = problems_of(tmp_path, f"flow: [{{{word}: position}}]\n")
    assert "record: position" in hint


@pytest.mark.parametrize("word", ["ko", "superko", "threefold", "position.count", "repeated"])
def test_words_of_the_field_as_names(word: str, tmp_path: Path) -> None:
    [(code, hint)] = problems_of(tmp_path, f"flow: [{{if: {word} > 0, then: [{{finish: game}}]}}]\n")
    assert code == "RS301"
    assert "position.repeated" in hint


@pytest.mark.parametrize(
    ("of", "code"),
    [
        ("[player.score]", "RS302"),  # `player` alone is the whole kind
        ("[pile]", "RS650"),
        ("[pile.count]", None),
        ("[whole]", "RS303"),
        ("[hidden]", "RS650"),
        ("[again]", "RS311"),
        ("[2 - small]", None),
    ],
)
def test_what_may_count(of: str, code: str | None, tmp_path: Path) -> None:
    text = f"""
pieces: {{card: {{attributes: {{worth: 1..2}}, rows: [{{worth: 1}}, {{worth: 2}}]}}}}
zones: {{pile: {{shape: stack, holds: card, front: nobody, start: true}}}}
state: {{small: {{type: 0..2, start: 0}}}}
functions:
  whole: {{type: integer, is: 7}}
  hidden: {{type: boolean, is: any(c in pile where c.worth == 1)}}
  again: {{type: 0..3, is: position.repeated}}
repetition: {{of: {of}, up_to: 3}}
flow:
  - repeat: [{{set: small, to: 2 - small}}, {{record: position}}]
    until: again > 1
"""
    assert [found for found, _ in problems_of(tmp_path, text)] == ([] if code is None else [code])


def test_how_many_are_remembered_is_bounded(tmp_path: Path) -> None:
    """16,384 of one word take 65,536 bytes, more than a state has room for; one more is no number of positions."""
    text = "state: {{small: {{type: 0..2, start: 0}}}}\nrepetition: {{of: [small], up_to: {}}}\n"
    text += "flow: [{{record: position}}]\n"
    assert [code for code, _ in problems_of(tmp_path, text.format(16_384))] == ["RS614"]
    assert [code for code, _ in problems_of(tmp_path, text.format(16_385))] == ["RS314"]
    assert problems_of(tmp_path, text.format(16_000)) == []
