"""Short ways to write the fields of verbs."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.names import MEMBER
from rulespec.model.shapes import (
    STEPS,
    Expression,
    Field,
    MapOf,
    Name,
    Shape,
)

STEPS_EXAMPLE: Final = "[{score: 1, reason: bridges}]"


def value(expects: str, scope: str = "steps") -> Expression:
    """An expression that is read in a list of steps, where nothing else is said."""
    return Expression(expects=expects, scope=scope)


def steps(name: str, meaning: str, *, required: bool = False, default: str | None = None) -> Field:
    """A field that holds steps."""
    return Field(name, meaning, STEPS, STEPS_EXAMPLE, required, default)


def verb(name: str, meaning: str, shape: Shape, example: str) -> Field:
    """The verb itself, always a form's first field."""
    return Field(name, meaning, shape, example, required=True)


def field(name: str, meaning: str, shape: Shape, example: str, default: str | None = None) -> Field:
    """A field that may be left out."""
    return Field(name, meaning, shape, example, default=default)


def needed(name: str, meaning: str, shape: Shape, example: str) -> Field:
    """A field that must be there."""
    return Field(name, meaning, shape, example, required=True)


#: Beside what can be refused.
RULE_LABEL: Final = field(
    "rule",
    "The label under which this condition or cost is lifted by `without`, and the rule that a refusal names.",
    Name(naming=MEMBER),
    "bridge_cost",
)

#: Counters of `me` with amounts.
COUNTERS: Final = MapOf(key=MEMBER, value=value("integer"), least=1)
