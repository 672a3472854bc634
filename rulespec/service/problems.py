"""What is wrong with a game as it stands in the editor: the problems that `rulespec check` would tell of its files.

    snapshot = snapshot_of(game)
    problems = problems_of(snapshot, memo)

A snapshot is values alone, so that it can be checked while the editor goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rulespec.check import check_game
from rulespec.diagnostics.fixes import Edit, Fix
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import game_of_trees
from rulespec.kept.memo import Memo
from rulespec.model.validate import validate_file
from rulespec.source.nodes import read_yaml, value_of
from rulespec.source.plain import MAX_FILE_BYTES
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping

if TYPE_CHECKING:
    from rulespec.service.game import Game

#: That files are no game, or several: told of a whole folder.
NO_GAME = "RS440"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The texts of a game at one moment, by the names of its files, in order.

    `lost` says what is wrong with files of it that cannot be read, and so have no text.
    """

    home: str
    texts: tuple[tuple[str, str], ...]
    engine: tuple[Mapping, ...] = field(compare=False)
    lost: tuple[Problem, ...] = ()


def snapshot_of(game: Game) -> Snapshot:
    """A game's texts as they are now."""
    space = game.space
    texts = tuple((name, space.text(name)) for name in game.files)
    return Snapshot(game.home, texts, space.engine, space.lost_of(game.home))


class KeptTrees(Protocol):
    """Trees that were kept by an earlier process: `rulespec.source.kept_trees` has them on disk."""

    def get(self, file: SourceFile, resolve: Callable[[str], str | int | bool]) -> Mapping | None:
        """The tree of a file with this text; None where it is not kept."""

    def put(self, file: SourceFile, tree: Mapping) -> None:
        """Keeps the tree of a file that has no problem."""


class Trees:
    """The trees of texts, with what is wrong with them: each text is read once for as long as it is used.

    `kept` has those of an earlier process, which are looked for once.
    """

    def __init__(self, kept: KeptTrees | None = None) -> None:
        self._read: dict[tuple[str, str], tuple[Mapping | None, tuple[Problem, ...]]] = {}
        self._kept = kept

    def of(self, texts: Iterable[tuple[str, str]], problems: Problems) -> list[Mapping]:
        """The trees of files that can be read; what is wrong is reported."""
        read = {pair: self._read.get(pair) or self._new(*pair) for pair in texts}
        self._read, self._kept = read, None
        for _, found in read.values():
            problems.extend(found)
        return [tree for tree, _ in read.values() if tree is not None]

    def _new(self, name: str, text: str) -> tuple[Mapping | None, tuple[Problem, ...]]:
        file = SourceFile.of(name, text)
        tree = None if self._kept is None else self._kept.get(file, value_of)
        if tree is not None:
            return tree, ()
        tree, found = _read(name, text)
        if self._kept is not None and tree is not None and not found:
            self._kept.put(tree.span.file, tree)
        return tree, found


def _read(name: str, text: str) -> tuple[Mapping | None, tuple[Problem, ...]]:
    found, file = Problems(), SourceFile.of(name, text)
    if len(text.encode("utf-8", "surrogatepass")) > MAX_FILE_BYTES:
        found.add("RS104", Span(file, 0, 0), limit=f"{MAX_FILE_BYTES:,}")
        return None, found.items
    tree = read_yaml(file, found)
    return tree, found.items


def problems_of(snapshot: Snapshot, memo: Memo | None = None, trees: Trees | None = None) -> tuple[Problem, ...]:
    """All problems of a game's files, with the codes and places that `check` tells; in the order of files and places.

    `memo` and `trees` hold results of an earlier check of the game, also one of the command: what is told is the same
    with them and without.
    """
    names = _Names(snapshot)
    problems = Problems(map(names.short, snapshot.lost))
    files = (trees or Trees()).of(names.texts, problems)
    source = game_of_trees(Path(snapshot.home), files, snapshot.engine, problems)
    if source is not None:
        if memo is not None:
            memo.begin()
        check_game(source, [], problems, memo)
    known = {*names.long, *(each.span.file.name for each in snapshot.lost)}
    found = (_placed(names.whole(problem), snapshot) for problem in problems.items)
    return tuple(problem for problem in found if problem.span.file.name in known)


class _Names:
    """The files of a game as `check` names them, by its folder, and as they are named here."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._around = snapshot.home.rpartition("/")[0] + "/" if "/" in snapshot.home else ""
        inside = f"{snapshot.home}/"
        placed = sorted(snapshot.texts, key=lambda pair: (not pair[0].startswith(inside), pair[0]))
        self._inside = inside
        self.texts = [(self._cut(name), text) for name, text in placed]
        self.long = {name: SourceFile.of(name, text) for name, text in snapshot.texts}
        self._whole = {self._cut(name): file for name, file in self.long.items()}

    def _cut(self, name: str) -> str:
        return name.removeprefix(self._around) if name.startswith(self._inside) else name

    def short(self, problem: Problem) -> Problem:
        """A problem with the names of a check."""
        file = problem.span.file
        return replace(problem, span=replace(problem.span, file=SourceFile.of(self._cut(file.name), file.text)))

    def whole(self, problem: Problem) -> Problem:
        """A problem of a check with the names that files have here."""
        return problem.placed(self._span)

    def _span(self, span: Span) -> Span:
        name = span.file.name
        if name in self._whole:
            return replace(span, file=self._whole[name])
        is_inside = self._around and f"{self._around}{name}".startswith(self._inside)
        return replace(span, file=SourceFile.of(self._around + name, span.file.text)) if is_inside else span


def _placed(problem: Problem, snapshot: Snapshot) -> Problem:
    """That the files are no game is wrong with the folder: here it stands at the beginning of the first of them."""
    if problem.code != NO_GAME or not snapshot.texts:
        return problem
    return replace(problem, span=Span(SourceFile.of(*snapshot.texts[0]), 0, 0))


def quick_problems(name: str, text: str) -> tuple[Problem, ...]:
    """What is wrong with one file by itself: as YAML, and in its form. It takes some milliseconds."""
    tree, found = _read(name, text)
    problems = Problems(found)
    if tree is not None:
        validate_file(tree, problems, variant=False)
    return problems.items


def moved(problem: Problem, text: str) -> Problem | None:
    """A problem at the place where it is in a later text of its file; None where just that place was changed.

    Of its fixes those stay whose places in the file are as they were.
    """
    old = problem.span.file
    if old.text == text:
        return problem
    file = SourceFile.of(old.name, text)

    def later(span: Span) -> Span | None:
        if span.file.name != old.name:
            return span
        before, after = _alike(old.text, text)
        if before < span.end and span.start < len(old.text) - after:
            return None
        shift = 0 if span.end <= before else len(text) - len(old.text)
        return Span(file, span.start + shift, span.end + shift)

    span = later(problem.span)
    if span is None:
        return None
    fixes = (_fix_with(fix, [later(edit.span) for edit in fix.edits]) for fix in problem.fixes)
    return replace(problem, span=span, fixes=tuple(fix for fix in fixes if fix is not None))


def _fix_with(fix: Fix, places: list[Span | None]) -> Fix | None:
    """A fix at other places; None where one of them is gone."""
    if None in places:
        return None
    edits = (Edit(span, edit.text) for edit, span in zip(fix.edits, places, strict=True) if span is not None)
    return replace(fix, edits=tuple(edits))


def behind_change(old: str, new: str) -> int:
    """Where in a new text what was changed ends."""
    return len(new) - _alike(old, new)[1]


def moved_to(offset: int, old: str, new: str) -> int | None:
    """An offset of a text as one of a later text of its file; None where just that place was changed."""
    before, after = _alike(old, new)
    if offset <= before:
        return offset
    return offset + len(new) - len(old) if offset >= len(old) - after else None


@lru_cache(maxsize=1)
def _alike(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts have in common before what was changed, and behind it."""
    most = min(len(old), len(new))
    before = next((at for at in range(most) if old[at] != new[at]), most)
    after = next((at for at in range(most - before) if old[-1 - at] != new[-1 - at]), most - before)
    return before, after
