"""Unbroken runs in a list: the longest, the one around a member, and how long it is."""

from __future__ import annotations

import re

from interpreter.executor.loops import element, enter, members, over
from interpreter.executor.writing import Source
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import Ir
from rulespec.model.types import Member, Piece, Zone, strip


def stretches(s: Source, n: I.Comprehend) -> str:
    """The members of a run, as a Python expression."""
    items, kept = s.temp("l"), s.temp("k")
    s.line(f"{items}, {kept} = [], []")
    name, _ = enter(s, n)
    with over(s, n.source, name, ref=True) as (variable, code, _times):
        if isinstance(element(s, n.source), Piece):
            s.codes_of[n.name] = code
        s.line(f"{items}.append({variable})")
        s.line(f"{kept}.append({'True' if n.where is None else s.test(n.where)})")
    if n.op == "longest":
        return f"longest({items}, {kept})"
    assert n.around is not None
    return f"stretch({items}, {kept}, {s.ex(n.around)})"


def count_of_stretch(s: Source, n: I.ItemAt) -> str | None:
    """How long an unbroken run around a member is: tested outwards from it, no further than it goes."""
    run = n.items
    if not isinstance(run, I.Comprehend) or run.op != "stretch" or run.where is None or run.around is None:
        return None
    if isinstance(element(s, run.source), Piece) or isinstance(strip(run.source.type), Zone):
        return None
    name, items, at, total = s.variable(run.name), s.temp("l"), s.temp("i"), s.temp("n")
    text = _sequence(s, run.source)
    around = s.atom(run.around)
    s.line(f"{total} = 0")
    known = re.fullmatch(r"(K\d+)\[(.*)\]", text)
    if known is not None and isinstance(strip(run.around.type), Member):
        table = s.runs(known[1])
        s.line(f"{items} = {table}[{known[2]}].get({around})")
        with s.block(f"if {items} is not None:"):
            with s.block(f"for {name} in {items}[0]:"):
                _go_on(s, run.where, total)
            with s.block(f"if {total}:"), s.block(f"for {name} in {items}[1]:"):
                _go_on(s, run.where, total)
        return total
    s.line(f"{items} = {text}")
    with s.block(f"if {around} in {items}:"):
        s.line(f"{at} = {items}.index({around})")
        with s.block(f"for {name} in {items}[{at}:]:"):
            _go_on(s, run.where, total)
        with s.block(f"if {total}:"), s.block(f"for {name} in {items}[{at} - 1 :: -1] if {at} else ():"):
            _go_on(s, run.where, total)
    return total


def _go_on(s: Source, where: Ir, total: str) -> None:
    s.count_pass()
    with s.block(f"if not {s.test(where)}:"):
        s.line("break")
    s.line(f"{total} += 1")


def _sequence(s: Source, source: Ir) -> str:
    """The members of a source as something with places."""
    text = members(s, source)
    return text if isinstance(source, I.Whole) or text.startswith("K") else f"tuple({text})"
