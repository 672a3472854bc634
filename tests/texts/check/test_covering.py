"""Which declarations some rule tells: those that are bound, what is in them or around them, and what they use."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.texts.check.everything import check_texts

GAME = """\
game: {id: isles, language: 1, title: {en: Isles}, players: 2, seats: [red, green]}
values: {price: 2, bonus: 3}
enums: {level: {attributes: {cost: 1..9}, values: {low: {cost: 4}, high: {cost: 5}}}}
pieces: {card: {attributes: {worth: 1..2}, rows: [{worth: 1, count: 6}, {worth: 2, count: 4}]}}
zones: {player.hand: {shape: pool, holds: card}}
functions:
  dear: {params: {p: player}, type: boolean, is: p.hand.count > price}
  unused: {type: integer, is: bonus}
actions:
  grab:
    do:
      - require: not dear(me)
      - move: box.card.any
        to: me.hand
flow: [{turns: player, do: [{perform: grab}]}]
ranking: [{most: player.score}]
"""
EVERY = {
    "values.price", "values.bonus", "enums.level", "pieces.card", "zones.player.hand", "functions.dear",
    "functions.unused", "actions.grab", "flow", "ranking",
}  # fmt: skip


def untold(folder: Path, binds: str, text: str = "A rule.", more: str = "") -> set[str]:
    rules = f'rules: {{one: {{text: {{en: "{text}"}}, binds: ["{binds}"]}}}}\n'
    (folder / "isles.yaml").write_text(GAME + rules + more, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    assert not problems.has_errors
    check_texts(source, problems)
    return {str(problem.args["path"]) for problem in problems.items if problem.code == "RS555"}


@pytest.mark.parametrize(
    ("binds", "told"),
    [
        ("values.price", {"values.price"}),
        ("enums.level.values.low", {"enums.level"}),  # a part of it
        ("pieces.card.rows[worth=2].count", {"pieces.card"}),
        ("flow", {"flow"}),  # it performs the action, which is told by a rule of its own
        # the action, what it calls and where it puts cards; not the figure, which is a rule's to tell
        ("actions.grab", {"actions.grab", "functions.dear", "zones.player.hand"}),
        ("functions.dear", {"functions.dear", "zones.player.hand"}),
    ],
)
def test_what_a_rule_tells(tmp_path: Path, binds: str, told: set[str]) -> None:
    assert untold(tmp_path, binds) == EVERY - told


def test_a_figure_that_a_text_shows_is_told(tmp_path: Path) -> None:
    assert untold(tmp_path, "flow", "It costs {price}.") == EVERY - {"flow", "values.price"}


def test_what_needs_no_rule(tmp_path: Path) -> None:
    more = "book: {without_rule: [{path: values.bonus, reason: it is printed}]}\n"
    assert untold(tmp_path, "flow", more=more) == EVERY - {"flow", "values.bonus"}


def test_a_game_without_rules_is_not_asked(tmp_path: Path) -> None:
    (tmp_path / "isles.yaml").write_text(GAME, encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    check_texts(source, problems)
    assert problems.items == ()
