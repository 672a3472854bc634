"""Problems found in content: values that are collected, never raised while reading.

problems = Problems()
problems.add("RS301", span, name="coinz", hint="Did you mean `coins`?")
if problems.has_errors:
    raise ContentError(problems.items)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from rulespec.diagnostics.catalogue import entry
from rulespec.diagnostics.fixes import Fix
from rulespec.diagnostics.nearest import Near
from rulespec.source.characters import is_shown
from rulespec.source.text import Span

Severity = Literal["error", "warning", "note"]

#: Longest piece of content quoted inside a message, in characters.
LONGEST_QUOTE = 80

#: So many problems are shown in one run, in any form: nobody reads more, and hostile content can have any number.
MOST_SHOWN = 200

#: So many of each severity are kept; the rest is counted, so that any number of them takes no more memory.
MOST_KEPT = 2_000

#: So many of the rest are known again when they are reported once more; beyond, each report counts.
MOST_KNOWN = 200_000

#: The code of the problem that stands for those that were not kept.
NOT_KEPT = "RS154"


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a problem, such as the first of two declarations."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong (or worth a note) at one place. `args` are the facts that fill the message.

    `count` is how many it stands for: more than one only where the others were not kept. `fixes` are its mends, the
    likeliest first.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    hint: str | None = None
    related: tuple[Related, ...] = ()
    args: dict[str, object] = field(default_factory=dict, compare=False)
    count: int = 1
    fixes: tuple[Fix, ...] = ()

    def placed(self, place: Callable[[Span], Span]) -> Problem:
        """The same problem with all its places elsewhere, such as in files with other names."""
        related = tuple(Related(each.message, place(each.span)) for each in self.related)
        fixes = tuple(fix.placed(place) for fix in self.fixes)
        return replace(self, span=place(self.span), related=related, fixes=fixes)

    @property
    def certain(self) -> Fix | None:
        """The one mend that is certain, if there is one."""
        return next((fix for fix in self.fixes if fix.is_certain), None)

    @property
    def place(self) -> tuple[str, int, int, str, str]:
        """What problems are sorted by, and what makes two of them the same."""
        return (self.span.file.name, self.span.start, self.span.end, self.code, self.message)


class Problems:
    """A collector that goes through every stage of reading and checking.

    It keeps `MOST_KEPT` of each severity, those that come first; the rest is counted, and one more problem says so.
    """

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._by_place: dict[tuple[str, int, int, str, str], Problem] = {}
        self._kept: Counter[Severity] = Counter()
        self._beyond = _Beyond()
        self.extend(problems)

    def add(
        self,
        code: str,
        span: Span,
        *,
        hint: str | None = None,
        near: Near | None = None,
        related: Iterable[Related] = (),
        fixes: Iterable[Fix] = (),
        **args: object,
    ) -> Problem:
        """Report `code` at `span`; `args` fill the message of the catalogue. Returns the problem.

        `near` is a good name like the one that stands there: the hint asks for it, instead of `hint`, and a fix
        changes to it.

        Raises KeyError for a code or a placeholder that the catalogue does not have: a fault of ours, not of content.
        """
        known = entry(code)
        message = known.message.format(**{name: quotable(value) for name, value in args.items()})
        if near is not None:
            hint, fixes = near.question, (*near.fixes(span), *fixes)
        tidy_hint = None if hint is None else quotable(hint, 400)
        return self._take(
            Problem(code, known.severity, message, span, tidy_hint, tuple(related), dict(args), fixes=tuple(fixes))
        )

    def _take(self, problem: Problem) -> Problem:
        """Keeps a problem, or counts it; gives the one that stands at its place."""
        place, severity = problem.place, problem.severity
        known = self._by_place.get(place)
        if known is not None:
            return known
        if problem.count == 1 and self._kept[severity] < MOST_KEPT:
            self._kept[severity] += 1
            self._by_place[place] = problem
        else:
            self._beyond.take(problem)
        return problem

    def amend(self, problem: Problem) -> None:
        """Takes a problem in the place of the same one that said less."""
        if problem.place in self._by_place:
            self._by_place[problem.place] = problem
        else:
            self._take(problem)

    def drop(self, code: str, spans: Collection[Span] | None = None) -> None:
        """Leaves out all problems of a code, or those at some places: they only follow from another one.

        Of those that were not kept the first `MOST_KNOWN` are known by their places; any are by their code.
        """
        self._by_place = {
            place: problem
            for place, problem in self._by_place.items()
            if problem.code != code or not (spans is None or problem.span in spans)
        }
        self._kept = Counter(problem.severity for problem in self._by_place.values())
        self._beyond.drop(code, spans)

    def extend(self, other: Problems | Iterable[Problem]) -> None:
        """Take over the problems of another collector."""
        if not isinstance(other, Problems):
            for problem in other:
                self._take(problem)
            return
        for problem in sorted(other._by_place.values(), key=lambda problem: problem.place):
            self._take(problem)
        if other._beyond:
            self._beyond.join(other._beyond, {hash(place) for place in self._by_place})

    @property
    def items(self) -> tuple[Problem, ...]:
        """All problems by file and place; the same problem at one place stands once.

        Where some were not kept, one more of their severity stands for them, at the place of the first one.
        """
        kept = (*self._by_place.values(), *self._beyond.problems())
        return tuple(sorted(kept, key=lambda problem: problem.place))

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.items if problem.severity == "error")

    @property
    def has_errors(self) -> bool:
        return self._kept["error"] > 0 or "error" in self._beyond.severities

    @property
    def is_crowded(self) -> bool:
        """Whether there are more problems than are shown, so that names like an unknown one are not looked for."""
        return len(self._by_place) > MOST_SHOWN

    def __len__(self) -> int:
        return len(self._by_place) + len(self._beyond.severities)


@dataclass(slots=True)
class _NotKept:
    """Problems of one severity and code that were not kept: the first, how many, and digests of places with spans."""

    first: Problem
    count: int = 0
    known: dict[int, int] = field(default_factory=dict)


class _Beyond:
    """The problems that were not kept: how many there are of each severity and code, and the first of each."""

    def __init__(self) -> None:
        self._parts: dict[tuple[Severity, str], _NotKept] = {}
        self._room = MOST_KNOWN

    def __bool__(self) -> bool:
        return bool(self._parts)

    @property
    def severities(self) -> tuple[Severity, ...]:
        """Of which severities there are some, in the order in which they came."""
        return tuple(dict.fromkeys(severity for severity, _ in self._parts))

    def take(self, problem: Problem) -> None:
        """Counts a problem, once where it comes several times."""
        part = self._parts.setdefault((problem.severity, problem.code), _NotKept(problem))
        known = hash(problem.place)
        if known not in part.known:
            self._know(part, known, hash(problem.span))
            part.count += problem.count

    def _know(self, part: _NotKept, place: int, span: int) -> None:
        if self._room > 0:
            self._room -= 1
            part.known[place] = span

    def join(self, other: _Beyond, kept: Collection[int]) -> None:
        """Counts what another collector did not keep, but none that is counted or `kept` here."""
        whole = {place for (_, code), part in self._parts.items() if code == NOT_KEPT for place in part.known}
        counted = {problem.severity for problem in other.problems() if hash(problem.place) in whole}
        for (severity, code), theirs in other._parts.items():
            if severity in counted:  # what stands for all of them came before, such as from the disk
                continue
            part = self._parts.get((severity, code)) or _NotKept(theirs.first)
            new = [place for place in theirs.known if place not in part.known and place not in kept]
            if code == NOT_KEPT:  # each stands for many
                part.count += theirs.count if new else 0
            else:
                part.count += theirs.count - (len(theirs.known) - len(new))
            for place in new:
                self._know(part, place, theirs.known[place])
            if part.count:
                self._parts[severity, code] = part

    def drop(self, code: str, spans: Collection[Span] | None) -> None:
        """Counts those of a code no more, or of these those at some places."""
        wanted = None if spans is None else {hash(span) for span in spans}
        for key in [key for key in self._parts if key[1] == code]:
            part = self._parts[key]
            gone = [place for place, span in part.known.items() if wanted is None or span in wanted]
            for place in gone:
                del part.known[place]
            self._room += len(gone)
            part.count -= part.count if wanted is None else len(gone)
            if part.count == 0:
                del self._parts[key]

    def problems(self) -> Iterable[Problem]:
        """One for each severity of which there are some."""
        about = entry(NOT_KEPT)
        for severity in self.severities:
            parts = [part for key, part in self._parts.items() if key[0] == severity]
            count = sum(part.count for part in parts)
            message = about.message.format(count=f"{count:,}", severity=severity)
            yield Problem(NOT_KEPT, severity, message, parts[0].first.span, count=count)


def gravest(problems: Sequence[Problem], most: int = MOST_SHOWN) -> tuple[list[Problem], list[Problem]]:
    """The problems that are shown where there may be `most`, in their order, and the rest: errors come before notes.

    What stands for problems that were not kept is of the rest.
    """
    if len(problems) <= most and all(problem.count == 1 for problem in problems):
        return list(problems), []
    kinds = get_args(Severity)
    by_severity = sorted(
        range(len(problems)), key=lambda at: (problems[at].count > 1, kinds.index(problems[at].severity))
    )
    single = sum(problem.count == 1 for problem in problems)
    shown = {*by_severity[: min(most, single)]}
    return [problems[at] for at in sorted(shown)], [problems[at] for at in by_severity[len(shown) :]]


def counts_of(problems: Iterable[Problem]) -> Counter[Severity]:
    """How many problems there are of each severity, those that were not kept too."""
    found: Counter[Severity] = Counter()
    for problem in problems:
        found[problem.severity] += problem.count
    return found


class ContentError(Exception):
    """Content that cannot be used. `problems` says why; the exception's text is the same, rendered."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        from rulespec.diagnostics.render import render_text  # here, since drawing is needed only on failure

        return render_text(self.problems)


def quotable(value: object, longest: int = LONGEST_QUOTE) -> str:
    """`value` as one short line without control characters, so that content cannot paint over a terminal."""
    beginning = str(value)[: longest * 4]  # content may hold very long texts
    text = "".join(mark if is_shown(mark) else " " for mark in beginning)
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"
