"""The verbs that change something: pieces, counters, tracks, points, and the game itself."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.common import integer
from rulespec.model.registry.fields import COUNTERS, RULE_LABEL, field, needed, value, verb
from rulespec.model.registry.names import MEMBER
from rulespec.model.shapes import (
    Form,
    Name,
    Word,
)

_PLACE: Final = (
    ("top", "On top of a stack, or after the last one."),
    ("bottom", "Under a stack, or before the first one."),
)

MOVE: Final = Form(
    (
        verb(
            "move",
            "Moves a piece, or each piece of a list or zone in order.",
            value("piece, list of pieces or zone"),
            "me.stock.any",
        ),
        needed("to", "The zone it is moved to.", value("zone"), "cell.token"),
        field("face", "The face it shows there.", value("face"), "scored", default="the one it shows"),
        field("at", "Where in a stack.", Word(words=_PLACE), "bottom", default="top"),
    ),
    example="""\
- choose: card
  from: me.hand
- move: card
  to: discard
""",
)

DRAW: Final = Form(
    (
        verb(
            "draw",
            "Moves that many pieces at random, or from the top of a stack; in play as many as there are.",
            integer("steps"),
            "2",
        ),
        needed("from", "The zone they come from.", value("zone"), "deck"),
        needed("to", "The zone they are moved to.", value("zone"), "me.hand"),
    ),
    example="""\
- draw: 2
  from: deck
  to: me.hand
""",
)

REFILL: Final = Form(
    (
        verb(
            "refill",
            "Fills a zone up to its `up_to`; in play with as many as there are, in the set-up fully.",
            value("zone"),
            "display",
        ),
        needed("from", "The zone that the pieces come from.", value("zone"), "deck"),
    ),
    example="""\
- refill: display
  from: deck
""",
)

SHUFFLE: Final = Form(
    (verb("shuffle", "Puts a stack into random order.", value("zone"), "deck"),),
    example="""\
- shuffle: deck
""",
)

FLIP: Final = Form(
    (
        verb(
            "flip",
            "Turns a piece, or each piece of a list or zone, without moving it.",
            value("piece, list of pieces or zone"),
            "cell.token",
        ),
        needed("face", "The face it shows then.", value("face"), "asleep"),
    ),
    example="""\
- for_each: cell
  where: exists cell.token
  do:
    - flip: cell.token
      face: asleep
""",
)

ROLL: Final = Form(
    (
        verb(
            "roll",
            "Turns a piece, or each piece of a list or zone, to a face at random, each face equally likely. A name "
            "that is rolled follows its dice: it says what they show now.",
            value("piece, list of pieces or zone"),
            "dice",
        ),
    ),
    example="""\
- roll: list(d for d in dice where d.face < 3)
""",
)

LOOK: Final = Form(
    (
        verb(
            "look",
            "Shows a piece, or each piece of a list or zone, to some players, and to nobody else. They know it from "
            "then on, as long as they can; the log tells the others that they looked.",
            value("piece, list of pieces or zone"),
            "take(2, deck)",
        ),
        field("for", "Who sees them: a player or several.", value("player or players"), "me.left", default="me"),
    ),
    example="""\
- look: take(2, deck)
- look: me.hand
  for: me.left
""",
)

GAIN: Final = Form(
    (verb("gain", "Adds to counters of `me`, up to their highest value.", COUNTERS, "{coins: 2}"),),
    example="""\
- gain: {coins: 2}
""",
)

PAY: Final = Form(
    (
        verb(
            "pay",
            "Takes from counters of `me`, from all or from none; what cannot be paid is not offered.",
            COUNTERS,
            "{coins: 2}",
        ),
        RULE_LABEL,
    ),
    example="""\
- pay: {coins: bridge_cost}
  rule: bridge_cost
""",
)

SET: Final = Form(
    (
        verb("set", "Gives a state, a track or a counter a value.", value("a state"), "me.coins"),
        needed("to", "The value.", value("the state's type"), "me.coins - 1"),
    ),
    example="""\
- set: first_player
  to: me.left
""",
)

ADVANCE: Final = Form(
    (
        verb("advance", "Moves a track's marker step by step.", value("track"), "me.climb"),
        field("by", "How many steps; below zero, downward.", integer("steps"), "2", default="1"),
    ),
    example="""\
- advance: me.climb
  by: 2
""",
)

SCORE: Final = Form(
    (
        verb("score", "Gives points.", integer("steps"), "3"),
        field("for", "Who gets them.", value("player"), "cell.token.owner", default="me"),
        needed("reason", "What for; the message `score.REASON` names it.", Name(naming=MEMBER), "bridges"),
    ),
    example="""\
- score: 3
  reason: bridges
""",
)

ELIMINATE: Final = Form(
    (
        verb(
            "eliminate",
            "Takes a player out of the game: its turns are passed over, and it is asked nothing. Read as `.out`.",
            value("player"),
            "me.left",
        ),
    ),
    example="""\
- if: me.coins == 0
  then:
    - eliminate: me
""",
)

EMIT: Final = Form(
    (verb("emit", "Lets an event happen, which triggers may wait for.", value("event"), "settled(cell)"),),
    example="""\
- choose: cell
- emit: settled(cell)
""",
)

RECORD: Final = Form(
    (
        verb(
            "record",
            "Remembers what counts by `repetition` as it is now, so that `position.repeated` counts it from now on.",
            Word(words=(("position", "The position: all that `repetition` lists."),)),
            "position",
        ),
    ),
    example="""\
- record: position
""",
)

FINISH: Final = Form(
    (
        verb(
            "finish",
            "Ends something at once.",
            Word(words=(("game", "The game: the steps of `end` and the ranking follow."),)),
            "game",
        ),
    ),
    example="""\
- if: deck.empty
  then:
    - finish: game
""",
)
