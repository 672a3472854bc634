"""What a position is worth: the points as they would be if the game ended there."""

from __future__ import annotations

from contextlib import suppress

from interpreter.executor.runtime import copy_cells
from interpreter.state import State
from rulespec.diagnostics.model import ContentError


def points_if_over(state: State) -> tuple[int, ...]:
    """The points by seat after the content's final scoring, as if the game ended in this position.

    Where the final scoring asks a player, or cannot be done in this position, what it has scored up to there counts.
    """
    game = state.game
    if state.candidates is None:
        return game.result_of(state).scores
    cells = copy_cells(state.cells)
    game.compiled.namespace["unwind"](cells)
    program = game.compiled.program
    end = next(proc for proc in program.procs if proc.id == program.entries["end"])
    with suppress(ContentError):  # content that is at fault here shows it where the game itself comes there
        game.machine.run(cells, end.entry)
    base = game.compiled.layout.regions["player.score"]
    return tuple(int(points) for points in cells[base : base + game.players])
