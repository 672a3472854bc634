"""Runs for tests: plans of small games, and what they come to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interpreter.simulate.journal import Journal
from interpreter.simulate.plan import Arm, Plan, with_fingerprints
from interpreter.simulate.records import Record
from interpreter.simulate.run import Results, simulate

BREAKER = """
import os

class Breaker:
    \"\"\"Ends its process in games with some seeds, and else plays the first option.\"\"\"

    def __init__(self, seat, seed):
        self.breaks = seed % {every} == 0

    def choose(self, state, options):
        if self.breaks:
            os._exit(7)
        return options[0]
"""


def plan(
    game: str = "tic_tac_toe", games: int = 30, seats: tuple[str, ...] = ("random", "random"), **more: Any
) -> Plan:
    """A plan with its fingerprints."""
    return with_fingerprints(Plan(game=game, players=len(seats), seats=seats, games=games, **more))


def records(of: Plan, folder: Path | None = None, **how: Any) -> list[Record]:
    """The records of a run, in the order in which they are kept."""
    found: list[Record] = []
    simulate(of, folder=folder, see=found.append, **how)
    return found


def results(of: Plan, **how: Any) -> Results:
    """What a run comes to."""
    return simulate(of, **how)


def kept(folder: Path) -> list[Record]:
    """The records in a folder."""
    return list(Journal(folder).records())


def breaker(folder: Path, every: int) -> str:
    """A player that breaks the process in one game of so many."""
    path = folder / "breaker.py"
    path.write_text(BREAKER.format(every=every), "utf-8")
    return f"{path}:Breaker"


__all__ = ["Arm", "breaker", "kept", "plan", "records", "results"]
