"""Stretches of a text, asked as one asks each of them."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import pytest

from rulespec.texts.stretches import Stretches

PLACES = tuple(combinations_with_replacement(range(9), 2))


@pytest.mark.parametrize("seed", range(20))
def test_every_stretch_is_told_as_by_looking_at_each(seed: int) -> None:
    random = Random(seed)
    pairs = random.sample(PLACES, random.randrange(6))
    found = Stretches(pairs)
    for start, end in PLACES:
        assert found.meet(start, end) == any(a < end and start < b for a, b in pairs)
        assert found.hold(start, end) == any(a <= start and end <= b for a, b in pairs)
