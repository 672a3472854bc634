"""What relations that stand for each other come to: one view of a case, where some language is the odd one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from rulespec.texts.contrasts import Contrast, contrasts
from rulespec.texts.differences import RELATION, Difference, Said
from rulespec.texts.judged import View
from rulespec.texts.trust import Trust

_WORDED: Final = 0.62  #: how sure it is where both sides have words for what they say
_ALONE: Final = 0.52  #: how sure it is where only one has


def related(sides: Mapping[str, Said], trust: Trust) -> View | None:
    """The relations of which one stands for another; None where there are none.

    Of more than two languages one alone has to differ from all others in the same set.
    """
    left = any(part.language != language for language, said in sides.items() for part in said.parts)
    if trust.encoder is None or len(sides) < 2 or left:  # what is left in another language is told as that
        return None
    texts = {language: " ".join(part.text for part in said.parts) for language, said in sides.items()}
    found = {
        pair: {each.kind: each for each in contrasts({language: texts[language] for language in pair}, trust)}
        for pair in combinations(texts, 2)
    }
    told = [each for kind in _kinds(found) if (each := _odd(kind, found, list(texts))) is not None]
    if not told:
        return None
    sure = _WORDED if any(each.is_worded for each in told) else _ALONE
    return View("term", "text", sure, [one for each in told for one in _differences(each)])


def _kinds(found: Mapping[tuple[str, str], Mapping[str, Contrast]]) -> list[str]:
    return list(dict.fromkeys(kind for by_kind in found.values() for kind in by_kind))


def _odd(kind: str, found: Mapping[tuple[str, str], Mapping[str, Contrast]], languages: list[str]) -> Contrast | None:
    """A contrast of a set, where it sets one language apart from all others."""
    for language in languages:
        own = [by_kind.get(kind) for pair, by_kind in found.items() if language in pair]
        others = [by_kind.get(kind) for pair, by_kind in found.items() if language not in pair]
        if all(own) and not any(others):
            return own[0]
    return None


def _differences(each: Contrast) -> list[Difference]:
    """What one language has in place of another, as differences: lost and gained by the language named last."""
    one, other = each.language, each.other
    last = max(one, other)
    found = [_difference(f"{each.kind}.{each.sense}", last, lost=one != last, having=one, lacking=other)]
    if each.is_worded:
        found.append(_difference(f"{each.kind}.{each.instead}", last, lost=other != last, having=other, lacking=one))
    return found


def _difference(what: str, language: str, *, lost: bool, having: str, lacking: str) -> Difference:
    return Difference(RELATION, what, language, lost, alone=False, counts=((having, (1, 1)), (lacking, (0, 0))))
