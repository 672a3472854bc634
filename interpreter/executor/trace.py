"""What conditions were made of when they were looked at: written into the blocks only where somebody asks for it."""

from __future__ import annotations

from interpreter.condition_parts import parts
from interpreter.executor.writing import Source
from rulespec.lower.ir import Ir


def note_condition(s: Source, at: int, me: int, condition: Ir) -> None:
    """Where events are kept: the condition at an instruction with the values of its parts, just before it is tested."""
    with s.block("if sink is not None:"):
        values = "".join(f"{s.ex(part)}, " for part in parts(condition))
        s.line(f"sink.append(('condition', {at}, c[{me}], ({values})))")


def note_means(s: Source, at: int, me: int, amounts: tuple[str, str]) -> None:
    """As `note_condition`, of a payment: what there is, and what there is to pay."""
    with s.block("if sink is not None:"):
        s.line(f"sink.append(('condition', {at}, c[{me}], ({amounts[0]}, {amounts[1]})))")
