"""How things look in pictures: shapes, colours, icons, and in whose colour lines run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rulespec.model.registry.common import boolean
from rulespec.model.registry.names import PORT
from rulespec.model.shapes import ByNode, Expression, Field, MapOf, Naming, Word

#: What a site's outline can be.
SHAPES: Final = (
    ("square", "A rectangle."),
    ("hexagon", "Six corners, one of them at the top."),
    ("octagon", "A rectangle with cut corners."),
    ("chamfered", "A rectangle whose corners are cut a little."),
    ("circle", "Round."),
    ("upper_left", "Half of a rectangle, above its diagonal, with its corners cut a little."),
    ("upper_right", "The same, in the upper right corner."),
    ("lower_left", "The same, in the lower left corner."),
    ("lower_right", "The same, in the lower right corner."),
)
#: What can be filled and drawn with.
COLOURS: Final = {
    "none": "nothing", "white": "#ffffff", "paper": "#fafaf9", "stone": "#e7e5e4", "grey": "#a8a29e",
    "slate": "#64748b", "ink": "#1f2937", "sand": "#f5e9d0", "clay": "#dfa67b", "brick": "#b4533c",
    "gold": "#eab308", "rose": "#f2c4c4", "red": "#b91c1c", "grass": "#dbe9c6", "leaf": "#4d8b4a",
    "sea": "#cfe4f5", "blue": "#1d4ed8", "violet": "#7c3aed",
}  # fmt: skip
#: The icons of pictures: they are the project's own, under its licence.
ICONS: Final = (
    "apartments carriage church circle cloth coin corner_house crossroads diamond disc flag house palace pawn person"
    " person_in_bowler person_in_cap person_in_top_hat road square stairs star stone_tile streetcar tree"
).split()


def _one_of(words: Iterable[str]) -> str:
    return f"^({'|'.join(words)})$"


_COLOUR: Final = Naming(id="colour", what="a colour of pictures", pattern=_one_of(COLOURS))
_ICON: Final = Naming(id="icon", what="an icon of pictures", pattern=_one_of(ICONS))
_SHAPE: Final = Naming(id="shape", what="a shape of pictures", pattern=_one_of(word for word, _ in SHAPES))

ICON: Final = Word(words=tuple((name, f"The icon {name.replace('_', ' ')}.") for name in ICONS))

SHAPE: Final = Field(
    "shape",
    "The shape of its sites in pictures (`rulespec draw`); in text they are all alike. With conditions the first that"
    " holds decides.",
    ByNode(scalar=Word(words=SHAPES), mapping=MapOf(key=_SHAPE, value=boolean("row"), least=1)),
    example="{octagon: cell.rim}",
    default="square",
)

_PLAYER: Final = Expression(expects="player or none", scope="row")


def _coloured(name: str, meaning: str, default: str) -> Field:
    """A field that says a colour: a player, whose colour it is, or colours with conditions."""
    shape = ByNode(scalar=_PLAYER, mapping=MapOf(key=_COLOUR, value=boolean("row"), least=1))
    return Field(name, meaning, shape, example="{sea: cell.rim, sand: true}", default=default)


FILL: Final = _coloured(
    "fill", "What it is filled with in pictures: a player's colour, or the first colour whose condition holds.", "paper"
)
EDGE: Final = _coloured("edge", "The same of its outline.", "grey")
INKS: Final = Field(
    "inks",
    "In whose colour the lines run in pictures, also those of pieces that lie there: a port, and a player or none.",
    MapOf(key=PORT, value=_PLAYER),
    example="{0: none}",
    default="black",
)
STROKE: Final = Field(
    "stroke",
    "How lines are drawn in pictures.",
    Word(
        words=(
            ("line", "Thin; those that are `double` as two lines."),
            ("road", "As a road; those that are `double` are twice as wide."),
        )
    ),
    example="road",
    default="line",
)
LOOKS: Final = (SHAPE, FILL, EDGE, INKS, STROKE)

PIECE_ICON: Final = Field(
    "icon",
    "The icon that stands for it in pictures, in the place of its sign: one, or the first whose condition holds."
    " Letters and digits of the sign stand on it.",
    ByNode(scalar=ICON, mapping=MapOf(key=_ICON, value=boolean("row"), least=1)),
    example="{house: token.awake, pawn: true}",
    default="its sign is written",
)
PIECE_FILL: Final = _coloured(
    "fill", "The colour of the icon: a player's, or the first whose condition holds.", "its owner's, else black"
)
