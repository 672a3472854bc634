"""The failures of scenarios that were run, shown beside the problems of their files until the game is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock

from lsprotocol import types as lsp

from interpreter.lsp.convert import diagnostics_of, range_of
from rulespec.diagnostics.model import Problem
from rulespec.service.positions import Lines
from rulespec.service.problems import Snapshot
from rulespec.source.text import Span

#: What stands for the code of a scenario that failed.
FAILED = "scenario"

Failure = tuple[str, Span, str]


class Results:
    """What is shown of each file: its problems, and what failed in it. `publish` is given a file and all of both."""

    def __init__(self, publish: Callable[[str, list[lsp.Diagnostic]], None], encoding: Callable[[], str]) -> None:
        self._publish, self._encoding = publish, encoding
        self._problems: dict[str, tuple[Problem, ...]] = {}
        self._failures: dict[str, tuple[Failure, ...]] = {}
        self._lock = Lock()

    def problems(self, name: str, problems: tuple[Problem, ...]) -> None:
        """A file has other problems."""
        with self._lock:
            self._problems[name] = problems
            self._tell(name)

    def of(self, name: str) -> tuple[Problem, ...]:
        """The problems that are shown of a file."""
        with self._lock:
            return self._problems.get(name, ())

    def put(self, snapshot: Snapshot, ran: Iterable[str], failures: Iterable[Failure]) -> None:
        """Scenarios were run: what failed earlier in them is shown no more."""
        again, names = set(ran), {name for name, _ in snapshot.texts}
        found: dict[str, list[Failure]] = {}
        for failure in failures:
            found.setdefault(failure[1].file.name, []).append(failure)
        with self._lock:
            for name in sorted(names):
                old = self._failures.get(name, ())
                new = (*(each for each in old if each[0] not in again), *found.get(name, ()))
                if new != old:
                    self._failures[name] = new
                    self._tell(name)

    def forget(self, names: Iterable[str]) -> None:
        """The game of these files is another one: what failed may not fail now."""
        with self._lock:
            for name in names:
                if self._failures.pop(name, ()):
                    self._tell(name)

    def _tell(self, name: str) -> None:
        encoding = self._encoding()
        failed = [
            lsp.Diagnostic(
                range=range_of(Lines(span.file.text), span.start, span.end, encoding),
                message=f"{scenario}: {message}",
                severity=lsp.DiagnosticSeverity.Error,
                code=FAILED,
                source="rulespec test",
            )
            for scenario, span, message in self._failures.get(name, ())
        ]
        self._publish(name, [*diagnostics_of(self._problems.get(name, ()), encoding), *failed])
