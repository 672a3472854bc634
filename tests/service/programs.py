"""What a program means, apart from names: two games whose programs have one fingerprint play alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any

from rulespec.lower.declared import Function
from rulespec.lower.ir import CallIr, Instr, Ir, Program
from rulespec.lower.substitute import substitute
from rulespec.model.types import Piece
from rulespec.program.codec import MADE
from rulespec.source.text import SourceFile, Span

#: The endings that tests give to names; the plural of such a name has an `s` behind it.
ENDING = re.compile(r"_q[0-9]+(?=s?(?![A-Za-z0-9_]))")

_NO_FUNCTION = Function("", (), None, None)


def fingerprint(program: Program, plain: Callable[[str], str] = str, without: str | None = None) -> dict[str, bytes]:
    """A digest of each part of a program: of all that is played, in order; not of places in files.

    `plain` gives for each text in it, which holds names, the one that counts. What calls the function `without` is as
    if its expression stood there; then types do not say in which zone a piece lies, since no written type of a function
    does. With `""` that is all.
    """
    inlined = None if without is None else program.declared.functions.get(without, _NO_FUNCTION)
    said = _Said(plain, inlined)
    return {field.name: said.digest(getattr(program, field.name)) for field in fields(program)}


def without_endings(text: str) -> str:
    """A text of a program with the endings taken off its names."""
    return ENDING.sub("", text)


class _Said:
    """Digests of parts of a program, each found once: one expression may stand in many places.

    Variables that lowering named are numbered anew, by themselves in each instruction, function or other expression.
    """

    def __init__(self, plain: Callable[[str], str], inlined: Function | None, *, is_inner: bool = False) -> None:
        self._plain, self._inlined, self._is_inner = plain, inlined, is_inner
        self._known: dict[int, tuple[Any, bytes]] = {}
        self._made: dict[str, str] = {}

    def digest(self, value: Any) -> bytes:
        if id(value) not in self._known:
            self._known[id(value)] = value, self._new(value)
        return self._known[id(value)][1]

    def _new(self, value: Any) -> bytes:
        if isinstance(value, (Ir, Instr, Function)) and not self._is_inner:
            return _Said(self._plain, self._inlined, is_inner=True).digest(value)
        if isinstance(value, CallIr) and self._inlined is not None and value.function == self._inlined.name:
            assert self._inlined.body is not None
            params = [f"{value.function}.{name}" for name, _ in self._inlined.params]
            return self.digest(substitute(self._inlined.body, dict(zip(params, value.args, strict=True))))
        kind, parts = self._parts(value)
        made = blake2b(kind.encode(), digest_size=16)
        for part in parts:
            made.update(self.digest(part))
        return made.digest()

    def _parts(self, value: Any) -> tuple[str, list[Any]]:
        """What a value is, with all that is no part of it; and its parts."""
        if isinstance(value, (Span, SourceFile)):
            return "place", []
        if isinstance(value, str):
            return f"text {self._text(value)}", []
        if isinstance(value, frozenset):
            return "set", sorted(value, key=lambda part: self._plain(str(part)))
        if isinstance(value, Mapping):
            return "map", list(self._entries(value))
        if isinstance(value, (tuple, list)):
            return "list", list(value)
        if isinstance(value, Piece) and self._inlined is not None:
            return "piece", [value.kind]
        if is_dataclass(value):
            return type(value).__name__, [getattr(value, field.name) for field in fields(value) if field.compare]
        assert value is None or isinstance(value, (bool, int)), type(value)
        return f"{type(value).__name__} {value}", []

    def _text(self, text: str) -> str:
        found = MADE.fullmatch(text)
        if found is None:
            return self._plain(text)
        return self._made.setdefault(text, f"{self._plain(found[1])}${len(self._made)}")

    def _entries(self, value: Mapping[Any, Any]) -> Iterator[Any]:
        for key, entry in value.items():
            if entry is not self._inlined:
                yield from (key, entry)
