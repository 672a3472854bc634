"""From lowered expressions to Python source: each expression becomes a Python expression and the lines before it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from interpreter.executor.writing import Source, function_name, none_of, plain_name, table_name
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import Ir
from rulespec.lower.make import bounds
from rulespec.model.types import Integer, ListType, Piece, SetType, Zone, strip


def _const(s: Source, n: I.Const) -> str:
    if isinstance(n.value, tuple):
        return "()" if not n.value else s.constant(n.value)
    if isinstance(n.type, ListType) and n.value == 0:
        return "()"
    return str(int(n.value))


def _var(s: Source, n: I.Var) -> str:
    return s.variable(n.name)


def _local(s: Source, n: I.Local) -> str:
    return s.slot(n.slot)


def _load(s: Source, n: I.Load) -> str:
    base = s.layout.regions[n.region]
    if isinstance(n.index, I.Local) and n.index.slot == -1:
        return f"c[{base}]"
    return f"c[{s.cell(base, 1, n.index)}]"


def _table(s: Source, n: I.Table) -> str:
    return f"{table_name(s, n.table, n.type)}[{s.ex(n.index)}]"


def _effect_value(s: Source, n: I.EffectValue) -> str:
    return f"{table_name(s, n.table, n.type)}[{s.ex(n.index)}]"


def _arith(s: Source, n: I.Arith) -> str:
    a, b = s.ex(n.left), s.ex(n.right)
    if n.op in ("//", "%") and not (isinstance(n.right, I.Const) and n.right.value):
        return f"{'divide' if n.op == '//' else 'remainder'}({a}, {b})"
    return f"({a} {n.op} {b})"


def _compare(s: Source, n: I.Compare) -> str:
    shortcut = _presence(s, n)
    if shortcut is not None:
        return shortcut
    a = _whole_list(n.left, s.ex(n.left))
    lines, b = s.captured(lambda: _whole_list(n.right, s.ex(n.right)))
    if lines and not re.fullmatch(r"-?\w+", a):
        name = s.temp()
        s.line(f"{name} = {a}")
        a = name
    s.lines += lines
    return f"({a} {n.op} {b})"


def _whole_list(n: Ir, text: str) -> str:
    """A list as what can be equal to another one: a range is no tuple."""
    return f"tuple({text})" if isinstance(n.type, ListType) else text


def _presence(s: Source, n: I.Compare, *, truth: bool = False) -> str | None:
    """Whether a piece is there, without finding out which; or what is true where it is."""
    left = n.left.piece if isinstance(n.left, I.CodeOf) else n.left
    none = isinstance(n.right, I.Const) and n.right.value == -1 and n.op in ("==", "!=")
    if not none or not isinstance(left, I.ZoneRead) or left.what in ("count", "empty", "full", "all"):
        return None
    empty = s.ex(I.ZoneRead(type=left.type, what="empty", zone=left.zone))
    counted = empty.endswith(" == 0)")
    if n.op == "==":
        return f"not {empty[1:-6]}" if truth and counted else empty
    if truth and counted:
        return empty[1:-6]
    return f"{empty[:-6]} != 0)" if counted else f"(not {empty})"


def _logic(s: Source, n: I.Logic, test: Callable[[Ir], str] | None = None) -> str:
    test = test or s.ex
    first = test(n.items[0])
    depth = s.indent
    rest = []
    for item in n.items[1:]:  # each is written once, as deep as it stands if one of them needs lines
        s.indent += 1
        rest.append(s.captured(lambda item=item: test(item)))  # type: ignore[misc]
    s.indent = depth
    if not any(lines for lines, _ in rest):
        return "(" + f" {n.op} ".join([first, *(text for _, text in rest)]) + ")"
    name = s.temp()
    s.line(f"{name} = {first}")
    for lines, text in rest:
        s.line(f"if {name}:" if n.op == "and" else f"if not {name}:")
        s.indent += 1
        s.lines += lines
        s.line(f"{name} = {text}")
    s.indent = depth
    return name


def _not(s: Source, n: I.NotIr) -> str:
    return f"(not {s.test(n.of)})"


def _if(s: Source, n: I.If) -> str:
    condition = s.test(n.condition)
    s.indent += 1
    yes_lines, yes = s.captured(lambda: s.ex(n.then))
    no_lines, no = s.captured(lambda: s.ex(n.otherwise))
    s.indent -= 1
    if not yes_lines and not no_lines:
        return f"({yes} if {condition} else {no})"
    name = s.temp()
    with s.block(f"if {condition}:"):
        s.lines += yes_lines
        s.line(f"{name} = {yes}")
    with s.block("else:"):
        s.lines += no_lines
        s.line(f"{name} = {no}")
    return name


def _let(s: Source, n: I.Let) -> str:
    value = s.ex(n.value)
    s.line(f"{s.variable(n.name)} = {value}")
    return s.ex(n.body)


def _call(s: Source, n: I.CallIr) -> str:
    if n in s.found:
        return s.found[n]
    if s.plainly:
        name = plain_name(n.function) if n.function in s.twins else function_name(n.function)
        return f"{name}({', '.join(['c', *(s.ex(a) for a in n.args)])})"
    if n.function in s.remembered:
        from interpreter.executor.memo import call_remembered

        return call_remembered(s, n)
    return f"{function_name(n.function)}({', '.join(['c', *(s.ex(a) for a in n.args)])})"


def _call_row(s: Source, n: I.CallRow) -> str:
    row = s.ex(n.row)
    args = ", ".join(["c", *(s.ex(a) for a in n.args)])
    table = "(" + ", ".join(function_name(f) for f in n.functions) + ",)"
    return f"{table}[{row}]({args})"


def _contains(s: Source, n: I.Contains) -> str:
    t = strip(n.items.type)
    if isinstance(t, Zone):
        return _in_zone(s, n)
    item = s.ex(n.item)
    if isinstance(n.items, I.Table) and n.items.table.endswith(".items"):
        bits = table_name(s, n.items.table.removesuffix("items") + "bits", Integer(0, 0))
        return f"({bits}[{s.ex(n.items.index)}] >> {item} & 1)"
    if isinstance(t, SetType):
        return f"({s.ex(n.items)} >> {item} & 1)"
    if isinstance(n.items, I.ListIr):
        if not n.items.items:
            return "False"
        return f"({item} in ({', '.join(s.ex(i) for i in n.items.items)},))"
    if isinstance(t, ListType) and isinstance(t.of, Piece):
        return f"({item} in [x % {s.declared.codes} for x in {s.ex(n.items)}])"
    return f"({item} in {s.ex(n.items)})"


def _in_zone(s: Source, n: I.Contains) -> str:
    item = s.atom(n.item)
    name = s.temp()
    s.line(f"{name} = False")
    from interpreter.executor.loops import over

    kind = s.declared.pieces[s.declared.zones[strip(n.items.type).key].holds]  # type: ignore[attr-defined]
    with over(s, n.items, s.temp("w")) as (_, code, _n):
        plain = f"{code} - {code} % {len(kind.faces)}" if len(kind.faces) > 1 else code
        with s.block(f"if {plain} == {item}:"):
            s.line(f"{name} = True")
            s.line("break")
    return name


def _range(s: Source, n: I.RangeIr) -> str:
    return f"range({s.ex(n.low)}, {s.ex(n.high)} + 1)"


def _list(s: Source, n: I.ListIr) -> str:
    return "(" + "".join(f"{s.ex(i)}, " for i in n.items) + ")"


def _whole(s: Source, n: I.Whole) -> str:
    return str((1 << n.size) - 1)


def _join(s: Source, n: I.Join) -> str:
    a, b = s.ex(n.left), s.ex(n.right)
    return f"({a} | {b})" if isinstance(strip(n.type), SetType) else f"(tuple({a}) + tuple({b}))"


def _drop(s: Source, n: I.Drop) -> str:
    t = strip(n.type)
    if isinstance(t, SetType):
        return f"({s.ex(n.items)} & ~(1 << {s.ex(n.item)}))"
    if isinstance(t, ListType) and isinstance(t.of, Piece):
        return f"drop_piece({s.ex(n.items)}, {s.ex(n.item)}, {s.declared.codes})"
    return f"drop(tuple({s.ex(n.items)}), {s.ex(n.item)})"


def _item_at(s: Source, n: I.ItemAt) -> str:
    if n.what == "field":
        return f"{s.ex(n.items)}[{n.at}]"
    if isinstance(strip(n.items.type), SetType):
        return _of_set(s, n)
    if n.what == "count":
        from interpreter.executor.loops import count_of_best
        from interpreter.executor.stretches import count_of_stretch

        return count_of_best(s, n) or count_of_stretch(s, n) or f"len({s.ex(n.items)})"
    if n.what == "empty":
        return f"(not {s.ex(n.items)})"
    items = s.atom(n.items)
    none = none_of(n.type)
    if n.what == "at" and n.index is not None:
        at = s.ex(n.index)
        if strip(n.type) == n.type:
            return f"{items}[{at}]"
        return f"({items}[{at}] if 0 <= {at} < len({items}) else {none})"
    return f"({items}[{0 if n.what == 'first' else -1}] if {items} else {none})"


def _of_set(s: Source, n: I.ItemAt) -> str:
    text = s.ex(n.items)
    if n.what == "count":
        return f"({text}).bit_count()"
    if n.what == "empty":
        return f"({text} == 0)"
    value = s.temp()
    s.line(f"{value} = {text}")
    if n.what == "last":
        return f"({value}.bit_length() - 1)"
    return f"(({value} & -{value}).bit_length() - 1)"


def _zone(s: Source, n: I.ZoneIr) -> str:
    return s.ex(n.place)


def _code(s: Source, n: I.CodeOf) -> str:
    piece = n.piece
    if isinstance(piece, I.Var) and piece.name in s.codes_of:
        return s.codes_of[piece.name]
    if isinstance(piece, I.ZoneRead):
        from interpreter.executor.zones import read_code

        return read_code(s, piece)
    if strip(piece.type) == piece.type:
        return f"({s.ex(piece)} % {s.declared.codes})"
    value = s.atom(piece)
    return f"({value} % {s.declared.codes} if {value} >= 0 else -1)"


def _place_of(s: Source, n: I.PlaceOf) -> str:
    first = f" - {n.first}" if n.first else ""
    return f"({s.ex(n.piece)} // {s.depth_codes}{first})"


def _pick(s: Source, n: I.PickIr) -> str:
    return f"{n.op}({', '.join(s.ex(i) for i in n.items)})"


def _within(s: Source, n: I.Within) -> str:
    low, high = bounds(n.type)
    return f"within({s.ex(n.value)}, {low}, {high}, {s.constant(n.span)})"


def _clockwise(s: Source, n: I.Clockwise) -> str:
    every = tuple(tuple((i + k) % n.size for k in range(n.size)) for i in range(n.size))
    return f"{s.constant(every)}[{s.ex(n.start)}]"


def _comprehend(s: Source, n: I.Comprehend) -> str:
    from interpreter.executor.loops import comprehend

    return comprehend(s, n)


def _walk(s: Source, n: I.WalkIr) -> str:
    from interpreter.executor.loops import walk

    return walk(s, n)


def _reach(s: Source, n: I.ReachIr) -> str:
    from interpreter.executor.loops import reach

    return reach(s, n)


def _zone_read(s: Source, n: I.ZoneRead) -> str:
    from interpreter.executor.zones import read

    return read(s, n)


def _take(s: Source, n: I.TakeIr) -> str:
    from interpreter.executor.zones import take_some

    return take_some(s, n)


FORMS: dict[type, Callable[[Source, Any], str]] = {
    I.Const: _const,
    I.Var: _var,
    I.Local: _local,
    I.Load: _load,
    I.Table: _table,
    I.EffectValue: _effect_value,
    I.Arith: _arith,
    I.Compare: _compare,
    I.Logic: _logic,
    I.NotIr: _not,
    I.If: _if,
    I.Let: _let,
    I.CallIr: _call,
    I.CallRow: _call_row,
    I.Contains: _contains,
    I.RangeIr: _range,
    I.ListIr: _list,
    I.Whole: _whole,
    I.Join: _join,
    I.Drop: _drop,
    I.ItemAt: _item_at,
    I.ZoneIr: _zone,
    I.ZoneRead: _zone_read,
    I.CodeOf: _code,
    I.PlaceOf: _place_of,
    I.Comprehend: _comprehend,
    I.PickIr: _pick,
    I.Within: _within,
    I.WalkIr: _walk,
    I.ReachIr: _reach,
    I.TakeIr: _take,
    I.Clockwise: _clockwise,
}


def _truth_of_members(s: Source, n: I.Comprehend) -> str | None:
    from interpreter.executor.loops import truth

    return truth(s, n)


#: How conditions are written whose truth alone matters; where a form gives nothing, as ever.
TRUTHS: dict[type[Ir], Callable[[Source, Any], str | None]] = {
    I.Logic: lambda s, n: _logic(s, n, s.test),
    I.Compare: lambda s, n: _presence(s, n, truth=True),
    I.Comprehend: _truth_of_members,
}
