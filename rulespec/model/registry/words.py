"""What people read, and what must hold: messages, terms, rules, scenarios and checks."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.common import (
    COMMON,
    MESSAGE_TEXTS,
    TEXT_BY_LANGUAGE,
    boolean,
    one_or_more,
)
from rulespec.model.registry.names import ANY, KNOWN, LANGUAGE, MEMBER, MOMENT, PATH, PLURAL
from rulespec.model.shapes import (
    SHORT_TEXT,
    ByNode,
    Data,
    Expression,
    Field,
    Integer,
    ListOf,
    MapOf,
    Name,
    Record,
    Text,
    Use,
    Word,
)

_NOTE: Final = Field("note", "What translators should know.", Text(), example="Shown above the list of cells.")

_SELECT: Final = Field(
    "select",
    "The placeholder that chooses among a language's plural forms.",
    Expression(expects="integer", scope="steps"),
    example="amount",
    default="the only number of the text",
)

_SUPPRESS: Final = Field(
    "suppress",
    "Problems that `texts check` lets pass here, each with the reason.",
    ListOf(item=Use(record="suppression")),
    example="[{code: RS543, language: fr, reason: the word is that of the box}]",
)

MESSAGE_RECORD: Final = Record(
    name="message",
    what="message",
    meaning="A text for people, by language: a whole sentence, or one for each plural category or exact number."
    " `{…}` holds an expression.",
    fields=(_SELECT, _NOTE, _SUPPRESS, *COMMON),
    others=MESSAGE_TEXTS,
)

TERM_FORM: Final = Record(
    name="term_form",
    what="form of a term",
    meaning="A form that means the term only in some places. Where it does not, it means nothing, or another term.",
    fields=(
        Field("text", "The form.", Text(), example="Street", required=True),
        Field(
            "case",
            "Whether capitals count.",
            Word(words=(("exact", "Only with the capitals that are written here."), ("any", "With any capitals."))),
            example="exact",
            default="any",
        ),
        Field(
            "not_before",
            "What does not follow it directly.",
            one_or_more(Text()),
            example="[crossing, lamp]",
            default="nothing",
        ),
        Field(
            "not_after",
            "What does not stand directly before it.",
            one_or_more(Text()),
            example="narrow",
            default="nothing",
        ),
    ),
)

_TERM_WORDS: Final = ListOf(item=ByNode(scalar=Text(), mapping=Use(record="term_form")))

TERM_FORMS: Final = Record(
    name="term_forms",
    what="term in one language",
    meaning="The plural forms of a word, and its gender where the language has one.",
    fields=(
        Field("gender", "The word's gender, as the language's grammar calls it.", SHORT_TEXT, example="masculine"),
        Field(
            "also",
            "Other words for the same thing, in published texts and in the game's own, as good as the term.",
            _TERM_WORDS,
            example="[counter, {text: Marker, case: exact}]",
        ),
        Field(
            "second",
            "Second names: words that published texts have for it beside the term. They are read, and a text that uses "
            "both is told to call one thing by several names.",
            _TERM_WORDS,
            example="[piece]",
        ),
        Field(
            "avoid",
            "Words that are not to be used for it, such as misspellings. They are read, and told as faults.",
            _TERM_WORDS,
            example="[chip]",
        ),
    ),
    others=MapOf(key=PLURAL, value=Text()),
)

TERM: Final = Record(
    name="term",
    what="term",
    meaning="The word for a thing of the game, by language: a text, or its forms.",
    fields=(
        Field(
            "parent",
            "The term that this is a kind of.",
            Name(naming=KNOWN),
            example="street",
            default="none",
        ),
        _NOTE,
        *COMMON,
    ),
    others=MapOf(key=LANGUAGE, value=ByNode(scalar=Text(), mapping=Use(record="term_forms"))),
)

RULE: Final = Record(
    name="rule",
    what="rule",
    meaning="One rule as people read it, bound to the declarations that carry it out.",
    partial=True,
    fields=(
        Field(
            "text",
            "The rule in each language. A figure is a placeholder for a declared value.",
            Use(record="message"),
            example='{en: "A bridge costs {bridge_cost} coins."}',
            required=True,
        ),
        Field("title", "A heading, by language.", TEXT_BY_LANGUAGE, example='{en: "Bridges"}'),
        Field(
            "kind",
            "What the rule is about.",
            Word(
                words=(
                    ("component", "What there is."),
                    ("setup", "How a game begins."),
                    ("turn", "How rounds and turns go."),
                    ("action", "What a player may do."),
                    ("effect", "What something does."),
                    ("cost", "What something costs."),
                    ("scoring", "How points are made."),
                    ("end", "How a game ends and who wins."),
                    ("example", "A worked example."),
                    ("variant", "Another way to play."),
                )
            ),
            example="cost",
        ),
        Field("ledger", "Ids of the ledger entries that it covers.", ListOf(item=SHORT_TEXT), example="[EX-014]"),
        Field(
            "binds",
            "Paths of the declarations that carry it out.",
            ListOf(item=Name(naming=PATH)),
            example="[actions.settle, values.bridge_cost]",
            required=True,
        ),
        Field(
            "shown_by",
            "The scenarios that show it.",
            ListOf(item=Name(naming=KNOWN)),
            example="[a_bridge_is_paid]",
            default="none",
        ),
        *COMMON,
    ),
)

SCENARIO: Final = Record(
    name="scenario",
    what="scenario",
    meaning="A test as data: a position, moves, and what must then hold.",
    fields=(
        Field("rules", "The rules that it shows.", ListOf(item=Name(naming=KNOWN)), example="[bridges]"),
        Field("players", "How many play.", Integer(least=1), example="2", default="the lowest number"),
        Field("seed", "The seed of everything random.", Integer(least=0), example="7", default="1"),
        Field(
            "options",
            "The game's options, where they differ from their start.",
            MapOf(key=MEMBER, value=Expression(expects="the option's type", scope="constants")),
            example="{open_hands: true}",
        ),
        Field("variants", "The variants that are on.", ListOf(item=Name(naming=KNOWN)), example="[floods]"),
        Field(
            "start",
            "What is there before `given`.",
            Word(
                words=(
                    (
                        "setup",
                        "The game is set up; what it asks then is part of `play`, or answered with the first option "
                        "where `given` or `at` says that it is over.",
                    ),
                    ("empty", "Boards are empty, all pieces are where their zones start them, or in the box."),
                )
            ),
            example="empty",
            default="setup",
        ),
        Field(
            "at",
            "Where in the flow it begins: `end`, or where a seat comes to be asked for an action; the seats after it"
            " follow, and what the flow does before is left out.",
            Name(naming=MOMENT),
            example="red settle",
            default="the first decision",
        ),
        Field(
            "given",
            "What is put in place, by how it is read: all that lies at a place, from the bottom, or what a cell holds."
            " A piece may have a count before it (`[5 * token]`). Pieces come from the box, else from where nothing is"
            " given, and what lay there goes to the box. Triggers do not see it.",
            MapOf(key=ANY, value=Data(scope="position")),
            example='{"red.coins": 4}',
        ),
        Field(
            "play",
            "The moves in order: a seat with the option it takes, `offered` or `refused` with options that are"
            " or are not offered then, or `secret` with who sees into a zone.",
            ListOf(item=Use(record="move")),
            example='[{red: "settle cell[1,2]"}]',
            default="none",
        ),
        Field(
            "to_end_of",
            "The round at whose end it stops: the moves lead to the last step of a pass of the `repeat` with that"
            " `round`, and nothing of the next pass is done yet. Decisions with one option need not be written.",
            Name(naming=KNOWN),
            example="hand",
            default="the next decision, or the end of the game",
        ),
        Field(
            "then",
            "What must hold after the moves.",
            ListOf(item=ByNode(scalar=boolean("position"), mapping=Use(record="check"))),
            example="[red.coins == 2, game_over]",
            required=True,
        ),
        *COMMON,
    ),
)

MOVE_RECORD: Final = Record(
    name="move",
    what="move",
    meaning="One line of a scenario's `play`: a seat with the key of the option it takes, or what can be said of the"
    " options there.",
    single=True,
    fields=(
        Field("offered", "These options are offered now.", one_or_more(SHORT_TEXT), example="settle north"),
        Field(
            "refused",
            "These options are not offered now; with a rule where the reason matters.",
            ByNode(
                scalar=SHORT_TEXT,
                sequence=ListOf(item=ByNode(scalar=SHORT_TEXT, mapping=Use(record="refusal")), least=1),
                mapping=Use(record="refusal"),
            ),
            example="{option: settle north, rule: bridge_cost}",
        ),
        Field(
            "secret",
            "These seats, and no others, see the fronts of all that lies in a zone.",
            Use(record="secret"),
            example="{zone: red.hand, seen_by: [red]}",
        ),
    ),
    others=MapOf(key=KNOWN, value=SHORT_TEXT),
)

REFUSAL: Final = Record(
    name="refusal",
    what="refused option",
    meaning="An option that is not offered, and why.",
    fields=(
        Field("option", "The option's key.", SHORT_TEXT, example="settle north", required=True),
        Field(
            "rule",
            "The label of the condition or cost, or the function, that refuses it.",
            Name(naming=KNOWN),
            example="bridge_cost",
            required=True,
        ),
    ),
)

SECRET: Final = Record(
    name="secret",
    what="secret",
    meaning="Who sees the fronts of the pieces in a zone, in which there must be some.",
    fields=(
        Field("zone", "The zone.", Expression(expects="zone", scope="position"), example="red.hand", required=True),
        Field("seen_by", "The seats that see them.", ListOf(item=SHORT_TEXT), example="[red]", required=True),
    ),
)

CHECK: Final = Record(
    name="check",
    what="check",
    meaning="A condition that must hold. The condition alone may stand for it.",
    fields=(
        Field("is", "The condition.", boolean("position"), example="cell.count == 20", required=True),
        *COMMON,
    ),
)

RECORDS: Final = (MESSAGE_RECORD, TERM_FORM, TERM_FORMS, TERM, RULE, SCENARIO, MOVE_RECORD, REFUSAL, SECRET, CHECK)
