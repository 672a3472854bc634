"""Walks that call themselves as deep as content is nested, on a stack of their own: Python's own ends at some hundred.

A walk is a generator. What it yields is another walk, whose result it is given; what it returns is its own.

>>> def depth(lists):
...     inner = []
...     for each in lists:
...         inner.append((yield depth(each)))
...     return 1 + max(inner, default=0)
>>> walked(depth([[], [[]]]))
3
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

Result = TypeVar("Result")

#: a walk that yields walks, and returns a result
Walking = Generator["Walking[Any]", Any, Result]


def walked(walk: Walking[Result]) -> Result:
    """The result of a walk, however deep it goes."""
    waiting: list[Walking[Any]] = [walk]
    result: Any = None
    while waiting:
        try:
            inner = waiting[-1].send(result)
        except StopIteration as end:
            waiting.pop()
            result = end.value
        else:
            waiting.append(inner)
            result = None
    found: Result = result
    return found
