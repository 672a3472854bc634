"""The Python interface used as it was not meant: arguments of a wrong kind, states elsewhere, damaged bytes."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import Game, State, load
from rulespec.diagnostics.model import ContentError
from rulespec.source.shipped import games

GAMES = ("tic_tac_toe", "agora_barcelona")


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


# ---- wrong arguments -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"players": "3"}, "players is a whole number, not '3'"),
        ({"players": 3.0}, "players is a whole number, not 3.0"),
        ({"players": True}, "players is a whole number, not True"),
        ({"options": ["take_at_once"]}, "options is a map from names to values"),
        ({"options": {3: True}}, "options is a map from names to values"),
        ({"variants": "floods"}, "variants is a list of ids or files, not 'floods'"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_at_once(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        load("agora_barcelona", **arguments)  # type: ignore[arg-type]


def test_a_folder_may_be_a_path() -> None:
    assert load(games()["tic_tac_toe"]).fingerprint == load("tic_tac_toe").fingerprint


@pytest.mark.parametrize("value", ["--3", "²", "1_0", "", "yes"])
def test_a_text_that_is_no_value_of_an_option_is_refused(value: str) -> None:
    with pytest.raises(ContentError) as caught:
        load("agora_barcelona", options={"take_at_once": value})
    assert [problem.code for problem in caught.value.problems] == ["RS432"]


@pytest.mark.parametrize("value", [True, False, "true", "false"])
def test_a_truth_value_is_no_number(value: object, tmp_path: Path) -> None:
    """Nor the other way round: `n` is of 0..5, `b` is yes or no."""
    (tmp_path / "g.yaml").write_text(
        "game:\n  id: g\n  language: 1\n  title: {en: X}\n  players: 1\n  seats: [red]\n"
        "  options: {n: {type: 0..5, start: 0}, b: {type: boolean, start: false}}\n"
        "flow: [{score: 1, reason: x}]\nranking: [{most: player.score}]\n",
        encoding="utf-8",
    )
    with pytest.raises(ContentError) as caught:
        load(tmp_path, options={"n": value})  # type: ignore[dict-item]
    assert [problem.code for problem in caught.value.problems] == ["RS432"]
    with pytest.raises(ContentError) as caught:
        load(tmp_path, options={"b": 1})
    assert [problem.code for problem in caught.value.problems] == ["RS432"]
    assert load(tmp_path, options={"n": 1, "b": value}).options == {"n": 1, "b": value in (True, "true")}  # type: ignore[dict-item]


def test_a_value_may_be_written_in_several_ways() -> None:
    given = ((True, None), ("true", "none"))
    ways = [load("agora_barcelona", options={"take_at_once": once, "first_player": who}) for once, who in given]
    assert ways[0].start(1) == ways[1].start(1)
    assert ways[0].options == ways[1].options == {"take_at_once": True, "first_player": "none"}


def test_seeds_seats_keys_and_options_of_a_wrong_kind_are_refused(game: Game) -> None:
    state = game.start()
    with pytest.raises(TypeError, match="a seed is a whole number, not '7'"):
        game.start("7")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a seat is a number, not 'blue'"):
        state.view("blue")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the key of an option is a text, not 3"):
        state.option(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="apply takes an Option"):
        state.apply(state.options()[0].key)  # type: ignore[arg-type]


# ---- options ---------------------------------------------------------------------------------------------------------


def test_options_compare_by_what_they_are(game: Game) -> None:
    state = game.start(3)
    first = state.options()[0]
    assert first in state.options()
    assert first == game.start(3).options()[0]
    assert len({first, state.options()[0], state.options()[1]}) == 2
    assert first != state.options()[1]


def test_white_space_in_a_key_means_nothing() -> None:
    state = load("tic_tac_toe").start()
    assert state.option(" place_mark  cell[0, 2]").key == "place_mark cell[0,2]"


# ---- elsewhere -------------------------------------------------------------------------------------------------------


def _middle(game: Game, decisions: int) -> State:
    state, chance = game.start(11), random.Random(5)
    for _ in range(decisions):
        options = state.options()
        state = state.apply(options[chance.randrange(len(options))])
    return state


@pytest.mark.parametrize("decisions", [0, 3, 5])
def test_states_and_options_can_be_pickled_and_copied(game: Game, decisions: int) -> None:
    state = _middle(game, decisions)
    for again in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
        assert again == state
        assert again.options().keys() == state.options().keys()
    option = pickle.loads(pickle.dumps(state.options()[-1]))
    assert option == state.options()[-1]
    assert state.apply(option) == state.apply(state.options()[-1])


def test_a_pickled_state_goes_on_in_another_process(tmp_path: Path) -> None:
    game = load("agora_barcelona", players=4, options={"take_at_once": True})
    state = _middle(game, 6)
    (tmp_path / "state").write_bytes(pickle.dumps(state))
    code = "import pickle, sys; s = pickle.load(open(sys.argv[1], 'rb')); print(s.apply(s.options()[0]).digest())"
    words = [sys.executable, "-c", code, str(tmp_path / "state")]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == state.apply(state.options()[0]).digest()


def test_a_pickle_of_other_content_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    text = (games()["tic_tac_toe"] / "tic_tac_toe.yaml").read_text(encoding="utf-8")
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    data = pickle.dumps(load(folder).start())
    (folder / "game.yaml").write_text(text.replace("at_least: 3", "at_least: 2"), encoding="utf-8")
    with pytest.raises(ValueError, match="the content of tic_tac_toe is not the one that was pickled"):
        pickle.loads(data)


def test_damaged_bytes_are_refused_or_are_a_state_that_can_be_played(game: Game) -> None:
    good, chance = _middle(game, 4).to_bytes(), random.Random(2)
    refused = 0
    for _ in range(300):
        bad = bytearray(good)
        for _ in range(chance.randrange(1, 4)):
            bad[chance.randrange(len(bad))] = chance.randrange(256)
        try:
            state = game.state_from_bytes(bytes(bad))
        except ValueError:
            refused += 1
            continue
        assert state.to_json().keys() > state.view(0).to_json().keys()
        for _ in range(3):
            if state.decision is not None:
                state = state.apply(state.options()[0])
    assert refused > 100
