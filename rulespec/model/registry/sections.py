"""The sections of a file. Their examples, but for `variant`, make one small game together."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.common import boolean
from rulespec.model.registry.looks import ICON
from rulespec.model.registry.names import DECLARED, LOCAL, MEMBER, MESSAGE, READ_AS, READ_ON, SIGN
from rulespec.model.shapes import (
    STEPS,
    ByNode,
    Data,
    Expression,
    Field,
    ListOf,
    MapOf,
    Name,
    Record,
    Type,
    Use,
)

_CONSTANT: Final = Expression(expects="anything", scope="constants")
_CHECKS: Final = ListOf(item=ByNode(scalar=boolean("position"), mapping=Use(record="check")))


def _named(record: str) -> MapOf:
    return MapOf(key=DECLARED, value=Use(record=record))


_MATERIAL: Final = (
    Field(
        "game",
        "The game as a whole: id, titles, players, seats, options.",
        Use(record="game"),
        """\
id: islands
language: 1
title: {en: "Islands"}
players: 2..4
seats: [red, green, blue, black]
teams: if player_count == 4 then player.index % 2 else player.index
options:
  open_hands: {type: boolean, start: false}
""",
    ),
    Field(
        "values",
        "Constants: figures, and tables of figures.",
        MapOf(
            key=DECLARED,
            value=ByNode(scalar=_CONSTANT, sequence=ListOf(item=Data(scope="constants")), mapping=Use(record="value")),
        ),
        """\
bridge_cost: 2
cards_each: {type: 2..3 by player_count, is: {2: 3, 3: 2, 4: 2}}
bridge_points:
  type: integer by 0..6
  is: [0, 1, 3, 6, 10, 15, 21]
  source: {reconstructed: the first four are known}
""",
    ),
    Field(
        "enums",
        "Closed sets of values, with what is known of each: every table of a game.",
        MapOf(
            key=DECLARED,
            value=ByNode(sequence=ListOf(item=Name(naming=DECLARED), least=1), mapping=Use(record="enum")),
        ),
        """\
ground: [water, meadow, hill]
level:
  attributes: {cost: 0..3, gives: effect}
  defaults: {cost: 0}
  values:
    low: {gives: coins(1)}
    high: {cost: 2, gives: climb_up(1)}
""",
    ),
    Field(
        "boards",
        "Kinds of sites, in groups that are drawn together.",
        MapOf(key=DECLARED, value=Use(record="group")),
        """\
land:
  cell:
    for: {col: 0..4, row: 0..4}
    where: cell.col != 2 or cell.row != 2
    attributes:
      ground: {type: ground, is: if cell.row == 2 then water else meadow}
      rim:
        type: boolean
        is: cell.col in [0, 4] or cell.row in [0, 4]
    draw: {x: cell.col, y: cell.row, shows: [cell.token]}
  line: {lines_of: cell, directions: [[1, 0], [0, 1]], at_least: 3}
villages:
  village:
    attributes: {level: level}
    rows:
      north: {level: high}
      south: {level: low}
""",
    ),
    Field(
        "icons",
        "The icons that stand in pictures for characters of signs (`drawn.KEY`); in text the characters stay.",
        MapOf(key=SIGN, value=ICON),
        """\
"★": star
"¢": coin
""",
    ),
    Field(
        "relations",
        "Which things belong to which, by rule or by list; the key is how they are read.",
        MapOf(key=READ_ON, value=Use(record="relation")),
        """\
cell.beside:
  to: cell
  as: other
  where: abs(cell.col - other.col) + abs(cell.row - other.row) == 1
village.roads:
  to: village
  pairs: {north: [south]}
""",
    ),
    Field(
        "pieces",
        "Kinds of pieces, how many there are, and what is on them.",
        _named("piece"),
        """\
token: {per: player, count: 6, faces: [awake, asleep]}
die: {count: 2, faces: 1..6}
card:
  attributes: {ground: ground, worth: 1..3}
  back: [ground]
  rows:
    - {each: ground, worth: 1, count: 3}
    - {each: ground, worth: 3}
""",
    ),
    Field(
        "zones",
        "Where pieces lie, and who sees them; the key is how a zone is read.",
        MapOf(key=READ_AS, value=Use(record="zone")),
        """\
player.stock: {shape: pool, holds: token, start: token.owner == player}
cell.token: {shape: slot, holds: token}
deck: {shape: stack, holds: card, front: nobody, back: top, start: true, renew: discard}
display: {shape: pool, holds: card, up_to: 2}
discard: {shape: pool, holds: card}
player.hand: {shape: pool, holds: card, front: owner}
dice: {shape: pool, holds: die, start: true}
""",
    ),
    Field(
        "state",
        "What changes in play, beside where pieces lie; the key is how it is read.",
        MapOf(key=READ_AS, value=Use(record="state")),
        """\
player.coins: {type: 0..20, start: 4}
first_player: {type: player, start: red}
""",
    ),
    Field(
        "tracks",
        "Lines of spaces with a marker for each one of a kind.",
        MapOf(key=READ_ON, value=Use(record="track")),
        """\
player.climb:
  space: stair
  attributes: {factor: 0..2}
  start: 0
  spaces: [{factor: 0}, {factor: 1}, {factor: 2}]
  past_top:
    - score: 1
      reason: stairs
  past_bottom: []
""",
    ),
)

_RULES: Final = (
    Field(
        "repetition",
        "What makes two positions the same, where a rule speaks of repetition.",
        Use(record="repetition"),
        """\
of: [cell.token, active]
up_to: 100
""",
    ),
    Field(
        "functions",
        "Named expressions with parameters.",
        _named("function"),
        """\
bridges_of:
  about: How many tokens a player has on the land.
  params: {p: player}
  type: 0..6
  is: count(c in cell where c.token.owner == p)
""",
    ),
    Field(
        "effects",
        "Named steps; their values can be printed on things.",
        _named("effect"),
        """\
coins:
  params: {amount: 1..5}
  do:
    - gain: {coins: amount}
climb_up:
  params: {amount: 1..2}
  do:
    - advance: me.climb
      by: amount
""",
    ),
    Field(
        "actions",
        "What a player may do, as a whole or not at all.",
        _named("action"),
        """\
settle:
  do:
    - choose: cell
      where: not exists cell.token and cell.ground != water
    - pay: {coins: bridge_cost}
      rule: bridge_cost
    - move: me.stock.any
      to: cell.token
    - emit: settled(cell)
play_card:
  do:
    - choose: card
      from: me.hand
    - gain: {coins: card.worth}
    - move: card
      to: discard
""",
    ),
    Field(
        "events",
        "What can be announced by `emit`, with its fields and their types.",
        MapOf(key=DECLARED, value=MapOf(key=LOCAL, value=Type())),
        """\
settled: {cell: cell}
""",
    ),
    Field(
        "triggers",
        "What happens when something happens.",
        _named("trigger"),
        """\
rim_settled:
  when: {emitted: settled}
  where: cell.rim
  do:
    - advance: me.climb
""",
    ),
    Field(
        "setup",
        "The steps before the first turn. Each is done in full: what cannot be is a fault, outside `try`.",
        STEPS,
        """\
- shuffle: deck
- for_each: player
  do:
    - draw: cards_each[player_count]
      from: deck
      to: player.hand
- refill: display
  from: deck
""",
    ),
    Field(
        "flow",
        "The steps of the game itself: rounds and turns.",
        STEPS,
        """\
- repeat:
    - turns: clockwise(first_player)
      do:
        - try: [{perform: settle}]
          else:
            - try: [{perform: play_card}]
  until: all(p.hand.empty for p in player)
""",
    ),
    Field(
        "end",
        "The steps after the last turn: final scoring.",
        STEPS,
        """\
- for_each: player
  do:
    - score: bridge_points[bridges_of(player)] * player.climb.factor
      for: player
      reason: bridges
""",
    ),
    Field(
        "ranking",
        "Who wins: comparisons, the first one first.",
        ListOf(item=Use(record="rank"), least=1),
        """\
- most: player.score
- least: player.hand.count
""",
    ),
)

_WORDS: Final = (
    Field(
        "messages",
        "The texts that people read, by key and language.",
        MapOf(key=MESSAGE, value=Use(record="message")),
        """\
settle.prompt: {en: "Choose a cell for your bridge."}
settle.log:
  select: bridge_cost
  en:
    one: "{me} pays {bridge_cost} coin for a bridge on {cell}."
    other: "{me} pays {bridge_cost} coins for a bridge on {cell}."
play_card.prompt: {en: "Play a card."}
score.bridges: {en: "Bridges"}
score.stairs: {en: "Top of the stairs"}
""",
    ),
    Field(
        "terms",
        "The words for declared things, with their plurals.",
        MapOf(key=MEMBER, value=Use(record="term")),
        """\
token:
  en: {one: bridge, other: bridges}
  fr: {one: pont, other: ponts, gender: masculine}
""",
    ),
    Field(
        "rules",
        "The rules as people read them, bound to declarations.",
        MapOf(key=DECLARED, value=Use(record="rule")),
        """\
bridge_cost:
  text:
    en: Whoever builds a bridge pays {bridge_cost} coins.
  kind: cost
  binds: [actions.settle, values.bridge_cost]
  shown_by: [a_bridge_is_paid]
""",
    ),
    Field(
        "book",
        "How the rulebook is laid out that is made from the rules.",
        Use(record="book"),
        """\
parts:
  - title: {en: "Bridges"}
    rules: [bridge_cost]
    shows:
      - {board: land}
      - each: level
        columns:
          - {title: {en: "Level"}, is: level}
          - {title: {en: "Cost"}, is: level.cost}
without_rule:
  - {path: values.cards_each, reason: told by the table of players}
""",
    ),
    Field(
        "rulebooks",
        "Published rulebooks, by the ids that sources name.",
        _named("rulebook"),
        """\
rulebook: {title: "Islands, second printing", language: en}
""",
    ),
    Field(
        "scenarios",
        "Tests as data: a position, moves, and what must then hold.",
        _named("scenario"),
        """\
a_bridge_is_paid:
  rules: [bridge_cost]
  players: 2
  start: setup
  given:
    red.coins: 4
  play:
    - refused: settle cell[1,2]
    - red: settle cell[1,1]
  then:
    - red.coins == 2
    - exists cell[1, 1].token
""",
    ),
    Field(
        "checks",
        "Conditions that hold when the content is loaded.",
        _CHECKS,
        """\
- cell.count == 24
""",
    ),
    Field(
        "always",
        "Conditions that hold after every step of every game.",
        _CHECKS,
        """\
- all(p.coins <= 20 for p in player)
""",
    ),
    Field(
        "hints",
        "What automatic players go by when they look ahead. Nothing in it is a rule, and no player is shown it.",
        Use(record="hints"),
        """\
horizon: 12
worth:
  tokens_left: player.stock.count
""",
    ),
    Field(
        "pack",
        "Makes the file a part of a game that lies elsewhere among the content, such as its texts in another language.",
        Use(record="pack"),
        """\
game: islands
""",
    ),
    Field(
        "variant",
        "Makes the file an overlay over the game.",
        Use(record="variant"),
        """\
id: floods
title: {en: "Floods"}
changes:
  - set: values.bridge_cost
    to: 3
  - wrap: actions.settle.do
    after:
      - score: 1
        reason: bridges
""",
    ),
)

ROOT: Final = Record(
    name="file",
    what="content file",
    meaning="A content file: a map of sections. A game is the union of its files; file names mean nothing.",
    fields=(*_MATERIAL, *_RULES, *_WORDS),
)
