"""What is offered: one thing each, and the order in which things are offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

#: How many things are offered at most.
MOST = 200
#: How many of them are seen at once: an editor shows about so many.
AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that may stand at a position.

    `label` is what is shown and looked for; `insert` is what is written, a snippet with `$1`, `${1:word}` and `$0`
    where `is_snippet`. `kind` is a word such as `field`, `word`, `member`, `function`; `detail` its type or what it
    belongs to, `meaning` a sentence or two. `rank` comes first in the order: what fits has a low one.
    """

    label: str
    kind: str
    detail: str = ""
    meaning: str = ""
    insert: str = ""
    rank: int = 0
    is_snippet: bool = False

    @property
    def written(self) -> str:
        """What is written when it is taken."""
        return self.insert or self.label


def ordered(items: Iterable[Item], typed: str, cost: Callable[[Item], float] | None = None) -> tuple[Item, ...]:
    """The items that what was typed may become, best first; each label once.

    First come those that begin with it, then those in which its letters follow one another; inside of that what it
    costs (by itself its rank) to believe that this one is meant, then the order in which they came. Of those that are
    seen at once, what fits by itself stands before what only leads to it: a condition in `where` before a site.
    """
    best: dict[str, tuple[tuple[int, float, int], Item]] = {}
    for number, item in enumerate(items):
        fit = fit_of(item.label, typed)
        if fit is None:
            continue
        key = (fit, item.rank if cost is None else cost(item), number)
        if item.label not in best or key < best[item.label][0]:
            best[item.label] = (key, item)
    found = sorted(best.values(), key=lambda pair: pair[0])[:MOST]
    seen = sorted(found[:AT_ONCE], key=lambda pair: (pair[0][0], pair[1].rank > 0))
    return tuple(item for _, item in [*seen, *found[AT_ONCE:]])


def fit_of(label: str, typed: str) -> int | None:
    """0 for a word that begins as typed, 1 for a part of it that does, 2 for letters in that order; None for none."""
    if label.startswith(typed):
        return 0
    low, wanted = label.lower(), typed.lower()
    if low.startswith(wanted):
        return 0
    if f"_{wanted}" in low or f".{wanted}" in low:
        return 1
    at = 0
    for letter in wanted:
        at = low.find(letter, at) + 1
        if at == 0:
            return None
    return 2
