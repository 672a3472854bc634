"""Comparing rulebooks of several languages: reading, aligning, and telling where they disagree.

comparison = compare(documents, glossary)
for finding in comparison.findings:
    finding.severity, finding.kind, finding.message
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rulespec.texts.against import Against
from rulespec.texts.by_hand import Entry, Unfit, fitted
from rulespec.texts.clauses import clauses
from rulespec.texts.clusters import Cluster, Read, aligned, with_features
from rulespec.texts.declared import Links, Rule, link_rules
from rulespec.texts.document import Document
from rulespec.texts.encoder import HINT, Encoder, is_known
from rulespec.texts.findings import Draft, Finding, numbered
from rulespec.texts.glossary import Glossary
from rulespec.texts.judging import Judge
from rulespec.texts.language import language_of
from rulespec.texts.numbers import reads_words
from rulespec.texts.overview import Overview
from rulespec.texts.signature import Reader
from rulespec.texts.telling import FIRST, PLAIN, Telling
from rulespec.texts.trust import UNKNOWN, Trust, trust_in

#: Sentences of one rulebook, and pairs of a declared rule and a sentence that may say it: what is more takes minutes.
MOST_SENTENCES: Final = 4_000
MOST_PAIRS: Final = 3_000_000


class TooMuchToCompare(Exception):
    """There is more than is compared; the words say how much."""


@dataclass(frozen=True)
class Comparison:
    """What was read, what stands together and how sure that is, and where it disagrees.

    `encoder` is what put the sentences together by their meaning; None where that was done by words alone, which
    `by_words` says was asked for. `telling` is the language that findings and notes are told in. `unfit` is what
    of the pairs that a person has made fits no more.
    """

    documents: tuple[Document, ...]
    reads: tuple[Read, ...]
    clusters: tuple[Cluster, ...]
    findings: tuple[Finding, ...]
    links: Links | None = None
    trust: Trust = UNKNOWN
    encoder: str | None = None
    telling: Telling = PLAIN
    by_words: bool = False
    unfit: tuple[Unfit, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of how the comparison was made: by what, and what was not compared."""
        return (*((_of_pairs(self),) if len(self.documents) > 1 else ()), *self.not_obeyed, *self.not_compared)

    @property
    def not_obeyed(self) -> tuple[str, ...]:
        """Of each entry of pairs made by hand that fits no more why it does not."""
        return tuple(_why_unfit(unfit, self.telling) for unfit in self.unfit)

    @property
    def not_compared(self) -> tuple[str, ...]:
        """Of each language without words what alone is compared."""
        return tuple(_without_words(self.reads, self.telling))


def compare(
    documents: Sequence[Document],
    glossary: Glossary,
    rules: Sequence[Rule] = (),
    encoder: Encoder | None = None,
    *,
    told_in: str = FIRST,
    by_hand: Sequence[Entry] = (),
) -> Comparison:
    """Rulebooks against each other, and against the declared rules where there are some; `told_in` a language.

    With an encoder sentences are put together by what they mean, else by the words that are known of their languages.
    `by_hand` are pairs that a person has joined and split. Raises TooMuchToCompare.
    """
    check_sizes(documents, rules)
    telling = Telling(told_in, {document.language: document.file for document in documents})
    encoder = encoder if all(is_known(document.language) for document in documents) else None
    reads = read_all(sorted(documents, key=_place_of), glossary, encoder)  # ids hang on no order of the books
    hand, unfit = fitted(by_hand, reads)
    clusters = aligned(reads, hand)
    trust = trust_in(reads, clusters, encoder)
    drafts: list[Draft] = []
    if len(reads) > 1:
        drafts = [
            *Judge(reads, clusters, glossary, trust, telling).drafts(),
            *Overview(reads, clusters, glossary, trust, telling).drafts(),
        ]
    links = link_rules(rules, reads, clusters, glossary) if rules else None
    if links is not None:
        drafts = _with_rules(drafts, links)
        told = {(draft.cluster, draft.odd) for draft in drafts if draft.kind == "number"}
        against = Against(rules, links, reads, clusters, glossary, telling).drafts()
        drafts += [draft for draft in against if draft.odd is None or (draft.cluster, draft.odd) not in told]
    findings = numbered(drafts)
    name = None if encoder is None else encoder.name
    languages = [document.language for document in documents]
    return Comparison(
        tuple(documents),
        tuple(sorted(reads, key=lambda read: languages.index(read.language))),
        tuple(_by_first(clusters, languages[0])),
        tuple(_by_language(finding, languages) for finding in findings),
        links,
        trust,
        name,
        telling,
        unfit=unfit,
    )


def check_sizes(documents: Sequence[Document], rules: Sequence[Rule] = ()) -> None:
    """Raises TooMuchToCompare: each sentence is looked for in the other books, and each rule among all sentences."""
    sizes = {document.file: sum(1 for _ in clauses(document)) for document in documents}
    for file, size in sizes.items():
        if size > MOST_SENTENCES:
            raise TooMuchToCompare(
                f"{file} has {size:,} sentences, and at most {MOST_SENTENCES:,} are compared. "
                "Divide it into chapters, the other rulebooks in the same way."
            )
    pairs = len(rules) * sum(sizes.values())
    if pairs > MOST_PAIRS:
        raise TooMuchToCompare(
            f"The game has {len(rules):,} rules and the rulebooks have {sum(sizes.values()):,} sentences: "
            f"at most {MOST_PAIRS:,} pairs of them are looked at, and these are {pairs:,}. "
            "Divide the rulebooks into chapters, or compare them without --game."
        )


def _place_of(document: Document) -> tuple[bool, str]:
    return document.language != FIRST, document.language


def _by_first(clusters: Sequence[Cluster], first: str) -> list[Cluster]:
    """The clusters in the order of one language; what it lacks stands behind what stands before it in the others."""
    at = -1
    places = []
    for cluster in clusters:
        members = cluster.members.get(first)
        at = members[0] if members else at
        places.append(at)
    return [clusters[n] for n in sorted(range(len(clusters)), key=lambda n: places[n])]


def _by_language(finding: Finding, languages: Sequence[str]) -> Finding:
    """A finding with its places in the order of the books; those of one language stay in theirs."""
    places = sorted(finding.places, key=lambda place: languages.index(place.language))
    return replace(finding, places=tuple(places))


def _with_rules(drafts: list[Draft], links: Links) -> list[Draft]:
    """Findings with the rule that they touch: the one that fits their sentence best."""
    best = {cluster: found[0].rule for cluster, found in links.by_cluster.items()}
    return [replace(draft, rule=draft.rule or best.get(draft.cluster)) for draft in drafts]


def read_all(documents: Sequence[Document], glossary: Glossary, encoder: Encoder | None = None) -> list[Read]:
    """The clauses of the documents with what each says. A passage that was left in another language is read in it."""
    readers = {language: Reader(language, glossary) for language in {d.language for d in documents} | {"en"}}
    found = []
    for document in documents:
        own = clauses(document)
        said = tuple(readers["en" if clause.foreign else document.language].read(clause.text) for clause in own)
        found.append(Read(document.language, tuple(own), said))
    return with_features(found, encoder)


def _without_words(reads: Sequence[Read], told: Telling) -> Iterator[str]:
    for read in reads:
        if not language_of(read.language).is_known:
            what = told.part("what_numbers" if reads_words(read.language) else "what_digits")
            yield told.part("note_words", language=told.named(read.language), what=what)


def _why_unfit(unfit: Unfit, told: Telling) -> str:
    parts = {"place": unfit.named.place, "edition": told.edition(unfit.language), "number": unfit.number}
    phrase = told.quoted(unfit.named.text)
    if unfit.number:
        return told.part("hand_several", phrase=phrase, **parts)
    if unfit.like is None:
        return told.part("hand_gone", phrase=phrase, **parts)
    line, words = unfit.like
    like = {"where": told.place(unfit.language, line), "like": told.quoted(words)}
    return told.part("hand_changed", phrase=phrase, **parts, **like)


def _of_pairs(comparison: Comparison) -> str:
    told = comparison.telling
    if comparison.encoder is None:
        return told.part("note_by_words", why=_why_by_words(comparison))
    both = [cluster.index for cluster in comparison.clusters if len(cluster.members) > 1]
    unsure = sum(not comparison.trust.is_sure(index) for index in both)
    key = "note_by_meaning_unsure" if unsure else "note_by_meaning"
    return told.part(key, encoder=comparison.encoder, unsure=unsure, both=len(both))


def _why_by_words(comparison: Comparison) -> str:
    """Why there was no encoder: it was asked for, there is none for a language, or it is not installed."""
    told = comparison.telling
    if comparison.by_words:
        return told.part("why_asked")
    unknown = [document.language for document in comparison.documents if not is_known(document.language)]
    if unknown:
        return told.part("why_no_encoder", language=told.named(unknown[0]))
    return told.part("why_hint", command=HINT)
