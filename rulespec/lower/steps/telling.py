"""Where the line of an action, an effect or a trigger is written: as soon as all its own choices are made.

The line knows the names of the choices and what `let` binds right behind them. Where the last choice has a `then`, the
line belongs to that list, and knows its names. A name that a later `let` of the same list binds is known at the end
of the list: the line is written there instead, if its text speaks of such a name.

    block.emit("log", name, names, part)    # part: `whole`, `early` (a `late` one follows), `late`, `nothing`

`nothing` stands in the `else` of the last choice, where nothing was chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.lower.ir import Local
from rulespec.lower.scope import Scope
from rulespec.lower.steps.builder import MOST_INSTRUCTIONS, Block, forget_since, lower_step, lower_steps, verb_of
from rulespec.source.nodes import Mapping, Node
from rulespec.source.nodes import Sequence as Items

#: Steps that bind a name or refuse, and change nothing.
_CHANGES_NOTHING = ("let", "require")


def told_steps(block: Block, scope: Scope, node: Node | None, name: str) -> Scope:
    """Lowers the steps of an action, an effect or a trigger of this name, with its line; gives the scope behind them.

    The names that the steps bind stay in their slots: the block ends with them, or the caller forgets them.
    """
    items = [item for item in node.items if isinstance(item, Mapping)] if isinstance(node, Items) else []
    last = max((i for i, item in enumerate(items) if _verb(item) == "choose"), default=-1)
    inside = last >= 0 and any(items[last].get(word) is not None for word in ("then", "else"))
    behind = last if inside else _behind(items, last)
    late = not inside and any(_verb(item) == "let" for item in items[behind + 1 :])
    if behind < 0:
        _line(block, scope, name, "early" if late else "whole")
    block.depth += 1
    for i, item in enumerate(items):
        if len(block.builder.instrs) > MOST_INSTRUCTIONS:
            block.cx.problems.add("RS620", item.span, most=MOST_INSTRUCTIONS)
            break
        block.telling = (item, name) if inside and i == last else None
        scope = lower_step(block, scope, item)
        if i == behind and not inside:
            _line(block, scope, name, "early" if late else "whole")
    if late:
        _line(block, scope, name, "late")
    block.depth -= 1
    return scope


def branch(block: Block, scope: Scope, step: Mapping, word: str) -> None:
    """The steps of a choice's `then` or `else`, with the line that is to be written there, if any."""
    telling, block.telling = block.telling, None
    if telling is None or telling[0] is not step:
        lower_steps(block, scope, step.get(word))
        return
    if word == "else":
        block.emit("log", telling[1], tuple(scope.names.items()), "nothing")
        lower_steps(block, scope, step.get(word))
    else:
        start = block.slots
        told_steps(block, scope, step.get(word), telling[1])
        forget_since(block, start, block.forgotten)
    block.telling = telling


def _behind(items: Sequence[Mapping], last: int) -> int:
    """The step behind which the line is written: the last choice, or what is let or required right behind it."""
    while last + 1 < len(items) and _verb(items[last + 1]) in _CHANGES_NOTHING:
        last += 1
    return last


def _verb(item: Mapping) -> str:
    verb = verb_of(item)
    return verb.text if verb is not None else ""


def _line(block: Block, scope: Scope, name: str, part: str) -> None:
    block.emit("log", name, tuple(scope.names.items()), part)
    block.cx.logged[name] = {n: ir.type for n, ir in scope.names.items() if isinstance(ir, Local)}
