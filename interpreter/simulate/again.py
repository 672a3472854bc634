"""Commands that show a game of a run again."""

from __future__ import annotations

import shlex

from interpreter.bounds import MOST_DECISIONS
from interpreter.simulate.plan import Plan, written


def command_of(plan: Plan, arm: int, number: int) -> str:
    """The command that shows one game of a run."""
    own, plan = plan.arms[arm], plan.in_arm(arm)
    words = ["rulespec", "simulate", plan.game, "--players", str(plan.players), "--seats", ",".join(plan.seats)]
    for name, value in plan.options:
        words += ["--option", f"{name}={written(value)}"]
    for variant in own.variants:
        words += ["--variant", variant]
    for path, value in own.figures:
        words += ["--sweep", f"{path}={written(value)}"]
    bound = ["--most-decisions", str(plan.most)] if plan.most != MOST_DECISIONS else []
    bound += ["--most-seconds", f"{plan.seconds:g}"] if plan.seconds is not None else []
    return shlex.join([*words, "--seed", str(plan.seed), *bound, "--only", str(number)])


def moment_of(plan: Plan, arm: int, number: int, decisions: int | None) -> str:
    """The command that shows one game of a run, till after so many decisions where that is said."""
    return command_of(plan, arm, number) + ("" if decisions is None else f" --to {decisions}")
