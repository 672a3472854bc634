"""Small faults that can be put into a game's declarations, one at a time.

A figure one up or down, a comparison turned, `and` for `or`, a condition or a step left out, a pair of a relation or a
row of a table dropped, another member in a table. Words for people, sources, drawings, scenarios and what must always
hold are left as they are.

    for mutant in mutants_of(source, world):
        changed = put_in(source, mutant)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, fields, is_dataclass, replace

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_expression
from rulespec.game_source import GameSource
from rulespec.model.shapes import Boolean, Data, Expression, Integer, ListOf, Shape, Use
from rulespec.model.validate import validate_file
from rulespec.model.walk import FILE, entries, members, shape_for
from rulespec.model.world import World
from rulespec.overlay.merge import merge
from rulespec.overlay.variant import is_variant, read_variants
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence, read_yaml
from rulespec.source.text import SourceFile, Span

#: Sections that no scenario is about.
LEFT_SECTIONS = frozenset(("game", "messages", "terms", "rules", "scenarios", "checks", "always", "hints", "pack"))
#: Fields that say nothing about play.
LEFT_FIELDS = frozenset(("about", "source", "title", "draw", "type", "params", "id", "reason", "note"))
#: Conditions that can be left out.
CONDITIONS = frozenset(("where", "if_possible"))

LONGEST_LABEL = 20

TURNED = {
    "==": ("!=",),
    "!=": ("==",),
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "in": ("not in",),
    "not_in": ("in",),
    "+": ("-",),
    "-": ("+",),
}
SWAPPED = {"most": "least", "least": "most", "min": "max", "max": "min"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault. `name` tells it from all others and outlives changes elsewhere; `file` is the number of the tree, and
    `variant` the id of the variant that the tree belongs to.

    `new` replaces the text at `span`; None drops `node`, a member of a list or the value of a key, from the tree.
    """

    name: str
    kind: str
    file: int
    span: Span
    new: str | None = None
    node: Node | None = None
    variant: str | None = None


def files_of(source: GameSource) -> list[tuple[str | None, Mapping]]:
    """All trees of a game, each with the variant that it belongs to: its own files, then those of its variants."""
    own = [(None, tree) for tree in source.trees]
    return [*own, *((name, tree) for name, variant in source.variants.items() for tree in variant.files)]


def mutants_of(
    source: GameSource, world: World, with_variants: MappingOf[str, World] | None = None
) -> tuple[Mutant, ...]:
    """All mutants of a game, in the order of its files.

    `world` tells which names are members of what; `with_variants` tells it for files of variants, by their ids.
    """
    found: list[Mutant] = []
    for number, (variant, tree) in enumerate(files_of(source)):
        known = world if variant is None or with_variants is None else with_variants.get(variant, world)
        writer = _Writer(number, known, variant)
        writer.tree(tree)
        found += writer.found
    times: Counter[str] = Counter()
    named = []
    for mutant in found:
        times[mutant.name] += 1
        count = times[mutant.name]
        named.append(mutant if count == 1 else replace(mutant, name=f"{mutant.name} ({count})"))
    return tuple(named)


class _Writer:
    """Goes through one file beside the registry."""

    def __init__(self, file: int, world: World, variant: str | None):
        self.file = file
        self.world = world
        self.variant = variant
        self.found: list[Mutant] = []

    def tree(self, tree: Mapping) -> None:
        for key, value, shape, _ in entries(tree, FILE):
            if key.text not in LEFT_SECTIONS:
                self.node(value, shape, key.text)

    def node(self, node: Node, shape: Shape | None, path: str) -> None:
        shape = shape_for(node, shape)
        if isinstance(node, Scalar):
            self._scalar(node, shape, path)
        elif isinstance(node, Sequence):
            self._sequence(node, shape, path)
        elif isinstance(node, Mapping):
            self._mapping(node, shape, path)

    # ---- maps and lists ----

    def _mapping(self, node: Mapping, shape: Shape | None, path: str) -> None:
        if isinstance(shape, (Data, Expression)):
            for key, value in node.pairs:
                self._inside(value, shape, f"{path}.{key.text}")
            return
        for key, value, inner, is_field in entries(node, shape):
            if is_field and key.text in LEFT_FIELDS:
                continue
            below = f"{path}.{key.text}"
            if is_field and key.text in CONDITIONS:
                self._drop("condition dropped", value, key.span, below)
            if is_field and key.text in ("most", "least"):
                self._edit("order turned", key.span, SWAPPED[key.text], below)
            if is_field and key.text == "pairs":
                self._pairs(value, below)
            elif is_field and key.text == "for" and isinstance(value, Mapping):
                self._ranges(value, below)
            elif key.text == "rows":
                self._rows(value, below)
                self.node(value, inner, below)
            else:
                self.node(value, inner, below)

    def _sequence(self, node: Sequence, shape: Shape | None, path: str) -> None:
        if isinstance(shape, (Data, Expression)):
            for number, item in enumerate(node.items):
                self._inside(item, shape, f"{path}[{number}]")
            return
        steps = isinstance(shape, ListOf) and shape.item == Use(record="step")
        for item, inner in members(node, shape):
            label = f"{path}[{_label(item)}]"
            if steps:
                self._drop("step dropped", item, item.span, label)
            self.node(item, inner, label)

    def _inside(self, node: Node, shape: Shape, path: str) -> None:
        """A part of a table, of the same shape as the whole."""
        if isinstance(node, Scalar):
            self._scalar(node, shape, path)
        elif isinstance(node, Sequence):
            self._sequence(node, shape, path)
        elif isinstance(node, Mapping):
            self._mapping(node, shape, path)

    def _pairs(self, node: Node, path: str) -> None:
        """The members of a relation, each left out once."""
        for key, value in node.pairs if isinstance(node, Mapping) else ():
            for item in value.items if isinstance(value, Sequence) else ():
                self._drop("pair dropped", item, item.span, f"{path}.{key.text}[{_label(item)}]")

    def _rows(self, node: Node, path: str) -> None:
        if isinstance(node, Sequence):
            for item in node.items:
                self._drop("row dropped", item, item.span, f"{path}[{_label(item)}]")
        for key, value in node.pairs if isinstance(node, Mapping) else ():
            self._drop("row dropped", value, key.span, f"{path}.{key.text}")

    def _ranges(self, node: Mapping, path: str) -> None:
        """The ends of coordinates such as `0..2`."""
        for key, value in node.pairs:
            low, dots, high = value.text.partition("..") if isinstance(value, Scalar) else ("", "", "")
            if dots and high.isdigit() and isinstance(value, Scalar):
                start = value.content.start + len(low) + len(dots)
                span = Span(value.span.file, start, start + len(high))
                self._number(span, int(high), f"{path}.{key.text}")

    # ---- values ----

    def _scalar(self, node: Scalar, shape: Shape | None, path: str) -> None:
        if isinstance(node.value, bool):
            if isinstance(shape, (Boolean, Data, Expression)):
                self._edit("truth turned", node.span, str(not node.value).lower(), path)
        elif isinstance(node.value, int):
            if isinstance(shape, (Integer, Data, Expression)):
                self._number(node.span, node.value, path)
        elif isinstance(shape, (Data, Expression)):
            written = parse_expression(node, Problems())
            if written is not None:
                self._expression(written, path)

    def _number(self, span: Span, value: int, path: str) -> None:
        for other in (value + 1, value - 1):
            self._edit("figure changed", span, str(other), path)

    def _expression(self, e: object, path: str) -> None:
        """Everything in an expression that can be turned."""
        if isinstance(e, tuple):
            for item in e:
                self._expression(item, path)
            return
        if not is_dataclass(e) or isinstance(e, Span):
            return
        if isinstance(e, ast.Number):
            self._number(e.span, e.value, path)
        elif isinstance(e, ast.Binary):
            for op in TURNED.get(e.op, ()):
                self._edit("comparison turned" if e.op not in "+-" else "sum turned", e.op_span, op, path, e.span)
        elif isinstance(e, ast.Logic):
            self._logic(e, path)
        elif isinstance(e, ast.Not):
            self._edit("condition turned", e.span, e.of.span.text, path)
        elif isinstance(e, (ast.Best, ast.Fold, ast.PickOf)) and e.op in SWAPPED:
            word = Span(e.span.file, e.span.start, e.span.start + len(e.op))
            self._edit("order turned", word, SWAPPED[e.op], path, e.span)
        elif isinstance(e, ast.Name):
            self._member(e, path)
        for field in fields(e):
            self._expression(getattr(e, field.name), path)

    def _logic(self, e: ast.Logic, path: str) -> None:
        """Every `and` of a chain becomes `or`, or the other way round."""
        text, start = e.span.text, e.span.start
        other = "or" if e.op == "and" else "and"
        made, at = "", 0
        for left, right in zip(e.items, e.items[1:], strict=False):
            between = text[left.span.end - start : right.span.start - start]
            made += text[at : left.span.end - start] + between.replace(e.op, other)
            at = right.span.start - start
        self._edit("and/or exchanged", e.span, made + text[at:], path)

    def _member(self, e: ast.Name, path: str) -> None:
        """Another member of the same kind."""
        homes = self.world.members.get(e.name, [])
        if len(homes) != 1:
            return
        domain, index = homes[0]
        all_members = self.world.domains[domain].members
        other = all_members[(index + 1) % len(all_members)]
        if other is not None and other != e.name:
            self._edit("member changed", e.span, other, path)

    # ---- adding ----

    def _edit(self, kind: str, span: Span, new: str, path: str, around: Span | None = None) -> None:
        shown = " ".join((around or span).text.split())
        inside = f" in `{shown}`" if around is not None else ""
        old = " ".join(span.text.split())
        name = f"{path}: {old} -> {' '.join(new.split())}{inside}"
        self._found(name, kind, span, new=new)

    def _drop(self, kind: str, node: Node, span: Span, path: str) -> None:
        self._found(f"{path}: {kind}", kind, span, node=node)

    def _found(self, name: str, kind: str, span: Span, new: str | None = None, node: Node | None = None) -> None:
        whole = name if self.variant is None else f"{self.variant}: {name}"
        self.found.append(Mutant(whole, kind, self.file, span, new, node, self.variant))


def _label(item: Node) -> str:
    """A member of a list in few words: what it says, or its first key with a value that is a single word or two."""
    if isinstance(item, Scalar):
        return item.text
    if isinstance(item, Mapping) and item.pairs:
        key, value = item.pairs[0]
        short = isinstance(value, Scalar) and len(value.text) <= LONGEST_LABEL
        return f"{key.text} {value.text}" if short and isinstance(value, Scalar) else key.text
    return " ".join(item.span.text.split()).strip("[]")


# ---- putting in --------------------------------------------------------------------------------------


def put_in(source: GameSource, mutant: Mutant, problems: Problems) -> GameSource:
    """The game with one mutant in it. What the structural check says of it is reported."""
    files = [tree for _, tree in files_of(source)]
    old = files[mutant.file]
    if mutant.new is None:
        assert mutant.node is not None
        changed: Mapping | None = _without(old, mutant.node)
    else:
        text = mutant.span.file.text
        edited = text[: mutant.span.start] + mutant.new + text[mutant.span.end :]
        changed = read_yaml(SourceFile.of(mutant.span.file.name, edited), problems)
    if changed is None:
        return source
    validate_file(changed, problems, variant=is_variant(changed))
    files[mutant.file] = changed
    base = tuple(tree for tree in files if not is_variant(tree))
    variants = read_variants([tree for tree in files if is_variant(tree)], problems)
    return replace(source, trees=base, variants=variants, base=merge(base, problems))


def _without(node: Node, gone: Node) -> Mapping:
    """A tree without one node; the other nodes are the same ones, but for those around it."""
    made = _rebuilt(node, gone)
    assert isinstance(made, Mapping)
    return made


def _rebuilt(node: Node, gone: Node) -> Node:
    if isinstance(node, Sequence):
        items = tuple(_rebuilt(item, gone) for item in node.items if item is not gone)
        return node if _same(items, node.items) else replace(node, items=items)
    if isinstance(node, Mapping):
        pairs = tuple((key, _rebuilt(value, gone)) for key, value in node.pairs if value is not gone)
        if len(pairs) == len(node.pairs) and all(a[1] is b[1] for a, b in zip(pairs, node.pairs, strict=True)):
            return node
        return replace(node, pairs=pairs)
    return node


def _same(new: tuple[Node, ...], old: tuple[Node, ...]) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))
