"""The ways out that are told with a problem of an expression, in the words of that expression."""

from __future__ import annotations

from rulespec.model.types import Integer, ListType, SetType, Type, Zone
from rulespec.source.text import Span

#: The longest text that is said again in a hint, in characters.
_SHORT = 40


def none_hint(span: Span) -> str:
    """How to say what to do where there is nothing."""
    if not _is_short(span):
        return "Write `otherwise` and a value after it, or ask with `exists` first."
    return f"Write `{span.text} otherwise …`, or ask `exists {span.text}` first."


def divisor_hint(span: Span) -> str:
    """How a number is shown never to be 0."""
    how = (
        f"Write `if {span.text} > 0 then … else …` or `max(1, {span.text})`."
        if _is_short(span)
        else "Write `max(1, …)`."
    )
    return f"{how} A declared type without 0, such as `1..6`, says it too."


def members_hint(span: Span) -> str:
    """What a list, set or zone has instead of a number."""
    text = span.text if _is_short(span) else "S"
    return f"`{text}.count` is how many there are; `take(N, {text})` are the first N."


def number_hint(span: Span, want: Type, found: Type) -> str | None:
    """What there is to write where a number is wanted and many things were found."""
    many = isinstance(want, Integer) and isinstance(found, (ListType, SetType, Zone))
    return members_hint(span) if many else None


def _is_short(span: Span) -> bool:
    return len(span.text) <= _SHORT and "\n" not in span.text
