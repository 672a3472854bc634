"""Problems for tools: the JSON form of `check --format json`, and SARIF 2.1.0 for editors and code hosts."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from typing import Any

from rulespec.diagnostics.as_json import json_text
from rulespec.diagnostics.catalogue import Entry, entry
from rulespec.diagnostics.fixes import Fix
from rulespec.diagnostics.model import Problem, Related, counts_of, gravest
from rulespec.diagnostics.render import summary
from rulespec.source.text import Span, readable

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_PLAIN = frozenset(string.ascii_letters + string.digits + "-._~/")


def problem_as_json(problem: Problem) -> dict[str, Any]:
    """One member of `problems`. Lines and columns from 1, columns in characters; the end is the first place after."""
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        **_stretch_as_json(problem.span),
        "hint": problem.hint,
        "related": [_related_as_json(related) for related in problem.related],
        "fixes": [_fix_as_json(fix) for fix in problem.fixes],
    }


def _fix_as_json(fix: Fix) -> dict[str, Any]:
    """A mend; each edit puts `text` in the place of the stretch from its line and column to the end."""
    edits = [_stretch_as_json(edit.span) | {"text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "certain": fix.is_certain, "edits": edits}


def _stretch_as_json(span: Span) -> dict[str, Any]:
    line, column = span.file.line_and_column(span.start)
    end_line, end_column = span.file.line_and_column(span.end)
    return {
        "file": readable(span.file.name),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


def _related_as_json(related: Related) -> dict[str, Any]:
    line, column = related.span.file.line_and_column(related.span.start)
    return {"message": related.message, "file": readable(related.span.file.name), "line": line, "column": column}


def render_json(problems: Iterable[Problem], games: Iterable[Mapping[str, str]] = ()) -> str:
    """The document of `check --format json`; `games` are the checked games' ids with their fingerprints.

    `more` says how many of each severity are left out, where some are.
    """
    shown, rest = gravest(list(problems))
    document: dict[str, Any] = {
        "problems": [problem_as_json(problem) for problem in shown],
        "games": [dict(game) for game in games],
    }
    if rest:
        document["more"] = dict(counts_of(rest))
    return json_text(document, 2)


def render_sarif(problems: Iterable[Problem]) -> str:
    """A SARIF log of one run, with the catalogue's entry of every code that occurs; what is left out is notified."""
    listed, rest = gravest(list(problems))
    codes = sorted({problem.code for problem in listed})
    places = {code: number for number, code in enumerate(codes)}
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "rulespec", "rules": [_sarif_rule(entry(code)) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(problem, places[problem.code]) for problem in listed],
    }
    if rest:
        words = {"level": "warning", "message": {"text": f"… and {summary(rest).removesuffix('.')} more."}}
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": [words]}]
    return json_text({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, 2)


def _sarif_rule(known: Entry) -> dict[str, Any]:
    example = f"Fault:\n\n{known.bad}\nMended:\n\n{known.good}"
    return {
        "id": known.code,
        "name": "".join(word.capitalize() for word in known.title.split()),
        "shortDescription": {"text": known.title},
        "fullDescription": {"text": known.about},
        "help": {"text": f"{known.about}\n\n{example}"},
        "defaultConfiguration": {"level": known.severity},
    }


def _sarif_result(problem: Problem, rule: int) -> dict[str, Any]:
    text = problem.message if problem.hint is None else f"{problem.message}\n{problem.hint}"
    result: dict[str, Any] = {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": problem.severity,
        "message": {"text": text},
        "locations": [{"physicalLocation": _sarif_place(problem.span)}],
    }
    if problem.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": related.message}, "physicalLocation": _sarif_place(related.span)}
            for number, related in enumerate(problem.related, 1)
        ]
    if problem.fixes:
        result["fixes"] = [_sarif_fix(fix) for fix in problem.fixes]
    return result


def _sarif_fix(fix: Fix) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacement = {"deletedRegion": _sarif_region(edit.span), "insertedContent": {"text": edit.text}}
        changes.setdefault(uri_of(edit.span.file.name), []).append(replacement)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": {"uri": uri}, "replacements": replacements} for uri, replacements in changes.items()
        ],
    }


def _sarif_place(span: Span) -> dict[str, Any]:
    return {"artifactLocation": {"uri": uri_of(span.file.name)}, "region": _sarif_region(span)}


def _sarif_region(span: Span) -> dict[str, int]:
    line, column = span.file.line_and_column(span.start)
    end_line, end_column = span.file.line_and_column(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def uri_of(name: str) -> str:
    """A relative path as SARIF wants it: everything but plain letters, digits and a few signs percent-encoded."""
    return "".join(
        chr(byte) if chr(byte) in _PLAIN else f"%{byte:02X}" for byte in name.encode("utf-8", "surrogateescape")
    )
