"""The rulebook that is made from rules, the published ones that they come from, and what checks of texts let pass."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.common import ABOUT, COMMON, TEXT_BY_LANGUAGE, boolean, one_or_more
from rulespec.model.registry.names import ANY, CODE, KNOWN, LANGUAGE, PATH
from rulespec.model.registry.words import RULE
from rulespec.model.shapes import Expression, Field, Form, Integer, ListOf, MapOf, Name, Record, Text, Use

_TITLE: Final = Field("title", "Its heading, by language.", TEXT_BY_LANGUAGE, example='{en: "Bridges"}')
_KIND: Final = next(field.shape for field in RULE.fields if field.name == "kind")

BOOK: Final = Record(
    name="book",
    what="book",
    meaning="How the rulebook is laid out: its parts in reading order.",
    partial=True,
    fields=(
        Field(
            "parts",
            "The parts in reading order. Rules that none of them names stand at the end.",
            ListOf(item=Use(record="part")),
            example='[{title: {en: "Bridges"}, rules: [bridge_cost]}]',
        ),
        Field(
            "words",
            "Headings in further languages, by what they are in the first one: so that a file may add a language.",
            MapOf(key=ANY, value=TEXT_BY_LANGUAGE),
            example='{"Bridges": {fr: "Ponts"}}',
        ),
        Field(
            "without_rule",
            "Declarations that need no rule, each with the reason.",
            ListOf(item=Use(record="untold")),
            example="[{path: values.bridge_cost, reason: printed on the board}]",
        ),
        *COMMON,
    ),
)

PART: Final = Record(
    name="part",
    what="part of the book",
    meaning="A heading with rules below it, tables and pictures, and smaller parts.",
    fields=(
        Field(_TITLE.name, _TITLE.meaning, _TITLE.shape, _TITLE.example, required=True),
        Field("rules", "Its rules in reading order.", ListOf(item=Name(naming=KNOWN)), example="[bridge_cost]"),
        Field(
            "kinds",
            "All rules of these kinds that no other part names, in the order of the files.",
            ListOf(item=_KIND),
            example="[component, setup]",
        ),
        Field(
            "variants",
            "Variants that are on in this part: their own rules are its rules.",
            ListOf(item=Name(naming=KNOWN)),
            example="[floods]",
        ),
        Field(
            "shows", "Tables and pictures, above the rules.", ListOf(item=Use(record="show")), example="[{board: land}]"
        ),
        Field(
            "parts",
            "Smaller parts, below the rules.",
            ListOf(item=Use(record="part")),
            example='[{title: {en: "Costs"}, kinds: [cost]}]',
        ),
        ABOUT,
    ),
)

SHOW: Final = Record(
    name="show",
    what="table or picture",
    meaning="Something in the book that is made from declarations.",
    tags="board, each, by_players",
    fields=(_TITLE,),
    forms=(
        Form(
            (
                Field(
                    "board",
                    "A picture of boards, by their groups, drawn as `draw` says.",
                    one_or_more(Name(naming=KNOWN)),
                    example="land",
                    required=True,
                ),
                Field("players", "For how many players.", Integer(least=1), example="2", default="the most"),
                Field(
                    "scenario",
                    "The position in which that scenario begins.",
                    Name(naming=KNOWN),
                    example="a_bridge_is_paid",
                    default="the start of a game",
                ),
            ),
            example="{board: land, players: 2}",
        ),
        Form(
            (
                Field(
                    "each",
                    "A table with a line for each member of an enum or kind; of pieces that are alike one line.",
                    Name(naming=KNOWN),
                    example="level",
                    required=True,
                ),
                Field("where", "Which of them.", boolean("row"), example="level.cost > 0", default="all"),
                Field(
                    "columns",
                    "What stands in a line, from the start to the end.",
                    ListOf(item=Use(record="column"), least=1),
                    example='[{title: {en: "Level"}, is: level}]',
                    required=True,
                ),
            ),
            example='{each: level, columns: [{title: {en: "Cost"}, is: level.cost}]}',
        ),
        Form(
            (
                Field(
                    "by_players",
                    "A table with a column for each number of players: its lines.",
                    ListOf(item=Use(record="column"), least=1),
                    example='[{title: {en: "Cards"}, is: "cards_each[player_count]"}]',
                    required=True,
                ),
            ),
            example='{by_players: [{title: {en: "Cards"}, is: "cards_each[player_count]"}]}',
        ),
    ),
)

COLUMN: Final = Record(
    name="column",
    what="column or line of a table",
    meaning="What a table tells, under a heading.",
    fields=(
        Field(_TITLE.name, _TITLE.meaning, _TITLE.shape, _TITLE.example, required=True),
        Field(
            "is",
            "The value; a name is shown as messages name it.",
            Expression(expects="anything", scope="row"),
            example="level.cost",
            required=True,
        ),
    ),
)

UNTOLD: Final = Record(
    name="untold",
    what="declaration without a rule",
    meaning="A declaration that no rule needs to tell.",
    fields=(
        Field("path", "The declaration.", Name(naming=PATH), example="values.bridge_cost", required=True),
        Field("reason", "Why no rule tells it.", Text(), example="printed on the board", required=True),
    ),
)

RULEBOOK: Final = Record(
    name="rulebook",
    what="published rulebook",
    meaning="A book that sources name. With its language, every rule tells where that book says it.",
    fields=(
        Field("title", "What is printed on it.", Text(), example="Islands, second printing", required=True),
        Field("language", "Its language; without it, any of the others is meant.", Name(naming=LANGUAGE), example="en"),
        ABOUT,
    ),
)

SUPPRESSION: Final = Record(
    name="suppression",
    what="exception",
    meaning="One problem of a text that `texts check` lets pass.",
    fields=(
        Field("code", "The code of the problem.", Name(naming=CODE), example="RS543", required=True),
        Field("language", "In which language.", Name(naming=LANGUAGE), example="fr", default="all"),
        Field("reason", "Why it is no problem here.", Text(), example="the word is that of the box", required=True),
    ),
)

RECORDS: Final = (BOOK, PART, SHOW, COLUMN, UNTOLD, RULEBOOK, SUPPRESSION)
