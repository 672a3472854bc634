"""Results that are kept for as long as what they were made of is the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """The last results by key. What is kept is what would be made anew, so nobody sees whether it was."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[K, V] = OrderedDict()

    def of(self, key: K, make: Callable[[], V]) -> V:
        """The result for a key, made where it is not kept."""
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        made = self._found[key] = make()
        while len(self._found) > self._most:
            self._found.popitem(last=False)
        return made
