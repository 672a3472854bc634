"""Workspaces for tests: all shipped games, and one small game."""

from __future__ import annotations

from functools import cache

from rulespec.diagnostics.model import Problems
from rulespec.game_source import engine_trees
from rulespec.service.workspace import Workspace
from rulespec.source.shipped import content_root, games

CURSOR = "|"

ISLANDS = """\
game:
  id: islands
  language: 1
  title: {en: "Islands", fr: "Îles"}
  players: 2..4
  seats: [red, green, blue, black]
  options:
    open_hands: {type: boolean, start: false}
values:
  bridge_cost: 2
enums:
  ground: [water, meadow, hill]
boards:
  land:
    cell:
      for: {col: 0..4, row: 0..4}
      attributes:
        ground: {type: ground, is: if cell.row == 2 then water else meadow}
        rim: {type: boolean, is: "cell.col in [0, 4]"}
      draw: {x: cell.col, y: cell.row}
pieces:
  token: {per: player, count: 6}
  card:
    attributes: {ground: ground, worth: 1..3}
    rows: [{each: ground, worth: 1, count: 3}]
zones:
  player.stock: {shape: pool, holds: token, start: token.owner == player}
  cell.token: {shape: slot, holds: token}
  deck: {shape: stack, holds: card, start: true}
state:
  player.coins: {type: 0..20, start: 4}
functions:
  may_settle:
    params: {cell: cell, p: player}
    type: boolean
    is: not exists cell.token and p.coins > 0
events:
  settled: {cell: cell}
effects:
  coins:
    params: {amount: 1..5}
    do:
      - gain: {coins: amount}
actions:
  settle:
    do:
      - choose: cell
        where: may_settle(cell, me)
      - pay: {coins: bridge_cost}
        rule: bridge_cost
      - move: me.stock.any
        to: cell.token
      - emit: settled(cell)
triggers:
  rim:
    when: {emitted: settled}
    where: cell.rim
    do:
      - perform: coins(1)
flow:
  - repeat:
      - turns: player
        do: [{perform: settle}]
    times: 3
ranking:
  - most: player.coins
messages:
  settle.prompt: {en: "Choose a cell.", fr: "Choisissez une case."}
rules:
  bridges:
    text: {en: "A bridge costs {bridge_cost} coins.", fr: "Un pont coûte {bridge_cost} pièces."}
    binds: [actions.settle]
    shown_by: [a_bridge]
scenarios:
  a_bridge:
    rules: [bridges]
    given: {red.coins: 4}
    play:
      - red: settle cell[1,1]
    then:
      - red.coins == 2
"""


#: A variant of the small game whose step reads a name that the steps before it bind; a condition is being typed.
RAINY = """\
variant:
  id: rainy
  title: {en: "Rain"}
  changes:
    - insert: actions.settle.do
      after: pay
      steps:
        - if: |
          then: [{pay: {coins: 1}}]
"""


def shipped() -> Workspace:
    """All shipped games, each test's own."""
    space = Workspace(engine_trees(Problems()))
    for name, text in shipped_texts().items():
        space.put(name, text)
    return space


@cache
def shipped_texts() -> dict[str, str]:
    """The texts of the shipped games' files, by name."""
    root = content_root()
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for folder in games().values()
        for path in sorted(folder.rglob("*.yaml"))
    }


def islands(text: str = ISLANDS, **more: str) -> Workspace:
    """The small game, in one file, with further files."""
    space = Workspace()
    space.put("islands/game.yaml", text)
    for name, other in more.items():
        space.put(f"islands/{name}.yaml", other)
    return space


def with_line(old: str, new: str) -> tuple[str, int]:
    """The small game with one piece of its text replaced, and the offset of the cursor in the new one."""
    assert ISLANDS.count(old) == 1, old
    text = ISLANDS.replace(old, new)
    at = text.index(CURSOR)
    return text[:at] + text[at + 1 :], at
