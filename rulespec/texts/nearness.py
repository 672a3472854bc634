"""How near two stretches are by the vectors of an encoder: numbers from 0 to 1, those of neighbours taken into account.

A sentence that is near to everything says little by being near to one: what its nearest sentences have in common
is taken off, as in margin-based mining of parallel sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

_AROUND: Final = 4  #: so many nearest sentences say how near a sentence is to everything
_LOW: Final = 0.2  #: the cosine of sentences that have nothing in common, in one book
_HIGH: Final = 0.8  #: the cosine of sentences that say the same in two languages
_MARGIN: Final = 0.5  #: how much of what the nearest have in common is taken off


class Nearness:
    """The nearness of groups of rows of two matrices of vectors, whose rows have the length 1."""

    def __init__(self, left: Sequence[Any], right: Sequence[Any]) -> None:
        import numpy as np

        self._left, self._right = np.stack(left), np.stack(right)
        self._cosines = self._left @ self._right.T
        self._of_left = _nearest(self._cosines)
        self._of_right = _nearest(self._cosines.T)

    def one(self, i: int, j: int) -> float:
        """Of a row on the left and one on the right."""
        return self._scaled(float(self._cosines[i, j]), float(self._of_left[i]), float(self._of_right[j]))

    def group(self, i: int, n: int, j: int, m: int) -> float:
        """Of n rows on the left and m on the right that follow each other, each as one."""
        if n == m == 1:
            return self.one(i, j)
        left, right = self._left[i : i + n].sum(axis=0), self._right[j : j + m].sum(axis=0)
        cosine = float(left @ right) / (float(left @ left) * float(right @ right)) ** 0.5
        return self._scaled(cosine, float(self._of_left[i : i + n].mean()), float(self._of_right[j : j + m].mean()))

    def _scaled(self, cosine: float, left: float, right: float) -> float:
        high = max(_HIGH, cosine)
        around = (left + right) / 2
        margin = (cosine - around) * _MARGIN
        return max(0.0, min(1.0, (cosine + margin - _LOW) / (high - _LOW)))


def _nearest(cosines: Any) -> Any:
    """For each row the mean of its highest numbers."""
    import numpy as np

    count = min(_AROUND, cosines.shape[1])
    return np.sort(cosines, axis=1)[:, -count:].mean(axis=1)
