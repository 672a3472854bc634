"""Games without an end, played from Python: what is left says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, load
from interpreter.playouts import MOST_DECISIONS

GAME = """\
game: {id: circle, language: 1, title: {en: Circle}, players: 2, seats: [red, blue]}
state: {round: {type: 0..1, start: 1}, laps: {type: 0..9, start: 0}}
flow:
  - repeat:
      - choose: n
        from: 0..1
      - set: round
        to: n
    while: ENDS
  - score: 1
    for: red
    reason: luck
"""


def _game(folder: Path, ends: str) -> Game:
    (folder / "circle.yaml").write_text(GAME.replace("ENDS", ends), encoding="utf-8")
    return load(str(folder), players=2)


def test_random_games_that_are_left_are_told(tmp_path: Path) -> None:
    game = _game(tmp_path, "round < 2")  # always
    with pytest.warns(
        RuntimeWarning, match=rf"^2 of 2 games were not over after {MOST_DECISIONS:,} decisions and were left"
    ):
        found = game.playouts(None, 2, seed=1)
    assert found.unfinished == (0, 1)
    assert list(found.decisions) == [MOST_DECISIONS, MOST_DECISIONS]
    assert (found.wins(0), found.wins(1)) == (0.0, 0.0)


def test_games_that_end_are_not_among_them(tmp_path: Path) -> None:
    """Without a ranking both share each victory."""
    found = _game(tmp_path, "round == 1").playouts(None, 5, seed=1)
    assert found.unfinished == ()
    assert (found.wins(0), min(found.decisions)) == (0.5, 1)


def test_an_environment_truncates(tmp_path: Path) -> None:
    pytest.importorskip("pettingzoo", reason="the extra 'pettingzoo' is not installed")
    from interpreter import pettingzoo as environment

    env = environment.GameEnv(_game(tmp_path, "round < 2"), most_decisions=3)
    env.reset(seed=1)
    steps = 0
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        if truncated:
            assert (reward, terminated, info) == (0.0, False, {"unfinished": 3})
            env.step(None)
            continue
        env.step(env.infos[agent]["actions"][0])
        steps += 1
    assert steps == 3
    with pytest.raises(ValueError, match="at least 1"):
        environment.GameEnv(_game(tmp_path, "round < 2"), most_decisions=0)
