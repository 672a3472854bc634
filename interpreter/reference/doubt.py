"""Why an answer is not offered: what each condition says by itself, and the steps that fail on the ways to go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from interpreter.reference.decisions import answer, candidates
from interpreter.reference.faults import CanBeCompleted, Fails
from interpreter.reference.instructions import Run, enter_try
from interpreter.reference.lookahead import MOST_INSTRUCTIONS, LookAhead, declines, offered
from interpreter.reference.position import Position
from interpreter.reference.sets import Picks
from rulespec.lower.ir import Ask, FilterPart
from rulespec.program.ops import LABELS
from rulespec.source.text import Span

#: how many answers are tried on the ways to go on
MOST_TRIED = 2_000


class Forbidden(NamedTuple):
    """What forbids an answer: a `condition` of its choice; it is `picked` already, or taken `later`; or its completion.

    `rule` and `span` are the condition's name and place; `steps` are those that fail on the ways to go on: none where
    no such way was found.
    """

    by: Literal["condition", "picked", "later", "completion"]
    rule: str = ""
    span: Span | None = None
    steps: tuple[int, ...] = ()


def forbidden(p: Position, ask: Ask, given: Any) -> Forbidden:
    """What forbids an answer to the decision at hand; the first thing that does."""
    if ask.kind == "may" or declines(ask, given):
        return Forbidden("completion", steps=failures(p, ask, given))
    candidate = given[1] if ask.kind == "set" else given
    part = failed_condition(p, ask, candidate)
    if part is not None:
        return Forbidden("condition", part.name, part.span)
    preferring = next((name for name in ask.names if name.if_possible is not None), None)
    if preferring is not None and candidate not in candidates(p, ask):
        return Forbidden("condition", preferring.preferred_name, preferring.preferred_span)
    if ask.kind == "set":
        picks = Picks(p, p.at, ask, None)
        if candidate in picks.found:
            given = picks.found.index(candidate), candidate
            if given not in picks.next():
                return Forbidden("picked")
            if picks.is_taken_later(given):
                return Forbidden("later")
    return Forbidden("completion", steps=failures(p, ask, given))


def bare_candidates(p: Position, ask: Ask) -> list[Any]:
    """All that could be meant, conditions aside."""
    names = tuple(replace(name, where=None, if_possible=None) for name in ask.names)
    return candidates(p, replace(ask, names=names, alike=None))


def failed_condition(p: Position, ask: Ask, candidate: Any) -> FilterPart | None:
    """The first part of a filter that is false of a candidate; None where none is."""
    parts = candidate if ask.record or len(ask.names) > 1 else (candidate,)
    chosen = {name.var: part for name, part in zip(ask.names, parts, strict=True)}
    every = (part for name in ask.names for part in name.where_parts)
    return next((part for part in every if not p.value(part.test, chosen)), None)


def failures(p: Position, ask: Ask, given: Any) -> tuple[int, ...]:
    """The steps that fail on the ways to go on from an answer to the decision at hand, each once.

    A labelled condition tells most: where there is one, the rest is left out.
    """
    found: list[int] = []
    tried = p.copy()
    left = [MOST_TRIED]
    ways = [iter([(tried, answer(tried, p.at, ask, given))])]  # a list of them: units may take thousands of decisions
    while ways:
        way = next(ways[-1], None)
        if way is None:
            ways.pop()
        elif (at := _to_decision(*way, found)) is not None:
            ways.append(_behind(way[0], at, p.me, found, left))
    labelled = [at for at in found if p.game.instrs[at].op in LABELS]
    return tuple(dict.fromkeys(labelled or found))


def _to_decision(p: Position, at: int, found: list[int]) -> int | None:
    """The next decision, if play comes to one; what fails before it is noted."""
    instrs, run = p.game.instrs, Run(p, 1)
    try:
        for _ in range(MOST_INSTRUCTIONS):
            if instrs[at].op in ("ask", "halt"):
                break
            if instrs[at].op != "try":
                at = run.step(at)
            elif LookAhead(p).completes_alone(p, at):
                at = enter_try(p, at)
            else:
                at = p.game.blocks.middle[at] + 1
    except Fails:
        found.append(at)
        return None
    except CanBeCompleted:
        return None
    return at if instrs[at].op == "ask" else None


def _behind(p: Position, at: int, me: int, found: list[int], left: list[int]) -> Iterator[tuple[Position, int]]:
    """Where each answer to a decision leads; `left` answers may still be tried."""
    ask = p.game.instrs[at].args[0]
    if ask.chance or p.me != me:
        return
    given = offered(p, at, ask)
    if not given:
        found.append(at)
    for each in given:
        left[0] -= 1
        if left[0] < 0:
            return
        tried = p.copy()
        yield tried, answer(tried, at, ask, each)
