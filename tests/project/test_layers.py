"""Who may import whom. The table in docs/architecture.md is the rule; this test reads it there.

A row lists modules (a package's name stands for all in it, the longest name that fits counts) and the libraries that
they may use. A module may import from its own row and from the rows above it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tests.project.modules import PACKAGES, ROOT, Module, imports, imports_at_start, modules, without_type_checking

TABLE = ROOT / "docs" / "architecture.md"
NAME = re.compile(r"`([\w.]+)`")


@dataclass(frozen=True)
class Layer:
    """A row of the table; `height` counts from the top."""

    height: int
    names: tuple[str, ...]
    libraries: frozenset[str]


@lru_cache
def layers() -> tuple[Layer, ...]:
    """The rows of the one table in which the first column is called "modules"."""
    lines = iter(TABLE.read_text(encoding="utf-8").splitlines())
    header = next(line for line in lines if line.startswith("| modules |"))
    assert [cell.strip() for cell in header.strip("|").split("|")] == ["modules", "what they do", "libraries"]
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        names, _, libraries = line.strip("|").split("|")
        rows.append(Layer(len(rows), tuple(NAME.findall(names)), frozenset(NAME.findall(libraries))))
    return tuple(rows)


def _named(module: str) -> str:
    """A package's own module is written with `__init__` in the table where only it is meant."""
    return f"{module}.__init__" if module in PACKAGES else module


def layer_of(module: str) -> Layer | None:
    """The row whose name fits this module with the most parts."""
    parts = _named(module).split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        for layer in layers():
            if name in layer.names:
                return layer
    return None


def _own_imports(module: Module) -> Iterator[tuple[str, int]]:
    for target, line in imports(module):
        if target.split(".")[0] in PACKAGES:
            yield target, line


def test_the_table_was_read() -> None:
    assert len(layers()) > 6
    assert all(layer.names for layer in layers())


def test_every_module_has_a_row() -> None:
    assert [module.place for module in modules().values() if module.tree.body and layer_of(module.name) is None] == []


def test_every_name_in_the_table_is_a_module() -> None:
    names = {name for layer in layers() for name in layer.names}
    assert names - {_named(module) for module in modules()} == set()


def test_rulespec_never_imports_interpreter() -> None:
    wrong = [
        f"{module.place}:{line} imports {target}"
        for module in modules().values()
        for target, line in _own_imports(module)
        if module.name.split(".")[0] == "rulespec" and target.split(".")[0] == "interpreter"
    ]
    assert wrong == []


def test_imports_go_up_the_table() -> None:
    wrong = []
    for module in modules().values():
        own = layer_of(module.name)
        for target, line in _own_imports(module):
            other = layer_of(target)
            if own is None or other is None or other.height > own.height:
                wrong.append(f"{module.place}:{line} imports {target}")
    assert wrong == []


def test_libraries_stay_in_their_rooms() -> None:
    wrong = []
    for module in modules().values():
        layer = layer_of(module.name)
        allowed = (layer.libraries if layer else frozenset()) | sys.stdlib_module_names | set(PACKAGES)
        wrong += [
            f"{module.place}:{line} uses {target}"
            for target, line in imports(module)
            if target.split(".")[0] not in allowed
        ]
    assert wrong == []


def test_no_modules_import_each_other() -> None:
    """No ring of imports; one that a late import in a function closes may only be inside one room.

    There it is the way for functions that call each other, such as those over a tree, to live in several modules.
    """
    below = {name: _needed(module) for name, module in modules().items()}
    assert _rings(below) == {}


def _needed(module: Module) -> set[str]:
    room = module.name.rpartition(".")[0]
    late = {target for target, _ in _own_imports(module) if target.rpartition(".")[0] != room}
    return late | (imports_at_start(module) & modules().keys())


def _rings(below: dict[str, set[str]]) -> dict[str, set[str]]:
    """Take away what imports nothing that is left, or is imported by nothing that is left: what stays is in rings."""
    left = {name: set(targets) for name, targets in below.items()}
    while True:
        used = set().union(*left.values())
        kept = {name for name, targets in left.items() if targets and name in used}
        if kept == left.keys():
            return left
        left = {name: left[name] & kept for name in kept}


def test_rings_are_found() -> None:
    assert _rings({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {}
    assert _rings({"a": {"b"}, "b": {"a", "c"}, "c": set(), "d": {"a"}}) == {"a": {"b"}, "b": {"a"}}
    assert _rings({"a": {"a"}}) == {"a": {"a"}}


#: What a program means, what is known of it, and its code: the last imports the others, and not the other way round.
MEANING = ("interpreter.reference", "interpreter.middle")
CODE = "interpreter.native"


def test_the_meaning_imports_no_code() -> None:
    """Late imports and those for the type checker included."""
    wrong = [
        f"{module.place}:{line} imports {target}"
        for module in modules().values()
        for target, line in _own_imports(module)
        if module.name.startswith(MEANING) and target.startswith(CODE)
    ]
    assert wrong == []


def test_no_private_name_crosses_modules() -> None:
    """But for the type checker alone."""
    wrong = [
        f"{module.place}:{node.lineno} imports {alias.name}"
        for module in modules().values()
        for node in ast.walk(without_type_checking(module.tree))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]
    assert wrong == []


def test_executors_know_what_is_declared_from_the_program_alone() -> None:
    """But for the one that hands the declarations on to those who show a game."""
    wrong = [
        f"{module.place}:{line}"
        for module in modules().values()
        for target, line in imports(module)
        if module.name.startswith((*MEANING, CODE)) and target.startswith("rulespec.model.world")
    ]
    assert [place.partition(":")[0] for place in wrong] == ["interpreter/middle/facts.py"]
