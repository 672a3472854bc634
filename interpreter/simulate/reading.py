"""A folder of a run, read again: what is counted there, without playing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from interpreter.players import HUMAN
from interpreter.simulate.compare import Pairs
from interpreter.simulate.journal import PLAN, Journal, OtherRun, kept_plan
from interpreter.simulate.plan import Plan, WrongContent, game_of
from interpreter.simulate.records import Record
from interpreter.simulate.run import Results
from interpreter.simulate.tally import Tally
from interpreter.simulate.trends import Trends


def results_in(folder: Path, see: Callable[[Record, Plan], None] = lambda record, plan: None) -> Results:
    """What came of the run in a folder. Raises OtherRun, and ContentError where its game cannot be loaded."""
    if not (folder / PLAN).is_file():
        raise OtherRun(f"{folder} holds no run: it has no {PLAN}.")
    plan = kept_plan(folder / PLAN)
    about = json.loads((folder / PLAN).read_text("utf-8")).get("versions", {})
    try:
        games = [game_of(plan, arm) for arm in range(len(plan.arms))]
    except WrongContent as fault:
        raise OtherRun(f"{folder}: {fault}.") from None
    is_paired = not plan.swept and HUMAN not in plan.seats and len(plan.arms) > 1
    same = (arm for arm in range(1, len(plan.arms)) if plan.in_arm(arm).players == plan.in_arm(0).players)
    pairs = tuple(map(Pairs, same)) if is_paired else ()
    tallies = [Tally(plan.in_arm(arm).players) for arm in range(len(plan.arms))]
    trends = Trends(plan) if plan.swept else None
    try:
        for record in Journal(folder).records():
            tallies[record["arm"]].add(record)
            for each in pairs:
                each.add(record)
            if trends is not None:
                trends.add(record)
            see(record, plan)
    except OSError as fault:
        raise OtherRun(f"{fault.filename} cannot be read: {fault.strerror}.") from None
    return Results(plan, games, tallies, pairs, 0.0, about=about, trends=trends)
