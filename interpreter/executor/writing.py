"""Python source being written: its lines, the constants that it names, and where expressions find what they need."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVar

from interpreter.middle.analysis.partition import Grouping
from interpreter.middle.faults import MOST_WORK
from interpreter.middle.layout import PIECES, Layout
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.cost import Costs
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir
from rulespec.model.types import Integer, Type, strip

#: Loops of at most so many passes are counted at once, or not at all where there is nothing in them.
FEW, FEWEST = 100, 16
T = TypeVar("T")


def none_of(t: Type) -> int:
    """How none is written for a type."""
    return I.NO_INTEGER if isinstance(strip(t), Integer) else -1


class Source:
    """Python source being written, and the constants that it names."""

    def __init__(self, declared: Declared, layout: Layout, temps: frozenset[int] = frozenset()):
        from interpreter.executor.expressions import FORMS, TRUTHS

        self._forms, self._truths = FORMS, TRUTHS
        self.declared = declared
        self.layout = layout
        self.temps = temps
        self.lines: list[str] = []
        self.indent = 1
        #: how the cells of the zones are read: a function that is called often names them once
        self.pieces = f"c[{PIECES}]"
        self.constants: dict[str, Any] = {}
        self.by_value: dict[Any, str] = {}
        self.codes_of: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.numbers = count()
        self.depth_codes = declared.codes * declared.depth
        #: finds what filters leave before play; None where every test is to be run
        self.grouping: Grouping | None = Grouping(declared)
        self.ask_numbers: dict[int, int] = {}
        self.lows: dict[str, int] = {}
        #: functions whose values are remembered, with what they depend on
        self.remembered: dict[str, Any] = {}
        #: whether nothing that is remembered may be used, and which functions are written once more for that
        self.plainly = False
        self.twins: set[str] = set()
        self.slot_types: tuple[Type, ...] = ()
        self.costs: Costs | None = None
        self.places: dict[str, int] = {}
        #: calls whose values are in variables already, where a function is being written
        self.found: dict[I.CallIr, str] = {}
        #: whether loops being written count their passes (see `effort`)
        self.counting = False

    # ---- writing ----

    def line(self, text: str) -> None:
        """Adds a line at the present depth."""
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines inside a compound statement."""
        self.line(head)
        before = len(self.lines)
        self.indent += 1
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.indent -= 1

    def temp(self, prefix: str = "t") -> str:
        """A variable name that is not used yet."""
        return f"{prefix}{next(self.numbers)}"

    def constant(self, value: Any) -> str:
        """The name of a constant object."""
        name = self.by_value.get(value)
        if name is None:
            name = f"K{len(self.constants)}"
            self.constants[name] = value
            self.by_value[value] = name
        return name

    def runs(self, table: str) -> str:
        """The name of a constant: for each list of a constant table and each member, those from it on and before it."""
        name = f"{table}_runs"
        if name not in self.constants:
            lists = self.constants[table]
            self.constants[name] = tuple(
                {x: (items[i:], items[:i][::-1]) for i, x in reversed(list(enumerate(items)))}
                if isinstance(items, tuple)
                else {}
                for items in lists
            )
        return name

    def captured(self, make: Callable[[], T]) -> tuple[list[str], T]:
        """The lines that an expression needs before it, apart, and the expression."""
        kept, self.lines = self.lines, []
        try:
            text = make()
            return self.lines, text
        finally:
            self.lines = kept

    def count(self, at: int, work: int) -> None:
        """Lines that count work, and end it where there is too much; `at` is the instruction, or below zero."""
        self.line(f"work[0] += {work}")
        self.line(f"if work[0] > {MOST_WORK}: raise Overwork({at})")

    def count_pass(self) -> None:
        """Counts a pass of a loop, in expressions that are costly."""
        if self.counting:
            self.count(-1, 1)

    def count_loop(self, source: Ir, *, leaf: bool) -> bool:
        """Counts the passes of a short loop all at once, those of a very short one with no work in it not at all.

        Whether that was done: else each pass is to be counted.
        """
        if not self.counting or self.costs is None:
            return not self.counting
        most = self.costs.length(source)
        if leaf and most <= FEWEST:
            return True
        if most > FEW:
            return False
        self.count(-1, most)
        return True

    # ---- names ----

    def variable(self, name: str) -> str:
        """The Python name of a variable of the instruction form."""
        if name not in self.names:
            plain = re.sub(r"\W", "_", name)
            self.names[name] = f"v{len(self.names)}_{plain}"
        return self.names[name]

    def slot(self, slot: int) -> str:
        """Where a slot is kept: in a variable of the block, or in a cell."""
        if slot in self.temps:
            return f"r{slot}"
        return f"c[{self.layout.slots[slot]}]"

    def is_lasting(self, slot: int) -> bool:
        """Whether a slot belongs to the state."""
        return slot not in self.temps and self.layout.slots[slot] < self.layout.lasting

    def cell(self, base: int, stride: int, place: Ir) -> str:
        """The number of the first cell of a place."""
        if isinstance(place, I.Const):
            return str(base + stride * place.value)  # type: ignore[operator]
        if isinstance(place, I.Table) and base:
            values = self.declared.table(place.table)
            cells = tuple(base + stride * v for v in (*values, -1) if isinstance(v, int))
            if len(cells) == len(values) + 1:
                return f"{self.constant(cells)}[{self.ex(place.index)}]"
        text = self.ex(place)
        if stride != 1:
            text = f"{text}*{stride}"
        return f"{base}+{text}" if base else text

    # ---- expressions ----

    def ex(self, node: Ir) -> str:
        """The Python expression of a node; lines that must run before it are written first."""
        return self._forms[type(node)](self, node)

    def atom(self, node: Ir) -> str:
        """An expression that may be read twice: a name, a number or a cell."""
        text = self.ex(node)
        if re.fullmatch(r"-?\w+", text):
            return text
        name = self.temp()
        self.line(f"{name} = {text}")
        return name

    def test(self, node: Ir) -> str:
        """A condition; only its truth matters."""
        form = self._truths.get(type(node))
        return (form and form(self, node)) or self.ex(node)


def function_name(name: str) -> str:
    """The name of the Python function for a function of the content."""
    return "f_" + re.sub(r"\W", "_", name)


def plain_name(name: str) -> str:
    """The name of the Python function that finds the value of a function of the content, and remembers nothing."""
    return function_name(name) + "_plain"


def table_name(s: Source, name: str, t: Type) -> str:
    """The constant of a table, with none at its end for the index -1."""
    values = (*s.declared.table(name), none_of(t))
    return s.constant(values)
