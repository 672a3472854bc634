"""Loops over the members of a source in order: what a place holds, a list, all sites of a kind."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.lower import make
from rulespec.lower.elimination import is_in
from rulespec.lower.ir import Ir, Local, Whole
from rulespec.lower.steps.builder import Block
from rulespec.lower.steps.sight import shows_all
from rulespec.model.types import Integer, ListType, Record, Type, Zone, strip


def run_over(block: Block, source: Ir, name: str, body: object, where: object = None) -> None:
    """Runs `body(member)` for each member of a source, read once at the start, in order."""
    assert callable(body)
    of = make.element_type(block.cx.world, source)
    assert of is not None
    if isinstance(strip(of), Record):
        _run_over_records(block, source, of, body)
        return
    item = block.local(name, of, hidden=not shows_all(block.cx.world, source))
    at = block.local("at", Integer(0, make.most_of(block.cx.world, source)))
    kept = [item, at]
    if isinstance(source, Whole):
        size: Ir = make.integer(source.size)
        value: Ir = make.retype(at, of)
    else:
        items = block.local("left", ListType(of, make.most_of(block.cx.world, source)), hidden=item_hidden(block, item))
        block.set(items, as_list(block, source))
        size = make.item_of("count", items, Integer(0, make.most_of(block.cx.world, source)))
        value = make.item_of("at", items, of, index=at)
        kept.append(items)
    block.set(at, make.integer(0))
    block.emit("loop")
    block.emit("break_if", make.compare(">=", at, size))
    block.set(item, value)
    block.set(at, make.arith("+", at, make.integer(1)))
    body(item)
    block.emit("end_loop")
    forget(block, *kept)


def while_in(block: Block, body: Callable[[Ir], object]) -> Callable[[Ir], None]:
    """The same body, for players who are not out."""

    def run(player: Ir) -> None:
        test = is_in(block.cx.world, player)
        if test is not None:
            block.emit("if", test)
        body(player)
        if test is not None:
            block.emit("end")

    return run


def _run_over_records(block: Block, source: Ir, of: Type, body: Callable[[Ir], None]) -> None:
    """The same for records, of which a slot holds none: the member is read in the list whenever it is named."""
    most = make.most_of(block.cx.world, source)
    at = block.local("at", Integer(0, most))
    items = block.local("left", ListType(of, most), hidden=not shows_all(block.cx.world, source))
    block.set(items, source)
    block.set(at, make.integer(0))
    block.emit("loop")
    block.emit("break_if", make.compare(">=", at, make.item_of("count", items, Integer(0, most))))
    block.set(at, make.arith("+", at, make.integer(1)))
    body(make.item_of("at", items, of, index=make.arith("-", at, make.integer(1))))
    block.emit("end_loop")
    forget(block, at, items)


def forget(block: Block, *locals_: Local) -> None:
    """Empties slots that nothing reads any more, so that equal positions are equal states."""
    for local in locals_:
        block.forget(local.slot)


def item_hidden(block: Block, local: Local) -> bool:
    """Whether what a name holds came from where not everybody sees it."""
    return block.builder.slots[local.slot].hidden


def as_list(block: Block, source: Ir) -> Ir:
    """A source as a list that a slot can keep."""
    t = strip(source.type)
    if isinstance(t, Zone):
        return make.read_zone(block.cx.world, source, "all") if not make.is_slot(block.cx.world, source) else source
    return source
