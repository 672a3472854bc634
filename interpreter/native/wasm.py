"""WebAssembly, as much of it as is needed: expressions as code, and functions being written.

An expression (`E`) is the code that leaves one value on the stack; it is made of others by putting their codes one
after another. A function (`Fn`) is written statement by statement. `interpreter.native.module` puts functions together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

I32, I64 = 0x7F, 0x7E
_VOID = 0x40
MOST_ZEROS = 128
_END, _ELSE = 0x0B, 0x05


def leb(value: int) -> bytes:
    """An unsigned number as LEB128."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed_leb(value: int) -> bytes:
    """A signed number as LEB128."""
    out = bytearray()
    while not -64 <= value <= 63:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value & 0x7F)
    return bytes(out)


# ---- expressions ----------------------------------------------------------------------------------------------------


class E:
    """An expression: its code, the type of its value, and the value itself where it is a constant."""

    __slots__ = ("code", "type", "value")

    def __init__(self, code: bytes, kind: int, value: int | None = None):
        self.code = code
        self.type = kind
        self.value = value

    def __add__(self, other: Operand) -> E:
        return _folded("add", self, other, 0, lambda a, b: a + b)

    def __sub__(self, other: Operand) -> E:
        return _folded("sub", self, other, 0, lambda a, b: a - b)

    def __mul__(self, other: Operand) -> E:
        return _folded("mul", self, other, 1, lambda a, b: a * b)

    def __and__(self, other: Operand) -> E:
        return _binary("and", self, other)

    def __or__(self, other: Operand) -> E:
        return _binary("or", self, other)

    def __xor__(self, other: Operand) -> E:
        return _binary("xor", self, other)

    def __lshift__(self, other: Operand) -> E:
        return _folded("shl", self, other, 0, None)

    def __rshift__(self, other: Operand) -> E:
        """Shifts in zeros from above."""
        return _folded("shr_u", self, other, 0, None)

    def op(self, name: str, other: Operand) -> E:
        """Any operation of two values, by its name in WebAssembly."""
        return _binary(name, self, other)

    def eq(self, other: Operand) -> E:
        """Whether two values are equal."""
        if isinstance(other, int) and other == 0:
            return E(self.code + _EQZ[self.type], I32)
        return _binary("eq", self, other)

    def ne(self, other: Operand) -> E:
        """Whether two values differ."""
        return _binary("ne", self, other)

    def lt(self, other: Operand) -> E:
        """Whether one is less than the other, both with signs."""
        return _binary("lt_s", self, other)

    def le(self, other: Operand) -> E:
        """Whether one is at most the other, both with signs."""
        return _binary("le_s", self, other)

    def gt(self, other: Operand) -> E:
        """Whether one is more than the other, both with signs."""
        return _binary("gt_s", self, other)

    def ge(self, other: Operand) -> E:
        """Whether one is at least the other, both with signs."""
        return _binary("ge_s", self, other)

    def below(self, other: Operand) -> E:
        """Whether one is less than the other, both without signs."""
        return _binary("lt_u", self, other)

    def unary(self, name: str) -> E:
        """An operation of one value: `ctz`, `clz`, `popcnt`."""
        return E(self.code + bytes([_UNARY[name][self.type == I64]]), self.type)

    def no(self) -> E:
        """Whether a condition is false."""
        return self.eq(0)

    def wide(self, *, signed: bool = True) -> E:
        """A value of 64 bits."""
        if self.type == I64:
            return self
        if self.value is not None:
            return const64(self.value if signed else self.value & 0xFFFFFFFF)
        return E(self.code + (b"\xac" if signed else b"\xad"), I64)

    def narrow(self) -> E:
        """The lower 32 bits."""
        return self if self.type == I32 else E(self.code + b"\xa7", I32)


Operand = E | int


class Local(E):
    """A local variable, which is an expression too."""

    __slots__ = ("index",)

    def __init__(self, index: int, kind: int):
        super().__init__(b"\x20" + leb(index), kind)
        self.index = index


class Global(E):
    """A global variable."""

    __slots__ = ("index",)

    def __init__(self, index: int, kind: int):
        super().__init__(b"\x23" + leb(index), kind)
        self.index = index


_NAMES = "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u".split()
_ARITH = "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr".split()
_CODES = {name: (0x45 + i, 0x50 + i) for i, name in enumerate(_NAMES)} | {
    name: (0x67 + i, 0x79 + i) for i, name in enumerate(_ARITH)
}
_COMPARES = frozenset(_NAMES)
_UNARY = {name: _CODES[name] for name in ("clz", "ctz", "popcnt")}
_EQZ = {I32: b"\x45", I64: b"\x50"}


def const(value: int) -> E:
    """A constant of 32 bits."""
    value = (value + (1 << 31)) % (1 << 32) - (1 << 31)
    return E(b"\x41" + signed_leb(value), I32, value)


def const64(value: int) -> E:
    """A constant of 64 bits."""
    value = (value + (1 << 63)) % (1 << 64) - (1 << 63)
    return E(b"\x42" + signed_leb(value), I64, value)


def as_e(value: Operand, kind: int = I32) -> E:
    """A number as an expression."""
    if isinstance(value, E):
        return value
    return const(value) if kind == I32 else const64(value)


def _binary(name: str, a: E, b: Operand) -> E:
    other = as_e(b, a.type)
    assert other.type == a.type, (name, a.type, other.type)
    result = I32 if name in _COMPARES else a.type
    return E(a.code + other.code + bytes([_CODES[name][a.type == I64]]), result)


def _folded(name: str, a: E, b: Operand, neutral: int, both: Callable[[int, int], int] | None) -> E:
    other = as_e(b, a.type)
    if other.value == neutral:
        return a
    if both is not None and a.value is not None and other.value is not None:
        return as_e(both(a.value, other.value), a.type)
    return _binary(name, a, other)


_LOADS = {
    (I32, 1, False): 0x2D, (I32, 1, True): 0x2C, (I32, 2, False): 0x2F, (I32, 2, True): 0x2E, (I32, 4, False): 0x28,
    (I32, 4, True): 0x28, (I64, 1, False): 0x31, (I64, 1, True): 0x30, (I64, 2, False): 0x33, (I64, 2, True): 0x32,
    (I64, 4, False): 0x35, (I64, 4, True): 0x34, (I64, 8, False): 0x29, (I64, 8, True): 0x29,
}  # fmt: skip
_STORES = {
    (I32, 1): 0x3A,
    (I32, 2): 0x3B,
    (I32, 4): 0x36,
    (I64, 1): 0x3C,
    (I64, 2): 0x3D,
    (I64, 4): 0x3E,
    (I64, 8): 0x37,
}


def load(address: Operand, width: int = 4, *, at: int = 0, signed: bool = False, kind: int = I32) -> E:
    """What lies in memory, `at` bytes behind an address."""
    code = as_e(address).code + bytes([_LOADS[kind, width, signed], 0]) + leb(at)
    return E(code, kind)


def bits_of_bytes(address: Operand, at: int, table: bytes, other: Local | None, *, apart: bool) -> E:
    """One bit for each of sixteen bytes, the first one lowest: whether the table has 0xFF for it.

    With `other`, whether what the table has for it is equal to that value (or, `apart`, is not). Bytes are below the
    length of the table.
    """
    found = as_e(address).code + b"\xfd\x00\x00" + leb(at)  # v128.load
    if other is None and len(set(table[1:])) == 1 and table[0] != table[1]:
        return E(found + _ZERO + (b"\xfd\x24" if table[1] else b"\xfd\x23") + _BITMASK, I64)  # i8x16.ne, eq
    looked_up = b""
    for first in range(0, len(table), 16):
        less = b"\xfd\x0c" + bytes([first]) * 16 + b"\xfd\x71" if first else b""  # i8x16.sub
        part = b"\xfd\x0c" + table[first : first + 16].ljust(16, b"\0") + found + less + b"\xfd\x0e"  # i8x16.swizzle
        looked_up += part + (b"\xfd\x50" if first else b"")  # v128.or
    if other is None:
        return E(looked_up + _BITMASK, I64)
    compared = other.code + b"\xfd\x0f" + (b"\xfd\x24" if apart else b"\xfd\x23")  # splat, ne or eq
    return E(looked_up + compared + _BITMASK, I64)


_ZERO = b"\xfd\x0c" + bytes(16)
_BITMASK = b"\xfd\x64\xad"  # i8x16.bitmask, i64.extend_i32_u


def share(address: Operand, whole: E) -> E:
    """How much of a whole number a fraction (of 64 bits, as it lies in memory) is, rounded down."""
    fraction = as_e(address).code + b"\x2b\x00\x00"
    return E(fraction + whole.code + b"\xb8\xa2\xab", I32)  # convert_i32_u, mul, trunc_f64_u


def select(condition: E, yes: E, no: E) -> E:
    """One of two values, both of which are found."""
    return E(yes.code + no.code + condition.code + b"\x1b", yes.type)


def choose(condition: E, yes: E, no: E) -> E:
    """One of two values; the other one is not found."""
    if condition.value is not None:
        return yes if condition.value else no
    head = condition.code + bytes([0x04, yes.type])
    return E(head + yes.code + bytes([_ELSE]) + no.code + bytes([_END]), yes.type)


def both(a: E, b: E) -> E:
    """Whether both conditions hold; the second is found only where the first one holds."""
    return choose(a, b, const(0))


def either(a: E, b: E) -> E:
    """Whether one of two conditions holds; the second is found only where the first one does not."""
    return choose(a, const(1), b)


# ---- functions ------------------------------------------------------------------------------------------------------


class Fn:
    """A function being written."""

    def __init__(self, index: int, params: Sequence[int], result: int | None, name: str = ""):
        self.index = index
        self.name = name
        self.params = tuple(Local(i, kind) for i, kind in enumerate(params))
        self.result = result
        self.kinds: list[int] = []
        self.code = bytearray()
        self.depth = 0
        self.done = False

    # ---- locals ----

    def local(self, kind: int = I32) -> Local:
        """A new local variable."""
        self.kinds.append(kind)
        return Local(len(self.params) + len(self.kinds) - 1, kind)

    def keep(self, value: Operand) -> Local:
        """A new local variable with a value."""
        made = as_e(value)
        found = self.local(made.type)
        self.set(found, made)
        return found

    # ---- statements ----

    def set(self, target: Local | Global, value: Operand) -> None:
        """Gives a variable a value."""
        self.code += as_e(value, target.type).code
        self.code += (b"\x24" if isinstance(target, Global) else b"\x21") + leb(target.index)

    def do(self, value: E | None) -> None:
        """Runs an expression for what it does."""
        assert value is not None
        self.code += value.code + b"\x1a"

    def run(self, fn: Fn, *args: Operand) -> None:
        """Calls a function that gives nothing."""
        assert fn.result is None
        self.code += _call_code(fn, args)

    def store(self, address: Operand, value: Operand, width: int = 4, *, at: int = 0) -> None:
        """Writes to memory, `at` bytes behind an address."""
        made = as_e(value, I64 if width == 8 else I32)
        self.code += as_e(address).code + made.code + bytes([_STORES[made.type, width], 0]) + leb(at)

    def copy(self, to: Operand, source: Operand, size: Operand) -> None:
        """Copies memory."""
        self.code += as_e(to).code + as_e(source).code + as_e(size).code + b"\xfc\x0a\x00\x00"

    def blit(self, to: Local, source: Local, size: int) -> None:
        """Copies a few bytes whose number is known: quicker than `copy`, which calls out of the module's code."""
        at = 0
        while size - at >= 16:
            self.code += to.code + source.code + b"\xfd\x00\x00" + leb(at) + b"\xfd\x0b\x00" + leb(at)
            at += 16
        for width in (8, 4, 2, 1):
            while size - at >= width:
                self.store(to, load(source, width, at=at, kind=I64 if width == 8 else I32), width, at=at)
                at += width

    def fill(self, to: Operand, size: Operand) -> None:
        """Fills memory with zeros: few bytes piece by piece, more by a call out of the module's code."""
        if isinstance(to, Local) and isinstance(size, int) and size <= MOST_ZEROS:
            for at in range(0, size - 7, 8):
                self.store(to, 0, 8, at=at)
            for at in range(size // 8 * 8, size):
                self.store(to, 0, 1, at=at)
            return
        self.code += as_e(to).code + b"\x41\x00" + as_e(size).code + b"\xfc\x0b\x00"

    def give(self, value: Operand | None = None) -> None:
        """Returns."""
        if value is not None:
            self.code += as_e(value, self.result or I32).code
        self.code.append(0x0F)

    def trap(self) -> None:
        """Ends everything."""
        self.code.append(0x00)

    # ---- blocks ----

    @contextmanager
    def when(self, condition: E) -> Iterator[None]:
        """Statements that are run where a condition holds."""
        self.code += condition.code + bytes([0x04, _VOID])
        yield from self._inside()

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Right behind `when`: statements that are run where it does not."""
        assert self.code[-1] == _END
        self.code[-1] = _ELSE
        yield from self._inside()

    @contextmanager
    def block(self) -> Iterator[int]:
        """Statements that can be left for what follows them: the label says where to."""
        self.code += bytes([0x02, _VOID])
        for _ in self._inside():
            yield self.depth

    @contextmanager
    def loop(self) -> Iterator[int]:
        """Statements that can be begun again by their label."""
        self.code += bytes([0x03, _VOID])
        for _ in self._inside():
            yield self.depth

    @contextmanager
    def forever(self) -> Iterator[tuple[int, int]]:
        """Statements again and again; the labels that leave them and that begin them again."""
        with self.block() as out, self.loop() as again:
            yield out, again
            self.br(again)

    def _inside(self) -> Iterator[None]:
        self.depth += 1
        yield
        self.depth -= 1
        self.code.append(_END)

    def br(self, label: int) -> None:
        """Goes to where a label leads."""
        self.code += b"\x0c" + leb(self.depth - label)

    def br_if(self, label: int, condition: E) -> None:
        """Goes to where a label leads, if a condition holds."""
        self.code += condition.code + b"\x0d" + leb(self.depth - label)

    @contextmanager
    def count(self, end: Operand, start: Operand = 0) -> Iterator[Local]:
        """A loop over the numbers from `start` up to, without, `end`, which is found once."""
        limit = end if isinstance(end, int) else self.keep(end)
        at = self.keep(start)
        with self.block() as out, self.loop() as again:
            self.br_if(out, at.ge(limit))
            yield at
            self.set(at, at + 1)
            self.br(again)

    # ---- expressions with statements in them ----

    def inline(self, make: Callable[[], E]) -> E:
        """The expression that `make` gives, behind the statements that it writes."""
        outside, self.code = self.code, bytearray()
        try:
            value = make()
            return E(bytes(self.code) + value.code, value.type) if self.code else value
        finally:
            self.code = outside

    def named(self, value: E, use: Callable[[E], E]) -> E:
        """An expression in which a value is used more than once, and found once."""
        if value.value is not None or isinstance(value, Local):
            return use(value)
        name = self.local(value.type)
        return E(value.code + b"\x21" + leb(name.index) + (made := use(name)).code, made.type)

    def abandon(self) -> None:
        """Leaves a function without a body: what is called by nobody."""
        self.code, self.kinds = bytearray(b"\x00"), []

    def body(self) -> bytes:
        """The function's code as it stands in a module."""
        groups: list[tuple[int, int]] = []
        for kind in self.kinds:
            if groups and groups[-1][1] == kind:
                groups[-1] = groups[-1][0] + 1, kind
            else:
                groups.append((1, kind))
        head = leb(len(groups)) + b"".join(leb(n) + bytes([kind]) for n, kind in groups)
        whole = head + bytes(self.code) + bytes([_END])
        return leb(len(whole)) + whole


def _call_code(fn: Fn, args: Sequence[Operand]) -> bytes:
    assert len(args) == len(fn.params), (fn.name, args)
    return b"".join(as_e(a, p.type).code for a, p in zip(args, fn.params, strict=True)) + b"\x10" + leb(fn.index)


def call(fn: Fn, *args: Operand) -> E:
    """What a function gives."""
    assert fn.result is not None
    return E(_call_code(fn, args), fn.result)
