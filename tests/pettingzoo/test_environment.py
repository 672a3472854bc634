"""Games as environments: PettingZoo's own test, and what agents are given."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

pytest.importorskip("pettingzoo", reason="the extra 'pettingzoo' is not installed")

from pettingzoo.test import api_test, seed_test

from interpreter.imagine import imagine
from interpreter.pettingzoo import GameEnv, environment
from tests.engine.small import small

pytestmark = pytest.mark.filterwarnings("ignore")  # the library warns of what is only unusual


@pytest.mark.parametrize(("game", "cycles"), [("tic_tac_toe", 200), ("connect_four", 200), ("agora_barcelona", 60)])
def test_the_library_finds_no_fault(game: str, cycles: int) -> None:
    api_test(environment(game), num_cycles=cycles, verbose_progress=False)


@pytest.mark.long
@pytest.mark.parametrize("game", ["metro", "barcelona", "hex", "reversi", "breakthrough"])
def test_the_library_finds_no_fault_in_any_game(game: str) -> None:
    api_test(environment(game), num_cycles=40, verbose_progress=False)


def test_the_same_seed_plays_alike() -> None:
    seed_test(lambda: environment("connect_four"), num_cycles=20)


def _env(game: str = "hints") -> GameEnv:
    env = GameEnv(small(game)) if game == "hints" else environment(game)
    env.reset(seed=1)
    return env


def test_a_whole_game() -> None:
    """Red takes the left stall, blue the middle one with the coin, and so wins."""
    env = _env()
    assert env.agent_selection == "red"
    assert env.infos["red"]["keys"] == ("pick left", "pick middle", "pick right")
    env.step(0)
    assert (env.agent_selection, env.infos["blue"]["keys"]) == ("blue", ("pick middle", "pick right"))
    assert list(env.observe("blue")["action_mask"][:3]) == [1, 1, 0]
    assert not env.observe("red")["action_mask"].any()
    env.step(0)
    assert env.terminations == {"red": True, "blue": True}
    assert env.rewards == {"red": -1.0, "blue": 1.0}
    assert env.infos["red"]["scores"] == (0, 1)


def test_what_is_seen_in_numbers() -> None:
    """Red decides; red looks; `pick` is asked; no points; of three stalls the left one is taken; 9 goods for red."""
    env = _env()
    env.step(0)
    assert list(env.observe("red")["observation"]) == [
        0, 1,  # blue decides
        1, 0,  # red sees
        1,     # the one decision that there is
        0, 0,  # points
        1, 0, 0,  # stalls that are taken
        9, 0,  # goods
    ]  # fmt: skip


def test_a_number_that_is_no_option() -> None:
    with pytest.raises(ValueError, match="red has 3 options, and 3 is none of them"):
        _env().step(3)


def test_a_space_that_is_too_small() -> None:
    env = GameEnv(small("hints"), most=2)
    with pytest.raises(ValueError, match="there are 3 options"):
        env.reset(seed=1)


@pytest.mark.parametrize("game", ["agora_barcelona", "metro"])
def test_nothing_hidden_is_in_it(game: str) -> None:
    """States that look the same to a seat have the same numbers, and those that look otherwise need not."""
    env, dice = _env(game), random.Random(3)
    others = 0
    for _ in range(40):
        seat = dice.randrange(env.game.players)
        agent, real = env.possible_agents[seat], env.position
        seen = env.observe(agent)["observation"]
        other = imagine(real, seat, dice.randrange(1000))
        assert (env._seen.numbers(other, seat) == seen).all()
        rival = (seat + 1) % env.game.players
        others += bool((env._seen.numbers(other, rival) != env._seen.numbers(real, rival)).any())
        env.step(dice.randrange(len(real.options())))
    assert others > 10


def test_it_can_be_drawn() -> None:
    env = environment("tic_tac_toe", render_mode="ansi")
    env.reset(seed=1)
    env.step(0)
    drawn = env.render()
    assert drawn is not None
    assert "X" in drawn


def test_without_the_extra_it_is_said_what_to_install() -> None:
    words = "import sys; sys.modules['gymnasium'] = None; import interpreter.pettingzoo"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=False)
    assert "gymnasium is missing: pip install 'rulespec[pettingzoo]'" in done.stderr
