"""Problems found in content: values that are collected, never raised while reading.

problems = Problems()
problems.add("RS301", span, name="coinz", hint="Did you mean `coins`?")
if problems.has_errors:
    raise ContentError(problems.items)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from rulespec.diagnostics.catalogue import entry
from rulespec.source.characters import is_shown
from rulespec.source.text import Span

Severity = Literal["error", "warning", "note"]

#: Longest piece of content quoted inside a message, in characters.
LONGEST_QUOTE = 80

#: So many problems are shown in one run, in any form: nobody reads more, and hostile content can have any number.
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a problem, such as the first of two declarations."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong (or worth a note) at one place. `args` are the facts that fill the message."""

    code: str
    severity: Severity
    message: str
    span: Span
    hint: str | None = None
    related: tuple[Related, ...] = ()
    args: dict[str, object] = field(default_factory=dict, compare=False)

    @property
    def place(self) -> tuple[str, int, int, str, str]:
        """What problems are sorted by, and what makes two of them the same."""
        return (self.span.file.name, self.span.start, self.span.end, self.code, self.message)


class Problems:
    """A collector that goes through every stage of reading and checking."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._by_place: dict[tuple[str, int, int, str, str], Problem] = {}
        for problem in problems:
            self._by_place.setdefault(problem.place, problem)

    def add(
        self,
        code: str,
        span: Span,
        *,
        hint: str | None = None,
        related: Iterable[Related] = (),
        **args: object,
    ) -> Problem:
        """Report `code` at `span`; `args` fill the message of the catalogue. Returns the problem.

        Raises KeyError for a code or a placeholder that the catalogue does not have: a fault of ours, not of content.
        """
        known = entry(code)
        message = known.message.format(**{name: quotable(value) for name, value in args.items()})
        tidy_hint = None if hint is None else quotable(hint, 400)
        problem = Problem(code, known.severity, message, span, tidy_hint, tuple(related), dict(args))
        return self._by_place.setdefault(problem.place, problem)

    def amend(self, problem: Problem) -> None:
        """Takes a problem in the place of the same one that said less."""
        self._by_place[problem.place] = problem

    def drop(self, code: str, spans: Collection[Span] | None = None) -> None:
        """Leaves out all problems of a code, or those at some places: they only follow from another one."""
        self._by_place = {
            place: problem
            for place, problem in self._by_place.items()
            if problem.code != code or not (spans is None or problem.span in spans)
        }

    def extend(self, other: Problems | Iterable[Problem]) -> None:
        """Take over the problems of another collector."""
        for problem in other.items if isinstance(other, Problems) else other:
            self._by_place.setdefault(problem.place, problem)

    @property
    def items(self) -> tuple[Problem, ...]:
        """All problems by file and place; the same problem at one place stands once."""
        return tuple(sorted(self._by_place.values(), key=lambda problem: problem.place))

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.items if problem.severity == "error")

    @property
    def has_errors(self) -> bool:
        return any(problem.severity == "error" for problem in self._by_place.values())

    @property
    def is_crowded(self) -> bool:
        """Whether there are more problems than are shown, so that names like an unknown one are not looked for."""
        return len(self._by_place) > MOST_SHOWN

    def __len__(self) -> int:
        return len(self._by_place)


def gravest(problems: Sequence[Problem], most: int = MOST_SHOWN) -> tuple[list[Problem], list[Problem]]:
    """The problems that are shown where there may be `most`, in their order, and the rest: errors come before notes."""
    if len(problems) <= most:
        return list(problems), []
    kinds = get_args(Severity)
    by_severity = sorted(range(len(problems)), key=lambda at: kinds.index(problems[at].severity))
    shown = {*by_severity[:most]}
    return [problems[at] for at in sorted(shown)], [problems[at] for at in by_severity[most:]]


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
