"""A check that can be stopped: what it found as far as it came is known to the next one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulespec.kept.memo import Memo


class Stopped(Exception):
    """A check was stopped: nobody waits for what it would say."""


class StoppableMemo(Memo):
    """Results of stages, as of any check. `is_over` is asked before each: where it is so, the check is stopped."""

    def __init__(self, known: Mapping[str, Any] | None = None) -> None:
        super().__init__(known)
        self.is_over: Callable[[], bool] = lambda: False

    def get(self, key: str) -> Any:
        """What is kept under a key, or None. Raises Stopped."""
        self._ask()
        return super().get(key)

    def put(self, key: str, data: Any) -> None:
        """Keeps a result, which is plain data and not None. Raises Stopped."""
        super().put(key, data)
        self._ask()

    def _ask(self) -> None:
        if self.is_over():
            self._known.update(self._used)
            self._used = {}
            raise Stopped
