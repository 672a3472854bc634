"""The declarations of a game as plain data and back, so that texts can be lowered with them and nothing is declared.

Nodes of the content are kept as the way to them from the root of the tree: the name of the section, and the numbers of
parts, keys counted too. Sections that are not played may come and go before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec.diagnostics.model import Problems
from rulespec.lower.attributes import FormulaRow, MapAt
from rulespec.lower.context import Context, Parsed
from rulespec.lower.make import fresh
from rulespec.model import world
from rulespec.model.world import World
from rulespec.program.codec import KINDS, FileOf, Form, from_data, to_data
from rulespec.source.tree import Broken, Mapping, Node, Scalar, Sequence, parts_of

#: The name of a section, whether its key or what it holds, and numbers of parts.
Way = list[str | int]

_DECLARED = (
    world.Attribute,
    world.Relation,
    world.Domain,
    world.PieceKind,
    world.ZoneDecl,
    world.StateVar,
    world.Procedure,
    world.Trigger,
)
_KINDS = {f"world.{kind.__name__}": kind for kind in (world.Dimension, MapAt, FormulaRow, *_DECLARED)}
_FORM = Form({**KINDS, **_KINDS}, _DECLARED, (Scalar, Sequence, Mapping, Broken))

#: What is not kept: where problems and notes go, what waits to be computed (nothing does any more), what filters were.
_MADE_ANEW = ("problems", "pending", "computing", "unmade", "numbers", "constant_filters", "reads")
_SETS = ("broken", "doubled", "in_play", "later", "spoiled")
_FIELDS = tuple(name for name in World.__dataclass_fields__ if name not in (*_MADE_ANEW, *_SETS))


def as_data(cx: Context) -> Any:
    """What `from_data` makes the same declarations of. Raises KeyError where a node is in no place of the tree."""
    w = cx.world
    kept: dict[str, Any] = {name: getattr(w, name) for name in _FIELDS}
    kept.update((name, sorted(getattr(w, name))) for name in _SETS)
    ways = {id(node): way for node, way in _ways(cx.tree)}
    beside = (cx.formulas, cx.logged, cx.evaluator.steps)
    return to_data((kept, *beside), _FORM, lambda node: ways[id(node)])


def _ways(tree: Mapping) -> Iterator[tuple[Node, Way]]:
    """All nodes, each with the way to it."""
    yield tree, []
    waiting: list[tuple[Node, Way]] = []
    for key, section in tree.pairs:
        waiting += [(key, [key.text, 0]), (section, [key.text, 1])]
    while waiting:
        node, way = waiting.pop()
        yield node, way
        waiting += [(part, [*way, number]) for number, part in enumerate(parts_of(node))]


def context_from(data: Any, tree: Mapping, file_of: FileOf) -> Context:
    """The context as it was when all of the game had been lowered; `tree` is the one that it was declared in.

    Raises AttributeError, LookupError, TypeError or ValueError where the data is not that of such a context.
    """
    kept, formulas, logged, steps = from_data(data, file_of, fresh, _FORM, lambda way: _at(tree, way))
    found = World(Problems(), kept["players"])
    for name in _FIELDS:
        setattr(found, name, kept[name])
    for name in _SETS:
        setattr(found, name, set(kept[name]))
    found.numbers = {entry: number for number, entry in enumerate(found.interned)}
    cx = Context(tree, found, Parsed())
    cx.formulas, cx.logged, cx.evaluator.steps = formulas, logged, steps
    return cx


def _at(tree: Mapping, way: Way) -> Node:
    """The node at the end of a way. Raises LookupError where there is none."""
    if not way:
        return tree
    name, which, *rest = way
    for pair in tree.pairs:
        if pair[0].text == name:
            return _part_at(pair[int(which)], rest)
    raise LookupError(name)


def _part_at(tree: Node, way: Way) -> Node:
    for step in way:
        number = int(step)
        if isinstance(tree, Mapping):
            tree = tree.pairs[number // 2][number % 2]
        else:
            tree = tree.items[number]  # type: ignore[attr-defined]
    return tree
