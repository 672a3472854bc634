"""The problems that an editor shows: those of whole games, and until these are known anew those of changed files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from rulespec.diagnostics.model import Problem
from rulespec.service.problems import Snapshot, moved, quick_problems
from rulespec.service.typed import Typed


@dataclass(frozen=True, slots=True)
class Edited:
    """One file of a game, as it was typed."""

    home: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class _File:
    """What is shown of a file: what is wrong with it by itself, and what else its game's check told."""

    home: str
    alone: tuple[Problem, ...] = ()
    further: tuple[Problem, ...] = ()


class Shown:
    """What is shown of each file. `publish` is given a file and all problems of it; it may be called by any thread."""

    def __init__(self, publish: Callable[[str, tuple[Problem, ...]], None]) -> None:
        self._publish = publish
        self._files: dict[str, _File] = {}
        self._lock = threading.Lock()

    def of_game(self, snapshot: Snapshot, problems: Iterable[Problem], opened: Collection[str]) -> None:
        """A game was checked. What is no more so is shown no more; files that are open are told in any case."""
        texts = dict(snapshot.texts)
        found: dict[str, list[Problem]] = {name: [] for name in texts.keys() & opened}
        for problem in problems:
            found.setdefault(problem.span.file.name, []).append(problem)
        with self._lock:
            gone = {name for name, file in self._files.items() if file.home == snapshot.home} - found.keys()
            for name in sorted(gone):
                del self._files[name]
                self._publish(name, ())
            for name, told in sorted(found.items()):
                self._files[name] = _divided(snapshot.home, name, texts.get(name), told)
                self._publish(name, tuple(told))

    def of_file(self, edited: Edited, problems: tuple[Problem, ...]) -> None:
        """A file was looked at by itself. Its other problems stay as they are, at the places where they are now."""
        with self._lock:
            old = self._files.get(edited.name) or _File(edited.home)
            if old.home != edited.home or _kinds(old.alone) == _kinds(problems):
                return
            further = _placed(old.further, edited.text)
            self._files[edited.name] = _File(edited.home, problems, further)
            self._publish(edited.name, (*problems, *further))

    def of_value(self, edited: Edited, typed: Typed) -> None:
        """The value that is typed was looked at: of it that is told, until its game was checked; all else stays."""
        with self._lock:
            old = self._files.get(edited.name) or _File(edited.home)
            if old.home != edited.home:
                return
            alone, further = (_placed(each, edited.text) for each in (old.alone, old.further))
            around = tuple(each for each in further if each.span.end < typed.start or typed.end < each.span.start)
            places = {problem.place for problem in alone}
            new = tuple(each for each in typed.problems if each.place not in places)
            if _kinds(old.further) == _kinds((*around, *new)):
                return
            self._files[edited.name] = _File(edited.home, alone, (*around, *new))
            self._publish(edited.name, (*alone, *around, *new))


def _placed(problems: Iterable[Problem], text: str) -> tuple[Problem, ...]:
    """Problems at the places where they are now; without those whose places were changed."""
    return tuple(each for problem in problems if (each := moved(problem, text)) is not None)


def _divided(home: str, name: str, text: str | None, told: list[Problem]) -> _File:
    alone = {problem.place for problem in quick_problems(name, text)} if told and text is not None else set()
    further = tuple(problem for problem in told if problem.place not in alone)
    return _File(home, tuple(problem for problem in told if problem.place in alone), further)


def _kinds(problems: Iterable[Problem]) -> list[tuple[str, str]]:
    """What is wrong, wherever: editors move what they show as one types."""
    return sorted((problem.code, problem.message) for problem in problems)
