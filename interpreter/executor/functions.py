"""The declared functions, as Python source: plain ones, and those that remember or keep their values."""

from __future__ import annotations

from math import prod

from interpreter.executor import memo
from interpreter.executor.first_call import Later
from interpreter.executor.writing import Source, function_name, plain_name
from interpreter.middle.analysis import memoised
from interpreter.middle.analysis.calls import repeated_calls
from interpreter.middle.analysis.cost import COSTLY
from interpreter.middle.passes.simplify import Simplifier
from rulespec.lower.ir import Ir
from rulespec.model.types import Piece, strip


def write_functions(later: Later, traced: bool, simplifier: Simplifier | None) -> None:
    """The declared functions; those that remember values know what these depend on before anything is written."""
    s = later.source
    keeping = {} if traced or s.layout.wide else memoised.worth_keeping(s.declared)
    keys = {name: key for name in s.declared.functions if (key := memo.key_of(s, name)) is not None}
    for_good = set() if traced else memoised.known_for_good(s.declared) - keeping.keys() - keys.keys()
    s.twins = memoised.callers_of(s.declared, keeping.keys() | keys.keys()) if keeping else set(keys)
    s.remembered = dict(keys)
    later.namespace.update((f"{function_name(name)}_known", {}) for name in keys)
    for name in s.declared.functions:
        wrapped = name in keys or name in keeping or name in for_good

        def write(name: str = name) -> None:
            _write_declared(s, name, simplifier, keys.get(name), keeping, for_good, traced)

        plain = [plain_name(name)] if wrapped or name in s.twins else []
        later.add([function_name(name), *plain], write)


def _write_declared(  # noqa: PLR0913, PLR0917  (how a function is written)
    s: Source,
    name: str,
    simplifier: Simplifier | None,
    key: memoised.Key | None,
    keeping: dict[str, tuple[str, ...]],
    for_good: set[str],
    traced: bool,
) -> None:
    assert s.costs is not None
    s.counting = s.costs.function(name) >= COSTLY
    function = s.declared.functions[name]
    params = [s.variable(f"{name}.{p}") for p, _ in function.params]
    assert function.body is not None
    body = function.body if simplifier is None else simplifier.body(name)
    if name in s.twins:
        s.plainly = bool(keeping)
        _write_function(s, plain_name(name), params, body, name if traced else "")
        s.plainly = False
    if key is not None:
        memo.write(s, function_name(name), params, key)
    elif name in keeping:
        _write_keeping(s, name, params, keeping[name])
    elif name in for_good:
        _write_function(s, plain_name(name), params, body, "")
        _write_known(s, name, params)
    else:
        _write_function(s, function_name(name), params, body, name if traced else "")
    s.counting = False


def _write_function(s: Source, written: str, params: list[str], body: Ir, ran: str) -> None:
    s.line(f"def {written}({', '.join(['c', *params])}):")
    s.indent = 1
    if ran:
        s.line(f"ran({ran!r})")
    for call in repeated_calls(body):
        s.found[call] = s.atom(call)
    s.line(f"return {s.ex(body)}")
    s.found.clear()
    s.indent = 0


def _write_keeping(s: Source, name: str, params: list[str], zones: tuple[str, ...]) -> None:
    """A function that looks at what is kept of it first."""
    declared = [s.declared.zones[zone] for zone in zones]
    base = min(s.layout.zones[z.key] for z in declared)
    end = max(s.layout.zones[z.key] + z.places * s.layout.strides[z.key] for z in declared)
    sizes = memoised.sizes_of(s.declared, name)
    store = f"{function_name(name)}_kept"
    s.line(f"{store} = Kept({plain_name(name)}, {base}, {end}, {prod(sizes)})")
    s.line(f"def {function_name(name)}({', '.join(['c', *params])}):")
    s.indent = 1
    number = params[0]
    for param, size in zip(params[1:], sizes[1:], strict=True):
        number = f"({number}) * {size} + {param}"
    s.line(f"now = {s.pieces}[{base}:{end}]")
    s.line(f"if now != {store}.now: {store}.refresh(now)")
    s.line(f"x = {store}.values[{number}]")
    s.line(f"return x if x is not None else {store}.find({', '.join(['c', number, *params])})")
    s.indent = 0


def _write_known(s: Source, name: str, params: list[str]) -> None:
    """A function that finds each value once."""
    types = [strip(t) for _, t in s.declared.functions[name].params]
    keys = [f"{p} % {s.declared.codes}" if isinstance(t, Piece) else p for p, t in zip(params, types, strict=True)]
    known = f"{function_name(name)}_known"
    s.line(f"{known} = {{}}")
    s.line(f"def {function_name(name)}({', '.join(['c', *params])}):")
    s.indent = 1
    key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
    s.line(f"x = {known}.get({key})")
    with s.block("if x is None:"):
        s.line(f"x = {known}[{key}] = {plain_name(name)}({', '.join(['c', *params])})")
    s.line("return x")
    s.indent = 0
