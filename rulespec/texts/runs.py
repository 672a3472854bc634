"""Findings of one cause as one: sentences that follow each other and that only one rulebook has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from rulespec.texts.findings import SEVERITIES, Draft

_NEXT: Final = 2  #: how far two sentences of one passage are from each other: a heading may stand between them


def passages(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """The drafts in their order, those of sentences that only one language has put together to passages."""
    run: list[Draft] = []
    for draft in drafts:
        if draft.kind == "addition" and run and _goes_on(run[-1], draft):
            run.append(draft)
            continue
        yield from _passage(run)
        run = [draft] if draft.kind == "addition" else []
        if not run:
            yield draft
    yield from _passage(run)


def _goes_on(before: Draft, draft: Draft) -> bool:
    return draft.odd == before.odd and draft.cluster - before.cluster <= _NEXT


def _passage(run: list[Draft]) -> Iterator[Draft]:
    if len(run) < 2:
        yield from run
        return
    first = run[0]
    lacking = [place for place in first.places if place.lacking]
    others = f"{' and '.join(place.language for place in lacking)} {'do' if len(lacking) > 1 else 'does'}"
    yield replace(
        first,
        severity=min((draft.severity for draft in run), key=SEVERITIES.index),
        confidence=max(draft.confidence for draft in run),
        places=(*lacking, *(place for draft in run for place in draft.places if not place.lacking)),
        message=f"Only {first.odd} says these {len(run)} sentences; {others} not.",
        facts=tuple(dict.fromkeys(fact for draft in run for fact in draft.facts)),
    )
