"""What comparing rulebooks finds: places where they disagree, with what speaks for it, in words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from rulespec.texts.clauses import Clause
from rulespec.texts.folding import fold

Severity = Literal["play", "text", "cosmetic"]
SEVERITIES: Final[tuple[Severity, ...]] = ("play", "text", "cosmetic")

KINDS: Final = (
    "number",
    "negation",
    "modality",
    "omission",
    "addition",
    "term",
    "component",
    "order",
    "example",
    "reference",
    "untranslated",
    "typo",
    "unpaired",
)

_EXCERPT: Final = 160


#: What can become of a finding.
STATES: Final = ("open", "to_fix", "accepted", "rejected")
#: The state, where findings are asked for by it, of one that nothing is known of.
NEW: Final = "new"
#: What findings can be asked for by, and of these what is left to do.
ASKED: Final = (NEW, *STATES)
LEFT: Final = frozenset({NEW, "open", "to_fix"})


@dataclass(frozen=True, slots=True)
class State:
    """What became of a finding, by whom, when (a date) and why."""

    id: str
    state: str
    by: str = ""
    when: str = ""
    reason: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing left to do: it is meant to differ, or it is no difference."""
        return self.state in ("accepted", "rejected")

    @property
    def told(self) -> str:
        """It in a line."""
        who = ", ".join(part for part in (self.by, self.when) if part)
        return f"{self.state}{f' ({who})' if who else ''}{f': {self.reason}' if self.reason else ''}"


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch of a text at fault, within its place's excerpt: from and to."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding stands in one language. `lacking`: where something is missing that the others have."""

    language: str
    line: int
    end_line: int
    column: int
    end_column: int
    excerpt: str
    lacking: bool = False
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One disagreement. `id` is the same after edits elsewhere; `odd` is the language that stands alone.

    `message` is a sentence to send on: what each edition says, and where. `reason` is why it is told,
    `state` what became of it.
    """

    id: str
    kind: str
    severity: Severity
    confidence: float
    places: tuple[Place, ...]
    message: str
    odd: str | None = None
    rule: str | None = None
    cluster: int = -1
    reason: str = ""
    state: State | None = None

    @property
    def rank(self) -> tuple[int, float, int]:
        """The gravest and surest first."""
        return SEVERITIES.index(self.severity), -self.confidence, self.cluster


@dataclass
class Draft:
    """A finding before it has its id: `facts` are what it is known by, `anchor` what the other texts say there.

    `named`: one name stands for another. Wherever that is so it is one cause.
    """

    kind: str
    severity: Severity
    confidence: float
    places: tuple[Place, ...]
    message: str
    facts: tuple[str, ...]
    anchor: tuple[str, ...]
    odd: str | None = None
    rule: str | None = None
    cluster: int = -1
    reason: str = ""
    named: bool = False

    @property
    def known_by(self) -> str:
        """What tells it from others, whatever the order of the books."""
        return "|".join((self.kind, self.odd or "", *self.facts, "@", *self.anchor))

    @property
    def position(self) -> tuple[str, int, int]:
        """Where it stands in the book whose language comes first by its name."""
        return min((place.language, place.line, place.column) for place in self.places)


def digest_of(texts: Iterable[str]) -> str:
    """What tells words from others, however their lines are broken."""
    words = " ".join(word for text in texts for word in text.split())
    return hashlib.sha256(fold(words).encode("utf-8", "surrogatepass")).hexdigest()[:10]


def numbered(drafts: Iterable[Draft]) -> list[Finding]:
    """Findings with their ids. Two that say the same are told apart by their order in one of the books."""
    seen: dict[str, int] = {}
    found = []
    for draft in sorted(drafts, key=lambda one: one.position):
        known = draft.known_by
        seen[known] = seen.get(known, 0) + 1
        mark = hashlib.sha256(f"{known}|{seen[known]}".encode()).hexdigest()[:10]
        found.append(
            Finding(
                f"{draft.kind}-{mark}",
                draft.kind,
                draft.severity,
                round(draft.confidence, 2),
                draft.places,
                draft.message,
                draft.odd,
                draft.rule,
                draft.cluster,
                draft.reason,
            )
        )
    return sorted(found, key=lambda finding: finding.rank)


def place_of(clauses: Iterable[Clause], spots: Iterable[tuple[int, int, int]] = ()) -> Place:
    """The place of clauses that follow each other. `spots` are (which clause, from, to)."""
    members = list(clauses)
    first, last = members[0], members[-1]
    line, column = first.place(0)
    end_line, end_column = last.place(max(0, len(last.text) - 1))
    offsets, words = [], ""
    for clause in members:
        words += " " if words else ""
        offsets.append(len(words))
        words += clause.text
    marks = tuple(Spot(offsets[n] + start, offsets[n] + end) for n, start, end in spots)
    return Place(first.language, line, end_line, column, end_column + 1, words, spots=marks)


def gap_between(before: Clause | None, after: Clause | None, language: str) -> Place:
    """The place where something is missing: from the end of one clause to the beginning of the next."""
    line, column = (1, 1) if before is None else before.place(max(0, len(before.text) - 1))
    end_line, end_column = (line, column) if after is None else after.place(0)
    end_line, end_column = max((end_line, end_column), (line, column))
    return Place(language, line, end_line, column + 1, max(end_column, 1), "", lacking=True)


def shortened(text: str, most: int = _EXCERPT) -> str:
    """An excerpt that fits a line."""
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 1]}…"


def shown_part(place: Place, most: int = _EXCERPT) -> tuple[str, list[Spot]]:
    """What `excerpt_around` gives, and the stretches at fault within it."""
    shown = excerpt_around(place, most)
    own = shown.strip("…")
    bare = " ".join(place.excerpt.split())
    if bare != place.excerpt:  # blanks were put together: places are those of another text
        return shown, []
    at = place.excerpt.find(own) - (len(shown) - len(shown.lstrip("…")))
    spots = [Spot(max(0, spot.start - at), min(spot.end - at, len(shown))) for spot in place.spots]
    return shown, [spot for spot in spots if 0 <= spot.start < spot.end]


def excerpt_around(place: Place, most: int = _EXCERPT) -> str:
    """An excerpt that fits a line and shows where the fault is: of a long sentence the part around it."""
    first = min((spot.start for spot in place.spots), default=0)
    last = max((spot.end for spot in place.spots if spot.end - first < most), default=0)
    if len(place.excerpt) <= most or last < most:
        return shortened(place.excerpt, most)
    start = max(0, min(first, last - most // 2) - most // 3)
    blank = place.excerpt.find(" ", start, first)
    return f"…{shortened(place.excerpt[start if blank < 0 else blank + 1 :], most - 1)}"
