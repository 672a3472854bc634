"""What is said of a fault that comes up while games are played: where it is, and a command that shows it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rulespec.diagnostics.model import ContentError

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.simulate.plan import Plan
    from interpreter.simulate.tally import Tally

#: So many lines about what happened before a fault are printed; a log has all.
MOST_TOLD: Final = 40


def with_way_back(fault: ContentError, words: str) -> ContentError:
    """The fault with what shows it again, said in the hint of each problem."""
    return ContentError(
        replace(problem, hint=f"{problem.hint} {words}" if problem.hint else words) for problem in fault.problems
    )


def unfinished_lines(plan: Plan, arm: int, game: Game, tally: Tally) -> Iterator[str]:
    """For a terminal: why games have no end, where in the content that is, and how to see one of them."""
    from interpreter.simulate.again import command_of

    for reason, times in tally.unfinished.items():
        record = tally.examples[reason]
        yield f"  not finished   {times:,}: {_reason(reason, record, game)}"
        yield f"                 game {record['game']} (seed {record['seed']}): {command_of(plan, arm, record['game'])}"


def unfinished_json(plan: Plan, arm: int, game: Game, tally: Tally) -> list[dict[str, Any]]:
    """The same as data."""
    from interpreter.simulate.again import command_of

    return [
        {
            "reason": _reason(reason, record, game),
            "times": times,
            "game": record["game"],
            "seed": record["seed"],
            "command": command_of(plan, arm, record["game"]),
        }
        for reason, times in tally.unfinished.items()
        for record in (tally.examples[reason],)
    ]


def _reason(reason: str, record: dict[str, Any], game: Game) -> str:
    """The reason, its file named as it is found from the current folder."""
    from interpreter.cli.common import file_from_here, roots_of

    place: str = record.get("place", "")
    file, _, position = place.partition(":")
    here = file_from_here(file, roots_of(game.source))
    return reason.replace(f"({place})", f"({here}:{position})") if place else reason


# ---- one game of a run -----------------------------------------------------------------------------------------------


def show_game(plan: Plan, number: int, log: Path | None, language: str, to: int | None = None) -> int:
    """Plays one game of the first arm of a plan and prints the last of what happens in it; the exit status.

    `log` gets all of it. With `to` the game is left after so many decisions, and how it stands then is shown.
    Raises ContentError where the game stops or has no end, and OSError for the log.
    """
    from interpreter.bounds import clocked, seconds_for
    from interpreter.simulate.plan import game_of

    game, plan, told = game_of(plan, 0), plan.in_arm(0), deque[str](maxlen=MOST_TOLD)
    count = 0
    try:
        with clocked(plan.seconds or seconds_for(plan.seats)):
            for line in _lines(plan, number, game, log, language, to):
                told.append(line)
                count += 1
    finally:
        _print_last(told, count, log)
    return 0


def _lines(plan: Plan, number: int, game: Game, path: Path | None, language: str, to: int | None) -> Iterator[str]:
    from interpreter.bounds import in_time, not_over
    from interpreter.cli.logs import standing_lines
    from interpreter.log import GameLog
    from interpreter.simulate.playing import players_of
    from interpreter.table.outcome import result_lines

    texts, players = game.texts(language), players_of(plan, number)
    log = GameLog.start(path, game, plan.seed_of(number), keeps_lines=False)
    state, n = log.state, 0
    yield from _told(n, texts.log_lines(state.events or (), None))
    try:
        while state.decision is not None and n != to:
            if n == plan.most:
                raise not_over(state, n)
            in_time(state)
            option = players[state.decision.player].choose(state, state.options())
            after = state.apply(option, events=True)
            log.decision(state, option, after)
            n += 1
            yield from _told(n, texts.log_lines(after.events or (), None))
            state = after
    finally:
        log.finish(state)
    yield from result_lines(texts, game.result_of(state)) if state.decision is None else standing_lines(state, language)


def _told(n: int, lines: Iterable[str]) -> Iterator[str]:
    return (f"{n:>4}  {line}" for line in lines)


def _print_last(told: Sequence[str], count: int, log: Path | None) -> None:
    from interpreter.cli.common import say

    if count > len(told):
        where = f"all are in {log}" if log is not None else "--log FILE keeps all"
        say(f"… {count - len(told):,} lines before these; {where}.")
    for line in told:
        say(line)
