"""The emitter by itself: each operation and statement, run in the sandbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import wasmtime

from interpreter.native.module import Module
from interpreter.native.wasm import (
    I32,
    I64,
    E,
    Fn,
    both,
    call,
    choose,
    const,
    const64,
    either,
    leb,
    load,
    select,
    signed_leb,
)


class Running:
    """A module's exports."""

    def __init__(self, module: Module):
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        made = wasmtime.Module(engine, module.to_bytes())
        self.exports: Any = wasmtime.Instance(self.store, made, []).exports(self.store)

    def __call__(self, name: str, *args: int) -> int:
        return self.exports[name](self.store, *args)


def run(make: Callable[[Module, Fn], None], *args: int, kind: int = I32) -> int:
    """What one function with so many parameters gives."""
    module = Module()
    fn = module.function([kind] * len(args), kind, "f", export=True)
    make(module, fn)
    fn.trap()
    return Running(module)("f", *args)


def value(expression: Callable[..., E], *args: int, kind: int = I32) -> int:
    """The value of an expression of the parameters."""
    return run(lambda _, fn: fn.give(expression(*fn.params)), *args, kind=kind)


def test_numbers_as_the_standard_writes_them() -> None:
    """The examples of the specification (and of Wikipedia's page on LEB128)."""
    assert leb(624485) == bytes([0xE5, 0x8E, 0x26])
    assert signed_leb(-123456) == bytes([0xC0, 0xBB, 0x78])
    assert (leb(0), leb(127), leb(128)) == (b"\x00", b"\x7f", b"\x80\x01")
    assert (signed_leb(63), signed_leb(64), signed_leb(-64), signed_leb(-65)) == (b"?", b"\xc0\x00", b"@", b"\xbf\x7f")


@pytest.mark.parametrize("number", [0, 1, -1, 63, 64, -64, -65, 2**31 - 1, -(2**31)])
def test_constants(number: int) -> None:
    assert value(lambda: const(number)) == number
    assert value(lambda: const64(number), kind=I64) == number


@pytest.mark.parametrize(
    ("name", "a", "b", "wanted"),
    [
        ("add", 2**31 - 1, 1, -(2**31)),
        ("sub", 3, 5, -2),
        ("mul", -7, 6, -42),
        ("div_s", -7, 2, -3),
        ("div_u", -1, 2, 2**31 - 1),
        ("rem_s", -7, 2, -1),
        ("rem_u", -1, 10, (2**32 - 1) % 10),
        ("and", 12, 10, 8),
        ("or", 12, 10, 14),
        ("xor", 12, 10, 6),
        ("shl", 3, 4, 48),
        ("shr_s", -16, 2, -4),
        ("shr_u", -1, 31, 1),
        ("rotl", 1 << 30, 3, 2),
        ("rotr", 1, 1, -(2**31)),
        ("eq", 4, 4, 1),
        ("ne", 4, 4, 0),
        ("lt_s", -1, 0, 1),
        ("lt_u", -1, 0, 0),
        ("gt_s", -1, 0, 0),
        ("gt_u", -1, 0, 1),
        ("le_s", 4, 4, 1),
        ("le_u", 5, 4, 0),
        ("ge_s", 4, 5, 0),
        ("ge_u", 4, 4, 1),
    ],
)
def test_operations_of_two_numbers(name: str, a: int, b: int, wanted: int) -> None:
    assert value(lambda x, y: x.op(name, y), a, b) == wanted
    assert value(lambda x, y: x.op(name, y), a, b, kind=I32) == value(lambda: const(a).op(name, const(b)))


def test_methods_are_the_operations() -> None:
    x, y = const(6), const(4)
    for made, name in [
        (x.eq(y), "eq"), (x.ne(y), "ne"), (x.lt(y), "lt_s"), (x.le(y), "le_s"), (x.gt(y), "gt_s"), (x.ge(y), "ge_s"),
        (x.below(y), "lt_u"), (x & y, "and"), (x | y, "or"), (x ^ y, "xor"), (x << y, "shl"), (x >> y, "shr_u"),
    ]:  # fmt: skip
        assert made.code == x.op(name, y).code


def test_constants_are_folded_and_what_changes_nothing_is_left_out() -> None:
    x = E(b"\x20\x00", I32)
    assert (const(6) * 7).value == 42
    assert (const(6) + 7 - 3).value == 10
    assert x + 0 is x
    assert x * 1 is x
    assert x << 0 is x
    assert choose(const(1), x, const(9)) is x
    assert choose(const(0), x, const(9)).value == 9


@pytest.mark.parametrize(("name", "number", "wanted"), [("ctz", 40, 3), ("clz", 1, 63), ("popcnt", 255, 8)])
def test_operations_of_one_number(name: str, number: int, wanted: int) -> None:
    assert value(lambda x: x.unary(name), number, kind=I64) == wanted


def test_widths() -> None:
    assert value(lambda: const(-2).wide(), kind=I64) == -2
    assert value(lambda: const(-2).wide(signed=False), kind=I64) == 2**32 - 2
    assert value(lambda x: x.wide().narrow(), -5) == -5
    assert run(lambda _, fn: fn.give(fn.params[0].narrow().wide()), 2**32 + 7, kind=I64) == 7


def test_choices_find_one_value_and_conditions_stop_early() -> None:
    never = E(b"\x00", I32)  # ends everything where it is reached
    assert value(lambda x: choose(x, const(4), never), 1) == 4
    assert value(lambda x: choose(x, never, const(5)), 0) == 5
    assert value(lambda x: both(x, never), 0) == 0
    assert value(lambda x: either(x, never), 3) == 1
    assert [value(lambda x: select(x, const(4), const(5)), x) for x in (0, 1)] == [5, 4]


@pytest.mark.parametrize(("width", "signed", "wanted"), [(1, False, 254), (1, True, -2), (2, True, -2), (4, False, -2)])
def test_memory(width: int, signed: bool, wanted: int) -> None:
    def make(module: Module, fn: Fn) -> None:
        at = module.room(16)
        fn.store(at, -2, width, at=3)
        fn.give(load(at, width, at=3, signed=signed))

    assert run(make) == wanted


@pytest.mark.parametrize("size", [0, 1, 7, 8, 15, 16, 31, 200])
def test_copying_and_zeros(size: int) -> None:
    """Each byte behind the last one stays as it was."""
    module = Module()
    source = module.data(bytes(range(1, 241)), 16)
    for name in ("blit", "copy"):
        to = module.data(b"\xff" * 256, 16, shared=False)
        fn = module.function([], I32, name, export=True)
        a, b = fn.keep(to), fn.keep(source)
        fn.blit(a, b, size) if name == "blit" else fn.copy(a, b, size)
        fn.give(to)
    for name, amount in (("zeros", size), ("found_zeros", const(size) + 0)):
        to = module.data(b"\xff" * 256, 16, shared=False)
        fn = module.function([], I32, name, export=True)
        fn.fill(fn.keep(to), amount if isinstance(amount, int) else fn.keep(amount))
        fn.give(to)
    running = Running(module)
    for name in ("blit", "copy", "zeros", "found_zeros"):
        at = running(name)
        found = bytes(running.exports["memory"].read(running.store, at, at + 256))
        copied = bytes(range(1, 241))[:size] if name in ("blit", "copy") else bytes(size)
        assert found == copied + b"\xff" * (256 - size), name


def test_branches_and_loops() -> None:
    def make(module: Module, fn: Fn) -> None:
        (end,) = fn.params
        total = fn.keep(0)
        with fn.count(end, 1) as i:
            with fn.when(i.op("rem_s", 2)):
                fn.set(total, total + i)
            with fn.otherwise():
                fn.set(total, total - 1)
        with fn.forever() as (out, again):
            fn.set(total, total + 100)
            fn.br_if(again, total.lt(300))
            fn.br(out)
        with fn.block() as behind:
            fn.br_if(behind, total.gt(0))
            fn.trap()
        fn.give(total)

    # 1 - 1 + 3 - 1 + 5 = 7, then hundreds until 300 is reached
    assert run(make, 6) == 307


def test_statements_inside_expressions() -> None:
    def make(module: Module, fn: Fn) -> None:
        (x,) = fn.params

        def doubled() -> E:
            found = fn.keep(0)
            with fn.count(2):
                fn.set(found, found + x)
            return found

        inside = fn.inline(doubled)
        fn.give(fn.named(x + 1, lambda y: choose(y.gt(3), inside + y * y, const(-1))))

    assert run(make, 4) == 8 + 25
    assert run(make, 1) == -1


def test_functions_call_each_other_and_by_number() -> None:
    module = Module()
    double = module.function([I32], I32, "double")
    double.give(double.params[0] * 2)
    triple = module.function([I32], I32, "triple")
    triple.give(triple.params[0] * 3)
    module.table = [None, double, None, triple]
    fn = module.function([I32, I32], I32, "f", export=True)
    number, x = fn.params
    fn.give(module.indirect(number, [I32], I32, [x]) + call(double, x))
    for each in module.functions:
        each.trap()
    running = Running(module)
    assert [running("f", n, 5) for n in (1, 3)] == [20, 25]
    with pytest.raises(wasmtime.Trap):
        running("f", 2, 5)


def test_global_variables_and_data() -> None:
    module = Module()
    counter = module.global_(I64, 5, "counter")
    assert module.data(b"one") == module.data(b"one")
    assert module.data(b"one", shared=False) != module.data(b"one")
    far = module.data(b"\x07" + bytes(500) + b"\x09", 1)  # zeros between are left out of the module
    fn = module.function([], I32, "f", export=True)
    fn.set(counter, counter + 1)
    fn.give(load(far, 1) * 100 + load(far, 1, at=501))
    fn.trap()
    assert len(module.to_bytes()) < 400
    running = Running(module)
    assert running("f") == 709
    assert running.exports["counter"].value(running.store) == 6


def test_nothing_is_imported_and_memory_has_an_end() -> None:
    module = Module()
    fn = module.function([I32], I32, "f", export=True)
    fn.give(load(fn.params[0]))
    fn.trap()
    assert not wasmtime.Module(wasmtime.Engine(), module.to_bytes()).imports
    with pytest.raises(wasmtime.Trap, match="out of bounds"):
        Running(module)("f", 1 << 20)
