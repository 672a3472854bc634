"""Making all certain mends of a game, again and again until none is left.

found = mend_all(snapshot, problems_of)
found.texts     # of the files that change, by name
found.made      # the problems that are mended
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rulespec.diagnostics.fixes import Edit, Fix, Together, applied, edits_of
from rulespec.diagnostics.model import Problem
from rulespec.service.problems import Snapshot
from rulespec.service.slips import Words, count_words
from rulespec.source.text import Span

#: How often a game is checked again: a mend may bring another problem to light, which was not looked for before.
MOST_ROUNDS = 40

#: Codes below are of files that cannot be read: what they declare is not known.
_OF_READING = "RS200"


_Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Mended:
    """A game after all its certain mends: the files that are others now, which problems went, and which are left."""

    texts: dict[str, str]
    made: tuple[Problem, ...]
    left: tuple[Problem, ...]


def mend_all(snapshot: Snapshot, check: Callable[[Snapshot], tuple[Problem, ...]]) -> Mended:
    """The certain mends of a game's files.

    None is made after which its problem is still told, or a file is unreadable that was not.
    """
    first, problems = dict(snapshot.texts), check(snapshot)
    made: list[Problem] = []
    refused: set[_Key] = set()
    seen = {snapshot.texts}
    for _ in range(MOST_ROUNDS):
        chosen = _chosen(snapshot, problems, refused)
        if not chosen:
            break
        edits = edits_of(fix for _, fix in chosen)
        texts = applied(dict(snapshot.texts), edits)
        new = replace(snapshot, texts=tuple(texts.items()))
        after = check(new)
        bad = _in_vain(chosen, edits, after) | _spoiling(chosen, problems, after)
        if bad or new.texts in seen:
            refused |= bad or {_same(each) for each, _ in chosen}
            continue
        made += [each for each, _ in chosen]
        snapshot, problems = new, after
        seen.add(new.texts)
    changed = {name: text for name, text in snapshot.texts if first[name] != text}
    return Mended(changed, tuple(made), problems)


def _chosen(snapshot: Snapshot, problems: Iterable[Problem], refused: set[_Key]) -> list[tuple[Problem, Fix]]:
    """The certain fixes that can be made together, with their problems: each one that is made is made whole."""
    texts, found, together = dict(snapshot.texts), list[tuple[Problem, Fix]](), Together()
    words = Words(lambda: map(count_words, texts.values()))
    for problem in problems:
        fix = words.certain(problem)
        if fix is None or _same(problem) in refused:
            continue
        if any(texts.get(edit.span.file.name) != edit.span.file.text for edit in fix.edits):
            continue  # in what is no file of the game
        if together.take(fix):
            found.append((problem, fix))
    return found


def _in_vain(chosen: Iterable[tuple[Problem, Fix]], edits: Sequence[Edit], after: Iterable[Problem]) -> set[_Key]:
    """The problems that are told after their mend at the place where they were."""
    told = {(each.code, each.message, each.span.file.name, each.span.start) for each in after}
    return {
        _same(each)
        for each, _ in chosen
        if (each.code, each.message, each.span.file.name, _moved(each.span, edits)) in told
    }


def _moved(span: Span, edits: Iterable[Edit]) -> int:
    """Where a place begins after edits."""
    before = (edit for edit in edits if edit.span.file.name == span.file.name and edit.span.end <= span.start)
    return span.start + sum(len(edit.text) - (edit.span.end - edit.span.start) for edit in before)


def _spoiling(chosen: Iterable[tuple[Problem, Fix]], before: Iterable[Problem], after: Iterable[Problem]) -> set[_Key]:
    """The problems whose mends are in files that cannot be read after them."""
    spoiled = _unreadable(after) - _unreadable(before)
    return {_same(each) for each, fix in chosen if _files(fix) & spoiled}


def _same(problem: Problem) -> _Key:
    """What a problem is known by while lines move."""
    file = problem.span.file
    return problem.code, file.name, problem.message, file.line_text(problem.span.line).strip()


def _files(fix: Fix) -> set[str]:
    return {edit.span.file.name for edit in fix.edits}


def _unreadable(problems: Iterable[Problem]) -> set[str]:
    return {each.span.file.name for each in problems if each.code < _OF_READING and each.severity == "error"}
