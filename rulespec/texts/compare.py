"""Comparing rulebooks of several languages: reading, aligning, and telling where they disagree.

comparison = compare(documents, glossary)
for finding in comparison.findings:
    finding.severity, finding.kind, finding.message
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.texts.against import Against
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
from rulespec.texts.trust import UNKNOWN, Trust, trust_in


@dataclass(frozen=True)
class Comparison:
    """What was read, what stands together and how sure that is, and where it disagrees.

    `encoder` is what put the sentences together by their meaning; None where that was done by words alone.
    """

    documents: tuple[Document, ...]
    reads: tuple[Read, ...]
    clusters: tuple[Cluster, ...]
    findings: tuple[Finding, ...]
    links: Links | None = None
    trust: Trust = UNKNOWN
    encoder: str | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of how the comparison was made: by what, and what was not compared."""
        return (*((_of_pairs(self),) if len(self.documents) > 1 else ()), *self.not_compared)

    @property
    def not_compared(self) -> tuple[str, ...]:
        """Of each language without words what alone is compared."""
        return tuple(_without_words(self.reads))


def compare(
    documents: Sequence[Document], glossary: Glossary, rules: Sequence[Rule] = (), encoder: Encoder | None = None
) -> Comparison:
    """Rulebooks against each other, and against the declared rules where there are some.

    With an encoder sentences are put together by what they mean, else by the words that are known of their languages.
    """
    encoder = encoder if all(is_known(document.language) for document in documents) else None
    reads = read_all(documents, glossary, encoder)
    clusters = aligned(reads)
    trust = trust_in(reads, clusters, encoder)
    drafts: list[Draft] = []
    if len(reads) > 1:
        drafts = [
            *Judge(reads, clusters, glossary, trust).drafts(),
            *Overview(reads, clusters, glossary, trust).drafts(),
        ]
    links = link_rules(rules, reads, clusters, glossary) if rules else None
    if links is not None:
        drafts = _with_rules(drafts, links)
        told = {(draft.cluster, draft.odd) for draft in drafts if draft.kind == "number"}
        against = Against(rules, links, reads, clusters, glossary).drafts()
        drafts += [draft for draft in against if draft.odd is None or (draft.cluster, draft.odd) not in told]
    findings = numbered(drafts)
    name = None if encoder is None else encoder.name
    return Comparison(tuple(documents), tuple(reads), tuple(clusters), tuple(findings), links, trust, name)


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


def _without_words(reads: Sequence[Read]) -> Iterator[str]:
    for read in reads:
        if not language_of(read.language).is_known:
            what = f"{'numbers' if reads_words(read.language) else 'digits'} and the game's terms"
            yield f"There are no words for {read.language}: of its rulebook only {what} are compared."


def _of_pairs(comparison: Comparison) -> str:
    if comparison.encoder is None:
        unknown = [d.language for d in comparison.documents if not is_known(d.language)]
        why = f"no encoder knows {unknown[0]}" if unknown else f"{HINT} puts them together by what they mean"
        return f"Sentences were put together by the words that are known of their languages ({why})."
    both = [cluster.index for cluster in comparison.clusters if len(cluster.members) > 1]
    unsure = sum(not comparison.trust.is_sure(index) for index in both)
    told = f"; {unsure} of {len(both)} pairs are not sure, and nothing is told of them" if unsure else ""
    return f"Sentences were put together by what they mean ({comparison.encoder}){told}."
