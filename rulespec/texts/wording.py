"""Findings in words: what each edition says, in whose language the reader reads, why it is told and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rulespec.texts.clusters import Read
from rulespec.texts.differences import RELATION, Difference, Said
from rulespec.texts.findings import shortened
from rulespec.texts.glossary import Glossary
from rulespec.texts.language import language_of
from rulespec.texts.quoting import Sign, phrases
from rulespec.texts.relations import relations, senses_of
from rulespec.texts.signature import Signature
from rulespec.texts.telling import Telling
from rulespec.texts.word_use import Habit

_REASONS: Final = 5  #: how many differences of one sentence are told in words
_WHY: Final = {
    "number": "number",
    "factor": "factor",
    "mood": "mood",
    "denial": "denial",
    "turn": "turn",
    "letter": "letter",
    "page": "page",
}


@dataclass(frozen=True)
class Told:
    """A finding in words: the sentence to send on, and why it is told."""

    message: str
    reason: str = ""


class Words:
    """Names things and puts differences into words."""

    def __init__(self, reads: Sequence[Read], glossary: Glossary, telling: Telling | None = None) -> None:
        self.telling = telling if telling is not None else Telling()
        self._glossary = glossary
        self._reads = {read.language: read for read in reads}
        self._names = {concept.id: concept.name(self.telling.language) for concept in glossary.concepts.values()}
        for concept in language_of(self.telling.language).concepts.values():
            forms = [form.text for form in concept.forms_in(self.telling.language) if not form.text.endswith("*")]
            self._names.setdefault(glossary.id_of(concept.id), forms[0] if forms else concept.id.replace("_", " "))

    def name(self, what: str | int) -> str:
        """What a feature is called."""
        return self._names.get(str(what), str(what).replace("_", " "))

    # ---- what one edition alone has or lacks

    def omission(self, lacking: str, others: Mapping[str, Said], line: int) -> Told:
        """A language lacks what the others say."""
        told = self.telling
        said = told.quoted(_text(next(iter(others.values()))))
        there = told.editions(list(others))
        message = told.whole("omission", (lacking, line), lacking=told.edition(lacking), others=there, phrase=said)
        return Told(message, told.sentence(told.part("why_missing")))

    def addition(self, language: str, said: Said, line: int) -> Told:
        """Only one language says something."""
        told = self.telling
        message = told.whole(
            "addition", (language, line), edition=told.edition(language), phrase=told.quoted(_text(said))
        )
        return Told(message, told.sentence(told.part("why_missing")))

    def passage(self, language: str, texts: Sequence[str], line: int) -> str:
        """Only one language says several sentences that follow each other."""
        told = self.telling
        return told.whole(
            "passage",
            (language, line),
            edition=told.edition(language),
            number=len(texts),
            first=told.quoted(texts[0], 50),
            last=told.quoted(texts[-1], 50),
        )

    def twice(self, language: str, said: Said, line: int) -> Told:
        """A sentence stands twice."""
        told = self.telling
        phrase = told.quoted(said.parts[0].text)
        message = told.whole("twice", (language, line), edition=told.edition(language), phrase=phrase)
        return Told(message, told.sentence(told.part("why_twice")))

    # ---- books as a whole

    def few(self, one: str, other: str, paired: int, shorter: int) -> str:
        """Of few sentences it is sure which of the other book say the same."""
        told = self.telling
        return told.whole("few", one=told.edition(one), other=told.edition(other), paired=paired, shorter=shorter)

    def order(self, odd: str | None, number: int, where: Mapping[str, tuple[str, str]]) -> str:
        """Something stands elsewhere: in each language under which heading, and behind what."""
        told = self.telling
        key = "order_where" if number == 1 else "order_first"
        spots = [
            told.part(key, edition=told.edition(language), where=self._spot(*place))
            for language, place in where.items()
        ]
        whole = ("order_one" if number == 1 else "order_list") + ("_in" if odd else "")
        return told.whole(whole, edition=told.edition(odd or ""), number=number, told="; ".join(spots))

    def _spot(self, above: str, before: str) -> str:
        """Where something stands: under a heading, behind something, or first of all."""
        told = self.telling
        names = {"heading": told.quoted(above), "before": told.quoted(before)}
        if above and before:
            return told.part("under_behind", **names)
        return told.part("under" if above else "behind" if before else "beginning", **names)

    def left(self, language: str, other: str | None) -> str:
        """Something was left in another language, which is named where it is known."""
        told = self.telling
        named = told.named(other) if other else ""
        return told.whole("left_known" if other else "left", edition=told.edition(language), language=named)

    def avoided(self, own: Sequence[Habit]) -> str:
        """Which forms a language uses that are to be avoided."""
        told = self.telling
        forms = told.listed([told.quoted(form) for habit in own for form, _ in habit.forms])
        return told.whole("avoided", edition=told.edition(own[0].language), forms=forms)

    def several(self, habit: Habit) -> str:
        """One thing that a language calls by several names, and how often by each."""
        told = self.telling
        forms = [told.part("times", form=told.quoted(form), number=number) for form, number in habit.forms]
        return told.whole("several", edition=told.edition(habit.language), forms=told.listed(forms))

    # ---- what they say differently

    def difference(
        self,
        sides: Mapping[str, Said],
        found: Sequence[Difference],
        odd: str | None,
        stands_at: Callable[[str], tuple[str, int]],
    ) -> Told:
        """What each edition says, in its own words; the edition that stands alone first, else the one named last."""
        named = [language for language in self.telling.files if language in sides] or list(sides)
        quoted = {language: self._phrases(sides[language], found) for language in named}
        first = odd or named[-1]
        told = self.telling.sentence(self._apart(quoted, first), stands_at(first))
        return Told(told, self._reason(sides, found))

    def _phrases(self, said: Said, found: Sequence[Difference]) -> str:
        """The phrases of an edition that a finding speaks of, quoted; "" where it has none."""
        between = self.telling.part("apart")
        told = phrases(said, self.signs(said, found))
        return self.telling.quoted(between.join(told)) if told else ""

    def _apart(self, quoted: Mapping[str, str], first: str) -> str:
        """What one edition says where the others say something else, or nothing."""
        told = self.telling
        others = {language: phrase for language, phrase in quoted.items() if language != first}
        saying = {language: phrase for language, phrase in others.items() if phrase}
        if not quoted[first]:
            if len(saying) == 1:
                [(other, phrase)] = saying.items()
                return told.part(
                    "nothing", edition=told.edition(other), phrase=phrase, other=told.edition(first, short=True)
                )
            has = [told.part("has", edition=told.edition(o, short=True), phrase=phrase) for o, phrase in saying.items()]
            return told.part("only_of", edition=told.edition(first), others=told.listed(has))
        if not saying:
            if len(others) == 1:
                other = next(iter(others))
                return told.part(
                    "nothing", edition=told.edition(first), phrase=quoted[first], other=told.edition(other, short=True)
                )
            return told.part("only", edition=told.edition(first), phrase=quoted[first])
        says = [
            told.says(other, phrase, short=True)
            if phrase
            else told.part("nothing_of", edition=told.edition(other, short=True), phrase=quoted[first])
            for other, phrase in others.items()
        ]
        return told.part("where", one=told.says(first, quoted[first]), others=told.listed(says))

    def _reason(self, sides: Mapping[str, Said], found: Sequence[Difference]) -> str:
        """Why it is told: which signs differ, of which sort."""
        parts = []
        for sort in dict.fromkeys(one.sort for one in found):
            own = [one for one in found if one.sort == sort]
            key = _WHY.get(sort, "exchanged" if len({one.lost for one in own}) == 2 else "term")
            parts.append(self.telling.part(f"why_{key}", what=self._what_differs(sides, own)))
        return self.telling.sentence("; ".join(parts))

    def _what_differs(self, sides: Mapping[str, Said], own: Sequence[Difference]) -> str:
        """The signs: those of one edition against those of the others, or which edition alone has them."""
        told = self.telling
        shown = own[:_REASONS]
        lost = [self._what(one) for one in shown if one.lost]
        gained = [self._what(one) for one in shown if not one.lost]
        if lost and gained:
            return told.part("against", lost=told.listed(gained), gained=told.listed(lost))
        names = told.listed([self._what(one) for one in shown])
        having = [o for o in sides if any(dict(one.counts).get(o, (0, 0))[1] for one in own)]
        if len(having) < len(sides):
            return told.part(
                "only_there", what=names, edition=told.listed([told.edition(o, short=True) for o in having])
            )
        return names

    def _what(self, one: Difference) -> str:
        match one.sort:
            case "number" | "page":
                return f"{float(one.what):g}"
            case "factor":
                return self.telling.part("factor", number=f"{float(one.what):g}")
            case "letter":
                return str(one.what)
            case "mood" | "turn":
                return self.telling.part(f"{one.sort}_{one.what}")
            case "denial":
                return self.telling.part("denial")
            case "relation":
                kind, _, sense = str(one.what).partition(".")
                own = senses_of(self.telling.language).get(kind, {})
                return own[sense].phrase if sense in own else sense.replace("_", " ")
            case _:
                return self.name(one.what)

    def again(self, message: str, number: int) -> str:
        """The same difference stands in other places too."""
        bare = message.rstrip(".。")
        key = "again_one" if number == 1 else "again_other"
        return self.telling.sentence(self.telling.part(key, told=bare, number=number))

    # ---- where it stands

    def signs(self, said: Said, found: Sequence[Difference]) -> Iterator[Sign]:
        """The stretches of a language's clauses that a finding speaks of."""
        whats = {(one.sort, str(one.what)) for one in found}
        for n, part in enumerate(said.parts):
            for hit in part.hits:
                if any(("concept", concept) in whats for concept in hit.concepts):
                    yield Sign(n, hit.start, hit.end, "concept")
            for number in part.numbers:
                named = ("page" if number.kind == "page" else "number", "factor")
                if any((sort, _key(number.value, sort)) in whats for sort in named):
                    yield Sign(n, number.start, number.end, "number")
            yield from _marks(n, part, whats)
            if any(sort == RELATION for sort, _ in whats):
                yield from _related(n, part, whats)

    def spots(self, said: Said, found: Sequence[Difference]) -> Iterator[tuple[int, int, int]]:
        """The same, without their sorts: which clause, from, to."""
        yield from ((sign.clause, sign.start, sign.end) for sign in self.signs(said, found))


def _marks(n: int, part: Signature, whats: set[tuple[str, str]]) -> Iterator[Sign]:
    """Moods, turns, denials and letters."""
    for mark in part.marks:
        for sort in ("mood", "turn"):
            if (sort, mark.kind) in whats:
                yield Sign(n, mark.start, mark.end, sort)
    for mark in part.denied if ("denial", "not") in whats else ():
        yield Sign(n, mark.start, mark.end, "denial")
    for mark in part.letters:
        if ("letter", mark.kind) in whats:
            yield Sign(n, mark.start, mark.end, "letter")


def _related(n: int, part: Signature, whats: set[tuple[str, str]]) -> Iterator[Sign]:
    for kind, senses in relations(part.text, part.language).stretches.items():
        for sense, stretches in senses.items():
            if (RELATION, f"{kind}.{sense}") in whats:
                yield from (Sign(n, start, end, RELATION) for start, end in stretches)


def _key(value: float, sort: str) -> str:
    """A number as differences name it."""
    return str(int(value)) if sort == "page" else str(value)


def _text(said: Said) -> str:
    return shortened(" ".join(part.text for part in said.parts), 200)
