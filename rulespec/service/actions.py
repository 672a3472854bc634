"""What an editor offers to do at a place: mends of the problems there, all certain ones of a file, refactorings.

for action in actions(space, problems, name, start, end):
    action.title, action.edits
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulespec.diagnostics.fixes import Edit, Fix, edits_of
from rulespec.diagnostics.model import Problem
from rulespec.service.extracting import extractions
from rulespec.service.overlaying import as_variant
from rulespec.service.problems import moved
from rulespec.service.rename import Refused
from rulespec.service.slips import Words
from rulespec.service.workspace import Workspace
from rulespec.source.text import SourceFile, Span

#: Kinds of actions, as the protocol of editors calls them.
MEND, MEND_ALL, EXTRACT, REWRITE = "quickfix", "source.fixAll", "refactor.extract", "refactor.rewrite"


@dataclass(frozen=True, slots=True)
class Action:
    """Something to do, with the edits that do it; `problem` is what they mend."""

    title: str
    kind: str
    edits: tuple[Edit, ...]
    problem: Problem | None = None
    is_preferred: bool = False
    new_file: tuple[str, str] | None = None  #: a file that is made, with its text
    why_not: str = ""  #: why it cannot be done; there are no edits then


def actions(space: Workspace, problems: Iterable[Problem], name: str, start: int, end: int) -> tuple[Action, ...]:
    """The mends of what is shown of a file in a stretch of it, those of the same kind, and all of the file.

    `problems` are those of the file; they may have been found in an older text of it.
    """
    text = space.text(name)
    now = [each for problem in problems if (each := moved(problem, text)) is not None]
    here = [each for each in now if each.span.start <= end and start <= each.span.end]
    game = space.game_of(name)
    words = Words(lambda: map(space.words, game.files) if game is not None else ())
    certain = [(each, fix) for each in now if (fix := words.certain(each)) is not None and _fits(space, fix)]
    return (*_mends(space, here, certain), *_same_kind(here, certain), *_all_of(certain))


def refactorings(space: Workspace, name: str, start: int, end: int) -> tuple[Action, ...]:
    """What can be given a name of its own in a stretch of a file."""
    return tuple(Action(each.title, EXTRACT, each.edits) for each in extractions(space, name, start, end))


def variant_of_edits(space: Workspace, name: str, before: Mapping[str, str]) -> Action | None:
    """What was edited in a game as a new variant; its files are as they were `before`. None where none was.

    Where what was edited cannot be a variant, the action says why not.
    """
    game = space.game_of(name)
    files = [] if game is None else [each for each in game.files if space.file(each).variant is None]
    old = {each: before.get(each, space.text(each)) for each in files}
    new = {each: space.text(each) for each in files}
    if game is None or old == new or name not in old:
        return None
    taken = {*game.variants, *(posixpath.basename(each).partition(".")[0] for each in game.files)}
    identity = next(n for k in range(1, 10_000) if (n := "my_variant" + f"_{k}" * (k > 1)) not in taken)
    place = f"{game.home}/{identity}.yaml"
    made = as_variant(old, new, identity, place)
    title = f"Make the variant `{identity}` of what was changed"
    if isinstance(made, Refused):
        return Action(title, REWRITE, (), why_not=made.why)
    changed = [each for each in files if old[each] != new[each]]
    files_now = [SourceFile.of(each, new[each]) for each in changed]
    edits = tuple(Edit(Span(file, 0, len(file.text)), old[file.name]) for file in files_now)
    return Action(title, REWRITE, edits, new_file=(place, made.text))


_Certain = list[tuple[Problem, Fix]]


def _mends(space: Workspace, here: Iterable[Problem], certain: _Certain) -> Iterator[Action]:
    for problem in here:
        for fix in problem.fixes:
            if _fits(space, fix):
                yield Action(fix.title, MEND, fix.edits, problem, (problem, fix) in certain)


def _same_kind(here: Iterable[Problem], certain: _Certain) -> Iterator[Action]:
    """All certain mends of one code, where there are several."""
    codes = {problem.code: problem for problem in here}
    for code, problem in codes.items():
        fixes = [fix for each, fix in certain if each.code == code]
        if len(fixes) > 1:
            yield Action(f"Mend all problems {code} in this file", MEND, edits_of(fixes), problem)


def _all_of(certain: _Certain) -> Iterator[Action]:
    if certain:
        yield Action("Mend all that is certain in this file", MEND_ALL, edits_of(fix for _, fix in certain))


def _fits(space: Workspace, fix: Fix) -> bool:
    """Whether all that a fix changes still stands as it was found."""
    return all(space.text(edit.span.file.name) == edit.span.file.text for edit in fix.edits)
