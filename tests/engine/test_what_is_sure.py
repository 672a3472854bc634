"""What is held for certain without being run is certain: small games in which a later step of the same unit fails.

An option exists only if all of its unit can be done. Each game has a step that cannot be done, behind something that
may be declined; so nothing is offered, the unit is left out, and the game is over.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bench.games.make import as_yaml
from interpreter import Game, load
from interpreter.explaining import Explainer
from interpreter.game import EXECUTORS

GAME: dict[str, Any] = {
    "game": {"id": "made", "language": 1, "title": {"en": "Made"}, "players": 2, "seats": ["red", "green"]},
    "pieces": {"token": {"count": 1}},
    "zones": {
        "supply": {"shape": "stack", "holds": "token", "start": True},
        "store": {"shape": "stack", "holds": "token"},
        "bag": {"shape": "pool", "holds": "token"},
    },
    "ranking": [{"most": "player.score"}],
}
MAY = {"do": [{"may": [{"score": 1, "reason": "a"}]}]}
NEVER = {"move": "store.top", "to": "bag"}
CHOICE = {"choose": "n", "from": "0..2"}


def loaded(folder: Path, parts: dict[str, Any]) -> Game:
    (folder / "made.yaml").write_text(as_yaml({**GAME, **parts}), encoding="utf-8")
    return load(folder, players=2)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            {"effects": {"extra": MAY}, "flow": [CHOICE, {"perform": "extra"}, NEVER]},
            id="behind what the flow performs in the same unit",
        ),
        pytest.param(
            {"effects": {"extra": MAY}, "flow": [CHOICE, {"try": [{"perform": "extra"}]}, NEVER]},
            id="behind an attempt in a unit of the flow",
        ),
        pytest.param(
            {
                "effects": {
                    "twice": {
                        "do": [
                            {
                                "for_each": "m",
                                "in": "player",
                                "optional": True,
                                "do": [{"choose": "n", "from": "0..2", "up_to": 1}, NEVER],
                            }
                        ]
                    }
                },
                "flow": [{"as": "red", "do": [{"perform": "twice"}]}],
            },
            id="in the rest of a pass that was begun",
        ),
    ],
)
def test_what_fails_later_in_a_unit_is_not_offered(tmp_path: Path, parts: dict[str, Any]) -> None:
    game = loaded(tmp_path, parts)
    assert game.start(1).result is not None
    for executor in EXECUTORS:
        game.play_by(executor)
        assert game.start(1).result is not None


def test_the_unit_of_the_flow_may_end_before_what_fails(tmp_path: Path) -> None:
    """The choice and what it performs are a unit by themselves: what cannot be done comes behind it."""
    parts = {"effects": {"extra": MAY}, "actions": {"act": {"do": [CHOICE, {"perform": "extra"}]}}}
    game = loaded(tmp_path, {**parts, "flow": [{"perform": "act"}, {"try": [NEVER]}]})
    assert [option.key for option in game.start(1).options()] == ["act 0", "act 1", "act 2"]


# ---- states ----------------------------------------------------------------------------------------------------------

#: The function does not read what it is given, so that nothing reads `v` behind the choice once it is simplified.
SIMPLIFIED = {
    "functions": {"f": {"params": {"k": "integer"}, "type": "integer", "is": "green.score"}},
    "flow": [
        {"let": "v", "be": "red.score"},
        {"choose": "n", "from": "0..2"},
        {"score": "f(v)", "for": "red", "reason": "a"},
    ],
}


def test_a_state_goes_with_the_program_as_it_was_written(tmp_path: Path) -> None:
    """What explains options takes the states of the game, whatever was left out of it when it was made simpler."""
    game = loaded(tmp_path, SIMPLIFIED)
    state = game.start(1)
    assert [Explainer(game).offered(state, option).option for option in state.options()] == list(state.options())


def test_the_reference_reads_the_same_state(tmp_path: Path) -> None:
    from bench.differential import Pair
    from interpreter.native.executor import Native

    game = loaded(tmp_path, SIMPLIFIED)
    pair = Pair(game, Native(game.built, game.facts, (), cache=False))
    assert not pair.begin(1)
    while pair.options:
        assert not pair.advance(random.Random(1).randrange(len(pair.options)))
