"""Whether what is read of the declarations is the same in several builds: each thing at a place has a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulespec.lower.context import Context
from rulespec.model.reads import MISSING, Noted, Place
from rulespec.model.world import World

#: What all blocks hang on: the same in every build in which any is shared.
FRAME: Place = ("frame", "", None)

#: The different things that were found at a place, in the order in which they were met.
Known = dict[Place, list[Any]]


class Versions:
    """What the declarations of one build hold at each place that is read, as a number: the same for the same."""

    def __init__(self, known: Known, cx: Context, checks: Mapping[str, frozenset[str]]) -> None:
        self._known, self._cx, self._checks = known, cx, checks
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

    def _version(self, place: Place) -> int:
        how, table, key = place
        world = self._cx.world
        if how == "frame":
            return self._number(place, self._frame(world))
        if how == "tree":
            return self._number(place, self._cx.tree.get(table))
        if how == "effect":
            return self._number(place, world.effect_at(key))
        if how == "field":
            value = getattr(world, table)
            return self._number(place, tuple(value) if isinstance(value, list) else value)
        if how == "triggers":
            return self._number(place, tuple(world.triggers_on(table, key)))
        if how == "trigger":
            return self._number(place, world.trigger(table))
        entries = self.table(table)
        if how == "all":
            return self._number(place, tuple((name, self.of(("at", table, name))) for name, _ in entries.entries()))
        return self.of_value(place, entries.entry(key))

    def _frame(self, w: World) -> tuple[Any, ...]:
        sets = (frozenset(w.in_play), frozenset(w.later), frozenset(w.doubled), frozenset(w.broken))
        return (w.divides, *sets, tuple(self._checks.items()))

    def _number(self, place: Place, value: Any) -> int:
        known = self._known.setdefault(place, [])
        for number, other in enumerate(known):
            if other is value or (place[0] != "tree" and _is_same(other, value)):
                return number
        known.append(value)
        return len(known) - 1


def _is_same(one: Any, other: Any) -> bool:
    try:
        return type(one) is type(other) and bool(one == other)
    except RecursionError:
        return False


def noted_tables(cx: Context) -> None:
    """Lets it be noted what is read of the rest that a context knows of its declarations."""
    reads = cx.world.reads
    if reads is not None:
        cx.costs.functions = Noted("costs", reads, cx.costs.functions)
        cx.logged = Noted("logged", reads, cx.logged)
