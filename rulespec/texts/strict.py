"""What is told of sentences of which no term of the game is known: what two signs speak for, or one that is sure.

The words that all games use are weak evidence: each language has its own way with them. So a difference in them alone
is told where one thing stands for its opposite, another bound or another role; a number, where it is in digits or
stands for another; a denial, where without it the sentences would be nearer to each other; may and must, where one
stands for the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from rulespec.texts.differences import Difference, Said
from rulespec.texts.judged import OPPOSITES, View
from rulespec.texts.language import language_of
from rulespec.texts.trust import Trust
from rulespec.texts.wording import Words

_FIRM: Final = 0.5  #: how sure a view is, at least
_AWAY: Final = -0.05  #: where a sentence goes so far away without a word, its partner says the word in another way
#: Words of which one stands for another: how much of something, and who.
_BOUNDS: Final = frozenset({"at_least", "at_most", "exactly", "only"})
_ROLES: Final = frozenset({"each_player", "other_player", "next_player", "active_player", "owner"})
#: Opposites that a sentence can also turn round as a whole: more restricted, less free.
_TURNABLE: Final = frozenset({"more", "fewer"})
_SETS: Final = (_BOUNDS, _ROLES, frozenset({"your", "other_player"}))
_EXCHANGED: Final = 0.55  #: how sure it is that a bound or a role was exchanged


class Strict:
    """Which views of a cluster are told, where its sentences name no term of the game."""

    def __init__(self, trust: Trust, words: Words) -> None:
        self._trust, self._words = trust, words

    def kept(self, sides: Mapping[str, Said], views: Sequence[View]) -> list[View]:
        """The views that are told."""
        return [view for view in map(self._reduced, views) if view is not None and self._is_told(sides, view)]

    def _reduced(self, view: View) -> View | None:
        """A view with what was exchanged in it alone, where it is one of words; None where nothing was.

        That only one side denies is no proof that they are played otherwise: that one allows what the other forbids is.
        """
        if view.kind == "negation" and view.severity == "play" and not _is_turned(view.found):
            return replace(view, severity="text")
        if not all(one.sort == "concept" for one in view.found):
            return view
        lost, gained = [one for one in view.found if one.lost], [one for one in view.found if not one.lost]
        pairs = [(one, other) for one in lost for other in gained if _are_exchanged(one, other)]
        found = list(dict.fromkeys(one for pair in pairs for one in pair))
        if not found:
            return None
        opposite = any(_words(pair) in OPPOSITES and _words(pair) != _TURNABLE for pair in pairs)
        grave = view.severity if opposite else "text"
        return View(view.kind, grave, max(view.confidence, _EXCHANGED), found)

    def _is_told(self, sides: Mapping[str, Said], view: View) -> bool:
        if view.confidence < _FIRM:
            return False
        if view.kind == "reference":  # a letter alone may be of a name, or of a table's own key
            return len({one.lost for one in view.found}) == 2
        if view.kind == "modality":
            return {one.what for one in view.found} >= {"must", "may"} or any(one.alone for one in view.found)
        if view.kind == "negation":
            own = [one for one in view.found if one.sort != "turn"]
            denied = any(one.absent and self._denies(sides, one) for one in own)
            return denied and (_is_turned(own) or not self._is_said_otherwise(sides, view.found))
        if view.kind == "number" and len({one.lost for one in view.found}) == 1:
            if not any(one.absent for one in view.found):  # the same number said once more is a way of speaking
                return False
            return self._is_in_digits(sides, view) or not self._is_said_otherwise(sides, view.found)
        return True

    def _is_in_digits(self, sides: Mapping[str, Said], view: View) -> bool:
        """Whether the numbers that only one side has are in digits there."""
        texts = [
            said.parts[n].text[start:end]
            for said in sides.values()
            for n, start, end in self._words.spots(said, view.found)
        ]
        return bool(texts) and all(any(map(str.isdigit, text)) for text in texts)

    def _denies(self, sides: Mapping[str, Said], one: Difference) -> bool:
        """Whether something is denied that is done, not only named: by more than a word such as *without*."""
        for said in sides.values():
            loose = language_of(said.language).loose
            texts = [said.parts[n].text[start:end].lower() for n, start, end in self._words.spots(said, [one])]
            if texts and not (loose is not None and all(loose.fullmatch(text) for text in texts)):
                return True
        return False

    def _is_said_otherwise(self, sides: Mapping[str, Said], found: Sequence[Difference]) -> bool:
        """Whether a side goes away from the other one without what it alone has: the other says that in other words."""
        if len(sides) != 2:
            return False
        one, other = sides.values()
        whole = {said.language: " ".join(part.text for part in said.parts) for said in (one, other)}
        for said, there in ((one, other), (other, one)):
            spots = list(self._words.spots(said, found))
            if spots:
                rest = " ".join(
                    _cut(part.text, [s[1:] for s in spots if s[0] == n]) for n, part in enumerate(said.parts)
                )
                if self._trust.nearer(whole[said.language], rest, whole[there.language]) < _AWAY:
                    return True
        return False


def _is_turned(found: Sequence[Difference]) -> bool:
    """Whether one side allows what the other one forbids."""
    forbidding = {one.lost for one in found if one.what in ("cannot", "not")}
    return any(one.what == "may" and (not one.lost) in forbidding for one in found)


def _are_exchanged(one: Difference, other: Difference) -> bool:
    both = _words((one, other))
    return both in OPPOSITES or any(both <= words for words in _SETS)


def _words(pair: tuple[Difference, Difference]) -> frozenset[str]:
    return frozenset(str(one.what) for one in pair)


def _cut(text: str, spots: Sequence[tuple[int, int]]) -> str:
    """A text without stretches of it."""
    out, at = "", 0
    for start, end in sorted(spots):
        if start >= at:
            out, at = f"{out}{text[at:start]} ", end
    return out + text[at:]
