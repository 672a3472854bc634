"""One file as far as it can be read, and what of it others hang on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.diagnostics.model import Problems
from rulespec.lower.context import Parsed
from rulespec.model.amounts import within_bounds
from rulespec.model.validate import validate_file
from rulespec.model.without import without
from rulespec.overlay.fingerprint import UNPLAYED
from rulespec.service.mend import read_broken
from rulespec.service.outline import is_too_long
from rulespec.service.reading import keys_under
from rulespec.source.tree import Mapping, Node, Scalar

#: Where steps stand: whole sections, and the fields of the declarations of others.
LISTS = frozenset({"setup", "flow", "end", "ranking", "always", "hints"})
HELD = {
    "actions": ("do",),
    "effects": ("do",),
    "triggers": ("do", "where", "who"),
    "tracks": ("past_top", "past_bottom"),
}


@dataclass(frozen=True, slots=True, eq=False)
class FileRead:
    """A file: its tree, the same without what has no right form, the variant that it belongs to, and texts.

    `declared` is the text of what it declares, without steps and words for people; `played` that of all that is played.
    `messages` are the keys of its messages. `divides`: whether something in it may be a division.
    """

    tree: Mapping | None
    clean: Mapping | None = None
    variant: str | None = None
    declared: str = ""
    played: str = ""
    messages: tuple[str, ...] = ()
    divides: bool = False


def read_whole(name: str, text: str) -> FileRead:
    """A file's text, read as far as it can be."""
    tree = None if is_too_long(text) else read_broken(name, text)
    if tree is None:
        return FileRead(None)
    section = tree.get("variant")
    identity = section.get("id") if isinstance(section, Mapping) else None
    variant = identity.text if isinstance(identity, Scalar) else "" if "variant" in tree else None
    clean = without(tree, validate_file(tree, Problems(), variant=False))
    played = "\0".join(_texts(tree, steps=True))
    declared = played if variant is not None else "\0".join(_texts(tree, steps=False))
    divides = ("//" in text or "%" in text) and Parsed().divides_in(clean)
    return FileRead(tree, clean, variant, declared, played, keys_under(tree, "messages"), divides)


def _texts(tree: Mapping, *, steps: bool) -> Iterator[str]:
    yield from tree.broken
    for key, section in tree.pairs:
        if key.text in UNPLAYED or (key.text in LISTS and not steps):
            continue
        yield key.text
        held = None if steps else HELD.get(key.text)
        if held is None or not isinstance(section, Mapping):
            yield section.span.text
            continue
        yield from section.broken
        for name, entry in section.pairs:
            yield name.text
            yield from _entry(entry, held)


def _entry(entry: Node, held: tuple[str, ...]) -> Iterator[str]:
    if not isinstance(entry, Mapping):
        yield entry.span.text
        return
    yield from entry.broken
    for field, value in entry.pairs:
        yield field.text
        if field.text not in held:
            yield value.span.text


def bounded(files: Sequence[FileRead]) -> list[FileRead]:
    """The files of a game with as many declarations as it may have; the very same ones where there are no more."""
    trees = _each_bounded([file.tree for file in files])
    clean = _each_bounded([file.clean for file in files])
    return [
        file if tree is file.tree and good is file.clean else replace(file, tree=tree, clean=good)
        for file, tree, good in zip(files, trees, clean, strict=True)
    ]


def _each_bounded(trees: list[Mapping | None]) -> list[Mapping | None]:
    within = iter(within_bounds([tree for tree in trees if tree is not None]))
    return [None if tree is None else next(within) for tree in trees]


#: How deep declarations are put together for what is typed, and where names count (`boards.city.street.rows.v0.width`).
_SHALLOW, DEEP = 3, 6


def union(trees: Iterable[Mapping], depth: int = _SHALLOW) -> Mapping | None:
    """The sections of several files together; of what stands twice the first counts, and nothing is reported."""
    found: Mapping | None = None
    for tree in trees:
        found = tree if found is None else _both(found, tree, depth)
    return found


def _both(one: Mapping, other: Mapping, depth: int) -> Mapping:
    pairs = {key.text: (key, value) for key, value in one.pairs}
    for key, value in other.pairs:
        there = pairs.get(key.text)
        if there is None:
            pairs[key.text] = (key, value)
        elif depth > 0 and isinstance(there[1], Mapping) and isinstance(value, Mapping):
            pairs[key.text] = (there[0], _both(there[1], value, depth - 1))
    return Mapping(one.span, tuple(pairs.values()), (*one.broken, *other.broken))
