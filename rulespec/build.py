"""From a resolved tree to a game in the instruction form, for one player count and one choice of options."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from dataclasses import replace
from functools import partial

from rulespec.built import Built
from rulespec.diagnostics.model import Problems
from rulespec.lower import constants, domains, kinds, places, tables
from rulespec.lower.callables import declare_callables, declare_triggers, lower_functions
from rulespec.lower.constants import OptionValue
from rulespec.lower.context import Context, Parsed
from rulespec.lower.declaring import declared_of
from rulespec.lower.drawings import check_drawings
from rulespec.lower.elimination import declare_out
from rulespec.lower.namespace import check_names, check_parameters, note_later_names
from rulespec.lower.program import lower_program
from rulespec.lower.redeclared import Remembered, Steps, let_be_seen, seen_of
from rulespec.lower.relations import declare_coordinates, declare_relations
from rulespec.lower.repetition import check_repetition, declare_repetition
from rulespec.lower.scope import Scope
from rulespec.lower.steps.shared import Shared
from rulespec.lower.teams import declare_teams
from rulespec.lower.versions import Known, Versions, check_once, noted_tables
from rulespec.model.reads import Reads
from rulespec.model.types import BOOLEAN, Unknown
from rulespec.model.world import Circular, World
from rulespec.program.liveness import state_slots
from rulespec.source.nodes import Mapping, Node

__all__ = ["Built", "build", "declare", "declared", "lowered", "ready"]


def declare(
    tree: Mapping,
    players: int,
    options: AbstractMapping[str, OptionValue],
    problems: Problems,
    parsed: Parsed,
    shared: Shared | None = None,
) -> Context:
    """All declarations resolved and checked, functions included; nothing of the flow yet.

    Where they are `shared` by several builds, it is noted what is read of them.
    """
    known = None if shared is None else shared.known
    said = len(problems)
    cx = Context(tree, World(problems, players, reads=None if known is None else Reads()), parsed)
    cx.world.broken |= parsed.broken_in(tree)
    cx.world.divides = parsed.divides_in(tree)
    check_names(cx)
    note_later_names(cx)
    cx.world.player_range = constants.player_range(cx)
    constants.check_seats(cx)
    domains.declare_players(cx, constants.seats(cx))
    for key, node in cx.section("enums"):
        domains.declare_enum(cx, key, node)
    constants.declare_values(cx, constants.names_in_options(cx))
    starts = constants.declare_options(cx, options)
    constants.declare_values(cx)
    declare_teams(cx)
    places.name_pieces(cx)
    kinds.declare_kinds(cx)
    places.type_pieces(cx)
    declare_callables(cx)
    tables.declare_attributes(cx)
    declare_coordinates(cx)
    declare_relations(cx)
    places.declare_pieces(cx)
    places.declare_zones(cx)
    cx.world.room = cx.world.codes, cx.world.depth
    places.declare_state(cx)
    declare_out(cx)
    declare_repetition(cx)
    check_drawings(cx)
    before, seen = cx.evaluator.steps, seen_of(cx)
    constants.check_constraints(cx)
    constraints = cx.evaluator.steps - before
    let_be_seen(cx, seen)  # constraints are lowered again for each build
    declare_triggers(cx)
    check_parameters(cx)
    lower_functions(cx)
    check_repetition(cx)
    _force_tables(cx)
    _run_checks(cx, known)
    cx.steps_to_declare = cx.evaluator.steps
    if shared is not None and not options and not said and not len(problems):
        steps = Steps(starts, constraints, cx.steps_to_declare)
        shared.declared[id(tree), players] = Remembered.of(cx, seen_of(cx), steps)
    return cx


def build(
    tree: Mapping,
    players: int,
    options: AbstractMapping[str, OptionValue] | None = None,
    problems: Problems | None = None,
    parsed: Parsed | None = None,
) -> Built | None:
    """The whole game, or None where `problems` holds errors."""
    problems = problems if problems is not None else Problems()
    built = lowered(tree, players, options or {}, problems, parsed or Parsed())
    return None if problems.has_errors else ready(built)


def ready(built: Built) -> Built:
    """A game without errors with what is only found of a whole program: it can be run."""
    return Built(built.context, replace(built.program, state_slots=state_slots(built.program)))


def lowered(
    tree: Mapping,
    players: int,
    options: AbstractMapping[str, OptionValue],
    problems: Problems,
    parsed: Parsed,
    shared: Shared | None = None,
) -> Built:
    """The whole game whatever is wrong with it: to find more faults; it can be run only where there are none.

    Builds that are `shared` make what is the same in them once.
    """
    cx = declared(tree, players, options, problems, parsed, shared)
    program = lower_program(cx, shared)
    _force_tables(cx)
    return Built(cx, replace(program, declared=declared_of(cx.world)))


def declared(
    tree: Mapping,
    players: int,
    options: AbstractMapping[str, OptionValue],
    problems: Problems,
    parsed: Parsed,
    shared: Shared | None,
) -> Context:
    """The declarations: found anew, or those of an earlier build with other options, where that comes to the same."""
    known = None if shared is None or len(problems) else shared.declared.get((id(tree), players))
    if known is not None and known.context.tree is tree and known.context.parsed is parsed:
        cx = known.with_options(options, problems)
        if cx is not None:
            return cx
    return declare(tree, players, options, problems, parsed, shared)


def _force_tables(cx: Context) -> None:
    """Computes every table that nothing has asked for yet, so that all of its faults are found."""
    for name in list(cx.world.pending):
        try:
            cx.world.table(name)
        except RecursionError as fault:
            domain, _, attribute = name.partition(".")
            found = cx.world.domains.get(domain)
            span = found.attributes[attribute].span if found is not None and attribute in found.attributes else None
            if span is not None:
                if isinstance(fault, Circular):
                    cx.problems.add("RS702", span, name=name)
                else:
                    cx.too_long(span, name)
            cx.world.tables[name] = ()
    cx.world.pending.clear()  # what waits holds the context, which holds it


def _run_checks(cx: Context, known: Known | None) -> None:
    """The statements of `checks`, which must be true when the content is loaded."""
    if cx.problems.has_errors:
        return
    if known is not None and not cx.world.broken:
        noted_tables(cx)
        cx.versions = Versions(known, cx, {}, (cx.world.codes, cx.world.depth))
    for entry in cx.steps(cx.tree.get("checks")):
        check_once(cx, "statement", entry, cx.problems, partial(_run_check, cx, entry))
    cx.versions = None  # what has been read is old as soon as anything else is made


def _run_check(cx: Context, entry: Node, problems: Problems) -> None:
    item, about = (entry.get("is"), cx.field(entry, "about")) if isinstance(entry, Mapping) else (entry, None)
    ir = None if item is None else cx.lower(item, Scope(cx.world, constant=True), BOOLEAN)
    if item is None or ir is None or isinstance(ir.type, Unknown) or cx.evaluate(ir, item.span) != 0:
        return
    meant = " ".join(cx.text(about).split())
    problems.add("RS718", item.span, text=" ".join(cx.text(item).split()), hint=meant or None)
