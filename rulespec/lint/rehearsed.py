"""Set-ups of several builds of a check, of which each that is the same is gone through once."""

from __future__ import annotations

from rulespec.diagnostics.model import Problems
from rulespec.lint.rehearsal import rehearse
from rulespec.lower.context import Context
from rulespec.lower.ir import Program
from rulespec.lower.steps.lockstep import Pace
from rulespec.lower.versions import layout_of


def rehearse_once(cx: Context, program: Program, problems: Problems, pace: Pace | None) -> None:
    """As `rehearse`, unless another build of a check has the same set-up and nothing was wrong with it."""
    if pace is None:
        rehearse(cx, program, problems)
        return
    pace.keep("begins", (program.starts, program.regions, layout_of(cx.world), cx.world.codes, cx.world.depth))
    if not (pace.is_as_earlier("begins") and pace.is_as_earlier("order")):
        pace.base = None
    found = Problems()
    pace.again("set-up", lambda: (None, rehearse(cx, program, found)))
    problems.extend(found)
    if len(found):
        pace.forget("set-up")
