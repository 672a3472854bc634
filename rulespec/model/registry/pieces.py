"""Pieces, the zones that they lie in, and what else changes in play: state and tracks."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.common import (
    ATTRIBUTES,
    COMMON,
    ROW_DATA,
    boolean,
    integer,
    one_or_more,
)
from rulespec.model.registry.names import DECLARED, KNOWN, MEMBER
from rulespec.model.shapes import (
    STEPS,
    ByNode,
    Expression,
    Field,
    ListOf,
    MapOf,
    Name,
    Record,
    Type,
    Use,
    Word,
)

PIECE: Final = Record(
    name="piece",
    what="kind of pieces",
    meaning="A kind of pieces. Pieces have no identity: equal ones are one and the same choice.",
    partial=True,
    fields=(
        Field("per", "Each one of this kind has its own set; read as `.owner`.", Name(naming=KNOWN), example="player"),
        Field("count", "How many there are, for each owner.", integer("constants"), example="6", default="1"),
        ATTRIBUTES,
        Field(
            "faces",
            "The sides it can lie on, the first at the start; read as `.face`: names, a range of numbers, or an enum.",
            ByNode(scalar=Type(least=1), sequence=ListOf(item=Name(naming=DECLARED), least=2)),
            example="[open, scored]",
        ),
        Field(
            "back",
            "Attributes that can be read on the back.",
            ListOf(item=Name(naming=MEMBER)),
            example="[ground]",
            default="none; all backs of the kind are alike",
        ),
        Field(
            "rows",
            "The different pieces: a list, or a map from name to attributes.",
            ByNode(
                sequence=ListOf(item=Use(record="piece_row")),
                mapping=MapOf(key=DECLARED, value=Use(record="piece_row")),
            ),
            example="[{worth: 1, count: 4}, {worth: 2}]",
            default="one row",
        ),
        Field("draw", "A picture of lines, or an icon.", Use(record="picture"), example="{ports: 1, joins: {0: 2}}"),
        *COMMON,
    ),
)

PIECE_ROW: Final = Record(
    name="piece_row",
    what="row of pieces",
    meaning="Equal pieces: their attributes, and how many there are.",
    fields=(
        Field("count", "How many of them; with `each`, of each one.", integer("constants"), example="4", default="1"),
        Field(
            "each",
            "One such row for every value of an enum or kind, or for every combination of several.",
            one_or_more(Name(naming=KNOWN)),
            example="[ground, level]",
        ),
        *COMMON,
    ),
    others=ROW_DATA,
)

_SEEN_BY: Final = (
    ("all", "Everybody sees it."),
    ("owner", "The player on whom the zone lies sees it."),
    ("top", "Everybody sees the top piece only; of a pool, which has no top, all."),
    ("nobody", "Nobody sees it."),
)

ZONE: Final = Record(
    name="zone",
    what="zone",
    meaning="Where pieces lie. The key is how it is read: `deck`, or `cell.token` for one on each cell.",
    fields=(
        Field(
            "shape",
            "How pieces lie there.",
            Word(
                words=(
                    ("slot", "One piece or none; read as the piece."),
                    ("pool", "Any number without order."),
                    ("stack", "Any number in order, the last one on top."),
                )
            ),
            example="pool",
            required=True,
        ),
        Field("holds", "The kind of its pieces.", Name(naming=KNOWN), example="token", required=True),
        Field(
            "start",
            "Which pieces begin there.",
            boolean("zone"),
            example="token.owner == player",
            default="none; they begin in `box`",
        ),
        Field("up_to", "How many pieces fit.", integer("zone"), example="3", default="all that can come there"),
        Field(
            "front",
            "Who sees the fronts.",
            Word(words=_SEEN_BY),
            example="owner",
            default="all",
        ),
        Field("back", "Who sees the backs.", Word(words=_SEEN_BY), example="top", default="all"),
        Field(
            "count",
            "Who sees how many pieces there are. Only a pool on players, or on sites of players, can hide it.",
            Word(
                words=(
                    ("all", "Everybody."),
                    ("owner", "The player on whom the zone lies; the others see neither pieces nor how many."),
                )
            ),
            example="owner",
            default="all",
        ),
        Field(
            "renew",
            "The zone whose pieces are shuffled in when this one runs short: one for all, or on the same thing, as "
            "`player.discard` is for `player.deck`.",
            Expression(expects="zone", scope="constants"),
            example="discard",
        ),
        Field(
            "memory",
            "What players remember of pieces that they have seen and that lie here hidden.",
            Word(words=(("none", "Nothing: nobody at a table would follow which piece is which."),)),
            example="none",
            default="all that they have seen, until it is shuffled or may be another piece",
        ),
        *COMMON,
    ),
)

STATE: Final = Record(
    name="state",
    what="state",
    meaning="A value that changes in play. The key is how it is read: `round`, or `player.coins` for one each.",
    fields=(
        Field("type", "Its type. Numbers need a range.", Type(), example="0..20", required=True),
        Field(
            "start",
            "Its value before set-up.",
            Expression(expects="the state's type", scope="row"),
            example="3",
            required=True,
        ),
        Field(
            "anew",
            "The round in which it begins anew: in each pass of a `repeat` with that `round` it first gets its start"
            " again.",
            Name(naming=KNOWN),
            example="hand",
            default="it never does by itself",
        ),
        *COMMON,
    ),
)

TRACK: Final = Record(
    name="track",
    what="track",
    meaning="A line of spaces with a marker. Read as the space it is on, which has `.place` from 0.",
    fields=(
        Field("space", "The name of its spaces' kind.", Name(naming=DECLARED), example="stair", required=True),
        ATTRIBUTES,
        Field("start", "The place at the start.", integer("row"), example="0", required=True),
        Field(
            "spaces",
            "Its spaces from the lowest on, each with its attributes.",
            ListOf(item=Use(record="site_row"), least=1),
            example="[{factor: 0}, {factor: 1}]",
            required=True,
        ),
        Field(
            "past_top",
            "What happens for each step beyond the last space; `[]` for nothing.",
            STEPS,
            example="[{score: 2, reason: stairs}]",
            required=True,
        ),
        Field(
            "past_bottom",
            "What happens for each step below the first space; `[]` for nothing.",
            STEPS,
            example="[]",
            required=True,
        ),
        Field("draw", "Where the spaces stand on a picture.", Use(record="draw"), example="{x: stair.place, y: 0}"),
        *COMMON,
    ),
)

RECORDS: Final = (PIECE, PIECE_ROW, ZONE, STATE, TRACK)
