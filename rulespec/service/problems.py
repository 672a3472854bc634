"""What is wrong with a game as it stands in the editor: the problems that `rulespec check` would tell of these texts.

    snapshot = snapshot_of(game)
    problems = problems_of(snapshot, memo)

A snapshot is values alone, so that it can be checked while the editor goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rulespec.check import check_game
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import game_of_trees
from rulespec.kept.memo import Memo
from rulespec.model.validate import validate_file
from rulespec.service.game import Game
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile
from rulespec.source.tree import Mapping


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The texts of a game at one moment, by the names of its files, in order."""

    home: str
    texts: tuple[tuple[str, str], ...]
    engine: tuple[Mapping, ...] = field(compare=False)


def snapshot_of(game: Game) -> Snapshot:
    """A game's texts as they are now."""
    return Snapshot(game.home, tuple((name, game.space.text(name)) for name in game.files), game.space.engine)


class Trees:
    """The trees of texts, with what is wrong with them: each text is read once for as long as it is used."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, str], tuple[Mapping | None, tuple[Problem, ...]]] = {}

    def of(self, texts: Iterable[tuple[str, str]], problems: Problems) -> list[Mapping]:
        """The trees of files that can be read; what is wrong is reported."""
        read = {pair: self._read.get(pair) or _read(*pair) for pair in texts}
        self._read = read
        for _, found in read.values():
            problems.extend(found)
        return [tree for tree, _ in read.values() if tree is not None]


def _read(name: str, text: str) -> tuple[Mapping | None, tuple[Problem, ...]]:
    found = Problems()
    tree = read_yaml(SourceFile.of(name, text), found)
    return tree, found.items


def problems_of(snapshot: Snapshot, memo: Memo | None = None, trees: Trees | None = None) -> tuple[Problem, ...]:
    """All problems of a game, with the codes and places that `check` tells; in the order of files and places.

    `memo` and `trees` hold results of an earlier check of the game: what is told is the same with them and without.
    """
    problems = Problems()
    files = (trees or Trees()).of(snapshot.texts, problems)
    source = game_of_trees(Path(snapshot.home), files, snapshot.engine, problems)
    if source is not None:
        if memo is not None:
            memo.begin()
        check_game(source, [], problems, memo)
    names = {name for name, _ in snapshot.texts}
    return tuple(problem for problem in problems.items if problem.span.file.name in names)


def quick_problems(name: str, text: str) -> tuple[Problem, ...]:
    """What is wrong with one file by itself: as YAML, and in its form. It takes some milliseconds."""
    problems = Problems()
    tree = read_yaml(SourceFile.of(name, text), problems)
    if tree is not None:
        validate_file(tree, problems, variant=False)
    return problems.items
