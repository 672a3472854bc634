"""Circles in who needs whom: found in one pass, however long the chains are."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)


def circles_in(needs: AbstractMapping[Name, Iterable[Name]]) -> list[list[Name]]:
    """The groups of names that all lead to each other; a name alone only where it needs itself.

    >>> circles_in({"a": ["b"], "b": ["a", "c"], "c": []})
    [['a', 'b']]
    """
    place = {name: at for at, name in enumerate(needs)}
    return [sorted(group, key=place.__getitem__) for group in _Search(needs).groups()]


def in_order(needs: AbstractMapping[Name, Iterable[Name]]) -> list[Name]:
    """All names, each after those that it needs (but for circles).

    >>> in_order({"a": ["b"], "b": ["c"], "c": []})
    ['c', 'b', 'a']
    """
    search = _Search(needs)
    for _ in search.groups():
        pass
    return search.left


def way_back(needs: AbstractMapping[Name, Iterable[Name]], start: Name) -> list[Name] | None:
    """A shortest way from a name back to itself, or None."""
    before: dict[Name, Name] = {}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        for to in needs.get(at, ()):
            if to == start:
                path = [at, start]
                while path[0] != start:
                    path.insert(0, before[path[0]])
                return path
            if to not in before:
                before[to] = at
                waiting.append(to)
    return None


@dataclass(slots=True)
class _Search(Generic[Name]):
    """Tarjan's search, with a stack of its own: content may nest deeper than Python's."""

    needs: AbstractMapping[Name, Iterable[Name]]
    number: dict[Name, int] = field(default_factory=dict)
    low: dict[Name, int] = field(default_factory=dict)
    open: list[Name] = field(default_factory=list)
    entered: set[Name] = field(default_factory=set)
    left: list[Name] = field(default_factory=list)

    def groups(self) -> Iterator[list[Name]]:
        """Every circle once."""
        for name in self.needs:
            if name not in self.number:
                yield from self._from(name)

    def _from(self, first: Name) -> Iterator[list[Name]]:
        walk = [(first, self._enter(first))]
        while walk:
            name, rest = walk[-1]
            to = next(rest, None)
            if to is None:
                walk.pop()
                if walk:
                    self.low[walk[-1][0]] = min(self.low[walk[-1][0]], self.low[name])
                yield from self._leave(name)
            elif to not in self.number:
                walk.append((to, self._enter(to)))
            elif to in self.entered:
                self.low[name] = min(self.low[name], self.number[to])

    def _enter(self, name: Name) -> Iterator[Name]:
        self.number[name] = self.low[name] = len(self.number)
        self.open.append(name)
        self.entered.add(name)
        return iter([to for to in self.needs[name] if to in self.needs])

    def _leave(self, name: Name) -> Iterator[list[Name]]:
        if self.low[name] != self.number[name]:
            return
        group: list[Name] = []
        while not group or group[-1] != name:
            group.append(self.open.pop())
            self.entered.discard(group[-1])
        self.left += group
        if len(group) > 1 or name in self.needs[name]:
            yield group
