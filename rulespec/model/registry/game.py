"""What a game is made of before it moves: the game itself, its figures, sets, boards, pieces, zones and state."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.common import (
    ATTRIBUTES,
    COMMON,
    ROW_DATA,
    TEXT_BY_LANGUAGE,
    boolean,
    integer,
    one_or_more,
)
from rulespec.model.registry.looks import LOOKS, PIECE_FILL, PIECE_ICON
from rulespec.model.registry.names import ANY, DECLARED, KNOWN, LANGUAGE, LOCAL, MEMBER, PLAYERS, PORT
from rulespec.model.shapes import (
    Boolean,
    ByNode,
    Data,
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

GAME: Final = Record(
    name="game",
    what="game",
    meaning="The game as a whole.",
    partial=True,
    fields=(
        Field("id", "The game's id, the name of its folder.", Name(naming=MEMBER), example="islands", required=True),
        Field("language", "The version of this language: 1.", Integer(least=1, most=1), example="1", required=True),
        Field("title", "The title, by language.", TEXT_BY_LANGUAGE, example='{en: "Islands"}', required=True),
        Field(
            "players",
            "How many can play: a number, or the lowest and the highest.",
            ByNode(scalar=Name(naming=PLAYERS)),
            example="2..4",
            required=True,
        ),
        Field(
            "seats",
            "The seats in turn order. The first ones are taken when fewer play.",
            ListOf(item=Name(naming=DECLARED), least=1),
            example="[red, green, blue, black]",
            required=True,
        ),
        Field(
            "teams",
            "Which seats belong together: players of equal value are a team, which shares its places. Read as `.team`.",
            Expression(expects="integer or enum", scope="row"),
            example="player.index % 2",
            default="each plays alone",
        ),
        Field(
            "asks",
            "Whether players are asked for an order (`order: chosen`) that changes nothing.",
            Word(
                words=(
                    (
                        "what_matters",
                        "Only while it may change something: else all comes in the order of the list.",
                    ),
                    ("everything", "Always."),
                )
            ),
            example="everything",
            default="what_matters",
        ),
        Field(
            "options",
            "Switches that are set before play and never change in it; read as `option.NAME`.",
            MapOf(key=MEMBER, value=Use(record="option")),
            example="{open_hands: {type: boolean, start: false}}",
        ),
        Field(
            "languages",
            "The languages in which every text must stand.",
            ListOf(item=Name(naming=LANGUAGE), least=1),
            example="[en, fr, ja]",
            default="those of the title",
        ),
        *COMMON,
    ),
)

OPTION: Final = Record(
    name="option",
    what="option",
    meaning="One switch of the game.",
    partial=True,
    fields=(
        Field("type", "Its type: `boolean`, a range, or an enum.", Type(), example="1..3", required=True),
        Field(
            "start",
            "Its value when nothing is asked for.",
            Expression(expects="the option's type", scope="constants"),
            example="1",
            required=True,
        ),
        Field("title", "What it is called, by language.", TEXT_BY_LANGUAGE, example='{en: "Open hands"}'),
        Field(
            "constraint",
            "Which values go with those of the other options.",
            boolean("constants"),
            example="not option.open_hands or player_count > 2",
        ),
        Field(
            "switches",
            "Variants that a value switches on, by value.",
            MapOf(key=ANY, value=one_or_more(Name(naming=KNOWN))),
            example='{"true": floods}',
        ),
        *COMMON,
    ),
)

VALUE: Final = Record(
    name="value",
    what="value",
    meaning="A constant. What `is` holds may stand for it, when nothing else needs saying.",
    fields=(
        Field("type", "Its type; `T by K` for a table.", Type(), example="integer by player_count"),
        Field(
            "is",
            "The value; for a table a list by position or a map by key.",
            Data(scope="constants"),
            example="{2: 6, 3: 5, 4: 4}",
            required=True,
        ),
        *COMMON,
    ),
)

ENUM: Final = Record(
    name="enum",
    what="enum",
    meaning="A closed set of values, with what is known of each: the one construct for tables. A list of names may"
    " stand for it.",
    fields=(
        ATTRIBUTES,
        Field(
            "defaults",
            "Attributes of the rows that do not say them.",
            MapOf(key=MEMBER, value=Data(scope="constants")),
            example="{cost: 0}",
        ),
        Field(
            "values",
            "The values in order: a list of names, or a map from name to attributes.",
            ByNode(
                sequence=ListOf(item=Name(naming=DECLARED)),
                mapping=MapOf(key=DECLARED, value=Use(record="enum_value")),
            ),
            example="{low: {gives: coins(1)}, high: {cost: 2, gives: climb_up(1)}}",
            required=True,
        ),
        *COMMON,
    ),
)

ENUM_VALUE: Final = Record(
    name="enum_value",
    what="value of an enum",
    meaning="One value of an enum: its attributes.",
    fields=COMMON,
    others=MapOf(key=MEMBER, value=Data(scope="row")),
)

_SHOWN: Final = Expression(expects="anything that has a name", scope="row")
SHOWS: Final = Field(
    "shows",
    "What is shown there, in this order: zones, attributes, any values. Numbers stand in the edge of a box; a list in"
    " the list is a line of its own.",
    ListOf(item=ByNode(scalar=_SHOWN, sequence=ListOf(item=_SHOWN))),
    example="[cell.token]",
    default="all zones; for a space of a track whose markers stand there",
)

LINES: Final = (
    Field(
        "ports",
        "How many ends of lines each side has. They are numbered from 0, clockwise from the left end of the top; the"
        " four corners come after them.",
        Integer(least=1, most=4),
        example="2",
        default="no lines are drawn",
    ),
    Field(
        "joins",
        "Which ports are joined by a line: a port, and the one at the line's other end or none.",
        MapOf(key=PORT, value=Expression(expects="integer or none", scope="row")),
        example="{0: if cell.rim then 5 else none, 2: 7}",
        default="nothing",
    ),
    Field("double", "Whether the lines are drawn double.", boolean("row"), example="cell.rim", default="false"),
)

_WIDTH = "3 for sites without names that show one thing; with `ports` what they need; else a box with a title"
_SITE_SIZE: Final = (
    Field("width", "How many characters wide it is drawn.", integer("row"), example="5", default=_WIDTH),
    Field("height", "How many lines high it is drawn.", integer("row"), example="3", default="1, or what `ports` need"),
)
_PICTURE_SIZE: Final = tuple(
    Field(
        f"picture_{name}",
        f"Its {name} in pictures, in the same unit, where that is another one.",
        integer("row"),
        example="6",
        default=f"`{name}`",
    )
    for name in ("width", "height")
)
_PIECE_SIZE: Final = (
    Field(
        "width",
        "How many characters wide it is drawn.",
        integer("constants"),
        example="9",
        default="4 for each port, and 1",
    ),
    Field(
        "height",
        "How many lines high it is drawn.",
        integer("constants"),
        example="5",
        default="2 for each port, and 1",
    ),
)

DRAW: Final = Record(
    name="draw",
    what="draw",
    meaning="Where the sites of a kind stand on a picture of the board, or beside a player, and what is shown there.",
    partial=True,
    tags="x, beside",
    fields=(SHOWS,),
    forms=(
        Form(
            (
                Field("x", "On the board: the column, from the left.", integer("row"), "cell.col", required=True),
                Field("y", "The row, from the top.", integer("row"), example="4 - cell.row", required=True),
                *_SITE_SIZE,
                *_PICTURE_SIZE,
                Field(
                    "frame",
                    "Whether a thin line stands around it.",
                    boolean("row"),
                    example="cell.rim",
                    default="false",
                ),
                *LOOKS,
                *LINES,
            ),
            example="{x: cell.col, y: cell.row}",
        ),
        Form(
            (
                Field(
                    "beside",
                    "With the things of a player: whose site it is. The sites of a kind stand in one row.",
                    Expression(expects="player or none", scope="row"),
                    example="stall.player",
                    required=True,
                ),
            ),
            example="{beside: red}",
        ),
    ),
)

PICTURE: Final = Record(
    name="picture",
    what="picture",
    meaning="How a piece looks: lines between ports on its rim where there is room for it, and its icon in pictures.",
    fields=(*_PIECE_SIZE, *LINES, PIECE_ICON, PIECE_FILL),
)

GROUP: Final = Record(
    name="group",
    what="group of kinds",
    meaning="Kinds that are drawn together. The keys beside these are the kinds.",
    partial=True,
    fields=COMMON,
    others=MapOf(key=DECLARED, value=Use(record="kind")),
)

_WHERE_SITE: Final = Field(
    "where",
    "Which combinations are sites. It is read while all are there; attributes and numbers are those of what stays.",
    boolean("row"),
    example="cell.col != 2 or cell.row != 2",
    default="all",
)

KIND: Final = Record(
    name="kind",
    what="kind",
    meaning="A kind of sites. One of `for`, `rows` and `lines_of` says which there are.",
    partial=True,
    tags="for, rows, lines_of",
    fields=(
        ATTRIBUTES,
        Field(
            "plural",
            "The name under which the members are read from another thing, as in `me.cells`.",
            Name(naming=MEMBER),
            example="cells",
            default="the English plural",
        ),
        Field("draw", "Where the sites stand on a picture.", Use(record="draw"), example="{x: cell.col, y: cell.row}"),
        *COMMON,
    ),
    forms=(
        Form(
            (
                Field(
                    "for",
                    "By grid: one site for each combination of coordinates, each with its type.",
                    MapOf(key=MEMBER, value=Type(), least=1),
                    example="{col: 0..4, row: 0..4}",
                    required=True,
                ),
                _WHERE_SITE,
            ),
            example="{for: {col: 0..4, row: 0..4}}",
        ),
        Form(
            (
                Field(
                    "rows",
                    "By list: a map from name to attributes.",
                    MapOf(key=DECLARED, value=Use(record="site_row")),
                    example="{north: {ground: hill}, south: {ground: water}}",
                    required=True,
                ),
            ),
            example="{attributes: {ground: ground}, rows: {north: {ground: hill}}}",
        ),
        Form(
            (
                Field(
                    "lines_of",
                    "By lines: one site for each longest straight line of sites of this kind.",
                    Name(naming=KNOWN),
                    example="cell",
                    required=True,
                ),
                Field(
                    "directions",
                    "The steps from one site of a line to the next, one number for each coordinate.",
                    ListOf(item=ListOf(item=Integer(), least=1), least=1),
                    example="[[1, 0], [0, 1]]",
                    required=True,
                ),
                Field(
                    "at_least",
                    "How many sites a line has at least.",
                    integer("constants"),
                    example="3",
                    default="2",
                ),
            ),
            example="{lines_of: cell, directions: [[1, 0], [0, 1]], at_least: 3}",
        ),
    ),
)

SITE_ROW: Final = Record(
    name="site_row",
    what="row",
    meaning="One site that is listed by name: its attributes.",
    fields=COMMON,
    others=ROW_DATA,
)

RELATION: Final = Record(
    name="relation",
    what="relation",
    meaning="Which things belong to which. The key is how it is read: `cell.beside` is a list of things.",
    partial=True,
    tags="where, pairs",
    fields=(
        Field("to", "The kind of what is related.", Name(naming=KNOWN), example="cell", required=True),
        Field(
            "as",
            "The name of the related thing in `where` and `order`.",
            Name(naming=LOCAL),
            example="other",
            default="the name of its kind",
        ),
        Field(
            "inverse",
            "The name under which the way back is read; with its type where it is not a list.",
            ByNode(scalar=Name(naming=MEMBER), mapping=MapOf(key=MEMBER, value=Type(), least=1, most=1)),
            example="{owner: player or none}",
        ),
        Field(
            "order",
            "What the related things are ordered by, lowest first.",
            integer("pair"),
            example="other.col",
            default="the order in which they are declared",
        ),
        *COMMON,
    ),
    forms=(
        Form(
            (
                Field(
                    "where",
                    "By rule: which pairs are related.",
                    boolean("pair"),
                    example="abs(cell.col - other.col) == 1",
                    required=True,
                ),
            ),
            example="{to: cell, as: other, where: cell.col == other.col}",
        ),
        Form(
            (
                Field(
                    "pairs",
                    "By list: the related things of each one.",
                    Data(scope="constants"),
                    example="{north: [south]}",
                    required=True,
                ),
                Field(
                    "by",
                    "The constant that chooses one of several lists of pairs.",
                    Expression(expects="a constant", scope="constants"),
                    example="player_count",
                ),
                Field(
                    "both_ways",
                    "Each pair counts in both directions.",
                    Boolean(),
                    example="true",
                    default="true when a kind is related to itself",
                ),
            ),
            example="{to: village, pairs: {north: [south]}}",
        ),
    ),
)

RECORDS: Final = (GAME, OPTION, VALUE, ENUM, ENUM_VALUE, GROUP, KIND, DRAW, PICTURE, SITE_ROW, RELATION)
