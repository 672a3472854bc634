"""Looking on while expressions are lowered: an editor asks which names are known at a place, and which type is wanted.

with watching(lambda scope, e, want, made: seen.append(made.type)):
    context.lower(node, scope)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespec.expr import ast
    from rulespec.lower.ir import Ir
    from rulespec.lower.scope import Scope
    from rulespec.model.types import Type

#: Told of each expression that was lowered: where, what, what was wanted, and what came of it.
Watcher = Callable[["Scope", "ast.Expr", "Type | None", "Ir"], None]

WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Tells `watcher` of all that is lowered inside, each part of an expression before the whole."""
    token = WATCHER.set(watcher)
    try:
        yield
    finally:
        WATCHER.reset(token)
