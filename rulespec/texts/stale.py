"""Which translations of a rulebook are stale now that the book has a new edition.

    found = editions(old, new, translations, glossary)
    for change, by_language in found.told:
        by_language["fr"].verdict

Each translation is put beside the old edition and beside the new one. Where a sentence says something else now that can
be seen (a number, may or must, a term), the translation says what the old edition said, or what the new one says. Where
only words changed nobody but a reader can tell: that is to be checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rulespec.texts.by_hand import Entry, Unfit, fitted
from rulespec.texts.changes import RELATION, Change, Sign, changes, said_of, senses_in, sign_of, text_of
from rulespec.texts.clusters import Cluster, Read, aligned, with_features
from rulespec.texts.compare import check_sizes, read_all
from rulespec.texts.differences import differences
from rulespec.texts.document import Document
from rulespec.texts.encoder import Encoder, is_known
from rulespec.texts.glossary import Glossary
from rulespec.texts.trust import Trust, trust_in

Verdict = Literal["stale", "check", "fits"]
VERDICTS: Final[tuple[Verdict, ...]] = ("stale", "check", "fits")
#: Why a verdict is what it is, in words.
WHY: Final = {
    "old": "it says what the old edition said",
    "new": "it says what the new edition says",
    "lacks": "it has no sentence for this",
    "unfound": "no sentence for this was found",
    "unsure": "it is not sure which of its sentences this is",
    "left": "it still has this",
    "gone": "it does not have this",
    "words": "only words changed, which a reader has to compare",
    "neither": "it says neither what the old nor what the new edition says",
    "unknown": "what changed cannot be seen in this language",
    "rewritten": "the sentence seems to be written anew",
    "moved": "it stands elsewhere in the new edition",
}


@dataclass(frozen=True)
class Translated:
    """What a translation has for a change: its sentences, and whether they are stale."""

    verdict: Verdict
    why: str
    members: tuple[int, ...]


@dataclass(frozen=True)
class Editions:
    """Two editions of a book, its translations, and what is told of each change; `encoder` put sentences together."""

    old: Read
    new: Read
    translations: tuple[Read, ...]
    documents: tuple[Document, ...]
    told: tuple[tuple[Change, Mapping[str, Translated]], ...]
    unfit: tuple[Unfit, ...] = ()
    encoder: str | None = None

    @property
    def verdicts(self) -> list[Verdict]:
        """All verdicts."""
        return [translated.verdict for _, by_language in self.told for translated in by_language.values()]


def editions(
    old: Document,
    new: Document,
    translations: Sequence[Document],
    glossary: Glossary,
    encoder: Encoder | None = None,
    by_hand: Sequence[Entry] = (),
) -> Editions:
    """What changed from one edition to the next, and what that means for translations. Raises TooMuchToCompare."""
    documents = (old, new, *translations)
    check_sizes(documents)
    encoder = encoder if translations and all(is_known(document.language) for document in documents) else None
    [before, after, *others] = [read_all([document], glossary, encoder)[0] for document in documents]
    found = changes(before, after)
    sides = {other.language: _Translation((before, after), other, found, encoder, by_hand) for other in others}
    told = tuple(
        (change, {code: side.of(change) for code, side in sides.items()} if _asks(change) else {}) for change in found
    )
    unfit = tuple(dict.fromkeys(each for side in sides.values() for each in side.unfit))
    return Editions(before, after, tuple(others), documents, told, unfit, None if encoder is None else encoder.name)


def _asks(change: Change) -> bool:
    """Whether a change asks anything of translations: how something is written does not."""
    return change.kind != "respelled"


class _Pairs:
    """One edition beside a translation: which sentences of it say what sentences of the edition say."""

    def __init__(self, edition: Read, other: Read, encoder: Encoder | None, by_hand: Iterable[Entry]) -> None:
        reads = with_features([edition, other], encoder)
        hand, self.unfit = fitted(by_hand, reads)
        self._clusters = aligned(reads, hand)
        self._trust: Trust = trust_in(reads, self._clusters, encoder)
        self._codes = edition.language, other.language
        self._of = {n: cluster for cluster in self._clusters for n in cluster.members.get(edition.language, ())}
        self._back = {n: cluster for cluster in self._clusters for n in cluster.members.get(other.language, ())}

    def partners(self, members: Iterable[int]) -> tuple[tuple[int, ...], bool]:
        """The sentences of the translation for some of the edition, and whether that is sure."""
        clusters = {cluster.index: cluster for n in members if (cluster := self._of.get(n)) is not None}
        found = sorted({n for cluster in clusters.values() for n in self._theirs(cluster)})
        return tuple(found), all(self._trust.is_sure(index) for index in clusters)

    def lacks(self, members: Iterable[int]) -> bool:
        """Whether the translation surely has nothing for some sentences of the edition; unknown without an encoder."""
        indexes = [cluster.index for n in members if (cluster := self._of.get(n)) is not None]
        return self._trust.encoder is not None and all(self._trust.lacks(index, self._codes[1]) for index in indexes)

    def sources(self, members: Iterable[int]) -> set[int]:
        """The sentences of the edition that some of the translation surely say."""
        clusters = [cluster for n in members if (cluster := self._back.get(n)) is not None]
        return {n for c in clusters if self._trust.is_sure(c.index) for n in c.members.get(self._codes[0], ())}

    def _theirs(self, cluster: Cluster) -> tuple[int, ...]:
        return cluster.members.get(self._codes[1], ())


class _Translation:
    """A translation beside both editions."""

    def __init__(
        self,
        both: tuple[Read, Read],
        other: Read,
        found: Sequence[Change],
        encoder: Encoder | None,
        by_hand: Sequence[Entry],
    ) -> None:
        old, new = self._old, self._new = both
        self._other = other
        self._taken_out = {n for change in found if change.kind == "dropped" for n in change.old}
        self._put_in = {n for change in found if change.kind == "added" for n in change.new}
        self._before, self._after = _Pairs(old, other, encoder, by_hand), _Pairs(new, other, encoder, by_hand)
        self.unfit = [each for each in self._before.unfit if each.named in {one.named for one in self._after.unfit}]

    def of(self, change: Change) -> Translated:
        """What the translation has for a change."""
        if change.kind == "added":
            return self._added(change)
        if change.kind == "dropped":
            return self._dropped(change)
        members, sure = self._before.partners(change.old)
        if not members:
            members, sure = self._after.partners(change.new)
        if not members:
            surely = self._before.lacks(change.old)
            return Translated("stale", "lacks", ()) if surely else Translated("check", "unfound", ())
        if not sure:
            return Translated("check", "unsure", members)
        return Translated("check", "moved", members) if change.kind == "moved" else self._changed(change, members)

    def _added(self, change: Change) -> Translated:
        members, sure = self._after.partners(change.new)
        standing = self._before.sources(members)  # what the translation says there already stood in the old edition
        if standing and standing <= self._taken_out:
            return Translated("check", "rewritten", members)
        if not members or standing:
            return Translated("stale", "lacks", ())
        return Translated("fits", "new", members) if sure else Translated("check", "unsure", members)

    def _dropped(self, change: Change) -> Translated:
        members, sure = self._before.partners(change.old)
        there = self._after.sources(members)
        if there and there <= self._put_in:
            return Translated("check", "rewritten", members)
        if there or (not members and self._before.lacks(change.old)):
            return Translated("fits", "gone", ())
        if not members:
            return Translated("check", "unfound", ())
        return Translated("stale", "left", members) if sure else Translated("check", "unsure", members)

    def _changed(self, change: Change, members: tuple[int, ...]) -> Translated:
        if not change.signs:
            return Translated("check", "words", members)
        like_old = self._agrees(self._old, change.old, members, change.signs)
        like_new = self._agrees(self._new, change.new, members, change.signs)
        if like_old and like_new:
            return Translated("check", "unknown", members)
        if not (like_old or like_new):
            return Translated("check", "neither", members)
        return Translated("stale", "old", members) if like_old else Translated("fits", "new", members)

    def _agrees(self, edition: Read, own: Sequence[int], members: Sequence[int], signs: Iterable[Sign]) -> bool:
        """Whether the translation says nothing otherwise of what changed than an edition does."""
        sides = {"edition": said_of(edition, own), "translation": said_of(self._other, members)}
        apart = {sign_of(each) for each in differences(sides)}
        ours = senses_in(text_of(edition, own), edition.language)
        theirs = senses_in(text_of(self._other, members), self._other.language)
        # a translation without words of a relation may say it by other words
        apart |= {Sign(RELATION, kind) for kind, senses in theirs.items() if ours.get(kind) != senses}
        return not apart & set(signs)
