"""Games of backgammon beside OpenSpiel's, with our dice.

OpenSpiel has a decision for two moves and one more for the rest of a double, ours one for each move: the positions
after all moves of a turn are compared. Whoever cannot move is not asked by ours, and passes in OpenSpiel's.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

from bench.differs import Differs
from interpreter import Game, State, load

MOST_TURNS = 5_000  #: of a game of OpenSpiel's
Position = tuple[int, ...]  #: checkers of both on their 24 places from the last one on, on the bar, borne off
BAR = 100  #: as OpenSpiel numbers it
SCORINGS = {"singles": "winloss_scoring", "gammons": "enable_gammons", "backgammons": "full_scoring"}


@cache
def _loaded(scoring: str) -> Game:
    return load("backgammon", options={"scoring": scoring})


def backgammon(spiel: Any, size: int, seed: int, counts: Counter[str]) -> None:
    """One game, in turn with each way of counting victories. Raises Differs."""
    scoring = [*SCORINGS][seed % len(SCORINGS)]
    game = _loaded(scoring)
    named = f"backgammon(scoring_type={SCORINGS[scoring]},max_player_turns={MOST_TURNS})"
    other = spiel.load_game(named).new_initial_state()
    state, chance, played = game.start(seed, events=True), random.Random(seed), list[str]()
    _throw(other, state)
    while state.decision is not None:
        theirs = _after_turn_of_theirs(other)
        mine = _after_turn(state)
        if mine.keys() != theirs.keys():
            raise Differs(f"positions {sorted(mine.keys() ^ theirs.keys())} after {played}")
        counts["turns"] += 1
        counts["positions after turns"] += len(mine)
        position = chance.choice(sorted(mine))
        other = theirs[position]
        for key in mine[position]:
            played.append(key)
            state = state.apply(state.option(key), events=True)
        _throw(other, state)
    assert state.result is not None
    if not other.is_terminal():
        raise Differs(f"the end after {played}")
    scores = state.result.scores
    if tuple(other.returns()) != (scores[0] - scores[1], scores[1] - scores[0]):
        raise Differs(f"the score after {played}: {scores}, not {other.returns()}")
    counts[f"won by {game.seats[state.result.winners[0]]}"] += 1
    counts[f"worth {max(scores)}"] += 1


def _throw(other: Any, state: State) -> None:
    """Gives OpenSpiel the dice that were rolled on the way here, and lets it pass where nobody could move."""
    begun = list[str]()
    for event in state.what_happened():
        if event.kind != "roll":
            continue
        begun += event.values["pieces"]
        if event.values["in"] == "dice" or (event.values["in"] == "black.cast" and len({*begun[-2:]}) == 2):
            _throw_one(other, "".join(sorted(piece.strip("die()") for piece in begun[-2:])), begun[-2] > begun[-1])


def _throw_one(other: Any, numbers: str, white_begins: bool) -> None:
    """Dice that were thrown; who could not move passes."""
    while not other.is_chance_node():
        (only,) = other.legal_actions()
        other.apply_action(only)
    for outcome, _ in other.chance_outcomes():
        told = other.action_to_string(outcome)
        named = told.partition("(roll: ")[2].rstrip(")")
        if "".join(sorted(named)) == numbers and ("starts" not in told or told.count("X starts") == white_begins):
            other.apply_action(outcome)
            return
    raise Differs(f"the dice {numbers}")


def _after_turn(state: State) -> dict[Position, list[str]]:
    """The positions after each way of a turn, with the choices that lead there."""
    over: dict[State, list[str]] = {}
    waiting: list[tuple[State, list[str]]] = [(state, [])]
    while waiting:
        reached: dict[State, list[str]] = {}
        for before, keys in waiting:
            dice = before.zone("dice")
            for option in before.options():
                after = before.apply(option)
                left = [*dice]
                left.remove(option.args["die"])
                way = [*keys, option.key]
                goes_on = left and after.decision is not None and after.zone("dice") == left
                (reached if goes_on else over).setdefault(after, way)
        waiting = [*reached.items()]
    return {_position(after): way for after, way in over.items()}


def _position(state: State) -> Position:
    places = [len(lying) for lying in state.zone("place.checkers").values()]
    beside = [len(state.zone(zone, seat)) for seat in state.game.seats for zone in ("player.bar", "player.off")]
    return (*reversed(places[:24]), *beside[:2], *reversed(places[24:]), *beside[2:])


def _after_turn_of_theirs(state: Any) -> dict[Position, Any]:
    """The same of OpenSpiel's, with its states."""
    found: dict[Position, Any] = {}
    seat, waiting = state.current_player(), [state]
    while waiting:
        reached: dict[tuple[bool, Position], Any] = {}
        for before in waiting:
            for action in before.legal_actions():
                after = before.child(action)
                over = after.is_terminal() or after.current_player() != seat
                reached.setdefault((over, _position_of_theirs(after)), after)
        found |= {position: after for (over, position), after in reached.items() if over}
        waiting = [after for (over, _), after in reached.items() if not over]
    return found


def _position_of_theirs(state: Any) -> Position:
    """OpenSpiel's first player goes up, the second one down."""
    found = list[int]()
    for seat, way in ((0, range(24)), (1, range(23, -1, -1))):
        places, bar = [state.board(seat, place) for place in way], state.board(seat, BAR)
        found += [*places, bar, 15 - sum(places) - bar]
    return tuple(found)
