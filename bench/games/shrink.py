"""Makes the tree of a game small, as long as the same goes wrong with it.

smaller = shrunk(tree, still_wrong, tries=300)
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from typing import Any

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_text
from rulespec.expr.walk import parts

Path = tuple[str | int, ...]
Tree = dict[str, Any]
#: what an expression is tried to be instead of itself, beside its own parts
PLAIN = ("0", "1", "true", "false", "red", "me", "none", "player")


def shrunk(tree: Tree, still: Callable[[Tree], Tree | None], *, tries: int = 400, seconds: float = 120) -> Tree:
    """The tree without what is not needed: larger parts first, then smaller ones, then parts of expressions.

    `still` gives the tree in which the same goes wrong, which may be smaller than the one that was asked for; or None.
    """
    left, ends = tries, time.monotonic() + seconds
    for ways in (_without_stretches, _without_stretches, _simpler, _without_stretches):
        at = 0
        while left > 0 and time.monotonic() < ends:
            paths = [path for path, _ in _paths(tree)]
            if at >= len(paths):
                break
            for smaller in ways(tree, paths[at]):
                left -= 1
                found = still(smaller) if isinstance(smaller, dict) and smaller else None
                if found is not None and len(repr(found)) < len(repr(tree)):
                    tree = found
                    break
                if left <= 0 or time.monotonic() > ends:
                    break
            else:
                at += 1
    return tree


def _paths(node: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every map, list and value in a tree with its path, outermost first."""
    waiting: list[tuple[Path, Any]] = [(path, node)]
    while waiting:
        path, node = waiting.pop(0)
        yield path, node
        if isinstance(node, dict):
            waiting += [((*path, key), value) for key, value in node.items()]
        elif isinstance(node, list):
            waiting += [((*path, number), value) for number, value in enumerate(node)]


def _at(tree: Any, path: Path) -> Any:
    for part in path:
        tree = tree[part]
    return tree


def _with(tree: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    found = copy.deepcopy(tree)
    _at(found, path[:-1])[path[-1]] = value
    return found


def _without_stretches(tree: Any, path: Path) -> Iterator[Any]:
    """Without half of the members of a map or list, then a quarter, then each; and a step replaced by what is in it."""
    node = _at(tree, path)
    if isinstance(node, (dict, list)) and node:
        size = len(node) // 2 if len(node) > 3 else 1
        while size:
            for start in range(0, len(node), size):
                yield _with(tree, path, _cut(node, start, size))
            size //= 2
    if path and isinstance(path[-1], int) and isinstance(node, dict):
        for inner in node.values():
            if isinstance(inner, list) and inner and isinstance(inner[0], dict):
                around = _at(tree, path[:-1])
                yield _with(tree, path[:-1], [*around[: path[-1]], *inner, *around[path[-1] + 1 :]])


def _cut(node: Any, start: int, size: int) -> Any:
    if isinstance(node, list):
        return node[:start] + node[start + size :]
    return {key: value for number, (key, value) in enumerate(node.items()) if not start <= number < start + size}


def _simpler(tree: Any, path: Path) -> Iterator[Any]:
    """With a text that is an expression replaced by a word, or by a part of itself."""
    node = _at(tree, path)
    if not isinstance(node, str) or not path or path[0] == "game":
        return
    read = parse_text(node, Problems())
    inner = [] if read is None else [part.span.text for part in parts(read) if isinstance(part, ast.Expr)]
    for text in dict.fromkeys((*PLAIN, *sorted(inner, key=len))):
        if len(text) < len(node):
            yield _with(tree, path, text)
