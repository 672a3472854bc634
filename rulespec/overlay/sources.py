"""Where declared facts come from: every `source` of a resolved tree, with its grade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rulespec.model.shapes import Shape
from rulespec.model.walk import FILE, entries, members
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

#: How sure a fact is: `rulebook` and `public` are printed somewhere, `stated` is in free words, `inferred` follows from
#: others, `variant` was made up, `reconstructed` is weak, unknown or a stand-in.
GRADES: Final = ("rulebook", "public", "stated", "inferred", "variant", "reconstructed")

_BY_TAG: Final = {"book": "rulebook", "public": "public", "inferred": "inferred", "variant": "variant"}


@dataclass(frozen=True, slots=True)
class Source:
    """One source of the declaration at `path`. `reason` is the place in a book, the derivation, or the reason."""

    path: str
    grade: str
    reason: str
    span: Span


def sources(tree: Mapping) -> Iterator[Source]:
    """Every source in the tree, in its order; a declaration may have several."""
    yield from _sources(tree, FILE, "")


def _sources(node: Node, shape: Shape | None, path: str) -> Iterator[Source]:
    if isinstance(node, Sequence):
        for item, inner in members(node, shape):
            yield from _sources(item, inner, f"{path}[{_label(item)}]")
    elif isinstance(node, Mapping):
        for key, value, inner, is_field in entries(node, shape):
            if is_field and key.text == "source":
                yield from (_source(each, path) for each in (value.items if isinstance(value, Sequence) else [value]))
            else:
                yield from _sources(value, inner, f"{path}.{key.text}" if path else key.text)


def _label(item: Node) -> str:
    """A member of a list by the first single value in it."""
    if isinstance(item, Mapping):
        pairs = ((key.text, value) for key, value in item.pairs if key.text not in ("about", "source"))
        return next((f"{key}={value.text}" for key, value in pairs if isinstance(value, Scalar)), "")
    return item.text if isinstance(item, Scalar) else ""


def _source(node: Node, path: str) -> Source:
    if not isinstance(node, Mapping):
        return Source(path, "stated", node.text if isinstance(node, Scalar) else "", node.span)
    texts = {key.text: value.text for key, value in node.pairs if isinstance(value, Scalar)}
    grade = next((grade for tag, grade in _BY_TAG.items() if tag in texts), "reconstructed")
    return Source(path, grade, _reason(texts), node.span)


def _reason(texts: dict[str, str]) -> str:
    """The source's own words on one line: for a book its id, place and edition."""
    return " ".join(", ".join(value for key, value in texts.items() if key != "lines").split())
