"""What made games consist of: rows of the registry, and operations of the instruction form; and which of them met.

seen = Coverage()
seen.add(rows_of(source.trees), forms)
print(seen)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

from interpreter.executor.blocks import _EMIT
from interpreter.executor.expressions import FORMS
from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_expression, parse_type
from rulespec.expr.walk import parts
from rulespec.model.registry import REGISTRY, VERBS
from rulespec.model.shapes import ByNode, Data, Expression, Shape, Type, Use
from rulespec.model.walk import FILE, entries, members
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

_VERBS = frozenset(VERBS)
_MEMBERS = {row.name for row in REGISTRY.members}
_BUILTINS = {row.name for row in REGISTRY.builtins}
_SIGNS = {"!=": "==", "<=": "<", ">": "<", ">=": "<", "not_in": "not in"}
_PLAIN: dict[type, str] = {
    ast.IfElse: "operator if", ast.Not: "operator not", ast.Exists: "operator exists", ast.Without: "operator without",
    ast.Index: "operator m[x]", ast.ListOf: "operator [a, b]", ast.Longest: "operator longest",
    ast.Stretch: "operator stretch", ast.Walk: "operator walk", ast.Reach: "operator reach", ast.Negative: "operator -",
    ast.Truth: "builtin true", ast.Nothing: "builtin none", ast.TypeOptional: "type or none",
    ast.TypeRange: "type A..B", ast.TypeMap: "type by", ast.TypeFormula: "type ->",
}  # fmt: skip


#: What made games never hold, and why: rows by their beginnings.
NEVER = {
    "variant.": "a variant is a file of its own: `tests/language/overlays`; shipped ones are in `bench.differential`",
    "change.": "a variant is a file of its own",
    "file.variant": "a variant is a file of its own",
    "scenario.variants": "a variant is a file of its own",
    "part.variants": "a variant is a file of its own",
    "option.switches": "a variant is a file of its own",
    "source.variant": "a variant is a file of its own",
    "pack.": "a pack of texts is a file of its own: `tests/language/messages`",
    "file.pack": "a pack of texts is a file of its own",
    "builtin waived": "it stands in texts alone, whose placeholders are not read here; `act.prompt` has it",
}


def why_never(row: str) -> str:
    """Why made games never hold a row of the registry; nothing where they should."""
    return next((reason for beginning, reason in NEVER.items() if row.startswith(beginning)), "")


@cache
def all_rows() -> frozenset[str]:
    """Everything that the registry lists: fields of records, operators, built-in names and members, and types."""
    found = {
        f"{record.name}.{each.name}"
        for record in REGISTRY.records
        for each in (*record.fields, *(each for form in record.forms for each in form.fields))
    }
    for what, rows in (
        ("operator", REGISTRY.operators),
        ("builtin", REGISTRY.builtins),
        ("member", REGISTRY.members),
        ("type", REGISTRY.types),
    ):
        found |= {f"{what} {row.name}" for row in rows}
    return frozenset(found)


@cache
def all_forms() -> frozenset[str]:
    """Every operation of the instruction form, and every class of expressions."""
    return frozenset(_EMIT) | {form.__name__ for form in FORMS}


def rows_of(trees: Iterable[Mapping]) -> set[str]:
    """The rows of the registry that files use; a verb in a verb as `choose in may`."""
    found: set[str] = set()
    for tree in trees:
        found.update(_rows(tree, FILE, ""))
    return found


def _rows(node: Node, shape: Shape | None, verb: str) -> Iterator[str]:
    if isinstance(shape, ByNode):
        shape = (
            shape.mapping
            if isinstance(node, Mapping)
            else shape.sequence
            if isinstance(node, Sequence)
            else shape.scalar
        )
    if isinstance(node, Mapping):
        record = shape.record if isinstance(shape, Use) else ""
        here = next((key.text for key, _ in node.pairs if key.text in _VERBS), "") if record == "step" else ""
        if here and verb:
            yield f"{here} in {verb}"
        for key, value, inner, is_field in entries(node, shape):
            if is_field:
                yield f"{record}.{key.text}"
            yield from _rows(value, inner, here or verb)
    elif isinstance(node, Sequence):
        for each, item in members(node, shape):
            yield from _rows(each, item, verb)
    elif isinstance(shape, (Expression, Data, Type)) and isinstance(node, Scalar):
        read = parse_type(node, Problems()) if isinstance(shape, Type) else parse_expression(node, Problems())
        for part in () if read is None else parts(read):
            yield from _row(part)


def _row(part: ast.Expr | ast.Each) -> Iterator[str]:
    """What one part of an expression or a type is called."""
    if type(part) in _PLAIN:
        yield _PLAIN[type(part)]
    match part:
        case ast.Binary(op=op):
            yield f"operator {_SIGNS.get(op, op)}"
        case ast.Logic(op=op) | ast.Select(op=op) | ast.Fold(op=op) | ast.PickOf(op=op) | ast.Best(op=op):
            yield f"operator {op}"
        case ast.TypeMany(op=op):
            yield f"type {op} of"
        case ast.TypeName(name=name):
            yield f"type {name if name in ('integer', 'boolean', 'player', 'effect') else 'kind'}"
            yield "type enum"
        case ast.Call(of=ast.Name(name=name)):
            yield f"builtin {name}" if name in _BUILTINS else "operator f(x)"
        case ast.Call():
            yield "operator f(x)"
        case ast.Get(of=ast.Name(name="box" | "option" as name)):
            yield f"builtin {name}"
        case ast.Get(name=name):
            yield "operator ."
            if name in _MEMBERS:
                yield f"member {name}"
        case ast.Name(name=name) if name in _BUILTINS:
            yield f"builtin {name}"


@dataclass(slots=True)
class Coverage:
    """How often each row and form was in a game that was played, and which rows were in one game together."""

    games: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    forms: dict[str, int] = field(default_factory=dict)
    pairs: set[tuple[str, str]] = field(default_factory=set)

    def add(self, rows: Iterable[str], forms: Iterable[str]) -> None:
        """Adds a game."""
        self.games += 1
        for found, into in ((rows, self.rows), (forms, self.forms)):
            for each in found:
                into[each] = into.get(each, 0) + 1
        self.pairs.update(combinations(sorted(all_rows() & set(rows)), 2))

    def __str__(self) -> str:
        rows, forms = all_rows(), all_forms()
        met, count = rows & self.rows.keys(), len(rows & self.rows.keys())
        nested = [row for row in self.rows if " in " in row and row.split(" in ")[0] in _VERBS]
        never = ", ".join(sorted(row for row in rows - met if not why_never(row)))
        reasons = Counter(why_never(row).split(":")[0] for row in rows - met if why_never(row))
        told = "; ".join(f"{many} as {reason}" for reason, many in reasons.items()) or "none"
        missing = ", ".join(sorted(forms - self.forms.keys()))
        known, among = len(forms & self.forms.keys()), count * (count - 1) // 2
        return "\n".join(
            (
                f"rows of the registry: {count} of {len(rows)}; never: {told}; others: {never or 'none'}",
                f"forms of the instruction form: {known} of {len(forms)}; never: {missing or 'none'}",
                f"verbs inside verbs: {len(nested)} of {len(_VERBS) ** 2}",
                f"pairs of rows in one game: {len(self.pairs):,} of {among:,} of the rows that were met",
            )
        )
