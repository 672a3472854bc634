"""What is wrong with a made game is taken out: the step or entry around the place of each error. Texts are added.

smaller = without(tree, problems)           # None where nothing of it can go
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from bench.games.files import FILES, MAIN
from rulespec.diagnostics.model import Problem, Problems
from rulespec.source.nodes import Mapping, Node, Sequence, read_yaml
from rulespec.source.text import Span

Path = tuple[str | int, ...]
#: what a game cannot do without
NEEDED = ("game", "flow", "ranking")


def without(tree: dict[str, Any], problems: Iterable[Problem]) -> dict[str, Any] | None:
    """The tree without what its errors stand in."""
    problems = list(problems)
    missing = [str(problem.args["key"]) for problem in problems if problem.code == "RS505"]
    wrong = [problem.span for problem in problems if problem.code != "RS505"]
    reads = {span.file.name: read_yaml(span.file, Problems()) for span in wrong}
    paths = {path for span in wrong if (path := _place(reads[span.file.name], span, tree)) is not None}
    if not paths and not missing:
        return None
    found = copy.deepcopy(tree)
    for key in missing:
        found.setdefault("messages", {}).setdefault(key, {"en": key.replace(".", " ")})
    for path in sorted(paths, key=_order, reverse=True):
        cut(found, path)
    return found


def _place(read: Node | None, span: Span, tree: dict[str, Any]) -> Path | None:
    """What goes for a place in one of the files: where nothing smaller can, a file beside the game's own as a whole."""
    name = PurePath(span.file.name).name
    inner = _around(read, span.start)
    if name == MAIN:
        return inner
    if name not in tree.get(FILES, {}):
        return None
    return (FILES, name, *(inner if inner is not None and inner[0] not in ("pack", "game") else ()))


def _order(path: Path) -> tuple[tuple[int, str, int], ...]:
    """Members of one list from the first to the last, so that the last are taken out first."""
    return tuple((0, "", part) if isinstance(part, int) else (1, part, 0) for part in path)


def cut(tree: Any, path: Path) -> None:
    """Takes out what stands at a path, if it is there still."""
    with suppress(LookupError, TypeError):
        for part in path[:-1]:
            tree = tree[part]
        del tree[path[-1]]


def _around(node: Node | None, start: int) -> Path | None:
    """The path of the innermost step, or of the declaration, in which a place lies."""
    path = list(_way(node, start))
    last = max((i for i, part in enumerate(path) if isinstance(part, int)), default=-1)
    if last >= 0:
        return tuple(path[: last + 1])
    return tuple(path[:2]) if len(path) > 1 and path[0] not in NEEDED else None


def _way(node: Node | None, start: int) -> Iterator[str | int]:
    """The keys and numbers of members that lead to a place."""
    pairs: list[tuple[str | int, Node]] = []
    if isinstance(node, Mapping):
        for key, value in node.pairs:
            if key.span.start <= start < key.span.end:
                yield key.text
                return
            pairs.append((key.text, value))
    elif isinstance(node, Sequence):
        pairs = list(enumerate(node.items))
    for part, value in pairs:
        if value.span.start <= start < max(value.span.end, value.span.start + 1):
            yield part
            yield from _way(value, start)
            return
