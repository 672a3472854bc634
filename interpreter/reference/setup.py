"""The set-up: what cannot be done in it, with no `try` on the way to it, is a fault of the content."""

from __future__ import annotations

from interpreter.reference.faults import Fault
from interpreter.reference.position import Position
from rulespec.lower.missing import missing, too_few_drawn


def is_setting_up(p: Position) -> bool:
    """Whether the set-up is being run."""
    return bool(p.slots[p.game.procs[p.game.program.entries["setup"]].back])


def is_needed(p: Position, at: int) -> bool:
    """Whether the set-up runs an instruction, and no `try` on the way to it says what is done instead."""
    blocks = p.game.blocks
    while not blocks.is_tried(at):
        proc = p.game.procs[blocks.proc[at]]
        if proc.id == p.game.program.entries["setup"]:
            return True
        back = p.slots[proc.back]
        if not back:
            return False
        at = back - 1
    return False


def must_be_done(p: Position, at: int) -> None:
    """A step has failed: a fault where the set-up needs it (RS805)."""
    if is_needed(p, at):
        raise Fault("RS805", why=missing(p.game.instrs, at))


def must_be_drawn(p: Position, at: int, wanted: int, drawn: int) -> None:
    """A draw moved so many pieces: a fault where the set-up needs more (RS805)."""
    if drawn < wanted and is_needed(p, at):
        raise Fault("RS805", why=too_few_drawn(wanted, drawn))


def must_be_enough(p: Position, at: int, wanted: int, found: int) -> None:
    """A set is chosen out of so many candidates: a fault where the set-up needs more (RS804)."""
    if found < wanted and is_needed(p, at):
        raise Fault("RS804", wanted=wanted, found=found)
