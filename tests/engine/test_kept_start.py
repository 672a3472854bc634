"""A game whose program is kept begins without what only its making needs."""

from __future__ import annotations

import subprocess
import sys

BEGINS = """
import sys
from interpreter import load
load("tic_tac_toe").start(1).options()[0]
needless = ("lark", "rulespec.build", "rulespec.lower.program", "rulespec.lower.steps", "rulespec.expr.build")
print([name for name in needless if name in sys.modules])
"""


def test_a_kept_game_begins_without_parser_and_lowering() -> None:
    for _ in range(2):  # the first time the program may be made
        done = subprocess.run([sys.executable, "-c", BEGINS], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
