"""The steps: each a map with exactly one verb. Here are the verbs of choosing and of order; `deeds` has the others."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.common import ABOUT, boolean, integer
from rulespec.model.registry.deeds import (
    ADVANCE,
    DRAW,
    ELIMINATE,
    EMIT,
    FINISH,
    FLIP,
    GAIN,
    LOOK,
    MOVE,
    PAY,
    RECORD,
    REFILL,
    ROLL,
    SCORE,
    SET,
    SHUFFLE,
)
from rulespec.model.registry.fields import RULE_LABEL, STEPS_EXAMPLE, field, needed, steps, value, verb
from rulespec.model.registry.names import LOCAL, MEMBER
from rulespec.model.shapes import (
    STEPS,
    Boolean,
    ByNode,
    Field,
    Form,
    MapOf,
    Name,
    Record,
    Use,
    Word,
)

_FROM: Final = field(
    "from",
    "What is chosen from: a zone, a list such as `[1, 3, 5]`, a set, a range, a kind or enum for all its members, or "
    "`boolean` for both truth values. Of pieces that the chooser does not see the backs are offered, and chance finds "
    "one of those that look alike.",
    value("list, set, zone, kind or enum"),
    "me.hand",
    default="the kind or enum of that name",
)
_WHERE: Final = field(
    "where",
    "Which candidates are offered; it reads only what the chooser sees.",
    boolean("candidate"),
    "not exists cell.token",
    default="all",
)
_IF_POSSIBLE: Final = field(
    "if_possible",
    "A second condition, dropped when no candidate satisfies it; it reads only what the chooser sees.",
    boolean("candidate"),
    "cell.rim",
)

CHOICE: Final = Record(
    name="choice",
    what="name of `choose`",
    meaning="One of several names that are chosen in one decision.",
    fields=(_FROM, _WHERE, _IF_POSSIBLE),
)

CHOOSE: Final = Form(
    (
        verb(
            "choose",
            "A player decides. A name is bound to what is chosen; a map of several names is one decision.",
            ByNode(scalar=Name(naming=LOCAL), mapping=MapOf(key=LOCAL, value=Use(record="choice"), least=1)),
            "cell",
        ),
        _FROM,
        _WHERE,
        _IF_POSSIBLE,
        field(
            "exactly",
            "How many are chosen, as a set: one by one in any order, which makes no difference. Equal pieces count "
            "one by one.",
            integer("steps"),
            "2",
            default="one, not as a set",
        ),
        field("up_to", "How many are chosen at most, as a set.", integer("steps"), "3"),
        field(
            "each",
            "What each member of a chosen set consists of, chosen in this order.",
            MapOf(key=LOCAL, value=Use(record="choice"), least=1),
            "{cell: {where: exists cell.token}, card: {from: me.hand}}",
        ),
        field(
            "who",
            "Who decides: a player, or `chance`, which draws evenly.",
            value("player or chance"),
            "chance",
            default="me",
        ),
        steps("then", "What is done with the choice, where `else` is given."),
        steps("else", "What is done when there is no candidate.", default="this way is not open"),
        RULE_LABEL,
    ),
    example="""\
- choose: cell
  where: not exists cell.token
- move: me.stock.any
  to: cell.token
""",
)

FOR_EACH: Final = Form(
    (
        verb(
            "for_each",
            "Does its steps once for each member, which is bound to this name.",
            Name(naming=LOCAL),
            "cell",
        ),
        field(
            "in",
            "What is gone through; read once, at the start.",
            value("list, set, zone, kind or enum"),
            "me.hand",
            default="the kind or enum of that name",
        ),
        field("where", "Which members; read before each pass.", boolean("candidate"), "cell.rim", default="all"),
        field(
            "order",
            "In which order.",
            Word(words=(("given", "In the order of the list."), ("chosen", "In the order that `me` chooses."))),
            "chosen",
            default="given",
        ),
        field(
            "optional",
            "Each pass may be declined, and all that are left.",
            Boolean(),
            "true",
            default="false",
        ),
        field("up_to", "How many passes at most.", integer("steps"), "2", default="all"),
        field(
            "alike",
            "Members for which this is equal are one option of a chosen order.",
            value("anything", "candidate"),
            "card.worth",
        ),
        steps("do", "The steps of one pass.", required=True),
    ),
    example="""\
- for_each: card
  in: me.hand
  order: chosen
  optional: true
  do:
    - score: card.worth
      reason: bridges
""",
)

REPEAT: Final = Form(
    (
        verb("repeat", "Does its steps again and again, for ever where nothing else is said.", STEPS, STEPS_EXAMPLE),
        field("until", "Ends after the pass in which this is true.", boolean("steps"), "deck.empty"),
        field("while", "Ends before the pass in which this is false.", boolean("steps"), "not deck.empty"),
        field("times", "How many passes.", integer("steps"), "3"),
        field(
            "round",
            "What one pass is called: states that say `anew: NAME` begin anew in each one, and a scenario can stop at"
            " its end (`to_end_of: NAME`). Several `repeat` may have one name.",
            Name(naming=MEMBER),
            "hand",
        ),
    ),
    example="""\
- repeat:
    - draw: 1
      from: deck
      to: me.hand
  times: 2
""",
)

IF: Final = Form(
    (
        verb("if", "Does `then` when the condition is true, else `else`.", boolean("steps"), "deck.empty"),
        steps("then", "The steps when it is true.", required=True),
        steps("else", "The steps when it is false.", default="none"),
    ),
    example="""\
- if: me.coins > 5
  then:
    - score: 1
      reason: bridges
""",
)

LET: Final = Form(
    (
        verb("let", "Gives a value a name, until the end of this list.", Name(naming=LOCAL), "worth"),
        needed("be", "The value.", value("anything"), "count(c in cell where c.token.owner == me)"),
    ),
    example="""\
- let: built
  be: count(c in cell where c.token.owner == me)
- score: built
  reason: bridges
""",
)

REQUIRE: Final = Form(
    (
        verb(
            "require",
            "What must be true here. Choices that would make it false are not offered.",
            boolean("steps"),
            "me.coins > 0",
        ),
        RULE_LABEL,
    ),
    example="""\
- choose: cell
- require: cell.rim
  rule: rim_only
""",
)

PERFORM: Final = Form(
    (verb("perform", "Does an effect or an action.", value("effect"), "coins(2)"),),
    example="""\
- perform: coins(2)
""",
)

MAY: Final = Form(
    (
        verb("may", "Asks whether to do its steps; only where they can be done.", STEPS, STEPS_EXAMPLE),
        steps("else", "What is done when it is declined or cannot be done.", default="nothing"),
    ),
    example="""\
- may:
    - pay: {coins: bridge_cost}
    - score: 3
      reason: bridges
""",
)

TRY: Final = Form(
    (
        verb("try", "Does its steps if they can be done, without asking.", STEPS, STEPS_EXAMPLE),
        steps("else", "What is done when they cannot be done.", default="nothing"),
    ),
    example="""\
- try:
    - perform: settle
  else:
    - finish: game
""",
)

TOGETHER: Final = Form(
    (
        verb(
            "together",
            "Its steps count as one: conditions of triggers (`becomes`) are looked at after the last.",
            STEPS,
            STEPS_EXAMPLE,
        ),
    ),
    example="""\
- together:
    - gain: {coins: 3}
    - pay: {coins: 1}
""",
)

AS: Final = Form(
    (
        verb("as", "In its steps, this player is `me`.", value("player"), "first_player"),
        steps("do", "The steps.", required=True),
    ),
    example="""\
- as: me.left
  do:
    - gain: {coins: 1}
""",
)

TURNS: Final = Form(
    (
        verb(
            "turns",
            "Each of these players has a turn, in order: is `active` and `me` in the steps.",
            value("list of player"),
            "clockwise(first_player)",
        ),
        steps("do", "The steps of one turn.", required=True),
        field(
            "at_once",
            "All choose before anything is shown or done: one `choose`, then steps without decisions."
            " In the flow, who has nothing to choose is left out.",
            boolean("steps"),
            "true",
            default="false",
        ),
    ),
    example="""\
- turns: clockwise(first_player)
  do:
    - try: [{perform: settle}]
""",
)

STEP: Final = Record(
    name="step",
    what="step",
    meaning="One step: a map with exactly one verb, whose other keys are the verb's fields.",
    tags="a verb",
    fields=(
        Field(
            "id", "A name for the step, for variants that change something there.", Name(naming=MEMBER), example="cost"
        ),
        ABOUT,
    ),
    forms=(
        CHOOSE,
        FOR_EACH,
        REPEAT,
        IF,
        LET,
        REQUIRE,
        PERFORM,
        MAY,
        TRY,
        TOGETHER,
        AS,
        TURNS,
        MOVE,
        DRAW,
        REFILL,
        SHUFFLE,
        FLIP,
        ROLL,
        LOOK,
        GAIN,
        PAY,
        SET,
        ADVANCE,
        SCORE,
        ELIMINATE,
        EMIT,
        RECORD,
        FINISH,
    ),
)

#: The verbs, in the order of the reference.
VERBS: Final = tuple(form.tag for form in STEP.forms)

RECORDS: Final = (STEP, CHOICE)
