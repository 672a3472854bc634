"""Changes to a game's own files as a variant: what was edited becomes `changes` and additions of a new file.

    made = as_variant(old, new, "my_variant", "islands/my_variant.yaml")
    made.text       # of the new file; the edited files get their old texts back

The game with that variant says exactly what the edited game says: values, texts and the order of declarations, but for
the order of sections, and for the source of a figure, which is the variant now. Else there is no such variant.
"""

from __future__ import annotations

import re
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
#: What may stand behind a value: in braces a comma, which goes without it.
_COMMENT = re.compile(r",?([ \t]+#[^\r\n]*)")

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
        return Refused(_nothing(base, edited))
    text = "\n".join([*_head(base, identity, changes), *added.lines("")]) + "\n"
    found = _applied(base, name, text)
    if found is None or not _says(found, edited, base):
        return Refused("A variant cannot say this change.")
    return Overlay(text)


def _nothing(base: Map, edited: Map) -> str:
    """Why there is nothing to write: what was edited says the same, or belongs to the game alone."""
    if _exact(base) == _exact(edited):
        return "Only comments or layout were changed: a variant changes what a game says."
    return "Nothing that a variant could change is changed."


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


def _says(found: Map, edited: Map, base: Map) -> bool:
    """Whether the game with the variant is the edited one; the order of sections says nothing."""
    sections = edited.keys()
    if {*found.keys()} != {*sections}:
        return False
    return all(_exact(_as_before(key, found, base)) == _exact(edited.get(key)) for key in sections)


def _as_before(section: str, found: Map, base: Map) -> Node | None:
    """A section of the game with the variant. Its figures have the sources that they had: they are the variant now."""
    values, old = found.get(section), base.get(section)
    if section != "values" or not isinstance(values, Map) or not isinstance(old, Map):
        return values
    pairs = tuple((key, _with_source(entry, old.get(key.text))) for key, entry in values.pairs)
    return Map(values.span, pairs, values.broken)


def _with_source(entry: Node, old: Node | None) -> Node:
    """A figure with its old source, where the variant gave it another one."""
    before = old.get("source") if isinstance(old, Map) else None
    source = entry.get("source") if isinstance(entry, Map) else None
    if not isinstance(entry, Map) or before is None or not isinstance(source, Map) or source.keys() != ("variant",):
        return entry
    pairs = tuple((key, before if key.text == "source" else value) for key, value in entry.pairs)
    return Map(entry.span, pairs, entry.broken)


def _exact(node: Node | None) -> Any:
    """A node as data that is equal where it says the same in the same order; how it is written does not count."""
    if isinstance(node, Map):
        return {}, [(key.text, _exact(value)) for key, value in node.pairs]
    if isinstance(node, Sequence):
        return [_exact(item) for item in node.items]
    return (type(node.value), node.value) if isinstance(node, Scalar) else None


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
        elif _exact(value) != _exact(other[1]):
            yield from _change(value, other, path)


def _change(old: Node, pair: Pair, path: tuple[str, ...]) -> Iterator[list[str]]:
    key, new = pair
    if both := _by_parts(old, new, path):
        yield from _changes(*both, path)
    elif isinstance(old, Scalar) and isinstance(new, Scalar) and path[0] == "values":
        yield [f"- set: {'.'.join(path)}", *_under("to", key, new, _INDENT)]
    else:
        yield [f"- replace: {'.'.join(path)}", *_under("is", key, new, _INDENT)]


def _by_parts(old: Node, new: Node, path: tuple[str, ...]) -> tuple[Map, Map] | None:
    """Two maps of which one becomes the other by what differs in them: what is added stands last.

    Of a figure with its type only the value can be set.
    """
    if not isinstance(old, Map) or not isinstance(new, Map) or not new.pairs:
        return None
    keys, before = new.keys(), old.keys()
    stay = [key for key in before if key in new]
    in_order = [*stay, *(key for key in keys if key not in old)] == [*keys]
    is_figure = path[0] == "values" and len(path) == 2 and "is" in old
    if is_figure and _exact(_without_value(old)) != _exact(_without_value(new)):
        return None
    return (old, new) if in_order or len(path) == 1 else None


def _without_value(figure: Map) -> Map:
    return Map(figure.span, tuple(pair for pair in figure.pairs if pair[0].text != "is"))


def _additions(old: Map, new: Map, way: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Pair]]:
    """What the new one has and the old one lacks, with the way to it."""
    for key, value in new.pairs:
        path = (*way, key.text)
        known = old.get(key.text)
        if path[0] in _NOT_CHANGED:
            continue
        if known is None:
            yield path, (key, value)
        elif both := _by_parts(known, value, path):
            yield from _additions(*both, path)


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
    text += _comment_beside(node)
    shift = len(indent) - (key.span.column - 1)
    first, *rest = text.replace("\r\n", "\n").split("\n")
    moved = [_shifted(line, shift) for line in rest]
    return [f"{indent}{name}:", _shifted(first, shift), *moved] if written else [f"{indent}{name}: {first}", *moved]


def _comment_beside(node: Node) -> str:
    """The comment behind a value in its line, with the blanks before it."""
    text, end = node.span.file.text, node.span.end
    found = _COMMENT.match(text, end) if text[end - 1 : end] != "\n" else None
    return found[1].rstrip() if found is not None else ""


def _shifted(line: str, by: int) -> str:
    """A line further to the right or left; an empty one stays empty."""
    if not line.strip():
        return ""
    return " " * by + line if by >= 0 else line[min(-by, len(line) - len(line.lstrip(" "))) :]
