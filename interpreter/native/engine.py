"""Runs a game's module in the sandbox of `wasmtime`. The module imports nothing: it reaches its own memory alone."""

from __future__ import annotations

import atexit
import ctypes
from array import array
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from interpreter.native.build import Made
from interpreter.native.code import REASONS

try:
    import wasmtime
except ImportError:  # no wheel for this machine: the reference plays
    wasmtime = None  # type: ignore[assignment]

INT32, INT64 = 0, 1
_VARIABLES = ("temps", "found", "reason", "done", "trail", "telling", "valued", "branches")
MOST_MEMORY = 200 << 20  #: bytes that a module may have


class Bailed(Exception):
    """The module bails out: the reference is to do what was asked. The text says why."""


def is_there() -> bool:
    """Whether this machine can run modules."""
    return wasmtime is not None


def failures() -> type[Exception]:
    """What the library raises where it cannot do something."""
    failed: type[Exception] = wasmtime.WasmtimeError
    return failed


def version() -> str:
    """The version of what runs modules."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("wasmtime")
    except PackageNotFoundError:  # it was put there without its papers, or they may not be read
        return str(getattr(wasmtime, "__version__", "unknown"))


def compiled(code: bytes) -> bytes:
    """A module made ready for this machine."""
    return bytes(wasmtime.Module(_engine(), code).serialize())


def _engine() -> Any:
    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    return wasmtime.Engine(config)


_LIVING: WeakSet[Engine] = WeakSet()


@atexit.register
def _close_all() -> None:
    """Once Python takes its modules apart, the library cannot let go of anything, and complains."""
    for living in list(_LIVING):
        living.close()


class Engine:
    """One module with its memory; `ready` is what `compiled` gave, `made` says where things lie."""

    def __init__(self, made: Made, ready: bytes):
        self.made = made
        engine = self._engine = _engine()
        self._store = wasmtime.Store(engine)
        self._store.set_limits(memory_size=MOST_MEMORY, instances=1, memories=1, tables=1)
        instance = wasmtime.Instance(self._store, wasmtime.Module.deserialize(engine, ready), [])
        exports: Any = instance.exports(self._store)
        self._functions = {
            "advance": _caller(self._store, exports["advance"], (INT32, INT32)),
            "answer": _caller(self._store, exports["answer"], (INT32, INT32)),
            "fresh": _caller(self._store, exports["fresh"], (INT32, INT32, INT64)),
            "answer_with_events": _caller(self._store, exports["answer_with_events"], (INT32, INT32)),
            "fresh_with_events": _caller(self._store, exports["fresh_with_events"], (INT32, INT32, INT64)),
            "wander": _caller(self._store, exports["wander"], (INT32,) * 4),
            "outlook": _caller(self._store, exports["outlook"], (INT32,) * 3),
            "list": _caller(self._store, exports["list"], (INT32,)),
            "begin": _caller(self._store, exports["begin"], (INT32,)),
            "tallied": _caller(self._store, exports["tallied"], (INT32,) * 5),
            "seeds": _caller(self._store, exports["seeds"], (INT32,) * 5),
            "sow": _caller(self._store, exports["sow"], (INT32, INT32, INT64, INT32, INT32, INT32)),
            "lean": _caller(self._store, exports["lean"], (INT32,)),
            "plant": _caller(self._store, exports["plant"], (INT32,)),
            "grow": _caller(self._store, exports["grow"], (INT32, INT32, INT64, INT32, INT32)),
            "tries": _caller(self._store, exports["tries"], (INT32, INT32, INT64, INT32)),
            "gathered": _caller(self._store, exports["gathered"], (INT32,) * 4),
            "imagine": _caller(self._store, exports["imagine"], (INT32, INT32, INT64)),
            "playouts": _caller(self._store, exports["playouts"], (INT32, INT32, INT64, INT32, INT32, INT32)),
        }
        self._globals = {name: exports[name] for name in _VARIABLES}
        self._memory = ctypes.addressof(exports["memory"].data_ptr(self._store).contents)
        _LIVING.add(self)

    def close(self) -> None:
        """Lets go of everything that the library holds; nothing can be called any more."""
        self._store.close()
        self._engine.close()

    def call(self, name: str, *args: int) -> int:
        """Calls a function of the module. Raises Bailed."""
        try:
            return self._functions[name](*args)
        except wasmtime.Trap as trap:
            raise self._bailed(trap) from None

    def _bailed(self, trap: object) -> Bailed:
        """Makes the module ready for the next call."""
        reason = REASONS[self.variable("reason")] or str(trap).splitlines()[0]
        for name, value in (("temps", self.made.temps), ("found", self.made.found), ("reason", 0), ("telling", 0)):
            self._globals[name].set_value(self._store, value)
        return Bailed(reason)

    def variable(self, name: str) -> int:
        """The value of a global variable."""
        return int(self._globals[name].value(self._store))

    def read(self, at: int, size: int) -> bytes:
        """What lies in memory."""
        return ctypes.string_at(self._memory + at, size)

    def write(self, at: int, content: bytes) -> None:
        """Writes to memory."""
        assert 0 <= at <= self.made.memory - len(content)
        ctypes.memmove(self._memory + at, content, len(content))

    def numbers(self, at: int, amount: int) -> array[int]:
        """Numbers of 32 bits that lie in memory."""
        return array("i", self.read(at, 4 * amount))


def _caller(store: Any, function: Any, kinds: tuple[int, ...]) -> Callable[..., int]:
    """A function as something that can be called often: the numbers lie ready where they are read from."""
    try:
        from wasmtime import _bindings

        values = (_bindings.wasmtime_val_t * len(kinds))()
        result = (_bindings.wasmtime_val_t * 1)()
        raw, context, about = _bindings.wasmtime_func_call, store._context(), ctypes.byref(function._func)
        trapped, failed = ctypes.POINTER(_bindings.wasm_trap_t), wasmtime.Trap._from_ptr
    except (ImportError, AttributeError):  # another version of the library: its own way, which is slower
        return lambda *args: int(function(store, *args))
    for value, kind in zip(values, kinds, strict=True):
        value.kind = kind

    def called(*args: int) -> int:
        for value, kind, arg in zip(values, kinds, args, strict=True):
            if kind == INT32:
                value.of.i32 = arg
            else:
                value.of.i64 = arg
        trap = trapped()
        error = raw(context, about, values, len(kinds), result, 1, ctypes.byref(trap))
        if bool(error):
            raise wasmtime.WasmtimeError._from_ptr(error)
        if bool(trap):
            raise failed(trap)
        return int(result[0].of.i32)

    return called
