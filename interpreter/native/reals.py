"""Numbers with fractions (64 bits) in WebAssembly, as expressions and variables."""

from __future__ import annotations

import struct

from interpreter.native.wasm import I32, E, Fn, Local, Operand, as_e, leb

F64 = 0x7C
_ARITH = {"add": 0xA0, "sub": 0xA1, "mul": 0xA2, "div": 0xA3, "min": 0xA4, "max": 0xA5}
_COMPARES = {"eq": 0x61, "lt": 0x63, "gt": 0x64}


class Real:
    """An expression of this kind: the code that leaves one such number on the stack."""

    __slots__ = ("code",)

    def __init__(self, code: bytes):
        self.code = code

    def __add__(self, other: Real) -> Real:
        return self._with("add", other)

    def __sub__(self, other: Real) -> Real:
        return self._with("sub", other)

    def __mul__(self, other: Real) -> Real:
        return self._with("mul", other)

    def __truediv__(self, other: Real) -> Real:
        return self._with("div", other)

    def least(self, other: Real) -> Real:
        """The smaller one."""
        return self._with("min", other)

    def most(self, other: Real) -> Real:
        """The larger one."""
        return self._with("max", other)

    def _with(self, name: str, other: Real) -> Real:
        return Real(self.code + other.code + bytes([_ARITH[name]]))

    def size(self) -> Real:
        """The number without its sign."""
        return Real(self.code + b"\x99")

    def root(self) -> Real:
        """The square root."""
        return Real(self.code + b"\x9f")

    def compared(self, name: str, other: Real) -> E:
        """Whether it is `eq`, `lt` or `gt` another one."""
        return E(self.code + other.code + bytes([_COMPARES[name]]), I32)


def real(value: float) -> Real:
    """A constant."""
    return Real(b"\x44" + struct.pack("<d", value))


def of_whole(value: E) -> Real:
    """A whole number of 32 bits with a sign."""
    return Real(value.code + b"\xb7")


def load_real(address: Operand, at: int = 0) -> Real:
    """What lies in memory, `at` bytes behind an address."""
    return Real(as_e(address).code + b"\x2b\x00" + leb(at))


def store_real(fn: Fn, address: Operand, value: Real, at: int = 0) -> None:
    """Writes to memory, `at` bytes behind an address."""
    fn.code += as_e(address).code + value.code + b"\x39\x00" + leb(at)


def picked(condition: E, yes: Real, no: Real) -> Real:
    """One of two numbers, both of which are found."""
    return Real(yes.code + no.code + condition.code + b"\x1b")


class RealLocal(Real):
    """A local variable of a function."""

    __slots__ = ("_local",)

    def __init__(self, fn: Fn):
        self._local: Local = fn.local(F64)
        super().__init__(self._local.code)

    def set(self, fn: Fn, value: Real) -> None:
        """Gives it a value."""
        fn.code += value.code + b"\x21" + leb(self._local.index)


def kept_real(fn: Fn, value: Real) -> RealLocal:
    """A new local variable with a value."""
    found = RealLocal(fn)
    found.set(fn, value)
    return found
