"""The ways out that are told with a problem of an expression, in the words of that expression."""

from __future__ import annotations

import re

from rulespec.diagnostics.fixes import Fix, removed, replaced
from rulespec.model.types import Boolean, Integer, ListType, SetType, Type, Zone, strip
from rulespec.source.text import Span

#: The longest text that is said again in a hint, in characters.
_SHORT = 40


def none_hint(span: Span) -> str:
    """How to say what to do where there is nothing."""
    if not _is_short(span):
        return "Write `otherwise` and a value after it, or ask with `exists` first."
    return f"Write `{span.text} otherwise …`, or ask `exists {span.text}` first."


def none_fixes(span: Span, found: Type) -> tuple[Fix, ...]:
    """What is taken where there is nothing: false for a condition, which then does not hold; a number is a guess."""
    of = strip(found)
    if isinstance(of, Boolean):
        value = "false"
    elif isinstance(of, Integer):
        value = "0" if (of.low or 0) <= 0 else str(of.low)
    else:
        return ()
    file = span.file.text
    before = file[file.rfind("\n", 0, span.start) + 1 : span.start]
    is_alone = re.fullmatch(r".*(?::|-)\s+[\"']?", before) and re.match(r"[\"']?[ \t]*(\r?\n|$)", file[span.end :])
    whole = f"{span.text} otherwise {value}"
    return (
        replaced(span, whole if is_alone else f"({whole})", f"Add `otherwise {value}`", is_certain=value == "false"),
    )


def without_otherwise(left: Span, whole: Span) -> tuple[Fix, ...]:
    """An expression without the `otherwise` behind its beginning."""
    rest = Span(whole.file, left.end, whole.end)
    is_all = rest.text.lstrip().startswith("otherwise") and rest.text.count("(") == rest.text.count(")")
    return (removed(rest),) if is_all else ()


def divisor_fixes(span: Span) -> tuple[Fix, ...]:
    """A number that is at least 1: what is divided by may have meant something else."""
    return (replaced(span, f"max(1, {span.text})", is_certain=False),) if _is_short(span) else ()


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
