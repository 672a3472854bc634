"""Making all certain mends of a game, again and again until none is left.

found = mend_all(snapshot, problems_of)
found.texts     # of the files that change, by name
found.made      # the problems that are mended
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from rulespec.diagnostics.fixes import Edit, Fix, applied, are_together, edits_of
from rulespec.diagnostics.model import Problem
from rulespec.service.problems import Snapshot

#: How often a game is checked again: a mend may bring another problem to light, which was not looked for before.
MOST_ROUNDS = 40

#: Codes below are of files that cannot be read: what they declare is not known.
_OF_READING = "RS200"


@dataclass(frozen=True, slots=True)
class Mended:
    """A game after all its certain mends: the files that are others now, which problems went, and which are left."""

    texts: dict[str, str]
    made: tuple[Problem, ...]
    left: tuple[Problem, ...]


def mend_all(snapshot: Snapshot, check: Callable[[Snapshot], tuple[Problem, ...]]) -> Mended:
    """The certain mends of a game's files. Those that would leave a file unreadable which was not are not made."""
    first, problems = dict(snapshot.texts), check(snapshot)
    made: list[Problem] = []
    refused: set[tuple[str, str, str]] = set()
    seen = {snapshot.texts}
    for _ in range(MOST_ROUNDS):
        chosen = _chosen(snapshot, problems, refused)
        if not chosen:
            break
        texts = applied(dict(snapshot.texts), edits_of(fix for _, fix in chosen))
        new = replace(snapshot, texts=tuple(texts.items()))
        after = check(new)
        spoiled = _unreadable(after) - _unreadable(problems)
        if spoiled or new.texts in seen:
            refused |= {_same(each) for each, fix in chosen if not spoiled or _files(fix) & spoiled}
            continue
        made += [each for each, _ in chosen]
        snapshot, problems = new, after
        seen.add(new.texts)
    changed = {name: text for name, text in snapshot.texts if first[name] != text}
    return Mended(changed, tuple(made), problems)


def _chosen(
    snapshot: Snapshot, problems: Iterable[Problem], refused: set[tuple[str, str, str]]
) -> list[tuple[Problem, Fix]]:
    """The certain fixes that can be made together, with their problems: each one that is made is made whole."""
    texts, found, edits = dict(snapshot.texts), list[tuple[Problem, Fix]](), list[Edit]()
    for problem in problems:
        fix = problem.certain
        if fix is None or _same(problem) in refused:
            continue
        if any(texts.get(edit.span.file.name) != edit.span.file.text for edit in fix.edits):
            continue  # in what is no file of the game
        if are_together(fix.edits, edits):
            found.append((problem, fix))
            edits += [edit for edit in fix.edits if edit not in edits]
    return found


def _same(problem: Problem) -> tuple[str, str, str]:
    """What a problem is known by while lines move."""
    return problem.code, problem.span.file.name, problem.message


def _files(fix: Fix) -> set[str]:
    return {edit.span.file.name for edit in fix.edits}


def _unreadable(problems: Iterable[Problem]) -> set[str]:
    return {each.span.file.name for each in problems if each.code < _OF_READING and each.severity == "error"}
