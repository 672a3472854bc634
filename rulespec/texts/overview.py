"""What shows in a rulebook as a whole: passages in another language, doubles, misspelled terms, another order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rulespec.texts.casework import Case, Casework
from rulespec.texts.clusters import Cluster
from rulespec.texts.findings import Draft, Place, Severity, place_of, shortened
from rulespec.texts.ordering import moved
from rulespec.texts.tongues import language_read
from rulespec.texts.trust import few
from rulespec.texts.word_use import Habit, habits
from rulespec.texts.wording import Told

_LIST: Final = 4  #: so many moved entries near each other are a list in another order
_LIST_GAP: Final = 6  #: how far two moved entries of one list are from each other, at most
_LONE: Final = 3  #: so few sentences together are no stretch
_SEVERAL: Final = 0.6  #: how sure it is that one thing is called by several names
_NAMED: Final = 40  #: characters of what something stands under, or behind
_PLACES: Final = 12  #: how many places of a name are listed


class Overview(Casework):
    """Makes drafts of findings from the rulebooks as a whole."""

    def drafts(self) -> Iterator[Draft]:
        """The findings, before they are numbered."""
        yield from self._few()
        yield from self._untranslated()
        yield from self._twice()
        yield from self._named()
        yield from self._order()

    # ---- what cannot be compared

    def _few(self) -> Iterator[Draft]:
        """Two books of which few sentences surely say the same: the rest is not compared."""
        for one, other, paired, shorter in few(list(self._reads.values()), self._clusters, self._trust):
            places = tuple(place_of(self._reads[language].clauses[:1]) for language in (one, other))
            message = self._words.few(one, other, paired, shorter)
            yield Draft("unpaired", "text", 0.9, places, message, ("few", *sorted((one, other))), (), cluster=0)

    # ---- what was left in another language

    def _untranslated(self) -> Iterator[Draft]:
        """Long stretches that were left in another language, each as one; and headings here and there, all as one."""
        for language, read in self._reads.items():
            foreign = [n for n, clause in enumerate(read.clauses) if clause.foreign and clause.label != "names"]
            stretches = _stretches(foreign)
            lone = [n for stretch in stretches if len(stretch) <= _LONE for n in stretch]
            groups = [*(stretch for stretch in stretches if len(stretch) > _LONE), *([lone] if lone else [])]
            for group in groups:
                clusters = [one for one in self._clusters if set(one.members.get(language, ())) & set(group)]
                if clusters:  # what only says again what stands before is told as that
                    yield self._left(language, group, clusters, lone=group is lone)

    def _left(self, language: str, group: list[int], clusters: list[Cluster], *, lone: bool) -> Draft:
        read = self._reads[language]
        if lone:
            places = [place for cluster in clusters for place in self._places(self._case(cluster), ())]
        else:
            ends = [min(clusters, key=lambda c: c.members[language]), max(clusters, key=lambda c: c.members[language])]
            places = [self._from_to(other, ends) for other in self._reads if all(other in c.members for c in ends)]
        return Draft(
            "untranslated",
            "cosmetic" if lone else "text",
            0.8,
            tuple(places),
            self._words.left(language, self._language_of(language, group)),
            ("untranslated", "lone" if lone else read.clauses[group[0]].text[:40]),
            (),
            odd=language,
            cluster=clusters[0].index,
        )

    def _language_of(self, language: str, group: list[int]) -> str | None:
        """Which language was left there, where that is clear: that of its words, or of the book that has them too."""
        texts = [self._reads[language].clauses[n].text for n in group]
        read = language_read(texts)
        if read is not None:
            return read
        wanted = {_flat(text) for text in texts}
        alike = {
            other: len(wanted & {_flat(clause.text) for clause in self._reads[other].clauses})
            for other in self._reads
            if other != language
        }
        most = max(alike, key=lambda other: alike[other])
        is_clear = 2 * alike[most] > len(wanted) and list(alike.values()).count(alike[most]) == 1
        return most if is_clear else None

    def _from_to(self, language: str, ends: list[Cluster]) -> Place:
        read = self._reads[language]
        first, last = read.clauses[ends[0].members[language][0]], read.clauses[ends[1].members[language][-1]]
        place = place_of([first])
        end_line, end_column = last.place(max(0, len(last.text) - 1))
        return replace(place, end_line=max(end_line, place.line), end_column=end_column + 1)

    # ---- sentences that stand twice

    def _twice(self) -> Iterator[Draft]:
        """A sentence that stands twice near by, in one language only."""
        for cluster in self._clusters:
            having = [
                language
                for language, indexes in cluster.members.items()
                if any(self._reads[language].original(n) in indexes for n in self._reads[language].doubles)
            ]
            if len(having) == 1 and len(self._reads) > 1:
                case = self._case(cluster)
                told = self._words.twice(having[0], case.sides[having[0]], self._line(case, having[0])[1])
                yield self._draft(
                    case,
                    "addition",
                    "text",
                    0.9,
                    told,
                    ("twice",),
                    having[0],
                )

    # ---- names

    def _named(self) -> Iterator[Draft]:
        """Forms that are avoided, all of a language as one; and each thing that goes by several names."""
        at = {
            (language, n): cluster
            for cluster in self._clusters
            for language, indexes in cluster.members.items()
            for n in indexes
        }
        own = {
            language: list(habits(read, self._glossary, self._free(language))) for language, read in self._reads.items()
        }
        for found in own.values():
            avoided = [habit for habit in found if habit.avoided]
            if avoided:
                severity: Severity = "text" if len(avoided) > 1 else "cosmetic"
                yield self._habit(avoided, at, "typo", severity, self._words.avoided(avoided))
        several = [habit for found in own.values() for habit in found if not habit.avoided]
        for habit in several:
            if not any(_same_distinction(habit, other, at) for other in several):
                often: Severity = "text" if len(habit.uses) > 1 else "cosmetic"
                yield self._habit([habit], at, "term", often, self._words.several(habit))

    def _free(self, language: str) -> frozenset[int]:
        """The sentences of a language that tell a story there or in another language."""
        tales = [cluster for cluster in self._clusters if language in cluster.members and self._case(cluster).tale]
        return frozenset(n for cluster in tales for n in cluster.members[language])

    def _habit(
        self, own: list[Habit], at: dict[tuple[str, int], Cluster], kind: str, severity: Severity, message: str
    ) -> Draft:
        places: list[Place] = []
        language = own[0].language
        for habit in own:
            found = [at[language, use.clause] for use in habit.uses if (language, use.clause) in at]
            clusters = {cluster.index: cluster for cluster in found}
            for cluster in list(clusters.values())[:_PLACES]:
                places += self._places_with(cluster, habit)
        first = min(
            (at[place].index for h in own for use in h.uses if (place := (language, use.clause)) in at), default=0
        )
        return Draft(
            kind,
            severity,
            0.7 if kind == "typo" else _SEVERAL,
            tuple(dict.fromkeys(places)),
            message,
            ("avoided",) if kind == "typo" else ("several", own[0].concept),
            (),
            odd=language,
            cluster=first,
        )

    def _places_with(self, cluster: Cluster, habit: Habit) -> Iterator[Place]:
        for language, indexes in cluster.members.items():
            read = self._reads[language]
            spots = [
                (indexes.index(use.clause), use.start, use.end)
                for use in habit.uses
                if language == habit.language and use.clause in indexes
            ]
            yield place_of([read.clauses[n] for n in indexes], spots)

    # ---- order

    def _order(self) -> Iterator[Draft]:
        """What stands in another place: one by one, and long lists in another order as one."""
        found = moved(self._clusters, sorted(self._reads))
        places = {index: odd for index, odd in found.items() if self._trust.is_sure(index)}
        run: list[int] = []
        for index in sorted(places):
            if run and (index - run[-1] > _LIST_GAP or places[index] != places[run[0]]):
                yield from self._moved(run, places[run[0]])
                run = []
            run.append(index)
        if run:
            yield from self._moved(run, places[run[0]])

    def _moved(self, run: list[int], odd: str | None) -> Iterator[Draft]:
        cases = [self._case(self._clusters[index]) for index in run]
        if len(cases) > _LIST:
            yield replace(
                self._draft(
                    cases[0],
                    "order",
                    "cosmetic",
                    0.6,
                    Told(self._words.order(odd, len(run), self._where(cases[0]))),
                    ("list",),
                    odd or "",
                    odd=odd,
                ),
                places=tuple(place for case in cases for place in self._places(case, ())),
                anchor=(),
            )
            return
        for case in cases:
            if case.label != "names":
                severity: Severity
                is_grave = self._is_heading(case) or self._is_in_order(case)
                severity, sure = ("text", 0.55) if is_grave else ("cosmetic", 0.45)
                told = Told(self._words.order(odd, 1, self._where(case)))
                yield self._draft(case, "order", severity, sure, told, ("moved",), odd or "", odd=odd)

    def _where(self, case: Case) -> dict[str, tuple[str, str]]:
        """In each language the heading that something stands under and what stands before it; "" where none does."""
        found = {}
        for language in case.sides:
            read, first = self._reads[language], case.cluster.members[language][0]
            heading = read.heading_of(first)
            above = "" if heading is None else shortened(read.clauses[heading].text.lstrip("# "), _NAMED)
            before = "" if first == 0 or first - 1 == heading else shortened(read.clauses[first - 1].text, _NAMED)
            found[language] = above, before
        return found

    def _is_in_order(self, case: Case) -> bool:
        """Whether a rule stands in another place of which it is known by meaning that it says the same."""
        return self._trust.encoder is not None and case.label == "rule"

    def _is_heading(self, case: Case) -> bool:
        """Whether what stands in another place is a heading: other sentences stand under it there."""
        return all(self._clauses(case, language)[0].kind == "heading" for language in case.sides)


def _flat(text: str) -> str:
    """A text as it is compared with what another rulebook says word for word."""
    return " ".join(text.lower().split())


def _same_distinction(one: Habit, other: Habit, at: Mapping[tuple[str, int], Cluster]) -> bool:
    """Whether two languages use their other name of a thing in the same sentences: they tell two things apart by it."""
    if one.language == other.language or one.concept != other.concept:
        return False
    here, there = (
        {at[key].index for use in habit.uses if (key := (habit.language, use.clause)) in at} for habit in (one, other)
    )
    return 2 * len(here & there) >= min(len(here), len(there)) > 0


def _stretches(numbers: Sequence[int]) -> list[list[int]]:
    """Runs of numbers with no more than one left out between two."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number - found[-1][-1] <= 2:
            found[-1].append(number)
        else:
            found.append([number])
    return found
