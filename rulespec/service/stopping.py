"""Work that can be stopped when nobody waits for it; what a check found as far as it came is known to the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from rulespec.kept.memo import Memo


class Stopped(Exception):
    """Work was stopped: nobody waits for what it would say."""


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


_IS_OVER: ContextVar[Callable[[], bool] | None] = ContextVar("is_over", default=None)


@contextmanager
def stopping(is_over: Callable[[], bool]) -> Iterator[None]:
    """What is done inside, by this thread, is stopped at its next `go_on` once `is_over`."""
    token = _IS_OVER.set(is_over)
    try:
        yield
    finally:
        _IS_OVER.reset(token)


def go_on() -> None:
    """Said now and then by what takes long. Raises Stopped where nobody waits for it any more."""
    is_over = _IS_OVER.get()
    if is_over is not None and is_over():
        raise Stopped
