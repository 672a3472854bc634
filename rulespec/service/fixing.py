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


#: How often a game is checked to find out which mends of a file make it unreadable; then all others are left too.
MOST_TRIES = 40


_Key = tuple[str, str, str, str]
_Check = Callable[[Snapshot], tuple[Problem, ...]]


@dataclass(frozen=True, slots=True)
class Mended:
    """A game after all its certain mends: the files that are others now, which problems went, and which are left."""

    texts: dict[str, str]
    made: tuple[Problem, ...]
    left: tuple[Problem, ...]


def mend_all(snapshot: Snapshot, check: _Check) -> Mended:
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
        bad = _in_vain(chosen, edits, after)
        if spoiled := _unreadable(after) - _unreadable(problems):
            tries = _Tries(snapshot, spoiled, check)
            bad |= tries.spoiling([each for each in chosen if _files(each[1]) & spoiled])
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


class _Tries:
    """Mends that make files unreadable together: which ones do, when they are made apart."""

    def __init__(self, snapshot: Snapshot, spoiled: set[str], check: _Check) -> None:
        self._snapshot, self._spoiled, self._check = snapshot, spoiled, check
        self._left = MOST_TRIES

    def spoiling(self, chosen: Sequence[tuple[Problem, Fix]]) -> set[_Key]:
        """The problems whose mends spoil, of some whose mends do so together: found by halves."""
        all_of_them = {_same(each) for each, _ in chosen}
        if len(chosen) < 2:
            return all_of_them
        half = len(chosen) // 2
        found: set[_Key] = set()
        for part in (chosen[:half], chosen[half:]):
            if self._do_spoil(part):
                found |= self.spoiling(part)
        return found or all_of_them  # no half does by itself

    def _do_spoil(self, chosen: Sequence[tuple[Problem, Fix]]) -> bool:
        self._left -= 1
        if self._left < 0:
            return True
        texts = applied(dict(self._snapshot.texts), edits_of(fix for _, fix in chosen))
        after = self._check(replace(self._snapshot, texts=tuple(texts.items())))
        return bool(_unreadable(after) & self._spoiled)


def _same(problem: Problem) -> _Key:
    """What a problem is known by while lines move."""
    file = problem.span.file
    return problem.code, file.name, problem.message, file.line_text(problem.span.line).strip()


def _files(fix: Fix) -> set[str]:
    return {edit.span.file.name for edit in fix.edits}


def _unreadable(problems: Iterable[Problem]) -> set[str]:
    return {each.span.file.name for each in problems if each.code < _OF_READING and each.severity == "error"}
