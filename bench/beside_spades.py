"""Matches of spades, beside OpenSpiel's hands and beside a small program by hand.

Every other match has the variant `joint_contract`, which is OpenSpiel's rule: its hands are played beside, each with
the deal and the bags of ours. Spades are never broken there, so that ours offers more where somebody leads: all of it
spades. Of the rest, and of matches by the published rule, a program by hand knows what is offered, who takes a trick,
what a hand scores, and when a match is over.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

from bench.differs import Differs
from interpreter import Game, State, load

SEATS, TRICKS, TARGET = 4, 13, 500
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
FIRST_BID = 52  #: OpenSpiel's number of the bid of nothing; cards are 0 to 51
SPADES = 39  #: OpenSpiel's first spade
SPIEL = "spades(use_mercy_rule=False,win_or_loss_bonus=0)"  # points of a hand alone


@dataclass
class Match:
    """What a match has come to, by side: north and south, east and west."""

    joint: bool
    points: list[int]
    bags: list[int]

    @property
    def is_over(self) -> bool:
        """Whether no hand follows."""
        reached = any(points >= TARGET or points <= -TARGET for points in self.points)
        return reached and self.points[0] != self.points[1]

    def count(self, bids: list[int], tricks: list[int]) -> None:
        """Adds a hand, by the number of the seat."""
        for side in (0, 1):
            own = (side, side + 2)
            nils = [seat for seat in own if bids[seat] == 0]
            useful = sum(tricks[seat] for seat in own if self.joint or bids[seat] > 0)
            bid, taken = sum(bids[seat] for seat in own), sum(tricks[seat] for seat in own)
            kept = useful >= bid
            points = 10 * bid if kept else -10 * bid
            points += sum(-100 if tricks[seat] else 100 for seat in nils)
            over = (useful - bid if kept else 0) + (taken - useful)
            self.points[side] += points + over - 100 * ((self.bags[side] + over) // 10)
            self.bags[side] = (self.bags[side] + over) % 10


def may_be_played(hand: list[int], led: int | None, broken: bool) -> set[int]:
    """The cards of a hand that may be played."""
    if led is None:
        found = [card for card in hand if broken or card < SPADES]
    else:
        found = [card for card in hand if card // 13 == led]
    return set(found or hand)


def takes(trick: list[int]) -> int:
    """The place in the trick of the card that takes it."""
    best = 0
    for place, card in enumerate(trick):
        is_higher = card // 13 == trick[best] // 13 and card > trick[best]
        best = place if is_higher or (card >= SPADES and trick[best] < SPADES) else best
    return best


@cache
def _game(joint: bool) -> Game:
    return load("spades", variants=["joint_contract"] if joint else [])


def _number(card: str) -> int:
    """`card(clubs,two)`, as OpenSpiel counts: 0."""
    suit, rank = card.removeprefix("card(").removesuffix(")").replace(" ", "").split(",")
    return 13 * SUITS.index(suit) + RANKS.index(rank)


def spades(spiel: Any, size: int, seed: int, counts: Counter[str]) -> None:
    """One match of hands. Raises Differs."""
    joint = seed % 2 == 1
    game, chance = _game(joint), random.Random(seed)
    state, match = game.start(seed), Match(joint, [0, 0], [0, 0])
    while state.decision is not None:
        if match.is_over:
            raise Differs(f"a hand after the end: {match.points}")
        state = Hand(game, state, match, spiel if joint else None).played(chance, counts)
        counts["hands"] += 1
        found = list(game.result_of(state).scores)
        if found != match.points * 2:
            raise Differs(f"points {found} for {match.points}, seed {seed}")
    if not match.is_over:
        raise Differs(f"over too early: {match.points}")
    side = match.points.index(max(match.points))
    assert state.result is not None
    if state.result.winners != (side, side + 2):
        raise Differs(f"winners {state.result.winners} for {match.points}")
    counts[f"won by {('north and south', 'east and west')[side]}"] += 1


class Hand:
    """One hand from its first bid on; `spiel` where OpenSpiel plays it too."""

    def __init__(self, game: Game, state: State, match: Match, spiel: Any):
        assert state.decision is not None
        self.game, self.state, self.match = game, state, match
        self.first = state.decision.player
        self.hands = [sorted(_number(card) for card in state.zone("player.hand", seat)) for seat in game.seats]
        self.other = None if spiel is None else self._dealt(spiel)

    def _dealt(self, spiel: Any) -> Any:
        """OpenSpiel's hand; its first player is who bids first here."""
        found = spiel.load_game(SPIEL).new_initial_state()
        order = [self.hands[(self.first + place) % SEATS] for place in range(SEATS)]
        for number in range(SEATS * TRICKS):
            found.apply_action(order[number % SEATS][number // SEATS])
        bags = [self.match.bags[self.first % 2], self.match.bags[(self.first + 1) % 2]]
        found.set_current_scores(bags)  # it takes the bags from the last digits
        return found

    def played(self, chance: random.Random, counts: Counter[str]) -> State:
        """The state after the hand, which is counted."""
        before = list(self.match.points)
        bids = self._bids(chance)
        tricks = self._tricks(chance, counts)
        self.match.count(bids, tricks)
        counts["failed bids of nothing"] += sum(bid == 0 and taken > 0 for bid, taken in zip(bids, tricks, strict=True))
        if self.other is not None:
            theirs = [self.other.returns()[(seat - self.first) % SEATS] for seat in (0, 1)]
            gained = [now - then for now, then in zip(self.match.points, before, strict=True)]
            if not self.other.is_terminal() or theirs != gained:
                raise Differs(f"OpenSpiel's points {theirs} for {gained}: bids {bids}, tricks {tricks}")
            counts["of them beside OpenSpiel"] += 1
        return self.state

    def _bids(self, chance: random.Random) -> list[int]:
        bids = [0] * SEATS
        known: list[int | None] = [None] * SEATS
        for place in range(SEATS):
            seat = (self.first + place) % SEATS
            most = TRICKS - (known[(seat + 2) % SEATS] or 0) if self.match.joint else TRICKS
            likely = min(most, chance.choice((0, 1, 2, 3, 4, 5, most)))  # else no match would go upward
            self._take(seat, "bid", set(range(most + 1)), likely, FIRST_BID)
            bids[seat] = known[seat] = likely
        return bids

    def _tricks(self, chance: random.Random, counts: Counter[str]) -> list[int]:
        tricks, leader, broken = [0] * SEATS, self.first, False
        for _ in range(TRICKS):
            trick: list[int] = []
            for place in range(SEATS):
                seat = (leader + place) % SEATS
                cards = may_be_played(self.hands[seat], trick[0] // 13 if trick else None, broken)
                there = cards if self.other is None else cards & set(self.other.legal_actions())
                counts["leads that OpenSpiel forbids"] += len(cards - there)
                if any(card < SPADES for card in cards - there) or (trick and cards != there):
                    raise Differs(f"OpenSpiel does not offer {cards - there}")
                card = chance.choice(sorted(there))
                self._take(seat, "play_card", cards, card, 0)
                self.hands[seat].remove(card)
                trick.append(card)
                broken = broken or card >= SPADES
                counts["cards"] += 1
            leader = (leader + takes(trick)) % SEATS
            tricks[leader] += 1
        return tricks

    def _take(self, seat: int, action: str, expected: set[int], chosen: int, base: int) -> None:
        """Compares what is offered, and takes one of it."""
        state = self.state
        if state.decision is None or state.decision.player != seat or state.decision.action != action:
            raise Differs(f"{self.game.seats[seat]} should {action}: {state.decision}")
        keys = {self._meant(option.key): option.key for option in state.options()}
        if keys.keys() != expected:
            raise Differs(f"options {sorted(keys.keys() ^ expected)} of {action}")
        if self.other is not None:
            theirs = {number - base for number in self.other.legal_actions()}
            if not theirs <= keys.keys() or (base and theirs != keys.keys()):
                raise Differs(f"OpenSpiel offers {sorted(theirs - keys.keys())} of {action}")
            self.other.apply_action(chosen + base)
        self.state = state.apply(state.option(keys[chosen]))

    def _meant(self, key: str) -> int:
        """`bid 3` or `play_card card(clubs,two)` as a number."""
        what = key.partition(" ")[2]
        return int(what) if what.isdigit() else _number(what)
