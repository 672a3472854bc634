"""One game, ready to be run: its program, and the declarations behind it."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespec.lower.context import Context
    from rulespec.lower.ir import Program
    from rulespec.model.world import World


class Built:
    """A game's declarations, its program, and the context that can lower more (texts, tests).

    `key` stands for all that the program depends on, where it is kept. The context, with the declarations in it, may be
    made when it is first asked for: playing needs the program alone.
    """

    __slots__ = ("_context", "_make", "_making", "key", "program")

    def __init__(self, context: Context | Callable[[], Context], program: Program, key: str | None = None) -> None:
        self.program = program
        self.key = key
        self._context: Context | None = None if callable(context) else context
        self._make: Callable[[], Context] | None = context if callable(context) else None
        self._making = RLock()

    @property
    def context(self) -> Context:
        """What more can be lowered with."""
        if self._context is None:
            with self._making:
                if self._context is None:  # no other thread has made it meanwhile
                    assert self._make is not None
                    self._context, self._make = self._make(), None
        return self._context

    @property
    def world(self) -> World:
        """The declarations."""
        return self.context.world

    def with_program(self, program: Program) -> Built:
        """The same declarations with another program, which is kept nowhere."""
        return Built(lambda: self.context, program)
