"""What a decision offers: candidates of each ask, and what an answer writes, as Python source."""

from __future__ import annotations

from contextlib import ExitStack

from interpreter.executor.loops import narrowed, over
from interpreter.executor.writing import Source
from interpreter.middle.analysis.cost import FEW, effort
from interpreter.middle.analysis.loops import may_repeat
from interpreter.middle.analysis.memoised import nodes_of
from rulespec.lower.ir import (
    Ask,
    Const,
    Ir,
    Load,
    Local,
    Name,
    ZoneIr,
)
from rulespec.model.types import Integer, ListType, Piece, strip

STOP = -1
WORTH_KEEPING = 1_000  #: how much work it must be to list candidates for the last list to be kept
LARGEST = 2**31 - 1  #: what a cell of a block holds, above and below zero


def candidates_expression(s: Source, ask: Ask, at: int) -> str:
    """Whether an ask has candidates, as an expression."""
    return f"cand{s.ask_numbers[id(ask)]}(c)"


def write_candidates(s: Source, ask: Ask) -> None:
    """The function that lists an ask's candidates in stable order, equal ones once but for chance."""
    head = len(s.lines)
    s.line(f"def cand{s.ask_numbers[id(ask)]}(c):")
    s.indent += 1
    if ask.kind == "may":
        s.line("return [1, 0]")
        s.indent -= 1
        return
    preferred = any(n.if_possible is not None for n in ask.names)
    again = _write_last(s, ask, head)
    s.line("out = []")
    if preferred:
        s.line("best = []")
    plain = None if again else _plain_members(s, ask)
    if plain is not None:
        if s.counting:  # members that are taken in one go
            s.count(-1, FEW)
        s.line(f"return {plain}")
        s.indent -= 1
        return
    alike = s.temp("seen")
    if ask.alike is not None:
        s.line(f"{alike} = set()")
    with ExitStack() as stack:
        values = [_name(s, ask, name, stack, alike) for name in ask.names]
        value = values[0] if len(values) == 1 and not ask.record else "(" + "".join(f"{v}, " for v in values) + ")"
        s.line(f"out.append({value})")
        if preferred:
            tests = [s.test(n.if_possible) for n in ask.names if n.if_possible is not None]
            with s.block(f"if {' and '.join(tests)}:"):
                s.line(f"best.append({value})")
    if any(n.seen is not None for n in ask.names) and not ask.chance:
        s.line("out.sort()")  # in the order of the backs: that of the fronts would tell what is hidden
        if preferred:
            s.line("best.sort()")
    found = "best or out" if preferred else "out"
    if again:
        s.line(f"found = {found}")
        s.line(f"{again}[:] = cells, {s.pieces}[:], found")
        s.line("return found[:]")
    else:
        s.line(f"return {found}")
    s.indent -= 1


def _write_last(s: Source, ask: Ask, head: int) -> str:
    """Gives what was found last where nothing that is read has changed since: a look-ahead asks what is asked then.

    `head` is the line of the function's head, before which what is kept is declared.

    The name of where that is kept, or nothing where it is not worth while.
    """
    if s.grouping is None or s.costs is None or effort(s.costs, ask) < WORTH_KEEPING:
        return ""
    parts = [part for n in ask.names for part in (n.source, n.where, n.if_possible, n.seen) if part is not None]
    nodes = nodes_of(s.declared, parts + ([] if ask.alike is None else [ask.alike]))
    if nodes is None:
        return ""
    regions = sorted({n.region for n in nodes if isinstance(n, Load)})
    slots = sorted({n.slot for n in nodes if isinstance(n, Local) and n.slot >= 0} | ({ask.left} - {-1}))
    if any(slot in s.temps for slot in slots):
        return ""
    read = [s.slot(slot) for slot in slots]
    for region in regions:
        base, places = s.layout.regions[region], s.places[region]
        read.append(f"c[{base}]" if places == 1 else f"c[{base}:{base + places}]")
    last = f"last{s.ask_numbers[id(ask)]}"
    s.lines.insert(head, f"{last} = [None, None, None]")
    s.line(f"cells = [{', '.join(read)}]")
    s.line(f"if {last}[0] == cells and {last}[1] == {s.pieces}: return {last}[2][:]")
    return last


def _plain_members(s: Source, ask: Ask) -> str | None:
    """One name over sites or numbers with a filter that is one expression: a list comprehension."""
    if len(ask.names) != 1 or ask.record or ask.alike is not None or ask.names[0].if_possible is not None:
        return None
    name = ask.names[0]
    if isinstance(strip(name.type), Piece) or isinstance(name.source, ZoneIr):
        return None
    from interpreter.executor.loops import members

    variable = s.variable(name.var)
    before, (items, left) = s.captured(lambda: narrowed(s, name.source, name.var, name.where))
    lines, text = s.captured(lambda: "True" if left is None else s.test(left))
    if lines:
        return None
    s.lines += before
    if items is None:
        items = members(s, name.source)
    where = "" if left is None else f" if {text}"
    found = f"[{variable} for {variable} in {items}{where}]"
    return f"list(dict.fromkeys({found}))" if may_repeat(s.declared, name.source) and not ask.chance else found


def _name(s: Source, ask: Ask, name: Name, stack: ExitStack, alike: str) -> str:
    """Opens the loop of one name; gives the expression of its candidate. `alike` is the set of keys met so far."""
    variable = s.variable(name.var)
    if isinstance(strip(name.type), Piece):
        variable = (_each_piece if ask.chance else _piece)(s, name, variable, stack)
    else:
        text, where = narrowed(s, name.source, name.var, name.where)
        met = s.temp("met") if may_repeat(s.declared, name.source) and not ask.chance else None
        if met is not None:
            s.line(f"{met} = set()")
        stack.enter_context(over(s, name.source, variable, text=text))
        _filter(s, where, stack)
        if met is not None:
            stack.enter_context(s.block(f"if {variable} not in {met}:"))
            s.line(f"{met}.add({variable})")
    if ask.alike is not None:
        _alike(s, ask.alike, alike, stack)
    return variable


def _filter(s: Source, where: Ir | None, stack: ExitStack) -> None:
    if where is not None:
        stack.enter_context(s.block(f"if {s.test(where)}:"))


def _alike(s: Source, alike: Ir, seen: str, stack: ExitStack) -> None:
    """Members that are alike are one option: the first of them."""
    key = s.temp("key")
    s.line(f"{key} = {s.ex(alike)}")
    stack.enter_context(s.block(f"if {key} not in {seen}:"))
    s.line(f"{seen}.add({key})")


def _each_piece(s: Source, name: Name, variable: str, stack: ExitStack) -> str:
    """Every piece, equal ones one by one, as chance knows them."""
    variable, code, times = stack.enter_context(over(s, name.source, variable, ref=True))
    s.codes_of[name.var] = code
    _filter(s, name.where, stack)
    if times != "1":
        stack.enter_context(s.block(f"for _ in range({times}):"))
    return variable


def _piece(s: Source, name: Name, variable: str, stack: ExitStack) -> str:
    """A piece as the chooser sees it: by its code, or by its back where the front is hidden."""
    seen = None
    if name.seen is not None and not (isinstance(name.seen, Const) and name.seen.value == 0):
        seen = s.temp("see")
        s.line(f"{seen} = {s.test(name.seen)}")
    # a pool is met code by code: nothing comes twice; else what was met is kept, anew for each loop that is opened
    once = name.seen is None and _is_pool(s, name)
    key, done = s.temp("key"), s.temp("done")
    if not once:
        s.line(f"{done} = set()")
    variable, code, _ = stack.enter_context(over(s, name.source, variable, ref=True))
    s.codes_of[name.var] = code
    _filter(s, name.where, stack)
    if once:
        return variable
    s.line(f"{key} = {variable} // {s.depth_codes} * {s.depth_codes} + {code}")
    if name.seen is not None:
        unseen = s.constant(s.declared.pieces[strip(name.type).kind].unseen)  # type: ignore[attr-defined]
        back = f"{variable} // {s.depth_codes} * {s.depth_codes} + {unseen}[{code}]"
        if seen is None:
            s.line(f"{variable} = {key} = {back}")
        else:
            with s.block(f"if not {seen}:"):
                s.line(f"{variable} = {key} = {back}")
    stack.enter_context(s.block(f"if {key} not in {done}:"))
    s.line(f"{done}.add({key})")
    return variable


def _is_pool(s: Source, name: Name) -> bool:
    return isinstance(name.source, ZoneIr) and s.declared.zones[name.source.zone].shape == "pool"


def write_answer(s: Source, at: int, ask: Ask) -> None:
    """The function that writes an answer into the slots; gives where to go on."""
    s.line(f"def answer{at}(c, x):")
    s.indent += 1
    if ask.kind == "may":
        s.line(f"{s.slot(ask.answer)} = x")
    elif ask.kind == "set":
        _answer_set(s, ask)
    elif ask.kind == "next":
        _answer_next(s, ask)
    elif len(ask.names) == 1:
        keep(s, at, ask.names[0].slot, "x")
    else:
        for i, name in enumerate(ask.names):
            keep(s, at, name.slot, f"x[{i}]")
    s.line(f"return {at + 1}")
    s.indent -= 1


def keep(s: Source, at: int, slot: int, text: str) -> None:
    """Writes that a slot gets a value; one that may be too large for its cell of the state is looked at first."""
    t = strip(s.slot_types[slot])
    of = t.of if isinstance(t, ListType) else t
    if not s.is_lasting(slot) or not isinstance(of, Integer) or None not in (of.low, of.high):
        s.line(f"{s.slot(slot)} = {text}")
        return
    s.line(f"x = {text}")
    one = "x" if of is t else "max((abs(i) for i in x), default=0)"
    with s.block(f"if not {-LARGEST - 1} <= {one} <= {LARGEST}:"):
        s.line(f"raise OutOfRange({at}, {one}, {-LARGEST}, {LARGEST})")
    s.line(f"{s.slot(slot)} = x")


def _answer_set(s: Source, ask: Ask) -> None:
    with s.block(f"if x == {STOP}:"):
        s.line(f"{s.slot(ask.answer)} = 0" if ask.optional else "raise ValueError(x)")
    with s.block("else:"):
        if ask.optional:
            s.line(f"{s.slot(ask.answer)} = 1")
        picked, order = s.slot(ask.picked), s.slot(ask.order)
        s.line(f"{picked}, {order} = with_pick({picked}, {order}, x)")


def _answer_next(s: Source, ask: Ask) -> None:
    going = s.slot(ask.answer)
    left = s.slot(ask.left)
    with s.block(f"if x == {STOP}:"):
        s.line(f"{going} = 0")
    with s.block("else:"):
        s.line(f"{going} = 1")
        s.line(f"{s.slot(ask.names[0].slot)} = x")
        if isinstance(strip(ask.names[0].type), Piece):
            s.line(f"{left} = drop_piece({left}, x, {s.declared.codes})")
        else:
            s.line(f"{left} = drop({left}, x)")


def pieces_in(ask: Ask) -> tuple[int, ...]:
    """Which fields of a pick are pieces, so that a pick may come again while there are more of them."""
    return tuple(i for i, n in enumerate(ask.names) if isinstance(strip(n.type), Piece))
