"""Loops of the instruction form as Python source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.executor.writing import Source, none_of, table_name
from interpreter.executor.zones import base_of, zone_parts
from interpreter.middle.analysis.loops import MOST_UNROLLED, MOST_WRITTEN, highest, needs_ref, written_out
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import Ir, walk_ir
from rulespec.model.types import Integer, ListType, Piece, SetType, Zone, strip

#: Expressions that are work of their own.
WORK = (I.Comprehend, I.CallIr, I.CallRow, I.WalkIr, I.ReachIr)


@contextmanager
def over(
    s: Source, source: Ir, name: str, *, ref: bool = False, text: str | None = None, leaf: bool = False
) -> Iterator[tuple[str, str, str]]:
    """A loop over a source: gives the variable, the code (for pieces of a zone) and how often it counts.

    `text` are the members where they are known already; a `leaf` is a loop that holds no other work.
    """
    t = strip(source.type)
    if isinstance(source, I.ZoneRead) and source.what == "all":
        inner = source.zone
        source, t = inner, strip(inner.type)
    if isinstance(t, Zone):
        with _over_zone(s, source, name, ref) as found:
            yield found
        return
    items = text or members(s, source)
    counted = s.count_loop(source, leaf=leaf)
    with s.block(f"for {name} in {items}:"):
        if not counted:
            s.count_pass()
        yield name, f"({name} % {s.declared.codes})", "1"


def members(s: Source, source: Ir) -> str:
    """A Python iterable of a source's members."""
    if isinstance(source, I.Whole):
        return f"range({source.size})"
    t = strip(source.type)
    if isinstance(t, SetType):
        if isinstance(source, I.Table) and source.table.endswith(".bits"):
            return f"{table_name(s, source.table.removesuffix('bits') + 'items', t)}[{s.ex(source.index)}]"
        return f"bits({s.ex(source)})"
    return s.ex(source)


@contextmanager
def _over_zone(s: Source, zone: Ir, name: str, ref: bool) -> Iterator[tuple[str, str, str]]:
    decl, place = zone_parts(s, zone)
    code = f"{name}_c"
    if ref and not isinstance(place, I.Const):
        kept = s.temp("p")
        s.line(f"{kept} = {s.ex(place)}")
        start = f"({kept} + {decl.first}) * {s.depth_codes}"
    else:
        start = str(((place.value if isinstance(place, I.Const) else 0) + decl.first) * s.depth_codes)  # type: ignore[operator]
    base = base_of(s, zone)
    if decl.shape == "slot":
        with s.block(f"for {code} in (({s.pieces}[{base}] - 1,) if {s.pieces}[{base}] else ()):"):
            s.line(f"{name} = {start} + {code}") if ref else None
            yield name, code, "1"
    elif decl.shape == "pool":
        count = s.temp("n")
        start_cell = s.temp("b")
        s.line(f"{start_cell} = {base}")
        size = s.declared.pieces[decl.holds].count
        with (
            s.block(f"for {code}, {count} in enumerate({s.pieces}[{start_cell}:{start_cell} + {size}]):"),
            s.block(f"if {count}:"),
        ):
            s.count_pass()
            s.line(f"{name} = {start} + {code}") if ref else None
            yield name, code, count
    else:
        at, start_cell = s.temp("i"), s.temp("b")
        s.line(f"{start_cell} = {base}")
        with s.block(f"for {at} in range({s.pieces}[{start_cell}]):"):
            s.count_pass()
            s.line(f"{code} = {s.pieces}[{start_cell} + 1 + {at}] - 1")
            s.line(f"{name} = {start} + {at} * {s.declared.codes} + {code}") if ref else None
            yield name, code, "1"


def enter(s: Source, n: I.Comprehend) -> tuple[str, bool]:
    """The loop's variable, and whether the piece itself is needed."""
    name = s.variable(n.name)
    piece = isinstance(element(s, n.source), Piece)
    ref = piece and (needs_ref(n.where, n.name) or needs_ref(n.value, n.name) or n.op in _KEEPS)
    return name, ref


_KEEPS = ("first", "most", "least", "sort", "longest", "stretch")


def element(s: Source, source: Ir) -> object:
    """The type of a source's members, where it is known."""
    t = strip(source.type)
    if isinstance(t, Zone):
        return Piece(s.declared.zones[t.key].holds, t.key)
    return t.of if isinstance(t, (ListType, SetType)) else None


@contextmanager
def _loop(s: Source, n: I.Comprehend) -> Iterator[tuple[str, str]]:
    """The loop with its filter: inside, the member counts `times`."""
    name, ref = enter(s, n)
    members_text, where = narrowed(s, n.source, n.name, n.where)
    leaf = not any(
        isinstance(inner, WORK) for part in (n.where, n.value) if part is not None for inner in walk_ir(part)
    )
    with over(s, n.source, name, ref=ref, text=members_text, leaf=leaf) as (variable, code, times):
        if isinstance(element(s, n.source), Piece):
            s.codes_of[n.name] = code
        if where is None:
            yield variable, times
        else:
            with s.block(f"if {s.test(where)}:"):
                yield variable, times


def narrowed(s: Source, source: Ir, name: str, where: Ir | None) -> tuple[str | None, Ir | None]:
    """The members that a filter leaves by what is known before play (None: all of them), and what is left of it."""
    found = s.grouping.try_narrowed(source, name, where) if s.grouping is not None else None
    if found is None:
        return None, where
    groups, by, left = found
    if by is None:
        return s.constant(groups[0]), left
    return f"{s.constant(groups)}[{s.ex(by)}]", left


def comprehend(s: Source, n: I.Comprehend) -> str:
    """The Python expression of a closed operator; its loop is written before it."""
    if n.op in ("longest", "stretch"):
        from interpreter.executor.stretches import stretches

        return stretches(s, n)
    if n.op == "count":
        quick = _count_by_table(s, n)
        if quick is not None:
            return quick
    if n.op in ("count", "any", "all") and n.source.type is not None:
        unrolled = _unrolled(s, n)
        if unrolled is not None:
            return unrolled if n.op == "count" else f"(True if {unrolled} else False)"
    if n.op in ("most", "least"):
        return _best(s, n)
    if n.op == "sort":
        return _sorted(s, n)
    return _FOLDS[n.op](s, n)


def truth(s: Source, n: I.Comprehend) -> str | None:
    """A condition where only its truth matters; None where it is no other text than that of its value."""
    return _unrolled(s, n) if n.op in ("any", "all") and n.source.type is not None else None


def _count(s: Source, n: I.Comprehend) -> str:
    total = s.temp("n")
    s.line(f"{total} = 0")
    with _loop(s, n) as (_, times):
        s.line(f"{total} += {times}")
    return total


def _any(s: Source, n: I.Comprehend) -> str:
    found = s.temp("a")
    s.line(f"{found} = False")
    with _loop(s, n):
        s.line(f"{found} = True")
        s.line("break")
    return found


def _all(s: Source, n: I.Comprehend) -> str:
    found = s.temp("a")
    s.line(f"{found} = True")
    assert n.value is not None
    with _loop(s, n), s.block(f"if not {s.test(n.value)}:"):
        s.line(f"{found} = False")
        s.line("break")
    return found


def _first(s: Source, n: I.Comprehend) -> str:
    found = s.temp("a")
    s.line(f"{found} = {none_of(n.type)}")
    with _loop(s, n) as (variable, _):
        s.line(f"{found} = {variable}")
        s.line("break")
    return found


def _sum(s: Source, n: I.Comprehend) -> str:
    total = s.temp("n")
    s.line(f"{total} = 0")
    assert n.value is not None
    with _loop(s, n) as (_, times):
        value = s.ex(n.value)
        s.line(f"{total} += {value}" + (f" * {times}" if times != "1" else ""))
    return total


def _list(s: Source, n: I.Comprehend) -> str:
    items = s.temp("l")
    s.line(f"{items} = []")
    assert n.value is not None
    with _loop(s, n) as (_, times):
        value = s.ex(n.value)
        s.line(f"{items}.append({value})" if times == "1" else f"{items} += [{value}] * {times}")
    return f"tuple({items})"


def _set(s: Source, n: I.Comprehend) -> str:
    items = s.temp("s")
    s.line(f"{items} = 0")
    assert n.value is not None
    with _loop(s, n):
        s.line(f"{items} |= 1 << {s.ex(n.value)}")
    return items


def _extreme(s: Source, n: I.Comprehend) -> str:
    best = s.temp("m")
    none = none_of(n.type)
    s.line(f"{best} = {none}")
    assert n.value is not None
    with _loop(s, n):
        value = s.atom(n.value)
        sign = "<" if n.op == "min" else ">"
        with s.block(f"if {best} == {none} or {value} {sign} {best}:"):
            s.line(f"{best} = {value}")
    return best


_FOLDS = {
    "count": _count,
    "any": _any,
    "all": _all,
    "first": _first,
    "sum": _sum,
    "list": _list,
    "set": _set,
    "min": _extreme,
    "max": _extreme,
}


def _best(s: Source, n: I.Comprehend) -> str:
    """All members that share first (or last) place."""
    best, items = s.temp("m"), s.temp("l")
    s.line(f"{best}, {items} = None, []")
    assert n.value is not None
    with _loop(s, n) as (variable, times):
        value = s.atom(n.value)
        sign = ">" if n.op == "most" else "<"
        with s.block(f"if {best} is None or {value} {sign} {best}:"):
            s.line(
                f"{best}, {items} = {value}, [{variable}] * {times}"
                if times != "1"
                else f"{best}, {items} = {value}, [{variable}]"
            )
        with s.block(f"elif {value} == {best}:"):
            s.line(f"{items}.append({variable})" if times == "1" else f"{items} += [{variable}] * {times}")
    return f"tuple({items})"


def count_of_best(s: Source, n: I.ItemAt) -> str | None:
    """How many share first place, without listing them."""
    best = n.items
    if not isinstance(best, I.Comprehend) or best.op not in ("most", "least"):
        return None
    assert best.value is not None
    straight = _unrolled_values(s, best)
    extreme = "max" if best.op == "most" else "min"
    if straight is not None:
        top = s.temp("m")
        s.line(f"{top} = {extreme}({', '.join(straight)})")
        return "(" + " + ".join(f"({v} == {top})" for v in straight) + ")"
    top, total = s.temp("m"), s.temp("n")
    s.line(f"{top}, {total} = None, 0")
    with _loop(s, best) as (_, times):
        value = s.atom(best.value)
        with s.block(f"if {top} is None or {value} {'>' if best.op == 'most' else '<'} {top}:"):
            s.line(f"{top}, {total} = {value}, {times}")
        with s.block(f"elif {value} == {top}:"):
            s.line(f"{total} += {times}")
    return total


def _unrolled_values(s: Source, n: I.Comprehend) -> list[str] | None:
    """The values of a fold over a small domain, written out one by one; None where it is not that small."""
    if not isinstance(n.source, I.Whole) or n.where is not None or not 2 <= n.source.size <= MOST_UNROLLED:
        return None
    assert n.value is not None
    if written_out(n.value) * n.source.size > MOST_WRITTEN:
        return None
    from rulespec.lower.substitute import substitute

    values = []
    for i in range(n.source.size):
        at = I.Const(type=n.value.type, value=i)
        name = s.temp("u")
        s.line(f"{name} = {s.ex(substitute(n.value, {n.name: at}))}")
        values.append(name)
    return values


def _unrolled(s: Source, n: I.Comprehend) -> str | None:
    """`count` over a small domain as one expression, `any` and `all` as a condition of which only the truth matters."""
    if not isinstance(n.source, I.Whole) or not 1 <= n.source.size <= MOST_UNROLLED:
        return None
    from rulespec.lower.substitute import substitute

    body = n.where if n.op != "all" else n.value
    if body is None or (n.op == "all" and n.where is not None):
        return None
    if written_out(body) * n.source.size > MOST_WRITTEN:
        return None
    parts = []
    for i in range(n.source.size):
        at = I.Const(type=Integer(i, i), value=i)
        lines, text = s.captured(lambda at=at: s.test(substitute(body, {n.name: at})))  # type: ignore[misc]
        if lines:
            return None
        parts.append(text)
    if n.op == "count":
        return "(" + " + ".join(f"(1 if {p} else 0)" for p in parts) + ")"
    return "(" + (" or " if n.op == "any" else " and ").join(parts) + ")"


def _count_by_table(s: Source, n: I.Comprehend) -> str | None:
    """`count(w in pool where w.attribute == x)`: the cells to add are known from x."""
    t = strip(n.source.type)
    if not isinstance(t, Zone) or s.declared.zones[t.key].shape != "pool":
        return None
    if n.where is None:
        return f"sum({s.pieces}[{_cells(s, n.source)}])"
    w = n.where
    if not (isinstance(w, I.Compare) and w.op == "==" and isinstance(w.left, I.Table)):
        return None
    inner = w.left.index
    if not (isinstance(inner, I.CodeOf) and isinstance(inner.piece, I.Var) and inner.piece.name == n.name):
        return None
    if any(isinstance(x, I.Var) and x.name == n.name for x in walk_ir(w.right)):
        return None
    return _sum_of_codes(s, n.source, w.left.table, w.right)


def _cells(s: Source, zone: Ir) -> str:
    base = base_of(s, zone)
    size = s.declared.pieces[s.declared.zones[strip(zone.type).key].holds].count  # type: ignore[attr-defined]
    if re.fullmatch(r"\d+", base):
        return f"{base}:{int(base) + size}"
    name = s.temp("b")
    s.line(f"{name} = {base}")
    return f"{name}:{name} + {size}"


def _sum_of_codes(s: Source, zone: Ir, table: str, wanted: Ir) -> str | None:
    """The sum of the cells with the wanted attribute, where those of each value lie side by side and are as many."""
    kind = s.declared.pieces[s.declared.zones[strip(zone.type).key].holds]  # type: ignore[attr-defined]
    most = highest(s.declared, wanted)
    if most is None:
        return None
    values = s.declared.table(table)[: kind.count]
    groups = [[i for i, v in enumerate(values) if v == k] for k in range(most + 1)]
    size = len(groups[0])
    if not 1 <= size <= 4 or any(g != list(range(g[0], g[0] + size)) if g else True for g in groups):
        return None
    starts = [g[0] for g in groups]
    base = base_of(s, zone)
    if isinstance(wanted, I.Const) and re.fullmatch(r"\d+", base):
        first = int(base) + starts[wanted.value]  # type: ignore[index]
        return "(" + " + ".join(f"{s.pieces}[{first + i}]" for i in range(size)) + ")"
    at = s.temp("b")
    step = starts[1] - starts[0] if len(starts) > 1 else 0
    even = all(v == i * step for i, v in enumerate(starts))
    offset = f"{s.ex(wanted)} * {step}" if even else f"{s.constant(tuple(starts))}[{s.ex(wanted)}]"
    s.line(f"{at} = {base} + {offset}")
    return "(" + " + ".join(f"{s.pieces}[{at} + {i}]" if i else f"{s.pieces}[{at}]" for i in range(size)) + ")"


def _sorted(s: Source, n: I.Comprehend) -> str:
    items = s.temp("l")
    s.line(f"{items} = []")
    assert n.value is not None
    with _loop(s, n) as (variable, times):
        entry = f"({s.ex(n.value)}, len({items}), {variable})"
        if times == "1":
            s.line(f"{items}.append({entry})")
        else:
            with s.block(f"for _ in range({times}):"):
                s.line(f"{items}.append({entry})")
    return f"tuple(x[2] for x in sorted({items}))"


def walk(s: Source, n: I.WalkIr) -> str:
    """Follows a step until there is none or a member comes again."""
    at, path = s.variable(n.name), s.temp("l")
    s.line(f"{at}, {path} = {s.ex(n.start)}, []")
    with s.block(f"while {at} >= 0 and {at} not in {path}:"):
        s.count_pass()
        s.line(f"{path}.append({at})")
        s.line(f"{at} = {s.ex(n.step)}")
    return f"tuple({path})"


def reach(s: Source, n: I.ReachIr) -> str:
    """The members within a budget; neighbours and prices are small functions of a member."""
    name = s.variable(n.name)
    via, cost = s.temp("via"), s.temp("cost")
    with s.block(f"def {via}({name}):"):
        s.count_pass()
        s.line(f"return {members(s, n.via)}")
    with s.block(f"def {cost}({name}):"):
        s.line(f"return {s.ex(n.cost)}")
    return f"reach({s.ex(n.start)}, {s.ex(n.within)}, {via}, {cost})"
