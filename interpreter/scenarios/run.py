"""Runs one scenario: its position, its moves, and what must hold afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from interpreter.game import Game
from interpreter.options import loose_forms, squeeze
from interpreter.refusal import Refusal, why_not
from interpreter.scenarios.existing import can_exist
from interpreter.scenarios.games import Games
from interpreter.scenarios.position import begin, passed_over
from interpreter.scenarios.read import OFFERED, REFUSED, Line, Scenario, Secret, Wanted
from interpreter.scenarios.rounds import EndOfRound, advance_to, ends_of
from interpreter.scenarios.secrets import who_sees
from interpreter.scenarios.then import failed_conditions
from interpreter.state import State
from rulespec.diagnostics.model import ContentError, Problem, Problems
from rulespec.diagnostics.nearest import did_you_mean
from rulespec.source.nodes import Scalar
from rulespec.source.text import Span

#: How many of the options are named where one that is not there was to be taken.
MOST_NAMED = 8
#: How many decisions with one option in a row a scenario may leave out.
MOST_FORCED = 50


@dataclass(frozen=True, slots=True)
class Failure:
    """What did not turn out as a scenario says, at the line that says so."""

    scenario: str
    span: Span
    message: str


class Failed(Exception):
    """A line that does not hold: nothing after it makes sense."""

    def __init__(self, span: Span, message: str):
        super().__init__(message)
        self.span = span
        self.message = message


class Watch(Protocol):
    """Whoever wants to know what scenarios come through."""

    def state(self, state: State) -> None:
        """A state that was reached, with the events on the way."""

    def refusal(self, game: Game, rule: str) -> None:
        """The label of a condition that refused an option, as it had to."""

    def ended(self, state: State) -> None:
        """The state in which a scenario ends."""


def run_scenario(games: Games, scenario: Scenario, watch: Watch | None = None) -> tuple[Failure, ...]:
    """What fails: nothing, the first line of `play`, or every condition of `then` that does not hold."""
    name = scenario.name.text
    try:
        game = games.game_of(scenario)
        problems = Problems()
        state = begin(game, scenario, problems)
        if state is None:
            return tuple(Failure(name, p.span, text_of(p)) for p in problems.errors)
        ends = ends_of(game, scenario.to_end_of)
        state = _play(game, scenario, state, watch, ends)
        if scenario.to_end_of is not None:
            state = _at_end(game, state, scenario.to_end_of, watch, ends)
        if watch is not None:
            watch.ended(state)
        found = failed_conditions(state, scenario.then)
    except Failed as failed:
        return (Failure(name, failed.span, failed.message),)
    except ContentError as error:
        return tuple(Failure(name, _inside(p, scenario), text_of(p)) for p in error.problems if p.severity == "error")
    return tuple(Failure(name, span, message) for span, message in found)


def position_after(games: Games, scenario: Scenario) -> State | tuple[Failure, ...]:
    """The state that a scenario's moves lead to; what fails, where a line of it does not hold.

    Raises ContentError where the game cannot be loaded as the scenario asks for it.
    """
    game, problems, name = games.game_of(scenario), Problems(), scenario.name.text
    state = begin(game, scenario, problems)
    if state is None:
        return tuple(Failure(name, p.span, text_of(p)) for p in problems.errors)
    try:
        return _play(game, scenario, state, None)
    except Failed as failed:
        return (Failure(name, failed.span, failed.message),)


def text_of(problem: Problem) -> str:
    """A problem in one line."""
    hint = f" {problem.hint}" if problem.hint else ""
    return f"{problem.code}: {problem.message}{hint}"


def _inside(problem: Problem, scenario: Scenario) -> Span:
    """A problem's place; of one without a file the scenario's."""
    return problem.span if "." in problem.span.file.name else scenario.name.span


# ---- play -------------------------------------------------------------------------------------------


def _play(
    game: Game, scenario: Scenario, state: State, watch: Watch | None, ends: frozenset[int] = frozenset()
) -> State:
    """The state after all lines; the last one that moves goes no further than to one of these ends.

    What stands behind that line is said of the position at the end.
    """
    last = next((line for line in reversed(scenario.play) if _moves(line)), None)
    _reached(game, state, scenario.name.span, watch)
    for line in scenario.play:
        if state.decision is None and line.secret is None:
            over = "round" if isinstance(state, EndOfRound) else "game"
            raise Failed(line.word.span, f"The {over} is over before this line.")
        for forced in _past_forced(game, state, line, watch):
            state = forced
            _reached(game, state, line.word.span, watch)
        if line.word.text == OFFERED:
            _offered(state, line)
        elif line.word.text == REFUSED:
            _refused(state, line, watch)
        elif line.secret is not None:
            _keeps(state, line.secret)
        else:
            until = ends if line is last else frozenset[int]()
            state = _move(game, state, line, events=watch is not None, until=until)
            _reached(game, state, line.word.span, watch)
    return state


def _moves(line: Line) -> bool:
    return line.secret is None and line.word.text not in (OFFERED, REFUSED)


def _past_forced(game: Game, state: State, line: Line, watch: Watch | None) -> list[State]:
    """The states after decisions with one option that the line does not speak of: those need not be written down."""
    passed: list[State] = []
    while line.secret is None and state.decision is not None and not _speaks_of(state, line):
        if len(state.options()) != 1 or len(passed) == MOST_FORCED:
            return []
        state = game.advance(state, state.options().candidates[0], events=watch is not None)
        passed.append(state)
    return passed if state.decision is not None else []


def _speaks_of(state: State, line: Line) -> bool:
    """Whether a line is about the decision at hand."""
    seat = line.word.text
    assert state.decision is not None
    if seat not in (OFFERED, REFUSED) and state.game.seats[state.decision.player] != seat:
        return False
    keys = [wanted.key.text for wanted in line.options]
    return any(_meant(state, key) or why_not(state, key).reason != "unknown" for key in keys)


def _reached(game: Game, state: State, span: Span, watch: Watch | None) -> None:
    """Notes a state; Failed where what must always hold does not."""
    if watch is not None:
        watch.state(state)
    for place, holds in game.facts.program.always:
        if not game.machine.value(holds, state.cells):
            raise Failed(span, f"After this `{' '.join(place.text.split())}` does not hold, which must always hold.")


def _at_end(game: Game, state: State, name: Scalar, watch: Watch | None, ends: frozenset[int]) -> State:
    """The end of the round that a state is in, behind decisions with one option at most; Failed where it is not."""
    if not ends:
        raise Failed(name.span, f"No `repeat` has the round '{name.text}'.")
    for _ in range(MOST_FORCED):
        if isinstance(state, EndOfRound):
            return state
        if state.decision is None:
            raise Failed(name.span, f"The game is over before the round '{name.text}' ends.")
        if len(state.options()) != 1:
            break
        state = advance_to(game, state, state.options().candidates[0], ends, events=watch is not None)
        _reached(game, state, name.span, watch)
    if isinstance(state, EndOfRound):
        return state
    assert state.decision is not None
    asked = f"{game.seats[state.decision.player]} is asked for {state.decision.action or state.decision.id}"
    raise Failed(name.span, f"The round '{name.text}' has not ended after the last line of play: {asked}.")


def _move(game: Game, state: State, line: Line, *, events: bool, until: frozenset[int]) -> State:
    seat = line.word.text
    decision = state.decision
    assert decision is not None
    if game.seats[decision.player] != seat:
        asked = f"{game.seats[decision.player]} is asked for {decision.action or decision.id}"
        raise Failed(line.word.span, f"{seat} does not decide here: {asked}.")
    if not line.options:
        raise Failed(line.word.span, "No option is named.")
    wanted = line.options[0]
    if until:
        return advance_to(game, state, _one(state, wanted), until, events=events)
    return game.advance(state, _one(state, wanted), events=events)


def _one(state: State, wanted: Wanted) -> object:
    """The candidate that a key means; Failed where it means none or several."""
    found = _meant(state, wanted.key.text)
    if len(found) == 1:
        return found[0]
    if found:
        raise Failed(wanted.key.span, f"'{wanted.key.text}' can mean several options: {_named(state)}.")
    refusal = _refusal(state, wanted.key.text)
    raise Failed(wanted.key.span, f"'{wanted.key.text}' is not offered: {_reason(refusal)}. Offered: {_named(state)}.")


def _meant(state: State, key: str) -> list[object]:
    """The candidates that a person's way of writing a key fits; its full form means just one."""
    wanted = squeeze(key)
    exact = state.options().find(wanted)
    if exact is not None:
        return [exact.candidate]
    return [c for c in state.options().candidates if wanted in loose_forms(state, c)]


def _reason(refusal: Refusal) -> str:
    place = f" ({refusal.span.file.name}:{refusal.span.line})" if refusal.span is not None else ""
    return f"{refusal.rule}{place}"


def _named(state: State) -> str:
    keys = state.options().keys()
    more = f" and {len(keys) - MOST_NAMED} more" if len(keys) > MOST_NAMED else ""
    return ", ".join(keys[:MOST_NAMED]) + more


def _offered(state: State, line: Line) -> None:
    for wanted in line.options:
        if not _meant(state, wanted.key.text):
            _one(state, wanted)


def _keeps(state: State, secret: Secret) -> None:
    seen = who_sees(state, secret.zone)
    if seen is None:
        raise Failed(secret.zone.span, f"Nothing lies in {secret.zone.span.text}, so that nothing of it can be secret.")
    wanted = {seat.text for seat in secret.seen_by}
    for seat in secret.seen_by:
        if seat.text not in seen:
            raise Failed(seat.span, f"{seat.text} does not see what lies in {secret.zone.span.text}.")
    if others := [seat for seat in seen if seat not in wanted]:
        raise Failed(secret.zone.span, f"{', '.join(others)} can see what lies in {secret.zone.span.text}.")


def _refusal(state: State, key: str) -> Refusal:
    """Why an option is not there: in what is asked, or in an action that nobody could carry through there."""
    refusal = why_not(state, key)
    if refusal.reason != "unknown":
        return refusal
    other = passed_over(state, key.partition(" ")[0])
    return refusal if other is None else why_not(other, key)


def _nothing(state: State, key: str) -> str:
    hint = did_you_mean(key, state.options().keys())
    words = f"No decision of the game can offer '{key}', so that it says nothing that it is refused."
    return f"{words} {hint}" if hint else words


def _refused(state: State, line: Line, watch: Watch | None) -> None:
    for wanted in line.options:
        if _meant(state, wanted.key.text):
            raise Failed(wanted.key.span, f"'{wanted.key.text}' is offered, and must be refused.")
        if not can_exist(state.game, wanted.key.text):
            raise Failed(wanted.key.span, _nothing(state, wanted.key.text))
        if wanted.rule is None and watch is None:
            continue
        refusal = _refusal(state, wanted.key.text)
        if wanted.rule is not None and wanted.rule.text not in refusal.rules:
            expected = f"'{wanted.key.text}' must be refused by {wanted.rule.text}"
            raise Failed(wanted.rule.span, f"{expected}, and is refused by {_reason(refusal)}.")
        if watch is not None:
            watch.refusal(state.game, refusal.rule)
