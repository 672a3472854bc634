"""The project's own modules as syntax trees, for the tests of how the project is built."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("rulespec", "interpreter")

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One module: its dotted name (a package's is that of its folder), its file and its tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def place(self) -> str:
        return self.path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Function:
    """A function or method. `name` is qualified, `lines` leaves out its docstring."""

    module: Module
    name: str
    node: FunctionNode
    lines: int

    def __str__(self) -> str:
        return f"{self.module.place}:{self.node.lineno} {self.name}"


@lru_cache
def modules() -> dict[str, Module]:
    """Every module of both packages by name."""
    found = {}
    for name, path in places().items():
        text = path.read_text(encoding="utf-8")
        found[name] = Module(name, path, text, ast.parse(text))
    return found


def places() -> dict[str, Path]:
    """The file of every module of both packages."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imports(module: Module) -> Iterator[tuple[str, int]]:
    """What the module imports, anywhere in it, and the line. `from a import b` is `a.b` where that is a module."""
    for node in ast.walk(module.tree):
        yield from ((target, node.lineno) for target in _imported(node) if isinstance(node, ast.stmt))


def imports_at_start(module: Module) -> set[str]:
    """What the module imports when it is itself imported: not in functions, and not for the type checker alone."""
    late = {id(inner) for node in ast.walk(module.tree) if _is_later(node) for inner in ast.walk(node)}
    return {target for node in ast.walk(module.tree) if id(node) not in late for target in _imported(node)}


def without_type_checking(tree: ast.Module) -> ast.Module:
    """A module without what it holds for the type checker alone."""
    return ast.Module([node for node in tree.body if not _is_for_the_type_checker(node)], tree.type_ignores)


def _is_for_the_type_checker(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_later(node: ast.AST) -> bool:
    return _is_for_the_type_checker(node) or isinstance(node, FunctionNode)


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module is not None:
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            yield inner if inner in modules() else node.module


@lru_cache
def functions() -> tuple[Function, ...]:
    """Every function of both packages, those inside others too."""
    return tuple(found for module in modules().values() for found in _functions(module, module.tree, ""))


def _functions(module: Module, node: ast.AST, prefix: str) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        name = f"{prefix}{child.name}" if isinstance(child, FunctionNode | ast.ClassDef) else prefix
        if isinstance(child, FunctionNode):
            yield Function(module, name, child, _lines(child))
        inner = f"{name}." if name != prefix else prefix
        yield from _functions(module, child, inner)


def _lines(node: FunctionNode) -> int:
    """From `def` to the end, without decorators and docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines
