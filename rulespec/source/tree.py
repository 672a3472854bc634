"""What a content file is made of: scalars, sequences and maps, each with its exact place.

A scalar keeps two texts. `text` is its value after YAML has taken the quotes and escapes away; `content` is the
stretch of the file that holds the value's own characters, so that an expression can be parsed where it stands and its
positions are the file's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.source.text import Span


@dataclass(frozen=True, slots=True)
class Node:
    """Any part of a content file. `span` covers quotes and brackets too."""

    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Scalar(Node):
    """One value that is not a collection. `style` is `plain`, `single`, `double`, `literal` or `folded`.

    `value` is `text` read by the YAML 1.2 core rules: plain `true`, `false` and decimal integers of at most 32 bits
    are booleans and integers, all else is text.
    """

    text: str
    style: str
    value: str | int | bool
    content: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """A YAML list, in block or in flow style."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Broken(Node):
    """Stands where a value was refused while a file is read; never part of a finished tree."""


@dataclass(frozen=True, slots=True)
class Mapping(Node):
    """A YAML map in the order of the file; keys are scalars and stand once.

    `broken` names the keys that stand in the file with a value that could not be read. Their problems are reported, so
    whoever asks for a missing key should not report these again.
    """

    pairs: tuple[tuple[Scalar, Node], ...]
    broken: tuple[str, ...] = ()
    _places: dict[str, int] = field(init=False, repr=False, compare=False, hash=False, default_factory=dict)

    def __post_init__(self) -> None:
        for number, (key, _) in enumerate(self.pairs):
            self._places.setdefault(key.text, number)

    def get(self, key: str) -> Node | None:
        """The value under `key`, or None."""
        place = self._places.get(key)
        return None if place is None else self.pairs[place][1]

    def key_node(self, key: str) -> Scalar | None:
        """The key itself as it stands in the file, or None."""
        place = self._places.get(key)
        return None if place is None else self.pairs[place][0]

    def keys(self) -> tuple[str, ...]:
        """All keys in the order of the file."""
        return tuple(self._places)

    def __contains__(self, key: object) -> bool:
        return key in self._places
