"""Conditions of `where` that are always true, or never: they filter nothing, or everything."""

from __future__ import annotations

import re
from collections.abc import Mapping as AbstractMapping

from rulespec.diagnostics.fixes import Fix, removed
from rulespec.diagnostics.model import Problems
from rulespec.source.text import Span


def check_filters(filters: AbstractMapping[Span, set[bool | None]], problems: Problems) -> None:
    """Reports (RS630) each `where` that had one and the same value, known before play, wherever it was lowered.

    `filters` holds what was found for every number of players and combination of options; None: it depends on play.
    """
    if problems.has_errors:
        return
    for span, values in filters.items():
        if values == {True}:
            hint = "Leave it out, or see whether another thing was meant."
            problems.add("RS630", span, value="true", hint=hint, fixes=_without(span))
        elif values == {False}:
            problems.add("RS630", span, value="false", hint="Nothing passes it. See whether another thing was meant.")


def _without(span: Span) -> tuple[Fix, ...]:
    """The expression without the condition: another one may have been meant."""
    before = re.search(r"\s+where\s+$", span.file.text[: span.start])
    if before is None:
        return ()
    return (removed(Span(span.file, before.start(), span.end), is_certain=False),)
