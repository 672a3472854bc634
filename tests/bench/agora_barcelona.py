"""Agora Barcelona written by hand, to measure the interpreter against, and to check the content's options with.

The same decisions as in the content: a card is taken by its back, equal cards are one option, and phase 3 is two
single moves in any order, of which the first is only offered when a second one completes a legal pair. At every
decision all legal options are listed and one of them is picked, as whoever plays or searches through the game needs it.

    scores = playout(seed=7, players=4)

A *card* is `district * 5 + value - 1`. A *hop* (one walker's move) is a number into `hops(players)`, in the order of
home, colour and goal. A *row* holds the walkers of each player in one district.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache

TAKE = "take_card"
PLAY = "play_card"
DISCARD = "discard_card"
MOVE = "move_walkers"
DRAW = "draw_card"
PASS = "pass_fountain"

DISTRICTS = (
    "les_corts", "sarria", "gracia", "horta", "nou_barris",
    "sant_andreu", "sants_montjuic", "eixample", "sant_marti", "ciutat_vella",
)  # fmt: skip
VALUES = (7, 8, 7, 9, 6, 7, 7, 10, 8, 7)
BORDERS = (
    (1, 6, 7),
    (0, 2, 3, 7),
    (1, 3, 7),
    (1, 2, 4, 5, 7, 8),
    (3, 5),
    (3, 4, 8),
    (0, 7, 9),
    (0, 1, 2, 3, 6, 8, 9),
    (3, 5, 7, 9),
    (6, 7, 8),
)
DECK = tuple(district * 5 + value - 1 for district in range(10) for value in (1, 2, 3, 3, 4, 5))
WALKERS = {3: 35, 4: 30, 5: 25}
IN_PLAY = {3: 45, 4: 48, 5: 50}
ROUNDS = {3: 15, 4: 12, 5: 10}
HAND = 5

#: Picks one of the options: seat, action, options (cards, districts, hops, piles or seats).
Choose = Callable[[int, str, list[int]], int]
#: Picks one of the cards that look alike from behind.
Chance = Callable[[list[int]], int]
Row = tuple[int, ...]


@cache
def hops(players: int) -> tuple[tuple[int, int, int], ...]:
    """All moves of one walker: home, colour, goal."""
    return tuple((d, p, g) for d in range(10) for p in range(players) for g in BORDERS[d])


@cache
def _hops_of(players: int) -> tuple[tuple[int, ...], ...]:
    """The hops of each colour in each district, at `district * players + colour`."""
    found: list[list[int]] = [[] for _ in range(10 * players)]
    for number, (d, p, _) in enumerate(hops(players)):
        found[d * players + p].append(number)
    return tuple(map(tuple, found))


@cache
def _masks(players: int) -> tuple[int, ...]:
    """The two districts of each hop, as bits."""
    return tuple(1 << d | 1 << g for d, _, g in hops(players))


def tied(row: Sequence[int]) -> bool:
    """Whether several players share the majority."""
    top = max(row)
    return top > 0 and row.count(top) > 1


@cache
def ties_after(row: Row) -> tuple[bool, int, int]:
    """Whether a row is tied; and the colours, as bits, of which one walker less or one more leaves it tied."""
    less = more = 0
    for p, walkers in enumerate(row):
        if walkers and tied((*row[:p], walkers - 1, *row[p + 1 :])):
            less |= 1 << p
        if tied((*row[:p], walkers + 1, *row[p + 1 :])):
            more |= 1 << p
    return tied(row), less, more


class Table:
    """One game, changed in place."""

    __slots__ = ("fountain", "hands", "hop", "less", "mask", "more", "piles", "players", "reserve", "rows", "standing")

    def __init__(self, players: int, hands: list[list[int]], piles: tuple[list[int], list[int]], fountain: int) -> None:
        self.players = players
        self.hands = hands
        self.piles = piles
        self.fountain = fountain
        self.reserve = [WALKERS[players]] * players
        self.rows = [[0] * players for _ in range(10)]
        self.standing = [0] * (10 * players)
        self.less = [0] * 10
        self.more = [0] * 10
        self.hop = hops(players)
        self.mask = _masks(players)

    def note(self, district: int) -> None:
        """Look up what one walker less or more would do in a district that has changed."""
        _, self.less[district], self.more[district] = ties_after(tuple(self.rows[district]))

    def shift(self, hop: int) -> None:
        """Move one walker; it lies then."""
        home, colour, goal = self.hop[hop]
        self.rows[home][colour] -= 1
        self.rows[goal][colour] += 1
        self.standing[home * self.players + colour] -= 1

    def playable(self, seat: int) -> list[int]:
        """The cards that a player may play."""
        found = []
        left = self.reserve[seat]
        for card in sorted(set(self.hands[seat])):
            district, value = divmod(card, 5)
            if value < left:
                row = self.rows[district]
                row[seat] += value + 1
                if not tied(row):
                    found.append(card)
                row[seat] -= value + 1
        return found

    def movable(self, only: int | None) -> list[int]:
        """The hops of all standing walkers, or of those of one colour, whatever they may lead to."""
        found: list[int] = []
        players = self.players
        for at, count in enumerate(self.standing):
            if count and (only is None or at % players == only):
                found += _hops_of(players)[at]
        return found

    def singles(self, candidates: list[int]) -> list[int]:
        """The hops that leave no tie by themselves."""
        hop, less, more = self.hop, self.less, self.more
        found = []
        for h in candidates:
            home, colour, goal = hop[h]
            if not (less[home] | more[goal]) >> colour & 1:
                found.append(h)
        return found

    def seconds(self, first: int, candidates: list[int], enough: int) -> list[int]:
        """The candidates, itself among them, that make a legal pair with `first`; at most `enough`."""
        hop, mask = self.hop, self.mask
        home, colour, goal = hop[first]
        home_tied, home_less, home_more = self._row_info(home, colour, -1)
        goal_tied, goal_less, goal_more = self._row_info(goal, colour, 1)
        less, more = self.less, self.more
        kept = less[home], more[home], less[goal], more[goal]
        less[home], more[home], less[goal], more[goal] = home_less, home_more, goal_less, goal_more
        must = (1 << home if home_tied else 0) | (1 << goal if goal_tied else 0)
        alone = self.standing[home * self.players + colour] == 1
        found = []
        for h in candidates:
            if mask[h] & must == must:
                d, p, g = hop[h]
                if not (less[d] | more[g]) >> p & 1 and not (alone and d == home and p == colour):
                    found.append(h)
                    if len(found) == enough:
                        break
        less[home], more[home], less[goal], more[goal] = kept
        return found

    def _row_info(self, district: int, colour: int, change: int) -> tuple[bool, int, int]:
        row = self.rows[district]
        row[colour] += change
        info = ties_after(tuple(row))
        row[colour] -= change
        return info

    def firsts(self, candidates: list[int]) -> list[int]:
        """The hops with which a legal pair begins. Most are settled by a harmless hop in other districts."""
        mask = self.mask
        harmless = self.singles(candidates)
        safe = set(harmless)
        witness = harmless[-1] if harmless else -1
        around = mask[witness] if harmless else 0
        other = next((h for h in reversed(harmless) if not mask[h] & around), -1)
        around_other = mask[other] if other >= 0 else 0
        found = []
        for h in candidates:
            near, far = witness >= 0 and not mask[h] & around, other >= 0 and not mask[h] & around_other
            if (h in safe and (near or far)) or self.seconds(h, candidates, 1):
                found.append(h)
        return found

    def stand_up(self) -> None:
        """All walkers stand again."""
        self.standing = [count for row in self.rows for count in row]

    def order(self) -> list[int]:
        """The seats in turn order of this round."""
        return [(self.fountain + i) % self.players for i in range(self.players)]


def take_phase(table: Table, choose: Choose, chance: Chance) -> None:
    """Phase 1: everyone takes a card from the left neighbour, by its back."""
    for seat in table.order():
        hand = table.hands[(seat + 1) % table.players]
        district = choose(seat, TAKE, sorted({card // 5 for card in hand}))
        card = chance([c for c in hand if c // 5 == district])
        hand.remove(card)
        table.hands[seat].append(card)


def play_phase(table: Table, choose: Choose) -> None:
    """Phase 2: everyone plays a card, or discards one."""
    for seat in table.order():
        cards = table.playable(seat)
        if not cards:
            hand = table.hands[seat]
            hand.remove(choose(seat, DISCARD, sorted(set(hand))))
            continue
        card = choose(seat, PLAY, cards)
        table.hands[seat].remove(card)
        district, value = divmod(card, 5)
        table.reserve[seat] -= value + 1
        table.rows[district][seat] += value + 1
        table.standing[district * table.players + seat] += value + 1
        table.note(district)


def move_phase(table: Table, choose: Choose, last: bool) -> None:
    """Phase 3: everyone moves two walkers, or one, or none."""
    for seat in table.order():
        candidates = table.movable(seat if last else None)
        options = table.firsts(candidates)
        if options:
            first = choose(seat, MOVE, options)
            second = choose(seat, MOVE, table.seconds(first, candidates, len(candidates)))
            picked = [first, second]
        else:
            options = table.singles(candidates)
            picked = [choose(seat, MOVE, options)] if options else []
        for hop in picked:
            table.shift(hop)
        for hop in picked:
            home, _, goal = table.hop[hop]
            table.note(home)
            table.note(goal)


def draw_phase(table: Table, choose: Choose) -> None:
    """Phase 4: everyone draws a card from one of the piles."""
    for seat in table.order():
        pile = choose(seat, DRAW, [i for i in (0, 1) if table.piles[i]])
        table.hands[seat].append(table.piles[pile].pop())


def play(table: Table, choose: Choose, chance: Chance) -> tuple[int, ...]:
    """Play a game that is set up; the scores."""
    rounds = ROUNDS[table.players]
    for number in range(1, rounds + 1):
        if table.piles[0] or table.piles[1]:
            take_phase(table, choose, chance)
        play_phase(table, choose)
        move_phase(table, choose, number == rounds)
        if table.piles[0] or table.piles[1]:
            draw_phase(table, choose)
        table.stand_up()
        if number < rounds:
            others = [seat for seat in range(table.players) if seat != table.fountain]
            table.fountain = choose(table.fountain, PASS, others)
    return scores(table.rows, table.players)


def scores(rows: list[list[int]], players: int) -> tuple[int, ...]:
    """The points of each seat."""
    points = [0] * players
    for row, value in zip(rows, VALUES, strict=True):
        top = max(row)
        if top:
            points[row.index(top)] += value
    return tuple(points)


def set_up(rand: random.Random, players: int) -> Table:
    """Shuffle, deal and split the piles."""
    deck = list(DECK)
    rand.shuffle(deck)
    dealt = HAND * players
    hands = [deck[i : i + HAND] for i in range(0, dealt, HAND)]
    split = dealt + (IN_PLAY[players] - dealt + 1) // 2
    piles = deck[dealt:split], deck[split : IN_PLAY[players]]
    return Table(players, hands, piles, int(rand.random() * players))


def playout_counted(seed: int, players: int) -> tuple[tuple[int, ...], int]:
    """The scores of one game of uniformly random choices, and how many decisions it took."""
    rand = random.Random(seed)
    uniform = rand.random
    decisions = 0

    def choose(seat: int, action: str, options: list[int]) -> int:
        nonlocal decisions
        decisions += 1
        return options[int(uniform() * len(options))]

    def chance(cards: list[int]) -> int:
        return cards[int(uniform() * len(cards))]

    return play(set_up(rand, players), choose, chance), decisions


def playout(seed: int, players: int) -> tuple[int, ...]:
    """The scores of one game of uniformly random choices."""
    return playout_counted(seed, players)[0]


def key(action: str, option: int, players: int) -> str:
    """The option's key as the content's options have it (a tie of names between the two programs, for tests)."""
    seats = ("blue", "garnet", "topaz", "olive", "white")
    if action == TAKE:
        return f"{TAKE} card({DISTRICTS[option]})"
    if action in (PLAY, DISCARD):
        return f"{action} card({DISTRICTS[option // 5]}, {option % 5 + 1})"
    if action == MOVE:
        home, colour, goal = hops(players)[option]
        return f"{MOVE} {DISTRICTS[home]} walker({seats[colour]}) {DISTRICTS[goal]}"
    if action == DRAW:
        return f"{DRAW} {('near_pile', 'far_pile')[option]}"
    return f"{PASS} {seats[option]}"
