"""What an editor offers to do at a place: the mends of the problems there, and all certain ones of a file at once.

for action in actions(space, problems, name, start, end):
    action.title, action.edits
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulespec.diagnostics.fixes import Edit, Fix, edits_of
from rulespec.diagnostics.model import Problem
from rulespec.service.problems import moved
from rulespec.service.workspace import Workspace

#: Kinds of actions, as the protocol of editors calls them.
MEND, MEND_ALL = "quickfix", "source.fixAll"


@dataclass(frozen=True, slots=True)
class Action:
    """Something to do, with the edits that do it; `problem` is what they mend."""

    title: str
    kind: str
    edits: tuple[Edit, ...]
    problem: Problem | None = None
    is_preferred: bool = False


def actions(space: Workspace, problems: Iterable[Problem], name: str, start: int, end: int) -> tuple[Action, ...]:
    """The mends of what is shown of a file in a stretch of it, those of the same kind, and all of the file.

    `problems` are those of the file; they may have been found in an older text of it.
    """
    text = space.text(name)
    now = [each for problem in problems if (each := moved(problem, text)) is not None]
    here = [each for each in now if each.span.start <= end and start <= each.span.end]
    return (*_mends(space, here), *_same_kind(space, here, now), *_all_of(space, now))


def _mends(space: Workspace, here: Iterable[Problem]) -> Iterator[Action]:
    for problem in here:
        for fix in problem.fixes:
            if _fits(space, fix):
                yield Action(fix.title, MEND, fix.edits, problem, fix.is_certain)


def _same_kind(space: Workspace, here: Iterable[Problem], now: Iterable[Problem]) -> Iterator[Action]:
    """All certain mends of one code, where there are several."""
    for code in dict.fromkeys(problem.code for problem in here if problem.certain):
        fixes = [fix for each in now if each.code == code and (fix := each.certain) and _fits(space, fix)]
        if len(fixes) > 1:
            problem = next(each for each in here if each.code == code)
            yield Action(f"Mend all problems {code} in this file", MEND, edits_of(fixes), problem)


def _all_of(space: Workspace, now: Iterable[Problem]) -> Iterator[Action]:
    fixes = [fix for each in now if (fix := each.certain) and _fits(space, fix)]
    if fixes:
        yield Action("Mend all that is certain in this file", MEND_ALL, edits_of(fixes))


def _fits(space: Workspace, fix: Fix) -> bool:
    """Whether all that a fix changes still stands as it was found."""
    return all(space.text(edit.span.file.name) == edit.span.file.text for edit in fix.edits)
