"""Values of expressions and functions as the module's code finds them, one at a time."""

from __future__ import annotations

from array import array
from typing import Any

import wasmtime

from interpreter import Game
from interpreter.middle.layout import to_bytes
from interpreter.middle.passes.simplify import Simplifier
from interpreter.native.build import _write_functions
from interpreter.native.code import Code
from interpreter.native.incremental_memo import kept_functions
from interpreter.native.module import PAGE
from interpreter.native.wasm import I32, I64
from rulespec.lower.cost import Costs
from rulespec.lower.ir import Ir
from rulespec.model.types import ListType, SetType, Type, strip
from tests.engine.oracle import declared_now

ROOM = 1 << 16


class Values:
    """A module with an expression, or all functions of a game."""

    def __init__(self, game: Game):
        self.game = game
        made = game.facts
        self.simplifier = Simplifier(declared_now(game), set())
        declared = self.simplifier.declared
        self.code = Code(declared, made.layout, made.rooms, Costs(declared))
        self.code.temps, self.code.slot_types = made.structure.temps, tuple(s.type for s in made.program.slots)
        self.keeping = kept_functions(self.code)
        self.simplifier.called = set(self.keeping)

    def expression(self, ir: Ir, name: str = "value") -> None:
        """Adds a function of a state."""
        s = self.code
        fn = s.module.function([I32], s.kind(ir.type), name, export=True)
        with s.writing(fn):
            fn.give(s.ex(ir))
            fn.trap()

    def functions(self) -> list[str]:
        """Adds all functions whose arguments are numbers or sets of a few members; their names."""
        s, found = self.code, []
        for name, function in s.declared.functions.items():
            if all(s.is_scalar(t) or s.kind(t) == I64 for _, t in function.params):
                s.module.exports.append((name, 0, s.function(name).index))
                found.append(name)
        return found

    def ready(self) -> None:
        """Compiles the module."""
        s = self.code
        _write_functions(s, self.simplifier, self.keeping)
        self.state = (len(s.module.memory) + 63) // 64 * 64
        temps = self.state + (s.cells.size + 63) // 64 * 64
        for variable, value in ((s.globals.temps, temps), (s.globals.temps_end, temps + 16 * ROOM)):
            s.module.globals[variable.index] = I32, value
        s.module.pages = (temps + 17 * ROOM) // PAGE + 1
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        module = wasmtime.Module(engine, s.module.to_bytes())
        self.exports: Any = wasmtime.Instance(self.store, module, []).exports(self.store)

    def value(self, name: str, t: Type, cells: list[Any], *args: int) -> Any:
        """A function's value, as the evaluator gives it."""
        data = to_bytes(cells, self.game.facts.rooms)
        self.exports["memory"].write(self.store, data, self.state)
        found = self.exports[name](self.store, self.state, *args)
        inner = strip(t)
        if isinstance(inner, ListType):
            return self._list(found) if found else -1
        if isinstance(inner, SetType):
            return self._set(found, inner)
        return found

    def _numbers(self, at: int, amount: int) -> list[int]:
        return array("i", bytes(self.exports["memory"].read(self.store, at, at + 4 * amount))).tolist()

    def _list(self, at: int) -> tuple[int, ...]:
        return tuple(self._numbers(at + 4, self._numbers(at, 1)[0]))

    def _set(self, found: int, t: SetType) -> int:
        members = self.code.members_of(t)
        if self.code.kind(t) == I64:
            return found % (1 << 64)
        return int.from_bytes(
            self.exports["memory"].read(self.store, found, found + (members + 63) // 64 * 8), "little"
        )


def natively(game: Game, ir: Ir, cells: list[Any]) -> Any:
    """An expression's value."""
    values = Values(game)
    values.expression(ir)
    values.ready()
    return values.value("value", ir.type, cells)
