"""Fingerprints of a game: one of everything that affects play, one of everything that people read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, Final

from rulespec.model.shapes import Expression, Shape
from rulespec.model.walk import FILE, entries, members
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

#: Sections that tell about the game and change nothing in it.
TEXTS: Final = frozenset({"messages", "terms", "rules", "book"})
#: Sections that nothing is lowered from: those, and the content's own tests and books.
UNPLAYED: Final = TEXTS | {"rulebooks", "scenarios"}
_ABOUT_THE_GAME: Final = TEXTS | {"rulebooks", "scenarios", "checks", "always", "hints", "variant", "pack"}

#: Fields of declarations that people or the terminal read; the game goes on without them.
_NOT_PLAYED: Final = frozenset({"about", "source", "title", "languages", "draw", "id", "note", "suppress"})


def fingerprint(tree: Mapping) -> str:
    """32 hexadecimal digits of what affects play in a resolved tree: not of comments, texts, sources or scenarios.

    The order of declarations counts, since the order of what they declare follows it.
    """
    return _digest([item for section in _played_sections(tree) for item in section])


def text_fingerprint(tree: Mapping) -> str:
    """32 hexadecimal digits of the texts that people read in a resolved tree, in all languages."""
    pairs = sorted(tree.pairs, key=lambda pair: pair[0].text)
    return _digest([[key.text, _plain(value)] for key, value in pairs if key.text in TEXTS | {"game"}])


def hints_fingerprint(tree: Mapping) -> str:
    """32 hexadecimal digits of what automatic players go by in a resolved tree; it is no part of the rules."""
    return _digest([_plain(value) for key, value in tree.pairs if key.text == "hints"])


def _digest(data: list[Any]) -> str:
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=16).hexdigest()


def _played_sections(tree: Mapping) -> Iterator[list[Any]]:
    sections = sorted(entries(tree, FILE), key=lambda entry: entry[0].text)
    for key, value, shape, _ in sections:
        if key.text not in _ABOUT_THE_GAME:
            yield [key.text, _played(value, shape, key.text)]


def _played(node: Node, shape: Shape | None, name: str) -> Any:
    """What affects play in `node`, as plain data. Keys of the language may be left out; `name` is the key above."""
    if isinstance(node, Sequence):
        return [_played(each, item, "") for each, item in members(node, shape)]
    if not isinstance(node, Mapping):
        return _plain(node)
    pairs: list[Any] = ["{"]
    for key, value, inner, is_field in entries(node, shape):
        if not is_field or key.text not in _NOT_PLAYED or _is_played(name, key.text, inner):
            pairs += [key.text, _played(value, inner, key.text)]
    return pairs


def _is_played(name: str, key: str, shape: Shape | None) -> bool:
    """Whether a word that is not played elsewhere is played here: a game's own id, and `draw` as a verb."""
    return (name, key) == ("game", "id") or (key == "draw" and isinstance(shape, Expression))


def _plain(node: Node) -> Any:
    """A node as plain data; blanks between the words of a text do not count."""
    match node:
        case Scalar(value=str(text)):
            return " ".join(text.split())
        case Scalar(value=value):
            return value
        case Sequence(items=items):
            return [_plain(item) for item in items]
        case Mapping(pairs=pairs):
            return ["{", *(part for key, value in pairs for part in (key.text, _plain(value)))]
    return None
