"""From differences to findings: which differences matter, how grave and how sure they are, and in what words.

A difference alone is weak evidence: languages leave out what is understood. What was exchanged (one thing lost, another
gained), a number, a denial, may against must is strong. What a neighbouring sentence says too is understood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from rulespec.texts.casework import Case, Casework
from rulespec.texts.clusters import Cluster, Read
from rulespec.texts.differences import Difference, Said, differences
from rulespec.texts.findings import Draft, Severity, digest_of
from rulespec.texts.glossary import Glossary
from rulespec.texts.judged import OPPOSITES, UNLIKE, View
from rulespec.texts.relating import encode_all, related
from rulespec.texts.runs import causes, passages
from rulespec.texts.signature import Signature
from rulespec.texts.strict import Strict
from rulespec.texts.telling import Telling
from rulespec.texts.trust import UNKNOWN, Trust

_ENOUGH: Final = 0.35  #: the confidence below which nothing is told
_NO_TALE: Final = 2.2  #: a sentence that says so much is told even where it stands in a story
_COUNTED: Final = 2  #: how many characters stand between a number and what it counts, at most
_ADVICE: Final = 0.42  #: how sure a sign is that languages often leave out, where no third language has a say
_FREE: Final = 0.45  #: how sure it is, at most, that a story says something else: it is told freely
_SAYING: Final = ("term", "thing", "act", "direction", "colour")  #: groups of what a sentence is about
_SAYS_SOMETHING: Final = 0.8  #: how much a sentence says, at least, to be missed


class Judge(Casework):
    """Makes drafts of findings from the clusters, one by one."""

    def __init__(
        self,
        reads: Sequence[Read],
        clusters: Sequence[Cluster],
        glossary: Glossary,
        trust: Trust = UNKNOWN,
        telling: Telling | None = None,
    ) -> None:
        super().__init__(reads, clusters, glossary, trust, telling)
        self._strict = Strict(trust, self._words)
        self._shorter: dict[str, frozenset[str]] = {}
        for read in reads:
            for concept, general in glossary.shorter(read.language).items():
                self._shorter[concept] = self._shorter.get(concept, frozenset()) | general

    def drafts(self) -> Iterator[Draft]:
        """The findings of all clusters, before they are numbered."""
        found = self._drafts() if self._trust.encoder is None else passages(self._drafts(), self._words)
        return causes(found, self._words)

    def _drafts(self) -> Iterator[Draft]:
        together = (self._case(c) for c in self._clusters if len(c.members) > 1 and self._trust.is_sure(c.index))
        encode_all((case.sides for case in together if self._is_related(case)), self._trust)
        for cluster in self._clusters:
            case = self._case(cluster)
            if len(case.sides) < len(self._reads):
                yield from self._missing(case)
            if len(case.sides) > 1 and self._trust.is_sure(cluster.index):
                yield from self._differing(case)

    # ---- what only some languages have

    def _missing(self, case: Case) -> Iterator[Draft]:
        there = list(case.sides)
        lacking = [language for language in self._reads if language not in case.sides]
        if not all(self._trust.lacks(case.cluster.index, language) for language in lacking):
            return
        weight = min(self._weight(said) for said in case.sides.values())
        headings = any(self._clauses(case, language)[0].kind == "heading" for language in there)
        if len(there) > len(lacking):
            yield from self._omission(case, lacking[0], weight, headings=headings)
        elif len(there) == 1 and not headings and not (case.tale and weight < _NO_TALE):
            yield from self._addition(case, there[0], weight)

    def _weight(self, said: Said) -> float:
        """How much a sentence says: its terms, numbers and moods."""
        terms = sum(1 for concept in set(said.concepts()) if self._groups[concept] == "term" and said.count(concept)[0])
        others = sum(
            1 for concept in set(said.concepts()) if self._groups[concept] != "term" and said.count(concept)[0]
        )
        return terms + 0.34 * others + len(set(said.values())) + 0.5 * (said.denials()[0] > 0)

    def _omission(self, case: Case, lacking: str, weight: float, *, headings: bool) -> Iterator[Draft]:
        if headings or (case.tale and weight < 3):
            severity: Severity = "cosmetic"
            confidence = 0.4
        else:
            severity = "play" if weight >= 2 and case.label == "rule" else "text"
            confidence = min(0.85, 0.4 + 0.1 * weight)
        if case.label == "names":
            return
        yield self._draft(
            case,
            "omission",
            severity,
            confidence,
            self._words.omission(lacking, case.sides, self._line(case, lacking)[1]),
            ("missing",),
            lacking,
        )

    def _addition(self, case: Case, language: str, weight: float) -> Iterator[Draft]:
        known = self._trust.encoder is not None  # then it is known that nothing beside says it too
        if weight < _SAYS_SOMETHING and not known:
            return
        beside = not known and self._is_told_beside(case, language)
        new = case.label == "rule" and self._is_of_play(case) and not beside
        severity: Severity = "text" if new else "cosmetic"
        yield self._draft(
            case,
            "addition",
            severity,
            min(_FREE if case.tale else 0.8, (0.55 if known else 0.35) + 0.1 * weight),
            self._words.addition(language, case.sides[language], self._line(case, language)[1]),
            ("added", digest_of(part.text for part in case.sides[language].parts)),
            language,
        )

    def _is_told_beside(self, case: Case, language: str) -> bool:
        """Whether another language says all of a sentence in those beside the place where it would stand."""
        said = case.sides[language]
        own = [c for c in said.concepts() if said.count(c)[0] and self._groups[c] in _SAYING]
        values = [value for value in said.values() if value != 1]
        for other in self._reads:
            if other == language:
                continue
            read = self._reads[other]
            near = [read.said[n] for n in self._between(case, other, language) if 0 <= n < len(read.said)]
            if all(any(one.counts.get(c, (0, 0))[1] for one in near) for c in own) and all(
                any(value in one.values for one in near) for value in values
            ):
                return True
        return False

    # ---- what they say differently

    def _differing(self, case: Case) -> Iterator[Draft]:
        found = differences(case.sides)
        if len(case.sides) == 2:  # one side is enough: what one has lost the other has gained
            last = list(case.sides)[-1]
            found = [one for one in found if one.language == last]
        told = False
        for language in dict.fromkeys(one.language for one in found):
            own = [one for one in found if one.language == language]
            views = [
                *self._numbers(case, [one for one in own if one.sort == "number"]),
                *self._factors(case, [one for one in own if one.sort == "factor"]),
                *self._letters([one for one in own if one.sort == "letter"]),
                *self._pages([one for one in own if one.sort == "page"]),
                *self._moods(case, own),
                *self._turns(case, own),
                *self._concepts(case, [one for one in own if one.sort == "concept"]),
            ]
            if self._trust.encoder is not None and not self._names_terms(case):
                is_rule = self._is_of_play(case) or case.label == "example"
                views = self._strict.kept(case.sides, views) if is_rule else []
            if views:
                views = views if self._is_of_play(case) else [view.lowered() for view in views]
                told = told or any(view.severity != "cosmetic" for view in views)
                yield self._told(case, sorted(views, key=lambda view: view.rank), language)
        if not told and self._is_related(case):
            yield from self._related(case)

    def _is_related(self, case: Case) -> bool:
        """Whether a sentence is one of rules, whose relations matter."""
        return case.label == "rule" and not self._is_heading(case)

    def _related(self, case: Case) -> Iterator[Draft]:
        """Relations of which one stands for another, in a sentence of which nothing else is told."""
        view = related(case.sides, self._trust)
        if view is not None:
            yield self._told(case, [view], view.found[0].language)

    def _names_terms(self, case: Case) -> bool:
        """Whether a sentence names a term of the game."""
        return any(self._groups[concept] == "term" for said in case.sides.values() for concept in said.concepts())

    def _is_of_play(self, case: Case) -> bool:
        """Whether a sentence speaks of the game at all: of its things, or of what is done in it.

        Of things of which no term is known nobody can say: there each sentence of the rules does, but no heading.
        """
        if self._trust.encoder is not None and not self._names_terms(case):
            return case.label == "rule" and not self._is_heading(case)
        return any(
            said.count(concept)[0] and self._groups[concept] in ("term", "act")
            for said in case.sides.values()
            for concept in said.concepts()
        )

    def _is_heading(self, case: Case) -> bool:
        return any(clause.kind == "heading" for language in case.sides for clause in self._clauses(case, language))

    def _numbers(self, case: Case, found: list[Difference]) -> Iterator[View]:
        if not found:
            return
        exchanged = any(one.lost for one in found) and any(not one.lost for one in found)
        digits, sure = self._in_digits(case, found), all(one.alone for one in found)
        confidence = (0.9 if digits or sure else 0.7) if exchanged else (0.8 if digits else 0.68)
        severity: Severity = "cosmetic" if case.tale else ("text" if case.label == "example" else "play")
        if not (exchanged or digits or sure):  # a way of speaking, such as both for all: nobody else can say
            severity, confidence = "cosmetic", _ADVICE
        yield View("number", severity, confidence, found)

    def _factors(self, case: Case, found: list[Difference]) -> Iterator[View]:
        """A number by which one language multiplies, and that counts a place in another."""
        if found:
            severity: Severity = "cosmetic" if case.tale else ("text" if case.label == "example" else "play")
            yield View("number", severity, 0.7, found)

    def _in_digits(self, case: Case, found: list[Difference]) -> bool:
        """Whether some language writes one of the numbers in digits: what is written out may be a way of speaking."""
        values = {float(one.what) for one in found}
        return any(
            number.value in values and said.text[number.start : number.end].isdigit()
            for side in case.sides.values()
            for said in side.parts
            for number in said.numbers
        )

    def _letters(self, found: list[Difference]) -> Iterator[View]:
        if found:
            yield View("reference", "text", 0.7, found)

    def _pages(self, found: list[Difference]) -> Iterator[View]:
        if found:
            yield View("reference", "cosmetic", 0.5, found)

    def _moods(self, case: Case, own: list[Difference]) -> Iterator[View]:
        moods = [one for one in own if one.sort == "mood"]
        denials = [one for one in own if one.sort == "denial"]
        denied = [*denials, *(one for one in moods if one.what in ("cannot", "need_not"))]
        plain = [one for one in moods if one.what in ("must", "may")]
        if denied:
            turned = {one.what for one in denied if one.absent} >= {"cannot", "need_not"}
            strong = turned or (bool(denials) and any(one.absent for one in denied))
            sure = any(one.alone for one in denied)
            severity: Severity = "cosmetic" if case.tale or not (strong or sure) else ("play" if strong else "text")
            confidence = _FREE if case.tale else (0.75 if strong else (0.5 if sure else _ADVICE))
            yield View("negation", severity, confidence, [*denied, *plain])
        elif case.tale:
            if any(self._turned(case, one) for one in plain):
                yield View("modality", "cosmetic", 0.5, plain)
        elif plain:
            exchanged = len({one.lost for one in plain}) == 2 or any(self._turned(case, one) for one in plain)
            forced = any(self._is_forced(one) and not self._is_said_beside(case, one) for one in plain)
            sure = any(one.alone for one in plain)
            voted = len(self._reads) > 2 and any(one.what == "may" for one in plain)
            severity = "text" if sure or forced or voted else "cosmetic"
            severity = "play" if exchanged or (forced and case.label == "rule") else severity
            told = 0.5 if sure else _ADVICE
            yield View("modality", severity, 0.8 if exchanged else (0.76 if forced else told), plain)

    def _is_said_beside(self, case: Case, one: Difference) -> bool:
        """Whether a mood that a sentence lacks stands in one beside it, whose partners do not have it.

        So does that only one thing is allowed where another language says that no other one is.
        """
        mood, lacking = str(one.what), [one.language] if one.lost else [o for o in case.sides if o != one.language]
        having = [language for language in case.sides if language not in lacking]
        if mood == "may" and any(case.sides[o].mood("cannot")[0] for o in lacking):
            return any(case.sides[o].count("only")[0] for o in having)
        return any(self._has_more_beside(case, language, having, mood) for language in lacking)

    def _has_more_beside(self, case: Case, language: str, others: list[str], mood: str) -> bool:
        read, members = self._reads[language], case.cluster.members[language]
        for n in (members[0] - 1, members[-1] + 1):
            if not 0 <= n < len(read.said) or read.said[n].moods[mood][1] == 0:
                continue
            partners = [self._reads[o].said[m] for o in others for m in self._counterparts(language, o).get(n, ())]
            if all(said.moods[mood][1] == 0 for said in partners):
                return True
        return False

    def _turned(self, case: Case, one: Difference) -> bool:
        """Whether a language says must, alone, where all others say may; or may, where they say must."""
        if one.lost or not one.alone or not one.absent:
            return False
        opposite = "may" if one.what == "must" else "must"
        least = {language: said.mood(opposite)[0] for language, said in case.sides.items()}
        return all((number > 0) != (language == one.language) for language, number in least.items())

    def _turns(self, case: Case, own: list[Difference]) -> Iterator[View]:
        """Turns that deny nothing and stand in all languages but one."""
        turns = [one for one in own if one.sort == "turn" and one.alone and one.absent]
        turns = [one for one in turns if not self._near(case, one, _says_turn(str(one.what)))]
        if turns:
            yield View("negation", "cosmetic" if case.tale else "text", 0.5, turns)

    def _concepts(self, case: Case, found: list[Difference]) -> Iterator[View]:
        for groups, kind in (
            (("term", "thing"), "term"),
            (("direction", "state", "time"), "term"),
            (("owner",), "term"),
            (("extent",), "term"),
            (("choice",), "term"),
            (("act",), "term"),
            (("colour",), "component"),
        ):
            own = [one for one in found if self._groups[str(one.what)] in groups]
            lost, gained = [one for one in own if one.lost], [one for one in own if not one.lost]
            confidence = self._confidence(case, groups[0], lost, gained)
            if confidence < _ENOUGH:
                continue
            severity = self._severity(case, groups[0], lost, gained, confidence)
            if severity == "text" and not any(self._stands_for_itself(case, one, own) for one in own):
                severity = "cosmetic"
            yield View(
                kind, severity, confidence if severity == "play" else self._among_unlike(case, confidence, own), own
            )

    def _stands_for_itself(self, case: Case, one: Difference, own: list[Difference]) -> bool:
        """Whether a game's own thing is missing or new beyond free wording.

        Two languages alone cannot say which is right: there a thing that is told in the same section near by, or that
        another word of the sentence stands for, is taken as understood. A language that stands alone is told anyway.
        """
        group = self._groups[str(one.what)]
        if group not in ("term", "choice") or not one.absent:
            return group in ("owner", "colour")
        kin = self._is_said_loosely(case, one) or any(self._is_kin(one, other) for other in own)
        return one.alone or group == "choice" or not (kin or self._understood(case, one))

    def _is_said_loosely(self, case: Case, one: Difference) -> bool:
        """Whether the side that lacks a thing names it in short, or says what it is a kind of."""
        lacking = [one.language] if one.lost else [other for other in case.sides if other != one.language]
        return any(
            case.sides[language].count(concept)[1] and self._short_for(str(one.what), concept)
            for language in lacking
            for concept in case.sides[language].concepts()
        )

    def _is_kin(self, one: Difference, other: Difference) -> bool:
        """Whether what one language has and the other lacks can name the same: a street and a tile, a street tile."""
        if one.lost == other.lost:
            return False
        first, second = str(one.what), str(other.what)
        return self._short_for(first, second) or any(
            self._short_for(first, longer) and self._short_for(second, longer) for longer in self._shorter
        )

    def _among_unlike(self, case: Case, confidence: float, own: list[Difference]) -> float:
        """The more of the game's own things are missing or new, the surer."""
        terms = sum(one.absent and self._groups[str(one.what)] == "term" for one in own)
        most = _FREE if case.tale else UNLIKE - 0.01 * (3 - min(3, terms))
        return min(confidence, most)

    def _confidence(self, case: Case, group: str, lost: list[Difference], gained: list[Difference]) -> float:
        """How sure it is that a difference in concepts is one of meaning."""
        lost, gained = self._without_shortened(lost, gained)
        if lost and gained:
            absent = any(one.absent for one in lost) + any(one.absent for one in gained)
            return {"term": (0.5, 0.65, 0.75), "owner": (0.4, 0.5, 0.7), "act": (0.2, 0.3, 0.45)}.get(
                group, (0.35, 0.5, 0.65)
            )[absent] - 0.2 * case.tale
        if case.tale or case.label == "example":
            return 0.0
        news = [one for one in (*lost, *gained) if one.absent]
        if group == "choice" and news:
            return 0.5
        news = [one for one in news if not self._understood(case, one)]
        if group == "term" and news:
            terms = [one for one in news if self._groups[str(one.what)] == "term"]
            return min(0.6, 0.3 + 0.15 * len(terms)) if terms else 0.0
        firm = [one for one in news if self._is_firm(one)]
        if firm:
            return 0.36
        return 0.0

    def _is_firm(self, one: Difference) -> bool:
        """Whether a difference that stands by itself is told: whose something is, and where."""
        group = self._groups[str(one.what)]
        return group == "owner" or (one.alone and group in ("direction", "colour"))

    def _without_shortened(
        self, lost: list[Difference], gained: list[Difference]
    ) -> tuple[list[Difference], list[Difference]]:
        """Without pairs of which one is the other said in short: a tile for a street tile."""

        def short(one: Difference, others: list[Difference]) -> bool:
            return any(self._short_for(str(one.what), str(other.what)) for other in others)

        return [one for one in lost if not short(one, gained)], [one for one in gained if not short(one, lost)]

    def _short_for(self, one: str, other: str) -> bool:
        """Whether one of two concepts says the other in short, or more exactly."""
        above = self._glossary.above
        return (
            one in self._shorter.get(other, ())
            or other in self._shorter.get(one, ())
            or one in above(other)
            or other in above(one)
        )

    def _understood(self, case: Case, one: Difference) -> bool:
        """Whether the sentences around say it too: where it was lost, those of that language; else the others'."""
        concept = str(one.what)
        return self._near(case, one, lambda said: said.counts.get(concept, (0, 0))[1] > 0)

    def _near(self, case: Case, one: Difference, says: Callable[[Signature], bool]) -> bool:
        languages = [one.language] if one.lost else [other for other in case.sides if other != one.language]
        return any(says(said) for language in languages for said in self._neighbours(case, language))

    def _neighbours(self, case: Case, language: str) -> list[Signature]:
        """What the sentences directly before and behind say, and the heading above them."""
        read, members = self._reads[language], case.cluster.members[language]
        near = [read.said[n] for n in (members[0] - 1, members[-1] + 1) if 0 <= n < len(read.said)]
        heading = read.heading_of(members[0])
        return near if heading is None else [*near, read.said[heading]]

    def _severity(
        self, case: Case, group: str, lost: list[Difference], gained: list[Difference], confidence: float
    ) -> Severity:
        if case.tale:
            return "cosmetic"
        if lost and gained and case.label == "rule" and self._exchanged(case, group, lost, gained):
            return "play"
        return (
            "text" if group in ("term", "owner", "direction", "colour", "choice") and confidence >= 0.45 else "cosmetic"
        )

    def _is_forced(self, one: Difference) -> bool:
        """Whether what all others allow is not allowed, or of two languages only one allows something."""
        decided = one.alone and one.lost if len(self._reads) > 2 else True
        return one.what == "may" and one.absent and decided

    def _exchanged(self, case: Case, group: str, lost: list[Difference], gained: list[Difference]) -> bool:
        """Whether one thing stands for another of its kind: what is counted, two boards, left for right."""
        return any(
            self._are_of_a_kind(case, group, one, other)
            for one in lost
            for other in gained
            if (one.absent or other.absent) and not self._are_both_loose(case, one, other)
        )

    def _are_both_loose(self, case: Case, one: Difference, other: Difference) -> bool:
        """Whether, of two languages alone, each names more loosely what the other one names exactly."""
        decided = one.alone or other.alone
        return not decided and self._is_said_loosely(case, one) and self._is_said_loosely(case, other)

    def _are_of_a_kind(self, case: Case, group: str, one: Difference, other: Difference) -> bool:
        first, second = str(one.what), str(other.what)
        if group in ("owner", "colour"):
            return True
        if group == "direction":
            return frozenset((first, second)) in OPPOSITES
        if self._groups[first] != "term" or self._groups[second] != "term":
            return False
        parents = set(self._glossary.above(first)) & set(self._glossary.above(second))
        shared = self._shorter.get(first, frozenset()) & self._shorter.get(second, frozenset())
        return bool(parents or shared) or (self._is_counted(case, first) and self._is_counted(case, second))

    def _is_counted(self, case: Case, concept: str) -> bool:
        """Whether a number stands directly before a concept somewhere in the cluster."""
        return any(
            0 <= hit.start - number.end <= _COUNTED
            for side in case.sides.values()
            for said in side.parts
            for hit in said.hits
            if concept in hit.concepts
            for number in said.numbers
        )

    def _told(self, case: Case, views: list[View], language: str) -> Draft:
        """All that a sentence of one language says otherwise, as one draft: the gravest names its kind."""
        found = [one for view in views for one in view.found]
        odd = language if all(one.alone for one in found) else None
        by = language if odd or len(case.sides) > 2 else max(case.sides)  # whatever the order of two books
        facts = tuple(sorted({f"{'-' if one.lost is (by == language) else '+'}{one.what}" for one in found}))
        told = self._words.difference(case.sides, found, odd, lambda edition: self._line(case, edition))
        first = views[0]
        draft = self._draft(case, first.kind, first.severity, first.confidence, told, facts, odd or by, found, odd=odd)
        return replace(draft, named=self._is_of_names(found))

    def _is_of_names(self, found: Sequence[Difference]) -> bool:
        """Whether all that differs is what things are called: one name for another."""
        things = all(one.sort == "concept" and self._groups[str(one.what)] in ("term", "thing") for one in found)
        return things and len({one.lost for one in found}) == 2


def _says_turn(turn: str) -> Callable[[Signature], bool]:
    return lambda said: said.turn(turn)[1] > 0
