"""Cases: clusters with what each language says there, and drafts of findings about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rulespec.texts.clauses import Clause
from rulespec.texts.clusters import Cluster, Read
from rulespec.texts.differences import Difference, Said
from rulespec.texts.findings import Draft, Place, Severity, digest_of, gap_between, place_of
from rulespec.texts.glossary import Glossary
from rulespec.texts.telling import Telling
from rulespec.texts.trust import UNKNOWN, Trust
from rulespec.texts.wording import Told, Words

#: Sorts of paragraphs of which only some differences are told.
_TALES: Final = ("story", "names")


@dataclass(frozen=True)
class Case:
    """A cluster with what each language says there."""

    cluster: Cluster
    sides: dict[str, Said]
    label: str

    @property
    def tale(self) -> bool:
        return self.label in _TALES


class Casework:
    """What is known of the rulebooks that are compared."""

    def __init__(
        self,
        reads: Sequence[Read],
        clusters: Sequence[Cluster],
        glossary: Glossary,
        trust: Trust = UNKNOWN,
        telling: Telling | None = None,
    ) -> None:
        self._trust = trust
        self._reads = {read.language: read for read in reads}
        self._clusters = clusters
        self._groups = {key: group for read in reads for said in read.said for key, group in said.groups.items()}
        self._words = Words(reads, glossary, telling)
        self._glossary = glossary
        self._known: dict[tuple[str, str], dict[int, tuple[int, ...]]] = {}

    def _case(self, cluster: Cluster) -> Case:
        sides = {
            language: Said(language, tuple(self._reads[language].said[n] for n in indexes))
            for language, indexes in cluster.members.items()
        }
        labels = [self._reads[language].clauses[ns[0]].label for language, ns in cluster.members.items()]
        return Case(cluster, sides, _label_of(labels))

    def _draft(  # noqa: PLR0913, PLR0917  (a finding has as many parts)
        self,
        case: Case,
        kind: str,
        severity: Severity,
        confidence: float,
        told: Told,
        facts: tuple[str, ...],
        language: str,
        found: Sequence[Difference] = (),
        *,
        odd: str | None = "",
    ) -> Draft:
        anchor = tuple(
            f"{other}:{part}"
            for other, said in sorted(case.sides.items())
            if other != language
            for part in self._anchor_of(said)
        )
        return Draft(
            kind,
            severity,
            confidence,
            tuple(self._places(case, found)),
            told.message,
            facts,
            anchor,
            odd=language if odd == "" else odd,
            cluster=case.cluster.index,
            reason=told.reason,
        )

    def _line(self, case: Case, language: str) -> tuple[str, int]:
        """Where a case stands in a language, or would stand."""
        if language in case.sides:
            return language, self._clauses(case, language)[0].line
        return language, self._gap(case, language).line

    def _anchor_of(self, said: Said) -> tuple[str, ...]:
        """What a sentence is known by: its terms and numbers; its words where it has neither."""
        terms = {c for c in said.concepts() if self._groups[c] == "term" and said.count(c)[0]}
        known = (*sorted(terms), *sorted(str(value) for value in set(said.values()) if value != 1))
        return known or (digest_of(part.text for part in said.parts),)

    def _clauses(self, case: Case, language: str) -> list[Clause]:
        read = self._reads[language]
        return [read.clauses[n] for n in case.cluster.members[language]]

    def _places(self, case: Case, found: Sequence[Difference]) -> Iterator[Place]:
        for language in self._reads:
            if language in case.sides:
                yield place_of(self._clauses(case, language), self._words.spots(case.sides[language], found))
            else:
                yield self._gap(case, language)

    def _gap(self, case: Case, language: str) -> Place:
        """Where a cluster would stand in a language that lacks it: between its neighbours in another language.

        Of the other languages, that counts in which the neighbours stand nearest to each other.
        """
        gaps = [self._between(case, language, other) for other in case.sides]
        before, after = min(gaps, key=lambda gap: (gap[1] - gap[0] < 0, gap[1] - gap[0]))
        clauses = self._reads[language].clauses
        first = clauses[before] if before >= 0 else None
        return gap_between(first, clauses[after] if after < len(clauses) else None, language)

    def _between(self, case: Case, language: str, other: str) -> tuple[int, int]:
        """The clauses of a language between which a cluster would stand if the order were that of another one."""
        members, where = case.cluster.members[other], self._counterparts(other, language)
        count = len(self._reads[other].clauses)
        before = next((where[n][-1] for n in range(members[0] - 1, -1, -1) if n in where), -1)
        after = next(
            (where[n][0] for n in range(members[-1] + 1, count) if n in where), len(self._reads[language].clauses)
        )
        return before, after

    def _counterparts(self, one: str, other: str) -> dict[int, tuple[int, ...]]:
        """For each clause of a language that stands in another one too, the clauses there."""
        known = self._known.get((one, other))
        if known is None:
            both = [c.members for c in self._clusters if one in c.members and other in c.members]
            known = self._known[one, other] = {n: members[other] for members in both for n in members[one]}
        return known


def _label_of(labels: Sequence[str]) -> str:
    """What sort of paragraph most of the languages have: where they are divided, one of rules."""
    label, number = Counter(labels).most_common(1)[0]
    return label if 2 * number > len(labels) else "rule"
