"""What proofs have found of a program, kept for the next time: where look-aheads need not look, what may be declined.

Finding it takes longer than anything else before the first options. What is kept is used with the same program alone,
and by the same version of this one; the functions are written from the program in any case.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.source import store
from rulespec.source.program import program_digest

if TYPE_CHECKING:
    from interpreter.middle.facts import Facts

_PACKAGE = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Shape:
    """The asks whose options are found without looking ahead, each with whether that holds however many units are
    open; and those that may be declined, after which nothing can fail.
    """

    guards: dict[int, bool]
    declinable: frozenset[int]


def recalled(facts: Facts) -> Shape | None:
    """What was found of the program; None where that is not known."""
    name = _name(facts)
    kept = None if name is None else store.read(name)
    try:
        return None if kept is None else _shape(kept, facts)
    except (LookupError, TypeError, ValueError):
        return None


def keep(facts: Facts, shape: Shape) -> None:
    """Keeps it, where the program is one that is kept."""
    name = _name(facts)
    if name is not None:
        store.write(name, {"guards": list(shape.guards.items()), "declinable": sorted(shape.declinable)})


def _shape(kept: Any, facts: Facts) -> Shape:
    guards, declinable = dict(kept["guards"]), frozenset(kept["declinable"])
    if not (guards.keys() | declinable) <= facts.asks.keys() or not all(type(deep) is bool for deep in guards.values()):
        raise ValueError("no shape of this program")
    return Shape(guards, declinable)


def _name(facts: Facts) -> str | None:
    key = facts.built.key
    return None if key is None else f"shape-{store.digest(key, program_digest(_PACKAGE))}"
