"""Equal pieces count one by one: in what chance picks, and in sets, also of pieces that are known by their backs.

The bag holds three scarlet balls and an azure one. Two of four are six pairs: three of them are both scarlet (1/2). One
of four is scarlet in three cases of four.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from interpreter import ContentError, Game, State, load
from interpreter.game import EXECUTORS
from tests.engine.small import small

GAME = """
game: {id: urn, language: 1, title: {en: Urn}, players: 2, seats: [red, green]}
pieces:
  ball:
    attributes: {colour: colour}
    rows: [{colour: scarlet, count: 3}, {colour: azure, count: 1}]
enums: {colour: [scarlet, azure], spot: [left, right]}
zones:
  bag: {holds: ball, SHAPE, FRONT, start: true}
  open: {holds: ball, shape: pool}
flow:
CHOICE
ranking: [{most: 0}]
"""
SET = """
  - choose: ball
    from: bag
    AMOUNT
    then: [{move: ball, to: open}]
"""
PAIR = """
  - choose: pair
    each: {ball: {from: bag}, spot: {}}
    exactly: 2
    WHO
    then:
      - for_each: one
        in: pair
        do: [{move: one.ball, to: open}]
"""
#: What the bag is like: its shape, and who sees the balls in it.
BAGS = list(product(["shape: pool", "shape: stack"], ["front: all", "front: nobody"]))
SEEDS = range(400)
#: The share of 400 draws may be off by five standard deviations of a half: 5 * sqrt(1/4 / 400).
FAR_OFF = 0.125


def _game(folder: Path, choice: str, bag: tuple[str, str], executor: str) -> Game:
    text = GAME.replace("CHOICE", choice).replace("SHAPE, FRONT", ", ".join(bag))
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return load(folder, executor=executor)


def _played(game: Game, seed: int) -> State:
    rng, state = random.Random(seed), game.start(seed)
    while state.decision is not None:
        state = state.apply(rng.choice(list(state.options())))
    return state


def _taken(state: State) -> tuple[int, int]:
    """How many scarlet and how many azure balls were taken."""
    found = Counter(str(piece) for piece in state.zone("open"))
    return found["ball(scarlet)"], found["ball(azure)"]


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("bag", BAGS)
@pytest.mark.parametrize(
    ("amount", "likely", "share"),
    [("exactly: 2", (2, 0), 1 / 2), ("exactly: 3", (2, 1), 3 / 4), ("", (1, 0), 3 / 4)],  # 3 of 4: one in four is 3 red
)
def test_chance_picks_each_piece_as_often_as_any_other(
    tmp_path: Path, amount: str, likely: tuple[int, int], share: float, bag: tuple[str, str], executor: str
) -> None:
    choice = SET.replace("AMOUNT", f"{amount}\n    who: chance")
    game = _game(tmp_path, choice, bag, executor)
    found = Counter(_taken(game.start(seed)) for seed in SEEDS)
    assert abs(found[likely] / len(SEEDS) - share) < FAR_OFF
    assert sum(found.values()) == sum(found[each] for each in {likely, (sum(likely), 0), (sum(likely) - 1, 1)})


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("bag", BAGS)
@pytest.mark.parametrize(
    ("amount", "every"),
    [
        ("exactly: 2", {(2, 0), (1, 1)}),
        ("exactly: 4", {(3, 1)}),
        ("up_to: 3", {(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (3, 0), (2, 1)}),
    ],
)
def test_a_set_holds_as_many_equal_pieces_as_there_are(
    tmp_path: Path, amount: str, every: set[tuple[int, int]], bag: tuple[str, str], executor: str
) -> None:
    game = _game(tmp_path, SET.replace("AMOUNT", amount), bag, executor)
    assert {_taken(_played(game, seed)) for seed in SEEDS} == every


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("bag", [bag for bag in BAGS if "front: nobody" in bag])
def test_backs_are_offered_as_one_and_found_by_chance(tmp_path: Path, bag: tuple[str, str], executor: str) -> None:
    game = _game(tmp_path, SET.replace("AMOUNT", "exactly: 2"), bag, executor)
    assert len(game.start(0).options()) == 1
    found = Counter(_taken(_played(game, seed)) for seed in SEEDS)
    assert abs(found[2, 0] / len(SEEDS) - 1 / 2) < FAR_OFF


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("who", ["", "who: chance"])
@pytest.mark.parametrize("bag", BAGS)
def test_pieces_in_pairs_are_found_once_each(tmp_path: Path, bag: tuple[str, str], who: str, executor: str) -> None:
    game = _game(tmp_path, PAIR.replace("WHO", who), bag, executor)
    # two of four balls are moved; that both picks could name the only azure ball would be a step that fails
    found = Counter(_taken(_played(game, seed)) for seed in SEEDS)
    assert found.keys() == {(2, 0), (1, 1)}
    assert not who or abs(found[2, 0] / len(SEEDS) - 1 / 2) < FAR_OFF


def test_a_set_up_that_needs_all_of_several_equal_pieces_has_enough(tmp_path: Path) -> None:
    choice = "  - {score: 1, reason: end}\nsetup:" + SET.replace("AMOUNT", "exactly: 4")
    for executor in EXECUTORS:
        game = _game(tmp_path, choice, ("shape: pool", "front: all"), executor)
        assert _taken(_played(game, 1)) == (3, 1)


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("who", ["", "who: chance"])
def test_a_set_up_that_needs_one_piece_twice_is_told(tmp_path: Path, who: str, executor: str) -> None:
    """One azure ball and two spots: two pairs of them can be named, and never both be chosen."""
    pairs = PAIR.replace("WHO", who).replace("{from: bag}", "{from: bag, where: ball.colour == azure}")
    choice = "  - {score: 1, reason: end}\nsetup:" + pairs
    with pytest.raises(ContentError, match="RS804"):
        _game(tmp_path, choice, ("shape: pool", "front: all"), executor).start(1)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_chance_picks_as_many_as_there_are_where_fewer_will_do(tmp_path: Path, executor: str) -> None:
    choice = SET.replace("AMOUNT", "up_to: 6\n    who: chance")
    assert _taken(_game(tmp_path, choice, BAGS[0], executor).start(1)) == (3, 1)


RECORDS = """
  - choose: pair
    each: {ball: {from: bag}, spot: {}}
    exactly: 1
    then:
      STEPS
"""


@pytest.mark.parametrize("executor", EXECUTORS)
def test_something_is_asked_about_what_was_chosen_together(tmp_path: Path, executor: str) -> None:
    steps = "- {for_each: one, in: pair, do: [{id: take, may: [{move: one.ball, to: open}]}]}"
    game = _game(tmp_path, RECORDS.replace("STEPS", steps), BAGS[0], executor)
    state = game.start(1)
    state = state.apply(state.options()[0])
    assert state.to_json()["stack"][-1]["names"]["pair"] == [{"ball": "ball(scarlet)", "spot": "left"}]
    state = game.state_from_bytes(state.to_bytes())
    assert _taken(state.apply(state.option("take accept"))) == (1, 0)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_another_player_chooses_a_set(tmp_path: Path, executor: str) -> None:
    choice = "  - as: red\n    do:" + SET.replace("AMOUNT", "exactly: 2\n    who: green").replace("\n", "\n    ")
    state = _game(tmp_path, choice, BAGS[0], executor).start(1)
    assert state.decision is not None
    assert state.decision.player == 1


def test_a_set_has_no_else(tmp_path: Path) -> None:
    choice = SET.replace("AMOUNT", "exactly: 2\n    else: [{score: 1, reason: none}]")
    with pytest.raises(ContentError, match="RS257"):
        _game(tmp_path, choice, BAGS[0], "reference")


def test_what_was_chosen_together_is_no_value_of_a_name(tmp_path: Path) -> None:
    steps = "- {let: one, be: 'pair[1]'}\n      - {move: one.ball, to: open}"
    with pytest.raises(ContentError, match="RS601"):
        _game(tmp_path, RECORDS.replace("STEPS", steps), BAGS[0], "reference")


@pytest.mark.parametrize("name", ["market", "bags", "paths", "yard"])
def test_the_key_of_one_option_is_that_of_all_in_order(name: str) -> None:
    """Where no two candidates can have one text, a key is found without the others."""
    game, dice = small(name), random.Random(3)
    state, told_apart = game.start(2), set[bool]()
    for _ in range(25):
        if state.decision is None:
            break
        all_keys = state.options().keys()
        again = game.state_from_bytes(state.to_bytes()).options()
        assert [option.key for option in again] == list(all_keys)
        told_apart.add(game.key_words(state.asks_at).tells_apart)
        state = state.apply(state.options()[dice.randrange(len(all_keys))])
    assert told_apart
