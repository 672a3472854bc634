"""The instruction form as text: numbered lines, expressions close to how content writes them, and source places.

print(show_program(program, world))
  12  ask           one cell in cell where not cell.token.exists       game/flow.yaml:9
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulespec.diagnostics.render import visible
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.attributes import FormulaRow, MapAt
from rulespec.lower.domains import site_text
from rulespec.lower.ir import Ask, Instr, Ir, Name, Program
from rulespec.model.types import Boolean, EffectType, Integer, ListType, Member, Record, SetType, Type, Zone, strip
from rulespec.model.world import World
from rulespec.program.ops import BRANCHES, DIVIDES, OPERATIONS, Operand
from rulespec.source.text import Span

_INDENT = BRANCHES.keys() | DIVIDES
_DEDENT = {*BRANCHES.values(), *DIVIDES}
_WIDE = 90


def show_part(program: Program, world: World, places: Sequence[Span]) -> str:
    """The cells, zones and instructions that are declared at some places, with the heads of their blocks."""
    writer = Writer(world, program)
    lines = [line for line, span in _cells(program, writer) if _lies_in(span, places)]
    for proc in sorted(program.procs, key=lambda p: p.entry):
        found = [at for at in range(proc.entry, proc.end) if _lies_in(program.instrs[at].span, places)]
        if found:
            head, *block = _block(program, writer, proc)
            lines += ["", head, *block[found[0] - proc.entry : found[-1] + 1 - proc.entry]]
    return "\n".join(lines).strip("\n")


def _lies_in(span: Span | None, places: Sequence[Span]) -> bool:
    return span is not None and any(
        place.file is span.file and place.start <= span.start and span.end <= place.end for place in places
    )


def show_program(program: Program, world: World) -> str:
    """The whole program: what the state holds, then every block with its instructions."""
    writer = Writer(world, program)
    lines = [*_regions(program, writer), "", *_streams(program), "", *_declared(program, writer)]
    for proc in sorted(program.procs, key=lambda p: p.entry):
        lines += [*_block(program, writer, proc), ""]
    return "\n".join(lines).rstrip()


def _regions(program: Program, writer: Writer) -> Iterator[str]:
    yield "state"
    for line, _ in _cells(program, writer):
        yield line


def _cells(program: Program, writer: Writer) -> Iterator[tuple[str, Span | None]]:
    """A line for each kind of cells and each zone, with the place of its declaration."""
    for r in program.regions:
        start = r.start[0] if len(set(r.start)) == 1 else list(r.start)
        first = "none" if start == I.NO_INTEGER else start
        declared = writer.world.states.get(r.key)
        line = f"  {r.key}: {r.places} of {r.low}..{r.high}{' or none' * r.may_be_none}, at first {first}"
        yield line, None if declared is None else declared.span
    for zone in writer.world.zones.values():
        rooms = sorted(set(zone.capacity))
        size = str(rooms[0]) if len(rooms) == 1 else f"{rooms[0]}..{rooms[-1]}"
        yield f"  {zone.key}: {zone.places} of {zone.shape} for {size} {zone.holds}", zone.span


def _declared(program: Program, writer: Writer) -> Iterator[str]:
    """The functions, the effects by number, and every table."""
    declared = program.declared
    if declared.functions:
        yield "functions"
    for function in declared.functions.values():
        params = ", ".join(f"{name}: {t}" for name, t in function.params)
        body = "" if function.body is None else f" = {writer.ex(function.body)}"
        yield f"  {function.name}({params}) -> {function.returns}{body}"
    if declared.interned:
        yield "effects"
    for number, (name, args, lifted) in enumerate(declared.interned):
        without = "".join(f" without {label}" for label in sorted(lifted))
        yield f"  {number}: {name}({', '.join(map(str, args))}){without}"
    yield "tables"
    for name, values in sorted(declared.tables.items()):
        yield from textwrap.wrap(
            f"{name}: {' '.join(map(_entry, values))}", 116, initial_indent="  ", subsequent_indent="    "
        )
    yield ""


def _entry(value: I.Value) -> str:
    """An entry of a table, without blanks."""
    return f"[{','.join(map(_entry, value))}]" if isinstance(value, tuple) else str(value)


def _streams(program: Program) -> Iterator[str]:
    yield "streams of chance: " + (", ".join(program.streams) or "none")
    yield f"look-ahead: at most {program.look_cap:,} answers for one decision"


def _block(program: Program, writer: Writer, proc: I.Proc) -> Iterator[str]:
    params = ", ".join(f"{writer.slot(s)}: {program.slots[s].type}" for s in proc.params)
    lifted = "".join(f" without {label}" for label in sorted(proc.lifted))
    level = f", nested {proc.level}" if proc.level else ""
    yield f"block {proc.id} {proc.name}({params}){lifted} [{proc.kind}{level}]"
    depth = 0
    for at in range(proc.entry, proc.end):
        instr = program.instrs[at]
        depth -= instr.op in _DEDENT
        text = f"{'  ' * max(depth, 0)}{writer.instr(instr)}"
        yield f"{at:>6}  {text:<{_WIDE}}  {place_text(instr.span)}".rstrip()
        depth += instr.op in _INDENT


def place_text(span: Span | None) -> str:
    """`file:line` of a place; nothing where there is none."""
    return "" if span is None else f"{visible(span.file.name)}:{span.line}"


class Writer:
    """Writes expressions and instructions of one program; slots with their numbers where those are needed."""

    def __init__(self, world: World, program: Program, *, numbered: bool = True):
        self.world = world
        self.program = program
        self.numbered = numbered

    # ---- values ----

    def value(self, t: Type, value: Any) -> str:
        """A constant in words."""
        inner = strip(t)
        if isinstance(inner, ListType) and isinstance(value, tuple):
            return "[" + ", ".join(self.value(inner.of, v) for v in value) + "]"
        if isinstance(inner, SetType):
            return "{" + ", ".join(site_text(self.world, inner.of.domain, i) for i in _bits(value)) + "}"
        if isinstance(inner, Integer):
            return "none" if value == I.NO_INTEGER else str(int(value))
        if not isinstance(value, tuple) and value < 0:
            return "none"
        if isinstance(inner, Boolean):
            return "true" if value else "false"
        if isinstance(inner, Member):
            return site_text(self.world, inner.domain, value)
        if isinstance(inner, EffectType):
            return f"effect {value}"
        return str(value)

    def slot(self, slot: int) -> str:
        """A slot by its name and number."""
        name = "0" if slot < 0 else self.program.slots[slot].name
        return f"{name}'{slot}" if self.numbered and slot >= 0 else name

    # ---- expressions ----

    def ex(self, node: Ir | None) -> str:
        """An expression in words."""
        return "-" if node is None else _EX[type(node)](self, node)

    def zone(self, node: Ir) -> str:
        """A place as an expression reads it."""
        if not isinstance(node, I.ZoneIr):
            return self.ex(node)
        decl = self.world.zones[node.zone]
        return decl.key if decl.domain is None else f"{self.ex(node.place)}.{decl.name}"

    # ---- instructions ----

    def instr(self, instr: Instr) -> str:
        """An instruction: its operation, then its operands."""
        return f"{instr.op} {_operands(self, instr)}".rstrip()

    def ask(self, ask: Ask) -> str:
        """What a decision asks."""
        words = [ask.kind, ask.id]
        if ask.amount is not None:
            words.append(f"({self.ex(ask.amount)})")
        words += [self._name(name) for name in ask.names]
        if ask.alike is not None:
            words.append(f"alike {self.ex(ask.alike)}")
        marks = {"optional": ask.optional, "secret": ask.secret, f"by chance ({ask.stream})": ask.chance}
        words += [word for word, holds in marks.items() if holds]
        return " ".join(words)

    def _name(self, name: Name) -> str:
        text = f"{self.slot(name.slot)} from {self.source(name.source)}"
        if name.where is not None:
            text += f" where {self.ex(name.where)}"
        if name.if_possible is not None:
            text += f" if possible {self.ex(name.if_possible)}"
        return text if name.seen is None else f"{text} seen if {self.ex(name.seen)}"

    def source(self, node: Ir) -> str:
        """Where members come from."""
        if isinstance(node, I.Whole):
            t = strip(node.type)
            return t.of.domain if isinstance(t, SetType) else f"all {node.size}"
        return self.zone(node) if isinstance(strip(node.type), Zone) else self.ex(node)


def _bits(value: int) -> list[int]:
    return [i for i in range(value.bit_length()) if value >> i & 1]


# ---- expressions -----------------------------------------------------------------------------------------------------


def _const(w: Writer, n: I.Const) -> str:
    return w.value(n.type, n.value)


def _var(w: Writer, n: I.Var) -> str:
    name, _, number = n.name.partition("$")
    return name.rpartition(".")[2] if not number else f"{name}"


def _local(w: Writer, n: I.Local) -> str:
    return w.slot(n.slot)


def _load(w: Writer, n: I.Load) -> str:
    var = w.world.states.get(n.region)
    if isinstance(n.index, I.Local) and n.index.slot < 0:
        return n.region
    if var is not None and var.domain is None:
        return n.region
    return f"{w.ex(n.index)}.{n.region.rpartition('.')[2]}"


def _table(w: Writer, n: I.Table | I.EffectValue) -> str:
    owner, _, name = n.table.rpartition(".")
    name = owner.rpartition(".")[2] if name in ("items", "bits") else name
    index = n.index.piece if isinstance(n.index, I.CodeOf) else n.index
    return f"{w.ex(index)}.{name}"


def _two(w: Writer, n: I.Arith | I.Compare) -> str:
    return f"({w.ex(n.left)} {n.op} {w.ex(n.right)})"


def _logic(w: Writer, n: I.Logic) -> str:
    return "(" + f" {n.op} ".join(w.ex(i) for i in n.items) + ")"


def _not(w: Writer, n: I.NotIr) -> str:
    return f"not {w.ex(n.of)}"


def _if(w: Writer, n: I.If) -> str:
    return f"(if {w.ex(n.condition)} then {w.ex(n.then)} else {w.ex(n.otherwise)})"


def _let(w: Writer, n: I.Let) -> str:
    return f"(let {n.name.partition('$')[0]} = {w.ex(n.value)} in {w.ex(n.body)})"


def _call(w: Writer, n: I.CallIr) -> str:
    return f"{n.function}({', '.join(w.ex(a) for a in n.args)})" if n.args else n.function


def _call_row(w: Writer, n: I.CallRow) -> str:
    name = n.functions[0].rpartition(".")[2] if n.functions else "formula"
    return f"{w.ex(n.row)}.{name}({', '.join(w.ex(a) for a in n.args)})"


def _contains(w: Writer, n: I.Contains) -> str:
    return f"({w.ex(n.item)} in {w.source(n.items)})"


def _range(w: Writer, n: I.RangeIr) -> str:
    return f"{w.ex(n.low)}..{w.ex(n.high)}"


def _list(w: Writer, n: I.ListIr) -> str:
    return "[" + ", ".join(w.ex(i) for i in n.items) + "]"


def _whole(w: Writer, n: I.Whole) -> str:
    return w.source(n)


def _join(w: Writer, n: I.Join) -> str:
    return f"({w.ex(n.left)} + {w.ex(n.right)})"


def _drop(w: Writer, n: I.Drop) -> str:
    return f"({w.ex(n.items)} - {w.ex(n.item)})"


def _item_at(w: Writer, n: I.ItemAt) -> str:
    items = w.source(n.items)
    if n.what == "field":
        t = strip(n.items.type)
        return f"{items}.{t.fields[n.at][0] if isinstance(t, Record) else n.at}"
    return f"{items}[{w.ex(n.index)}]" if n.what == "at" else f"{items}.{n.what}"


def _zone(w: Writer, n: I.ZoneIr) -> str:
    return w.zone(n)


def _zone_read(w: Writer, n: I.ZoneRead) -> str:
    return w.zone(n.zone) if n.what in ("slot", "all") else f"{w.zone(n.zone)}.{n.what}"


def _code(w: Writer, n: I.CodeOf) -> str:
    return w.ex(n.piece)


def _place_of(w: Writer, n: I.PlaceOf) -> str:
    return f"place of {w.ex(n.piece)}"


def _comprehend(w: Writer, n: I.Comprehend) -> str:
    name = n.name.partition("$")[0]
    head = f"{name} in {w.source(n.source)}"
    if n.where is not None:
        head += f" where {w.ex(n.where)}"
    if n.around is not None:
        head += f" around {w.ex(n.around)}"
    if n.value is None:
        return f"{n.op}({head})"
    by = n.op in ("most", "least", "sort")
    return f"{n.op}({head} by {w.ex(n.value)})" if by else f"{n.op}({w.ex(n.value)} for {head})"


def _pick(w: Writer, n: I.PickIr) -> str:
    return f"{n.op}({', '.join(w.ex(i) for i in n.items)})"


def _within(w: Writer, n: I.Within) -> str:
    return f"within({w.ex(n.value)}, {n.type})"


def _walk(w: Writer, n: I.WalkIr) -> str:
    return f"walk({n.name.partition('$')[0]} from {w.ex(n.start)} step {w.ex(n.step)})"


def _reach(w: Writer, n: I.ReachIr) -> str:
    name = n.name.partition("$")[0]
    return f"reach({name} from {w.ex(n.start)} via {w.ex(n.via)} cost {w.ex(n.cost)} within {w.ex(n.within)})"


def _take(w: Writer, n: I.TakeIr) -> str:
    return f"take({w.ex(n.amount)}, {w.zone(n.zone)})"


def _clockwise(w: Writer, n: I.Clockwise) -> str:
    return f"clockwise({w.ex(n.start)})"


def _map_at(w: Writer, n: MapAt) -> str:
    return f"{w.ex(n.row)}.{n.table.rpartition('.')[2]}"


def _formula(w: Writer, n: FormulaRow) -> str:
    return f"{w.ex(n.row)}.formula"


_EX: dict[type, Callable[[Writer, Any], str]] = {
    I.Const: _const,
    I.Var: _var,
    I.Local: _local,
    I.Load: _load,
    I.Table: _table,
    I.EffectValue: _table,
    I.Arith: _two,
    I.Compare: _two,
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
    MapAt: _map_at,
    FormulaRow: _formula,
}


# ---- operands --------------------------------------------------------------------------------------------------------

_HOLE = re.compile(r"\[([^\[\]]*)\]|\{(\w+)\}")


def _operands(w: Writer, instr: Instr) -> str:
    """The operands as their row of the table prints them."""
    row = OPERATIONS[instr.op]
    values = {operand.name: (operand, number) for number, operand in enumerate(row.operands)}

    def filled(found: re.Match[str]) -> str:
        inside = found[1]
        if inside is None:
            return _operand(w, instr, *values[found[2]])
        names = [name for _, name in _HOLE.findall(inside)]
        left_out = any(_goes_without_saying(w, instr, *values[name]) for name in names)
        return "" if left_out else _HOLE.sub(filled, inside)

    return _HOLE.sub(filled, row.shown)


def _goes_without_saying(w: Writer, instr: Instr, operand: Operand, number: int) -> bool:
    value = instr.args[number]
    if operand.kind == "label":
        return bool(value == w.ex(instr.args[0]))
    return value is None or value is False or value == () or (bool(operand.words) and value == operand.words[0])


def _operand(w: Writer, instr: Instr, operand: Operand, number: int) -> str:
    value = instr.args[number]
    if operand.kind == "region":
        return _cell(w, value, instr.args[number + 1])
    return operand.name if value is True else _BY_KIND[operand.kind](w, value)


def _cell(w: Writer, region: str, index: Ir) -> str:
    single = isinstance(index, I.Const) and next((r.places for r in w.program.regions if r.key == region), 0) == 1
    return region if single else f"{region}[{w.ex(index)}]"


def _block_name(w: Writer, number: int) -> str:
    return next(p.name for p in w.program.procs if p.id == number)


def _among(_: Writer, values: frozenset[int] | None) -> str:
    return "any effect" if values is None else f"one of {len(values)}"


def _as_it_is(_: Writer, value: object) -> str:
    return str(value)


_BY_KIND: dict[str, Callable[[Writer, Any], str]] = {
    "value": Writer.ex,
    "values": lambda w, values: ", ".join(w.ex(value) for value in values),
    "names": lambda _, names: ", ".join(name for name, _ in names),
    "zone": Writer.zone,
    "pieces": Writer.source,
    "slot": Writer.slot,
    "question": Writer.ask,
    "block": _block_name,
    "effects": _among,
    **dict.fromkeys(("trigger", "stream", "label", "word", "number", "flag"), _as_it_is),
}
