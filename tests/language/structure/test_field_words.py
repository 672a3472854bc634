"""Whoever does what a hint on a word of the field says has written what passes."""

from __future__ import annotations

from pathlib import Path

from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game

FOLLOWED = """
game: {id: f, language: 1, title: {en: F}, players: 2..4, seats: [red, blue, green, white], teams: player.index % 2}
boards: {map: {cell: {for: {x: 0..7, y: 0..7}}}}
pieces:
  die: {count: 2, faces: 1..6}
  card: {count: 40, faces: [up, down]}
  man: {per: player, count: 5}
zones:
  cup: {shape: pool, holds: die, start: true}
  deck: {shape: stack, holds: card, start: true}
  player.hand: {shape: pool, holds: card}
  discards: {shape: stack, holds: card}
  cell.men: {shape: slot, holds: man}
  player.stock: {shape: pool, holds: man, start: man.owner == player}
  shown: {shape: slot, holds: card}
setup:
  - for_each: p
    in: player
    do: [{draw: 5, from: deck, to: p.hand}]
flow:
  - repeat:
      - turns: player
        do:
          - roll: cup
          - choose: card
            from: me.hand
          - move: card
            to: discards
          - choose: cell
          - if: cell.men.empty
            then:
            - move: me.stock.first
              to: cell.men
          - move: discards.top
            to: box
          - draw: 1
            from: deck
            to: shown
          - flip: shown
            face: down
          - if: exists deck.top
            then: [{look: deck.top}]
          - look: me.hand
            for: me.left
          - look: me.hand
            for: player
    times: 3
ranking: [{won: not (player.score < 2)}]
"""


def test_what_the_hints_say_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(FOLLOWED, "utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    check_game(source, [], problems)
    assert [problem.code for problem in problems.items if problem.code != "RS524"] == []
