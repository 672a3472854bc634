"""Attributes of enums, kinds and spaces, as tables: by row, by rule, by coordinate; and formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rulespec.diagnostics.fixes import Fix
from rulespec.diagnostics.nearest import near_to, nearest
from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.attributes import key_range
from rulespec.lower.callables import add_formula
from rulespec.lower.context import PLAIN_TYPES, Context
from rulespec.lower.domains import kinds_of, over_rows, site_name
from rulespec.lower.ir import Ir, Value
from rulespec.model.types import Formula, Integer, MapType, Member, Optional, Type, Unknown, may_be_none
from rulespec.model.world import Attribute, Dimension, Domain
from rulespec.source.entries import without_entry
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span


@dataclass(frozen=True, slots=True)
class Row:
    """One row of declared attribute values: its name, its node and what it says."""

    span: Span
    cells: Mapping | None


def declare_attributes(cx: Context) -> None:
    """The attributes of every enum, kind and track, as tables to be computed when first read."""
    for key, node in cx.section("enums"):
        if isinstance(node, Mapping):
            _attributes_of(cx, cx.world.domains.get(key.text), node, node.get("values"))
    for key, node in kinds_of(cx).values():
        declare_attributes_of(cx, key, node)


def declare_attributes_of(cx: Context, key: Scalar, node: Mapping) -> None:
    """The attributes of one kind: at once where their types are known, so that `where` can read them; else later."""
    domain = cx.world.domains.get(key.text)
    _attributes_of(cx, domain, node, node.get("rows") or node.get("spaces"), early=not cx.world.effects)


def _type_is_known(cx: Context, spec: Node) -> bool:
    """Whether a written type names only kinds that are declared already."""
    node = spec.get("type") if isinstance(spec, Mapping) else spec
    written = cx.parsed.type(node, cx.problems) if node is not None else None
    return written is not None and all(n in cx.world.domains or n in PLAIN_TYPES for n in _names_of(written))


def _names_of(written: ast.Expr) -> Iterator[str]:
    if isinstance(written, ast.TypeName):
        yield written.name
    elif isinstance(written, (ast.TypeOptional, ast.TypeMany)):
        yield from _names_of(written.of)
    elif isinstance(written, ast.TypeMap):
        yield from _names_of(written.value)
        yield from _names_of(written.key)
    elif not isinstance(written, ast.TypeRange):
        yield ""


def _attributes_of(
    cx: Context, domain: Domain | None, node: Mapping, rows: Node | None, *, early: bool = False
) -> None:
    declared = node.get("attributes") or Mapping(node.span, ())
    if domain is None or not isinstance(declared, Mapping):
        return
    cells = _rows(rows)
    defaults = cx.field(node, "defaults")
    for written in (*(row.cells for row in cells), defaults):
        check_cells(cx, domain.name, written, declared.keys())
    for key, spec in declared.pairs:
        if key.text in domain.attributes or (early and not _type_is_known(cx, spec)):
            continue
        attribute = Attribute(key.text, _attribute_type(cx, spec), f"{domain.name}.{key.text}", span=key.span)
        if attribute.name in {d.name for d in domain.dims}:
            cx.problems.add("RS307", key.span, name=key.text)
            continue
        domain.attributes[key.text] = attribute
        _refuse_second(cx, key.text, spec, [*(row.cells for row in cells), defaults])
        _fill(cx, domain, attribute, spec, cells, cx.field(defaults, key.text))


def rule_of(spec: Node) -> str | None:
    """The word of an attribute's declaration that makes its values, where one does."""
    return next((word for word in ("is", "values", "by") if isinstance(spec, Mapping) and spec.get(word)), None)


def _refuse_second(cx: Context, name: str, spec: Node, written: Iterable[Node | None]) -> None:
    """Reports the first row or default that says an attribute which a rule makes, or a second rule."""
    word = rule_of(spec)
    if word is None or not isinstance(spec, Mapping):
        return
    others = [(part, key) for part in written if isinstance(part, Mapping) for key, _ in part.pairs if key.text == name]
    if word == "is":
        others += [(spec, key) for key, _ in spec.pairs if key.text in ("values", "by")]
    for part, key in others[:1]:
        edit = without_entry(part, key)
        fixes = () if edit is None else (Fix(f"Delete `{key.text}`", (edit,), is_certain=False),)
        cx.problems.add("RS724", key.span, name=name, word=word, fixes=fixes)


def check_cells(cx: Context, of: str, cells: Node | None, known: Iterable[str]) -> None:
    """Reports values of attributes that are not declared."""
    for key, _ in cells.pairs if isinstance(cells, Mapping) else ():
        if key.text not in known and key.text not in ("about", "source"):
            cx.world.unknown("RS302", key.span, key.text, known, type=of)


def _rows(rows: Node | None) -> list[Row]:
    if isinstance(rows, Mapping):
        return [Row(k.span, v if isinstance(v, Mapping) else None) for k, v in rows.pairs]
    if isinstance(rows, Sequence):
        return [Row(v.span, v if isinstance(v, Mapping) else None) for v in rows.items]
    return []


def _attribute_type(cx: Context, spec: Node) -> Type:
    return cx.type(spec.get("type") if isinstance(spec, Mapping) else spec)


def _fill(cx: Context, domain: Domain, a: Attribute, spec: Node, rows: list[Row], default: Node | None) -> None:
    if isinstance(a.type, Formula):
        _formulas(cx, domain, a, rows, default)
        return
    long = spec if isinstance(spec, Mapping) else None
    if long is not None and long.get("values") is not None:
        cx.world.pending[a.table] = lambda: _by_keys(cx, domain, a, long)
    elif long is not None and long.get("is") is not None:
        node = long.get("is")
        assert node is not None
        cx.world.pending[a.table] = lambda: _by_rule(cx, domain, a, node)
    else:
        cx.world.pending[a.table] = lambda: _by_row(cx, domain, a, rows, default)


def _by_rule(cx: Context, domain: Domain, a: Attribute, node: Node) -> tuple[Value, ...]:
    compute = over_rows(cx, domain, node, a.type if not isinstance(a.type, Member) else Optional(a.type))
    if compute is None:
        return (0,) * domain.size
    values = [compute(i) for i in range(domain.size)]
    for i, value in enumerate(values):
        if value == -1 and isinstance(a.type, Member) and not may_be_none(a.type):
            cx.problems.add("RS707", node.span, name=site_name(cx, domain, i), attribute=a.name, type=str(a.type))
            break
        if not _in_range(cx, value, a.type, node.span, domain, i):
            break
    return tuple(0 if v is None else v for v in values)


def _in_range(cx: Context, value: Any, t: Type, span: Span, domain: Domain, i: int) -> bool:
    if isinstance(t, Integer) and isinstance(value, int) and not t.holds(value):
        cx.problems.add("RS708", span, value=value, name=site_name(cx, domain, i), low=t.low, high=t.high)
        return False
    return True


def _by_row(cx: Context, domain: Domain, a: Attribute, rows: list[Row], default: Node | None) -> tuple[Value, ...]:
    values: list[Value] = []
    for i in range(domain.size):
        row = rows[i] if i < len(rows) else None
        cell = row.cells.get(a.name) if row is not None and row.cells is not None else None
        cell = cell or default
        if cell is None:
            span = row.span if row is not None else domain.span
            is_needed = not may_be_none(a.type) and not isinstance(a.type, Unknown)
            if span is not None and is_needed and not _misspelt(domain, a, row):
                cx.problems.add("RS709", span, name=site_name(cx, domain, i), attribute=a.name)
            of = a.type.value if isinstance(a.type, MapType) else a.type
            values.extend([make.missing_value(of)] * _width(cx, a.type))
            continue
        values.extend(cell_values(cx, a.type, cell, {domain.name: make.const(i, Member(domain.name))}))
    return tuple(values)


def _misspelt(domain: Domain, a: Attribute, row: Row | None) -> bool:
    """Whether a strange key of a row, which is reported, was probably meant for an attribute."""
    cells = row.cells if row is not None else None
    strange = [key for key in (cells.keys() if cells is not None else ()) if key not in domain.attributes]
    return any(nearest(key, domain.attributes) == a.name for key in strange)


def _width(cx: Context, t: Type) -> int:
    return key_range(cx.world, t.key)[1] if isinstance(t, MapType) else 1


def cell_values(cx: Context, t: Type, node: Node, names: dict[str, Ir] | None = None) -> list[Value]:
    """The table entries of one written value: one, or one for each key of a total map."""
    if isinstance(t, MapType):
        return map_values(cx, t, node, names)
    value = cx.constant(node, t, names)
    return [0 if value is None else value]


def map_values(cx: Context, t: MapType, node: Node, names: dict[str, Ir] | None = None) -> list[Value]:
    """The values of a total map, written as a list in key order or as a map by key."""
    low, size = key_range(cx.world, t.key)
    if isinstance(node, Sequence):
        if len(node.items) != size:
            cx.problems.add("RS710", node.span, expected=size, found=len(node.items))
            return [0] * size
        return [v for item in node.items for v in cell_values(cx, t.value, item, names)]
    if not isinstance(node, Mapping):
        cx.problems.add("RS303", node.span, expected=str(t), found="one value")
        return [0] * size
    found: dict[int, Value] = {}
    for key, item in node.pairs:
        at = _key_number(cx, t.key, key)
        if at is not None:
            found[at - low] = cell_values(cx, t.value, item, names)[0]
    missing = [i + low for i in range(size) if i not in found]
    if missing and len(found) == len(node.pairs):
        cx.problems.add("RS711", node.span, keys=", ".join(key_name(cx, t.key, m) for m in missing))
    return [found.get(i, 0) for i in range(size)]


def key_name(cx: Context, t: Type, value: int) -> str:
    """The key of a table as it is written in the file."""
    return site_name(cx, cx.world.domains[t.domain], value) if isinstance(t, Member) else str(value)


def _key_number(cx: Context, t: Type, key: Scalar) -> int | None:
    value = cx.constant(key, t)
    return value if isinstance(value, int) else None


def _by_keys(cx: Context, domain: Domain, a: Attribute, spec: Mapping) -> tuple[Value, ...]:
    """A table by one or two of the kind's own coordinates: `by: [row, col]`, `values` nested in that order."""
    by = spec.get("by")
    names = [cx.text(by)] if isinstance(by, Scalar) else [cx.text(i) for i in cx.steps(by)]
    dims = [next((d for d in domain.dims if d.name == n), None) for n in names]
    values = spec.get("values")
    if by is None or values is None or None in dims:
        known_names = [d.name for d in domain.dims]
        wrong = next((n for n in names if n not in known_names), "")
        places = by.items if isinstance(by, Sequence) else (by or spec,)
        place = next((p for p in places if cx.text(p) == wrong), by or spec)
        near = near_to(wrong, known_names)
        cx.problems.add("RS712", place.span, near=near, name=domain.name, dims=", ".join(known_names) or "none")
        return (0,) * domain.size
    known = [d for d in dims if d is not None]
    table = _nested(cx, a.type, known, values)
    order = [[d.name for d in domain.dims].index(d.name) for d in known]
    return tuple(table.get(tuple(c[at] for at in order), 0) for c in domain.coords)


def _nested(cx: Context, t: Type, dims: list[Dimension], node: Node) -> dict[tuple[int, ...], Value]:
    dim, rest = dims[0], dims[1:]
    key_type: Type = Member(dim.domain) if dim.domain else Integer(dim.low, dim.low + dim.size - 1)
    entries: list[tuple[int | None, Node]] = []
    if isinstance(node, Sequence):
        if len(node.items) != dim.size:
            cx.problems.add("RS710", node.span, expected=dim.size, found=len(node.items))
            return {}
        entries = [(dim.low + i, item) for i, item in enumerate(node.items)]
    elif isinstance(node, Mapping):
        entries = [(_key_number(cx, key_type, k), v) for k, v in node.pairs]
        missing = [i for i in range(dim.low, dim.low + dim.size) if i not in {k for k, _ in entries}]
        if missing:
            cx.problems.add("RS711", node.span, keys=", ".join(key_name(cx, key_type, m) for m in missing))
    found: dict[tuple[int, ...], Value] = {}
    for at, item in entries:
        if at is None:
            continue
        if rest:
            found.update({(at, *k): v for k, v in _nested(cx, t, rest, item).items()})
        else:
            found[(at,)] = cell_values(cx, t, item)[0]
    return found


def _formulas(cx: Context, domain: Domain, a: Attribute, rows: list[Row], default: Node | None) -> None:
    """One function for each row; the row itself goes by the kind's name, the parameters by their types' names."""
    names: list[str] = []
    for i in range(domain.size):
        row = rows[i] if i < len(rows) else None
        cell = (row.cells.get(a.name) if row is not None and row.cells is not None else None) or default
        name = f"{domain.name}.{domain.members[i] or i}.{a.name}"
        if cell is None and row is not None:
            cx.problems.add("RS709", row.span, name=site_name(cx, domain, i), attribute=a.name)
        if cell is not None and isinstance(a.type, Formula):
            add_formula(cx, name, a.type, cell, {domain.name: make.const(i, Member(domain.name))})
        names.append(name)
    a.functions = tuple(names)
