"""What is made again and again of one game is made once: only what has the same outcome for the same content each time.

with remembered():
    examine(text, folder, seed)

The check, play, the reading of a save and the book each parse and lower the game by themselves. Here they
still read it, settle and resolve it; what follows from the same tree is the first one's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any
from unittest.mock import patch

from interpreter.book import make as printing
from rulespec import build as building
from rulespec.build import Built, lowered, ready
from rulespec.diagnostics.model import Problem, Problems
from rulespec.expr import ast, parse
from rulespec.kept import builds
from rulespec.lower import make
from rulespec.lower.context import Parsed
from rulespec.lower.steps.shared import Shared
from rulespec.overlay.fingerprint import fingerprint, hints_fingerprint, text_fingerprint
from rulespec.source.nodes import Mapping as Tree
from rulespec.source.text import Span

_run = parse._run
Key = tuple[str, ...]
LATER = 1_000_000  #: more than the names of one lowering


class _Remembered:
    """Expressions by the place they were read from, and lowerings by their tree.

    Each is kept with what it was made from, so that no other one gets its number.
    """

    def __init__(self) -> None:
        self.expressions: dict[tuple[int, int, int, str], tuple[Span, ast.Expr]] = {}
        self.keys: dict[int, tuple[Tree, Key]] = {}
        self.lowerings: dict[tuple[Key, int, str, bool], tuple[Built, list[Problem]]] = {}

    def run(self, span: Span, start: str, problems: Problems) -> ast.Expr | None:
        """As the parser, which reports what is wrong each time it is asked: such is not kept."""
        key = (id(span.file), span.start, span.end, start)
        if key in self.expressions:
            return self.expressions[key][1]
        found = _run(span, start, problems)
        if found is not None:
            self.expressions[key] = (span, found)
        return found

    def lowered(
        self,
        tree: Tree,
        players: int,
        options: Mapping[str, Any],
        problems: Problems,
        parsed: Parsed,
        shared: Shared | None = None,
    ) -> Built:
        """As `rulespec.build.lowered`."""
        # what the builds of a check share has its slots numbered as they came up in it: nobody plays such a one
        key = (self._key(tree), players, repr(sorted(options.items())), shared is not None)
        if key not in self.lowerings:
            found = Problems()
            with _names_from(0):  # each has the same names: the same source comes of the same
                self.lowerings[key] = lowered(tree, players, options, found, parsed, shared), list(found.items)
        built, reported = self.lowerings[key]
        problems.extend(reported)
        return built

    def build(
        self,
        tree: Tree,
        players: int,
        options: Mapping[str, Any] | None = None,
        problems: Problems | None = None,
        parsed: Parsed | None = None,
    ) -> Built | None:
        """As `rulespec.build.build`."""
        problems = problems if problems is not None else Problems()
        built = self.lowered(tree, players, options or {}, problems, parsed or Parsed())
        return None if problems.has_errors else ready(built)

    def _key(self, tree: Tree) -> Key:
        """All that is played or said in a tree."""
        if id(tree) not in self.keys:
            self.keys[id(tree)] = tree, (fingerprint(tree), text_fingerprint(tree), hints_fingerprint(tree))
        return self.keys[id(tree)][1]


@contextmanager
def remembered() -> Iterator[None]:
    """Inside, each of these is made once; all are forgotten behind it."""
    kept = _Remembered()
    with ExitStack() as stack:
        for module, name in (
            (parse, "_run"),
            (builds, "lowered"),
            (building, "build"),  # `interpreter.game` asks for it when it builds
            (printing, "build"),
        ):
            stack.enter_context(patch.object(module, name, getattr(kept, name.removeprefix("_"))))
        # names that are made later are none of those
        stack.enter_context(_names_from(LATER))
        yield


@contextmanager
def _names_from(first: int) -> Iterator[None]:
    """Inside, the names of variables are numbered from here on."""
    token = make._made_in.set(("", count(first)))
    try:
        yield
    finally:
        make._made_in.reset(token)
