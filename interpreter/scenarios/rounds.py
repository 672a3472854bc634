"""The end of a round: where a pass of a `repeat` is done, and nothing of the next one has begun.

No decision stands there, so that an executor goes on beyond it. The last step to it is done by the reference, which can
be stopped at an instruction; what it does is what any executor does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.game import Game
from interpreter.middle.pieces import copy_cells
from interpreter.state import Decision, Result, State
from rulespec.overlay.fingerprint import UNPLAYED
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span


class EndOfRound(State):
    """A position between two passes: nobody is asked, and the game is not over."""

    __slots__ = ()

    @property
    def decision(self) -> Decision | None:
        """Nobody decides here."""
        return None

    @property
    def result(self) -> Result | None:
        """The game goes on."""
        return None


def ends_of(game: Game, name: Scalar | None) -> frozenset[int]:
    """The instructions at which the passes of the rounds with a name are done; none without a name."""
    if name is None:
        return frozenset()
    rounds: dict[tuple[str, int], Mapping] = {}
    for section, node in game.tree.pairs:
        if section.text not in UNPLAYED:
            rounds.update((_place(span), step) for span, step in _rounds(node, name.text))
    instrs, found = game.facts.program.instrs, set()
    for at, instr in enumerate(instrs):
        step = rounds.get(_place(instr.span)) if instr.op == "loop" and instr.span is not None else None
        if step is not None:
            end, until = game.facts.structure.end[at], step.get("until")
            behind = instrs[end - 1]
            found.add(end - 1 if until is not None and behind.op == "break_if" and behind.span == until.span else end)
    return frozenset(found)


def advance_to(game: Game, state: State, candidate: Any, ends: frozenset[int], *, events: bool) -> State:
    """The state after an answer, but no further than to one of these ends."""
    machine, cells = game.machine, copy_cells(state.cells)
    sink = [("choice", cells[0], cells[machine.me], candidate, state.cells)] if events else None
    found = machine.run_to(cells, machine.answer(cells, cells[0], candidate), ends, sink)
    if found is None and not cells[machine.over]:
        return EndOfRound(game, cells, [], sink)
    return State(game, cells, found, sink)


def _place(span: Span) -> tuple[str, int]:
    return str(span.file.name), span.start


def _rounds(node: Node, name: str) -> Iterator[tuple[Span, Mapping]]:
    """The steps `repeat` of a round, with the places of their verbs."""
    if isinstance(node, Mapping):
        verb, called = node.key_node("repeat"), node.get("round")
        if verb is not None and isinstance(called, Scalar) and called.text == name:
            yield verb.span, node
    inner = [value for _, value in node.pairs] if isinstance(node, Mapping) else ()
    for item in node.items if isinstance(node, Sequence) else inner:
        yield from _rounds(item, name)
