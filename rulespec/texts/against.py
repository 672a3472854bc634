"""Where rulebooks and declared rules disagree: figures of the same thing, may against must, and who acts.

A figure of a rule's text comes from the declarations. Where the clause that says the rule has another figure of the
same thing, one of the two is wrong: the declarations if all rulebooks say so, the rulebook if only one does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rulespec.texts.clusters import Cluster, Read
from rulespec.texts.declared import Link, Links, Rule
from rulespec.texts.findings import Draft, Severity, place_of
from rulespec.texts.glossary import Glossary
from rulespec.texts.language import language_of
from rulespec.texts.numbers import Number
from rulespec.texts.owners import exchanged, misplaced
from rulespec.texts.signature import Reader, Signature
from rulespec.texts.telling import Telling

_BEHIND: Final = 26  #: how far behind a number the thing stands that it counts, in characters
_BEFORE: Final = 14  #: how far before it, in languages without spaces
_COUNTED: Final = re.compile(r"\s*\d+ ?x\b")  #: a line of a list of what is in the box
_SURE_ELSEWHERE: Final = 0.55  #: the same where the rule's sources say that it stands in other lines
_SURE: Final = 0.42  #: how well a clause fits a rule, at least, for its mood to be compared


@dataclass(frozen=True)
class Figure:
    """A number of a text with what it may count."""

    value: float
    things: frozenset[str]
    start: int
    end: int


@dataclass(frozen=True)
class Clash:
    """A figure of a rule, and another one in the clause, where it stands. `same`: both count the same thing."""

    declared: float
    written: float
    same: bool
    clause: int
    start: int
    end: int


class Against:
    """Compares rules with the clauses that say them."""

    def __init__(
        self,
        rules: Sequence[Rule],
        links: Links,
        reads: Sequence[Read],
        clusters: Sequence[Cluster],
        glossary: Glossary,
        telling: Telling | None = None,
    ) -> None:
        self._telling = telling if telling is not None else Telling()
        self._rules = {rule.id: rule for rule in rules}
        self._links = links
        self._reads = {read.language: read for read in reads}
        self._clusters = clusters
        readers = {read.language: Reader(read.language, glossary) for read in reads}
        self._said = {
            (rule.id, language): readers[language].read(text)
            for rule in rules
            for language, text in rule.texts.items()
            if language in readers and rule.id in links.said
        }

        self._rules_at: dict[tuple[str, int], list[str]] = {}
        for link in links.said.values():
            for language, indexes in link.clauses.items():
                for n in indexes:
                    self._rules_at.setdefault((language, n), []).append(link.rule)

    def drafts(self) -> Iterator[Draft]:
        """Findings about all rules that a rulebook says."""
        for link in self._links.said.values():
            yield from self._figures(link)
            yield from self._moods(link)
            yield from self._owners(link)

    # ---- figures

    def _is_elsewhere(self, link: Link) -> bool:
        """Whether a rule fits badly, and its sources say that it stands elsewhere."""
        lines = self._rules[link.rule].lines
        if link.score >= _SURE_ELSEWHERE or not any(lines.get(language) for language in link.clauses):
            return False
        return not any(
            start <= self._reads[language].clauses[n].end_line and self._reads[language].clauses[n].line <= end
            for language, clauses in link.clauses.items()
            for start, end in lines.get(language, ())
            for n in clauses
        )

    def _figures(self, link: Link) -> Iterator[Draft]:
        if self._is_elsewhere(link):
            return
        clashes = {language: self._clashes(link, language) for language in link.clauses}
        sure = sorted({(clash.declared, clash.written) for found in clashes.values() for clash in found if clash.same})
        for value in dict.fromkeys(value for value, _ in sure):
            pairs = {pair for pair in sure if pair[0] == value}
            against = {
                language: next(clash for clash in found if (clash.declared, clash.written) in pairs)
                for language, found in clashes.items()
                if any((clash.declared, clash.written) in pairs for clash in found)
            }
            yield self._figure(link, value, against)

    def _figure(self, link: Link, value: float, against: Mapping[str, Clash]) -> Draft:
        everywhere = len(against) == len(link.clauses)
        alone = next(iter(against)) if len(against) == 1 and not everywhere else None
        told = self._telling
        written = [
            told.part("written", edition=told.edition(language, short=True), value=f"{clash.written:g}")
            for language, clash in against.items()
        ]
        message = told.whole("declared", value=f"{value:g}", rule=link.rule, written=told.listed(written))
        return self._draft(
            link,
            "number",
            "play",
            0.85 if everywhere else 0.6,
            message,
            ("declared", link.rule, *sorted({f"{value}:{clash.written}" for clash in against.values()})),
            alone,
            {language: (clash.clause, clash.start, clash.end) for language, clash in against.items()},
        )

    def _clashes(self, link: Link, language: str) -> list[Clash]:
        """The figures of a rule that the clause lacks, with those that stand in their place."""
        said = self._said.get((link.rule, language))
        if said is None:
            return []
        read = self._reads[language]
        around = self._around(link, language)
        written = {value for n in self._paragraph(link, language) for value in read.said[n].values}
        spoken = self._spoken(around, language)
        lacking = [figure for figure in _figures(said) if figure.value not in written]
        strange = [
            (n, other)
            for n in sorted(around, key=lambda n: n not in link.clauses[language])
            for other in (() if _COUNTED.match(read.said[n].text) else _figures(read.said[n]))
            if other.value not in spoken
        ]
        only = len(lacking) == len(strange) == 1 and link.score >= _SURE
        return [
            Clash(figure.value, other.value, only or bool(figure.things & other.things), n, other.start, other.end)
            for figure in lacking
            for n, other in strange
        ]

    def _around(self, link: Link, language: str) -> list[int]:
        """The clauses of a link and their neighbours: a figure may stand there."""
        own, clauses = link.clauses[language], self._reads[language].clauses
        near = [n for n in (own[0] - 1, own[-1] + 1) if 0 <= n < len(clauses)]
        same = [n for n in near if clauses[n].block_index == clauses[own[0]].block_index]
        return sorted({*own, *same})

    def _paragraph(self, link: Link, language: str) -> list[int]:
        """The clauses of the paragraphs that a link stands in: a figure may stand anywhere there."""
        clauses = self._reads[language].clauses
        blocks = {clauses[n].block_index for n in link.clauses[language]}
        return [n for n, clause in enumerate(clauses) if clause.block_index in blocks]

    def _spoken(self, around: list[int], language: str) -> set[float]:
        """All figures of the rules that these clauses say."""
        rules = {rule for n in around for rule in self._rules_at.get((language, n), ())}
        return {
            value for rule in rules if (said := self._said.get((rule, language))) is not None for value in said.values
        }

    # ---- may and must

    def _moods(self, link: Link) -> Iterator[Draft]:
        """A rule that obliges where every rulebook allows, or the other way round."""
        if link.score < _SURE or len(self._links.by_cluster[link.cluster]) > 1:
            return
        for rule_mood, book_mood in (("must", "may"), ("may", "must")):
            if all(self._turned(link, language, rule_mood, book_mood) for language in link.clauses):
                told = self._telling
                message = told.whole(
                    "declared_mood",
                    rule=link.rule,
                    mood=told.quoted(told.part(f"mood_{rule_mood}")),
                    others=told.editions(list(link.clauses)),
                    other=told.quoted(told.part(f"mood_{book_mood}")),
                )
                yield self._draft(link, "modality", "text", 0.45, message, ("declared", link.rule, rule_mood), None, {})

    def _turned(self, link: Link, language: str, rule_mood: str, book_mood: str) -> bool:
        said = self._said.get((link.rule, language))
        if said is None:
            return False
        book = [self._reads[language].said[n].moods for n in link.clauses[language]]
        return (
            said.moods[rule_mood][0] > 0
            and said.moods["cannot"][0] == said.moods["need_not"][0] == 0
            and said.moods[book_mood][1] == 0
            and sum(moods[book_mood][0] for moods in book) > 0
            and sum(moods[rule_mood][1] for moods in book) == 0
        )

    # ---- who acts and gains

    def _owners(self, link: Link) -> Iterator[Draft]:
        """A rule that names another player than the rulebooks do, or whose declarations let another one act."""
        if link.score < _SURE:
            return
        books = {o: [self._reads[o].said[n] for n in clauses] for o, clauses in link.clauses.items()}
        texts = {o: said for o in books if (said := self._said.get((link.rule, o))) is not None}
        wrong = misplaced(self._rules[link.rule].acting, texts, books) if texts else None
        if wrong is not None:
            message = self._of_roles("acting", link, wrong, list(texts))
            yield self._draft(link, "term", "play", 0.6, message, ("acting", link.rule, *wrong), None, {})
        if len(self._links.by_cluster[link.cluster]) > 1:
            return
        found = {o: pair for o, said in texts.items() if (pair := exchanged(said, books[o])) is not None}
        for pair in dict.fromkeys(found.values()):
            where = [o for o in found if found[o] == pair]
            message = self._of_roles("owner_of", link, pair, where)
            alone = where[0] if len(where) == 1 < len(texts) else None
            severity: Severity = "play" if len(where) == len(texts) else "text"
            yield self._draft(link, "term", severity, 0.5, message, ("owner", link.rule, *pair), alone, {})

    def _of_roles(self, key: str, link: Link, roles: tuple[str, str], languages: list[str]) -> str:
        told = self._telling
        who, other = (told.part(f"who_{role}") for role in roles)
        return told.whole(key, rule=link.rule, who=who, others=told.editions(languages), other=other)

    def _draft(  # noqa: PLR0913, PLR0917  (a finding has as many parts)
        self,
        link: Link,
        kind: str,
        severity: Severity,
        confidence: float,
        message: str,
        facts: tuple[str, ...],
        odd: str | None,
        spots: Mapping[str, tuple[int, int, int]],
    ) -> Draft:
        places = []
        for language, indexes in link.clauses.items():
            read, spot = self._reads[language], spots.get(language)
            members = sorted({*indexes, *([spot[0]] if spot is not None else [])})
            marks = [(members.index(spot[0]), spot[1], spot[2])] if spot is not None else []
            places.append(place_of([read.clauses[n] for n in members], marks))
        return Draft(
            kind,
            severity,
            confidence,
            tuple(places),
            message,
            facts,
            (),
            odd=odd,
            rule=link.rule,
            cluster=link.cluster,
            reason=self._telling.whole("why_declared"),
        )


def _figures(said: Signature) -> Iterator[Figure]:
    """The numbers above one of a text with what they may count."""
    for number in said.numbers:
        if number.value > 1 and number.kind in ("plain", "factor") and not _names(said, number):
            yield Figure(number.value, _things(said, number), number.start, number.end)


def _names(said: Signature, number: Number) -> bool:
    """Whether a number is a part of a name, such as level 2, and counts nothing."""
    language = language_of(said.language)
    gap = 1 if language.spaces else 0
    nouns = [hit for hit in said.hits if hit.concepts and said.groups[hit.concepts[0]] in ("term", "thing")]
    if not any(hit.end <= number.start <= hit.end + gap for hit in nouns):
        return False
    return language.spaces or not said.text[number.end :].startswith(language.counters)


def _things(said: Signature, number: Number) -> frozenset[str]:
    """What a number may count: what stands next behind it; in languages without spaces also what stands before."""
    behind = [
        hit for hit in said.hits if hit.start >= number.end and hit.start - number.end <= _BEHIND and hit.concepts
    ]
    found = set(behind[0].concepts) if behind else set()
    if " " not in said.text.strip():
        before = [hit for hit in said.hits if hit.end <= number.start and number.start - hit.end <= _BEFORE]
        found |= set(before[-1].concepts) if before else set()
    return frozenset(found)
