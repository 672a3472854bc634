"""Shapes and fields that many declarations share."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.names import ANY, KNOWN, LANGUAGE, LOCAL, MEMBER, PLURAL
from rulespec.model.shapes import (
    SHORT_TEXT,
    ByNode,
    Data,
    Expression,
    Field,
    Form,
    ListOf,
    MapOf,
    Name,
    Record,
    Shape,
    Text,
    Type,
    Use,
)

SCOPES: Final[tuple[tuple[str, str], ...]] = (
    ("constants", "Values, enums, sites, `option.x` and `player_count`: what cannot change in play."),
    ("row", "The constants, and the thing itself under the name of its kind, with its other attributes."),
    ("pair", "The constants, and the two things that may be related, each under its name."),
    ("zone", "The constants, the piece under the name of its kind, and the thing that the zone lies on."),
    ("params", "The whole state, and the parameters."),
    ("formula", "The whole state, what the formula's type names, and the row itself under the name of its enum."),
    (
        "steps",
        "The whole state, `me` who decides, `active` whose turn it is, the parameters, and every name that an"
        " earlier step of this list, or of a list around it, has bound.",
    ),
    ("candidate", "As in steps, and the candidate under the name that is being chosen or looped over."),
    ("turn", "The whole state, and `active` whose turn it is."),
    ("trigger", "The whole state, and what the trigger binds: the event's fields, or the things named in `when`."),
    ("player", "The whole state, and `player`."),
    ("position", "The whole state, and the seats by name."),
)

ABOUT: Final = Field(
    "about",
    "What this is for, for the readers of the file.",
    Text(),
    example="What a bridge costs.",
)
SOURCE: Final = Field(
    "source",
    "Where this comes from: a text, one entry, or a list of entries.",
    ByNode(scalar=Text(), sequence=ListOf(item=Use(record="source")), mapping=Use(record="source")),
    example="{book: rulebook, place: scoring}",
)
COMMON: Final = (ABOUT, SOURCE)

TEXT_BY_LANGUAGE: Final = MapOf(key=LANGUAGE, value=Text(), least=1)


def boolean(scope: str) -> Expression:
    """An expression that is true or false."""
    return Expression(expects="boolean", scope=scope)


def integer(scope: str) -> Expression:
    """An expression that is a whole number."""
    return Expression(expects="integer", scope=scope)


def one_or_more(item: Shape) -> ByNode:
    """One value, or a list of them."""
    return ByNode(scalar=item, sequence=ListOf(item=item, least=1))


ATTRIBUTES: Final = Field(
    "attributes",
    "What is known of each one, with its type; read after a dot.",
    MapOf(key=MEMBER, value=ByNode(scalar=Type(), mapping=Use(record="attribute"))),
    example="{worth: 1..3, gives: effect}",
)

PARAMS: Final = Field(
    "params",
    "Its parameters in order, each with its type.",
    MapOf(key=LOCAL, value=Type()),
    example="{amount: 1..5}",
    default="none",
)

ATTRIBUTE: Final = Record(
    name="attribute",
    what="attribute",
    meaning="One attribute of a kind, an enum, a piece or a track's spaces. Its type alone may stand for it.",
    partial=True,
    fields=(
        Field("type", "The type of the attribute.", Type(), example="0..3", required=True),
        Field(
            "is",
            "Computed from the thing itself when the content is loaded; no row says it then. Not for pieces.",
            Expression(expects="the attribute's type", scope="row"),
            example="if cell.col == 0 then 1 else 0",
        ),
        Field(
            "by",
            "What `values` is ordered by: an attribute or a coordinate, or several for a table in a table.",
            one_or_more(Name(naming=KNOWN)),
            example="[row, col]",
        ),
        Field(
            "values",
            "The values: a list by position, or a map by name.",
            Data(scope="constants"),
            example="[0, 1, 1, 2]",
        ),
        *COMMON,
    ),
)

_REASON = "the reason"

SOURCE_RECORD: Final = Record(
    name="source",
    what="source",
    meaning="Where a declared fact comes from.",
    tags="book, public, inferred, reconstructed, variant",
    forms=(
        Form(
            (
                Field("book", "A published text, by its id.", SHORT_TEXT, example="rulebook", required=True),
                Field("place", "The section that says it.", Text(), example="scoring", required=True),
                Field("edition", "The edition of the book.", Text(), example="second printing"),
                Field("lines", "Lines, as a hint only.", ByNode(scalar=Text()), example="lines 93-95"),
            ),
            example="{book: rulebook, place: scoring}",
        ),
        Form(
            (
                Field(
                    "public", "A public source other than the rulebooks.", Text(), example="an interview", required=True
                ),
            ),
            example="{public: an interview with the author}",
        ),
        Form(
            (Field("inferred", f"Follows from other facts: {_REASON}.", Text(), example="sum of rows", required=True),),
            example="{inferred: the total less the printed rows}",
        ),
        Form(
            (
                Field(
                    "reconstructed",
                    f"Weak, unknown or a stand-in: {_REASON}.",
                    Text(),
                    example="only the total is known",
                    required=True,
                ),
            ),
            example="{reconstructed: only the total is known}",
        ),
        Form(
            (
                Field(
                    "variant", "Made up by the variant of that id.", Name(naming=KNOWN), example="floods", required=True
                ),
            ),
            example="{variant: floods}",
        ),
    ),
)

MESSAGE_TEXTS: Final = MapOf(
    key=LANGUAGE,
    value=ByNode(scalar=Text(), mapping=MapOf(key=PLURAL, value=Text(), least=1)),
)

#: Attributes' values beside a row's own fields.
ROW_DATA: Final = MapOf(key=MEMBER, value=Data(scope="constants"))

#: A table: what `is` and the like may hold.
TABLE_KEY: Final = ANY
