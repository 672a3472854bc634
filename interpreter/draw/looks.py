"""How sites and pieces look in pictures: colours, icons and shapes by what is so in a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interpreter.draw.computed import Cells, Computed, computed, lowered
from interpreter.draw.knowing import Knows, knowing
from rulespec.lower.context import Context
from rulespec.lower.drawings import OWNER, joined_nodes
from rulespec.model.types import BOOLEAN, Type
from rulespec.source.nodes import Mapping, Node, Scalar

if TYPE_CHECKING:
    from interpreter.game import Game


@dataclass(frozen=True, slots=True)
class Choice:
    """A word: one, or the first whose condition holds. `known`: who knows those that not everybody does."""

    words: tuple[tuple[str, Computed | None], ...] = ()
    known: tuple[Knows, ...] = ()

    def of(self, cells: Cells, at: int, viewer: int | None) -> str | None:
        """The word for a site or piece, as a viewer may know it."""
        if viewer is not None and not all(knows(cells, at, viewer) for knows in self.known):
            return None
        return next((word for word, holds in self.words if holds is None or holds(cells, at) == 1), None)


_NO_CHOICE: Final = Choice()


@dataclass(frozen=True, slots=True)
class Tint:
    """A colour: of a player, or a word."""

    owner: Computed | None = None
    choice: Choice = _NO_CHOICE
    known: Knows | None = None

    def of(self, cells: Cells, at: int, viewer: int | None) -> int | str | None:
        """A seat, a word, or None where nothing is said."""
        if self.owner is None:
            return self.choice.of(cells, at, viewer)
        if self.known is not None and viewer is not None and not self.known(cells, at, viewer):
            return None
        seat = self.owner(cells, at)
        return seat if seat is not None and seat >= 0 else None


_NO_TINT: Final = Tint()


@dataclass(frozen=True, slots=True)
class Looks:
    """All that is said of the looks of a kind of sites or pieces."""

    shape: Choice = _NO_CHOICE
    icon: Choice = _NO_CHOICE
    fill: Tint = _NO_TINT
    edge: Tint = _NO_TINT
    inks: tuple[tuple[int, Tint], ...] = ()
    is_road: bool = False

    @property
    def fixed_shape(self) -> str:
        """The shape of all sites of the kind, whatever happens; nothing where conditions decide."""
        if not self.shape.words:
            return "square"
        word, holds = self.shape.words[0]
        return word if holds is None else ""


#: Of what has none of its own.
PLAIN: Final = Looks()


def looks_of(game: Game, context: Context, name: str, of: Type, draw: Mapping) -> Looks:
    """The looks that a `draw` declares."""
    reader = _Reader(game, context, name, of)
    stroke = draw.get("stroke")
    return Looks(
        reader.choice(draw.get("shape")),
        reader.choice(draw.get("icon")),
        reader.tint(draw.get("fill")),
        reader.tint(draw.get("edge")),
        tuple((port, reader.tint(node)) for _, port, node in joined_nodes(draw, "inks")),
        isinstance(stroke, Scalar) and stroke.text == "road",
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the expressions of one `draw`."""

    game: Game
    context: Context
    name: str
    of: Type

    def choice(self, node: Node | None) -> Choice:
        if isinstance(node, Scalar):
            return Choice(((node.text, None),))
        found = (
            [(key.text, self._read(value, BOOLEAN)) for key, value in node.pairs] if isinstance(node, Mapping) else []
        )
        words = tuple((word, read[0]) for word, read in found if read is not None)
        return Choice(words, tuple(read[1] for _, read in found if read is not None and read[1] is not None))

    def tint(self, node: Node | None) -> Tint:
        if isinstance(node, Mapping):
            return Tint(choice=self.choice(node))
        read = None if node is None else self._read(node, OWNER)
        return Tint() if read is None else Tint(read[0], known=read[1])

    def _read(self, node: Node, want: Type) -> tuple[Computed, Knows | None] | None:
        """An expression, and who knows it, where that is not everybody."""
        ir = lowered(self.game, self.context, self.name, self.of, node, want)
        if ir is None:
            return None
        return computed(self.game, self.name, ir), knowing(self.game, self.name, ir)
