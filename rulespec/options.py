"""The options of a game: which values they can have, and which combinations of them are allowed."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping
from contextlib import contextmanager
from itertools import combinations as pairs
from itertools import islice, product
from random import Random

from rulespec.diagnostics.model import Problem, Problems
from rulespec.lower import make
from rulespec.lower.constants import OptionValue, option_nodes, option_values, read_option
from rulespec.lower.context import Context
from rulespec.lower.scope import Scope
from rulespec.model.types import BOOLEAN, Unknown
from rulespec.source.nodes import Mapping, Node, Scalar

Combination = dict[str, OptionValue]

MOST_COUNTED = 10**12  #: combinations of options: of more it is only known that they are so many


def allowed(context: Context, options: AbstractMapping[str, OptionValue]) -> Problem | None:
    """The first constraint that a choice of options breaks, as a problem at that constraint; None where all hold.

    Options that are not given keep the value that `context` has for them.
    """
    problems = Problems()
    with _options(context, options, problems):
        for _, node in option_nodes(context):
            constraint = node.get("constraint")
            if constraint is not None and _is_false(context, constraint):
                given = ", ".join(f"{name}={_written(value)}" for name, value in options.items())
                text = given or "the values that they start with"
                return Problems().add("RS433", constraint.span, hint=_spelled_out(constraint), text=text)
    return None


def _spelled_out(constraint: Node) -> str | None:
    """A constraint of several lines, of which a report shows only the first."""
    if not isinstance(constraint, Scalar) or "\n" not in constraint.span.text:
        return None
    return f"This must hold: {' '.join(constraint.text.split())}"


def _is_false(context: Context, constraint: Node) -> bool:
    """Whether a constraint is known to be false; a faulty one is reported elsewhere."""
    ir = context.lower(constraint, Scope(context.world, constant=True), BOOLEAN)
    return not isinstance(ir.type, Unknown) and context.evaluate(ir, constraint.span) == 0


@contextmanager
def _options(context: Context, options: AbstractMapping[str, OptionValue], problems: Problems) -> Iterator[None]:
    """The context with other values for its options, and its reports put aside."""
    world = context.world
    kept = world.options, world.problems, context.problems
    world.options = dict(world.options)
    world.problems = context.problems = problems
    try:
        for key, node in option_nodes(context):
            if key.text in options:
                t = context.type(node.get("type"))
                value = read_option(context, t, options[key.text])
                if value is not None:
                    world.options[key.text] = make.const(value, t)
        yield
    finally:
        world.options, world.problems, context.problems = kept


def choices(context: Context) -> dict[str, list[OptionValue]]:
    """Every option with all values that it can have; those whose values cannot be listed are left out."""
    found: dict[str, list[OptionValue]] = {}
    for key, node in option_nodes(context):
        values = option_values(context, context.type(node.get("type")))
        if values:
            found[key.text] = values
    return found


def how_many(context: Context) -> int:
    """The number of combinations, those that are not allowed included; of very many `MOST_COUNTED`."""
    count = 1
    for values in choices(context).values():
        count = min(count * len(values), MOST_COUNTED)  # else it may be a number of thousands of digits
    return count


def combinations(context: Context, most: int) -> list[Combination]:
    """All combinations, or `most` of them where there are more.

    Then it is each value alone and each pair of values that switch variants on, for some rules and texts are there only
    where two variants meet, then others at random. The choice is always the same for the same options. Those that are
    not allowed are among them.
    """
    known = choices(context)
    if how_many(context) <= most:
        return [dict(zip(known, values, strict=True)) for values in product(*known.values())]
    found = list(islice(_alone_and_in_pairs(context, known), most))
    random = Random(len(found))  # noqa: S311 - a sample to be checked, no secret
    while len(found) < most:
        found.append({name: random.choice(values) for name, values in known.items()})
    return found


def _alone_and_in_pairs(context: Context, known: AbstractMapping[str, list[OptionValue]]) -> Iterator[Combination]:
    """The values that the options start with, then others; made one by one, since there may be very many."""
    switches = _switching(context)
    yield {}
    switching = [(name, value) for name in known if name in switches for value in _others(context, name, known[name])]
    yield from ({name: value} for name, value in switching)
    yield from (dict(pair) for pair in pairs(switching, 2) if pair[0][0] != pair[1][0])
    for name, values in known.items():
        if name not in switches:
            yield from ({name: value} for value in _others(context, name, values))


def _others(context: Context, name: str, values: list[OptionValue]) -> Iterator[OptionValue]:
    """The values of an option but for the one that it starts with."""
    option = context.field(context.field(context.tree.get("game"), "options"), name)
    start = option.get("start") if isinstance(option, Mapping) else None
    return (value for value in values if not isinstance(start, Scalar) or _written(value) != start.text)


def _switching(context: Context) -> set[str]:
    """The options that switch variants on."""
    return {key.text for key, node in option_nodes(context) if node.get("switches") is not None}


def _written(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
