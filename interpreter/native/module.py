"""A WebAssembly module as bytes: functions, one memory with data in it, global variables, one table of functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from interpreter.native.wasm import I32, E, Fn, Global, Operand, as_e, const, leb

PAGE = 1 << 16


@dataclass(slots=True)
class Module:
    """A module being written: functions, one memory with data, global variables, one table of functions."""

    functions: list[Fn] = field(default_factory=list)
    globals: list[tuple[int, int]] = field(default_factory=list)
    exports: list[tuple[str, int, int]] = field(default_factory=list)
    table: list[Fn | None] = field(default_factory=list)
    memory: bytearray = field(default_factory=lambda: bytearray(16))
    pages: int = 1
    largest: int = 0  #: bytes of the largest function, once the module is written
    _types: dict[bytes, int] = field(default_factory=dict)
    _known: dict[tuple[bytes, int], int] = field(default_factory=dict)

    def function(self, params: Sequence[int], result: int | None, name: str = "", *, export: bool = False) -> Fn:
        """A new function, still empty."""
        made = Fn(len(self.functions), params, result, name)
        self.functions.append(made)
        self._type(params, result)
        if export:
            self.exports.append((name, 0, made.index))
        return made

    def global_(self, kind: int = I32, value: int = 0, name: str = "") -> Global:
        """A new global variable; one with a name can be seen from outside."""
        self.globals.append((kind, value))
        if name:
            self.exports.append((name, 3, len(self.globals) - 1))
        return Global(len(self.globals) - 1, kind)

    def data(self, content: bytes, align: int = 4, *, shared: bool = True) -> int:
        """The address of constant bytes; equal ones lie in memory once where they may be shared."""
        key = (content, align)
        if shared and key in self._known:
            return self._known[key]
        self.memory += bytes(-len(self.memory) % align)
        address = len(self.memory)
        self.memory += content
        if shared:
            self._known[key] = address
        return address

    def room(self, size: int, align: int = 16) -> int:
        """The address of room for variables."""
        return self.data(bytes(size), align, shared=False)

    def indirect(self, number: Operand, params: Sequence[int], result: int, args: Sequence[Operand]) -> E:
        """What the function of the table with a number gives."""
        kind = self._type(params, result)
        code = b"".join(as_e(a, p).code for a, p in zip(args, params, strict=True))
        return E(code + as_e(number).code + b"\x11" + leb(kind) + b"\x00", result)

    def _type(self, params: Sequence[int], result: int | None) -> int:
        results = b"" if result is None else bytes([result])
        key = b"\x60" + leb(len(params)) + bytes(params) + leb(len(results)) + results
        return self._types.setdefault(key, len(self._types))

    def to_bytes(self) -> bytes:
        """The whole module."""
        bodies = [f.body() for f in self.functions]
        self.largest = max(map(len, bodies), default=0)
        uses = [self._type([p.type for p in f.params], f.result) for f in self.functions]
        memory = leb(1) + b"\x01" + leb(self.pages) + leb(self.pages)
        exports = [("memory", 2, 0), *self.exports]
        sections = [
            (1, _vector(list(self._types))),
            (3, _vector([leb(use) for use in uses])),
            (4, leb(1) + b"\x70\x00" + leb(len(self.table) or 1)),
            (5, memory),
            (6, _vector([bytes([kind, 1]) + as_e(value, kind).code + b"\x0b" for kind, value in self.globals])),
            (7, _vector([_name(name) + bytes([sort]) + leb(at) for name, sort, at in exports])),
            (9, _vector(_elements(self.table))),
            (10, _vector(bodies)),
            (11, _vector(_chunks(self.memory))),
        ]
        return b"\0asm\x01\0\0\0" + b"".join(bytes([n]) + leb(len(body)) + body for n, body in sections)


def _vector(items: Sequence[bytes]) -> bytes:
    return leb(len(items)) + b"".join(items)


def _name(text: str) -> bytes:
    raw = text.encode()
    return leb(len(raw)) + raw


def _elements(table: Sequence[Fn | None]) -> list[bytes]:
    """The runs of functions in a table."""
    found: list[bytes] = []
    at = 0
    while at < len(table):
        run = at
        while run < len(table) and table[run] is not None:
            run += 1
        if run > at:
            items = [leb(f.index) for f in table[at:run] if f is not None]
            found.append(b"\x00" + const(at).code + b"\x0b" + _vector(items))
        at = run + 1
    return found


def _chunks(memory: bytearray, gap: int = 64) -> list[bytes]:
    """The parts of memory that are not empty."""
    found: list[bytes] = []
    at, size = 0, len(memory)
    while at < size:
        if not memory[at]:
            at += 1
            continue
        end = memory.find(bytes(gap), at)
        end = size if end < 0 else end
        part = bytes(memory[at:end])
        found.append(b"\x00" + const(at).code + b"\x0b" + leb(len(part)) + part)
        at = end + gap
    return found
