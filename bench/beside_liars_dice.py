"""Liar's dice beside OpenSpiel's: the whole trees of small settings, position by position.

OpenSpiel has one round for two, and the highest side is wild. In each position both offer the same bids and the
challenge, and whoever decides knows the same: each of our information states is one of OpenSpiel's, and the other way
round. Each game ends with the same winner.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from bench.differs import Differs
from interpreter import Game, State, load
from interpreter.information import Information

#: Dice of each, sides, and what makes a bid higher: ours, and OpenSpiel's word for it.
SETTINGS = (
    (1, 2, "amounts", "reset-face"),
    (1, 3, "amounts", "reset-face"),
    (1, 3, "faces", "reset-quantity"),
    (2, 2, "amounts", "reset-face"),
    (2, 2, "faces", "reset-quantity"),
)
CHALLENGE = ("call challenge", "Liar")
MOST_SEEDS = 2_000  #: in which every deal comes up

Deal = tuple[tuple[int, ...], ...]  #: the dice of each seat, sorted
Known = dict[tuple[int, str], str]


def liars_dice(spiel: Any, size: int, seed: int, counts: Counter[str]) -> None:
    """The whole tree of one setting, by its number. Raises Differs."""
    dice, sides, raising, rule = SETTINGS[seed % len(SETTINGS)]
    options: dict[str, int | bool | str | None] = {
        "dice": dice,
        "sides": sides,
        "raising": raising,
        "wild": "highest",
        "span": "one_round",
    }
    game = load("liars_dice", options=options, executor="native")
    named = f"liars_dice(numdice={dice},dice_sides={sides},bidding_rule={rule})"
    tree = _Tree(game, sides, _deals(game), counts)
    for deal, theirs in _their_deals(spiel.load_game(named).new_initial_state(), dice).items():
        tree.walk(deal, theirs)
    counts["information states"] += len(tree.ours)


def _deals(game: Game) -> dict[Deal, int]:
    """For each deal a seed of it."""
    found: dict[Deal, int] = {}
    for seed in range(MOST_SEEDS):
        cups = game.start(seed).zone("player.cup").values()
        found.setdefault(tuple(tuple(sorted(int(die.strip("die()")) for die in cup)) for cup in cups), seed)
    return found


def _their_deals(state: Any, dice: int) -> dict[Deal, Any]:
    """OpenSpiel's positions after the throw, one for each deal: in which order dice fell makes no difference."""
    found: dict[Deal, Any] = {}
    waiting: list[tuple[Any, list[int]]] = [(state, [])]
    while waiting:
        before, thrown = waiting.pop()
        if not before.is_chance_node():
            found.setdefault((tuple(sorted(thrown[:dice])), tuple(sorted(thrown[dice:]))), before)
            continue
        waiting += [(before.child(outcome), [*thrown, outcome + 1]) for outcome, _ in before.chance_outcomes()]
    return found


class _Tree:
    """Both trees. `ours` and `theirs` say what the other one knows where one of them knows something."""

    def __init__(self, game: Game, sides: int, seeds: dict[Deal, int], counts: Counter[str]):
        self.game, self.sides, self.seeds, self.counts = game, sides, seeds, counts
        self.ours: Known = {}
        self.theirs: Known = {}

    def walk(self, deal: Deal, theirs: Any) -> None:
        """All positions of a deal."""
        seed = self.seeds[deal]
        waiting: list[tuple[State, Any, tuple[str, ...]]] = [(self.game.start(seed), theirs, ())]
        while waiting:
            state, other, played = waiting.pop()
            if state.decision is None or other.is_terminal():
                self._same_end(state, other, (deal, played))
                continue
            self._same_knowledge(seed, state.decision.player, other, played)
            actions = {self._key(other.action_to_string(action)): action for action in other.legal_actions()}
            if {*state.options().keys()} != actions.keys():
                raise Differs(f"options {sorted({*state.options().keys()} ^ actions.keys())} after {deal} {played}")
            self.counts["positions"] += 1
            for key, action in actions.items():
                waiting.append((state.apply(state.option(key)), other.child(action), (*played, key)))

    def _key(self, action: str) -> str:
        """`2-3` of OpenSpiel as a key of ours."""
        return CHALLENGE[0] if action == CHALLENGE[1] else f"call raise_to(bid[{action.replace('-', ',')}])"

    def _same_end(self, state: State, other: Any, where: object) -> None:
        if state.result is None or not other.is_terminal():
            raise Differs(f"the end after {where}")
        if [2 * score - 1 for score in state.result.scores] != [*other.returns()]:
            raise Differs(f"the winner after {where}: {state.result.scores}, not {other.returns()}")
        self.counts["games to their end"] += 1

    def _same_knowledge(self, seed: int, seat: int, other: Any, played: tuple[str, ...]) -> None:
        if other.current_player() != seat:
            raise Differs(f"who decides after {played}: {seat}")
        known = Information(self.game)
        known.begin(seed)
        for key in played:
            known.taken(key)
        mine, their = known.text(seat), other.information_state_string(seat)
        if self.ours.setdefault((seat, mine), their) != their or self.theirs.setdefault((seat, their), mine) != mine:
            raise Differs(f"what {seat} knows after {played}: {mine} and {their}")
