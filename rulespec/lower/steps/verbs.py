"""Which module lowers which verb."""

from __future__ import annotations

from rulespec.lower.steps import calls, choices, counters, flow, handling
from rulespec.lower.steps.builder import StepLowering

HANDLERS: dict[str, StepLowering] = {
    "choose": choices.step_choose,
    "for_each": flow.step_for_each,
    "repeat": flow.step_repeat,
    "if": flow.step_if,
    "let": flow.step_let,
    "require": flow.step_require,
    "perform": calls.step_perform,
    "may": flow.step_may,
    "try": flow.step_try,
    "together": flow.step_together,
    "as": flow.step_as,
    "turns": flow.step_turns,
    "move": handling.step_move,
    "draw": handling.step_draw,
    "refill": handling.step_refill,
    "shuffle": handling.step_shuffle,
    "flip": handling.step_flip,
    "roll": handling.step_roll,
    "look": handling.step_look,
    "gain": counters.step_gain,
    "pay": counters.step_pay,
    "set": counters.step_set,
    "eliminate": counters.step_eliminate,
    "advance": counters.step_advance,
    "score": counters.step_score,
    "record": counters.step_record,
    "emit": calls.step_emit,
    "finish": flow.step_finish,
}
