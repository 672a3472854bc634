"""`--until`: the questions as they were typed, what they will take, and what is known of them in the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.cli.common import UsageError, say

if TYPE_CHECKING:
    from interpreter.simulate.plan import Plan
    from interpreter.simulate.run import Results
    from interpreter.simulate.until import Need, Watch


def watch_of(plan: Plan, words: Sequence[str]) -> Watch | None:
    """What watches a run; says first how many games the questions need. Raises UsageError for what is no question."""
    from interpreter.simulate.expect import WrongStatement
    from interpreter.simulate.numbers import CONFIDENCE
    from interpreter.simulate.plan import game_of
    from interpreter.simulate.until import Watch, needs, question_of

    if not words:
        return None
    try:
        questions = [question_of(each) for each in words]
        games = [game_of(plan, arm) for arm in range(len(plan.arms))]
        watch = Watch(plan, games, questions, CONFIDENCE)
        watch.answers()  # of no game at all: a question about what there is not is refused before any is played
    except WrongStatement as fault:
        raise UsageError(f"--until: {fault}.") from None
    for need in needs(plan, questions, CONFIDENCE):
        say(f"rulespec simulate: {_needed(need, plan)}", stream=sys.stderr)
    return watch


def _needed(need: Need, plan: Plan) -> str:
    if need.games is None:
        return f"'{need.text}': how many games it needs hangs on how its figure scatters, {plan.games:,} at most"
    more = "" if need.games <= plan.games else f", more than the {plan.games:,} of --games"
    return f"'{need.text}': about {need.games:,} games in each arm where the figure is {need.value:.1%}{more}"


def answers_failed(watch: Watch | None) -> bool:
    """Whether a question was answered with no."""
    from interpreter.simulate.expect import REFUTED

    return watch is not None and any(each.verdict == REFUTED for each in watch.answers())


def print_answers(results: Results, watch: Watch | None) -> None:
    """What is known of each question, and after how many games."""
    from interpreter.simulate.summary import told

    if watch is None:
        return
    say(f"{'Decided' if watch.is_decided else 'Not all decided'} after {watch.games:,} games of each arm")
    for answer in watch.answers():
        arm = results.plan.arms[answer.arm].told
        say(f"{answer.verdict:<10} {answer.text}{f' ({arm})' if arm else ''}")
        for name, figure in answer.figures:
            words = told(figure, "%") if "%" in answer.text else told(figure, least=2)
            say(f"           {name}: {words}, {figure.trials:,} trials")


def until_json(results: Results, watch: Watch) -> dict[str, Any]:
    """The same as data."""
    return {
        "decided": watch.is_decided,
        "games": watch.games,
        "confidence_of_a_look": round(watch.confidence, 6),
        "answers": [
            {
                "text": answer.text,
                "verdict": answer.verdict,
                "variants": list(results.plan.arms[answer.arm].variants),
                "levels": dict(results.plan.arms[answer.arm].levels),
                "figures": [
                    {"name": name, "value": round(f.value, 6), "interval": [round(f.low, 6), round(f.high, 6)]}
                    for name, f in answer.figures
                ],
            }
            for answer in watch.answers()
        ],
    }
