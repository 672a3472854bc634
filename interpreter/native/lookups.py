"""Expressions that depend on a few small values and on nothing else of the state, as tables made beforehand.

What a value may depend on is called a leaf: a member, a small number, the code of a piece. Where an expression of
several steps has no more than `MOST_LEAVES` of them, and they have few enough values together, all of its values are
found while the module is made (`columns`), and the expression becomes one look into a table.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any, Final

from interpreter.middle.analysis.cost import SHARE, uncounted
from interpreter.native import zones
from interpreter.native.code import Code
from interpreter.native.columns import Cases, Columns, NoColumn
from interpreter.native.wasm import E, choose, const
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import PARTS_OF, Ir
from rulespec.lower.substitute import substitute
from rulespec.model.types import Boolean, Integer, Member, Piece, Type, Zone, strip

MOST_LEAVES: Final = 3
MOST_ENTRIES: Final = 1 << 14
MOST_NUMBERS: Final = 64  #: of a leaf that is a number
MOST_CELLS: Final = 5_000_000  #: values found, of all expressions of a game and their parts together
MOST_NODES: Final = 300
MOST_INNER: Final = 2  #: leaves that are members of loops further out
#: how many steps it must take, by the number of leaves, to be worth while
_WORTH: Final = (0, 2, 4, 7, 99, 99)
PIECES: Final = ("top", "bottom", "any", "slot")


_CODE: Final = Integer(-1, None)
_PLACES: Final = (I.Const, I.Var, I.Local, I.Load, I.Table)


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a value depends on: an expression, its lowest value and how many values it may have from there on."""

    node: Ir
    low: int
    amount: int


@dataclass(frozen=True, slots=True)
class Shape:
    """An expression as a function of its leaves: each stands in it as the variable `names[i]`."""

    node: Ir
    leaves: tuple[Leaf, ...]
    names: tuple[str, ...]
    steps: int


def counted(s: Code, node: Ir, quick: E) -> E:
    """A quick way to the value of an expression, which counts as the slow one does."""
    work = s.costs.of(node) - uncounted(s.costs, node)

    def both() -> E:
        s.count(work // SHARE)
        return quick

    return quick if work < SHARE else s.inline(both)


class Lookups:
    """Finds which expressions of a game can be looked up."""

    def __init__(self, s: Code):
        self.s = s
        self._columns = Columns(s.declared, s.grouping.body_of)
        self._shapes: dict[int, tuple[Ir, Shape | None]] = {}
        self._values: dict[int, list[int] | None] = {}
        self._reduced: dict[int, tuple[list[Leaf], list[int]]] = {}
        self._names: dict[object, str] = {}

    def found(self, node: Ir) -> E | None:
        """The look into a table that stands for an expression; None where it has to be worked out."""
        if not isinstance(strip(node.type), (Boolean, Integer, Member)) or isinstance(node, (I.Const, I.Var, I.Local)):
            return None
        shape = self.shape(node)
        if shape is None or not shape.leaves or shape.steps < _WORTH[len(shape.leaves)]:
            return None
        known = self.reduced(node, shape)
        if known is None:
            return None
        leaves, values = known
        quick = self.s.entry([*values, values[-1]], self.number(leaves)) if leaves else const(values[0])
        return counted(self.s, node, quick)

    # ---- what an expression depends on ----

    def shape(self, node: Ir) -> Shape | None:
        """The expression as a function of its leaves; None where it depends on more."""
        known = self._shapes.get(id(node))
        if known is None:
            known = self._shapes[id(node)] = node, self._shape(node)
        return known[1]

    def _shape(self, node: Ir) -> Shape | None:
        leaf = self._leaf(node)
        if leaf is not None:
            name = self._name(leaf)
            return Shape(I.Var(type=node.type, name=name), (leaf,), (name,), 0)
        if isinstance(node, I.Let):
            return self.shape(substitute(node.body, {node.name: node.value}))
        tested = _presence(node)
        if tested is not None:
            return self._present(node, tested)
        if isinstance(node, (I.Var, I.Local, I.Load, I.ZoneRead, I.ZoneIr, I.CallRow, I.TakeIr, I.Within)):
            return None
        return self._whole(node)

    def _whole(self, node: Ir) -> Shape | None:
        """An expression out of the shapes of its parts."""
        changed: dict[str, Any] = {}
        parts: list[Shape] = []
        for field in PARTS_OF[type(node)]:
            value = getattr(node, field)
            several = value if isinstance(value, tuple) else () if value is None else (value,)
            found = [self.shape(v) for v in several]
            if any(each is None for each in found):
                return None
            shapes = [each for each in found if each is not None]
            parts += shapes
            made = tuple(each.node for each in shapes)
            changed[field] = made if isinstance(value, tuple) else made[0] if made else value
        own = {node.name} if isinstance(node, (I.Comprehend, I.WalkIr, I.ReachIr)) else set()
        return self._joined(replace(node, **changed), parts, own)

    def _joined(self, node: Ir, parts: list[Shape], own: set[str]) -> Shape | None:
        leaves: dict[str, Leaf] = {}
        for part in parts:
            for name, leaf in zip(part.names, part.leaves, strict=True):
                if isinstance(leaf.node, I.Var) and leaf.node.name in own:
                    node = substitute(node, {name: leaf.node})
                elif own and any(isinstance(n, I.Var) and n.name in own for n in I.walk_ir(leaf.node)):
                    return None
                else:
                    leaves[name] = leaf if name not in leaves else _wider(leaves[name], leaf)
        steps = sum(part.steps for part in parts) + (not isinstance(node, I.Const))
        if len(leaves) > MOST_LEAVES + MOST_INNER or steps > MOST_NODES:
            return None
        return Shape(node, tuple(leaves.values()), tuple(leaves), steps)

    def _leaf(self, node: Ir) -> Leaf | None:
        if isinstance(node, (I.Var, I.Local)):
            return self._of_type(node)
        if isinstance(node, I.Load):
            plain = isinstance(node.index, (I.Const, I.Var, I.Local))
            return self._of_type(node) if plain else None
        if isinstance(node, I.CodeOf) and isinstance(strip(node.piece.type), Piece):
            return self._code(node)
        return None

    def _of_type(self, node: Ir) -> Leaf | None:
        t: Type = strip(node.type)
        missing = int(t != node.type)
        if isinstance(t, Member):
            return Leaf(node, -missing, self.s.declared.domains[t.domain].size + missing)
        if isinstance(t, Boolean) and not missing:
            return Leaf(node, 0, 2)
        if isinstance(t, Integer) and not missing and t.low is not None and t.high is not None:
            amount = t.high - t.low + 1
            return Leaf(node, t.low, amount) if amount <= MOST_NUMBERS else None
        return None

    def _code(self, node: I.CodeOf) -> Leaf | None:
        piece = node.piece
        if isinstance(piece, I.ZoneRead):
            return self._in_zone(piece)
        if isinstance(piece, (I.Var, I.Local)):
            missing = int(strip(piece.type) != piece.type)
            return Leaf(node, -missing, self.s.declared.codes + missing)
        return None

    def _in_zone(self, read: I.ZoneRead) -> Leaf | None:
        if (
            read.what not in PIECES
            or not isinstance(read.zone, I.ZoneIr)
            or not isinstance(strip(read.zone.type), Zone)
        ):
            return None
        if not all(isinstance(part, _PLACES) for part in I.walk_ir(read.zone.place)):
            return None  # it is read before it is known whether it will be asked for
        decl = self.s.declared.zones[read.zone.zone]
        what = "slot" if decl.shape == "slot" else read.what
        code = I.CodeOf(type=_CODE, piece=I.ZoneRead(type=_CODE, what=what, zone=read.zone))
        return Leaf(code, -1, self.s.declared.pieces[decl.holds].count + 1)

    def _name(self, leaf: Leaf) -> str:
        return self._names.setdefault(_named(leaf.node), f"\0{len(self._names)}")

    def _present(self, node: Ir, read: I.ZoneRead) -> Shape | None:
        """Whether a piece lies in a slot, as a question to its code."""
        leaf = self._in_zone(read)
        if leaf is None or self.s.declared.zones[read.zone.zone].shape == "pool":  # type: ignore[attr-defined]
            return None
        name = self._name(leaf)
        code = I.Var(type=_CODE, name=name)
        op = node.op if isinstance(node, I.Compare) else "=="
        missing = I.Const(type=code.type, value=-1)
        test = I.Compare(type=node.type, op=op, left=code, right=missing)
        return Shape(test, (leaf,), (name,), 1)

    # ---- its values ----

    def entries(self, node: Ir, shape: Shape) -> list[int] | None:
        """All values, the leaves going through theirs from the lowest on, the last one quickest; None if too many."""
        if id(node) not in self._values:
            self._values[id(node)] = self._found(node, shape)
        return self._values[id(node)]

    def _found(self, node: Ir, shape: Shape) -> list[int] | None:
        amount = prod(leaf.amount for leaf in shape.leaves)
        is_small = 0 < amount <= MOST_ENTRIES  # none: of a kind without members, which is never asked for
        if len(shape.leaves) > MOST_LEAVES or not is_small or self._columns.cells > MOST_CELLS:
            return None
        combinations = product(*(range(leaf.low, leaf.low + leaf.amount) for leaf in shape.leaves))
        cases: Cases = dict(zip(shape.names, zip(*combinations, strict=True), strict=True))
        try:
            found = self._columns.of(shape.node, cases, amount)
        except NoColumn:
            return None
        if not all(isinstance(value, int) and abs(value) < 1 << 31 for value in found):
            return None
        return list(map(int, found))

    def reduced(self, node: Ir, shape: Shape) -> tuple[list[Leaf], list[int]] | None:
        """The leaves that make a difference, and all values in the order of `entries`; None where they are too many."""
        values = self.entries(node, shape)
        if values is None:
            return None
        if id(node) not in self._reduced:
            self._reduced[id(node)] = self._fewer(list(shape.leaves), values)
        return self._reduced[id(node)]

    def number(self, leaves: Sequence[Leaf]) -> E:
        """The number of the case that some leaves make together, the last one going through its values quickest."""
        index = self._index(leaves[0])
        for leaf in leaves[1:]:
            index = index * leaf.amount + self._index(leaf)
        return index

    def _fewer(self, leaves: list[Leaf], values: list[int]) -> tuple[list[Leaf], list[int]]:
        """Leaves that make no difference are left out; where there is no place, there is no piece either."""
        at = 0
        while at < len(leaves):
            rest = self._without(leaves, values, at)
            if rest is None:
                at += 1
            else:
                leaves, values = leaves[:at] + leaves[at + 1 :], rest
        return leaves, values

    def _without(self, leaves: list[Leaf], values: list[int], at: int) -> list[int] | None:
        """The values without one of the leaves; None where it makes a difference."""
        leaf = leaves[at]
        missing = [(i, lacks) for i, x in enumerate(leaves) if (lacks := self._places_lacking(x, leaf)) is not None]
        found: dict[tuple[int, ...], int] = {}
        for combination, value in zip(product(*(range(x.amount) for x in leaves)), values, strict=True):
            if any(combination[i] and lacks[combination[at]] for i, lacks in missing):
                continue
            key = combination[:at] + combination[at + 1 :]
            if found.setdefault(key, value) != value:
                return None
        # what is missing lies where no case leads: any value will do
        return [
            found.get(key, values[0]) for key in product(*(range(x.amount) for i, x in enumerate(leaves) if i != at))
        ]

    def _places_lacking(self, piece: Leaf, leaf: Leaf) -> list[bool] | None:
        """For each value of a leaf whether a piece has no place; None where the place depends on more than the leaf."""
        place = _place_of(piece)
        shape = None if place is None else self.shape(place)
        if shape is None or len(shape.leaves) != 1 or _named(shape.leaves[0].node) != _named(leaf.node):
            return None
        name = shape.names[0]
        cases: Cases = {name: range(leaf.low, leaf.low + leaf.amount)}
        return [value < 0 for value in self._columns.of(shape.node, cases, leaf.amount)]

    def _index(self, leaf: Leaf) -> E:
        """The number of a leaf's value, from 0 on."""
        s, place = self.s, _place_of(leaf)
        if place is None:
            return s.scalar(leaf.node) - leaf.low
        read = leaf.node.piece  # type: ignore[attr-defined]
        if isinstance(place, I.Const):
            return zones.read_cell(s, read)
        return s.named(s.scalar(place), lambda here: choose(here.ge(0), zones.read_cell(s, read), const(0)))


def _named(node: Any) -> object:
    """What a leaf is, whatever is known of its type where it stands: behind a test for none it is never none."""
    if not isinstance(node, Ir):
        return node
    fields = (f.name for f in dataclasses.fields(node) if f.name != "type")
    return type(node), *(_named(getattr(node, name)) for name in fields)


def _wider(one: Leaf, other: Leaf) -> Leaf:
    """A leaf with all values that either has."""
    low = min(one.low, other.low)
    amount = max(one.low + one.amount, other.low + other.amount) - low
    return replace(one if one.low == low else other, low=low, amount=amount)


def _place_of(leaf: Leaf) -> Ir | None:
    """The place at which a piece lies whose code the leaf is."""
    node = leaf.node
    if isinstance(node, I.CodeOf) and isinstance(node.piece, I.ZoneRead) and isinstance(node.piece.zone, I.ZoneIr):
        return node.piece.zone.place
    return None


def _presence(node: Ir) -> I.ZoneRead | None:
    """The reading whose piece is asked for, where an expression asks whether there is one."""
    if isinstance(node, I.ZoneRead) and node.what == "empty":
        return I.ZoneRead(type=node.type, what="slot", zone=node.zone)
    if isinstance(node, I.Compare) and node.op in ("==", "!=") and isinstance(node.right, I.Const):
        left = node.left.piece if isinstance(node.left, I.CodeOf) else node.left
        if node.right.value == -1 and isinstance(left, I.ZoneRead) and left.what in PIECES:
            return left
    return None
