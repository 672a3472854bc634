"""What several languages say alike and one does not: counts of which two or more agree against a single one.

Of two languages nobody can say which is right, and free wording has one term more here and there. What all others say
exactly so, and one language says once less of and once more of something else, was put for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulespec.texts.signature import Count

#: How often each language says each of several things.
Counts = Mapping[str, Mapping[str, Count]]
_NOT: Count = (0, 0)
_FEWEST = 2  #: others that must agree


def put_for(counts: Counts, things: Iterable[str]) -> tuple[str, str, str] | None:
    """The language that says one thing once less, and another once more, than all others; what it lost, what it has."""
    ordered = list(things)
    for language in counts:
        others = [other for other in counts if other != language]
        if len(others) < _FEWEST:
            continue
        lost = [thing for thing in ordered if all(_more(counts, other, language, thing) == 1 for other in others)]
        gained = [thing for thing in ordered if all(_more(counts, language, other, thing) == 1 for other in others)]
        if lost and gained:
            return language, lost[0], gained[0]
    return None


def lacking(counts: Counts, things: Iterable[str]) -> tuple[str, str] | None:
    """The language that surely does not say what all others surely say, and what that is."""
    for thing in things:
        without = [language for language in counts if not counts[language].get(thing, _NOT)[1]]
        with_it = [language for language in counts if counts[language].get(thing, _NOT)[0]]
        if len(without) == 1 and len(with_it) == len(counts) - 1 >= _FEWEST:
            return without[0], thing
    return None


def turned(counts: Counts, pair: tuple[str, str]) -> tuple[str, str, str] | None:
    """The language that says one of two opposites where all others say none of it and may say the other: it, and both.

    What the others may say, in words that can mean it, is enough where two or more of them agree.
    """
    for one, opposite in (pair, pair[::-1]):
        odd = [each for each in counts if counts[each].get(one, _NOT)[0] and not counts[each].get(opposite, _NOT)[1]]
        rest = [each for each in counts if not counts[each].get(one, _NOT)[1] and counts[each].get(opposite, _NOT)[1]]
        if len(odd) == 1 and len(rest) == len(counts) - 1 >= _FEWEST:
            return odd[0], opposite, one
    return put_for(counts, pair)


def _more(counts: Counts, one: str, other: str, thing: str) -> int:
    """How much oftener one language surely says something than another can."""
    return counts[one].get(thing, _NOT)[0] - counts[other].get(thing, _NOT)[1]
