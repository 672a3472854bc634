"""The words for shapes: what should stand somewhere, and what stands there."""

from __future__ import annotations

import re
from collections.abc import Sequence as Many
from typing import Final

from rulespec.model.registry import VERBS
from rulespec.model.shapes import (
    NAME,
    STEPS,
    Boolean,
    ByNode,
    Data,
    Expression,
    Integer,
    ListOf,
    MapOf,
    Name,
    Shape,
    Text,
    Type,
    Use,
    Word,
)
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

_WANTED: Final[dict[type[Shape], str]] = {
    Text: "a text",
    Integer: "a whole number",
    Boolean: "true or false",
    Expression: "an expression",
    Type: "a type",
    ListOf: "a list",
    MapOf: "a map",
    Use: "a map",
    Data: "a value or a table",
}


def quoted(name: str) -> str:
    """A key as messages name it."""
    return f"'{name}'"


def listed(names: Many[str], joint: str = "or") -> str:
    """`a`, `b` or `c`."""
    ticked = [f"`{name}`" if " " not in name else name for name in names]
    return f" {joint} ".join([", ".join(ticked[:-1]), ticked[-1]]) if len(ticked) > 1 else "".join(ticked)


def wanted_shape(shape: Shape) -> str:
    """What should stand at a place of this shape, with an article."""
    if shape == STEPS:
        return "a list of steps"
    match shape:
        case Word():
            return f"one of {listed(shape.names)}"
        case Name():
            return shape.naming.what
        case ByNode():
            return _either(shape)
        case _:
            return _WANTED.get(type(shape), "anything")


def _either(shape: ByNode) -> str:
    forms = [form for form in (shape.scalar, shape.sequence, shape.mapping) if form is not None]
    return " or ".join(dict.fromkeys(wanted_shape(form) for form in forms))


def found_shape(node: Node) -> str:
    """What stands at a place, with an article."""
    match node:
        case Mapping():
            return "a map"
        case Sequence():
            return "a list"
        case Scalar(value=bool()):
            return "a truth value"
        case Scalar(value=int()):
            return "a number"
        case _:
            return "a text"


def entries_wanted(least: int, most: int | None) -> str:
    """How many entries something should have."""
    number = f"{least} {'entry' if least == 1 else 'entries'}"
    return f"exactly {number}" if least == most else f"at least {number}"


def mend_for(shape: Shape, node: Node) -> str | None:
    """How to write what is there in the shape that is wanted, where that is plain."""
    match shape, node:
        case (Type(least=least), Scalar(value=int())) if not isinstance(node.value, bool):
            return f"A range is written `{least}..{node.text}`, both ends included."
        case (Text() | Type(), Scalar()):
            return f'Put it in quotes: "{node.text}".'
        case (Integer() | Boolean(), Scalar(style="single" | "double")):
            return f"Write it without quotes: {node.text}."
        case (Boolean(), Scalar()):
            return "Write `true` or `false`."
        case (ListOf(item=Use(record="step")), Mapping()):
            return "Put `- ` before the step: a list may hold a single one."
        case (ListOf(item=Use(record="step")), Scalar()):
            is_action = isinstance(node.value, str) and re.fullmatch(NAME, node.text) and node.text not in VERBS
            return f"Write it as a list of steps: [{{perform: {node.text}}}]." if is_action else None
        case (ListOf(item=Use()), Scalar()):
            return None
        case (ListOf(), Scalar()):
            return f"Write it as a list: [{node.text}]."
        case (Expression(), Mapping()):
            return "An expression stands on one line after its key, without braces."
        case _:
            return None
