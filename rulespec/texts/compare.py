"""Comparing rulebooks of several languages: reading, aligning, and telling where they disagree.

comparison = compare(documents, glossary)
for finding in comparison.findings:
    finding.severity, finding.kind, finding.message
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulespec.texts.against import Against
from rulespec.texts.clauses import clauses
from rulespec.texts.clusters import Cluster, Read, aligned, with_features
from rulespec.texts.declared import Links, Rule, link_rules
from rulespec.texts.document import Document
from rulespec.texts.findings import Draft, Finding, numbered
from rulespec.texts.glossary import Glossary
from rulespec.texts.judging import Judge
from rulespec.texts.overview import Overview
from rulespec.texts.signature import Reader


@dataclass(frozen=True)
class Comparison:
    """What was read, what stands together, and where it disagrees."""

    documents: tuple[Document, ...]
    reads: tuple[Read, ...]
    clusters: tuple[Cluster, ...]
    findings: tuple[Finding, ...]
    links: Links | None = None


def compare(documents: Sequence[Document], glossary: Glossary, rules: Sequence[Rule] = ()) -> Comparison:
    """Rulebooks against each other, and against the declared rules where there are some."""
    reads = read_all(documents, glossary)
    clusters = aligned(reads)
    drafts: list[Draft] = []
    if len(reads) > 1:
        drafts = [
            *Judge(reads, clusters, glossary).drafts(),
            *Overview(reads, clusters, glossary).drafts(),
        ]
    links = link_rules(rules, reads, clusters, glossary) if rules else None
    if links is not None:
        drafts = _with_rules(drafts, links)
        told = {(draft.cluster, draft.odd) for draft in drafts if draft.kind == "number"}
        against = Against(rules, links, reads, clusters, glossary).drafts()
        drafts += [draft for draft in against if draft.odd is None or (draft.cluster, draft.odd) not in told]
    findings = numbered(drafts)
    return Comparison(tuple(documents), tuple(reads), tuple(clusters), tuple(findings), links)


def _with_rules(drafts: list[Draft], links: Links) -> list[Draft]:
    """Findings with the rule that they touch: the one that fits their sentence best."""
    best = {cluster: found[0].rule for cluster, found in links.by_cluster.items()}
    return [replace(draft, rule=draft.rule or best.get(draft.cluster)) for draft in drafts]


def read_all(documents: Sequence[Document], glossary: Glossary) -> list[Read]:
    """The clauses of the documents with what each says. A passage that was left in another language is read in it."""
    readers = {language: Reader(language, glossary) for language in {d.language for d in documents} | {"en"}}
    found = []
    for document in documents:
        own = clauses(document)
        said = tuple(readers["en" if clause.foreign else document.language].read(clause.text) for clause in own)
        found.append(Read(document.language, tuple(own), said))
    return with_features(found)
