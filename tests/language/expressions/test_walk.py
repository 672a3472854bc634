"""Going through expressions: which names they read."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.expr.parse import parse_text
from rulespec.expr.walk import free_names, names_in, words_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("player.coins > 10", ["player"]),
        ("cell.x + cell.y == limit", ["cell", "cell", "limit"]),
        ("count(c in cell where c.x > limit)", ["limit"]),
        ("sum(player.coins for player in player)", []),
        ("sum(p.coins for p in player where p != leader)", ["leader"]),
        ("most(c in near(cell) by c.x - cell.x)", ["cell", "cell"]),
        ("stretch(c in line.cells where c.rim around cell)", ["line", "cell"]),
        ("walk(c from cell step c.next)", ["cell"]),
        ("reach(c from cell via c.beside cost c.x + toll within budget)", ["cell", "budget", "toll"]),
        ("worth(cell, 3)", ["cell"]),
        ("[cell, none, 3]", ["cell"]),
    ],
)
def test_free_names(text: str, names: list[str]) -> None:
    expression = parse_text(text, Problems())
    assert expression is not None
    assert free_names(expression) == names


def test_names_and_words() -> None:
    expression = parse_text("count(c in cell where c.pier.owner == me) > limit", Problems())
    assert expression is not None
    assert names_in(expression) == {"c", "cell", "me", "limit"}
    assert words_in(expression) == {"c", "cell", "me", "limit", "pier", "owner"}
