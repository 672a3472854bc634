"""Every module and every public function says what it is for; examples in docstrings run."""

from __future__ import annotations

import ast
import doctest
import importlib
from functools import cache

import pytest

from tests.project.modules import Function, FunctionNode, Module, functions, modules, places

# A value's name says what it gives, and a method that fulfils a promise is documented where the promise is made.
NAMED_BY_WHAT_THEY_GIVE = {"property", "cached_property", "overload", "override"}


def _decorators(node: FunctionNode) -> set[str]:
    names = (decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in node.decorator_list)
    return {name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "") for name in names}


@cache
def _classes(module: Module) -> dict[str, ast.ClassDef]:
    return {node.name: node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)}


def _is_public(function: Function) -> bool:
    """Functions inside functions are part of how the outer one works: only names that can be reached count."""
    *owners, name = function.name.split(".")
    parts = (*function.module.name.split("."), *owners, name)
    return not any(part.startswith("_") for part in parts) and set(owners) <= _classes(function.module).keys()


def _is_documented(function: Function) -> bool:
    """By itself; or by its class, where that has "One method for each" thing that is described elsewhere."""
    if ast.get_docstring(function.node) or _decorators(function.node) & NAMED_BY_WHAT_THEY_GIVE:
        return True
    owners = (_classes(function.module)[owner] for owner in function.name.split(".")[:-1])
    return any((ast.get_docstring(owner) or "").startswith("One method for each") for owner in owners)


def test_every_module_says_what_it_is_for() -> None:
    silent = [module.place for module in modules().values() if module.tree.body and not ast.get_docstring(module.tree)]
    assert silent == []


def test_every_public_function_has_a_docstring() -> None:
    assert [str(function) for function in functions() if _is_public(function) and not _is_documented(function)] == []


def test_no_docstring_repeats_the_name() -> None:
    """`def read_file: "Read file."` says nothing that the name does not."""
    empty = []
    for function in functions():
        words = (ast.get_docstring(function.node) or "-").lower().rstrip(".").split()
        said = {word for word in words if word not in {"the", "a", "an", "this", "of"}}
        if said <= set(function.node.name.strip("_").split("_")):
            empty.append(str(function))
    assert empty == []


def _with_examples() -> list[str]:
    """The names alone: to read all trees takes longer than to collect all tests."""
    return [name for name, path in places().items() if ">>>" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", _with_examples())
def test_examples_in_docstrings_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
