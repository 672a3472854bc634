"""Damage to whole subtrees of YAML: entries and values lost, doubled, exchanged, and put in from other files.

grafted(Random(1), Tree.of("{a: 1, b: 2}"), [Tree.of("d: [3]")])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import yaml

LONGEST_GRAFT = 3_000  #: characters of what is put in


@dataclass(frozen=True, slots=True)
class Part:
    """A value or an entry (`key: value`) by its place in the text; `column` is where its first line begins.

    `key` is the one that it stands under, and nothing in a list.
    """

    start: int
    end: int
    column: int
    is_entry: bool
    key: str


@dataclass(frozen=True, slots=True)
class Tree:
    """A text with its values and entries; none where it is no YAML."""

    text: str
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, text: str) -> Tree:
        """The tree of a text."""
        try:
            root = yaml.compose(text, Loader=yaml.CSafeLoader)
        except yaml.YAMLError:
            root = None
        return cls(text, tuple(_parts(root, text)) if root is not None else ())


def _parts(root: yaml.Node, text: str) -> list[Part]:
    found: list[Part] = []
    waiting: list[yaml.Node] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
            found += [_part(item, item, text, "", is_entry=False) for item in node.value]
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                waiting.append(value)
                name = text[key.start_mark.index : key.end_mark.index]
                found.append(_part(value, value, text, name, is_entry=False))
                found.append(_part(key, value, text, name, is_entry=True))
    return [part for part in found if part.end > part.start]


def _part(first: yaml.Node, last: yaml.Node, text: str, key: str, *, is_entry: bool) -> Part:
    start, end = first.start_mark.index, last.end_mark.index
    end = start + len(text[start:end].rstrip())  # a block ends where the next one begins
    return Part(start, end, first.start_mark.column, is_entry, key)


def grafted(random: Random, tree: Tree, donors: Sequence[Tree]) -> str:
    """The text after one change of subtrees."""
    if not tree.parts:
        return tree.text
    place = random.choice(tree.parts)
    match random.randrange(6):
        case 0:
            return _put(tree.text, place, "")
        case 1:
            return _put(tree.text, place, f"{_of(tree, place)}{_between(place)}{_of(tree, place)}")
        case 2:
            return _exchanged(tree, place, random.choice(tree.parts))
        case 3:
            wrapped = _of(tree, place).replace("\n", " ")
            return _put(tree.text, place, random.choice(("[{}]", "{{a: {}}}", "[[{}], 1]", "{{{}}}")).format(wrapped))
        case _:
            return _from_elsewhere(random, tree, place, donors)


def _from_elsewhere(random: Random, tree: Tree, place: Part, donors: Sequence[Tree]) -> str:
    """A part of any file in the place of one of the same kind, or beside it."""
    donor = random.choice([*donors, tree])
    alike = [part for part in donor.parts if part.is_entry == place.is_entry and part.end - part.start < LONGEST_GRAFT]
    if random.random() < 0.7:  # what stands under the same key is more often of the right kind
        alike = [part for part in alike if part.key == place.key] or alike
    if not alike:
        return tree.text
    new = random.choice(alike)
    text = _moved(_of(donor, new), place.column - new.column)
    if random.random() < 0.4:
        text = f"{_of(tree, place)}{_between(place)}{text}"
    return _put(tree.text, place, text)


def _exchanged(tree: Tree, one: Part, other: Part) -> str:
    first, second = sorted((one, other), key=lambda part: part.start)
    if first.end > second.start:
        return _put(tree.text, first, _of(tree, second))
    text = _put(tree.text, second, _moved(_of(tree, first), second.column - first.column))
    return _put(text, first, _moved(_of(tree, second), first.column - second.column))


def _between(place: Part) -> str:
    return "\n" + " " * place.column if place.is_entry else ", "


def _of(tree: Tree, part: Part) -> str:
    return tree.text[part.start : part.end]


def _put(text: str, part: Part, new: str) -> str:
    return text[: part.start] + new + text[part.end :]


def _moved(text: str, columns: int) -> str:
    """The lines after the first moved in or out."""
    first, *rest = text.split("\n")
    if columns >= 0:
        return "\n".join([first, *(" " * columns + line for line in rest)])
    return "\n".join([first, *(line[min(-columns, len(line) - len(line.lstrip())) :] for line in rest)])
