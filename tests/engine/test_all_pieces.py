"""`box.KIND` before play: in `checks`, the list of all pieces of the kind; where they are not counted yet, nothing.

The cards: each of two suits has values 1, 2 and twice 3, so four cards, eight in all; each player has two ships.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from rulespec.build import build
from rulespec.diagnostics.model import Problems
from tests.language.structure.cases import tree_of

GAME = """\
game: {id: suits, language: 1, title: {en: "Suits"}, players: 2..3, seats: [red, green, blue]}
enums: {suit: [cups, coins]}
pieces:
  card:
    attributes: {suit: suit, value: 1..3}
    rows: [{each: suit, value: 1}, {each: suit, value: 2}, {each: suit, value: 3, count: 2}]
  ship: {per: player, count: 2}
zones:
  deck: {shape: stack, holds: card, start: true}
"""
REST = "flow: [{finish: game}]\nranking: [{most: player.score}]\n"


def problems(text: str, players: int = 2) -> list[str]:
    found = Problems()
    build(tree_of(text), players, {}, found)
    return [problem.code for problem in found.items]


def holds(condition: str, players: int = 2) -> bool:
    """Whether a check is true (RS718 says that it is not)."""
    found = problems(f"{GAME}checks: ['{condition}']\n{REST}", players)
    assert found in ([], ["RS718"])
    return not found


@pytest.mark.parametrize(
    ("condition", "players"),
    [
        ("box.card.count == 8", 2),
        ("count(c in box.card where c.suit == cups) == 4", 2),
        ("count(c in box.card where c.value == 3) == 4", 2),
        ("sum(c.value for c in box.card where c.suit == coins) == 9", 2),
        ("max(c.value for c in box.card) == 3", 2),
        ("box.ship.count == 4", 2),
        ("box.ship.count == 6", 3),
        ("count(s in box.ship where s.owner == green) == 2", 3),
    ],
)
def test_all_pieces_are_counted_wherever_they_start(condition: str, players: int) -> None:
    assert holds(condition, players)
    assert not holds(f"not ({condition})", players)


def test_values_come_before_the_pieces() -> None:
    assert problems(f"{GAME}{REST}") == []
    assert problems(f"values: {{many: box.card.count}}\n{GAME}{REST}") == ["RS302"]


def test_in_play_it_is_what_lies_in_the_box(tmp_path: Path) -> None:
    """All cards start in the deck, so none is in the box, and of the two players' four ships all are: four points."""
    flow = "flow:\n  - score: box.card.count + box.ship.count\n    for: red\n    reason: left\n  - finish: game\n"
    (tmp_path / "suits.yaml").write_text(f"{GAME}{flow}ranking: [{{most: player.score}}]\n", encoding="utf-8")
    result = load(tmp_path).start(1).result
    assert result is not None
    assert result.scores == (4, 0)
