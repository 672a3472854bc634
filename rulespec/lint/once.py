"""One report for one slip: what comes several times, for several numbers of players or places, is told once.

A name that nothing has is reported where it stands first, with its other places beside; and what is only so because of
another problem is not reported at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from rulespec.diagnostics.model import Problem, Problems, Related
from rulespec.source.nodes import Mapping
from rulespec.source.text import Span

#: A name that nothing has, or several things have: the same everywhere.
NAMES = frozenset({"RS301", "RS302", "RS306", "RS308"})

#: Something may be none: to ask whether it is there mends all that is read of it, in one declaration.
MAY_BE_NONE = "RS305"

#: The texts of one message speak of different things: where one of them has a slip in a name, that is why.
UNLIKE = "RS508"

#: How many other places are shown.
MOST_PLACES = 8

_WORDS = re.compile(r"[a-z][a-z0-9_]*")
_Slip = tuple[str, str, int]


@dataclass(slots=True)
class Once:
    """Problems on their way into `problems`."""

    problems: Problems
    seen: set[tuple[str, Span]] = field(default_factory=set)
    first: dict[_Slip, Problem] = field(default_factory=dict)
    others: dict[_Slip, list[Span]] = field(default_factory=dict)

    def take(self, found: Problems, tree: Mapping) -> None:
        """Adds problems of one build of `tree`; one that differs only in its figures is the same one."""
        named = {_declaration(tree, problem.span) for problem in found.items if problem.code in NAMES}
        for problem in found.items:
            place = (problem.code, problem.span)
            if place in self.seen or (problem.code == UNLIKE and _declaration(tree, problem.span) in named):
                continue
            self.seen.add(place)
            slip = _slip(problem, tree)
            if slip is not None and slip in self.first:
                self.others.setdefault(slip, []).append(problem.span)
                continue
            if slip is not None:
                self.first[slip] = problem
            self.problems.extend([problem])

    def finish(self) -> None:
        """Adds the other places of each slip in a name to its report."""
        for slip, spans in self.others.items():
            problem = self.first[slip]
            if problem.code in NAMES:
                places = tuple(Related("the same here", span) for span in spans[:MOST_PLACES])
                self.problems.amend(replace(problem, related=(*problem.related, *places)))


def _slip(problem: Problem, tree: Mapping) -> _Slip | None:
    if problem.code in NAMES:
        return problem.code, problem.message, 0
    if problem.code == MAY_BE_NONE:
        beginning = ".".join(_WORDS.findall(problem.span.text)[:2])
        return problem.code, beginning, _declaration(tree, problem.span)
    return None


def _declaration(tree: Mapping, span: Span) -> int:
    """A number for the declaration that a place lies in."""
    for _, section in tree.pairs:
        for number, (key, entry) in enumerate(section.pairs if isinstance(section, Mapping) else ()):
            if key.span.file is span.file and key.span.start <= span.start <= entry.span.end:
                return id(section) + number
    return 0
