"""Findings of one cause as one: sentences that follow each other and that only one rulebook has; one name for another,
wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from rulespec.texts.findings import SEVERITIES, Draft
from rulespec.texts.wording import Words

_NEXT: Final = 2  #: how far two sentences of one passage are from each other: a heading may stand between them


def passages(drafts: Iterable[Draft], words: Words) -> Iterator[Draft]:
    """The drafts in their order, those of sentences that only one language has put together to passages."""
    run: list[Draft] = []
    for draft in drafts:
        if draft.kind == "addition" and run and _goes_on(run[-1], draft):
            run.append(draft)
            continue
        yield from _passage(run, words)
        run = [draft] if draft.kind == "addition" else []
        if not run:
            yield draft
    yield from _passage(run, words)


def _goes_on(before: Draft, draft: Draft) -> bool:
    return draft.odd == before.odd and draft.cluster - before.cluster <= _NEXT


def _passage(run: list[Draft], words: Words) -> Iterator[Draft]:
    if len(run) < 2:
        yield from run
        return
    first = run[0]
    lacking = [place for place in first.places if place.lacking]
    own = [place for draft in run for place in draft.places if not place.lacking]
    assert first.odd is not None
    yield replace(
        first,
        severity=min((draft.severity for draft in run), key=SEVERITIES.index),
        confidence=max(draft.confidence for draft in run),
        places=(*lacking, *own),
        message=words.passage(first.odd, [place.excerpt for place in own], own[0].line),
        facts=tuple(dict.fromkeys(fact for draft in run for fact in draft.facts)),
    )


def causes(drafts: Iterable[Draft], words: Words) -> Iterator[Draft]:
    """The drafts, those in which one name stands for another put together; the others as they are."""
    by_cause: dict[tuple[str, str | None, tuple[str, ...]], list[Draft]] = {}
    for draft in drafts:
        if draft.named:
            by_cause.setdefault((draft.kind, draft.odd, draft.facts), []).append(draft)
        else:
            yield draft
    for own in by_cause.values():
        yield own[0] if len(own) == 1 else _cause(own, words)


def _cause(own: list[Draft], words: Words) -> Draft:
    """Several places of one cause as one draft, which the gravest and surest speaks for."""
    first = min(own, key=lambda draft: (SEVERITIES.index(draft.severity), -draft.confidence, draft.cluster))
    rest = [draft for draft in own if draft is not first]
    places = (*first.places, *(place for draft in rest for place in draft.places))
    return replace(first, places=places, anchor=(), message=words.again(first.message, len(rest)))
