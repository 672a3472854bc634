"""The position in which a scenario begins."""

from __future__ import annotations

from interpreter.game import Game
from interpreter.middle.analysis.control_flow import flow_call
from interpreter.middle.pieces import copy_cells
from interpreter.scenarios.given import Given
from interpreter.scenarios.placing import Placing
from interpreter.scenarios.read import REFUSED, Scenario
from interpreter.scenarios.values import Cells
from interpreter.state import State
from rulespec.diagnostics.model import Problems

END = "end"


def begin(game: Game, scenario: Scenario, problems: Problems) -> State | None:
    """The state in which a scenario begins; None after a report.

    What set-up asks is part of `play`, but where something is given or a place is named: then it has been answered.
    """
    if scenario.start != "empty" and scenario.at is None and not scenario.given:
        return game.start(scenario.seed)
    cells = _prepared(game, scenario)
    Given(game, problems).put(cells, scenario.given)
    pc = None if problems.has_errors else _instruction(game, scenario, cells, problems)
    if pc is None:
        return None
    game.machine.watch(cells)  # what is given is not noticed by what waits for it
    state = game.resume(cells, pc)
    return state if _is_there(game, scenario, state, problems) else None


def passed_over(state: State, action: str) -> State | None:
    """The decision in an action that whoever decides was to be asked for, had there been a way to carry it through.

    None where the flow never comes to ask that seat in that action. The state offers nothing: it tells why.
    """
    game, cells = state.game, copy_cells(state.cells)
    game.facts.unwind(cells)
    pc = Placing(game).place(cells, cells[game.machine.me], action)
    if pc is None:
        return None
    found = game.machine.on_to(cells, pc, action)
    return None if found is None else State(game, found, [])


def _prepared(game: Game, scenario: Scenario) -> Cells:
    """The cells just before the flow begins: after set-up, or with nothing but the zones' own starts."""
    cells = game.machine.begin(scenario.seed)
    if scenario.start != "empty":
        game.machine.set_up(cells)
    return cells


def _instruction(game: Game, scenario: Scenario, cells: Cells, problems: Problems) -> int | None:
    """Where the game goes on from."""
    at = scenario.at
    if at is None:
        return flow_call(game.facts.program)
    if at.text == END:
        program = game.facts.program
        return next(p.entry for p in program.procs if p.id == program.entries["end"])
    seat, _, action = at.text.partition(" ")
    pc = Placing(game).place(cells, game.seats.index(seat), action.strip()) if seat in game.seats else None
    if pc is None:
        problems.add("RS812", at.span, seat=seat, action=action, found="the flow never comes to ask that seat for it")
    return pc


def _is_there(game: Game, scenario: Scenario, state: State, problems: Problems) -> bool:
    """Whether the game asks the seat that `at` names for that action, now that it has gone on; else a report.

    Where the action cannot be carried through, the seat is asked for something else: `play` has to speak of that.
    """
    at = scenario.at
    if at is None or at.text == END:
        return True
    seat, _, action = at.text.partition(" ")
    decision = state.decision
    if (
        decision is not None
        and game.seats[decision.player] == seat
        and (_asks_in(game, state, action.strip()) or _is_expected(scenario, action.strip()))
    ):
        return True
    found = "the game ends instead"
    if decision is not None:
        found = f"{game.seats[decision.player]} is asked for {decision.action or decision.id} instead"
    problems.add("RS812", at.span, seat=seat, action=action, found=found)
    return False


def _asks_in(game: Game, state: State, action: str) -> bool:
    """Whether a decision is one of an action, or of what is performed in it."""
    slots = game.facts.layout.slots
    procs = {proc.id: proc for proc in game.facts.program.procs}
    at, ask = state.cells[0], state.ask
    found = {ask.action, ask.id}
    while at > 0:
        proc = procs[game.facts.structure.proc_of[at]]
        found.add(proc.name.split("(", 1)[0])
        at = state.cells[slots[proc.back]] - 1 if proc.back in slots else 0
    return action in found


def _is_expected(scenario: Scenario, action: str) -> bool:
    """Whether the first line of `play` takes or offers something else, or says what of the action is refused."""
    if not scenario.play:
        return False
    first = scenario.play[0]
    return first.word.text != REFUSED or any(wanted.key.text.split()[:1] == [action] for wanted in first.options)
