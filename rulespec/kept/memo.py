"""Results of stages by key: those of the last check, and those that this one has used or made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulespec.source import store


class Memo:
    """Plain data by key. What a check neither uses nor makes is not kept for the next one: it stays as small as needed.

    One is for one game: `begin` before each check of it.
    """

    def __init__(self, known: Mapping[str, Any] | None = None) -> None:
        self._known: dict[str, Any] = dict(known or {})
        self._last: dict[str, Any] = {}
        self._used: dict[str, Any] = {}
        self.made = 0  #: how many results were found anew since `begin`

    def begin(self) -> None:
        """Begins another check: what the last two used is known, so that an edit that is undone costs nothing."""
        if self._used:
            self._known = {**self._last, **self._used}
            self._last, self._used = self._used, {}
        self.made = 0

    def get(self, key: str) -> Any:
        """What is kept under a key, or None."""
        if key in self._used:
            return self._used[key]
        found = self._known.get(key)
        if found is not None:
            self._used[key] = found
        return found

    def put(self, key: str, data: Any) -> None:
        """Keeps a result, which is plain data and not None."""
        self._used[key] = data
        self.made += 1

    def of(self, key: str | None, make: Callable[[], Any]) -> Any:
        """The result under a key, made where it is not kept; without a key it is made and not kept."""
        if key is None:
            return make()
        found = self.get(key)
        if found is None:
            found = make()
            self.put(key, found)
        return found

    @property
    def used(self) -> dict[str, Any]:
        """What this check has used or made, by key: all that is kept."""
        return self._used

    # ---- on disk ----

    @classmethod
    def read(cls, name: str) -> Memo:
        """What was written under a name; an empty one where nothing was."""
        data = store.read(name)
        return cls(data if isinstance(data, dict) else None)

    def write(self, name: str) -> None:
        """Keeps what the check has used or made, where it has made anything."""
        if self.made:
            store.write(name, self._used)
