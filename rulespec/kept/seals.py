"""Digests of what a game declares and of what is made of it, the same in every process and wherever an entry stands.

    places = Places(trees)
    seals = Seals(places, numbering)
    seals.of(value)                     # the same text for the same, but for where its entry begins in its file
    places.at(places.of(span))          # a place again, where its entry stands now

A place is told by the entry of a section that it lies in. Numbers of blocks and slots are told by what they are of, as
they are given out anew in each check.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from rulespec.lower.ir import Ask, Instr, Local, Name, Slot
from rulespec.lower.steps.builder import Numbering, ProcKey
from rulespec.model.reads import MISSING
from rulespec.model.world import Procedure, Trigger
from rulespec.program.ops import OPERATIONS
from rulespec.source.store import digest
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

#: A place: the file, the entry, and how far behind its beginning it begins and ends.
Place = tuple[str, str, int, int]

_SIZE = 20  #: digits of a seal
_SHORT = 200  #: so few characters stand for themselves inside of others
_PLAIN = frozenset((str, int, bool, type(None)))
#: Fields that hold the number of a slot or of a block.
_SLOTS: dict[type, frozenset[str]] = {
    Local: frozenset(("slot",)),
    Name: frozenset(("slot",)),
    Ask: frozenset(("picked", "order", "left", "answer")),
}


_IN_BLOCK = re.compile(r"\$([0-9]+)\.")


class Unsealed(TypeError):
    """Something has no digest that another process would find too."""


class Places:
    """Where the entries of a game's files stand."""

    def __init__(self, trees: Iterable[Mapping]) -> None:
        self._files: dict[str, SourceFile] = {}
        self._starts: dict[str, list[int]] = {}
        self._names: dict[str, list[tuple[str, int]]] = {}
        self._begin: dict[tuple[str, str], int] = {}
        listed = list(trees)
        self._wholes = {tree.span.file.name: tree.span for tree in listed}
        self._sections: dict[str, list[tuple[int, str, int]]] = {}
        for tree in listed:
            name = tree.span.file.name
            found = sorted(_entries(tree), key=lambda entry: entry[0])
            self._files[name] = tree.span.file
            self._starts[name] = [start for start, _, _ in found]
            self._names[name] = [(entry, end) for _, entry, end in found]
            self._sections[name] = [each for each in found if " " not in each[1]]
            self._begin.update({(name, entry): start for start, entry, _ in found})

    def of(self, span: Span) -> Place:
        """A place by its entry. Raises Unsealed for one in no file of the game, or in no entry."""
        name = span.file.name
        if self._files.get(name) is not span.file:
            raise Unsealed(name)
        number = bisect_right(self._starts[name], span.start) - 1
        if number >= 0 and span.end <= self._names[name][number][1]:
            entry, start = self._names[name][number][0], self._starts[name][number]
            return name, entry, span.start - start, span.end - start
        for start, entry, end in self._sections[name]:
            if start <= span.start and span.end <= end:
                return name, entry, span.start - start, span.end - start
        if span == self._wholes[name]:
            return name, "", 0, 0
        raise Unsealed(span)

    def at(self, place: Iterable[Any]) -> Span:
        """The place again. Raises KeyError where there is no such entry."""
        name, entry, start, end = place
        if not entry:
            return self._wholes[name]
        begin = self._begin[name, entry]
        return Span(self._files[name], begin + start, begin + end)


def _entries(tree: Mapping) -> Iterator[tuple[int, str, int]]:
    """Where each entry of a section begins and ends; before the first one, and where there are none, the section."""
    for key, section in tree.pairs:
        yield key.span.start, key.text, section.span.end
        for name, entry in section.pairs if isinstance(section, Mapping) else ():
            yield name.span.start, f"{key.text} {name.text}", entry.span.end


class Seals:
    """Digests of values of one check; what was digested is remembered, so it must not change any more."""

    def __init__(self, places: Places, numbering: Numbering) -> None:
        self.places = places
        self.numbering = numbering
        self._known: dict[int, tuple[Any, str]] = {}
        self._fields: dict[type, tuple[str, ...]] = {}
        self._blocks: list[ProcKey] = []
        self._slots: dict[int, str] = {}
        #: digests of entries but for their steps, which blocks read by themselves
        self.rests: dict[int, tuple[Node, str]] = {}

    def of(self, value: Any) -> str:
        """The digest of a value. Raises Unsealed where it has none."""
        return digest(self._text(value))[:_SIZE]

    def _text(self, value: Any) -> str:
        kind = type(value)
        if kind in _PLAIN:
            return repr(value) if kind is not str or "$" not in value else self._variable(value)
        if kind in (tuple, list):
            return f"({','.join(map(self._text, value))})"
        if kind in (frozenset, set):
            return f"{{{','.join(sorted(map(self._text, value)))}}}"
        if kind is dict:
            return f"[{','.join(f'{self._text(key)}:{self._text(each)}' for key, each in value.items())}]"
        if kind is Span:
            return f"@{self.places.of(value)}"
        if value is MISSING:
            return "missing"
        known = self._known.get(id(value))
        if known is None or known[0] is not value:
            made = self._made(value)
            known = self._known[id(value)] = value, made if len(made) < _SHORT else digest(made)[:_SIZE]
        return known[1]

    def _made(self, value: Any) -> str:
        if isinstance(value, Node):
            return self._node(value)
        if isinstance(value, Instr):
            return self._instr(value)
        kind = type(value)
        names = self._fields.get(kind)
        if names is None:
            if not hasattr(kind, "__dataclass_fields__"):
                raise Unsealed(kind)
            names = self._fields[kind] = tuple(field.name for field in fields(kind))
        if kind in (Procedure, Trigger) and (rest := self.rests.get(id(value.node))) is not None:
            return f"{kind.__name__}({','.join(self._text(getattr(value, n)) for n in names if n != 'node')},{rest[1]})"
        slots = _SLOTS.get(kind, frozenset())
        parts = (
            self.slot(getattr(value, name)) if name in slots else self._text(getattr(value, name)) for name in names
        )
        if kind is Slot:
            return f"Slot({value.name!r},{self._text(value.type)},{self.block(value.proc)},{value.hidden})"
        return f"{kind.__name__}({','.join(parts)})"

    def _node(self, node: Node) -> str:
        span = self._text(node.span)
        if isinstance(node, Scalar):
            return f"scalar {node.style} {node.text!r} {node.value!r} {span} {self._text(node.content)}"
        if isinstance(node, Mapping):
            pairs = ",".join(f"{self._text(key)}:{self._text(value)}" for key, value in node.pairs)
            return f"map {span} {node.broken} {pairs}"
        if isinstance(node, Sequence):
            return f"list {span} {','.join(map(self._text, node.items))}"
        raise Unsealed(node)

    def _instr(self, instr: Instr) -> str:
        operands = OPERATIONS[instr.op].operands
        if len(operands) < len(instr.args):
            raise Unsealed(instr.op)
        parts = []
        for operand, arg in zip(operands, instr.args, strict=False):
            is_number = type(arg) is int
            if is_number and operand.kind == "slot":
                parts.append(self.slot(arg))
            elif is_number and operand.kind == "block":
                parts.append(self.block(arg))
            else:
                parts.append(self._text(arg))
        return f"{instr.op} {self._text(instr.span)} {','.join(parts)}"

    # ---- numbers ----

    def _variable(self, name: str) -> str:
        """The name of a variable, which has the number of its block in it (`rulespec.lower.make.fresh`)."""
        return repr(_IN_BLOCK.sub(lambda found: f"${self.block(int(found[1]))}.", name))

    def block(self, number: int) -> str:
        """What a number of a block is of."""
        if number < 0:
            return str(number)
        if number >= len(self._blocks):
            self._blocks = list(self.numbering.blocks)
        if number >= len(self._blocks):
            raise Unsealed(number)
        return key_text(self._blocks[number])

    def slot(self, number: int) -> str:
        """What a number of a slot is of."""
        if number < 0:
            return str(number)
        if number not in self._slots:
            self._slots = {
                slot: f"{self.block(proc)} {at}"
                for proc, slots in self.numbering.slots.items()
                for at, slot in enumerate(slots)
            }
        if number not in self._slots:
            raise Unsealed(number)
        return self._slots[number]


def key_text(key: ProcKey) -> str:
    """The key of a block as a text."""
    name, lifted, level = key
    return f"{name}|{' '.join(sorted(lifted))}|{level}"


def key_from(text: str) -> ProcKey:
    """The key of a block again."""
    name, lifted, level = text.rsplit("|", 2)
    return name, frozenset(lifted.split()), int(level)
