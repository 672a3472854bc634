"""What made games consist of: rows of the registry, and operations of the instruction form; and which of them met.

seen = Coverage()
seen.add(rows_of(source.trees), forms)
print(seen)
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from bench.games.files import as_yaml
from bench.games.files import parts as parts_of
from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_expression, parse_type
from rulespec.expr.walk import parts
from rulespec.model.registry import REGISTRY, VERBS
from rulespec.model.shapes import ByNode, Data, Expression, Shape, Type, Use
from rulespec.model.walk import FILE, entries, members
from rulespec.program.meaning import MEANING
from rulespec.program.ops import OPERATIONS
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence, read_yaml
from rulespec.source.text import SourceFile

Tree = dict[str, Any]

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
    "builtin waived": "it stands in texts alone, whose placeholders are not read here; `act.prompt` has it",
}
#: Verbs whose steps stand in them; in no other verb can there be any.
HOLDING = frozenset(("choose", "for_each", "repeat", "if", "may", "try", "together", "as", "turns"))
#: Verbs that never stand in certain others, and why.
NEVER_INSIDE: dict[str, tuple[frozenset[str], str]] = {}


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
    return frozenset(OPERATIONS) | {form.__name__ for form in MEANING}


def rows_of(trees: Iterable[Mapping]) -> set[str]:
    """The rows of the registry that files use, a verb in a verb as `choose in may`, and the ways of writing."""
    from bench.games.ways import ways_of

    trees = list(trees)
    found = ways_of(trees)
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
            yield from called(part)


def called(part: ast.Expr | ast.Each) -> Iterator[str]:
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


Pair = tuple[str, str]


def rows_of_tree(tree: Tree) -> set[str]:
    """The rows of the registry in a made game, before anything is taken out of it."""
    read = (read_yaml(SourceFile.of(name, as_yaml(each)), Problems()) for name, each in parts_of(tree).items())
    return rows_of(each for each in read if isinstance(each, Mapping))


def pairs_of(rows: Iterable[str]) -> set[Pair]:
    """The pairs of rows of the registry among what a game has."""
    return set(combinations(sorted(all_rows() & set(rows)), 2))


def nestings() -> frozenset[str]:
    """Every verb in every verb that can hold it."""
    return frozenset(
        f"{inner} in {outer}"
        for inner in _VERBS
        for outer in HOLDING
        if inner not in NEVER_INSIDE.get(outer, (frozenset(), ""))[0]
    )


@dataclass(slots=True)
class Coverage:
    """How often each row and form was in a game that was played, and which rows were in one game together."""

    games: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    forms: dict[str, int] = field(default_factory=dict)
    pairs: set[Pair] = field(default_factory=set)

    def add(self, rows: Iterable[str], forms: Iterable[str]) -> None:
        """Adds a game."""
        self.games += 1
        rows = set(rows)
        for found, into in ((rows, self.rows), (forms, self.forms)):
            for each in found:
                into[each] = into.get(each, 0) + 1
        self.pairs |= pairs_of(rows)

    def worth(self, rows: Iterable[str]) -> int:
        """How much a game with these rows would add: a row, a way or a verb in a verb counts as many pairs."""
        from bench.games.ways import all_ways

        rows = set(rows)
        known = all_rows() | nestings() | all_ways()
        news = {row for row in rows if row in known or " in operator " in row} - self.rows.keys()
        return 100 * len(news & known) + 5 * len(news - known) + len(pairs_of(rows) - self.pairs)

    # ---- kept from run to run ----

    @classmethod
    def read(cls, path: Path) -> Coverage:
        """What earlier runs met; nothing where there is no such file. Rows that are no more are left out."""
        if not path.exists():
            return cls()
        kept = json.loads(path.read_text(encoding="utf-8"))
        names, known = kept["names"], all_rows()
        pairs = {
            (name, other)
            for name, mask in zip(names, kept["pairs"], strict=True)
            for at, other in enumerate(names)
            if int(mask, 16) >> at & 1 and {name, other} <= known
        }
        return cls(kept["games"], kept["rows"], kept["forms"], pairs)

    def write(self, path: Path) -> None:
        """Keeps it; pairs as one number for each row, in which each bit is another row."""
        names = sorted(all_rows())
        place = {name: at for at, name in enumerate(names)}
        masks = dict.fromkeys(names, 0)
        for name, other in self.pairs:
            masks[name] |= 1 << place[other]
        kept = {"games": self.games, "rows": self.rows, "forms": self.forms, "names": names}
        text = json.dumps({**kept, "pairs": [f"{masks[name]:x}" for name in names]})
        beside = path.with_name(f"{path.name}.new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)

    # ---- told ----

    def __str__(self) -> str:
        from bench.games.ways import told

        rows, forms, nested = all_rows(), all_forms(), nestings()
        met = rows & self.rows.keys()
        missing = ", ".join(sorted(forms - self.forms.keys()))
        others = sorted(nested - self.rows.keys())
        refused = len(_VERBS) ** 2 - len(nested)
        return "\n".join(
            (
                f"in {self.games} games, rows of the registry: {len(met)} of {len(rows)}; never: {_unmet(rows - met)}",
                f"forms of the instruction form: {len(forms & self.forms.keys())} of {len(forms)}; "
                f"never: {missing or 'none'}",
                f"verbs inside verbs: {len(nested & self.rows.keys())} of {len(nested)} "
                f"({refused} cannot be); not yet: {', '.join(others[:40]) or 'none'}",
                *told(self.rows),
                self._of_pairs(met),
            )
        )

    def _of_pairs(self, met: AbstractSet[str]) -> str:
        """How many pairs there were of those that can be, and which rows lack the most."""
        among = set(combinations(sorted(met), 2))
        never = {pair for pair in among if why_never_together(*pair)}
        lacking = among - self.pairs - never
        counts = Counter(name for pair in lacking for name in pair).most_common(6)
        told = ", ".join(f"{name} ({many})" for name, many in counts) or "none"
        return (
            f"pairs of rows in one game: {len(self.pairs & among):,} of {len(among - never):,} of the rows met "
            f"({len(never)} cannot be); most lacking: {told}"
        )


def _unmet(rows: AbstractSet[str]) -> str:
    """Rows that were not met: those with a reason by their number, the others by name."""
    reasons = Counter(why_never(row).split(":")[0] for row in rows if why_never(row))
    told = [f"{many} as {reason}" for reason, many in reasons.items()]
    return "; ".join([*told, ", ".join(sorted(row for row in rows if not why_never(row)))]).strip("; ") or "none"


def why_never_together(one: str, other: str) -> str:
    """Why two rows can never stand in one game; nothing where they can."""
    found = (reason for (a, b), reason in NEVER_TOGETHER.items() if {one, other} == {a, b})
    return next(found, "")


#: Rows that cannot stand in one game, and why.
NEVER_TOGETHER: dict[Pair, str] = {}
