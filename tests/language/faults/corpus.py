"""The corpus of faults: edits of a faultless game, each with the one problem that it must give."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from rulespec.check import check_game
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game
from rulespec.source.shipped import content_root
from tests.language.cases import span_of

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Fault:
    """One fault: which text of which file is replaced, and the code, place and hint of what is then reported.

    `at` is the text that is marked, searched for from the edit on (or from `near` on, in `place`, where the fault shows
    elsewhere). `add` holds files that are put beside the game's. Without `file` nothing is replaced.
    """

    name: str
    code: str
    at: str
    file: str = ""
    replace: str = ""
    into: str = ""
    hint: str = ""
    game: str = ""
    place: str = ""
    near: str = ""
    add: dict[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()

    def files(self) -> dict[str, str]:
        """The texts of all files of the game with the fault."""
        folder = content_root() / self.game if self.game else HERE / "base"
        files = {
            path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(folder.rglob("*.yaml"))
        }
        if self.file:
            assert files[self.file].count(self.replace) == 1, f"{self.replace!r} must stand once in {self.file}"
            files[self.file] = files[self.file].replace(self.replace, self.into)
        return {**files, **self.add}

    def expected(self, files: dict[str, str]) -> tuple[str, str, int, int, int]:
        """Code, file, line, column and length of the one problem; lines and columns from 1."""
        name = self.place or self.file or next(iter(self.add))
        text = files[name]
        begin = text.index(self.near) if self.near else text.index(self.into) if name == self.file else 0
        start, end = span_of(text[begin:], self.at)
        line = text.count("\n", 0, begin + start) + 1
        column = begin + start - (text.rfind("\n", 0, begin + start) + 1) + 1
        return self.code, name, line, column, end - start


def faults() -> list[Fault]:
    """All faults of the files beside this one, in order."""
    found: list[Fault] = []
    for path in sorted(HERE.glob("*.yaml")):
        cases: dict[str, dict[str, Any]] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        for name, case in cases.items():
            case["variants"] = tuple(case.get("variants", ()))
            found.append(Fault(f"{path.stem}/{name}", **case))
    return found


def problems_of(files: dict[str, str], folder: Path, variants: tuple[str, ...] = ()) -> tuple[Problem, ...]:
    """All errors and warnings of a game with these files."""
    return tuple(problem for problem in all_problems_of(files, folder, variants) if problem.severity != "note")


def all_problems_of(files: dict[str, str], folder: Path, variants: tuple[str, ...] = ()) -> tuple[Problem, ...]:
    """As `problems_of`, with the notes."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    problems = Problems()
    source = read_game(str(folder), problems)
    if source is not None:
        check_game(source, variants, problems)
    return problems.items


def shown(problem: Problem) -> tuple[str, str, int, int, int]:
    """A problem as `Fault.expected` gives it; a place of several lines counts as its first line."""
    span = problem.span
    line, column = span.file.line_and_column(span.start)
    return problem.code, span.file.name.split("/", 1)[1], line, column, span.end - span.start
