"""The arms of a run of many games: which variants each of them is played with, out of what was typed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final

from interpreter.cli.common import UsageError

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.simulate.plan import Arm, Plan

#: As many as the report has colours that stay apart.
MOST_ARMS: Final = 9


def add_arms(parser: argparse.ArgumentParser) -> None:
    """What is compared, and until when."""
    parser.add_argument(
        "--against",
        metavar="V[,V…]",
        action="append",
        default=[],
        help="another arm: the same seeds with these variants in place of those of --variant; may stand several times; "
        "a part may be a figure or an option, such as values.purse=12",
    )
    parser.add_argument(
        "--sweep",
        metavar="NAME=VALUES",
        action="append",
        default=[],
        help="play with each of these values of a declared figure or an option: values.purse=12..20, cards=true,false, "
        "12..20..4 for each fourth; may stand several times",
    )
    parser.add_argument(
        "--design",
        choices=("grid", "latin"),
        help="several factors of --sweep: grid (default), all with all; latin, a Latin square of them",
    )
    parser.add_argument(
        "--until",
        metavar="WORDS",
        action="append",
        default=[],
        help="stop when this is decided, such as 'seat 1 wins between 24 and 26 %%', or known, precise=1%%; "
        "--games is the most then",
    )
    parser.add_argument("--study", metavar="FILE", type=Path, help="all this from a YAML file of the schema `study`")


def arms_of(variants: Sequence[str], against: Sequence[str]) -> tuple[Arm, ...]:
    """The first arm, with `variants`, and one for each `against`, with the variants that it names and no other.

    Raises UsageError for too many, and for one that names nothing.
    """
    from interpreter.simulate.plan import Arm

    if len(against) >= MOST_ARMS:
        raise UsageError(f"--against stands {len(against)} times; a run has at most {MOST_ARMS - 1} of them.")
    return (Arm(tuple(dict.fromkeys(variants))), *map(_named, against))


def _named(words: str) -> Arm:
    """An arm: `A` is one variant, `A,B` are two, `purse=12` is a level; a file's name may hold a comma or a sign."""
    from interpreter.cli.sweeps import level_of, listed, setting_of
    from interpreter.simulate.plan import PLAYERS, Arm

    if _is_file(words):
        return Arm((words,))
    parts = dict.fromkeys(listed(words))
    if not parts:
        raise UsageError("--against names the variants of another arm: --against A, or --against A,B for both in one.")
    levels = {}
    for part in parts:
        name, equals, value = setting_of(part)
        if not equals or _is_file(part):
            continue
        if not (name and value) or name in levels:
            raise UsageError(f"--against {words}: a figure or an option of an arm is NAME=VALUE, and each stands once.")
        level = levels[name] = level_of(value, f"--against {name}")
        if name == PLAYERS and not (isinstance(level, int) and level is not True and level > 0):
            raise UsageError(f"--against {part}: an arm has one number of players, at least 1.")
    variants = tuple(part for part in parts if not setting_of(part)[1] or _is_file(part))
    return Arm(variants, levels=tuple(levels.items()))


def _is_file(words: str) -> bool:
    """Whether there is a file of that name; what is too long for one names none."""
    try:
        return Path(words).is_file()
    except OSError:
        return False


def refuse_equal(plan: Plan) -> None:
    """Raises UsageError where two arms of a plan with its fingerprints are the same game: they tell nothing."""
    played = [(arm.fingerprint, arm.hints, arm.players, arm.seats, sorted(arm.options.items())) for arm in plan.arms]
    for first, second in combinations(range(len(played)), 2):
        if played[first] == played[second]:
            raise UsageError(
                f"{_told(plan.arms[first])} and {_told(plan.arms[second])} are the same game, so there is nothing to "
                "compare. --variant says what the first arm is played with, --against what another one is."
            )


def _told(arm: Arm) -> str:
    return f"the arm {arm.told}" if arm.told else "the game as it is"


#: What is said of a variant that there is not, or cannot be read.
_NO_VARIANT: Final = frozenset({"RS101", "RS441"})


def fingerprinted(plan: Plan, first: Game) -> Plan:
    """The plan with its fingerprints; `first` is the game of the first arm, if that has no levels.

    Raises UsageError for a figure of a level that cannot be, and ContentError as `load` does.
    """
    from interpreter.simulate.plan import with_fingerprints
    from rulespec.diagnostics.model import ContentError
    from rulespec.given_figures import NAME

    try:
        return with_fingerprints(plan, None if plan.arms[0].levels else first)
    except ContentError as fault:
        problem = fault.problems[0]
        if problem.span.file.name != NAME and problem.code not in _NO_VARIANT:
            raise
        way_out = f" {problem.hint}" if problem.hint else ""
        about = "A figure of an arm: " if problem.span.file.name == NAME else ""
        about = f"{problem.span.file.name}: " if problem.code == "RS101" else about
        raise UsageError(f"{about}{problem.message}{way_out}") from None
