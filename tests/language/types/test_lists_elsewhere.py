"""What is done with a list, as other languages write it: the mend is told in the words that were written."""

from __future__ import annotations

import pytest

from tests.language.types.test_types import typed

CASES = {
    "head(2, richest)": ("RS301", "`take(2, richest)` are the first 2."),
    "slice(richest, 0, 2)": ("RS301", "`take(2, richest)` are the first 2."),
    "richest.slice": ("RS302", "`take(N, richest)` are the first N."),
    "richest.first(2)": ("RS309", "`take(2, richest)` are the first 2."),
    "deck.top(3)": ("RS309", "`take(3, deck)` are the first 3."),
    "drop(1, richest)": (
        "RS301",
        "`list(x for x in richest where not x in take(1, richest))` is a list without the first 1.",
    ),
    "len(me.hand)": ("RS301", "`me.hand.count` is how many there are."),
    "me.hand.length": ("RS302", "`me.hand.count` is how many there are."),
    "reverse(richest)": ("RS301", "Sort it the other way: `sort(x in richest by -E)`."),
    "min(2, me.hand)": ("RS303", "`me.hand.count` is how many there are; `take(N, me.hand)` are the first N."),
    "take(me.hand, 2)": ("RS303", "`me.hand.count` is how many there are; `take(N, me.hand)` are the first N."),
    "me.hand[0]": ("RS309", "`me.hand.count` is how many there are; `take(N, me.hand)` are the first N."),
    "take(2, player)": (
        "RS303",
        "A set or kind has no order of its own. Make a list of it: `sort(x in S by E)` or `list(x for x in S)`.",
    ),
    # what is no such name is told as before
    "red.slice": ("RS302", None),
}

#: The mends above that need no more than what was written.
MENDED = (
    "take(2, richest)",
    "take(3, deck)",
    "list(x for x in richest where not x in take(1, richest))",
    "me.hand.count",
    "sort(p in player by -p.coins)",
    "take(2, list(p for p in player))",
)


@pytest.mark.parametrize("text", CASES)
def test_the_mend_is_told(text: str) -> None:
    _, [problem] = typed(text)
    assert (problem.code, problem.hint) == CASES[text]


@pytest.mark.parametrize("text", MENDED)
def test_the_mend_has_no_fault(text: str) -> None:
    assert typed(text)[1] == ()
