"""Games as environments: PettingZoo's own test, and what agents are given."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

pytest.importorskip("pettingzoo", reason="the extra 'pettingzoo' is not installed")

from pettingzoo.test import api_test, seed_test

from interpreter.imagine import imagine
from interpreter.information import Information
from interpreter.pettingzoo import GameEnv, environment
from tests.engine.small import names, small
from tests.shipped import shipped

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
    assert env.actions.keys == ("pick left", "pick middle", "pick right")
    assert env.agent_selection == "red"
    assert env.infos["red"] == {"keys": ("pick left", "pick middle", "pick right"), "actions": (0, 1, 2)}
    env.step(0)
    assert (env.agent_selection, env.infos["blue"]["keys"]) == ("blue", ("pick middle", "pick right"))
    assert list(env.observe("blue")["action_mask"]) == [0, 1, 1]
    assert not env.observe("red")["action_mask"].any()
    env.step(1)
    assert env.terminations == {"red": True, "blue": True}
    assert env.rewards == {"red": -1.0, "blue": 1.0}
    assert env.infos["red"]["scores"] == (0, 1)


def test_what_is_seen_by_name() -> None:
    """Blue decides; red looks; `pick` is asked; no points; of three stalls the left one is taken; 9 goods for red."""
    env = _env()
    env.step(0)
    seen = env.observe("red")["observation"]
    assert {name: numbers.tolist() for name, numbers in seen.items()} == {
        "decides": [0, 1],
        "seat": [1, 0],
        "decision": [1],
        "score": [0, 0],
        "stall.taken": [1, 0, 0],
        "player.goods": [9, 0],
    }


def test_what_is_seen_in_one_row() -> None:
    """The same, each number as a share of its bounds: goods are 0..20, points without bounds lie around a half."""
    env = GameEnv(small("hints"), observations="flat")
    env.reset(seed=1)
    env.step(0)
    row = dict(zip(env.features, env.observe("red")["observation"].tolist(), strict=True))
    assert row == {
        "decides[red]": 0, "decides[blue]": 1,
        "seat[red]": 1, "seat[blue]": 0,
        "decision[pick.stall]": 1,
        "score[red]": 0.5, "score[blue]": 0.5,
        "stall.taken[left]": 1, "stall.taken[middle]": 0, "stall.taken[right]": 0,
        "player.goods[red]": pytest.approx(9 / 20), "player.goods[blue]": 0,
    }  # fmt: skip


def test_a_number_that_is_not_offered() -> None:
    env = _env()
    env.step(0)
    with pytest.raises(ValueError, match=r"action 0 \(pick left\) is not offered: there are 2 others"):
        env.step(0)
    with pytest.raises(ValueError, match="action 3 is not offered"):
        env.step(3)
    with pytest.raises(ValueError, match="observations are one of named, flat, not 'round'"):
        GameEnv(small("hints"), observations="round")


@pytest.mark.parametrize("observations", ["named", "flat"])
@pytest.mark.parametrize("game", [*names(), "metro", "agora_barcelona", "barcelona"])
def test_what_is_seen_lies_in_its_space(game: str, observations: str) -> None:
    """At each position of a random game, for each agent; and the mask allows what is offered, no more."""
    loaded = small(game) if game in names() else shipped(game)
    env, dice = GameEnv(loaded, observations=observations), random.Random(2)
    env.reset(seed=2)
    for _ in range(60):
        for agent in env.possible_agents:
            assert env.observation_space(agent).contains(env.observe(agent)), agent
        if env.position.decision is None:
            break
        offered = env.infos[env.agent_selection]["actions"]
        assert sorted(offered) == env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist()
        env.step(dice.choice(offered))


@pytest.mark.parametrize("game", ["agora_barcelona", "metro"])
def test_nothing_hidden_is_in_it(game: str) -> None:
    """States that look the same to a seat have the same numbers, and those that look otherwise need not."""
    env, dice = GameEnv(shipped(game), observations="flat"), random.Random(3)
    env.reset(seed=1)
    others = 0
    for _ in range(40):
        seat = dice.randrange(env.game.players)
        agent, real = env.possible_agents[seat], env.position
        seen = env.observe(agent)["observation"]
        other = imagine(real, seat, dice.randrange(1000))
        assert (env._seen.flat(other, seat) == seen).all()
        assert other.information_state(seat) == real.information_state(seat)
        rival = (seat + 1) % env.game.players
        others += bool((env._seen.flat(other, rival) != env._seen.flat(real, rival)).any())
        env.step(dice.choice(env.infos[env.agent_selection]["actions"]))
    assert others > 10


# ---- what an agent knows, as text ------------------------------------------------------------------------------------


def test_an_agent_recalls_what_it_has_seen() -> None:
    """Each text begins with what the one before it told of the past, whether or not somebody asked in between."""
    env, asked_late = _env("agora_barcelona"), _env("agora_barcelona")
    past = ""
    for _ in range(8):
        action = env.infos[env.agent_selection]["actions"][0]
        env.step(action)
        asked_late.step(action)
        told, _, now = env.information_state("blue").rpartition("\n")
        assert told.startswith(past)
        assert len(told) > len(past)
        assert now == env.position.information_state(0)
        past = told
    assert asked_late.information_state("blue") == env.information_state("blue")


def test_games_that_a_seat_cannot_tell_apart_have_one_text() -> None:
    """Jon bids in secret: until both have bid, ivy cannot know what."""
    texts = []
    for bid in ("bid 1", "bid 2"):
        known = Information(small("secrets", 2, task="bids"))
        known.begin(7)
        known.taken("bid 3")
        first = known.text(0), known.text(1)
        known.taken(bid)
        texts.append((first, known.text(0), known.text(1)))
    assert texts[0][0] == texts[1][0]
    assert texts[0][1] != texts[1][1], "when both have bid, the bids are told"


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
