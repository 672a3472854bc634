"""Runs games that are written down as data.

game = load("my_game")
state = game.start(seed=7)
while state.decision is not None:
    state = state.apply(state.options()[0])
state.result.scores
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.events import Event
    from interpreter.game import Game, load
    from interpreter.options import Option
    from interpreter.refusal import IllegalOption
    from interpreter.state import Decision, Result, State
    from rulespec.diagnostics.model import ContentError

__all__ = ["ContentError", "Decision", "Event", "Game", "IllegalOption", "Option", "Result", "State", "load"]

# read when first asked for, so that commands that run no game start without the engine
_HOMES = {
    "ContentError": "rulespec.diagnostics.model",
    "Decision": "interpreter.state",
    "Event": "interpreter.events",
    "Game": "interpreter.game",
    "IllegalOption": "interpreter.refusal",
    "Option": "interpreter.options",
    "Result": "interpreter.state",
    "State": "interpreter.state",
    "load": "interpreter.game",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'interpreter' has no attribute {name!r}")
    return getattr(import_module(home), name)
