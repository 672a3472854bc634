"""Reports what is offered by what is hidden, and ends look-aheads before they read it."""

from __future__ import annotations

from dataclasses import replace

from rulespec.diagnostics.model import Related
from rulespec.lower.context import Context
from rulespec.lower.ir import Ask, Instr, Program
from rulespec.lower.offers.kept import Findings, Walks, absolute
from rulespec.lower.offers.labels import Secrets
from rulespec.lower.offers.state import by_zone
from rulespec.lower.offers.walk import BACKS, FILTER, FRONTS, ORDER, PREFERENCE, SOURCE, Walk
from rulespec.lower.steps.lockstep import Pace
from rulespec.lower.versions import Versions
from rulespec.model.reads import Notes
from rulespec.source.text import Span

PARTS = {
    "source": "list of what can be chosen",
    "where": "condition of a choice",
    "if_possible": "preference of a choice",
    "amount": "number of things to choose",
    "alike": "`alike` of a choice",
    "fronts": "choice of pieces by their fronts",
    "backs": "choice of pieces by their backs",
}
TELL = (
    "Tell it first: `set` a state to it (everybody sees what stands in a state) and read that; "
    "or move the pieces to where they are seen."
)
TEST_LATER = (
    "Offer everything and look afterwards: a `require` behind the choice is not looked at before it is made. "
    "Or tell it first: `set` a state to it (everybody sees what stands in a state) and read that."
)
FROM_ZONE = "Choose `from` the place itself: then backs are offered, and chance finds the piece."
HINTS = {FRONTS: FROM_ZONE, BACKS: TELL}


def end_before_hidden(
    cx: Context,
    program: Program,
    versions: Versions | None = None,
    walks: Walks | None = None,
    pace: Pace | None = None,
) -> Program:
    """The program with a horizon wherever a look-ahead would read what whoever decides does not see.

    Reports each decision that tells what is hidden from whoever is asked (RS624, RS625). Of a build that is made beside
    an earlier one (`pace`) only that is looked at which may be otherwise.
    """
    if cx.problems.has_errors or all(zone.front == "all" for zone in cx.world.zones.values()):
        return program
    walk = Walk(cx.world, program, versions, walks, pace)
    relative = walk.all()
    found = absolute(walk.blocks, relative)
    if pace is not None:
        walked = walk.walked()
        pace.keep("walk", walked, Notes(set(walked.reads)))
        pace.keep("ends", frozenset(relative.ends))
        pace.keep("whose", bool(relative.whose))
    _report(cx, program, found)
    return _with_ends(program, found.ends)


# ---- reports ----------------------------------------------------------------------------------------


def _report(cx: Context, program: Program, found: Findings) -> None:
    told: set[int] = set()
    for (at, number, part), secrets in sorted(found.offered.items()):
        span = _span_of(program.instrs[at], number, part)
        if span is not None and not (part == SOURCE and (at, -1, ORDER) in found.offered):  # what is left follows it
            told.add(at)
            zones = _zones(secrets)
            cx.problems.add("RS624", span, hint=HINTS.get(part, TEST_LATER), what=PARTS[part], zone=zones)
    for at, secrets in sorted(found.asked.items()):
        span = program.instrs[at].span
        if span is not None and at not in told:
            cx.problems.add("RS625", span, hint=TELL, related=_where(program, secrets, span), zone=_zones(secrets))


def _zones(secrets: Secrets) -> str:
    return "', '".join(sorted({secret.zone for secret in secrets}))


def _where(program: Program, secrets: Secrets, but: Span) -> list[Related]:
    """Where it is read, each place once."""
    spans = [program.instrs[s.at].span for s in by_zone(secrets) if s.at >= 0]
    return [Related("this depends on it", span) for span in dict.fromkeys(spans) if span is not None and span != but]


def _span_of(instr: Instr, number: int, part: str) -> Span | None:
    ask: Ask = instr.args[0]
    if number < 0:
        return instr.span
    name = ask.names[number]
    if part == FILTER and name.where_parts:
        first, last = name.where_parts[0].span, name.where_parts[-1].span
        return Span(first.file, first.start, last.end) if first.file == last.file else first
    if part == PREFERENCE and name.preferred_span is not None:
        return name.preferred_span
    return name.span or instr.span


# ---- horizons ---------------------------------------------------------------------------------------


def _with_ends(program: Program, ends: set[int]) -> Program:
    """The program with a horizon before each of these instructions; its blocks begin and end accordingly."""
    if not ends:
        return program
    instrs: list[Instr] = []
    moved: list[int] = []
    span: Span | None = None
    for at, instr in enumerate(program.instrs):
        moved.append(len(instrs))
        span = instr.span or span
        if at in ends:
            instrs.append(Instr("horizon", ("hidden",), span))
        instrs.append(instr)
    moved.append(len(instrs))
    procs = tuple(replace(p, entry=moved[p.entry], end=moved[p.end]) for p in program.procs)
    return replace(program, instrs=tuple(instrs), procs=procs)
