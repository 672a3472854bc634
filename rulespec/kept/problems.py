"""Problems as plain data, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulespec.diagnostics.catalogue import entry
from rulespec.diagnostics.fixes import Edit, Fix
from rulespec.diagnostics.model import Problem, Related
from rulespec.source.text import SourceFile, Span

FileOf = Callable[[str], SourceFile]


def as_data(problems: Iterable[Problem], place: Callable[[Span], list[Any]] | None = None) -> list[Any]:
    """What `from_data` makes the same problems of; without the facts that filled their messages.

    `place` gives each place as plain data; by itself it is its file's name with its start and end.
    """
    at = span_as_data if place is None else place
    return [[*_facts(p, at), *_more(p)] for p in problems]


def _facts(p: Problem, at: Callable[[Span], list[Any]]) -> list[Any]:
    related = [[each.message, at(each.span)] for each in p.related]
    fixes = [[fix.title, fix.is_certain, [[at(edit.span), edit.text] for edit in fix.edits]] for fix in p.fixes]
    return [p.code, p.message, at(p.span), p.hint, related, fixes]


def _more(problem: Problem) -> list[Any]:
    """What is written only of a problem that stands for several, whose severity is theirs."""
    return [] if problem.count == 1 else [problem.severity, problem.count]


def from_data(
    data: Iterable[Any], file_of: FileOf, place: Callable[[Any, FileOf], Span] | None = None
) -> list[Problem]:
    """The problems, at places of the files that `file_of` gives by name. Raises KeyError for a file that it lacks."""
    at = span_from_data if place is None else place
    return [
        Problem(
            code,
            more[0] if more else entry(code).severity,
            message,
            at(span, file_of),
            hint,
            tuple(Related(words, at(where, file_of)) for words, where in related),
            count=more[1] if more else 1,
            fixes=tuple(
                Fix(title, tuple(Edit(at(where, file_of), text) for where, text in edits), is_certain)
                for title, is_certain, edits in fixes
            ),
        )
        for code, message, span, hint, related, fixes, *more in data
    ]


def span_as_data(span: Span) -> list[Any]:
    """A place by its file's name."""
    return [span.file.name, span.start, span.end]


def span_from_data(data: Any, file_of: FileOf) -> Span:
    """The place again. Raises KeyError where there is no such file."""
    name, start, end = data
    return Span(file_of(name), start, end)


def spans_of(problem: Problem) -> Iterable[Span]:
    """Every place that a problem names, or that a fix of it changes."""
    edits = (edit.span for fix in problem.fixes for edit in fix.edits)
    return (problem.span, *(related.span for related in problem.related), *edits)


# ---- with the texts of their files -----------------------------------------------------------------------------------


def with_texts(problems: Iterable[Problem]) -> dict[str, Any]:
    """Problems with the texts that they stand in, to be shown where the files themselves are not read again.

    Two files may have one name: the same file when it could be read and when it could not.
    """
    listed = list(problems)
    files: dict[tuple[str, str], str] = {}
    for problem in listed:
        for span in spans_of(problem):
            files.setdefault((span.file.name, span.file.text), str(len(files)))

    def place(span: Span) -> list[Any]:
        return [files[span.file.name, span.file.text], span.start, span.end]

    return {"files": [list(file) for file in files], "problems": [_facts(p, place) for p in listed]}


def from_texts(data: Any) -> list[Problem]:
    """The problems that `with_texts` kept. Raises KeyError, TypeError or ValueError for anything else."""
    files = {str(number): SourceFile.of(name, text) for number, (name, text) in enumerate(data["files"])}
    return from_data(data["problems"], files.__getitem__)
