"""Which slots belong to the state: small programs by hand, all games, and states that begin again from their bytes."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from interpreter import Game, load
from interpreter.middle.layout import from_bytes, to_bytes
from interpreter.middle.passes.simplify import Simplifier
from interpreter.middle.pieces import copy_cells
from rulespec.lower.ir import Ask, Const, Instr, Ir, Local, Name, Proc, Program, Slot
from rulespec.model.types import INTEGER
from rulespec.program.liveness import state_slots
from rulespec.program.verify import faults
from rulespec.source.shipped import games
from tests.engine.small import names, small

ZERO = Const(type=INTEGER, value=0)
Lines = Iterable[tuple[Any, ...]]


#: What is made of the words behind an operation.
OPERANDS = {
    "set": ("slot", "value"),
    "forget": ("slot",),
    "unit": ("slot",),
    "unit_end": ("slot",),
    "try": ("slot", "no"),
    "orelse": ("slot", "no"),
    "require": ("value", ""),
    "score": ("nothing", "value", ""),
    "if": ("value",),
    "break_if": ("value",),
    "callv": ("nothing", "0", "as it is"),
    "check": ("as it is",),
}


class _Writer:
    """Blocks by hand: `("set", "a", "b")` fills slot `a` of its block with what `b` holds.

    The first block is `main`. What is given to a block stands behind its name: `"gain: amount"`.
    """

    def __init__(self, blocks: dict[str, Lines]):
        self.slots: list[Slot] = []
        self.numbers: dict[tuple[int, str], int] = {}
        heads = [head.partition(":") for head in blocks]
        self.ids = {name: number for number, (name, _, _) in enumerate(heads)}
        self.asks: dict[tuple[int, str], Ask] = {}
        instrs: list[Instr] = []
        procs: list[Proc] = []
        for proc, ((head, _, given), lines) in enumerate(zip(heads, blocks.values(), strict=True)):
            back, *params = (self.slot(proc, name) for name in ("back", *given.split()))
            entry = len(instrs)
            instrs += [Instr(op, self._operands(proc, op, parts)) for op, *parts in (*lines, ("ret",))]
            procs.append(Proc(proc, head, head.split()[0], entry, len(instrs), tuple(params), back))
        performed = [self.ids[name] for name in ("gain", "lose") if name in self.ids]
        effects = {(0, number): (block, ()) for number, block in enumerate(performed)}
        self.program = Program(
            declared=None,  # type: ignore[arg-type]
            instrs=tuple(instrs), procs=tuple(procs), slots=tuple(self.slots), regions=(), streams=("chance",),
            entries={"main": 0}, effect_procs=effects, ranking=(), always=(), starts={}, look_cap=1,
        )  # fmt: skip

    def slot(self, proc: int, name: str) -> int:
        if (proc, name) not in self.numbers:
            self.numbers[proc, name] = len(self.slots)
            self.slots.append(Slot(name, INTEGER, proc))
        return self.numbers[proc, name]

    def _read(self, proc: int, name: str | None) -> Ir:
        return ZERO if name is None else Local(type=INTEGER, slot=self.slot(proc, name))

    def _operands(self, proc: int, op: str, parts: list[Any]) -> tuple[Any, ...]:
        if op == "call":
            return self.ids[parts[0]], tuple(self._read(proc, name) for name in parts[1:])
        if op in ("ask", "break_unless_any"):
            return (self._ask(proc, *parts),)
        given = iter(parts)
        found = {
            "slot": lambda: self.slot(proc, next(given)),
            "value": lambda: self._read(proc, next(given, None)),
            "nothing": lambda: ZERO,
            "as it is": lambda: next(given),
            "": lambda: "",
            "0": lambda: 0,
            "no": lambda: False,
        }
        return tuple(found[what]() for what in OPERANDS.get(op, ()))

    def _ask(self, proc: int, name: str, how: str = "one") -> Ask:
        """A decision of some kind; `drawn` is by chance. A set picks into `name`, in `order`, as many as `wanted`."""
        kind = how.removeprefix("drawn").strip() or "one"
        key = proc, name
        if key not in self.asks:
            slot = self.slot(proc, name)
            asked = Name(name, slot, f"{name}$", ZERO, None, None, INTEGER)
            extra: dict[str, Any] = {}
            if kind == "set":
                extra = {"picked": slot, "order": self.slot(proc, "order"), "amount": self._read(proc, "wanted")}
                asked = Name("one", self.slot(proc, "one"), "one$", ZERO, None, None, INTEGER)
            elif kind == "next":
                left = self.slot(proc, "left")
                extra = {"left": left, "answer": self.slot(proc, "going")}
                asked = Name(name, slot, f"{name}$", Local(type=INTEGER, slot=left), None, None, INTEGER)
            elif kind == "may":
                extra = {"answer": slot}
            self.asks[key] = Ask(kind, name, () if kind == "may" else (asked,), chance=how.startswith("drawn"), **extra)
        return self.asks[key]


def _state_of(blocks: dict[str, Lines]) -> set[str]:
    """The slots of the state, each as `block.name`; those of `main` by their name alone."""
    program = _Writer(blocks).program
    found = state_slots(program)
    assert list(found) == sorted(set(found))
    of = (program.slots[number] for number in found)
    return {slot.name if slot.proc == 0 else f"{program.procs[slot.proc].name}.{slot.name}" for slot in of}


ASK = ("ask", "x")
CASES: dict[str, tuple[set[str], dict[str, Lines]]] = {
    "what is read behind a decision": ({"a"}, {"main": [("set", "a"), ASK, ("score", "a")]}),
    "what is read before it alone": (set(), {"main": [("set", "a"), ("score", "a"), ASK]}),
    "what is filled anew behind it": (set(), {"main": [("set", "a"), ASK, ("set", "a"), ("score", "a")]}),
    "what is filled out of itself behind it": ({"a"}, {"main": [("set", "a"), ASK, ("set", "a", "a"), ("score", "a")]}),
    "what is emptied behind it before it is read": (
        set(), {"main": [("set", "a"), ASK, ("forget", "a"), ("score", "a")]},
    ),
    "what is emptied before it": (set(), {"main": [("set", "a"), ("forget", "a"), ASK, ("score", "a")]}),
    "what the answer fills, and no other decision follows": (set(), {"main": [ASK, ("score", "x")]}),
    "what an answer has filled is told at the next decision, though nothing reads it": (
        {"x"}, {"main": [ASK, ("ask", "y")]},
    ),
    "an answer that is forgotten before the next decision": (set(), {"main": [ASK, ("forget", "x"), ("ask", "y")]}),
    "an answer to `may` is told to nobody": (set(), {"main": [("ask", "m", "may"), ("if", "m"), ("end",), ASK]}),
    "a decision by chance is none": (
        set(), {"main": [("set", "a"), ("set", "c"), ("ask", "c", "drawn"), ("score", "a")]},
    ),
    "what chance has answered is told": ({"c"}, {"main": [("ask", "c", "drawn"), ASK]}),
    "a counter of a loop": (
        {"n"}, {"main": [("set", "n"), ("loop",), ("break_if", "n"), ("forget", "x"), ASK, ("set", "n", "n"),
                         ("end_loop",)]},
    ),
    "in a loop an answer stays to the next pass": ({"x"}, {"main": [("loop",), ("break_if",), ASK, ("end_loop",)]}),
    "a member of a loop, read behind its decision only on one way": (
        {"a"}, {"main": [("set", "a"), ASK, ("if", "x"), ("score", "a"), ("else",), ("end",)]},
    ),
    "a set that is picked one by one: the picks, their order, and how many": (
        {"s", "order", "wanted"},
        {"main": [("set", "wanted"), ("set", "s"), ("set", "order"), ("loop",), ("break_if", "s"), ("ask", "s", "set"),
                  ("end_loop",), ("score", "s")]},
    ),
    "a set that chance picks goes on behind its loop": (
        {"a"},
        {"main": [("set", "a"), ("loop",), ("break_if", "s"), ("ask", "s", "drawn set"), ("forget", "a"),
                  ("end_loop",), ("forget", "s"), ASK, ("score", "a")]},
    ),
    "a chosen loop: what is left": (
        {"left", "x"},
        {"main": [("set", "left"), ("loop",), ("break_unless_any", "x", "next"), ("ask", "x", "next"), ("end_loop",)]},
    ),
    "a unit that is open": ({"u"}, {"main": [("unit", "u"), ASK, ("unit_end", "u")]}),
    "a unit that is closed": (set(), {"main": [("unit", "u"), ("unit_end", "u"), ASK]}),
    "a `try` that is open; its other way is outside": (
        {"u"}, {"main": [("try", "u"), ASK, ("orelse", "u"), ("end_try",)]},
    ),
    "the other way of a `try`": (set(), {"main": [("try", "u"), ("orelse", "u"), ASK, ("end_try",)]}),
    "a unit that is left in the middle passes over what empties": (
        {"u", "a"},
        {"main": [("set", "a"), ("unit", "u"), ASK, ("require", "x"), ("forget", "a"), ("unit_end", "u"),
                  ("score", "a")]},
    ),
    "behind the end of the game nothing is read": (
        set(), {"main": [("set", "a"), ASK, ("finish",), ("score", "a")]},
    ),
    "a block that asks: what it is given, where it goes back to, and what its caller reads behind it": (
        {"a", "gain.back", "gain.amount"},
        {"main": [("set", "a"), ("set", "b"), ("call", "gain", "b"), ("score", "a")], "gain: amount": [ASK]},
    ),
    "a block that asks nobody": (
        {"a"},
        {"main": [("set", "a"), ("call", "gain", "a"), ASK, ("score", "a")], "gain: amount": [("score", "amount")]},
    ),
    "a block that asks by what it calls": (
        {"a", "gain.back", "lose.back"},
        {"main": [("set", "a"), ("call", "gain"), ("score", "a")], "gain": [("call", "lose")], "lose": [ASK]},
    ),
    "what its caller reads no more": (
        {"gain.back"}, {"main": [("set", "a"), ("score", "a"), ("call", "gain")], "gain": [ASK]},
    ),
    "an effect that is picked by its number: any of them may ask": (
        {"a", "lose.back"},
        {"main": [("set", "a"), ("callv", None), ("score", "a")], "gain": [], "lose": [ASK]},
    ),
    "one of some effects, none of which asks": (
        set(), {"main": [("set", "a"), ("callv", frozenset({0})), ("score", "a")], "gain": [], "lose": [ASK]},
    ),
    "a trigger that asks": (
        {"a", "check full.back"},
        {"main": [("set", "a"), ("check", "full"), ("score", "a")], "check full": [ASK]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_belongs_to_the_state(case: str) -> None:
    expected, blocks = CASES[case]
    assert _state_of(blocks) == expected


@pytest.mark.parametrize("case", CASES)
def test_the_programs_by_hand_are_well_formed(case: str) -> None:
    """Aside from what a `check` names, of which there is one: they are programs as the lowering makes them."""
    assert faults(_Writer(CASES[case][1]).program) == []


# ---- all games -------------------------------------------------------------------------------------------------------

GAMES = [*(f"small {name}" for name in names()), *games()]


def _game(name: str) -> Game:
    return small(name.removeprefix("small ")) if name.startswith("small ") else load(name)


@pytest.mark.parametrize("name", GAMES)
def test_a_simpler_form_of_a_program_needs_no_other_slots(name: str) -> None:
    """Executors may run another form of the program: what that needs at a decision must be there."""
    program = _game(name).built.program
    assert set(state_slots(Simplifier(program.declared, set()).program(program))) <= set(program.state_slots)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_on_from_bytes_as_it_was(name: str) -> None:
    """What no state holds is empty when a state is read. One game goes on, the other is read anew at each decision."""
    game, dice = _game(name), random.Random(1)
    machine, rooms = game.machine, game.facts.rooms
    cells = machine.begin(1)
    options = machine.run(cells, cells[0])
    for _ in range(60):
        if not options:
            break
        again: list[Any] = from_bytes(to_bytes(cells, rooms), rooms)
        assert machine.options(copy_cells(again), again[0]) == options
        given = dice.choice(options)
        options = machine.run(cells, machine.answer(cells, cells[0], given))
        assert machine.run(again, machine.answer(again, again[0], given)) == options
        assert to_bytes(again, rooms) == to_bytes(cells, rooms)
