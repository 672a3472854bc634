"""Conditions of `where` that are always true, or never: they filter nothing, or everything."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping

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
            problems.add("RS630", span, value="true", hint="Leave it out, or see whether another thing was meant.")
        elif values == {False}:
            problems.add("RS630", span, value="false", hint="Nothing passes it. See whether another thing was meant.")
