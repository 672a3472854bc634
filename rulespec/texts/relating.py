"""What relations that stand for each other come to: one view of a case, where some language is the odd one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rulespec.texts.contrasts import Contrast, contrasts
from rulespec.texts.differences import RELATION, Difference, Said
from rulespec.texts.judged import View
from rulespec.texts.trust import Asking, Trust

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
    told = [each for each in told if each.language == told[0].language]
    sure = _WORDED if any(each.is_worded for each in told) else _ALONE
    return View("term", "text", sure, [one for each in told for one in _differences(each)])


def encode_all(cases: Iterable[Mapping[str, Said]], trust: Trust) -> None:
    """Encodes at once what the test will ask for of sentences that stand together: one by one takes twice as long."""
    if trust.encoder is not None:
        asking = Asking(trust.sure, trust.alone, trust.encoder)
        for sides in cases:
            related(sides, asking)
        trust.encoder.encode(list(dict.fromkeys(asking.asked)))


@dataclass(frozen=True)
class _Apart:
    """A language that differs from all others in a set: the sense that it says, and that each other one says.

    None where a language has no words for it.
    """

    language: str
    kind: str
    own: str | None
    others: Mapping[str, str | None]

    @property
    def is_worded(self) -> bool:
        """Whether both sides have words for what they say."""
        return self.own is not None and any(self.others.values())


def _kinds(found: Mapping[tuple[str, str], Mapping[str, Contrast]]) -> list[str]:
    return list(dict.fromkeys(kind for by_kind in found.values() for kind in by_kind))


def _odd(kind: str, found: Mapping[tuple[str, str], Mapping[str, Contrast]], languages: list[str]) -> _Apart | None:
    """The language that a set sets apart from all others; of two the later one, whatever their order."""
    for language in sorted(languages, reverse=True):
        own = [by_kind.get(kind) for pair, by_kind in found.items() if language in pair]
        others = [by_kind.get(kind) for pair, by_kind in found.items() if language not in pair]
        if all(own) and not any(others):
            return _apart(language, kind, [each for each in own if each is not None])
    return None


def _apart(language: str, kind: str, contrasts: Sequence[Contrast]) -> _Apart | None:
    """What a language and the others say by the contrasts with each; None where these have not the same sense."""
    own = {_said(each, language) for each in contrasts}
    others = {
        other: _said(each, other) for each in contrasts for other in (each.language, each.other) if other != language
    }
    theirs = set(others.values())
    if len(own - {None}) > 1 or len(theirs - {None}) > 1 or (None in own and None in theirs):
        return None
    return _Apart(language, kind, next(iter(own - {None}), None), others)


def _said(each: Contrast, language: str) -> str | None:
    """The sense that a language says by a contrast; None where it has no words for it."""
    if each.language == language:
        return each.sense
    return each.instead if each.is_worded else None


def _differences(each: _Apart) -> Iterator[Difference]:
    """What a language has in place of what the others have, as differences: gained and lost by it."""
    if each.own is not None:
        yield _difference(each, each.own, {each.language})
    saying = {language: sense for language, sense in each.others.items() if sense is not None}
    if saying:
        yield _difference(each, next(iter(saying.values())), set(saying))


def _difference(each: _Apart, sense: str, having: set[str]) -> Difference:
    counts = tuple((one, (int(one in having),) * 2) for one in (each.language, *each.others))
    is_lost, is_alone = each.language not in having, len(each.others) > 1
    return Difference(RELATION, f"{each.kind}.{sense}", each.language, is_lost, is_alone, counts)
