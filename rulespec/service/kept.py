"""Results that are kept for as long as what they were made of is the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """The last results by key. What is kept is what would be made anew, so nobody sees whether it was.

    Where a key has a `weight`, those of all that is kept are at most `most` together, but for the last one; else so
    many results are kept. Several threads may ask.
    """

    def __init__(self, most: int, weight: Callable[[K], int] = lambda key: 1) -> None:
        self.most, self._weight = most, weight
        self._held = 0
        self._found: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def of(self, key: K, make: Callable[[], V]) -> V:
        """The result for a key, made where it is not kept."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        made = make()  # two threads may make the same: the later one stays
        with self._lock:
            self._put(key, made)
        return made

    def __len__(self) -> int:
        return len(self._found)

    def _put(self, key: K, made: V) -> None:
        if key not in self._found:
            self._held += self._weight(key)
        self._found[key] = made
        while self._held > self.most and len(self._found) > 1:
            gone, _ = self._found.popitem(last=False)
            self._held -= self._weight(gone)
