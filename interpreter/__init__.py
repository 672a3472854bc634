"""Runs games that are written down as data.

game = load("tic_tac_toe")
state = game.start(seed=7)
while state.decision is not None:
    state = state.apply(state.options()[0])
state.result.scores
"""

from interpreter.game import Game, load
from interpreter.options import Option
from interpreter.refusal import IllegalOption
from interpreter.state import Decision, Result, State
from rulespec.diagnostics.model import ContentError

__all__ = ["ContentError", "Decision", "Game", "IllegalOption", "Option", "Result", "State", "load"]
