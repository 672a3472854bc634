"""A small game to try scenarios on, and the helpers that run them."""

from __future__ import annotations

from pathlib import Path

from interpreter.scenarios import Games, run_scenario, scenarios_of
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, read_game

GAME = """\
game:
  id: islands
  language: 1
  title: {en: "Islands"}
  players: 2..3
  seats: [red, green, blue]
  options:
    secret: {type: boolean, start: false}
boards:
  sea:
    island: {rows: {north: {}, east: {}, south: {}}}
pieces:
  ship: {per: player, count: 3, faces: [floating, sunk]}
  coin: {count: 4}
zones:
  player.fleet: {shape: pool, holds: ship, start: ship.owner == player}
  island.ship: {shape: slot, holds: ship}
  player.purse: {shape: pool, holds: coin, up_to: 2}
state:
  round: {type: 0..9, start: 0}
  player.luck: {type: 0..5, start: 0}
  ahead: {type: player or none, start: none}
actions:
  land:
    do:
      - choose: island
        where: not exists island.ship
      - require: me.luck < 3
        rule: luck_runs_out
      - move: me.fleet.any
        to: island.ship
      - gain: {luck: 1}
  rest:
    do:
      - choose: leader
        from: player
      - set: ahead
        to: leader
triggers:
  lucky:
    when: {becomes: player.luck >= 2}
    do:
      - score: 10
        for: player
        reason: luck
setup:
  - move: take(1, box.coin)
    to: red.purse
flow:
  - repeat:
      - set: round
        to: round + 1
      - turns: player
        do:
          - try: [{perform: land}]
            else: [{perform: rest}]
    until: round == 3
end:
  - for_each: player
    do:
      - score: count(i in island where i.ship.owner == player)
        for: player
        reason: islands
ranking:
  - most: player.score
"""


def source_of(folder: Path, scenarios: str, game: str = GAME) -> GameSource:
    """The game with these scenarios, each written as in a file; AssertionError where its files are not well-formed."""
    folder.mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    (folder / "scenarios.yaml").write_text("scenarios:\n" + scenarios, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    if source is None or len(problems):
        raise AssertionError("\n".join(f"{p.span.line}: {p.message}" for p in problems.items))
    return source


def failures(folder: Path, scenarios: str, game: str = GAME) -> list[tuple[int, str]]:
    """Line in the file and message of everything that fails."""
    source = source_of(folder, scenarios, game)
    games = Games(source)
    return [(f.span.line, f.message) for s in scenarios_of(source) for f in run_scenario(games, s)]
