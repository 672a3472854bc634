"""Changes to a game's own files as a variant: what was edited becomes `changes` and additions of a new file.

    made = as_variant(old, new, "my_variant", "islands/my_variant.yaml")
    made.text       # of the new file; the edited files get their old texts back

The game with that variant says what the edited game says, but for the order of what is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulespec.diagnostics.model import Problems
from rulespec.messages.mends import TO_WRITE
from rulespec.messages.needs import required_languages
from rulespec.overlay.apply import apply_variants
from rulespec.overlay.merge import merge
from rulespec.overlay.variant import is_variant, read_variants
from rulespec.service.rename import Refused
from rulespec.source.entries import as_key
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile
from rulespec.source.tree import Mapping as Map
from rulespec.source.tree import Node, Scalar, Sequence

#: Sections that a variant has for itself, or that a game alone has.
_NOT_CHANGED = frozenset({"variant", "pack", "rulebooks"})
_INDENT = "  "

Pair = tuple[Scalar, Node]


@dataclass(frozen=True, slots=True)
class Overlay:
    """A variant that was made of edits: the text of its file."""

    text: str


def as_variant(old: Mapping[str, str], new: Mapping[str, str], identity: str, name: str) -> Overlay | Refused:
    """The variant that makes of the files `old` what the files `new` say; both by the same names, without variants."""
    before, after = _trees(old), _trees(new)
    if before is None or after is None:
        return Refused("A file of the game cannot be read as it stands: mend it first.")
    base, edited = merge(before, Problems()), merge(after, Problems())
    changes = [line for change in _changes(base, edited, ()) for line in change]
    added = _Added()
    for way, pair in _additions(base, edited, ()):
        added.put(way, pair)
    if not changes and not added.inner:
        return Refused("Nothing that a variant could change is changed.")
    text = "\n".join([*_head(base, identity, changes), *added.lines("")]) + "\n"
    found = _applied(base, name, text)
    if found is None or _plain(found) != _plain(edited):
        return Refused("A variant cannot say this change.")
    return Overlay(text)


def _trees(texts: Mapping[str, str]) -> list[Map] | None:
    """The trees of a game's own files; None where one of them cannot be read."""
    found = []
    for name, text in sorted(texts.items()):
        problems = Problems()
        tree = read_yaml(SourceFile.of(name, text), problems)
        if tree is None or problems.has_errors:
            return None
        if not is_variant(tree):
            found.append(tree)
    return found or None


def _applied(base: Map, name: str, text: str) -> Map | None:
    """The game with the variant; None where something is wrong with that."""
    problems = Problems()
    tree = read_yaml(SourceFile.of(name, text), problems)
    variants = [] if tree is None else list(read_variants([tree], problems).values())
    found = apply_variants(base, variants, problems).tree
    return None if problems.has_errors else found


def _plain(node: Node) -> Any:
    """A node as plain data without the order of keys; the source of a figure is the variant now."""
    if isinstance(node, Map):
        pairs = {key.text: _plain(value) for key, value in node.pairs if key.text != "source"}
        return pairs.get("is") if pairs.keys() == {"is"} else pairs
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    return " ".join(str(node.value).split()) if isinstance(node, Scalar) else None


# ---- what differs ----------------------------------------------------------------------------------------------------


def _changes(old: Map, new: Map, way: tuple[str, ...]) -> Iterator[list[str]]:
    """The changes of what both have or the old one alone, each as lines of the list `changes`."""
    for key, value in old.pairs:
        path = (*way, key.text)
        if path[0] in _NOT_CHANGED:
            continue
        other = next(((k, v) for k, v in new.pairs if k.text == key.text), None)
        if other is None:
            yield [f"- remove: {'.'.join(path)}"]
        elif _plain(value) != _plain(other[1]):
            yield from _change(value, other, path)


def _change(old: Node, pair: Pair, path: tuple[str, ...]) -> Iterator[list[str]]:
    key, new = pair
    if isinstance(old, Map) and isinstance(new, Map) and new.pairs:
        yield from _changes(old, new, path)
    elif isinstance(old, Scalar) and isinstance(new, Scalar) and path[0] == "values":
        yield [f"- set: {'.'.join(path)}", *_under("to", key, new, _INDENT)]
    else:
        yield [f"- replace: {'.'.join(path)}", *_under("is", key, new, _INDENT)]


def _additions(old: Map, new: Map, way: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Pair]]:
    """What the new one has and the old one lacks, with the way to it."""
    for key, value in new.pairs:
        path = (*way, key.text)
        known = old.get(key.text)
        if path[0] in _NOT_CHANGED:
            continue
        if known is None:
            yield path, (key, value)
        elif isinstance(known, Map) and isinstance(value, Map) and value.pairs:
            yield from _additions(known, value, path)


class _Added:
    """Entries by the way to them, to be written as sections."""

    def __init__(self) -> None:
        self.inner: dict[str, _Added | Pair] = {}

    def put(self, way: tuple[str, ...], pair: Pair) -> None:
        """Takes one entry."""
        at = self
        for name in way[:-1]:
            below = at.inner.setdefault(name, _Added())
            assert isinstance(below, _Added)
            at = below
        at.inner[way[-1]] = pair

    def lines(self, indent: str) -> Iterator[str]:
        """All of it as YAML."""
        for name, what in self.inner.items():
            if isinstance(what, _Added):
                yield f"{indent}{as_key(name)}:"
                yield from what.lines(indent + _INDENT)
            else:
                yield from _under(as_key(name), *what, indent)


# ---- writing ---------------------------------------------------------------------------------------------------------


def _head(base: Map, identity: str, changes: list[str]) -> Iterator[str]:
    title = ", ".join(f'{language}: "{TO_WRITE}"' for language in required_languages(base) or ("en",))
    yield "variant:"
    yield f"{_INDENT}id: {identity}"
    yield f"{_INDENT}title: {{{title}}}"
    if changes:
        yield f"{_INDENT}changes:"
        yield from (f"{_INDENT * 2}{line}" for line in changes)


def _under(name: str, key: Scalar, node: Node, indent: str) -> list[str]:
    """An entry under another name and at another indentation: what it says stays as it is written, comments too."""
    file = node.span.file
    written = key.span.file is file and key.span.line < node.span.line
    text = file.text[file.line_starts[node.span.line - 1] if written else node.span.start : node.span.end]
    shift = len(indent) - (key.span.column - 1)
    first, *rest = text.replace("\r\n", "\n").split("\n")
    moved = [_shifted(line, shift) for line in rest]
    return [f"{indent}{name}:", _shifted(first, shift), *moved] if written else [f"{indent}{name}: {first}", *moved]


def _shifted(line: str, by: int) -> str:
    """A line further to the right or left; an empty one stays empty."""
    if not line.strip():
        return ""
    return " " * by + line if by >= 0 else line[min(-by, len(line) - len(line.lstrip(" "))) :]
