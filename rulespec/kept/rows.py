"""What making a block read and did, as digests that every process finds alike.

A row is made from a block that was made in this check, and kept for the next one.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from rulespec.kept.bodies import WHOLE, WITH_STEPS, Parts
from rulespec.kept.seals import Place as At
from rulespec.kept.seals import Seals, Unsealed, key_text
from rulespec.lower.ir import (
    Arith,
    Compare,
    Const,
    If,
    Instr,
    Ir,
    Load,
    Logic,
    NotIr,
    Table,
    Within,
    expressions_in,
    walk_ir,
)
from rulespec.lower.make import none_value, zone_key
from rulespec.lower.steps.builder import ME, ProcKey
from rulespec.lower.steps.keeping import Kept
from rulespec.model.reads import MISSING, Place
from rulespec.model.types import Integer
from rulespec.program.ops import CALLS, HORIZONS, ONLY_TELLS, OPERATIONS, QUESTIONS, REGISTERS
from rulespec.source.store import digest
from rulespec.source.text import Span

#: Operations that change cells or nothing, and expressions that are made of nothing but such cells and what is known.
_LIGHT: Final = frozenset({"store", "gain", "pay", "score", "require"})
_OPEN: Final = frozenset({Const, Load, Table, Arith, Compare, Logic, NotIr, If, Within})

#: The table of how dear functions are: it is filled as somebody asks.
COSTS: Final = "costs"

_KEYS: Final = (str, int, tuple, type(None))

#: A filter with what it was before play.
Filter = tuple[At, bool | None]


@dataclass(frozen=True, slots=True)
class Row:
    """A block: which one; what was read of bodies and of all else, by place; what it was made for; and what came of it.

    `deeds` is what it does to other blocks, `whole` its instructions, of which there are `size`, `flow` these but for
    what a walk through them passes over, `told` those that say which messages are shown, `shown` all but for figures
    (nothing of texts hangs on more than these two), wherever all of it stands; `filters` is what its filters were.
    """

    key: str
    bodies: dict[str, str]
    reads: dict[str, str]
    names: str
    deeds: str
    whole: str
    flow: str
    told: str
    shown: str
    size: int
    filters: tuple[Filter, ...]


def body_text(place: Place) -> str | None:
    """A place by which steps are read, as a text; None for any other one."""
    how, table, key = place
    if how == "do":
        return f"do {table} {key}"
    return f"tree {table}" if how == "tree" and table in WHOLE | WITH_STEPS else None


def body_digest(text: str, parts: Parts) -> str:
    """What steps are read by a place, in a tree with these parts."""
    how, section, *name = text.split(" ", 2)
    if how == "do":
        own = parts.bodies.get(f"{section} {name[0]}")
        return own if own is not None else parts.bodies.get(f"actions {name[0]}", "")
    own = parts.bodies.get(section)
    if own is not None or section in WHOLE:
        return own or ""
    return digest(*(f"{key} {body}" for key, body in parts.bodies.items() if key.startswith(f"{section} ")))


def place_text(place: Place) -> str:
    """Any other place as a text. Raises Unsealed for one that has none."""
    how, table, key = place
    if not isinstance(key, _KEYS) or (how == "word" and table in WHOLE | WITH_STEPS):
        raise Unsealed(place)
    return f"{how} {table} {key!r}"


def is_declared(place: Place) -> bool:
    """Whether what is read there is declared, none of steps. That it is known how dear a function is never counts."""
    return body_text(place) is None and place[:2] != ("in", COSTS)


def place_from(text: str) -> Place:
    """The place again of which `place_text` has made a text."""
    how, table, key = text.split(" ", 2)
    return how, table, literal_eval(key)


def table_of(text: str) -> str:
    """The table that a place is of."""
    return text.split(" ", 2)[1]


class Rows:
    """Makes rows of the blocks of one check; `things` are what its builds found at each place, by number."""

    def __init__(self, seals: Seals, things: dict[Place, list[Any]]) -> None:
        self.seals, self._things = seals, things
        self._anywhere, self._soft = Anywhere(seals), _Soft(seals)
        self._made: dict[int, tuple[Kept, Row]] = {}
        self._found: dict[tuple[Place, int], str] = {}

    def of(self, key: ProcKey, kept: Kept, parts: Parts) -> Row:
        """The row of a block that was made for a tree with these parts. Raises Unsealed."""
        known = self._made.get(id(kept))
        if known is None:
            known = self._made[id(kept)] = kept, self._row(key, kept, parts)
        return known[1]

    def _row(self, key: ProcKey, kept: Kept, parts: Parts) -> Row:
        seals = self.seals
        bodies, reads = self.read(kept.reads, parts)
        told = tuple(i for i in kept.instrs if i.op in QUESTIONS or i.op == "log")
        deeds = (kept.wishes, kept.interned, kept.performing(), kept.written, kept.slots, kept.streams, kept.loops)
        effects = tuple((seals.slot(slot), values) for slot, values in kept.effects)
        flow, shown = self._soft.flow(kept.instrs)
        return Row(
            key_text(key),
            bodies,
            reads,
            self._anywhere.of(kept.names),
            self._anywhere.of((deeds, effects)),
            self._anywhere.of(kept.instrs),
            flow,
            self._anywhere.of(told),
            shown,
            len(kept.instrs),
            tuple(filters_of(seals, kept.filters)),
        )

    def read(self, reads: Iterable[tuple[Place, int]], parts: Parts) -> tuple[dict[str, str], dict[str, str]]:
        """What was read of bodies, and of all else. Raises Unsealed."""
        bodies: dict[str, str] = {}
        others: dict[str, str] = {}
        for place, number in reads:
            text = body_text(place)
            if text is not None:
                bodies[text] = body_digest(text, parts)
            else:
                others[place_text(place)] = self.found(place, number)
        return bodies, others

    def found(self, place: Place, number: int) -> str:
        """The digest of what has a number at a place, which is none of steps. Raises Unsealed."""
        known = self._found.get((place, number))
        if known is None:
            known = self._found[place, number] = self._sealed(place, number)
        return known

    def soft(self, place: Place, number: int, room: int | None = None) -> str:
        """The digest of a function or a zone as a walk goes by it; `room` is how many pieces of its kind there are."""
        value = self._things[place][number]
        if room is None:
            return self._soft.of(value)
        *rest, most, has_capacity = value
        return self._anywhere.of((*rest, most >= room, has_capacity))

    def anywhere(self, value: Any) -> str:
        """The digest of a value wherever it stands."""
        return self._anywhere.of(value)

    def _sealed(self, place: Place, number: int) -> str:
        how, table, _ = place
        if how in ("in", "holds"):
            return str(number)
        if number < 0:
            raise Unsealed(place)  # it was not kept which one it is
        value = self._things[place][number]
        if how == "at" and table == COSTS:
            return "missing" if value is MISSING else str(value)
        if how == "all":
            return self.seals.of(tuple((name, self.found(("at", table, name), at)) for name, at in value))
        return self.seals.of(value)


def filters_of(seals: Seals, filters: Iterable[tuple[Span, bool | None]]) -> list[Filter]:
    """Filters by where their entries stand. Raises Unsealed."""
    return [(seals.places.of(span), fixed) for span, fixed in filters]


class Anywhere(Seals):
    """Digests of what is found, wherever it stands: only reports tell places."""

    def __init__(self, seals: Seals) -> None:
        super().__init__(seals.places, seals.numbering)
        self.rests = seals.rests

    def _text(self, value: Any) -> str:
        return "@" if type(value) is Span else super()._text(value)


class _Soft(Anywhere):
    """Digests of what a walk through a block goes by: who sees what, who calls whom, and where units end hang on no
    figures (`rulespec.lower.offers`, `circles`, `sizes.check_nesting`, `horizons`), and on no step that only reads or
    changes what everybody sees.
    """

    def flow(self, instrs: Iterable[Instr]) -> tuple[str, str]:
        """Digests of a block's instructions: of those that count, and of all.

        What may fail counts where chance may have spoken before.
        """
        found: list[str] = []
        every: list[str] = []
        is_calm = True
        for instr in instrs:
            every.append(self._text(instr))
            if is_light(instr) and (is_calm or not OPERATIONS[instr.op].may_fail):
                continue
            chance = instr.op in QUESTIONS and instr.args[0].chance
            is_calm = is_calm and not (chance or instr.op in HORIZONS or instr.op in CALLS)
            found.append(every[-1])
        return digest(*found), digest(*every)

    def _text(self, value: Any) -> str:
        if isinstance(value, Integer):
            return "integer"
        if isinstance(value, Const) and isinstance(value.type, Integer) and value.value != none_value(value.type):
            return "figure"
        return super()._text(value)


def is_light(instr: Instr) -> bool:
    """Whether an instruction reads and changes nothing but cells that everybody sees, or only tells something."""
    if instr.op in ONLY_TELLS:
        return True
    return instr.op in _LIGHT and instr.args[0] not in REGISTERS and all(map(_is_open, instr.args))


def _is_open(arg: object) -> bool:
    parts = [part for part in expressions_below(arg) if part != ME.index]
    return all(type(part) in _OPEN and zone_key(part) is None for part in parts)


def expressions_below(arg: object) -> Iterable[Ir]:
    """The expressions in an operand, with all that they are made of."""
    return (part for each in expressions_in(arg) for part in walk_ir(each))
