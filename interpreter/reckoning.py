"""How searching players reckon: in steps that give the very same figures in Python and in WebAssembly.

Sums, products, quotients and square roots of 64 bits are the same everywhere. Logarithms are not: they are looked up,
and what stands for an S-shaped curve is a quotient.

>>> abs(logarithm(40_000) - math.log(40_000)) < 0.002
True
>>> squash(0.0), squash(3.0), squash(-50.0)
(0.5, 1.0, 0.0)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

#: How much a search tries what it has tried little; rewards lie between 0 and 1.
CURIOSITY: Final = 0.7
#: The part of a reward at the end of a game that the points have, beside the victory.
BY_POINTS: Final = 0.15
#: A lead of so many times the usual one is worth no more than a victory.
MOST_LEAD: Final = 3.0
#: Branches that a tree keeps; then no more grow.
MOST_BRANCHES: Final = 1 << 18
#: Rounds of a search: each draws by a seed plus its number.
MOST_ROUNDS: Final = 1 << 24
#: Decisions of one game, after which random play is left even without a horizon.
MOST_DECISIONS: Final = 20_000

#: The same of a guided search, which has a guess of what it has not tried.
GUIDED_CURIOSITY: Final = 0.6
#: As how many times that a branch was taken its guess counts.
BELIEF: Final = 2.0
#: As how many times that a choice was made the usual reward counts in what it brings wherever it is made.
DOUBT: Final = 2.0
#: How much a lead one step ahead says of a choice.
LEANING: Final = 1.0
#: In how many imagined states each option is tried before a search.
LEANS: Final = 1
#: Choices of which is known what they bring wherever they are made, and those that are noted of one round.
MOST_KNOWN: Final = 1 << 15
MOST_NOTED: Final = 128
#: As many choices for each round of a search are known at most.
KNOWN_OF_A_ROUND: Final = 16

#: Decisions behind the horizon after which random play of a guided search is left in the middle of a turn.
MOST_OF_A_TURN: Final = 40

#: The purposes of streams: of what is imagined, and of what is tried there.
IMAGINING: Final = "imagining"
TRYING: Final = "trying"

_BITS: Final = 10
#: The logarithms of the numbers below 1,024; that of 0, which nobody asks for, is 0.
LOGARITHMS: Final = (0.0, *(math.log(n) for n in range(1, 1 << _BITS)))
LOGARITHM_OF_2: Final = math.log(2)


def logarithm(number: int) -> float:
    """The natural logarithm of a number from 1 on; of a large one, that of its first ten binary digits and zeros."""
    left = max(number.bit_length() - _BITS, 0)
    return LOGARITHMS[number >> left] + left * LOGARITHM_OF_2


def most_known(rounds: int | None) -> int:
    """Of how many choices it may be known what they bring wherever they are made, in a search of so many rounds."""
    return MOST_KNOWN if rounds is None else min(MOST_KNOWN, KNOWN_OF_A_ROUND * rounds)


def leads(values: Sequence[float], teams: Sequence[int] = ()) -> list[float]:
    """How far each seat is ahead of the best other one; of teams, by the sum of its team. Alone, what it has.

    `teams` has for each seat the first seat of its team.

    >>> leads([5.0, 3.0, 0.0, 3.0]), leads([5.0, 3.0, 0.0, 3.0], (0, 1, 0, 1)), leads([5.0, 3.0], (0, 0))
    ([2.0, -2.0, -5.0, -2.0], [-1.0, 1.0, -1.0, 1.0], [8.0, 8.0])
    """
    whose = teams or range(len(values))
    sums = dict.fromkeys(whose, 0.0)
    for side, value in zip(whose, values, strict=True):
        sums[side] += value
    ahead = {side: own - max((sums[o] for o in sums if o != side), default=0.0) for side, own in sums.items()}
    return [ahead[side] for side in whose]


def squash(lead: float) -> float:
    """A lead, in usual leads, as a figure between 0 and 1: close to 1 / (1 + exp(-2 lead))."""
    x = max(-MOST_LEAD, min(MOST_LEAD, lead))
    square = x * x
    return 0.5 + 0.5 * (x * (27.0 + square) / (27.0 + 9.0 * square))
