"""What moves a game and how it ends: functions, effects, actions, triggers and ranking."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.common import (
    COMMON,
    PARAMS,
    boolean,
    integer,
)
from rulespec.model.registry.names import DECLARED, KNOWN, READ_AS, READ_ON
from rulespec.model.shapes import (
    STEPS,
    Expression,
    Field,
    Form,
    Integer,
    ListOf,
    MapOf,
    Name,
    Record,
    Type,
    Use,
    Word,
)

FUNCTION: Final = Record(
    name="function",
    what="function",
    meaning="A named expression. It cannot call itself, directly or by way of others.",
    fields=(
        PARAMS,
        Field("type", "The type of its value.", Type(), example="boolean", required=True),
        Field(
            "is",
            "The value.",
            Expression(expects="the function's type", scope="params"),
            example="not exists cell.token",
            required=True,
        ),
        *COMMON,
    ),
)

_DO: Final = Field("do", "The steps, in order.", STEPS, example="[{score: 1, reason: bridges}]", required=True)
_NESTS: Final = Field(
    "nests",
    "How often it may happen inside itself. A cycle of effects needs one such bound.",
    Integer(least=1),
    example="6",
    default="it may not",
)

EFFECT: Final = Record(
    name="effect",
    what="effect",
    meaning="Named steps. `coins(2)` is a value of type `effect`: it can be printed on a piece, kept and performed.",
    fields=(PARAMS, _DO, _NESTS, *COMMON),
)

ACTION: Final = Record(
    name="action",
    what="action",
    meaning="An effect that a player is offered: it is done as a whole or not at all, and has a prompt and a log line.",
    fields=(PARAMS, _DO, _NESTS, *COMMON),
)

WHEN: Final = Record(
    name="when",
    what="condition of a trigger",
    meaning="What a trigger waits for.",
    tags="emitted, emptied, stepped, becomes, game, turn",
    forms=(
        Form(
            (
                Field(
                    "emitted",
                    "The event was emitted; its fields are bound.",
                    Name(naming=KNOWN),
                    example="settled",
                    required=True,
                ),
            ),
            example="{emitted: settled}",
        ),
        Form(
            (
                Field(
                    "emptied",
                    "A zone has lost its last piece; what it lies on is bound.",
                    Name(naming=READ_AS),
                    example="player.stock",
                    required=True,
                ),
            ),
            example="{emptied: player.stock}",
        ),
        Form(
            (
                Field(
                    "stepped",
                    "A track's marker was moved by one step; whose it is is bound.",
                    Name(naming=READ_ON),
                    example="player.climb",
                    required=True,
                ),
            ),
            example="{stepped: player.climb}",
        ),
        Form(
            (
                Field(
                    "becomes",
                    "The condition has turned true, for each of the kinds that it names.",
                    boolean("trigger"),
                    example="player.coins > 10",
                    required=True,
                ),
            ),
            example="{becomes: player.coins > 10}",
        ),
        Form(
            (
                Field(
                    "game",
                    "The game has reached this point.",
                    Word(words=(("set_up", "After `setup`."), ("ended", "Before `end`."))),
                    example="set_up",
                    required=True,
                ),
            ),
            example="{game: set_up}",
        ),
        Form(
            (
                Field(
                    "turn",
                    "A player's turn has reached this point; `me` is that player.",
                    Word(words=(("begins", "Before its first step."), ("ends", "After its last step."))),
                    example="begins",
                    required=True,
                ),
            ),
            example="{turn: begins}",
        ),
    ),
)

TRIGGER: Final = Record(
    name="trigger",
    what="trigger",
    meaning="Steps that happen when something happens, whoever caused it, right after the step that did.",
    fields=(
        Field("when", "What it waits for.", Use(record="when"), example="{emitted: settled}", required=True),
        Field("where", "A further condition.", boolean("trigger"), example="cell.rim", default="true"),
        Field(
            "who",
            "Who decides and gains in its steps.",
            Expression(expects="player", scope="trigger"),
            example="cell.token.owner",
            default="the player who caused it",
        ),
        _DO,
        *COMMON,
    ),
)

_RANKED: Final = Expression(expects="integer", scope="player")

RANK: Final = Record(
    name="rank",
    what="line of `ranking`",
    meaning="One comparison of the players. Who is level goes on to the next line; after the last a place is shared. "
    "In games with `teams` the values of a team's members are added up, and its members share their place.",
    tags="most, least, won",
    fields=(COMMON[0],),
    forms=(
        Form(
            (Field("most", "The highest value is first.", _RANKED, example="player.score", required=True),),
            example="{most: player.score}",
        ),
        Form(
            (Field("least", "The lowest value is first.", _RANKED, example="player.hand.count", required=True),),
            example="{least: player.hand.count}",
        ),
        Form(
            (
                Field(
                    "won",
                    "Who does not fulfil it is not among the winners. It counts before all lines of `most` and "
                    "`least`, wherever it stands. Where no player fulfils all lines of `won`, nobody wins; of a team, "
                    "all members must.",
                    boolean("player"),
                    example="player.coins >= 10",
                    required=True,
                ),
            ),
            example="{won: player.coins >= 10}",
        ),
    ),
)

REPETITION: Final = Record(
    name="repetition",
    what="repetition",
    meaning="What makes two positions the same, for rules about repetition such as threefold repetition and ko. "
    "The step `record: position` remembers a position as it is; `position.repeated` counts those remembered that are "
    "as the position is now. What counts is kept whole, so that unlike positions are never taken for the same.",
    partial=True,
    fields=(
        Field(
            "of",
            "What counts: zones and states by their names, `cell.token` for all of them at once; `active` for whose "
            "turn it is (not where a move is forbidden that brings a position back: behind it the turn is still "
            "its own); any value, such as a function's. Everybody must see it.",
            ListOf(item=Expression(expects="zone, state or value", scope="turn"), least=1),
            example="[cell.token, active]",
            required=True,
        ),
        Field(
            "up_to",
            "How many positions are remembered; one more makes the earliest forgotten.",
            integer("constants"),
            example="100",
            required=True,
        ),
        *COMMON,
    ),
)

HINTS: Final = Record(
    name="hints",
    what="hints",
    meaning="What automatic players go by. A position is worth its points, as if the game ended there, and these.",
    fields=(
        Field(
            "horizon",
            "After how many decisions a player that looks ahead stops and values the position.",
            Expression(expects="integer", scope="constants"),
            example="12",
            default="the end of the game",
        ),
        Field(
            "unit",
            "How many of `worth` are one point, so that a hint may be worth less than a point.",
            Expression(expects="integer", scope="constants"),
            example="10",
            default="1",
        ),
        Field(
            "worth",
            "What a position is worth to a player beyond its points; all of them are added.",
            MapOf(key=DECLARED, value=_RANKED),
            example="{coins: player.coins}",
            default="nothing",
        ),
        *COMMON,
    ),
)

RECORDS: Final = (FUNCTION, EFFECT, ACTION, WHEN, TRIGGER, RANK, REPETITION, HINTS)
