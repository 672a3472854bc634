"""Whether what is read of the declarations is the same in several builds: each thing at a place has a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import proxy

from rulespec.diagnostics.model import Problems
from rulespec.lower.context import Context, holds_verb, reporting
from rulespec.model.reads import MISSING, Noted, Notes, Place, Watched
from rulespec.model.world import Domain, Procedure, StateVar, World, ZoneDecl
from rulespec.source.nodes import Node
from rulespec.source.text import Span

#: What all blocks hang on: the same in every build in which any is shared.
FRAME: Place = ("frame", "", None)

#: How many places zones have, and what goes there: of whole programs, whoever reads it says so.
LAYOUT: Place = ("layout", "", None)

#: What was read, with the number of what was there.
Found = tuple[tuple[Place, int], ...]


@dataclass(frozen=True, slots=True)
class Right:
    """A node that was found right: what was read for it, how many steps that took, and which filters it has."""

    node: Node
    reads: Found
    steps: int
    filters: tuple[tuple[Span, bool | None], ...]


@dataclass(slots=True)
class Known:
    """What several builds know together.

    `things`: the different things that were found at a place, in the order in which they were met; `room` is how many
    cells more are kept, and `strange` counts what is not. `right`: what was looked at and found right, by what it is
    and its node, with what was read for it.
    """

    things: dict[Place, list[Any]] = field(default_factory=dict)
    room: int = 4_000_000
    strange: int = 0
    right: dict[tuple[str, int], list[Right]] = field(default_factory=dict)


class Versions:
    """What the declarations of one build hold at each place that is read, as a number: the same for the same.

    `checks` are what each condition of a trigger reads, `beside` what else everything hangs on.
    """

    def __init__(
        self, known: Known, cx: Context, checks: Mapping[str, frozenset[str]], beside: tuple[int, ...] = ()
    ) -> None:
        self._known, self._checks, self._beside = known, checks, beside
        self._cx: Context = proxy(cx)  # it holds this
        self._found: dict[Place, int] = {}

    def of(self, place: Place) -> int:
        """The number of what is there now."""
        found = self._found.get(place)
        if found is None:
            found = self._found[place] = self._version(place)
        return found

    def forget(self, table: str, key: Any) -> None:
        """Something is written: what was found of it before is old."""
        for place in (("at", table, key), ("in", table, key), ("all", table, None)):
            self._found.pop(place, None)

    def forget_effect(self, number: int) -> None:
        """An effect value has got a number."""
        self._found.pop(("effect", "interned", number), None)

    def of_value(self, place: Place, value: Any) -> int:
        """The number of a value at the place of an entry."""
        return int(value is not MISSING) if place[0] == "in" else self._number(place, value)

    def table(self, name: str) -> Noted:
        """A table by its name."""
        cx = self._cx
        found = {"costs": cx.costs.functions, "logged": cx.logged}.get(name)
        found = getattr(cx.world, name) if found is None else found
        assert isinstance(found, Noted)
        return found

    def of_all(self, notes: Notes, effects: int) -> Found | None:
        """What was read, as it was before anything was written; None where that cannot be told any more.

        There were so many `effects` before: those that have got their numbers meanwhile follow from the rest.
        """
        written = {table for table, _ in notes.written}
        found: list[tuple[Place, int]] = [(FRAME, self.of(FRAME))]
        for place in notes.read:
            how, table, key = place
            if how == "effect" and key >= effects:
                continue
            is_old = how in ("at", "in") and (table, key) in notes.before
            found.append((place, self.of_value(place, notes.before[table, key]) if is_old else self.of(place)))
        for table, key in notes.written:
            self.forget(table, key)
        for _, number in notes.interned:
            self.forget_effect(number)
        return None if any(how == "all" and table in written for how, table, _ in notes.read) else tuple(found)

    def right(self, what: str, node: Node) -> Right | None:
        """How something was found right in a build in which all that was read for it was the same; None: it was not."""
        for kept in self._known.right.get((what, id(node)), ()):
            if kept.node is node and all(self.of(place) == version for place, version in kept.reads):
                return kept
        return None

    def note_right(self, what: str, found: Right) -> None:
        """Something was found right."""
        self._known.right.setdefault((what, id(found.node)), []).append(found)

    def _version(self, place: Place) -> int:
        how, table, key = place
        world = self._cx.world
        if how == "frame":
            return self._number(place, self._frame(world))
        if how in ("tree", "do", "holds", "word"):
            return self._version_of_content(place)
        if how == "effect":
            return self._number(place, world.interned[key] if 0 <= key < len(world.interned) else None)
        if how == "field":
            value = getattr(world, table)
            return self._number(place, tuple(value) if isinstance(value, list) else value)
        if how == "triggers":
            return self._number(place, tuple(t for t in world.triggers if t.kind == table and key in (None, t.what)))
        if how in ("first", "layout"):
            layout = layout_of(world)
            return self._number(place, layout if how == "layout" else layout[table].first)
        if how == "trigger":
            return self._number(place, tuple(t for t in world.triggers if t.name == table))
        entries = self.table(table)
        if how == "all":
            return self._number(place, tuple((name, self.of(("at", table, name))) for name, _ in entries.entries()))
        return self.of_value(place, entries.entry(key))

    def _version_of_content(self, place: Place) -> int:
        """Of what is read as it is written."""
        how, table, key = place
        if how == "do":
            return self._number(place, self._cx.field(self._with_steps(table, key), "do"))
        node = self._cx.tree.get(table)
        if how == "holds":
            return int(node is not None and holds_verb(node, key))
        return self._number(place, node if how == "tree" else self._cx.text(self._cx.field(node, key)))

    def _with_steps(self, section: str, name: str) -> Node | None:
        """What holds the steps of an effect or a trigger."""
        world = self._cx.world
        if section == "triggers":
            return next((t.node for t in world.triggers if t.name == name), None)
        found = self.table("effects").entry(name)
        return None if found is MISSING else found.node

    def _frame(self, w: World) -> tuple[Any, ...]:
        sets = (frozenset(w.in_play), frozenset(w.later), frozenset(w.doubled), frozenset(w.broken))
        return (w.divides, *sets, tuple(self._checks.items()), self._beside)

    def _number(self, place: Place, value: Any) -> int:
        known, value = self._known.things.setdefault(place, []), _as_seen(value)
        for number, other in enumerate(known):
            if other is value or (place[0] not in ("tree", "do") and _is_same(other, value)):
                return number
        self._known.room -= _size(value)
        if self._known.room < 0:
            self._known.strange += 1
            return -self._known.strange  # it is not kept, and so the same as nothing in another build
        known.append(value)
        return len(known) - 1


def _as_seen(value: Any) -> Any:
    """What of a declaration is read by whoever notes that it is: of cells and zones not how many places they have.

    That is read of the layout (`LAYOUT`), or as `World.first_place`.
    """
    if isinstance(value, StateVar):
        return value.key, value.name, value.domain, value.type, value.track, value.span
    if isinstance(value, ZoneDecl):
        z = value
        whose = z.key, z.name, z.domain, z.shape, z.holds, z.renew, z.node, z.span
        return (*whose, z.front, z.back, z.memory, z.is_counted, z.room, bool(z.capacity))
    return value


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a zone: how many, the number of the first among those of all zones, and what goes there."""

    count: int
    first: int
    capacity: tuple[int, ...]
    fills: tuple[int, ...]


def layout_of(world: World) -> dict[str, Places]:
    """The places of all zones, by their keys."""
    return {z.key: Places(z.places, z.first, z.capacity, z.fills) for z in dict.values(world.zones)}


def _size(value: Any) -> int:
    """About how many cells something takes."""
    if isinstance(value, tuple):
        return 1 + len(value)
    if isinstance(value, Domain):
        return 8 * value.size
    return 200 if isinstance(value, Procedure) else 8


def _is_same(one: Any, other: Any) -> bool:
    try:
        return type(one) is type(other) and bool(one == other)
    except RecursionError:
        return False


def noted_tables(cx: Context) -> None:
    """Lets it be noted what is read of the rest that a context knows of its declarations."""
    reads = cx.world.reads
    if reads is not None and not isinstance(cx.logged, Noted):
        cx.costs.functions = Noted("costs", reads, cx.costs.functions)
        cx.logged = Noted("logged", reads, cx.logged)


def check_once(cx: Context, what: str, node: Node, problems: Problems, check: Callable[[Problems], None]) -> None:
    """Reports what is wrong with a node, unless it was right in a build in which all that was read for it is the same.

    `check` is given where to report; it goes by the node and the declarations alone.
    """
    versions, reads = cx.versions, cx.world.reads
    if versions is None or reads is None:
        check(problems)
        return
    kept = versions.right(what, node)
    if kept is not None and cx.evaluator.may_spend(kept.steps):
        cx.evaluator.steps += kept.steps
        for span, fixed in kept.filters:
            cx.world.note_filter(span, fixed)
        if reads.notes is not None:
            reads.notes.read.update(place for place, _ in kept.reads)
        if isinstance(cx.world.options, Watched):
            cx.world.options.seen.update(key for (_, table, key), _ in kept.reads if table == "options")
        return
    found, effects, steps = Problems(), len(cx.world.interned), cx.evaluator.steps
    with reporting(cx, found), reads.noting() as notes:
        check(found)
    problems.extend(found)
    read = versions.of_all(notes, effects)
    if read is not None and not (len(found) or notes.written or notes.interned):
        versions.note_right(what, Right(node, read, cx.evaluator.steps - steps, tuple(notes.filters)))
