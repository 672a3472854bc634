"""What a content file is made of: scalars, sequences and maps, each with its exact place.

A scalar keeps two texts. `text` is its value after YAML has taken the quotes and escapes away; `content` is the
stretch of the file that holds the value's own characters, so that an expression can be parsed where it stands and its
positions are the file's.

What lies in a list or a map may be made when it is first asked for (`list_made_later`, `map_made_later`): most of what
a game's files say is not looked at when it is played. Nobody sees the difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Any

from rulespec.source.text import Span

_MAKING = RLock()
_set = object.__setattr__


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


class _Collection(Node):
    """A list or a map; `_make` gives its parts where they are made later."""

    __slots__ = ("_make", "_places")
    _make: Callable[[], tuple[Any, ...]] | None
    _places: dict[str, int]  #: of a map: the number of the first pair with each key

    if not TYPE_CHECKING:  # else every name would count as an attribute

        def __getattr__(self, name: str) -> Any:
            """Makes the parts, which have no value yet: called only then."""
            if name != self._PARTS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            with _MAKING:
                make = self._make
                if make is not None:  # no other thread has made them meanwhile
                    _set(self, name, make())
                    _set(self, "_make", None)
            return object.__getattribute__(self, name)


@dataclass(frozen=True, slots=True)
class Sequence(_Collection):
    """A YAML list, in block or in flow style."""

    _PARTS = "items"

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Broken(Node):
    """Stands where a value was refused while a file is read; never part of a finished tree."""


@dataclass(frozen=True, slots=True)
class Mapping(_Collection):
    """A YAML map in the order of the file; keys are scalars and stand once.

    `broken` names the keys that stand in the file with a value that could not be read. Their problems are reported, so
    whoever asks for a missing key should not report these again.
    """

    _PARTS = "pairs"

    pairs: tuple[tuple[Scalar, Node], ...]
    broken: tuple[str, ...] = ()

    def _index(self) -> dict[str, int]:
        try:
            return self._places
        except AttributeError:
            places: dict[str, int] = {}
            for number, (key, _) in enumerate(self.pairs):
                places.setdefault(key.text, number)
            _set(self, "_places", places)
            return places

    def get(self, key: str) -> Node | None:
        """The value under `key`, or None."""
        place = self._index().get(key)
        return None if place is None else self.pairs[place][1]

    def key_node(self, key: str) -> Scalar | None:
        """The key itself as it stands in the file, or None."""
        place = self._index().get(key)
        return None if place is None else self.pairs[place][0]

    def keys(self) -> tuple[str, ...]:
        """All keys in the order of the file."""
        return tuple(self._index())

    def __contains__(self, key: object) -> bool:
        return key in self._index()


def parts_of(node: Node) -> list[Node]:
    """A list's items, a map's keys and values by turns; of anything else none."""
    if isinstance(node, Mapping):
        return [part for pair in node.pairs for part in pair]
    return list(node.items) if isinstance(node, Sequence) else []


def list_made_later(span: Span, make: Callable[[], tuple[Node, ...]]) -> Sequence:
    """A list without problems, whose items are made when they are first asked for, once."""
    made = object.__new__(Sequence)
    _set(made, "span", span)
    _set(made, "_make", make)
    return made


def map_made_later(span: Span, make: Callable[[], tuple[tuple[Scalar, Node], ...]]) -> Mapping:
    """The same of a map."""
    made = object.__new__(Mapping)
    _set(made, "span", span)
    _set(made, "broken", ())
    _set(made, "_make", make)
    return made
