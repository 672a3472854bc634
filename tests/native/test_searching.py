"""Searches in the module find what the plain search in Python finds: the same tree, figure by figure.

The plain one goes through `CellPositions` alone: no module takes part in it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bench.differential import Setting
from interpreter import ContentError, Game, State, load
from interpreter.chance import Chance
from interpreter.imagine import imagine, imagined_cells
from interpreter.middle.layout import to_bytes
from interpreter.native import branches, play
from interpreter.native.executor import Native
from interpreter.players import greedy, make_player, search, tree
from interpreter.players.guide import GuidedTree
from interpreter.players.search import InModule, InPython, new_tree, take_over
from interpreter.players.tree import Branch, Tree
from rulespec.source.shipped import games
from tests.engine.small import folder_of, names, small
from tests.lengths import long_where
from tests.shipped import every_setting

ROUNDS = 40
#: In games in which the plain search takes long.
FEW = 10
#: Blocks that a module may run between two decisions, so that it gives up now and then: half as many.
BLOCKS = 16
#: Tasks of the game `secrets`, in which a lot is hidden.
SECRETS = ["bids", "taking", "drawing", "lots", "luring", "parting"]
ALL = [*games(), *(name for name in names() if name != "secrets"), *SECRETS]

#: Games in which there is nothing to decide.
DECIDED = ("signals", "slips")
#: In these games the plain search takes long: fewer positions, and not in the quick run, where every other game is.
SLOW = (
    "market",
    "meadow",
    "hex",
    "barcelona",
    "metro",
    "reversi",
    "english_draughts",
    "breakthrough",
    "go",
    "chess",
    "backgammon",
    "repetition",
    "liars_dice",
    "spades",
)
#: A round of the plain search goes on to the end of a game of some hundred moves: four seconds.
LENGTHY = ("chess",)
each_game = pytest.mark.parametrize("name", long_where(SLOW.__contains__, ALL))
SAMPLE = random.Random(2).sample([each for each in every_setting() if each.game not in LENGTHY], 8)


def game_of(name: str) -> Game:
    """A shipped game, a small one, or a task of `secrets`."""
    if name == "go":  # a round on its usual board takes the plain search a second
        return load(name, options={"lines": 5})
    if name in games():
        return load(name)
    return small("secrets", task=name) if name in SECRETS else small(name)


def native_of(game: Game) -> Native:
    assert game.native is not None, game.native_refused
    return game.native


def walk(game: Game, seed: int, most: int) -> Iterator[State]:
    """The positions of a random game at which there is something to decide."""
    state, chance = game.start(seed), Chance(seed, "tests")
    for _ in range(most):
        if state.decision is None:
            return
        yield state
        state = state.apply(chance.one_of(state.options()))


def choices(game: Game, seed: int, most: int) -> Iterator[State]:
    """Some of those with more than one option."""
    for number, state in enumerate(s for s in walk(game, seed, most) if len(s.options()) > 1):
        if number % 6 == 0:
            yield state


# ---- what is imagined -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_the_same_bytes_are_imagined(name: str) -> None:
    """By every seat, at every position of two games."""
    game = game_of(name)
    native, compared = native_of(game), 0
    for seed in (1, 2):
        for state in walk(game, seed, 30):
            for seat in range(game.players):
                cells = imagined_cells(state, seat, 1000 * seed + seat)
                expected = to_bytes(cells, game.facts.rooms)
                assert native.imagined(state.to_bytes(), seat, 1000 * seed + seat)[0] == expected
                compared += 1
    assert compared or name in DECIDED


def test_what_is_hidden_is_dealt_anew_there() -> None:
    """In Barcelona the bag has citizens of several colours: a different seed draws others."""
    game = load("barcelona")
    state, native = game.start(1), native_of(game)
    found = {native.imagined(state.to_bytes(), 0, seed)[0] for seed in range(20)}
    assert len(found) == 20
    assert {len(each) for each in found} == {native.made.size}


def test_it_is_the_module_that_imagines_where_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same states with the same options; a seed is a number of 64 bits for both."""
    game = load("metro", players=3)
    native_of(game)
    for number, state in enumerate(walk(game, 4, 20)):
        with monkeypatch.context() as plainly:
            plainly.setattr(Game, "native_at_hand", None)
            expected = imagine(state, number % 3, 2**64 - 1 - number)
        found = imagine(state, number % 3, 2**64 - 1 - number)
        assert (found, found.options().keys()) == (expected, expected.options().keys())
        with pytest.raises(ValueError, match="a seed lies between"):
            imagine(state, 0, -1)


# ---- trees ----------------------------------------------------------------------------------------------------------


def plain(state: State, seed: int, amount: int, monkeypatch: pytest.MonkeyPatch, *, guided: bool = True) -> InPython:
    """So many rounds of the search in Python alone."""
    assert state.decision is not None
    monkeypatch.setattr(search, "quick_positions_of", lambda game: None)
    found = InPython(state, state.decision.player, seed, amount, guided=guided)
    found.play_rounds(amount)
    return found


def dump(branch: Branch) -> tuple[Any, ...]:
    """All that a branch holds."""
    return branch.offered, branch.taken, branch.gained, branch.lean, {edge: dump(x) for edge, x in branch.below.items()}


def grown(module: InModule, state: State, *, guided: bool) -> Tree:
    found = new_tree(state.game, None, guided=guided)
    take_over(module._searching, state.game, found)
    return found


def guides(tree: Tree) -> Any:
    """All that guides a search."""
    return (tree.known, tree.brought, tree.usual) if isinstance(tree, GuidedTree) else None


def same_tree(
    state: State,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
    native: Native | None = None,
    rounds: int | None = None,
    *,
    guided: bool = True,
) -> Tree:
    """Asserts that both find the same, in two goes; gives the tree."""
    assert state.decision is not None
    native, rounds = native or native_of(state.game), rounds or ROUNDS
    expected = plain(state, seed, rounds, monkeypatch, guided=guided)
    module = InModule(native, state, state.decision.player, seed, rounds, guided=guided)
    module.play_rounds(rounds // 4)
    module.play_rounds(rounds - rounds // 4)
    assert not module._is_left
    found = grown(module, state, guided=guided)
    assert guides(found) == guides(expected.tree)
    assert dump(found.root) == dump(expected.tree.root)
    assert (found.valued, found.spread, found.amount) == (rounds, expected.tree.spread, expected.tree.amount)
    assert module.tried() == expected.tried()
    return found


@each_game
def test_the_same_tree_grows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most, rounds = (2, 3) if name in LENGTHY else (10, FEW) if name in SLOW else (30, ROUNDS)
    for number, state in enumerate(choices(game_of(name), 3, most)):
        found = same_tree(state, number << 24, monkeypatch, rounds=rounds)
        assert sum(branch.taken for branch in found.root.below.values()) == rounds


@pytest.mark.long
@pytest.mark.parametrize("setting", SAMPLE, ids=str)
def test_some_options_and_variants(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        game = setting.load()
    except ContentError:
        pytest.skip("what does not go together")
    for number, state in enumerate(choices(game, 5, 12)):
        same_tree(state, number << 24, monkeypatch, rounds=FEW)


@pytest.mark.parametrize("name", long_where(SLOW.__contains__, ["connect_four", "metro"]))
def test_a_tree_that_is_full_grows_no_more(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five branches at most: rounds that would make a sixth are played, and told to those above alone."""
    game = load(name)
    monkeypatch.setattr(branches, "MOST_BRANCHES", 5)
    monkeypatch.setattr(tree, "MOST_BRANCHES", 5)
    native = Native(game.built, game.facts, (), cache=False)
    found = same_tree(game.start(1), 7 << 24, monkeypatch, native)
    assert found.amount == 5


def test_a_small_table_finds_all_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    """With as few slots as there may be (twice as many as rounds), branches whose hash is alike stay apart."""
    state = load("tic_tac_toe").start(0)
    same_tree(state, 5, monkeypatch)
    monkeypatch.setattr(branches, "MOST_SLOTS", 64)
    same_tree(state, 5, monkeypatch)


@pytest.mark.long
def test_no_horizon_and_many_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Branches taken more than 1,023 times: their logarithms are put together."""
    state = load("tic_tac_toe").start(0)
    for key in ("[1,1]", "[0,0]", "[2,0]", "[0,2]", "[0,1]"):
        state = state.apply(state.option(f"place_mark cell{key}"))
    monkeypatch.setattr("tests.native.test_searching.ROUNDS", 5000)
    found = same_tree(state, 11, monkeypatch)
    assert max(branch.offered for branch in found.root.below.values()) > 1023


# ---- giving up ------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_python_goes_on_where_the_module_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that may run few blocks between two decisions gives up in the middle of a round.

    What that round has counted on its way down does not count: Python does it again, and goes on.
    """
    game = load("agora_barcelona")
    monkeypatch.setattr(play, "MOST_BLOCKS", BLOCKS)
    native = Native(game.built, game.facts, (), cache=False)
    left = []
    for number, state in enumerate(choices(game, 3, 60)):
        assert state.decision is not None
        guided = number % 2 == 0
        expected = plain(state, number << 24, ROUNDS, monkeypatch, guided=guided)
        module = InModule(native, state, state.decision.player, number << 24, ROUNDS, guided=guided)
        for _ in range(4):
            module.play_rounds(ROUNDS // 4)
        left.append(module._searching.rounds)
        assert module.tried() == expected.tried()
        if module._is_left:
            assert dump(module._rest.tree.root) == dump(expected.tree.root)
            assert guides(module._rest.tree) == guides(expected.tree)
    assert any(0 < rounds < ROUNDS for rounds in left)


# ---- the greedy player ----------------------------------------------------------------------------------------------


@each_game
def test_the_greedy_player_sees_the_same(name: str) -> None:
    game, compared = game_of(name), 0
    native_of(game)
    for state in walk(game, 5, 8 if name in {*SLOW, *games()} else 40):
        assert state.decision is not None
        expected = greedy._by_reference(state, state.decision.player, [8, 9])
        assert greedy._in_module(state, state.decision.player, [8, 9]) == expected
        compared += 1
    assert compared or name in DECIDED


def test_a_module_that_is_kept_has_its_own_hints(tmp_path: Path) -> None:
    """Two games that differ in their hints alone are played alike, and valued each by its own (`test_hints.py`)."""
    place = tmp_path / "hints"
    place.mkdir()
    text = (folder_of("hints") / "hints.yaml").read_text("utf-8")
    (place / "hints.yaml").write_text(text.split("\nhints:")[0] + "\n", "utf-8")
    best = []
    for game in (small("hints"), load(str(place))):
        native_of(game)
        leads = greedy.leads_after(game.start(0), 0, [1])
        best.append([number for number, each in enumerate(leads) if each == max(leads)])
    assert best == [[0], [1]]


def test_many_threads_think_as_one_alone() -> None:
    """There is one tree at a time: who thinks about the same game meanwhile waits."""
    game = load("agora_barcelona")
    states = list(choices(game, 6, 40))[:4]
    native_of(game)

    def chosen(state: State) -> str:
        assert state.decision is not None
        return make_player("mcts:300", state.decision.player, 3).choose(state, state.options()).key

    alone = [chosen(state) for state in states]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(chosen, states * 3)) == alone * 3


def test_it_uses_the_module_once_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("metro")
    state = game.start(1)
    monkeypatch.setattr(Game, "native_at_hand", None)
    expected = greedy.leads_after(state, 0, [1])
    assert "native" not in vars(game)
    monkeypatch.undo()
    native_of(game)
    monkeypatch.setattr(greedy, "_by_reference", None)
    assert greedy.leads_after(state, 0, [1]) == expected
