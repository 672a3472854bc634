"""Digests of what the stages of a check read: the declarations that are played, and everything in the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass
from functools import cached_property

from rulespec.diagnostics.model import Problem
from rulespec.game_source import GameSource
from rulespec.kept.problems import spans_of
from rulespec.kept.wordings import Wordings
from rulespec.overlay.fingerprint import UNPLAYED
from rulespec.source.program import program_digest
from rulespec.source.store import digest
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar


@dataclass(frozen=True, slots=True)
class _Covering:
    """Whether a place lies in what is played; it holds no `Digests`, which hold whoever asks."""

    files: AbstractMapping[str, SourceFile]
    played: AbstractMapping[str, list[tuple[int, int]]]

    def __call__(self, span: Span) -> bool:
        if self.files.get(span.file.name) is not span.file:
            return False
        return any(start <= span.start and span.end <= end for start, end in self.played.get(span.file.name, ()))


class Digests:
    """The digests of one game as it was read, and its files by name."""

    def __init__(self, source: GameSource) -> None:
        self._variants = {name: variant.files for name, variant in source.variants.items()}
        self._trees = source.trees
        self.files: dict[str, SourceFile] = {}
        self._played: dict[str, list[tuple[int, int]]] = {}
        every = [*source.trees, *source.engine, *(file for files in self._variants.values() for file in files)]
        for tree in every:
            self.files[tree.span.file.name] = tree.span.file
            self._played.setdefault(tree.span.file.name, []).extend(
                (key.span.start, section.span.end) for key, section in _played(tree)
            )
        self.has_twins = len({id(tree.span.file) for tree in every}) > len(self.files)
        self._every = every
        own = every[: len(source.trees)] + every[len(source.trees) + len(source.engine) :]
        #: whether a place lies in what `played` stands for
        self.covers = _Covering(self.files, self._played)
        self.own = own  #: the files of the game and its variants
        self.wordings = Wordings(own, source.engine, self.covers)  #: of the texts that people read

    @cached_property
    def _base(self) -> str:
        return digest(program_digest(), *_texts(self._trees))

    @cached_property
    def _of(self) -> dict[str, str]:
        return {name: digest(name, *_texts(files)) for name, files in self._variants.items()}

    @cached_property
    def scenarios(self) -> str:
        """Of all that checking scenarios reads."""
        scenarios = _texts(self._every, lambda section: section == "scenarios")
        return digest(self._base, *self._of.values(), *scenarios)

    @cached_property
    def scenarios_alone(self) -> str:
        """Of the scenarios, wherever they stand, without what they are about."""
        sections = (pair for tree in self._every for pair in tree.pairs if pair[0].text == "scenarios")
        return digest(program_digest(), *(f"{node.span.file.name}\n{node.span.text}" for _, node in sections))

    @cached_property
    def everything(self) -> str:
        """Of all files, engine's words included."""
        whole = (f"{tree.span.file.name}\n{tree.span.file.text}" for tree in self._every)
        return digest(program_digest(), *whole)

    @cached_property
    def figures(self) -> str:
        """Of all that says figures: what is played with every variant, rules and terms."""
        told = _texts(self._every, lambda section: section in ("rules", "terms"))
        return digest(self._base, *(f"{name} {each}" for name, each in self._of.items()), *told)

    @cached_property
    def terms(self) -> str:
        """Of the terms of the game and its variants, in the order in which they are read, and of the program."""
        return digest(program_digest(), *_texts(self._every, lambda section: section == "terms"))

    def played(self, variants: Iterable[str]) -> str:
        """What is lowered with these variants on depends on nothing but the texts behind this."""
        return digest(self._base, *(self._of.get(name, name) for name in sorted(set(variants))))

    def is_about_played(self, problem: Problem) -> bool:
        """Whether a problem names a place in what is played."""
        return any(map(self.covers, spans_of(problem)))

    def knows(self, problem: Problem) -> bool:
        """Whether all places of a problem lie in files of the game, as they were read."""
        return all(self.files.get(span.file.name) is span.file for span in spans_of(problem))


def _played(tree: Mapping) -> list[tuple[Scalar, Node]]:
    return [(key, section) for key, section in tree.pairs if _is_played(key.text)]


def _is_played(section: str) -> bool:
    return section not in UNPLAYED


def _texts(trees: Iterable[Mapping], wanted: Callable[[str], bool] = _is_played) -> Iterable[str]:
    """Some sections, by themselves those that are played, with their places."""
    for tree in trees:
        file = tree.span.file
        yield f"{file.name} {' '.join(sorted(tree.broken))}"
        for key, section in tree.pairs:
            if wanted(key.text):
                yield f"{key.text} {key.span.start} {key.span.line}\n{file.text[key.span.start : section.span.end]}"
